"""Random sheets of small games for one role: words that moves change, and clocks, some of which the rules
read.
"""

from __future__ import annotations

from random import Random


def one_player_sheet(random: Random) -> str:
    """Return a sheet of a game with at most a few hundred states."""
    words = [f"w{number}" for number in range(random.randint(1, 4))]
    moves = [f"m{number}" for number in range(random.randint(1, 4))]
    hours = random.randint(1, 9)
    clauses = ["(role one)", "(init (hour 0))"]
    clauses += [f"(after {hour} {hour + 1})" for hour in range(hours)]
    if random.random() < 0.4:
        # The clock is cyclic.
        clauses.append(f"(after {hours} {random.randint(0, hours)})")
    clauses.append("(<= (next (hour ?n)) (true (hour ?m)) (after ?m ?n))")
    clauses += [f"(init {word})" for word in words if random.random() < 0.4]

    def literal(timed: float) -> str:
        if random.random() < timed:
            found = f"(true (hour {random.randint(0, hours)}))"
        else:
            found = f"(true {random.choice(words)})"
        return f"(not {found})" if random.random() < 0.4 else found

    def body(timed: float, least: int = 0) -> str:
        return " ".join(literal(timed) for _ in range(random.randint(least, 3)))

    # Sometimes a rule of the board reads the clock, which is then more than a step counter.
    read = 0.2 if random.random() < 0.3 else 0.0
    for move in moves:
        clauses.append(f"(<= (legal one {move}) {body(read)})")
        for word in words:
            if random.random() < 0.6:
                clauses.append(f"(<= (next {word}) (does one {move}) {body(read)})")
    for word in words:
        if random.random() < 0.5:
            clauses.append(f"(<= (next {word}) (true {word}) {body(read)})")
    clauses.append("(init idle0)")
    clauses.append(f"(<= (next idle{random.randint(0, 1)}) (does one {random.choice(moves)}))")
    for _ in range(random.randint(1, 3)):
        clauses.append(f"(<= terminal {body(0.5, 1)})")
    for worth in random.sample(range(0, 101, 10), random.randint(1, 4)):
        clauses.append(f"(<= (goal one {worth}) {body(0.4)})")
    if random.random() < 0.5:
        clauses += _second_clock(random, hours)
    return "\n".join(clauses) + "\n"


def _second_clock(random: Random, hours: int) -> list[str]:
    """Return clauses of a clock that stops at one hour of the first clock, and may end the game."""
    pause, last = random.randint(0, hours), random.randint(1, hours)
    clauses = [
        "(init (late 0))",
        f"(<= (next (late ?n)) (true (late ?m)) (after ?m ?n) (not (true (hour {pause}))))",
        f"(<= (next (late ?m)) (true (late ?m)) (true (hour {pause})))",
        f"(<= (next (late {hours})) (true (late {hours})))",
        f"(<= terminal (true (late {last})))",
    ]
    if random.random() < 0.5:
        clauses.append(f"(<= (goal one {random.randrange(5, 100, 10)}) (true (late {last})))")
    return clauses


def puzzle_sheet(rows: int, columns: int, start: str, steps: int) -> str:
    """Return a sliding puzzle.

    `start` has the tiles row by row, `b` is the blank. The ordered arrangement is worth 99, and 100 after
    `steps` moves.
    """
    places = [(row, column) for row in range(rows) for column in range(columns)]
    order = "".join(map(str, range(1, rows * columns))) + "b"
    clauses = ["(role hand)", "(init (step 0))"]
    clauses += [
        f"(init (cell {row} {column} {tile}))" for (row, column), tile in zip(places, start, strict=True)
    ]
    clauses += [
        f"(beside {row} {column} {other_row} {other_column})"
        for row, column in places
        for other_row, other_column in places
        if abs(row - other_row) + abs(column - other_column) == 1
    ]
    clauses += [f"(after {step} {step + 1})" for step in range(2 * steps)]
    ordered = " ".join(
        f"(true (cell {row} {column} {tile}))" for (row, column), tile in zip(places, order, strict=True)
    )
    clauses += [
        "(<= (blank ?r ?c) (true (cell ?r ?c b)))",
        "(<= (legal hand (push ?r ?c)) (blank ?i ?j) (beside ?i ?j ?r ?c))",
        "(<= (next (cell ?r ?c b)) (does hand (push ?r ?c)))",
        "(<= (next (cell ?i ?j ?tile)) (blank ?i ?j) (does hand (push ?r ?c)) (true (cell ?r ?c ?tile)))",
        (
            "(<= (next (cell ?r ?c ?tile)) (true (cell ?r ?c ?tile)) (not (blank ?r ?c)) (not (does hand "
            "(push ?r ?c))))"
        ),
        "(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))",
        f"(<= done {ordered})",
        "(<= terminal done)",
        f"(<= terminal (true (step {2 * steps})))",
        f"(<= (goal hand 100) done (true (step {steps})))",
        f"(<= (goal hand 99) done (not (true (step {steps}))))",
        "(<= (goal hand 0) (not done))",
    ]
    return "\n".join(clauses) + "\n"


def puzzle_distances(rows: int, columns: int) -> dict[str, int]:
    """Return the distance of each solvable arrangement from the ordered one, by backward search."""
    order = "".join(map(str, range(1, rows * columns))) + "b"
    distances = {order: 0}
    layer = [order]
    while layer:
        following = []
        for board in layer:
            blank = board.index("b")
            row, column = divmod(blank, columns)
            for other_row, other_column in (
                (row + 1, column),
                (row - 1, column),
                (row, column + 1),
                (row, column - 1),
            ):
                if 0 <= other_row < rows and 0 <= other_column < columns:
                    cells = list(board)
                    place = other_row * columns + other_column
                    cells[blank], cells[place] = cells[place], "b"
                    after = "".join(cells)
                    if after not in distances:
                        distances[after] = distances[board] + 1
                        following.append(after)
        layer = following
    return distances
