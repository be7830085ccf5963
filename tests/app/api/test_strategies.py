"""Strategies from Python."""

from __future__ import annotations

import pytest

import hornbook
from hornbook.planner.strategies.files import read_strategy
from oracles.gdl.own_sheets import SHEETS


@pytest.fixture(scope="module")
def nim() -> hornbook.Game:
    return hornbook.Game.read_kif(SHEETS["nim"])


@pytest.fixture(scope="module")
def late(nim):
    """Return a state that `second` has won, with `second` to move."""
    return frozenset({("has", "a", "0"), ("has", "b", "1"), ("has", "c", "2"), ("turn", "second")})


def test_a_strategy_says_what_to_do_in_each_state_that_can_arise(nim, late, tmp_path):
    found = hornbook.find_strategy(nim, "second", state=late)
    assert (found.role, found.value, found.bounds, found.initial) == ("second", 100, (100, 100), late)
    assert found.move(late) == ("leave", "c", "1")
    assert found.check() == ()
    state, now = late, found.move(late)
    while not nim.terminal(state):
        others = nim.legal(state)["first"]
        state = nim.next(state, {"first": others[0], "second": now})
        now = found.move(state)
    assert now is None
    assert nim.goal(state)["second"] == (100,)
    with pytest.raises(KeyError, match="does not arise"):
        found.move(nim.initial)
    assert found.to_svg().startswith("<svg")
    assert found.to_mermaid().startswith("flowchart")
    found.save(tmp_path / "s.jsonl")
    assert read_strategy(tmp_path / "s.jsonl") == found.graph
    found.save_page(tmp_path / "s.html")
    assert (tmp_path / "s.html").read_text(encoding="utf-8").endswith("</html>\n")


def test_none_and_not_decided(nim, late):
    with pytest.raises(
        hornbook.NoStrategyError, match="no strategy guarantees first more than 0: 0 at most"
    ) as none:
        hornbook.find_strategy(nim, "first", state=late)
    assert none.value.bounds == (0, 0)
    assert not isinstance(none.value, hornbook.NotDecidedError)
    with pytest.raises(
        hornbook.NotDecidedError, match="not decided what first can guarantee: from 0 to 100"
    ) as late_one:
        hornbook.find_strategy(nim, "first", at_least=100, limits=hornbook.Limits(nodes=10))
    assert late_one.value.bounds == (0, 100)


def test_a_game_for_one_needs_no_role():
    game = hornbook.Game.read_kif(SHEETS["lights"])
    found = hornbook.find_strategy(game, at_least=100)
    assert (found.value, found.check()) == (100, ())


@pytest.mark.parametrize(
    ("role", "at_least", "message"),
    [(None, None, "`role` is one of first, second, not None"), ("third", None, "not 'third'"),
     ("first", 0, "`at_least` is a goal from 1 on, not 0"), ("first", -1, "not -1")],
)  # fmt: skip
def test_what_cannot_be_queried(nim, role, at_least, message):
    with pytest.raises(ValueError, match=message):
        hornbook.find_strategy(nim, role, at_least=at_least)
