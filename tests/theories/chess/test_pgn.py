"""Tests of PGN records from other programs and old books: positions and games are read in the same way."""

from __future__ import annotations

import io
from random import Random

import chess
import chess.pgn
import pytest

from hornbook.inputs.states import read_state
from hornbook.kb.load.adapters import text_of
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.play.native import native_of
from hornbook.play.whole.played import PlayedGame
from hornbook.theories.chess import adapter
from hornbook.theories.chess.domain import DOMAIN
from hornbook.theories.chess.states.diagram import print_diagram
from hornbook.theories.chess.states.fen import parse_fen, print_fen
from hornbook.theories.chess.states.pgn import is_pgn, parse_pgn

NATIVE = native_of(DOMAIN)
PAWN = '[FEN "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"]\n\n'
ITALIAN = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1"
PASSED = "rnbqkbnr/1p2pppp/p2p4/8/8/8/PPPP1PPP/RNBQKBNR"


def board(text: str) -> str:
    """Return the men in the last position of a record.

    A game that is continued from the record must give the same.
    """
    game = parse_pgn(text, "game.pgn")
    beginning, moves = DOMAIN.recorded(text, "game.pgn")
    resumed = PlayedGame.start(NATIVE, DOMAIN, beginning).resumed(moves)
    assert str(resumed.state).split()[:4] == print_fen(game.end).split()[:4]
    return print_fen(game.end).split()[0]


@pytest.mark.parametrize(
    ("text", "men"),
    [
        ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *", ITALIAN),
        ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 *", ITALIAN),
        ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. o-o", ITALIAN),
        ("1.e4! e5?! 2.Nf3!? Nc6 $1 $14 3.Bc4$2 Bc5 4.O-O 1/2-1/2", ITALIAN),
        ("1. e4± e5 ± 2. Nf3 ⩲ Nc6 +/- 3. Bc4+- Bc5 = 4. O-O∞ -+", ITALIAN),
        ("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-c4 Bf8-c5 4. O-O", ITALIAN),
        ("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1", ITALIAN),
        ("1 e4 e5 2 Nf3 Nc6 3 Bc4 Bc5 4 O-O", ITALIAN),
        ("1. e4 e5 2. ♘f3 ♞c6 3. ♗c4 ♝c5 4. O-O", ITALIAN),
        ("1. Pe4 Pe5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O", ITALIAN),
        ("1. e4 1... e5 2.Nf3 2... Nc6 3. Bc4 3. … Bc5 4. O-O", ITALIAN),
        ("% 1. d4 {\n1. e4 e5\n%2. (\n2. Nf3 Nc6 3. Bc4 Bc5 4. O-O", ITALIAN),
        ("1. e4 (1. d4 d5 (1... Nf6 2. c4 {) } (2. Nf3 ; )\n)) 2. c4) 1... e5 ; ) 2. d4\n2. Nf3 Nc6 3. Bc4 Bc5 4. O-O", ITALIAN),
        ("{[%clk 1:00] one\n% two } 1. e4 {[%eval 0.1]} e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O N", ITALIAN),
        ('[Event "a"][Site "http://x/y"] [White "B\\"x\\" ]"]\r\n\r\n1. e4 e5 2. Nf3 Nc6\r\n3. Bc4 Bc5 4. O-O', ITALIAN),
        ('1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O\n\n[Event "b"]\n\n1. d4 {', ITALIAN),
        ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *\n\n1. d4 Ke4", ITALIAN),
        ("1. e4 a6 2. e5 d5 3. exd6 e.p.", PASSED.replace("/1p2pppp/p2p4", "/1pp1pppp/p2P4")),
        ("1. e4 a6 2. e5 d5 3. exd6e.p. *", PASSED.replace("/1p2pppp/p2p4", "/1pp1pppp/p2P4")),
        ("1. e4 a6 2. e5 d5 3. exd6ep *", PASSED.replace("/1p2pppp/p2p4", "/1pp1pppp/p2P4")),
        ("1. e4 a6 2. e5 d5 3. e5:d6 ep *", PASSED.replace("/1p2pppp/p2p4", "/1pp1pppp/p2P4")),
        (PAWN + "1. axb8=q+", "1Q2k3/8/8/8/8/8/8/4K3"),
        (PAWN + "1. axb8Q ch", "1Q2k3/8/8/8/8/8/8/4K3"),
        (PAWN + "1. axb8n", "1N2k3/8/8/8/8/8/8/4K3"),
        (PAWN + "1. a8(Q)", "Qn2k3/8/8/8/8/8/8/4K3"),
        (PAWN + "1. a8=(r)!", "Rn2k3/8/8/8/8/8/8/4K3"),
        (PAWN + "1. a8/B", "Bn2k3/8/8/8/8/8/8/4K3"),
        (PAWN + "1. a7a8q", "Qn2k3/8/8/8/8/8/8/4K3"),
        ("1. e4 -- 2. d4 Z0 3. Nf3", "rnbqkbnr/pppppppp/8/8/3PP3/5N2/PPP2PPP/RNBQKB1R"),
        ("1. -- e5 2. e4 0000", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"),
    ],
)  # fmt: skip
def test_records_are_read_as_they_are_meant(text, men):
    assert board(text) == men
    assert is_pgn(text)
    assert print_fen(adapter.read(text, "game.pgn")).split()[0] == men


def test_the_annotations_of_another_program_change_no_move():
    random = Random(8)
    for _ in range(10):
        game = chess.pgn.Game()
        node: chess.pgn.GameNode = game
        while node.ply() < 40 and (moves := list(node.board().legal_moves)):
            for move in random.sample(moves, min(2, len(moves))):
                node.add_variation(
                    move, comment=random.choice(["", "a ) b", "(; $1 %"]), nags=[random.randrange(1, 140)]
                )
            node = node.variation(0)
        text = str(game)
        read = parse_pgn(text, "game.pgn")
        assert print_fen(read.end).split()[:4] == node.board().fen(en_passant="fen").split()[:4]
        assert len(read.moves) == node.ply()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_a_record_in_latin_1_is_read_as_one_in_utf_8(tmp_path, encoding):
    file = tmp_path / "game.pgn"
    file.write_bytes('[White "Gösta Stöltz"]\n\n1. e4± {é} e5 *\n'.encode(encoding))
    assert read_state("chess", file).value.men.count("P") == 8
    assert adapter.decode(file.read_bytes(), "game.pgn").startswith('[White "Gösta')


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("1. e4 e5\n2. Ke3", 2, 4, "`Ke3` is not legal here"),
        ("1. e4 {a\ncomment e5", 1, 7, "this comment does not end"),
        ("1. e4 (1. d4\n(1. c4) e5", 1, 7, "`(` is not closed"),
        ("1. e4 ) e5", 1, 7, "`)` closes nothing"),
        ('[Event "a]\n\n1. e4', 1, 1, "this is no tag"),
        ('[Event "a"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4', 2, 7, "White has 0 kings"),
        ('[Variant "Crazyhouse"]\n\n1. e4', 1, 11, "this is a game of Crazyhouse, and not of chess"),
        ('[FEN "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"]\n1. --', 2, 4, "white stands in check and cannot give up the turn"),
        ("1. e4 e5 2. Nf3 & Nc6", 1, 17, "unexpected character `&`"),
        ("1. a4 a5 2. a8=Q", 1, 13, "`a8=Q` is not legal here"),
        ("", 1, 1, "there is no game here"),
    ],
)  # fmt: skip
def test_a_mistake_has_its_place_and_cause(text, line, column, message):
    with pytest.raises(TheoryError) as caught:
        parse_pgn(text, "game.pgn")
    (found,) = caught.value.diagnostics
    assert (found.span.line, found.span.column, found.message) == (line, column, message)


def test_a_saved_game_has_its_null_moves():
    beginning, moves = DOMAIN.recorded("1. e4 -- 2. d4 e5 3. -- Nc6 *", "game.pgn")
    game = PlayedGame.start(NATIVE, DOMAIN, beginning).resumed(moves)
    text = DOMAIN.record(beginning, list(game.recorded()), "*")
    assert "1. e4 -- 2. d4 e5 3. -- Nc6 *" in text
    other = chess.pgn.read_game(io.StringIO(text))
    assert other is not None
    assert other.end().board().fen().split()[0] == str(game.state).split()[0]


def test_no_position_is_taken_for_a_record():
    random = Random(3)
    for _ in range(40):
        other = chess.Board()
        for _ in range(random.randrange(60)):
            if not other.is_game_over():
                other.push(random.choice(list(other.legal_moves)))
        position = parse_fen(other.fen(en_passant="fen"))
        rows = [
            line[1:].replace(" ", "") for line in print_diagram(position).splitlines() if line[0].isdigit()
        ]
        for text in (other.fen(), print_diagram(position), "\n".join(rows), f"% a game\n{other.fen()}"):
            assert not is_pgn(text)
            assert adapter.read(text, "position").men == position.men


# FEN


@pytest.mark.parametrize("blank", ["\t", "  ", " \t "])
@pytest.mark.parametrize("counts", [[], ["3"], ["3", "9"]])
def test_blanks_between_fields_may_be_tabs_or_repeated(blank, counts):
    fields = ["r3k2r/8/8/8/8/8/8/R3K2R", "b", "KQkq", "-", *counts]
    text = f"{blank}{blank.join(fields)}{blank}"
    found = parse_fen(text)
    assert (found.to_move, found.quiet_plies, found.number) == (
        "black",
        3 if counts else 0,
        9 if counts[1:] else 1,
    )
    assert str(NATIVE.State(text)).split()[:4] == fields[:4]
    assert adapter.read(text, "a.fen") == found
    assert parse_pgn(f'[FEN "{text.replace(chr(9), " ")}"]\n\n*').beginning == found


def test_a_fen_with_tabs_is_given_on_the_command_line():
    from pathlib import Path

    found = adapter.read_file(Path("4k3/8/8/8/8/8/8/4K2R\tw\tK\t-"))
    assert found is not None
    assert found.rights == "K"


@pytest.mark.parametrize(("text", "moves"), [
    ("Z0 e5", ["--", "e7e5"]), ("-- e5", ["--", "e7e5"]), ('[White-Elo "1"]\n1. e4', ["e2e4"]),
    ("8/8/4k3/8/8/4K3/4P3/8\tw - -", []),
])  # fmt: skip
def test_a_position_and_a_game_are_read_alike(text, moves):
    beginning, found = DOMAIN.recorded(text, "game.pgn")
    end = PlayedGame.start(NATIVE, DOMAIN, beginning).resumed(found).state
    assert found == moves
    assert str(end).split()[:2] == print_fen(adapter.read(text, "game.pgn")).split()[:2]


@pytest.mark.parametrize("text", ["[Event x]\n1. e4", "[]\n1. e4", "Hello world", "<html>"])
def test_a_wrong_file_is_refused_alike_as_position_and_game(text):
    with pytest.raises(TheoryError) as position:
        adapter.read(text, "game.pgn")
    with pytest.raises(TheoryError) as game:
        DOMAIN.recorded(text, "game.pgn")
    assert str(position.value) == str(game.value)


@pytest.mark.deep
def test_many_tags_take_linear_time():
    # Once each tag counted all lines before it, so this took minutes.
    assert len(parse_pgn('[Round "x"]\n' * 200_000 + "1. e4").moves) == 1


@pytest.mark.parametrize(
    "first",
    [
        '[Event "a"]\n\n',
        '[Event "a"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n',
        '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n',
        '[White "a"] {no moves}\n\n[White "b"]\n',
        '[Event "a"]\n\n*\n\n',
    ],
)
def test_game_of_tags_only_takes_no_moves_of_the_next(first):
    assert parse_pgn(f'{first}[Event "b"]\n\n1. e4 *\n').moves == ()


@pytest.mark.parametrize(
    "tags",
    [
        '[WhiteElo "1"]\n[WhiteElo "2"]\n',
        '[Event "a"]\n\n[Site "b"]\n',
        '[Round "1"]\n[Event "a"]\n',
    ],
)
def test_tags_of_one_game_may_be_repeated_or_apart(tags):
    assert len(parse_pgn(f"{tags}\n1. e4 *\n").moves) == 1


GAMES = """[Event "a"]

1. e4 (1. d4 {1-0} d5) 1-0

[Event "b"]

[Event "c"]\r
[White "x"]

1. d4 d5 *
1. c4 1/2-1/2
"""


@pytest.mark.parametrize(("number", "moves"), [(1, ["e2e4"]), (2, []), (3, ["d2d4", "d7d5"]), (4, ["c2c4"])])
def test_game_of_a_file_is_chosen_by_its_number(tmp_path, number, moves):
    file = tmp_path / "games.pgn"
    file.write_text(GAMES, encoding="utf-8", newline="")
    path = tmp_path / f"games.pgn#{number}"
    beginning, found = DOMAIN.recorded(text_of(adapter, path), str(path))
    assert found == moves
    resumed = PlayedGame.start(NATIVE, DOMAIN, beginning).resumed(found)
    assert print_fen(read_state("chess", path).value).split()[0] == str(resumed.state).split()[0]


@pytest.mark.parametrize("number", [0, 5])
def test_number_of_no_game_is_refused_with_the_number_of_games(tmp_path, number):
    (tmp_path / "games.pgn").write_text(GAMES, encoding="utf-8")
    with pytest.raises(TheoryError, match=f"there is no game {number}: the file has 4 games"):
        read_state("chess", tmp_path / f"games.pgn#{number}")


def test_mistake_in_a_later_game_has_its_line(tmp_path):
    (tmp_path / "games.pgn").write_text("1. e4 *\n\n1. e4 e5\n2. Ke3 *\n", encoding="utf-8")
    with pytest.raises(TheoryError) as caught:
        read_state("chess", tmp_path / "games.pgn#2")
    (found,) = caught.value.diagnostics
    assert (found.span.line, found.span.column) == (4, 4)


def test_file_whose_name_ends_with_a_number_is_read(tmp_path):
    (tmp_path / "games.pgn").write_text("1. e4 *\n", encoding="utf-8")
    (tmp_path / "games.pgn#2").write_text("1. d4 *\n", encoding="utf-8")
    assert "3P4" in print_fen(read_state("chess", tmp_path / "games.pgn#2").value)
