"""Tests of the theory of Go against GNU Go.

Legal moves must be the same, also after a move, and colours must agree. The 400 positions come from
random games on 5×5 to 9×9, in chunks that run in parallel.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.theories.go import adapter
from hornbook.theories.go.states.board import GoBoard
from hornbook.theories.go.states.diagram import parse_diagram
from oracles.go.gnugo_client import PROGRAM, GnuGo
from oracles.go.go_positions import COLOURS, positions

THEORY = Path(adapter.__file__).parent / "go.horn"
CHUNKS, POSITIONS = 5, 80

with_gnugo = pytest.mark.skipif(PROGRAM is None, reason="GNU Go is not installed")


@pytest.fixture(scope="module")
def base():
    return KnowledgeBase(THEORY, derivations="none")


def pairs(points: dict[str, set[str]]) -> set[tuple[str, str]]:
    return {(colour, point) for colour in COLOURS for point in points[colour]}


def everywhere(board: GoBoard) -> set[tuple[str, str]]:
    return {(colour, board.name(point)) for colour in COLOURS for point in board.points()}


def only_by_capture(board: GoBoard, moves: set[tuple[str, str]]) -> bool:
    """Return whether one of these legal moves has only enemy stones on adjacent points."""
    return any(
        all(
            board.colours[next_to] not in ("empty", colour) for next_to in board.neighbours(board.point(name))
        )
        for colour, name in moves
    )


@pytest.mark.judges
@with_gnugo
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_legal_moves_are_exactly_those_of_gnugo(base, chunk):
    """The test covers both players. All other points must be derived as illegal."""
    kos = suicides = captures = 0
    with GnuGo() as engine:
        for position in positions(engine, chunk, POSITIONS):
            board = adapter.read(position.sgf, "a game")
            legal = pairs(position.legal)
            base.push()
            base.add(adapter.facts(board))
            assert set(base.query("legal(?c, ?p)")) == legal, position.sgf
            assert set(base.query("illegal(?c, ?p)")) == everywhere(board) - legal, position.sgf
            banned = set(base.query("ko(?c, ?p, banned)"))
            suicide = set(base.query("player(?c), illegal(?c, ?p), colour(?p, empty)")) - banned
            base.pop()
            kos += len(banned)
            suicides += bool(suicide)
            captures += only_by_capture(board, legal)
    # Check that the positions include difficult ones.
    assert (kos >= 1, suicides >= 30, captures >= 5) == (True, True, True), (kos, suicides, captures)


@pytest.mark.judges
@with_gnugo
def test_what_is_concluded_after_a_move_is_what_gnugo_says(base):
    """The test compares colours and legality after the move, including bans set and lifted by it."""
    generator = random.Random(7)
    concluded = 0
    with GnuGo() as engine:
        for position in positions(engine, 77, 80):
            board = adapter.read(position.sgf, "a game")
            player = position.to_play
            if not position.legal[player]:
                continue
            point = generator.choice(sorted(position.legal[player]))
            engine.play(player, point)
            stones = {point: colour for colour in COLOURS for point in engine.stones(colour)}
            legal = pairs({colour: engine.legal(colour) for colour in COLOURS})
            engine.ask("undo")
            base.push()
            base.add([*adapter.facts(board), GroundFact("move", (player, point))])
            after = set(base.query("after colour(?p, ?c)"))
            after_legal = set(base.query("after legal(?c, ?p)"))
            after_illegal = set(base.query("after illegal(?c, ?p)"))
            base.pop()
            names = {board.name(point) for point in board.points()}
            assert {(name, stones.get(name, "empty")) for name in names} == after
            assert after_legal == legal
            assert after_illegal == everywhere(board) - legal
            concluded += len(after_legal) + len(after_illegal)
    assert concluded > 1000


@pytest.mark.parametrize(
    ("diagram", "black", "white"),
    [
        (".", "", ""),
        (". .", "a1 b1", "a1 b1"),
        (". X .", "a1 c1", ""),
        (". X O .", "d1", "a1"),
        ("X .\n. X", "a1 b2", ""),
        ("to play: white\nko: a1\n. X O .", "d1", ""),
    ],
)
def test_boards_too_small_for_other_engines(base, diagram, black, white):
    board = parse_diagram(diagram)
    legal = pairs({"black": set(black.split()), "white": set(white.split())})
    base.push()
    base.add(adapter.facts(board))
    assert set(base.query("legal(?c, ?p)")) == legal
    assert set(base.query("illegal(?c, ?p)")) == everywhere(board) - legal
    base.pop()


def test_without_a_count_nothing_is_concluded_of_all_neighbours(base):
    """On a partly known board, missing facts must not be taken as absent."""
    facts = list(adapter.facts(parse_diagram(". X .\n. . .")))
    known = [fact for fact in facts if fact.relation != "neighbours"]
    base.push()
    base.add(known)
    assert set(base.query("illegal(white, ?p), colour(?p, empty)")) == set()
    base.pop()
