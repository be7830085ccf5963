"""Random sheets of small games for one role: some words that moves turn, and clocks that run, some read by the rules."""

from __future__ import annotations

from random import Random


def one_player_sheet(random: Random) -> str:
    """A sheet of a game with at most a few hundred states."""
    words = [f"w{number}" for number in range(random.randint(1, 4))]
    moves = [f"m{number}" for number in range(random.randint(1, 4))]
    hours = random.randint(1, 9)
    clauses = ["(role one)", "(init (hour 0))"]
    clauses += [f"(after {hour} {hour + 1})" for hour in range(hours)]
    if random.random() < 0.4:
        # The clock comes round.
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

    # Sometimes a rule of the board reads the clock, which is none then.
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
    return "\n".join(clauses) + "\n"
