"""`hornbook.plan`: the results of plans in a position, in every format of the position."""

from __future__ import annotations

import pytest

import hornbook
from hornbook.api import planning
from hornbook.games.planning import planning_knowledge

ONLY = "7k/8/8/3P4/8/8/8/K7 w - - 40 60"


@pytest.fixture(scope="module")
def theory():
    return hornbook.read_theory("chess")


@pytest.fixture(scope="module", autouse=True)
def once(theory):
    """Read the planning knowledge once for all calls."""
    known = planning_knowledge(theory)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planning, "planning_knowledge", lambda *_: known)
        yield


def test_a_position_may_be_a_text_a_state_or_a_file(theory, tmp_path):
    file = tmp_path / "alone.fen"
    file.write_text(ONLY, encoding="utf-8")
    for position in (
        ONLY,
        file,
        hornbook.read_state(theory, ONLY),
        hornbook.read_state(theory, ONLY).value,
    ):
        found = hornbook.plan(theory, position)
        assert (found.verdict, found.player, found.move, found.stopped) == ("won", "white", "d5d6", None)
    assert str(found).startswith("won: proved by the rules of `endings` that white wins")
    assert "1. d6" in found.variations()
    assert "white wins" in found.to_svg()


def test_who_does_not_play_is_refused(theory):
    with pytest.raises(ValueError, match="`red` does not play"):
        hornbook.plan(theory, ONLY, "red")


def test_several_positions_are_refused(theory, tmp_path):
    file = tmp_path / "two.epd"
    file.write_text(f"{ONLY}\n{ONLY}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="2 positions"):
        hornbook.plan(theory, file)
