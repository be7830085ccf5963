"""Tests of boards, diagrams and SGF: round trips, and impossible input refused with its place."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.go import adapter
from hornbook.theories.go.states.board import PLAYERS, BoardError, GoBoard, column_name
from hornbook.theories.go.states.diagram import parse_diagram, print_diagram
from hornbook.theories.go.states.sgf import parse_sgf, print_sgf

EXAMPLES = Path(adapter.__file__).parent / "examples"
KO = """\
to play: white
ko: c3
  a b c d e
5 . . . . .
4 . . X O .
3 . X . X O
2 . . X O .
1 . . . . .
"""


@st.composite
def boards(draw, largest=12, *, square=False):
    """Return legal boards.

    Stones are placed at random, and those without an adjacent empty point are removed.
    """
    rows = draw(st.integers(2 if square else 1, largest))
    columns = rows if square else draw(st.integers(1, largest))
    size = rows * columns
    colours = draw(
        st.lists(st.sampled_from(["black", "white", "empty", "empty"]), min_size=size, max_size=size)
    )
    for point in range(size):
        # A stone stays if a neighbour is empty, since its block then has a liberty.
        row, column = divmod(point, columns)
        next_to = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        inside = [r * columns + c for r, c in next_to if 0 <= r < rows and 0 <= c < columns]
        if not any(colours[other] == "empty" for other in inside):
            colours[point] = "empty"
    return GoBoard(rows, columns, tuple(colours), None, draw(st.sampled_from([None, *PLAYERS])))


def failure(read, text):
    with pytest.raises(TheoryError) as caught:
        read(text, "a file")
    (problem,) = caught.value.diagnostics
    assert (problem.code, problem.span.file) == ("HB005", "a file")
    return problem.message, (problem.span.line, problem.span.column)


# Names


def test_columns_are_named_without_i_and_go_on_after_z():
    names = [column_name(column) for column in range(52)]
    assert "".join(names[:25]) == "abcdefghjklmnopqrstuvwxyz"
    assert names[25:27] + names[49:] == ["aa", "ab", "az", "ba", "bb"]


@given(boards())
def test_every_point_is_found_by_its_name(board):
    assert [board.point(board.name(point).upper()) for point in board.points()] == list(board.points())


@pytest.mark.parametrize("name", ["i1", "d1", "a4", "a0", "a01", "1a", "", "a", "c3 ", "aaa1"])
def test_a_name_beyond_the_board_is_refused(name):
    with pytest.raises(BoardError, match="is not a point of this board: they are a1 to c3"):
        GoBoard(3, 3, ("empty",) * 9).point(name)


# Boards


def test_blocks_know_their_stones_liberties_and_contacts():
    board = parse_diagram(". X X O\n. O X .\n. . O .")
    shown = {
        board.name(min(block.stones)): (
            block.colour,
            *(sorted(map(board.name, points)) for points in (block.stones, block.liberties, block.contacts)),
        )
        for block in board.blocks
    }
    assert shown == {
        "c1": ("white", ["c1"], ["b1", "d1"], ["c2"]),
        "b2": ("white", ["b2"], ["a2", "b1"], ["b3", "c2"]),
        "c2": ("black", ["b3", "c2", "c3"], ["a3", "d2"], ["b2", "c1", "d3"]),
        "d3": ("white", ["d3"], ["d2"], ["c3"]),
    }


def test_a_block_without_liberties_is_no_position():
    with pytest.raises(BoardError, match="the white block at a1 has no liberty"):
        GoBoard(1, 2, ("white", "black"))


@pytest.mark.parametrize(
    ("diagram", "reason"),
    [
        (KO.replace("ko: c3", "ko: a1"), "no capture can have led to a ko at a1"),
        (KO.replace("ko: c3", "ko: c2"), "no capture can have led to a ko at c2"),
        (KO.replace("3 . X . X O", "3 . X . X ."), "no capture can have led to a ko at c3"),
        (KO.replace("3 . X . X O", "3 . O . X O"), "no capture can have led to a ko at c3"),
        (KO.replace("white", "black"), "black has just captured at c3 and cannot be to play"),
        (
            KO.replace("ko: c3", "ko: f3"),
            "`f3` is not a point of this board: they are a1 to e5, without the letter i",
        ),
    ],
)
def test_a_ko_that_no_capture_left_is_no_position(diagram, reason):
    assert failure(parse_diagram, diagram) == (reason, (2, 1))


def test_ko_bans_who_would_retake():
    board = parse_diagram(KO)
    assert (board.name(board.ko), board.banned, board.to_play) == ("c3", "white", "white")


@pytest.mark.parametrize(("rows", "columns"), [(0, 1), (1, 53), (-1, -1)])
def test_a_board_of_an_impossible_size_is_refused(rows, columns):
    with pytest.raises(BoardError, match="a board has 1 to 52 rows and columns"):
        GoBoard(rows, columns, ())


# Diagrams


@pytest.mark.deep
@given(boards(52))
def test_a_printed_diagram_is_read_as_the_same_board(board):
    assert parse_diagram(print_diagram(board)) == board


def test_a_diagram_with_a_ko_is_printed_as_it_was_written():
    assert print_diagram(parse_diagram(KO)) == KO


@pytest.mark.parametrize(
    "text",
    [
        "..X\nO..",
        "\n  . . X \n\n  o , + % white on a1\n",
        "2 ++@ 2\n1 O++ 1\n  abc",
        "  A B C\n2 . . # 2\n1 O . . 1\n  A B C",
    ],
)
def test_diagrams_may_be_written_in_many_ways(text):
    assert parse_diagram(text) == parse_diagram("2 . . X\n1 O . .")


def test_a_board_of_one_row():
    board = parse_diagram(". . O . .")
    assert [board.name(point) for point in board.points()] == ["a1", "b1", "c1", "d1", "e1"]
    assert [len(list(board.neighbours(point))) for point in board.points()] == [1, 2, 2, 2, 1]


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("", "there is no board here", (1, 1)),
        ("% nothing\n\n", "there is no board here", (1, 1)),
        ("3", "there is no board here", (1, 1)),
        (". .\n. Q", "unexpected character `Q`", (2, 3)),
        (". .\n. . .", "a row of 3 points below rows of 2", (2, 1)),
        ("2 . .\n2 . .", "row 1 is numbered 2", (2, 1)),
        (". . 2\n. . 3", "row 1 is numbered 3", (2, 5)),
        (". 2 .", "this is not a row of a board", (1, 1)),
        (". .\na c", "these are not the letters of the columns", (2, 1)),
        ("to play: red\n. .", "`red` is not a player", (1, 10)),
        ("komi: 7\n. .", "unknown heading `komi`", (1, 1)),
        ("X O", "the black block at a1 has no liberty", (1, 1)),
        ("." * 53, "a board has 1 to 52 rows and columns, not 1 and 53", (1, 1)),
    ],
)
def test_a_wrong_diagram_is_refused_at_its_place(text, message, place):
    assert failure(adapter.read, text) == (message, place)


# SGF


@given(boards(26, square=True))
def test_a_written_sgf_is_read_as_the_same_board(board):
    assert parse_sgf(print_sgf(board, comment="a ] and a \\")) == board


def test_moves_of_a_record_lead_to_its_position_with_captures_and_ko():
    text = (EXAMPLES / "ko.sgf").read_text(encoding="utf-8")
    assert adapter.read(text, "ko.sgf") == parse_diagram(KO)
    assert parse_sgf(text, node=8) == parse_diagram("to play: black\n.....\n..XO.\n.XO.O\n..XO.\n.....")


@pytest.mark.parametrize("after", [";W[]", ";W[tt]", ";PL[B]", ";AW[ae]", ";W[aa]"])
def test_a_ko_lasts_no_longer_than_one_move(after):
    text = (EXAMPLES / "ko.sgf").read_text(encoding="utf-8").rstrip()
    assert parse_sgf(text.removesuffix(")") + after + ")").ko is None


def test_only_the_main_line_is_read():
    board = parse_sgf("(;SZ[5];B[aa](;W[bb])(;W[cc];B[dd]))")
    assert board == parse_diagram("to play: black\nX....\n.O...\n.....\n.....\n.....")


def test_the_moves_below_a_problem_are_its_answer_and_are_not_read():
    text = "(;SZ[2]AB[ab]AW[bb]PL[W](;W[aa])(;W[ba]))"
    assert parse_sgf(text) == parse_diagram("to play: white\n. .\nX O")
    assert parse_sgf(text, node=1) == parse_diagram("to play: black\nO .\n. O")


def test_handicap_stones_make_no_problem():
    assert parse_sgf("(;SZ[3]HA[2]AB[aa][cc];W[bb])") == parse_diagram("to play: black\nX..\n.O.\n..X")


def test_a_byte_order_mark_and_space_before_an_sgf_do_not_matter():
    assert adapter.read("\ufeff \n(;SZ[2]AW[ab])", "x") == parse_diagram("..\nO.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(", "there is no game tree here"),
        ("(;SZ[5:1])", "a board of size `5:1` cannot be read"),
        ("(;SZ[1])", "a board of size `1` cannot be read"),
        ("(;SZ[99])", "a board of size `99` cannot be read"),
        ("(;SZ[5]AB[zz])", "node 0 of the main line does not fit: a stone stands on another or beyond the board"),
        ("(;SZ[5];B[aa];W[aa])", "node 2 of the main line does not fit: a stone stands on another or beyond the board"),
        ("(;SZ[2]AB[aa]AW[ab][ba])", "node 0 of the main line does not fit: its setup stones leave a block without a liberty"),
    ],
)  # fmt: skip
def test_a_wrong_sgf_is_refused(text, message):
    assert failure(adapter.read, text)[0] == message


def test_a_node_beyond_the_main_line_is_refused():
    with pytest.raises(TheoryError, match="the main line has 1 node, so there is no node 1"):
        parse_sgf("(;SZ[5])", node=1)


def test_what_sgf_cannot_say_is_refused():
    with pytest.raises(BoardError, match="a board of 1 row and 5 columns cannot be written"):
        print_sgf(parse_diagram(". . O . ."))
    with pytest.raises(BoardError, match="SGF cannot state a ko"):
        print_sgf(parse_diagram(KO))


def test_without_sgfmill_the_way_out_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sgfmill", None)
    monkeypatch.setitem(sys.modules, "sgfmill.sgf", None)
    with pytest.raises(TheoryError, match=r"needs sgfmill(.|\n)*pip install 'hornbook\[go\]'"):
        parse_sgf("(;SZ[5])")


@given(st.text(alphabet="(;)[]\\SZABWPL:aeztoplykc159.XO+%\n \x00²", max_size=60))
def test_no_text_gives_anything_but_a_board_or_a_named_error(text):
    for tried in (text, f"(;SZ[5]{text}", f"(;SZ[5]{text})", f". X\n{text}"):
        try:
            assert isinstance(adapter.read(tried, "a file"), GoBoard)
        except TheoryError as problem:
            codes = {diagnostic.code for diagnostic in problem.diagnostics}
            assert codes == {"HB005"}
