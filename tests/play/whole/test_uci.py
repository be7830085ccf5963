"""Tests of the Universal Chess Interface as other programs use it."""

from __future__ import annotations

import time

import chess
import pytest

from hornbook.commands.games.whole.game import WholeGame, whole_game
from hornbook.play.whole.played import PlayedGame
from hornbook.play.whole.thinking import Thought
from hornbook.play.whole.uci_server import Reporter, UciServer

MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


@pytest.fixture(scope="module")
def known() -> WholeGame:
    return whole_game("chess")


def made(known: WholeGame):
    return lambda megabytes: known.player(megabytes=megabytes)


def talk(known: WholeGame, *lines: str) -> list[str]:
    found: list[str] = []
    UciServer(made(known), known.domain, "1.0", {"depth": 2}, found.append).serve(lines)
    return found


def best(output: list[str]) -> list[str]:
    return [line.split()[1] for line in output if line.startswith("bestmove")]


def test_it_says_who_it_is_and_is_ready(known):
    output = talk(known, "uci", "isready", "setoption name Hash value 16", "what is this", "", "quit", "uci")
    assert output[0].startswith("id name Hornbook")
    assert output.count("uciok") == 1
    assert output[-1] == "readyok"


@pytest.mark.parametrize("go", ["go", "go depth 3", "go nodes 500", "go movetime 30", "go wtime 600 btime 600 winc 10 binc 10",
                                "go wtime 900 btime 900 movestogo 10", "go wtime -5 btime -5"])  # fmt: skip
def test_moves_are_legal_however_time_is_given(known, go):
    board = chess.Board()
    board.push_uci("e2e4")
    (move,) = best(talk(known, "position startpos moves e2e4", go))
    assert chess.Move.from_uci(move) in board.legal_moves


def test_a_mate_is_found_and_promotions_are_written_as_others_do(known):
    assert best(talk(known, "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "go depth 2")) == ["a1a8"]
    assert best(talk(known, "position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1", "go depth 3")) == ["a7a8q"]


def test_where_the_game_is_over_there_is_no_move(known):
    assert best(talk(known, f"position fen {MATED}", "go depth 2")) == ["0000"]


def test_what_is_no_position_is_reported_and_the_one_before_stored(known):
    output = talk(known, "position startpos moves e2e4 e2e4", "position fen nonsense", "go depth 1")
    assert next(line for line in output if line.startswith("info string")).startswith(
        "info string `e2e4` is no legal move"
    )
    assert len(best(output)) == 1


def test_stop_ends_a_search_and_nothing_else_ends_one_without_end(known):
    found: list[str] = []
    server = UciServer(made(known), known.domain, "1.0", {}, found.append)

    def lines():
        yield "go infinite"
        yield "isready"
        time.sleep(0.1)
        assert "readyok" in found
        assert best(found) == []
        yield "stop"
        assert len(best(found)) == 1
        yield "position fen 8/8/8/8/8/5k2/8/q6K w - - 0 1"
        yield "go infinite"  # solved at once, but not yet reported
        time.sleep(0.1)
        assert len(best(found)) == 1
        yield "quit"

    server.serve(lines())
    assert len(best(found)) == 2


def test_the_move_that_was_expected_starts_the_clock(known):
    found: list[str] = []
    server = UciServer(made(known), known.domain, "1.0", {}, found.append)

    def lines():
        yield "position startpos moves e2e4 e7e5"
        yield "go ponder wtime 600 btime 600"
        time.sleep(0.1)
        assert best(found) == []
        yield "isready"
        yield "ponderhit"
        while not best(found):
            time.sleep(0.01)
        yield "ponderhit"  # no search is running
        yield "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
        yield "go ponder depth 2"
        time.sleep(0.05)
        assert len(best(found)) == 1
        yield "stop"
        assert len(best(found)) == 2

    server.serve(lines())
    assert len(best(found)) == 2
    assert next(line for line in found if line.startswith("bestmove")).split()[2] == "ponder"


def test_a_mate_is_reported_in_moves(known):
    output = talk(known, "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "go depth 2")
    assert any("score mate 1 " in line for line in output)
    output = talk(known, "position fen 7k/8/8/8/8/8/r7/1r5K w - - 0 1", "go depth 2")
    assert any("score mate -" in line or "bestmove 0000" in line for line in output)


def infos(output: list[str]) -> list[list[str]]:
    return [line.split() for line in output if line.startswith("info depth")]


def test_each_completed_depth_has_its_info(known):
    output = talk(known, "position startpos moves e2e4", "go depth 4")
    found = infos(output)
    assert [words[2] for words in found] == ["1", "2", "3", "4"]
    for words in found:
        assert {"score", "nodes", "time", "pv"} <= set(words)
        board = chess.Board()
        board.push_uci("e2e4")
        for move in words[words.index("pv") + 1 :]:
            board.push_uci(move)  # raises ValueError if illegal
    nodes = [int(words[words.index("nodes") + 1]) for words in found]
    assert nodes == sorted(set(nodes))
    assert best(output) == [found[-1][found[-1].index("pv") + 1]]


def test_several_lines_differ_and_the_best_is_first(known):
    output = talk(known, "setoption name MultiPV value 3", "position startpos", "go depth 3")
    last = [words for words in infos(output) if words[2] == "3"]
    assert [words[words.index("multipv") + 1] for words in last] == ["1", "2", "3"]
    scores = [int(words[words.index("cp") + 1]) for words in last]
    assert scores == sorted(scores, reverse=True)
    firsts = [words[words.index("pv") + 1] for words in last]
    assert len(set(firsts)) == 3
    for first, score in zip(firsts, scores, strict=True):
        (only,) = infos(talk(known, "position startpos", f"go depth 3 searchmoves {first}"))[2:]
        assert int(only[only.index("cp") + 1]) == score


def test_more_lines_than_moves_are_as_many_as_moves(known):
    output = talk(
        known, "setoption name MultiPV value 9", "position fen 7k/8/8/8/8/8/r7/7K w - - 0 1", "go depth 2"
    )
    assert {words[words.index("multipv") + 1] for words in infos(output)} == {"1"}


@pytest.mark.parametrize("search", ["deepening", "alpha-beta", "ordered-alpha-beta", "best-first", "uct"])
def test_searchmoves_are_the_only_first_moves(known, search):
    found: list[str] = []
    make = lambda megabytes: known.player(search, megabytes=megabytes)  # noqa: E731
    server = UciServer(make, known.domain, "1.0", {"depth": 2, "nodes": 400}, found.append)
    server.serve(["position startpos", "go searchmoves a2a3 h2h3 e2e5", "quit"])
    assert best(found)[0] in ("a2a3", "h2h3")
    assert "info string searchmoves: `e2e5` is no legal move" in found


@pytest.mark.parametrize("megabytes", [1, 16])
def test_the_table_has_the_size_that_is_set(known, megabytes):
    made_with = []

    def make(size: int):
        made_with.append(size)
        return known.player(megabytes=size)

    found: list[str] = []
    UciServer(make, known.domain, "1.0", {"depth": 2}, found.append).serve(
        [f"setoption name Hash value {megabytes}", "go depth 3", "setoption name Hash value 0"]
    )
    assert made_with == [8, megabytes]
    assert "info string Hash is a number from 1 to 1024, not `0`" in found
    assert len(best(found)) == 1


@pytest.mark.parametrize("position", ["position", "position e2e4", "position startpos e2e4", "position fen",
                                      "position fen 8/8/8/8/8/8/8/8 w - -", "position startpos moves e2e4 0000"])  # fmt: skip
def test_a_wrong_position_is_reported_and_the_old_one_stays(known, position):
    mate = "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
    output = talk(known, mate, position, "go depth 1")
    assert (
        sum(line.startswith("info string") and "the previous position is kept" in line for line in output)
        == 1
    )
    assert best(output) == ["a1a8"]


def test_a_finished_game_without_end_is_answered_after_stop(known):
    found: list[str] = []

    def lines():
        yield f"position fen {MATED}"
        yield "go infinite"
        time.sleep(0.05)
        assert best(found) == []
        yield "stop"
        assert best(found) == ["0000"]

    UciServer(made(known), known.domain, "1.0", {}, found.append).serve(lines())


def test_a_mate_has_its_true_length(known):
    output = talk(known, "position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2")
    assert "mate 2" in next(line for line in output if "score mate" in line)
    assert best(output) == ["a1a6"]


def test_what_go_does_not_know_is_reported(known):
    assert "info string `x` is not understood after `go depth`" in talk(known, "go depth x depth 1")


HUGE = "9" * 5000


@pytest.mark.parametrize("go", ["go nodes 99999999999999999999 depth 1", "go depth 99999999999999999999 movetime 20",
                                "go mate 2147483647 movetime 20", f"go depth {HUGE} movetime 20", f"go movetime {HUGE} depth 1",
                                f"go wtime {HUGE} btime {HUGE} depth 1", f"go wtime -{HUGE} btime -{HUGE}"])  # fmt: skip
def test_numbers_of_any_size_are_understood(known, go):
    assert len(best(talk(known, go))) == 1


@pytest.mark.parametrize("value", [HUGE, "-1", "0", "x", ""])
def test_a_size_of_the_table_out_of_range_is_reported(known, value):
    assert talk(known, f"setoption name Hash value {value}")[0].startswith("info string Hash is a number")


def test_a_choice_in_the_middle_of_a_depth_gives_lines_that_differ(known):
    output: list[str] = []
    reporter = Reporter(
        output.append, PlayedGame.start(known.player().native, known.domain), time.monotonic(), True
    )
    reporter.report(2, 10, [(30, ["e2e4", "e7e5"]), (20, ["d2d4", "d7d5"])])
    reporter.report_choice(Thought("d2d4", 30, 2, 20, 0.1, ("d2d4",)))
    assert [line.split(" pv ")[1] for line in output[2:]] == ["d2d4 d7d5", "e2e4 e7e5"]
