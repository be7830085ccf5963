"""Tests of learned Abalone rules: they are proved from the theory, and correct in other positions."""

from __future__ import annotations

from random import Random

import hornbook
from hornbook import cli
from hornbook.theories import search
from hornbook.theories.abalone.domain import DOMAIN
from oracles.abalone.games import game


def test_the_last_push_is_learned_in_general(tmp_path):
    rules = tmp_path / "rules.horn"
    assert cli.main(["learn", "abalone", "--into", str(rules)]) == 0
    assert cli.main(["rules", "verify", str(rules), "--theory", "abalone"]) == 0
    learned = hornbook.read_rules(rules, hornbook.read_theory("abalone"))
    output = 0
    for seed in range(3):
        positions = list(game(Random(seed)))
        if DOMAIN.outcome(positions[-1], DOMAIN.games(positions[-1])[0]) is None:
            continue
        for answer in learned.match(positions[-2]):
            output += 1
            assert search.is_true(DOMAIN, positions[-2], answer.conclusion.statement, 1)
    assert output > 0
