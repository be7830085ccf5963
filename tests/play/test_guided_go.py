"""Tests of Go searches guided by proved rules: where a conclusion applies, and its effect on the search."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.play.native import native_of
from hornbook.theories.go.domain import DOMAIN

NATIVE = native_of(DOMAIN)
BOARD = """to play: {}
. . . . . . .
. . . . . . .
. . . . . . .
. X . . . . .
X O X . . . .
X O . X . . .
. X . . . . .
"""
"""A board whose white block on b2 has one liberty, c2. A white stone there would be captured at once."""
LOST = "lost b2 on a2 a3 b1 b4 b2 b3 c1 c2 c3 d2"


def state(player: str, *moves: str):
    found = NATIVE.State(BOARD.format(player))
    for move in moves:
        found = found.after(move)
    return found


def guided(*conclusions: str, player: str = "black", uses: tuple[str, ...] = ("leaves",)):
    search = NATIVE.guided("deepening", leaves="leaves" in uses, order="order" in uses)
    search.know(state(player), conclusions)
    return search


def is_reported(search, found) -> bool:
    return search.evaluation(found) != found.evaluation


def test_a_lost_block_is_lost_wherever_nothing_of_its_ground_has_changed():
    search = guided(LOST)
    assert is_reported(search, state("white"))
    assert is_reported(search, state("white", "g7"))
    assert is_reported(search, state("white", "g7", "f6"))
    assert not is_reported(search, state("black", "c1"))


def test_a_reply_of_the_other_side_is_answered_as_long_as_it_is_one():
    search = guided(LOST)
    assert is_reported(search, state("white", "c2"))
    assert is_reported(search, state("white", "g7", "f6", "c1"))
    assert not is_reported(search, state("white", "c1", "g7"))
    assert is_reported(search, state("white", "c1", "g7", "f6"))  # the answer is still to come
    assert not is_reported(search, state("white", "c1", "g7", "c2"))


def test_a_first_move_makes_it_hold_whoever_moves():
    text = "to play: black\n. . . . .\n. . . . .\n. O . . .\n. . . . .\n. . . . .\n"
    started = NATIVE.State(text)
    search = NATIVE.guided("deepening", leaves=True, order=False)
    search.know(started, ["lost b3 by b4 on a3 b2 b3 b4 c3"])
    assert not is_reported(search, started)
    assert is_reported(search, started.after("b4"))
    assert is_reported(search, started.after("b4").after("e1"))
    assert is_reported(search, started.after("b4").after("c3"))
    assert not is_reported(search, started.after("b4").after("c3").after("e1"))
    assert not is_reported(search, started.after("c3"))


def test_a_search_that_orders_moves_decides():
    first = guided("lost b2 by c2 on c2", uses=("order",))
    found = first(state("black"), depth=1)
    assert found["move"] is not None


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "lost",
        "lost b2",
        "dead b2 on a1",
        "lost h8 on a1",
        "lost g7 on a1",
        "lost b2 by z9 on a1",
        "lost b2 on a99",
    ],
)
def test_what_is_no_conclusion_about_the_state_is_refused(wrong):
    with pytest.raises(ValueError, match=r"block|point|stone|missing"):
        guided(wrong)


def test_what_is_known_already_is_known_once_and_what_is_far_is_forgotten():
    search = guided(LOST, LOST)
    assert search.known == 1
    search.know(NATIVE.State(DOMAIN.beginning(7)), [])
    assert search.known == 0


def worth(search, found, depth: int) -> int:
    """Return the exact value for the side to move at a given depth, with leaves evaluated separately."""
    if depth == 0 or found.is_over:
        return search.evaluation(found)
    return max(-worth(search, found.after(move), depth - 1) for move in found.moves())


@pytest.mark.parametrize(
    ("player", "moves"),
    [("white", ()), ("black", ()), ("black", ("c1",)), ("white", ("c1", "g7")), ("white", ("c2",))],
)
def test_what_a_search_follows_along_its_lines_is_what_leaves_show_by_themselves(player, moves):
    search = guided(LOST, "lost b2 by c2 on c2", "safe b1 on a1 c1", player=player)
    started = state(player, *moves)
    assert search(started, depth=2)["value"] == worth(search, started, 2)


def test_a_search_that_is_reported_nothing_is_the_plain_one():
    plain, random, played = NATIVE.search("deepening", {}), Random(5), 0
    while played < 12:
        found = NATIVE.State(DOMAIN.beginning(7))
        for _ in range(random.randrange(40)):
            found = found if found.is_over else found.after(random.choice(found.moves()))
        if found.is_over:
            continue
        only, next_to = plain(found, depth=2), guided()(found, depth=2)
        assert {**only, "seconds": 0} == {**next_to, "seconds": 0}
        played += 1
