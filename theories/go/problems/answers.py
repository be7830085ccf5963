"""Answers to problems as a file has them: one line of JSON a problem."""

from __future__ import annotations

import json
from typing import Any

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.theories.go.problems.problem import Problem


def answer_line(
    problem: Problem,
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
    """What was concluded of a problem: the winning move, if one was, and whether it is captured anyway.

    Where rules say that the block is saved, the `value` says so (GP, PP), and the line has the owner's move and the
    rule besides; a pass is told by its name. `stopped` says which bound kept the rest from being known.
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


def _letters(problem: Problem, action: Atom) -> str:
    """A move in the letters of problems; `pass` where nothing is played."""
    if action.predicate == "pass":
        return "pass"
    point = action.terms[-1]
    assert isinstance(point, Constant)
    return problem.letters(problem.board.point(str(point.value)))
