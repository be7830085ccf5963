"""Cost of an answer: positions matched and positions searched, and the time of each, for the same problems.

The query is always whether the attacker, who begins, captures within the number of moves of the solution
(four, if nothing captures). A search deepens move by move until it finds a capture. Rules answer in one
match, and in a chain; a position counts once when it is matched, for any number of rules. GNU Go's `attack`
has no bound on moves; its positions are those that it counts itself.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from benchmarks.go.capture_search import agrees, set_up
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Constant
from hornbook.play.answering.answering import Answerer
from hornbook.play.answering.plays import WithPasses
from hornbook.theories.go.play import chaining
from hornbook.theories.go.problems import CaptureProblem, read_problems
from hornbook.theories.go.problems.lessons import game_of, moves_first
from hornbook.theories.go.reader import CaptureSearch, alpha_beta

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from oracles.go.gnugo_client import PROGRAM, GnuGo

MOST_MOVES = 4
Found = tuple[int | None, int]
"""Capturing move, or None, and the number of positions searched."""


@dataclass(frozen=True, slots=True)
class AnswerWay:
    """Way to answer; `ready` prepares each answer, and is not timed."""

    name: str
    ask: Callable[[CaptureProblem], Found]
    ready: Callable[[CaptureProblem], object] = lambda _: None
    counted: Callable[[], int] | None = None
    """Function that returns the number of positions afterwards, if needed."""


@dataclass(frozen=True, slots=True)
class AnswerCost:
    """Cost of problems of one depth in one way, with the number of `right` answers."""

    way: str
    depth: int | None
    problems: int
    right: int
    positions: list[int]
    first: list[float]
    """The microseconds of the first evaluation of each problem."""
    repeated: list[float]
    """The median of the microseconds of later evaluations; empty if there were none."""


def measured(rules: Path, problems: Path, each: int, levels: int, repeat: int) -> list[dict[str, object]]:
    """Return the cost of `each` problems of each depth in each way, as JSON."""
    chosen = first_of_each_depth(read_problems(problems), each)
    known = load("go")
    certified = [entry.rule for entry in rulebase.read(rules, known) if entry.is_certified]
    answerer = Answerer(known, certified, WithPasses(chaining))
    ways = [by_rules("one match", answerer, 0), by_rules(f"chain of {levels}", answerer, levels)]
    ways += [AnswerWay("alpha-beta", by_alpha_beta), AnswerWay("exhaustive", by_reader)]
    rows = list(costs(ways, chosen, repeat))
    if PROGRAM is not None:
        with GnuGo() as engine:
            rows += costs([by_gnugo(engine)], chosen, repeat)
    return [asdict(row) for row in rows]


def first_of_each_depth(problems: Sequence[CaptureProblem], each: int) -> list[CaptureProblem]:
    seen: Counter[int | None] = Counter()
    chosen = []
    for problem in problems:
        seen[problem.depth] += 1
        if seen[problem.depth] <= each:
            chosen.append(problem)
    return chosen


def costs(ways: Sequence[AnswerWay], problems: Sequence[CaptureProblem], repeat: int) -> Iterator[AnswerCost]:
    """Yield a row for each way and depth, with the times of the first and of repeated evaluation."""
    for way in ways:
        found = _in_passes(way, problems, repeat)
        for depth in sorted({problem.depth for problem in problems}, key=lambda depth: depth or 99):
            some = [each for problem, each in zip(problems, found, strict=True) if problem.depth == depth]
            right, positions, times = zip(*some, strict=True)
            later = [median(each[1:]) for each in times if len(each) > 1]
            yield AnswerCost(
                way.name, depth, len(some), sum(right), list(positions), [each[0] for each in times], later
            )


def _in_passes(
    way: AnswerWay, problems: Sequence[CaptureProblem], repeat: int
) -> list[tuple[bool, int, list[float]]]:
    """Return for each problem whether its answer is right, its positions, and its times.

    Each pass runs all problems before any is repeated, so that no answer is fast because of a recent query.
    """
    times: list[list[float]] = [[] for _ in problems]
    last: list[tuple[bool, int]] = []
    for _ in range(repeat):
        last = []
        for problem, each in zip(problems, times, strict=True):
            way.ready(problem)
            began = time.perf_counter()
            move, positions = way.ask(problem)
            each.append(1e6 * (time.perf_counter() - began))
            last.append((agrees(problem, move), positions if way.counted is None else way.counted()))
    return [(right, positions, each) for (right, positions), each in zip(last, times, strict=True)]


def by_rules(name: str, answerer: Answerer, levels: int) -> AnswerWay:
    def ask(problem: CaptureProblem) -> Found:
        found = answerer.won(problem.board, game_of(problem), levels)
        if found is None or found.move is None:
            return None, answerer.matched
        point = found.move.terms[-1]
        assert isinstance(point, Constant)
        return problem.board.point(str(point.value)), answerer.matched

    return AnswerWay(name, ask, lambda _: answerer.forget())


def by_alpha_beta(problem: CaptureProblem) -> Found:
    found = alpha_beta(problem.board, problem.target, moves_first(problem) or MOST_MOVES)
    return found.move, found.nodes


def by_reader(problem: CaptureProblem) -> Found:
    reading = CaptureSearch(problem.board, problem.target)
    return reading.best_move(moves_first(problem) or MOST_MOVES), reading.nodes_read


def by_gnugo(engine: GnuGo) -> AnswerWay:
    def ready(problem: CaptureProblem) -> None:
        set_up(engine, problem)
        # GNU Go caches its results.
        engine.ask("clear_cache")
        engine.ask("reset_reading_node_counter")

    def ask(problem: CaptureProblem) -> Found:
        words = engine.ask(f"attack {problem.board.name(problem.target)}").lower().split()
        captures = words[0] != "0" and len(words) > 1
        return problem.board.point(words[1]) if captures else None, 0

    return AnswerWay("GNU Go", ask, ready, lambda: int(engine.ask("get_reading_node_counter")))
