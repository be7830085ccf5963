"""Tests of problem files: the shipped files, round trips, and every mistake with its place."""

from __future__ import annotations

import json

import pytest

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.go.problems import CaptureProblem, jsonl, read_problems, sgf, shipped, write_problems
from hornbook.theories.go.states.board import BoardError


@pytest.fixture(scope="module")
def problems():
    return read_problems(shipped("train"))


def test_the_problems_that_ship(problems):
    assert len(problems) == 448
    depths = [problem.depth for problem in problems]
    assert {depth: depths.count(depth) for depth in (1, 3, 5, 7, None)} == {
        1: 60, 3: 110, 5: 100, 7: 78, None: 100,
    }  # fmt: skip
    hundred = read_problems(shipped("hundred"))
    assert hundred == [problem for problem in problems if problem.value != "PP"][:100]


@pytest.mark.parametrize("suffix", [".jsonl", ".sgf"])
def test_what_is_written_is_read_again(suffix, problems, tmp_path):
    path = tmp_path / f"problems{suffix}"
    write_problems(problems, path)
    assert read_problems(path) == problems


def test_a_problem_without_a_solution_is_one_in_both_forms(problems):
    plain = CaptureProblem(problems[0].id, problems[0].board, problems[0].target)
    assert jsonl.parse_problems(jsonl.print_problems([plain])) == [plain]
    assert sgf.parse_problems(sgf.print_problems([plain])) == [plain]


LINE = {
    "id": "p1", "size": 5, "black": ["ba", "ab", "bc"], "white": ["bb"], "to_play": "black", "target": "bb",
    "value": "GG", "depth": 1, "depth_defender_first": None, "winning_moves": ["cb"], "best_moves": ["cb"],
    "saving_moves": None,
}  # fmt: skip


def test_rows_are_counted_from_the_top():
    (problem,) = jsonl.parse_problems(json.dumps(LINE))
    assert problem.board.name(problem.target) == "b4"
    assert [problem.board.name(point) for point in problem.winning_moves] == ["c4"]
    assert jsonl.as_json(problem)["rows"] == [".X...", "XO...", ".X...", ".....", "....."]
    assert jsonl.as_json(problem)["liberties"] == ["cb"]


@pytest.mark.parametrize(
    ("changes", "shown", "message"),
    [
        ({"size": "5"}, '"5"', "`size` is a whole number"),
        ({"size": 27}, "27", "a board has 2 to 26 points to a side"),
        ({"size": True}, "true", "`size` is a whole number"),
        ({"black": ["ba", "fz"]}, '["ba", "fz"]', "`fz` is not a point of this board: they are aa to ee"),
        ({"black": ["ba", 3]}, '["ba", 3]', "points of `black` are texts such as `cd`"),
        ({"white": ["bb", "ba"]}, '["bb", "ba"]', "a stone is at ba already"),
        ({"to_play": "blue"}, '"blue"', "`blue` is not a player"),
        ({"target": "ba"}, '"ba"', "the target is no stone of the player who is not to play"),
        ({"value": "XX"}, '"XX"', "`XX` is not a value"),
        ({"value": "PP"}, '"PP"', "a problem of value PP has no winning move and no depth"),
        ({"winning_moves": []}, '"GG"', "a problem of value GG has a winning move and a depth"),
        ({"winning_moves": ["ba"]}, '"GG"', "a stone is at ba, so it is no move"),
        ({"best_moves": ["dd"]}, '"GG"', "the best moves are among the winning moves"),
        ({"id": None}, "{", "`id` is missing"),
        ({"black": ["ba", "ab", "bc", "cb"]}, "{", "the white block at b4 has no liberty"),
    ],
)
def test_a_mistake_is_reported_with_its_place(changes, shown, message):
    text = "\n" + json.dumps({**LINE, **changes}) + "\n"
    with pytest.raises(TheoryError) as caught:
        jsonl.parse_problems(text, "p.jsonl")
    (diagnostic,) = caught.value.diagnostics
    assert message in diagnostic.message
    assert (diagnostic.code, diagnostic.span.file, diagnostic.span.line) == ("HB005", "p.jsonl", 2)
    assert text.splitlines()[1][diagnostic.span.column - 1 :].startswith(shown)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('{"id": "a",', (1, 12), "this is not JSON"),
        ("[1]", (1, 1), "a line holds one object in braces"),
        ("[" * 100_000, (1, 1), "this is nested too deeply"),
        (f"{json.dumps(LINE)}\n{json.dumps(LINE)}", (2, 8), "`p1` is on line 1 already"),
    ],
)
def test_a_line_that_is_no_problem_is_refused(text, place, message):
    with pytest.raises(TheoryError) as caught:
        jsonl.parse_problems(text)
    (diagnostic,) = caught.value.diagnostics
    assert message in diagnostic.message
    assert (diagnostic.span.line, diagnostic.span.column) == place


GOOD = "(;SZ[5]AB[ba][ab][bc]AW[bb]PL[B]TR[bb])"


def test_a_stone_beyond_the_board_has_its_place():
    with pytest.raises(TheoryError, match="does not fit") as caught:
        sgf.parse_problems(f"{GOOD}\n  {GOOD.replace('AW[bb]', 'AW[zz]')}", "p.sgf")
    span = caught.value.diagnostics[0].span
    assert (span.line, span.column) == (2, 3 + GOOD.index("AW"))


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (GOOD.replace("TR[bb]", ""), "a problem marks one stone"),
        (GOOD.replace("PL[B]", ""), "the target is a stone of the player who is not to play"),
        (GOOD.replace("TR[bb]", "TR[ba]"), "the target is a stone of the player who is not to play"),
        (GOOD.replace("TR", "C[value: XY]TR"), "`XY` is not a value"),
        (GOOD.replace("TR", "C[depth: one]TR"), "`one` is not a depth"),
        (GOOD.replace("TR", "C[value: PP\nwinning moves: cb]TR"), "has no winning move"),
        ("(;SZ[5]", "a game tree that begins here does not end"),
    ],
)
def test_a_mistake_in_sgf_is_reported_with_the_beginning_of_its_game_tree(tree, message):
    good = GOOD.replace("TR", "C[a bracket (\\] \\\\]TR")
    with pytest.raises(TheoryError) as caught:
        sgf.parse_problems(f"{good}\n  {tree}", "p.sgf")
    (diagnostic,) = caught.value.diagnostics
    assert message in diagnostic.message
    assert (diagnostic.span.line, diagnostic.span.column) == (2, 3)


def test_a_file_without_a_game_tree_is_refused():
    with pytest.raises(TheoryError, match="there is no game tree here"):
        sgf.parse_problems("nothing")


def test_a_problem_fits_together(problems):
    board = problems[0].board
    with pytest.raises(BoardError, match="the target is a stone"):
        CaptureProblem("p", board, next(point for point in board.points() if board.colours[point] == "empty"))
