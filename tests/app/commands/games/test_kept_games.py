"""Saved games: play continues in each game's own format, and an unreadable file is reported."""

from __future__ import annotations

import io
from functools import cache
from random import Random

import chess.pgn
import pytest

from hornbook.cli import main
from hornbook.commands.games.whole.game import WholeGame, whole_game
from hornbook.inputs.states import read_state
from hornbook.kb.load.adapters import text_of
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.play.whole.played import PlayedGame

known_game = cache(whole_game)


def random_game(known: WholeGame, plies: int, seed: str, beginning: str | None = None) -> PlayedGame:
    random, game = Random(seed), PlayedGame.start(known.native, known.domain, beginning)
    for _ in range(plies):
        if game.state.is_over:
            break
        game = game.after(random.choice(game.state.moves()))
    return game


@pytest.mark.parametrize("name", ["othello", "checkers", "abalone", "chess", "go"])
@pytest.mark.parametrize("seed", range(3))
def test_a_record_is_read_as_it_was_written(name, seed):
    known = known_game(name)
    game = random_game(known, 40, f"{name} {seed}")
    if name == "othello":  # a transcript omits passes
        while game.moves[-1] == "pass":
            game = game.back()
    started_anew = PlayedGame.start(known.native, known.domain)
    for started in (game, started_anew, PlayedGame.start(known.native, known.domain, str(game.states[20]))):
        text = known.domain.record(str(started.states[0]), started.moves, "*")
        beginning, moves = known.domain.recorded(text, "<game>")
        assert known.native.State(beginning) == started.states[0]
        assert tuple(moves) == started.moves


def test_pgn_of_others_is_read():
    text = """[Event "x; {y"] \n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n{begin; (} 1. e4! $1 (1. e3 Kd7 (1... Kf7)) 1... Kd7
2.e5 ; the rest
Ke6 1/2-1/2\n\n[Event "another"]\n\n1. d4 *\n"""
    beginning, moves = known_game("chess").domain.recorded(text, "<game>")
    other = chess.pgn.read_game(io.StringIO(text))
    assert other is not None
    assert chess.Board(beginning) == other.board()
    assert list(moves) == [move.uci() for move in other.mainline_moves()]


def run(monkeypatch, capsys, typed: str, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    code = main(list(arguments))
    output = capsys.readouterr()
    return code, output.out, output.err


@pytest.mark.parametrize(
    ("game", "moves", "more"),
    [("checkers", "11-15\n", "23-19\n"), ("chess", "e4\nc5\n", "Nf3\n"), ("go", "d4\npass\n", "e5\n")],
)
def test_a_game_is_removed_on_with(monkeypatch, capsys, tmp_path, game, moves, more):
    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    both = ("play", game, "--side", "both")
    assert run(monkeypatch, capsys, moves, *both, "--save", first)[0] == 0
    code, out, _ = run(monkeypatch, capsys, more, *both, "--resume", first, "--save", second)
    assert code == 0
    assert f"{moves.count(chr(10)) + 1} moves in" in out


def test_what_was_not_stored_is_reported(monkeypatch, capsys, tmp_path):
    file = tmp_path / "game.pgn"
    file.write_text("1. e4 e5 2. Ke3\n", encoding="utf-8")
    code, _, err = run(monkeypatch, capsys, "", "play", "chess", "--resume", str(file))
    assert code == 1
    assert "game.pgn:1:13" in err
    file.write_text("nothing\na2 a3\n*\n", encoding="utf-8")
    code, _, err = run(monkeypatch, capsys, "", "play", "abalone", "--resume", str(file))
    assert code == 1
    assert "game.pgn:2:1" in err
    code, _, err = run(monkeypatch, capsys, "", "play", "chess", "--resume", str(file), "--size", "8")
    assert "a saved game has its own initial position" in " ".join(err.replace("│", " ").split())


OTHELLO = "to move: black\n  a b c d\n1 - - - -\n2 - O X -\n3 - X O -\n4 - - - -\n"
TILES = "1 2 3\n4 5 6\n7 0 8\n"


@pytest.mark.parametrize(
    ("game", "text", "move", "row"),
    [("othello", OTHELLO, "b1", "2 . ● ● ."), ("tiles", TILES, "8", "3 7 8 .")],
    ids=["othello", "tiles"],
)
def test_a_diagram_is_resumed_as_a_game_without_moves(monkeypatch, capsys, tmp_path, game, text, move, row):
    file = tmp_path / "diagram.txt"
    file.write_text(text, encoding="utf-8")
    code, out, _ = run(
        monkeypatch, capsys, f"{move}\n", "play", game, "--side", "both", "--resume", str(file)
    )
    assert code == 0
    assert row in out


@pytest.mark.parametrize(
    ("game", "typed", "why"),
    [
        ("chess", "e2e5", "from e2 there are e3, e4"),
        ("chess", "e5e6", "nothing can move from e5"),
        ("chess", "nothing", "is no move in SAN"),
        ("go", "d4\nd4", "a stone stands there already"),
        ("othello", "a1", "it flips nothing"),
        ("othello", "d4", "a disc is there already"),
        ("checkers", "11-15\n22-18\n9-13", "who can capture has to"),
        ("abalone", "a1i9", "is no legal move; `moves` lists them"),
    ],
)
def test_moves_that_are_not_legal_are_explained(monkeypatch, capsys, game, typed, why):
    code, _, err = run(monkeypatch, capsys, f"{typed}\n", "play", game, "--side", "both")
    assert code == 1
    assert why in err


def test_a_capture_of_several_pieces_may_be_typed_by_its_ends():
    domain = known_game("checkers").domain
    state = "B:W18,26,17,25:BK14"
    assert domain.typed(state, "14x23") is None
    ways = {move for move, _ in domain.turns(domain.position(state))}
    assert all(domain.typed(state, move.replace("x", " ")) == move for move in ways)


class Interrupted:
    """An input that types some lines and then presses Ctrl-C."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)

    def readline(self) -> str:
        if not self.lines:
            raise KeyboardInterrupt
        return self.lines.pop(0)

    def isatty(self) -> bool:
        return False


def test_ctrl_c_loses_nothing(monkeypatch, capsys, tmp_path):
    file = tmp_path / "game.pdn"
    for save in ((), ("--save", str(file))):
        monkeypatch.setattr("sys.stdin", Interrupted("11-15\n"))
        assert main(["play", "checkers", "--side", "both", *save]) == 130
        assert ("1. 11-15 *" in capsys.readouterr().out) is not bool(save)
    assert "1. 11-15 *" in file.read_text(encoding="utf-8")


SAVED = {
    "abalone": [()],
    "tiles": [(), ("--size", "4")],
    "othello": [(), ("--size", "4"), ("--size", "6")],
    "checkers": [()],
    "chess": [()],
    "go": [(), ("--size", "9")],
}


@pytest.mark.parametrize(("game", "size"), [(game, size) for game, sizes in SAVED.items() for size in sizes])
@pytest.mark.parametrize("plies", [0, 1, 7])
def test_saved_game_has_one_position_as_state_and_resumed(monkeypatch, capsys, tmp_path, game, size, plies):
    known, file = whole_game(game, one_player=True), tmp_path / "game"
    beginning = known.domain.beginning(int(size[1])) if size else None
    played = random_game(known, plies, game, beginning)
    typed = "".join(f"{move}\n" for move in played.moves)
    both = ("play", game, "--side", "both")
    assert run(monkeypatch, capsys, typed, *both, *size, "--save", str(file))[0] == 0
    text = text_of(known.domain.adapter, file)
    start, moves = known.domain.recorded(text, str(file))
    resumed = PlayedGame.start(known.native, known.domain, start).resumed(moves)
    assert resumed.state == played.state
    here, there = known.domain.position(str(played.state)), read_state(game, file).value
    assert known.domain.write(there) == known.domain.write(here)


def test_illegal_move_of_a_saved_game_has_its_place(tmp_path):
    file = tmp_path / "game"
    file.write_text("1 2 3 / 4 5 6 / 7 0 8\n8 1\n", encoding="utf-8")
    with pytest.raises(TheoryError) as caught:
        read_state("tiles", file)
    (found,) = caught.value.diagnostics
    assert (found.span.line, found.span.column, found.message) == (2, 3, "move 2, `1`, is not legal")
