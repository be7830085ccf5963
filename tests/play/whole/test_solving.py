"""Tests of puzzle solving: paths get shorter with more nodes, and are shortest if there are enough nodes."""

from __future__ import annotations

import pytest

from hornbook.play.paths import native_of_one
from hornbook.play.whole.played import PlayedGame
from hornbook.play.whole.solving import NoWayError, PathSolver
from hornbook.theories.tiles.domain import DOMAIN

NATIVE = native_of_one(DOMAIN)


@pytest.mark.parametrize("slides", [2, 9, 31])
def test_the_way_is_a_shortest_one_where_nodes_are_left(slides):
    game = PlayedGame.start(NATIVE, DOMAIN)
    assert len(NATIVE.State(str(game.state)).ida_star("distance")["moves"]) == 31
    for move in PathSolver(NATIVE).think(game, {}).line[: 31 - slides]:
        game = game.after(move)
    found = PathSolver(NATIVE).think(game, {})
    assert (found.move, len(found.line), found.depth, found.value) == (found.line[0], slides, slides, -slides)
    for move in found.line:
        game = game.after(move)
    assert game.state.is_over


def test_more_nodes_find_shorter_ways_and_too_few_none():
    game = PlayedGame.start(NATIVE, DOMAIN, DOMAIN.beginnings()[1])
    lengths = []
    for nodes in (5_000, 50_000, 1_000_000):
        found = PathSolver(NATIVE).think(game, {"nodes": nodes})
        assert found.nodes < nodes + 10
        lengths.append(found.depth)
    assert lengths == sorted(set(lengths), reverse=True)
    with pytest.raises(NoWayError, match="no way to the end was found with 1,000 nodes"):
        PathSolver(NATIVE).think(game, {"nodes": 1_000})
