"""King and pawn against king by files and ranks: common parts of the proofs of draws and wins.

The proofs of draws are in `lone_king_proofs`, those of wins in `escorted_proofs`. This module has the men and
their coordinates, the words that distinguish points, the rules of the theory `lone_king` with their
conditions, and the evaluation of conditions at points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from hornbook.compiler.witness.entailment import Arithmetic
from hornbook.kb.ast.terms import Comparison, Constant, Expression, Tense, Term, Variable
from hornbook.kb.parse.syntax import parse
from oracles.chess.lone_king import Mask, Points

COORDINATES = "prxyuv"
LEAST, MOST = dict.fromkeys(COORDINATES, 1) | {"r": 2}, dict.fromkeys(COORDINATES, 8) | {"r": 7}
MEN = {"pawn": "pr", "escort": "xy", "alone": "uv"}
WORDS = {
    "file_of_pawn": "p",
    "rank_of_pawn": "r",
    "file_of_escort": "x",
    "rank_of_escort": "y",
    "file_of_alone": "u",
    "rank_of_alone": "v",
    "escort_east_of_pawn": "xp",
    "escort_ahead_of_pawn": "yr",
    "alone_east_of_pawn": "up",
    "alone_ahead_of_pawn": "vr",
    "escort_east_of_alone": "xu",
    "escort_ahead_of_alone": "yv",
}
"""The words that distinguish points: a coordinate, or the first of two coordinates minus the second."""

ON_BOARD = [f"?{c} {sign} {end[c]}" for c in COORDINATES for sign, end in ((">=", LEAST), ("<=", MOST))]

APART = {
    "apart_in_the_east": "{u} - ?x >= 2",
    "apart_in_the_west": "?x - {u} >= 2",
    "apart_ahead": "{v} - ?y >= 2",
    "apart_behind": "?y - {v} >= 2",
}
OFF = {
    "off_in_the_east": "{u} - ?p >= 2",
    "off_in_the_west": "?p - {u} >= 2",
    "off_ahead": "{v} - ?r >= 2",
    "off_behind": "?r - {v} >= 1",
    "before_the_pawn": "{u} = ?p, {v} - ?r >= 1",
    "beside_the_pawn_in_the_east": "{v} = ?r, {u} - ?p >= 1",
    "beside_the_pawn_in_the_west": "{v} = ?r, ?p - {u} >= 1",
}
"""The theory's rules for moves of the lone king to a file and rank, with their conditions."""
BARRED = {
    "barred_in_the_west": "?u + {a} < 1",
    "barred_in_the_east": "?u + {a} > 8",
    "barred_below": "?v + {b} < 1",
    "barred_above": "?v + {b} > 8",
    "barred_by_the_escort": "abs(?u + {a} - ?x) <= 1, abs(?v + {b} - ?y) <= 1",
    "barred_by_the_pawn": "abs(?u + {a} - ?p) = 1, ?v + {b} = ?r + 1",
}
FLEEING = ("the_king_alone_flees", "from_an_escort_that_stays", "and_a_pawn_that_stays")
GOING = ("the_escort_goes", "the_pawn_stays", "the_other_king_stays")
PUSHING = ("the_pawn_is_pushed", "the_escort_stays", "the_other_king_stays_then")
"""The rules that conclude the positions of the men after an action of each kind."""

Facts = Mapping[tuple[str, Tense | None], Sequence[Term]]
"""The positions of the men in the terms of a proof: for each predicate at a moment, the terms of its only
fact.
"""


class UnansweredMoveError(Exception):
    """No answer suits some move, or the checker rejects a proof; the message names the place."""


@cache
def conditions(text: str) -> tuple[Comparison, ...]:
    """Return the comparisons of a text."""
    return tuple(c for c in parse(f"c: q :- {text}.").clauses[0].body if isinstance(c, Comparison))


def where(comparisons: Sequence[Comparison], points: Points, **others: int | NDArray[np.int64]) -> Mask:
    """Return a mask of the points that satisfy comparisons of their coordinates and of other variables."""
    known = {**dict(zip(COORDINATES, points.astype(int), strict=True)), **others}
    satisfied = np.ones(points.shape[1], dtype=bool)
    for each in comparisons:
        left, right = _value(each.left, known), _value(each.right, known)
        satisfied &= {
            "=": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater,
            ">=": np.greater_equal,
        }[each.operator](left, right)  # fmt: skip
    return satisfied


def _value(expression: Expression, known: Mapping[str, object]):  # type: ignore[no-untyped-def]
    if isinstance(expression, Variable):
        return known[expression.name]
    if isinstance(expression, Constant):
        return expression.value
    operands = [_value(each, known) for each in expression.operands]
    match expression.operator:
        case "abs":
            return abs(operands[0])
        case "+":
            return operands[0] + operands[1]
        case "-":
            return operands[0] - operands[1] if len(operands) > 1 else -operands[0]
    raise ValueError(expression.operator)


def needed(comparisons: Sequence[str]) -> list[str]:
    """Return the comparisons without those that the others entail."""
    left = dict.fromkeys(comparisons)
    for each in list(left):
        others = [c for text in left if text != each for c in conditions(text)]
        if not each.startswith(tuple(f"?{name} =" for name in "ewns")) and all(
            Arithmetic(others).entails(c) for c in conditions(each)
        ):
            del left[each]
    return list(left)


def differences(points: Points) -> Points:
    """Return the values of all words at points, one row for each word."""
    row = dict(zip(COORDINATES, points, strict=True))
    return np.stack([row[of[0]] - row[of[1]] if len(of) > 1 else row[of] for of in WORDS.values()])


def fact_of(man: str) -> str:
    """Return the fact of a man's position as text."""
    return f"{man}({', '.join(f'?{c}' for c in MEN[man])})"


def men_at(moment: Tense) -> dict[tuple[str, Tense | None], Sequence[Term]]:
    """Return the facts of all three men at a moment, with the variables of rules."""
    return {(man, moment): tuple(map(Variable, of)) for man, of in MEN.items()}


def best_cut(suiting: Mask, words: Points) -> tuple[int, int] | None:
    """Return the word and the limit of the best split, or None for equal points.

    The best split maximises the number of points on either side that share a suitable answer. A row of
    `suiting` marks the answers that suit a point.
    """
    most = suiting[:, np.argsort(-suiting.sum(0), kind="stable")[:80]].astype(np.int32)
    best: tuple[int, int, int] | None = None
    for word, values in enumerate(words):
        limits, starts = np.unique(np.sort(values), return_index=True)
        if len(limits) > 1:
            sums = np.add.reduceat(most[np.argsort(values, kind="stable")], starts, axis=0).cumsum(0)
            suited = sums[:-1].max(1) + (sums[-1] - sums[:-1]).max(1)
            cut = int(suited.argmax())
            if best is None or suited[cut] > best[0]:
                best = int(suited[cut]), word, int(limits[cut])
    return None if best is None else best[1:]
