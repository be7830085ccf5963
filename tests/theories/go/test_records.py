"""Tests of Go game records.

Output of other programs is read in the same way for positions and games. Mistakes have their place.
"""

from __future__ import annotations

from contextlib import suppress

import pytest

from hornbook.cli import main
from hornbook.inputs.states import read_state
from hornbook.kb.hornbook_error import RecordWarning
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.play.native import native_of
from hornbook.play.whole.played import PlayedGame
from hornbook.theories.go import adapter
from hornbook.theories.go.domain import DOMAIN
from hornbook.theories.go.problems.files import read_problems
from hornbook.theories.go.states.game_record import parse_game
from hornbook.theories.go.states.sgf import parse_sgf
from hornbook.theories.go.states.sgf_text import decode_sgf

NATIVE = native_of(DOMAIN)


def resumed(text: str) -> PlayedGame:
    beginning, moves = DOMAIN.recorded(text, "game.sgf")
    return PlayedGame.start(NATIVE, DOMAIN, beginning).resumed(moves)


def place(text: str, read=parse_sgf) -> tuple[int, int, str]:
    with pytest.raises(TheoryError) as caught:
        read(text, "game.sgf")
    (found,) = caught.value.diagnostics
    return found.span.line, found.span.column, found.message


# One reader


@pytest.mark.parametrize(
    "moves",
    [
        ";B[cc];W[dd]",
        ";B[cc];B[dd];B[ee]",
        ";W[cc];W[dd];B[ee]",
        ";B[];W[];B[cc]",
        ";B[];W[];W[cc]",
        ";B[];W[];B[];W[]",
        ";B[cc];W[];B[];W[];B[dd];W[ee]",
        ";B[cc]PL[B];B[dd]",
        ";B[cc];PL[B]",
        ";B[cc];AW[dd]AE[cc];B[ee]",
        ";B[cc](;W[dd];B[ee])(;W[ff])",
        ";B[tt];W[cc]",
        ";C[a comment];N[node]",
        "",
    ],
)
@pytest.mark.parametrize(
    "root", ["GM[1]SZ[7]", "SZ[7]HA[2]AB[bb][ff]", "SZ[7]KM[0.5]AB[bb]AW[ff]PL[W]", "SZ[7]AB[bb]AW[ff]"]
)
def test_a_state_and_a_resumed_game_have_the_same_board(root, moves):
    text = f"(;{root}{moves})"
    game, board = resumed(text), parse_sgf(text)
    again = DOMAIN.position(str(game.state))
    assert again.colours == board.colours
    assert again.ko == board.ko
    if board.to_play is not None:
        assert again.to_play == board.to_play


@pytest.mark.parametrize(
    "moves",
    [";B[cc];B[dd];B[ee]", ";B[];W[];B[cc]", ";B[];W[];W[cc];W[dd]", ";W[cc];B[];W[];B[]", ";B[cc];PL[B]"],
)
def test_a_record_is_written_with_the_colours_that_were_read(moves):
    game = resumed(f"(;SZ[7]{moves})")
    written = DOMAIN.record(str(game.states[0]), list(game.recorded()), "*")
    again = resumed(written)
    assert (again.states, again.moves) == (game.states, game.moves)
    assert list(again.recorded()) == list(game.recorded())


def test_moves_below_a_problem_are_not_resumed():
    game = resumed("(;SZ[5]AB[ab]AW[bb]PL[W];W[aa])")
    assert game.moves == ()


# Encodings

NAMES = {
    "shift_jis": "本因坊 表ソ能",
    "gb2312": "聂卫平",
    "gbk": "聶衛平",
    "big5": "吳清源 許功蓋",
    "euc-kr": "이창호",
    "iso-8859-1": "René Müller",
    "utf-8": "本因坊 René 이창호",
    "windows-1251": "Касымжанов",
    "euc-jp": "秀策",
}
GAME = "(;GM[1]FF[4]CA[{charset}]SZ[7]PB[{name}];B[cc]C[{name}];W[dd])"


@pytest.mark.parametrize("charset", NAMES)
def test_a_file_is_read_in_the_encoding_that_it_names(tmp_path, charset):
    file = tmp_path / "game.sgf"
    text = GAME.format(charset=charset, name=NAMES[charset])
    file.write_bytes(text.encode(charset))
    assert decode_sgf(file.read_bytes(), "game.sgf") == text
    board = read_state("go", file).value
    assert (board.colours.count("black"), board.colours.count("white")) == (1, 1)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_a_file_that_names_no_encoding_is_utf_8_or_latin_1(encoding):
    text = "(;SZ[7]PB[René];B[cc]C[é\u00e9];W[dd])"
    assert decode_sgf(text.encode(encoding), "game.sgf") == text


@pytest.mark.parametrize(
    ("encoding", "name"), [("shift_jis", "表"), ("shift_jis", "ソ能"), ("big5", "許功蓋")]
)
def test_no_move_is_lost_in_text_of_an_unnamed_encoding(encoding, name):
    """The second byte of some letters is a backslash, which in Latin-1 would hide the end of the value."""
    text = f"(;SZ[7];B[cc]C[{name}];W[dd];B[ee])"
    with suppress(TheoryError):  # refused, because it means different moves in different encodings
        assert len(parse_game(decode_sgf(text.encode(encoding), "game.sgf"), "game.sgf")[1]) == 3


def test_text_that_means_different_moves_in_two_encodings_is_refused():
    data = "(;SZ[7];B[cc]C[表];W[dd];B[ee])".encode("shift_jis")
    with pytest.raises(TheoryError, match="the file does not name its encoding"):
        decode_sgf(data, "game.sgf")
    assert len(parse_game(decode_sgf(data.replace(b"SZ", b"CA[Shift_JIS]SZ"), "game.sgf"))[1]) == 3


def test_wrong_bytes_for_the_named_encoding_have_their_place():
    with pytest.raises(TheoryError) as caught:
        decode_sgf(b"(;CA[UTF-8]SZ[7]\nPB[Ren\xe9])", "game.sgf")
    (found,) = caught.value.diagnostics
    assert (found.span.line, found.span.column) == (2, 7)
    assert found.message == "the file says that it is UTF-8, and byte 0xE9 is not"


@pytest.mark.parametrize("charset", ["nonsense", "utf-16", "rot13", "base64", "unicode_escape", "utf-7"])
def test_an_encoding_that_cannot_be_read_is_named(charset):
    with pytest.raises(TheoryError, match=f"the encoding `{charset}` is not known") as caught:
        decode_sgf(f"(;\nCA[{charset}]SZ[7];B[cc])".encode(), "game.sgf")
    assert caught.value.diagnostics[0].span.line == 2


def test_problems_of_a_legacy_encoding_are_read(tmp_path):
    file = tmp_path / "problems.SGF"
    file.write_bytes("(;CA[Shift_JIS]SZ[5]GN[表]AB[ba][ab][bc]AW[bb]PL[B]TR[bb])".encode("shift_jis"))
    assert [problem.id for problem in read_problems(file)] == ["表"]


@pytest.mark.parametrize(
    "name", ["x-sjis", "SJIS", "Windows-31J", "x-euc-kr", "GB18030", "latin1", "KS_C_5601-1987"]
)
def test_other_names_of_encodings_are_known(name):
    assert decode_sgf(f"(;CA[{name}]SZ[7];B[cc])".encode(), "game.sgf")


def test_utf_8_under_another_name_loses_no_move():
    """In GBK, the last byte of a letter and the following bracket form one letter."""
    data = "(;CA[GB2312]SZ[7];B[cc]C[表];W[dd];B[ee]C[é])".encode()
    with pytest.raises(TheoryError, match="it seems to be UTF-8") as caught:
        decode_sgf(data, "game.sgf")
    assert caught.value.diagnostics[0].span.column == 3


# Output of other programs


@pytest.mark.parametrize(
    "text",
    [
        "(;GaMe[1]SiZe[7];Black[cc];White[dd])",
        "(;gm[1]sz[7];b[cc];w[dd])",
        "(;GM[]SZ[7:7];B[cc];W[dd])",
        "(;GM[1]SZ[7];B[cc];W[dd])(;GM[1]SZ[9];B[aa])",
        "from: somebody\n\n(;SZ[7];B[cc];W[dd])\n(;broken",
        "( ; SZ [7] ; B [cc]\r\n;W\t[dd] )",
        "(;SZ[7];B[cc];W[dd]C[\\] ;B\\[aa\\])])",
    ],
)
def test_records_of_older_and_other_programs_are_read(text):
    board = adapter.read(text, "game.sgf") if text.startswith("(") else parse_sgf(text)
    assert [board.colours[board.point(name)] for name in ("c5", "d4")] == ["black", "white"]
    assert parse_game(text)[1] == ["c5", "d4"]


@pytest.mark.parametrize("read", [parse_sgf, parse_game])
@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("(;FF[4]\nGM[2]SZ[8])", 2, 1, "this is a game of Othello, and not of Go"),
        ("(;GM[x])", 1, 3, "`x` is the number of another game, and not of Go"),
        ("(;SZ[7]\n;B[cc]\n;W[cc])", 3, 2, None),
        ("(;SZ[7]\n;B[zz])", 2, 2, "node 1 of the main line does not fit: `zz` is no point of the board"),
        ("(;SZ[7];B[aa]W[bb])", 1, 14, "node 1 of the main line does not fit: it has more than one move"),
        ("(;SZ[7];B[aa][bb])", 1, 9, "node 1 of the main line does not fit: it has more than one move"),
        ("(;SZ[7]HA[2]AB[aa]AW[zz])", 1, 19, "node 0 of the main line does not fit: a stone stands on another or beyond the board"),
        ("(;SZ[7]HA[2]AB[aa]AW[aa])", 1, 19, "node 0 of the main line does not fit: a stone stands on another or beyond the board"),
        ("(;SZ[7]PL[green])", 1, 8, "node 0 of the main line does not fit: `green` is no player: write `PL[B]` or `PL[W]`"),
        ("(;SZ[7]\n;B[cc", 2, 3, "this is not SGF: this value of B does not end"),
        ("(;SZ[7]\n;B[cc]", 1, 1, "this is not SGF: a game tree that begins here does not end"),
        ("(;SZ[7];B;W[dd])", 1, 9, "this is not SGF: the property B has no value"),
        ("(;SZ[7];[dd])", 1, 9, "this is not SGF: a value without a property"),
        ("(;SZ[7](;B[cc]);W[dd])", 1, 16, "this is not SGF: a node after a variation"),
        ("(;SZ[7];B[cc]é)", 1, 14, "this is not SGF: unexpected character `é`"),
        ("(;SZ[7]()(;B[cc]))", 1, 8, "this is not SGF: a game tree without a node"),
        ("(;SZ[7](B[cc]))", 1, 8, "this is not SGF: a game tree without a node"),
        ("(SZ[7])", 1, 1, "there is no game tree here"),
    ],
)  # fmt: skip
def test_a_mistake_has_its_place_and_cause(read, text, line, column, message):
    found = place(text, read)
    assert found[:2] == (line, column)
    assert message in (None, found[2])


@pytest.mark.parametrize(
    ("text", "column", "why"),
    [
        ("(;SZ[5];B[ab];B[ba];W[aa])", 21, "white cannot play a5: it would be suicide"),
        ("(;SZ[5];B[cc];W[cc])", 15, "white cannot play c3: a stone stands on another"),
        ("(;SZ[5]KM[x];B[cc])", 8, "a komi of `x` cannot be counted"),
        ("(;SZ[5]KM[nan];B[cc])", 8, "a komi of `nan` cannot be counted"),
        ("(;SZ[5]KM[6.3];B[cc])", 8, "a komi of `6.3` cannot be counted"),
    ],
)
def test_a_game_that_cannot_be_resumed_says_where_and_why(text, column, why):
    line, found, message = place(text, parse_game)
    assert (line, found) == (1, column)
    assert why in message


@pytest.mark.parametrize("before", ["Dear all, (see below) :-(\n", "From: x\n\n", "% a game\n"])
def test_text_before_a_game_is_left_out_of_positions_and_games(before):
    text = f"{before}(;SZ[9];B[cd])"
    assert adapter.read(text, "game.sgf").colours[5 * 9 + 2] == "black"
    assert resumed(text).moves == ("c6",)


def test_a_game_tree_in_a_comment_is_no_game():
    text = "% as in (;B[aa])\nX .\n. O\n"
    assert adapter.read(text, "board.txt").rows == 2
    assert resumed(text).moves == ()


def test_a_game_can_begin_with_a_diagram():
    assert str(resumed("to play: white\nX .\n. O\n").state) == "to play: white\n  a b\n2 X .\n1 . O\n"


def test_an_encoding_is_found_after_bytes_that_hide_it():
    text = decode_sgf("(;SZ[9]C[誠]CA[GBK];B[cd])".encode("gbk"), "game.sgf")
    assert "誠" in text


def test_an_encoding_for_names_of_hosts_is_refused():
    with pytest.raises(TheoryError, match="encoding `idna` is not known"):
        decode_sgf(b"(;CA[idna]SZ[9]C[\xff];B[cd])", "game.sgf")


@pytest.mark.parametrize("size", ["1_9", "1 9", "9:13", "27", "nine", "1", "٩", "9" * 50])
def test_a_size_that_cannot_be_read_has_its_place(size):
    message = f"a board of size `{size}` cannot be read"
    assert place(f"(;GM[1]\nSZ[{size}];B[cd])") == (2, 1, message)


@pytest.mark.parametrize("komi", ["6_5", "６.５", "6,5", "nan"])
def test_a_komi_that_is_no_number_is_refused(komi):
    message = f"a komi of `{komi}` cannot be counted"
    assert place(f"(;SZ[9]KM[{komi}];B[cd])", parse_game) == (1, 8, message)


@pytest.mark.deep
def test_many_values_of_a_property_take_linear_time():
    # Once each value was copied with everything before it, so this took minutes.
    assert parse_sgf(f"(;SZ[9]{'C[x]' * 200_000};B[cd])").colours.count("black") == 1


def test_a_tree_with_too_many_nodes_is_refused(monkeypatch):
    monkeypatch.setattr("hornbook.theories.go.states.sgf_text.MOST_NODES", 2)
    assert place("(;SZ[7]\n(;B[cc])\n(;B[dd]))", parse_game) == (
        3,
        2,
        "this game tree has more than 2 nodes",
    )


@pytest.mark.parametrize("read", [parse_sgf, parse_game])
def test_handicap_without_stones_gives_a_warning(read):
    with pytest.warns(RecordWarning, match=r"^game.sgf:2:1: HA\[4\] places no stones by itself"):
        read("(;SZ[9]\nHA[4];W[cc])", "game.sgf")


@pytest.mark.parametrize(
    "text",
    [
        "HA[2]AB[cc][gg];W[cg]",
        "HA[2];AB[cc][gg];W[cg]",
        "HA[2];B[cc];B[gg];W[cg]",
        "HA[0];B[cc]",
        "HA[1];B[cc]",
    ],
)
def test_handicap_with_stones_or_without_need_gives_no_warning(text):
    parse_sgf(f"(;SZ[9]{text})", "game.sgf")


KO = ";B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb]"


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        (";B[ab];B[ba];W[aa]", r"game.sgf:1:21: move a5 of node 3 breaks the rules .*: it is suicide"),
        (f"{KO};B[cb]", r"move c4 of node 9 breaks the rules .*: it takes back in a ko at once"),
    ],
    ids=["suicide", "ko"],
)
def test_state_after_an_illegal_move_gives_a_warning(moves, why):
    with pytest.warns(RecordWarning, match=why):
        parse_sgf(f"(;SZ[5]{moves})", "game.sgf")


def test_state_after_a_legal_recapture_gives_no_warning():
    parse_sgf(f"(;SZ[5]{KO};B[ee];W[];B[cb])", "game.sgf")


def test_command_prints_the_warning_of_a_record(capsys, tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[5];B[ab];B[ba];W[aa])", encoding="utf-8")
    assert main(["query", "go", "--state", str(file), "liberties(a4, ?n)"]) == 0
    shown = capsys.readouterr()
    assert "warning: " in shown.err
    assert "game.sgf:1:21: move a5 of node 3" in shown.err


def test_game_of_a_collection_is_chosen_by_its_number(tmp_path):
    (tmp_path / "games.sgf").write_text("(;SZ[7];B[cc])\n(;SZ[5](;B[aa])(;B[bb]))", encoding="utf-8")
    assert read_state("go", tmp_path / "games.sgf#1").value.rows == 7
    assert read_state("go", tmp_path / "games.sgf#2").value.rows == 5
    with pytest.raises(TheoryError, match="there is no game 3: the file has 2 games"):
        read_state("go", tmp_path / "games.sgf#3")
