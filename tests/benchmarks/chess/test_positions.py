"""Tests of the measured cost of a chess position: every line of the table, on a few problems."""

from __future__ import annotations

from random import Random

from benchmarks.chess.positions import costs
from hornbook.inputs.theories import load
from hornbook.theories.chess.domain import DOMAIN
from oracles.proofs.learned_rules import rule_of

CAPTURE = """cheaper:
  take(?x) by move(?f, ?x) is GI :-
    legal(?c, ?f, ?x), at(?f, ?c, ?j), opponent(?d, ?c), at(?x, ?d, ?k), worth(?j, ?m), worth(?k, ?n),
    ?m < ?n."""


def test_every_cost_is_measured():
    problems = list(DOMAIN.read_problems(DOMAIN.shipped()))[:5]
    rows = costs(load("chess"), [rule_of(CAPTURE)], problems[:2], problems[2:], Random(1))
    assert [name for name, _ in rows][1:3] == ["a position not seen before", "  of these, asked about take"]
    assert all(seconds > 0 for _, seconds in rows)
