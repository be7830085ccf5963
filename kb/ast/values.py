"""The values of games (Cazenave 1996, section 2): definition, combination and regression.

A value of J is the knowledge about a game for the friend: G (won), P (lost) or I (unknown). A value of J1 is
a pair of such letters: the friend plays first, the opponent plays first. A value of J2 is a pair of pairs:
after a first move of the friend, after a first move of the opponent. A value is written by its letters: `G`,
`GI`, `GIII`.

Every letter answers whether the friend can win in an order of play. J1 has the orders friend, opponent. J2
has the orders friend-friend, friend-opponent, opponent-friend, opponent-opponent. After these moves the sides
alternate. So no letter depends on another, and two letters may have different moves as their reasons.
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
    """Two values of one game that cannot both be right: one has G where the other has P."""

    def __init__(self, first: Value, second: Value) -> None:
        super().__init__(f"`{first}` and `{second}` contradict each other")
        self.first = first
        self.second = second


def is_value(word: str) -> bool:
    """Return whether a word is a value of a game."""
    return len(word) in (1, 2, 4) and set(word) <= set(J)


def value(word: str) -> Value:
    """Return the value for a word. Raises ValueError if it is not a value."""
    if not is_value(word):
        raise ValueError(f"`{word}` is no value of a game: write one, two or four of the letters G, I and P")
    return Value(word)


# Levels: J, J1 and J2


def level(of: Value) -> Level:
    """Return the level of a value: J, J1 or J2."""
    return 0 if len(of) == 1 else 1 if len(of) == 2 else 2


def fall(of: Value) -> Value:
    """Return the information of a value one level below.

    J2 falls to J1 by (ab)(cd) ↦ bc, because the sides alternate. J1 falls to J if both letters agree. A value
    of J stays.
    """
    if level(of) == 2:
        return Value(of[1:3])
    return of if level(of) == 0 else common(Value(of[0]), Value(of[1]))


def rise(of: Value) -> Value:
    """Return the same information one level above: x ↦ xx, xy ↦ (Ix)(yI). A value of J2 stays.

    A game that is won for either player to move need not be won if a side moves twice, so two letters stay
    unknown.
    """
    if level(of) == 2:
        return of
    return Value(of * 2) if level(of) == 0 else Value(f"I{of}I")


def at_level(of: Value, target: Level) -> Value:
    """Return the information of a value at a level, by repeated falling or rising."""
    while level(of) != target:
        of = fall(of) if level(of) > target else rise(of)
    return of


# Information


def says_no_more(one: Value, other: Value) -> bool:
    """Return whether `other` has all the information of `one` (the order of information). I has no
    information.

    Values of different levels are compared at the higher one.
    """
    one, other = _alike(one, other)
    return all(a in ("I", b) for a, b in zip(one, other, strict=True))


def combine(*values: Value) -> Value:
    """Return the combined information of values of one game, at the highest of their levels; `I` for no
    values.

    Raises:
        ContradictionError: The values cannot all be right.
    """
    together = Value("I")
    for more in values:
        one, other = _alike(together, more)
        if any({a, b} == {"G", "P"} for a, b in zip(one, other, strict=True)):
            raise ContradictionError(*_first_conflict(values))
        together = Value("".join(b if a == "I" else a for a, b in zip(one, other, strict=True)))
    return together


def common(one: Value, other: Value) -> Value:
    """Return the common information of two values, which is certain if one of them is right."""
    one, other = _alike(one, other)
    return Value("".join(a if a == b else "I" for a, b in zip(one, other, strict=True)))


def _alike(one: Value, other: Value) -> tuple[Value, Value]:
    highest = max(level(one), level(other))
    return at_level(one, highest), at_level(other, highest)


def _first_conflict(values: tuple[Value, ...]) -> tuple[Value, Value]:
    """Return the first two values that contradict each other."""
    for i, other in enumerate(values):
        for one in values[:i]:
            if any({a, b} == {"G", "P"} for a, b in zip(*_alike(one, other), strict=True)):
                return one, other
    raise AssertionError("values contradict each other only in pairs")


# The two sides


_OTHER = {"G": "P", "P": "G", "I": "I"}


def negate(of: Value) -> Value:
    """Return the value for the opponent: exchange G with P, and the orders of play."""
    return Value("".join(_OTHER[letter] for letter in reversed(of)))


_CLASSES: dict[str, OutcomeClass] = {"GG": "positive", "PP": "negative", "PG": "zero", "GP": "fuzzy"}


def outcome_class(of: Value) -> OutcomeClass | None:
    """Return Conway's outcome class, with the friend as Left (Table I), or None if the value leaves it open.

    Left wins moving first (WL) if the first letter is G, and loses (LL) if it is P. Right wins moving first
    (WR) if the second letter is P, and loses (LR) if it is G.
    """
    return _CLASSES.get(at_level(of, 1))


def value_of_class(outcome: OutcomeClass) -> Value:
    """Return the value of J1 of an outcome class."""
    return next(Value(word) for word, name in _CLASSES.items() if name == outcome)


# Moves


def regress(after: Value, mover: Side) -> Value:
    """Return the value of a move before it is played, from the value of the game after it.

    A value of J gives one of J1, and a value of J1 gives one of J2. The half of the moving side is the value
    after the move, and the other half is unknown. A value of J2 has too much information and falls first. So
    a move of the friend to GI is GIII, a threat. A move to xG, won with the opponent to move, is (xG)(II),
    which falls to GI.
    """
    after = at_level(after, 1) if level(after) == 2 else after
    nothing = "I" * len(after)
    return Value(after + nothing if mover == "friend" else nothing + after)


def of_one_move(achieved: Value) -> Value:
    """Return the value of a game, from the value of one move. A side need not play a bad move.

    One winning move suffices for the friend, and a losing move costs nothing. The opponent's side is
    symmetric.
    """
    half = len(achieved) // 2
    if half == 0:
        raise ValueError(f"`{achieved}` says nothing of a move: what a move achieves is of J1 or J2")
    friend, opponent = achieved[:half], achieved[half:]
    return Value(friend.replace("P", "I") + opponent.replace("G", "I"))


def of_moves(after: Iterable[Value], mover: Side, *, complete: bool) -> Value:
    """Return the value of a game, from the values after the moves of one side.

    The friend wins if one move wins. The friend loses if every legal move is refuted, so the moves must be
    known to be `complete`. The opponent's side is symmetric.

    Raises:
        ValueError: There are no moves. The rules of the game decide the result for a side without a move.
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
