"""Workload of many rules: connected patterns on a 9×9 board, its facts, and changes of a point's colour.

A rule is a random walk over a board with 6 to 10 conditions. They are the colour of a point, a neighbour, its
colour, and sometimes the liberties of the block there. One rule in five continues the first conditions of an
earlier one; many others share a prefix by chance. The walks use other boards than the matched one, so most
rules match in a few places and some in none. No two rules have the same body. The head of a rule contains its
number and all its variables, so each match is a distinct fact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.engine.program_text import Clause, Condition, Predicate, Row, Update, write
from hornbook.theories.go.states.board import Colour, GoBoard, blocks_on

SIDE = 9
POINTS = SIDE * SIDE
COLOUR, NEIGHBOUR, LIBERTIES = 0, 1, 2
COLOURS: tuple[Colour, ...] = ("empty", "black", "white")
"""Colours in the order of their codes."""
UPDATES = 200
TRAINING_BOARDS = 40
MOST_VARIABLES = 10
SHARING = 0.2
"""Share of rules that continue the first conditions of an earlier one."""
SHAPES = 400
"""Maximal number of rules that read no liberties.

Half of the rules are of this kind up to this number. They match often.
"""
LIBERTIES_SHARE = 0.8
BRANCHING = 0.5
TO_STONES = 0.9
"""Probabilities in walks.

The first is the probability that a stone's liberties are read before the walk goes on. The second is that of
continuing from any visited point, and the third that of trying again instead of reaching an empty point. With
these values, rules have about 27 matches each with 1,000 rules, and 11 with 100,000.
"""


@dataclass(slots=True)
class Walk:
    """Conditions so far, and the board and points where they were read: `places` are the
    points of the variables.
    """

    board: GoBoard
    liberties: dict[int, int]
    places: list[int]
    conditions: list[Condition]

    def shortened(self, conditions: int) -> Walk:
        """Return the walk at the time when it had `conditions` conditions."""
        conditions_left = self.conditions[:conditions]
        known = max(-term for condition in conditions_left for term in condition.terms if term < 0)
        return Walk(self.board, self.liberties, self.places[:known], conditions_left)


def board(random: Random) -> GoBoard:
    """Return a board about two thirds full. All its blocks have liberties."""
    colours: list[Colour] = [random.choice(COLOURS) for _ in range(POINTS)]
    plain = GoBoard.__new__(GoBoard)  # not yet legal, so the constructor cannot be used
    fields = {"rows": SIDE, "columns": SIDE, "colours": tuple(colours), "ko": None, "to_play": None}
    for name, value in fields.items():
        object.__setattr__(plain, name, value)
    for block in blocks_on(plain, tuple(colours), range(POINTS)):
        if not block.liberties:
            for stone in block.stones:
                colours[stone] = "empty"
    return GoBoard(SIDE, SIDE, tuple(colours))


def liberties_of(state: GoBoard) -> dict[int, int]:
    """Return the number of liberties of each stone's block."""
    return {stone: len(block.liberties) for block in state.blocks for stone in block.stones}


def rules(random: Random, number: int) -> Iterator[tuple[Condition, ...]]:
    """Yield the bodies of `number` distinct rules."""
    boards = [board(random) for _ in range(TRAINING_BOARDS)]
    liberties = [liberties_of(each) for each in boards]
    walks: list[Walk] = []  # walks that others can continue
    seen: set[tuple[Condition, ...]] = set()
    while len(seen) < number:
        shape = len(seen) - len(walks) < SHAPES and random.random() < 0.5
        if walks and not shape and random.random() < SHARING:
            earlier = random.choice(walks)
            walk = earlier.shortened(random.randint(1, len(earlier.conditions) - 2))
        else:
            which = random.randrange(TRAINING_BOARDS)
            walk = Walk(boards[which], liberties[which], [], [])
            _come_to(walk, random.randrange(POINTS))
        _walk_on(walk, 6 if shape else random.randint(6, 9), 0.0 if shape else LIBERTIES_SHARE, random)
        body = tuple(walk.conditions)
        if body not in seen:
            seen.add(body)
            if not shape:
                walks.append(walk)
            yield body


def _walk_on(walk: Walk, length: int, liberties_share: float, random: Random) -> None:
    """Extend a walk to `length` conditions, or one more."""
    while len(walk.conditions) < length:
        here = len(walk.places) - 1
        count = Condition(LIBERTIES, (-1 - here, walk.liberties.get(walk.places[here], 0)))
        stone = walk.board.colours[walk.places[here]] != "empty"
        if stone and count not in walk.conditions and random.random() < liberties_share:
            walk.conditions.append(count)
            continue
        start = random.randrange(len(walk.places)) if random.random() < BRANCHING else here
        around = list(walk.board.neighbours(walk.places[start]))
        there = random.choice(around)
        if walk.board.colours[there] == "empty" and random.random() < TO_STONES:
            there = random.choice(around)
        if there not in walk.places:
            walk.conditions.append(Condition(NEIGHBOUR, (-1 - start, -1 - len(walk.places))))
            _come_to(walk, there)
            continue
        ends = -1 - start, -1 - walk.places.index(there)
        if not any(Condition(NEIGHBOUR, terms) in walk.conditions for terms in (ends, ends[::-1])):
            walk.conditions.append(Condition(NEIGHBOUR, ends))


def _come_to(walk: Walk, point: int) -> None:
    walk.places.append(point)
    walk.conditions.append(Condition(COLOUR, (-len(walk.places), COLOURS.index(walk.board.colours[point]))))


def facts_of(state: GoBoard) -> Iterator[tuple[int, Row]]:
    for point in state.points():
        yield COLOUR, (point, COLOURS.index(state.colours[point]))
        yield from ((NEIGHBOUR, (point, other)) for other in state.neighbours(point))
    yield from ((LIBERTIES, stone) for stone in sorted(liberties_of(state).items()))


def updates(state: GoBoard, random: Random) -> Iterator[Update]:
    """Yield changes of one point's colour at a time, which accumulate."""
    colours = [COLOURS.index(colour) for colour in state.colours]
    for _ in range(UPDATES):
        point = random.randrange(POINTS)
        new = random.choice([c for c in range(len(COLOURS)) if c != colours[point]])
        yield Update((COLOUR, (point, colours[point])), (COLOUR, (point, new)))
        colours[point] = new


def many_rules(path: Path, number: int, seed: int) -> None:
    """Write `number` rules, one board's facts, and the changes of 200 points."""
    random = Random(seed)
    state = board(random)
    changes = list(updates(state, random))
    predicates = [Predicate("colour", 2), Predicate("neighbour", 2), Predicate("liberties", 2)]
    first = len(predicates)
    predicates += [Predicate(f"match_{width}", width + 1) for width in range(1, MOST_VARIABLES + 1)]
    clauses = (clause_of(rule, body, first) for rule, body in enumerate(rules(random, number)))
    write(path, predicates, facts_of(state), clauses, range(first, len(predicates)), changes)


def clause_of(rule: int, body: tuple[Condition, ...], first: int) -> Clause:
    """Return `match_k(rule, v1, …, vk)` for the variables of a body; `first` is the number of `match_1`."""
    width = max(-term for condition in body for term in condition.terms if term < 0)
    return Clause(Condition(first + width - 1, (rule, *(-1 - v for v in range(width)))), body)
