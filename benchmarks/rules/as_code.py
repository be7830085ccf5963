"""Savings by compiled rules: positions matched by the engine and by the program of `hornbook rules compile`.

The first half of the problems warms up. Each position of the other half, which is new, is queried once
by both, and then again. For Go, moves are then played on each, queried, and taken back ("one move later,
and back"). Full boards are queried too: games on 19 × 19, each with a block with few liberties. Times
are medians of processor time of `PositionMatcher.answers`, including the facts of a position. Returns 1
if an answer differs.

Usage:

    python -m benchmarks.rules.as_code RULES.horn --theory go [--problems FILE] [--most 400] [--seed 1]
        [--output FILE]
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import hornbook
from benchmarks.go.positions import full_boards
from benchmarks.study import Study, options, timed
from hornbook.games.rules_as_code import build, compiled, write
from hornbook.inputs.domains import the_domain
from hornbook.inputs.states import State
from hornbook.theories.go.play import chaining, question

MOVES = 4
"""Number of moves that are played and taken back from each position."""


def main() -> int:
    parser = options(__doc__, most=400, boards=30, seed=1)
    parser.add_argument("rules", type=Path)
    parser.add_argument("--theory", default="go")
    parser.add_argument("--problems", type=Path)
    this = Study(__file__, parser.parse_args())
    given, random = this.given, Random(this.given.seed)
    theory = hornbook.read_theory(given.theory)
    domain = the_domain(theory, "what is asked")
    problems = list(domain.read_problems(given.problems or domain.shipped()))
    random.shuffle(problems)
    queries = [domain.query_of(each) for each in problems[: given.most]]
    rules = hornbook.read_rules(given.rules, theory)
    with TemporaryDirectory() as place:
        folder = Path(place)
        writing, (program, example) = timed(compiled, theory, rules.certified)
        writing += timed(write, folder, program, example)[0]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        library = build(folder)
        compiling = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        sizes = (folder / "rules.cpp").stat().st_size, library.stat().st_size
        matchers = {"engine": rules.matcher(), "compiled": rules.matcher(compiled=folder)}
    wrong = 0

    def both(rows: dict[str, list[tuple[float, ...]]], name: str, ask: Callable[[Any], Any]) -> None:
        nonlocal wrong
        order = list(matchers) if random.random() < 0.5 else list(matchers)[::-1]
        results = {which: timed(ask, matchers[which]) for which in order}
        rows.setdefault(name, []).append(tuple(results[which][0] for which in matchers))
        wrong += list(map(str, results["engine"][1])) != list(map(str, results["compiled"][1]))

    def one(state: Any, game: Any) -> Callable[[Any], list[Any]]:
        def ask(matcher: Any) -> list[Any]:
            matcher.set(State(theory, "", state, domain.adapter))
            return matcher.answers(game)  # type: ignore[no-any-return]

        return ask

    rows: dict[str, list[tuple[float, ...]]] = {}
    half = len(queries) // 2
    for each in queries[:half]:
        both({}, "", one(each.state, each.game))
    for name in ("a position not seen before", "a position seen before"):
        for each in queries[half:]:
            both(rows, name, one(each.state, each.game))
    if given.theory == "go":
        for each in queries[half:]:
            for matcher in matchers.values():
                one(each.state, each.game)(matcher)
            tried = chaining.attempts(chaining.compact(each.state), each.game)
            moves = [move for move in tried if question.after(each.state, move)]
            for move in random.sample(moves, min(MOVES, len(moves))):
                both(rows, "one move later, and back", there_and_back(each.game, move))
        boards = list(full_boards(random, given.boards))
        for name in ("a full board of 19 × 19, not seen before", "the same, seen before"):
            for state, game in boards:
                both(rows, name, one(state, game))
    compiler = f"{os.environ.get('CXX') or 'c++'} {os.environ.get('CXXFLAGS') or '-O2'}"
    lines = [
        f"{len(program.answering)} rules, {len(program.defining)} definitions",
        f"written in {writing:.1f} s, {sizes[0] / 1e6:.1f} MB",
        f"compiled by `{compiler}` in {compiling:.1f} s, {sizes[1] / 1e6:.1f} MB",
        "",
        f"{'milliseconds':<44}{'engine':>10}{'compiled':>10}{'ratio':>8}",
        *(_line(name, times) for name, times in rows.items()),
        "",
        f"{sum(map(len, rows.values()))} questions, {wrong} answered in another way",
    ]
    return max(this.finish("\n".join(lines) + "\n"), int(wrong > 0))


def there_and_back(game: Any, action: Any) -> Callable[[Any], list[Any]]:
    def ask(matcher: Any) -> list[Any]:
        matcher.play(action)
        is_over = chaining.is_over(chaining.compact(matcher.state.value), game)
        later = [] if is_over else matcher.answers(game)
        matcher.undo()
        return [*later, *matcher.answers(game)]

    return ask


def _line(name: str, times: Iterable[tuple[float, ...]]) -> str:
    engine, compiled_too = (1e3 * median(column) for column in zip(*times, strict=True))
    return f"{name:<44}{engine:>10.3f}{compiled_too:>10.3f}{engine / compiled_too:>8.1f}"


if __name__ == "__main__":
    sys.exit(main())
