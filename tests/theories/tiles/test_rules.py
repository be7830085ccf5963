"""Tests of learned sliding-tiles rules: they are proved from the theory, and correct in other positions."""

from __future__ import annotations

from functools import cache
from itertools import islice

import hornbook
from hornbook import cli
from hornbook.inputs.domains import domain_of
from hornbook.theories.tiles.adapter import read
from hornbook.theories.tiles.domain import DOMAIN
from oracles.tiles.layers import layers


@cache
def theory():
    return hornbook.read_theory("tiles")


def test_rules_are_learned_in_general_and_are_right(tmp_path):
    rules = tmp_path / "rules.horn"
    arguments = ["--problems", str(DOMAIN.shipped()), "--into", str(rules)]
    assert cli.main(["learn", "tiles", *arguments]) == 0
    learned = hornbook.read_rules(rules, theory())
    assert len(learned) == 10
    said = 0
    for layer in islice(layers(3, 3), 1, 6):
        for state in layer[:6]:
            found = list(learned.match(state))
            said += len(found)
            for answer in found:
                assert DOMAIN.judge(state, answer.conclusion.statement, 3, lambda *_: ())
    assert said > 50
    for depth, layer in enumerate(islice(layers(2, 3), 5)):
        games = {answer.conclusion.statement.game.predicate for answer in learned.match(layer[-1])}
        assert ("solved" in games) == (0 < depth <= 3)


def test_the_domain_knows_what_is_reached():
    end = read("0 1 2 / 3 4 5", "end")
    assert {DOMAIN.outcome(end, game) for game in DOMAIN.games(end)} == {True}
    start = read("3 1 2 / 4 0 5", "start")
    assert [DOMAIN.outcome(start, game) for game in DOMAIN.games(start)] == [
        None,
        True,
        True,
        None,
        None,
        True,
    ]
    no_tile = DOMAIN.games(DOMAIN.starts()[1])[-1]
    assert DOMAIN.outcome(start, no_tile) is False
    assert domain_of(theory()) is DOMAIN
