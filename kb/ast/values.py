"""The values of games (Cazenave 1996, section 2): what they are, what they say together, and how they are regressed.

A value of J is what is known of a game for the friend: G (won), P (lost) or I (unknown). A value of J1 is a
pair of such letters, one if the friend plays first and one if the opponent does. A value of J2 is a pair of
pairs: after a first move of the friend, after a first move of the opponent. It is written by its letters
alone: `G`, `GI`, `GIII`.

Every letter answers one question, whether the friend can win in an order of play: J1 asks of the orders
friend, opponent; J2 of the orders friend-friend, friend-opponent, opponent-friend, opponent-opponent. After
the order the sides take turns. So no letter depends on another, and two letters may be owed to two moves.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Literal, NewType

from hornbook.matcher.program.hornbook_error import HornbookError

Value = NewType("Value", str)
Side = Literal["friend", "opponent"]
OutcomeClass = Literal["zero", "positive", "negative", "fuzzy"]

J: tuple[Value, ...] = (Value("G"), Value("I"), Value("P"))
J1: tuple[Value, ...] = tuple(Value(x + y) for x, y in product(J, J))
J2: tuple[Value, ...] = tuple(Value(x + y) for x, y in product(J1, J1))

VALUES: tuple[Value, ...] = (*J, *J1, *J2)
"""Every constant of the sort `value`."""

Level = Literal[0, 1, 2]
"""0 for J, 1 for J1, 2 for J2."""


class ContradictionError(HornbookError, ValueError):
    """Two values of one game that cannot both be right: one says G where the other says P."""

    def __init__(self, first: Value, second: Value) -> None:
        super().__init__(f"`{first}` and `{second}` contradict each other")
        self.first = first
        self.second = second


def is_value(word: str) -> bool:
    """Whether a word is the value of a game."""
    return len(word) in (1, 2, 4) and set(word) <= set(J)


def value(word: str) -> Value:
    """The value that a word is. Raises ValueError where it is none."""
    if not is_value(word):
        raise ValueError(f"`{word}` is no value of a game: write one, two or four of the letters G, I and P")
    return Value(word)


# Levels: J, J1 and J2


def level(of: Value) -> Level:
    """Which of J, J1 and J2 a value is of."""
    return 0 if len(of) == 1 else 1 if len(of) == 2 else 2


def fall(of: Value) -> Value:
    """What a value says one level below: J2 falls to J1 by (ab)(cd) ↦ bc, where the sides take turns.

    J1 falls to J where both letters agree. A value of J stays.
    """
    if level(of) == 2:
        return Value(of[1:3])
    return of if level(of) == 0 else common(Value(of[0]), Value(of[1]))


def rise(of: Value) -> Value:
    """The same information one level above: x ↦ xx, xy ↦ (Ix)(yI). A value of J2 stays.

    What is won whoever moves need not be won for a side that moves twice, so two letters stay unknown.
    """
    if level(of) == 2:
        return of
    return Value(of * 2) if level(of) == 0 else Value(f"I{of}I")


def at_level(of: Value, wanted: Level) -> Value:
    """What a value says at a level: it falls or rises until it is there."""
    while level(of) != wanted:
        of = fall(of) if level(of) > wanted else rise(of)
    return of


# Information


def says_no_more(one: Value, other: Value) -> bool:
    """The order of information: whether `other` says all that `one` says. I says nothing.

    Values of different levels are compared at the higher one.
    """
    one, other = _alike(one, other)
    return all(a in ("I", b) for a, b in zip(one, other, strict=True))


def combine(*values: Value) -> Value:
    """What values of one game say together, at the highest of their levels; `I` where there are none.

    Raises ContradictionError where they cannot all be right.
    """
    together = Value("I")
    for more in values:
        one, other = _alike(together, more)
        if any({a, b} == {"G", "P"} for a, b in zip(one, other, strict=True)):
            raise ContradictionError(*_first_conflict(values))
        together = Value("".join(b if a == "I" else a for a, b in zip(one, other, strict=True)))
    return together


def common(one: Value, other: Value) -> Value:
    """What two values both say: all that is known where one of them is right, and nobody knows which."""
    one, other = _alike(one, other)
    return Value("".join(a if a == b else "I" for a, b in zip(one, other, strict=True)))


def _alike(one: Value, other: Value) -> tuple[Value, Value]:
    highest = max(level(one), level(other))
    return at_level(one, highest), at_level(other, highest)


def _first_conflict(values: tuple[Value, ...]) -> tuple[Value, Value]:
    """The first two values that contradict each other."""
    for i, other in enumerate(values):
        for one in values[:i]:
            if any({a, b} == {"G", "P"} for a, b in zip(*_alike(one, other), strict=True)):
                return one, other
    raise AssertionError("values contradict each other only in pairs")


# The two sides


_OTHER = {"G": "P", "P": "G", "I": "I"}


def negate(of: Value) -> Value:
    """The value for the opponent: friend and opponent change places, so G with P and who plays first."""
    return Value("".join(_OTHER[letter] for letter in reversed(of)))


_CLASSES: dict[str, OutcomeClass] = {"GG": "positive", "PP": "negative", "PG": "zero", "GP": "fuzzy"}


def outcome_class(of: Value) -> OutcomeClass | None:
    """Conway's outcome class, with the friend for Left (Table I); None where the value leaves it open.

    Left wins when he begins (WL) where the first letter is G, loses (LL) where it is P; Right wins when he
    begins (WR) where the second letter is P, loses (LR) where it is G.
    """
    return _CLASSES.get(at_level(of, 1))


def value_of_class(outcome: OutcomeClass) -> Value:
    """The value of J1 of an outcome class."""
    return next(Value(word) for word, name in _CLASSES.items() if name == outcome)


# Moves


def regress(after: Value, mover: Side) -> Value:
    """What a move achieves, said before it, from the value of the game after it.

    x of J gives a value of J1, xy of J1 one of J2: the half of the side that moves is the value after, and
    nothing is said of the other half. A value of J2 says more than a value before can hold, and falls first.
    So after a move of the friend to GI, that move is GIII, a threat; after one to xG, won though the opponent
    is to move, it is (xG)(II), which falls to GI.
    """
    after = at_level(after, 1) if level(after) == 2 else after
    nothing = "I" * len(after)
    return Value(after + nothing if mover == "friend" else nothing + after)


def of_one_move(achieved: Value) -> Value:
    """What the game is, from what one move of it achieves: a side need not play a move that is bad for it.

    One move that wins is enough for the friend and one that loses nothing to him; it mirrors for the opponent.
    """
    half = len(achieved) // 2
    if half == 0:
        raise ValueError(f"`{achieved}` says nothing of a move: what a move achieves is of J1 or J2")
    friend, opponent = achieved[:half], achieved[half:]
    return Value(friend.replace("P", "I") + opponent.replace("G", "I"))


def of_moves(after: Iterable[Value], mover: Side, *, complete: bool) -> Value:
    """What the game is, from the values after moves of one side.

    The friend wins by one move that does; he loses where every legal move is refuted, so only where the moves
    are known to be `complete`. It mirrors for the opponent. Raises ValueError where there are no moves: what a
    side without a move has reached is for the rules of the game to say.
    """
    known = [at_level(v, 1) if level(v) == 2 else v for v in after]
    if not known:
        raise ValueError("no move is known: a game without a legal move has the value that its rules declare")
    highest = max(map(level, known))
    reached = [at_level(v, highest) for v in known]
    good, bad = ("G", "P") if mover == "friend" else ("P", "G")
    best = "".join(
        good if good in letters else bad if complete and set(letters) == {bad} else "I"
        for letters in zip(*reached, strict=True)
    )
    return regress(Value(best), mover)
