"""Tests of generated problems: the seed determines them, all are different, and their solutions are correct."""

from __future__ import annotations

import shutil
import sys
from random import Random

import pytest

from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.theories.go.problems import CaptureProblem, read_problems, shipped
from hornbook.theories.go.problems.making.canonical import canonical
from hornbook.theories.go.problems.making.games import GtpProgram, game
from hornbook.theories.go.problems.making.generator import GenerationPlan, generate
from hornbook.theories.go.problems.making.solution import solved
from hornbook.theories.go.problems.making.variations import variation
from hornbook.theories.go.reader import CaptureSearch
from hornbook.theories.go.states.board import Colour, GoBoard
from hornbook.theories.go.states.diagram import parse_diagram
from oracles.go.capture_twin import OTHER, Twin, random_position

GNUGO = shutil.which("gnugo", path="/usr/games") or shutil.which("gnugo")
PLAN = GenerationPlan(12, 3, sizes=(5,), depths=(1, 3, None))
SOURCES = tuple(p for p in read_problems(shipped("hundred")) if p.size == 7 and (p.depth or 0) <= 3)[:10]


@pytest.fixture(scope="module")
def made():
    return list(generate(PLAN))


def test_so_many_are_made_and_each_depth_has_its_share(made):
    assert [sum(problem.depth == depth for problem in made) for depth in PLAN.depths] == [4, 4, 4]
    assert all(problem.size == 5 and 1 <= len(problem.block.liberties) <= 4 for problem in made)
    assert len({problem.id for problem in made}) == len({canonical(problem) for problem in made}) == 12


def test_the_number_of_processes_changes_nothing(made):
    assert list(generate(PLAN, workers=2)) == made
    assert list(generate(GenerationPlan(12, 4, sizes=(5,), depths=(1, 3, None)))) != made


def test_short_solutions_are_those_of_the_plain_search(made):
    for problem in made:
        if problem.depth not in (1, 3):
            continue
        text = "".join({"black": "X", "white": "O", "empty": "."}[colour] for colour in problem.board.colours)
        twin = Twin(problem.size, problem.target, OTHER[text[problem.target]])
        assert [bool(twin.winning(text, None, k)) for k in (1, 2)] == [problem.depth == 1, True]
        assert twin.winning(text, None, (problem.depth + 1) // 2) == set(problem.best_moves)


def symmetric(board: GoBoard, number: int) -> list[int]:
    """Return the source of each point of a square board under one of the eight symmetries."""
    size = board.rows

    def source(row: int, column: int) -> int:
        row, column = (column, row) if number & 1 else (row, column)
        row = size - 1 - row if number & 2 else row
        column = size - 1 - column if number & 4 else column
        return row * size + column

    return [source(*divmod(point, size)) for point in board.points()]


@pytest.mark.parametrize("number", range(8))
def test_turned_mirrored_and_with_colours_exchanged_it_is_the_same_problem(number):
    problem = SOURCES[0]
    board, source = problem.board, symmetric(problem.board, number)
    other = {"black": "white", "white": "black", "empty": "empty"}
    colours = tuple(other[board.colours[point]] for point in source)
    turned = GoBoard(board.rows, board.columns, colours, None, problem.defender)  # type: ignore[arg-type]
    same = CaptureProblem("x", turned, source.index(max(problem.block.stones)))
    assert canonical(same) == canonical(problem)
    assert canonical(SOURCES[1]) != canonical(problem)


def test_variations_differ_from_their_problem_by_a_few_stones_near_the_target():
    random = Random(5)
    kinds = set()
    for source in SOURCES:
        for _ in range(20):
            board = variation(source, random)
            if board is not None:
                pairs = list(zip(board.colours, source.board.colours, strict=True))
                assert sum(new != old for new, old in pairs) <= 6
                assert board.colours[source.target] == source.defender
                kinds.add(sum(new != "empty" for new, _ in pairs) - sum(old != "empty" for _, old in pairs))
    assert kinds >= {-1, 0, 1}


def test_variations_are_solved_anew_and_none_is_its_source():
    made = list(generate(GenerationPlan(6, 1, depths=(1, 3, None), sources=SOURCES)))
    assert len(made) == 6
    assert all(problem.id.startswith("t") for problem in made)
    assert not {canonical(problem) for problem in made} & {canonical(source) for source in SOURCES}
    for problem in made:
        assert CaptureSearch(problem.board, problem.target).captured_within(2) == (problem.depth in (1, 3))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.id)
def test_solutions_are_those_of_the_problems_that_ship(source):
    """The escape of a block may be too hard to decide here, so that GP becomes GI.

    A source value GI may be decided here.
    """
    again = solved(source.id, source.board, source.target)
    assert again is not None
    assert again.value in {"GG": ["GG"], "GP": ["GP", "GI"], "GI": ["GI", "GP", "GG"]}[source.value or ""]
    assert (again.depth, again.winning_moves, again.best_moves) == (
        source.depth,
        source.winning_moves,
        source.best_moves,
    )


def test_a_capture_that_rests_on_a_ko_is_no_problem():
    random, found = Random(8), 0
    for _ in range(400):
        text, _, _ = random_position(random, 4, 5, random.randint(10, 30))
        names: dict[str, Colour] = {"X": "black", "O": "white", ".": "empty"}
        board = GoBoard(4, 5, tuple(names[letter] for letter in text))
        for target in (point for point in board.points() if text[point] != "."):
            readings = [CaptureSearch(board, target, ko) for ko in ("kept", "defender ignores")]
            if len({reading.captured_within(3) for reading in readings}) == 2:
                found += 1
                assert solved("x", board, target) is None
    assert found > 3


def test_a_depth_that_is_not_expected_is_not_solved():
    problem = SOURCES[0]
    assert solved("x", problem.board, problem.target, {problem.depth}) is not None
    assert solved("x", problem.board, problem.target, {1, 3, 5, 7, 9, None} - {problem.depth}) is None


@pytest.mark.judges
@pytest.mark.skipif(GNUGO is None, reason="gnugo is not installed")
def test_an_engine_plays_some_of_the_moves():
    assert GNUGO is not None
    with GtpProgram([GNUGO, "--mode", "gtp", "--level", "0"]) as engine:
        board = parse_diagram("3 . X .\n2 X O .\n1 . X .")
        empty = [point for point in board.points() if board.colours[point] == "empty"]
        assert engine.choose(board, "black", empty, None, Random(2)) == board.point("c2")
        boards = list(game(5, Random(1), engine.choose))
    assert len(boards) >= 8


def test_an_engine_that_is_not_there_is_reported():
    with pytest.raises(FileNotFoundError, match="there is no such Go program"):
        GtpProgram(["no-such-program"])


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("import time; time.sleep(30)", "does not answer `boardsize 3` within 0.5 seconds"),
        ("while True: print('y')", "says too much: is it one that plays by GTP"),
        ("while True: print('y', end='')", "says too much: is it one that plays by GTP"),
        ("", "answers `boardsize 3` with ``"),
        ("print('\\xff' * 1000, '\\n')", "answers `boardsize 3` with `"),
        (
            "[print('= z99\\n', flush=True) for line in __import__('sys').stdin]",
            "`z99` is not a point of this board",
        ),
    ],
)
def test_a_program_that_plays_no_go_is_reported_in_time(program, message):
    board = parse_diagram("3 . X .\n2 X O .\n1 . X .")
    with (
        pytest.raises(HornbookError) as caught,
        GtpProgram([sys.executable, "-c", program], seconds=0.5 if "sleep" in program else 20) as engine,
    ):
        engine.choose(board, "black", [0], None, Random(2))
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_program_that_ended_before_it_was_queried_is_reported():
    board = parse_diagram("3 . X .\n2 X O .\n1 . X .")
    ended = GtpProgram([sys.executable, "-c", ""])
    ended._process.wait()
    with pytest.raises(HornbookError, match="the Go program answers `boardsize 3` with ``"), ended:
        ended.choose(board, "black", [0], None, Random(2))
