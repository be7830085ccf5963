"""Answers to problems in files: one line of JSON per problem."""

from __future__ import annotations

import json
from typing import Any

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.theories.go.problems.problem import CaptureProblem


def answer_line(
    problem: CaptureProblem,
    *,
    move: Atom | None,
    second_player_win: bool,
    rule: str | None,
    matched: int | None = None,
    value: str | None = None,
    saved_by: Atom | None = None,
    saving_rule: str | None = None,
    stopped: str | None = None,
) -> str:
    """Return the answer to a problem: the winning move, if any, and whether the block is captured
    even if saved first.

    If rules conclude that the block is saved, the `value` states it (GP, PP), and the line also
    has the owner's move and the rule; a pass is written `pass`. The key `stopped` names the bound
    that ended the search.
    """
    answer: dict[str, Any] = {"id": problem.id, "value": "unknown", "move": None, "rule": None}
    if move is not None:
        answer |= {
            "value": "GG" if second_player_win else "GI",
            "move": _letters(problem, move),
            "rule": rule,
        }
    if value is not None:
        answer["value"] = value
    if saving_rule is not None:
        if move is None and value == "PP":
            answer["rule"] = saving_rule
        saving = None if saved_by is None else _letters(problem, saved_by)
        answer |= {"saving_move": saving, "saving_rule": saving_rule}
    if matched is not None:
        answer["matched"] = matched
    if stopped is not None:
        answer["stopped"] = stopped
    return json.dumps(answer)


def _letters(problem: CaptureProblem, action: Atom) -> str:
    """Return a move in the letters of problems, or `pass`."""
    if action.predicate == "pass":
        return "pass"
    point = action.terms[-1]
    assert isinstance(point, Constant)
    return problem.letters(problem.board.point(str(point.value)))
