"""Answers to problems as a file has them: one line of JSON a problem."""

from __future__ import annotations

import json
from typing import Any

from kb.terms import Atom, Constant
from theories.go.problems.problem import Problem


def answer_line(
    problem: Problem, *, move: Atom | None, still_won: bool, rule: str | None, matched: int | None = None
) -> str:
    """What was concluded of a problem: the winning move, if one was, and whether it is captured anyway.

    Rules say what is captured, and never that something is not.
    """
    answer: dict[str, Any] = {"id": problem.id, "value": "unknown", "move": None, "rule": None}
    if move is not None:
        point = move.terms[-1]
        assert isinstance(point, Constant)
        letters = problem.letters(problem.board.point(str(point.value)))
        answer |= {"value": "GG" if still_won else "GI", "move": letters, "rule": rule}
    if matched is not None:
        answer["matched"] = matched
    return json.dumps(answer)
