"""Tests of learned checkers rules: they are proved from the theory, and correct in positions of other games."""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random

import hornbook
from hornbook import cli
from hornbook.inputs.domains import domain_of
from hornbook.kb.ast.terms import Atom
from hornbook.theories import search
from hornbook.theories.checkers.adapter import read
from hornbook.theories.checkers.domain import DOMAIN
from hornbook.theories.checkers.states.rules import jumps
from oracles.checkers.steps import played

SACRIFICE = "B:W5,20,22,23,32:B1,2,4,7,11,12,15"
"""A position with a sacrifice by 11-16: White's capture is forced, and then Black captures a man."""


@cache
def theory():
    return hornbook.read_theory("checkers")


def test_that_a_capture_is_forced_is_learned_in_general(tmp_path):
    problems, rules = tmp_path / "give.jsonl", tmp_path / "rules.horn"
    line = f'{{"id": "g", "state": "{SACRIFICE}", "game": "reduce(black, 4)", "moves": 2, "winning": ["11-16"]}}\n'
    problems.write_text(line, encoding="utf-8")
    assert cli.main(["learn", "checkers", "--problems", str(problems), "--into", str(rules)]) == 0
    text = " ".join(rules.read_text(encoding="utf-8").split())
    assert (
        "reduce(?c, ?n) is IG :- opponent(?c, ?d), no_jump_by_no_jump_to_other_squares(?d, ?s, ?u)," in text
    )
    learned = hornbook.read_rules(rules, theory())
    assert not any(rule.refusal for rule in learned)  # as they are read again
    (forced,) = (rule for rule in learned.certified if rule.name == "reduce_is_ig_1")
    needed = {condition.relation for condition in forced.body if isinstance(condition, Atom)}
    assert {"opponent", "to_move", "leap", "sole", "running"} <= needed
    output = 0
    captures = (state for seed in range(4) for state in played(Random(seed)) if jumps(state))
    for state in islice(captures, 0, 60, 8):
        for answer in learned.match(state):
            output += 1
            assert search.is_true(DOMAIN, state, answer.conclusion.statement, 2)
    assert output > 5


def test_the_domain_knows_who_won():
    ended = read("W:W21:B17,14", "ended")
    known = {str(game.predicate): DOMAIN.outcome(ended, game) for game in DOMAIN.games(ended)[:2]}
    assert known == {"win": True, "crown": False}
    assert domain_of(theory()) is DOMAIN
    won = read("B:WK1:B5", "a king")
    assert [(g.predicate, DOMAIN.outcome(won, g)) for g in DOMAIN.games(won)][-2:] == [
        ("win", None),
        ("reduce", None),
    ]
    reached = DOMAIN.games(read("B:WK1:B5,6", "two"))[-1]
    assert (reached.terms[1].value, DOMAIN.outcome(won, reached)) == (0, None)
