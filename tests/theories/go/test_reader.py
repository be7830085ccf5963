"""Tests of the reader against an exhaustive version, and against itself without pruning."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from hornbook.theories.go import reader
from hornbook.theories.go.reader import CaptureSearch, IllegalGoMoveError, TooManyNodes
from hornbook.theories.go.states.board import BoardError, Colour, GoBoard
from hornbook.theories.go.states.diagram import parse_diagram
from oracles.go import capture_twin
from oracles.go.capture_twin import Twin, random_position

COLOURS: dict[str, Colour] = {"X": "black", "O": "white", ".": "empty"}
PLAYERS = {"X": "black", "O": "white"}
IGNORED = {"kept": "", "attacker ignores": "attacker", "defender ignores": "defender"}


def board_of(text: str, width: int, ko: int | None) -> GoBoard:
    return GoBoard(len(text) // width, width, tuple(COLOURS[letter] for letter in text), ko)


def targets(random: Random, text: str, width: int, most: int) -> list[int]:
    """Return some stones of blocks with few liberties."""
    stones = [point for point in range(len(text)) if text[point] != "."]
    weak = [point for point in stones if len(capture_twin.block(text, width, point)[1]) <= 3]
    return random.sample(weak, min(most, len(weak)))


def positions(seed: int, count: int, sides: tuple[tuple[int, int], ...]) -> Any:
    random = Random(seed)
    for _ in range(count):
        rows, width = random.choice(sides)
        text, ko, _ = random_position(random, rows, width, random.randint(4, 2 * rows * width))
        yield random, text, width, ko


@pytest.mark.parametrize("seed", range(4))
def test_moves_are_those_of_the_twin(seed):
    seen = set()
    for _, text, width, ko in positions(seed, 100, ((1, 4), (3, 3), (4, 5), (5, 5))):
        board = board_of(text, width, ko)
        for letter, player in PLAYERS.items():
            forbidden = ko if ko is not None and board.banned == player else None
            expected = {}
            for point in board.points():
                after = capture_twin.play(text, width, forbidden, letter, point)
                if after is not None:
                    expected[point] = board_of(after[0], width, after[1])
            assert set(reader.legal_moves(board, player)) == expected.keys()
            for point, after in expected.items():
                made = reader.play(board, player, point)
                assert (made.colours, made.ko) == (after.colours, after.ko)
                seen.add("ko" if after.ko is not None else "capture" if text.count(letter) else "plain")
    assert "ko" in seen


@pytest.mark.deep
def test_captures_are_those_of_the_twin(times):
    answers = []
    for random, text, width, ko in positions(0, 24 * times, ((2, 3), (3, 3), (2, 5), (3, 4))):
        board = board_of(text, width, ko)
        for target in targets(random, text, width, 2):
            owner = text[target]
            for rule, side in IGNORED.items():
                attacker = capture_twin.OTHER[owner]
                ignores = {"": "", "attacker": attacker, "defender": owner}[side]
                twin = Twin(width, target, attacker, ignores)
                reading = CaptureSearch(board, target, ko=rule)
                bans = {letter: ko if board.banned == name else None for letter, name in PLAYERS.items()}
                for k in (1, 2, 3):
                    wins = twin.winning(text, bans[attacker], k)
                    assert reading.winning_moves(k) == wins, (text, width, ko, target, k, rule)
                    assert reading.captured_within(k) == bool(wins)
                    saves = twin.saving(text, bans[owner], k)
                    assert reading.saving_moves(k) == saves, (text, width, ko, target, k, rule)
                    lost = twin.defend(text, bans[owner], k)
                    assert reading.captured_within(k, reading.defender) == lost
                    answers.append((bool(wins), lost))
    assert set(answers) == {(True, True), (True, False), (False, False)}


@pytest.mark.parametrize("seed", range(4))
def test_what_is_skipped_changes_nothing(seed):
    """Compare zones and other pruning with trying every point, on boards too large for exhaustive search."""
    for random, text, width, ko in positions(100 + seed, 12, ((4, 5), (5, 5), (6, 6))):
        board = board_of(text, width, ko)
        for target in targets(random, text, width, 1):
            fast, slow = CaptureSearch(board, target), CaptureSearch(board, target, everywhere=True)
            for k in (1, 2, 3):
                assert fast.winning_moves(k) == slow.winning_moves(k), (text, width, ko, target, k)
                assert fast.saving_moves(k) == slow.saving_moves(k), (text, width, ko, target, k)


@pytest.mark.parametrize(
    ("text", "width", "ko", "target"),
    [
        ("OXX..O.XOOX.", 4, 4, 0),
        ("XXOX.O.OOXOO.OXOOOO.", 5, 4, 3),
        ("OOO.O.O..XOXXXO.OXX.", 5, 15, 16),
        ("OOX..OX.XOXX.XO.", 4, None, 0),
    ],
)
def test_where_every_move_of_the_attacker_hurts_itself(text, width, ko, target):
    """A pass would capture, but no move does, so the proof of the pass gives no information about moves."""
    board = board_of(text, width, ko)
    fast, slow = CaptureSearch(board, target), CaptureSearch(board, target, everywhere=True)
    for k in (3, 4):
        assert fast.winning_moves(k) == slow.winning_moves(k)
        assert fast.saving_moves(k) == slow.saving_moves(k)


LADDER = """
7 . . . . . . .
6 . . . . . . .
5 . . . . . . .
4 . . O O . . .
3 . . O X . . .
2 . . . O O . .
1 . . . . . . .
"""


def test_a_ladder_runs_to_the_edge_and_is_no_ladder_with_a_breaker_in_its_way():
    board = parse_diagram(LADDER)
    target = board.point("d3")
    assert reader.captured_within(board, target, 1)
    assert reader.captured_within(board, target, 5, first="black")
    assert not reader.captured_within(board, target, 4, first="black")
    broken = parse_diagram(LADDER.replace("5 . . . . . . .", "5 . . . . X . ."))
    assert not reader.captured_within(broken, target, 5, first="black")


def test_depth_counts_the_plies_of_both():
    board = parse_diagram(LADDER)
    target = board.point("d3")
    assert reader.depth(board, target, 5) == 1
    assert reader.depth(board, target, 5, first="white") == 1
    assert reader.depth(board, target, 5, first="black") == 2 * 5
    assert reader.depth(board, target, 4, first="black") is None
    assert reader.moves_needed(board, target, 5, first="black") == 5


def test_the_best_move_is_of_least_depth_and_near():
    board = parse_diagram(LADDER)
    target = board.point("d3")
    assert reader.best_move(board, target, 5) == board.point("e3")
    assert len(reader.winning_moves(board, target, 5)) == 14
    assert reader.best_move(parse_diagram("3 . . .\n2 . X .\n1 . . ."), 4, 3) is None


def test_a_game_is_replayed_with_its_captures_and_its_ko():
    board = parse_diagram("4 . X O .\n3 X . X O\n2 . X O .\n1 . . . .")
    after = reader.play(board, "white", board.point("b3"))
    assert after.colours[board.point("c3")] == "empty"
    assert after.ko == board.point("c3")
    assert after.to_play == "black"
    with pytest.raises(IllegalGoMoveError, match=r"^black cannot play at c3: ko$"):
        reader.play(after, "black", board.point("c3"))
    again = reader.replay(
        after, [("black", board.point("a1")), ("white", None), ("black", board.point("c3"))]
    )
    assert again.ko == board.point("b3")


def test_moves_that_are_illegal_say_why():
    board = parse_diagram("2 . X .\n1 X . .")
    with pytest.raises(IllegalGoMoveError, match=r"^white cannot play at a2: suicide$"):
        reader.play(board, "white", board.point("a2"))
    with pytest.raises(IllegalGoMoveError, match=r"^white cannot play at a1: a stone is there$"):
        reader.play(board, "white", board.point("a1"))
    with pytest.raises(IllegalGoMoveError, match=r"^point 6 is not on the board$"):
        reader.play(board, "white", 6)


def test_what_cannot_be_read_is_refused():
    with pytest.raises(BoardError, match="no stone on the target"):
        CaptureSearch(parse_diagram("2 . X\n1 . ."), 0)
    with pytest.raises(BoardError, match="up to 19"):
        CaptureSearch(GoBoard(20, 1, ("black",) + ("empty",) * 19), 0)
    board = GoBoard(19, 19, tuple("white" if point == 180 else "empty" for point in range(361)))
    with pytest.raises(TooManyNodes):
        reader.captured_within(board, 180, 6, nodes=100)
    assert not reader.captured_within(board, 180, 3)


def test_only_one_side_ignores_a_ko():
    """Black captures the ko at once; White recaptures only if White ignores bans."""
    board = parse_diagram("ko: c3\n4 . X O .\n3 X O . O\n2 . X O .\n1 . . . .")
    target = board.point("b3")
    assert not reader.captured_within(board, target, 1)
    assert reader.captured_within(board, target, 1, ko="attacker ignores")
    assert not reader.captured_within(board, target, 1, ko="defender ignores")
    assert CaptureSearch(board, target).captured_within(2) == CaptureSearch(
        board, target, everywhere=True
    ).captured_within(2)
    assert CaptureSearch(board, target).bans_met == 0


def test_the_fast_alpha_beta_finds_a_ladder_with_far_fewer_nodes():
    board = parse_diagram("5 . . . . .\n4 . O O . .\n3 . O X . .\n2 . . . O .\n1 . . . . .")
    target = board.point("c3")
    reading = CaptureSearch(board, target)
    found = reader.alpha_beta(board, target, 5)
    assert found.moves_needed == reading.moves_needed(5)
    assert found.move in reading.winning_moves(5)
    assert found.nodes < reading.nodes_read
    only = parse_diagram("3 . . .\n2 . X .\n1 . . .")
    assert reader.alpha_beta(only, 4, 3) == reader.Selective(None, None, 0)


@pytest.mark.parametrize("seed", range(2))
def test_the_fast_alpha_beta_is_nearly_always_right(seed):
    agreed, queried = 0, 0
    for random, text, width, ko in positions(200 + seed, 40, ((5, 5), (6, 6))):
        board = board_of(text, width, ko)
        for target in targets(random, text, width, 2):
            queried += 1
            found = reader.alpha_beta(board, target, 3)
            agreed += found.moves_needed == CaptureSearch(board, target).moves_needed(3)
    assert agreed > 0.95 * queried > 30
