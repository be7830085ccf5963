"""Tests of learned Othello rules: they are proved from the theory, and correct in positions of other games."""

from __future__ import annotations

from functools import cache
from random import Random

import hornbook
from hornbook import cli
from hornbook.inputs.domains import domain_of
from hornbook.theories import search
from hornbook.theories.othello.adapter import read
from hornbook.theories.othello.domain import DOMAIN
from oracles.othello.steps import positions

LATER = "---------O---XOX---OOOXX--XXXX-X-XOO O"
"""A position with a threat: after c6, White takes the corner a6 whatever Black replies."""


@cache
def theory():
    return hornbook.read_theory("othello")


def test_a_corner_that_nothing_saves_is_learned_in_general(tmp_path):
    problems, rules = tmp_path / "corner.jsonl", tmp_path / "rules.horn"
    line = f'{{"id": "c", "state": "{LATER}", "game": "corner(white, a6)", "moves": 2, "winning": ["c6"]}}\n'
    problems.write_text(line, encoding="utf-8")
    assert cli.main(["learn", "othello", "--problems", str(problems), "--into", str(rules)]) == 0
    text = " ".join(rules.read_text(encoding="utf-8").split())
    assert (
        "corner(?c, ?k) is IG :- opponent(?c, ?d), prevented(?d, ?k), opponent(?d, ?c), anchored(?c, ?k, _), "
        "corner_square(?k), running(?d), board(_), mobile(?d)."
    ) in text
    learned = hornbook.read_rules(rules, theory())
    output = 0
    for game in range(2):
        for state in positions(4, Random(game)):
            for answer in learned.match(state):
                output += 1
                assert search.is_true(DOMAIN, state, answer.conclusion.statement, 2)
    assert output > 5


def test_the_domain_knows_who_won():
    ended = read("XXXXXXXXXXXX---- O", "ended")
    known = {(g.predicate, str(g.terms[0].value)): DOMAIN.outcome(ended, g) for g in DOMAIN.games(ended)[:2]}
    assert known == {("win", "black"): True, ("wipe_out", "black"): True}
    assert domain_of(theory()) is DOMAIN
    corner = DOMAIN.games(ended)[-1]
    assert (corner.predicate, DOMAIN.outcome(ended, corner)) == ("corner", False)
