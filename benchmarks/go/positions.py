"""Cost of a position of Go for learned rules, and for the reader's search on the same problems.

The first half of the problems warms up. The other half is new, and is queried twice: the rows "first" and
"repeated" are the two evaluations of the same positions. `problems
solve` queries single positions in the same way, as blocks of one. The matcher of single positions, which
evaluates differences from the position before, has its own row. Tables are
positions after random moves from rotated and mirrored problems, all different and evaluated once. They are
read from texts, and all games or one game of each position are queried.
Then moves next to the block are played on each and taken back by `rules.matcher()`: "one move later, and
back" is the move, its answers, taking it back, and the answers again. Chains begin without cached results.
Full boards are games on 19 × 19, with a query about one of the blocks with few liberties. Times are medians
of processor time; the reader's is that of the least number of moves with a proved capture.

Usage:

    python -m benchmarks.go.positions RULES.horn [--problems FILE] [--boards 60] [--seed 1]
        [--block 1000] [--table 100000]
        [--output benchmarks/results/go-positions.txt]
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter
from typing import Any

import pyarrow

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import hornbook
from benchmarks.study import Study, timed
from hornbook.api.match_states import MatchStates
from hornbook.api.position_matcher import PositionMatcher
from hornbook.compiler.rules import rulebase
from hornbook.games.solving import ProblemSolver
from hornbook.inputs.states import State
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.theories.domain import game
from hornbook.theories.go import adapter
from hornbook.theories.go.domain import DOMAIN
from hornbook.theories.go.play import chaining, question
from hornbook.theories.go.problems.making.games import game as random_game
from hornbook.theories.go.problems.making.games import noisy_move
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.go.reader import depth
from hornbook.theories.go.states.board import PLAYERS, GoBoard
from hornbook.theories.go.states.diagram import print_diagram
from hornbook.theories.go.states.step import step

MOVES = 4
"""Number of moves that are played and taken back from each position."""
MOST = 7
"""Plies of the deepest problems that the reader searches."""
DEPTHS, LEVELS = (5, 7), 2
"""Plies of the problems for chains, and the number of levels."""


def main() -> int:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rules", type=Path)
    parser.add_argument("--problems", type=Path)
    parser.add_argument("--boards", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--block", type=int, default=1_000)
    parser.add_argument("--table", type=int, default=100_000)
    parser.add_argument("--output", type=Path)
    this = Study(__file__, parser.parse_args())
    given, random = this.given, Random(this.given.seed)
    theory = load("go")
    problems = list(DOMAIN.read_problems(given.problems or DOMAIN.shipped()))
    random.shuffle(problems)
    read, base = timed(rulebase.read, given.rules, theory)
    rules = [entry.answering for entry in base if entry.is_certified]
    if not rules:
        sys.exit(
            f"{given.rules}: no rule has a certificate that holds; `hornbook rules verify --renew`"
            " gives new ones"
        )
    began, solver = timed(ProblemSolver, theory, rules)
    first, _ = timed(solver.solve, problems[0])
    queries = [DOMAIN.query_of(problem) for problem in problems]

    def ask(state: GoBoard, about: Atom) -> Any:
        play = solver.answerer.play
        (found,) = solver.answerer.states.first([play.rule_query(play.compact(state), about)])
        return found

    def ask_by_differences(state: GoBoard, about: Atom) -> Any:
        return solver.matcher.first(question.parts(state, question.defender_of(state, about)), about)

    half = len(queries) // 2
    for each in queries[:half]:
        ask(each.state, each.game)
        ask_by_differences(each.state, each.game)
    new, seen = ([timed(ask, each.state, each.game)[0] for each in queries[half:]] for _ in range(2))
    other = [timed(ask_by_differences, each.state, each.game)[0] for each in queries[half:]]
    later = []
    at = hornbook.read_rules(given.rules, theory).matcher()
    for each in queries[half:]:
        at.set(State(theory, "", each.state, adapter))
        at.answers(each.game)
        tried = chaining.attempts(chaining.compact(each.state), each.game)
        moves = [move for move in tried if question.after(each.state, move)]
        for move in random.sample(moves, min(MOVES, len(moves))):
            later.append(timed(there_and_back, at, each.game, move)[0])
    solved = [timed(solver.solve, problem)[0] for problem in problems[half:]]
    searched = [timed(depth, p.board, p.target, (MOST + 1) // 2)[0] for p in problems[half:]]
    boards = list(full_boards(random, given.boards))
    full, again = ([timed(ask, state, about)[0] for state, about in boards] for _ in range(2))
    chained = {
        depth: [timed(solver.solve, p, LEVELS)[0] for p in problems[half:] if p.depth == depth]
        for depth in DEPTHS
    }
    deep = [timed(chain, solver, state, about)[0] for state, about in boards]
    rows: list[tuple[str, float]] = [
        (f"reading and checking {len(rules)} rules", read),
        ("making them ready, and the first answer", began + first),
        ("a position, first", median(new)),
        ("the same, repeated", median(seen)),
        ("the same by differences from the position before", median(other)),
        ("one move later, and back", median(later)),
        ("`solve`, a problem", median(solved)),
        ("a full board of 19 × 19, first", median(full)),
        ("the same, repeated", median(again)),
        *((f"chained {LEVELS} levels, problems of depth {d}", median(took)) for d, took in chained.items()),
        (f"chained {LEVELS} levels, full boards", median(deep)),
        ("the reader, the same problems searched", median(searched)),
    ]
    search = median(searched)
    lines = [f"{'':<50}{'milliseconds':>14}{'× the search':>14}"]
    lines += [f"{name:<50}{1e3 * seconds:>14.3f}{seconds / search:>14.1f}" for name, seconds in rows]
    lines += ["", f"{'':<50}{'µs a position':>14}{'seconds':>14}{'of the clock':>14}"]
    lines += tables(theory, rules, problems, given.block, given.table, random)
    megabytes = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    lines.append(f"\n{len(problems)} problems, {len(boards)} full boards; at most {megabytes:.0f} megabytes")
    return this.finish("\n".join(lines) + "\n")


def tables(
    theory: Theory,
    rules: Sequence[Rule],
    problems: Sequence[CaptureProblem],
    block: int,
    table: int,
    random: Random,
) -> Iterator[str]:
    """Yield the costs of tables of different positions in one process, from texts to answers."""
    positions = islice(different(problems, random), 3 * block + 2 * table)
    texts = iter([(print_diagram(board), f"take({stone})") for board, stone in positions])
    answer = MatchStates(theory, tuple(rules)).ready()
    took, _ = timed(answer, rows(list(islice(texts, block)), with_game=False))
    yield cost("a table, rules made ready", block, took, None)
    for kind, number in (("block", block), ("table", table)):
        for games, with_game in (("one game", True), ("all games", False)):
            some = list(islice(texts, number))
            began = perf_counter()
            took = sum(
                timed(answer, rows(some[first : first + 10_000], with_game=with_game))[0]
                for first in range(0, number, 10_000)
            )
            yield cost(f"a {kind} of {number:,} positions, {games}", number, took, perf_counter() - began)


def rows(texts: Sequence[tuple[str, str]], *, with_game: bool) -> pyarrow.Table:
    columns = {"state": [text for text, _ in texts]}
    return pyarrow.table({**columns, "game": [game for _, game in texts]} if with_game else columns)


def cost(name: str, positions: int, took: float, clock: float | None) -> str:
    shown = "" if clock is None else f"{clock:>14.2f}"
    return f"{name:<50}{1e6 * took / positions:>14.1f}{took:>14.2f}{shown}"


def different(problems: Sequence[CaptureProblem], random: Random) -> Iterator[tuple[GoBoard, str]]:
    """Yield different positions after moves from problems, each with a stone of a block."""
    seen: set[tuple[int, tuple[str, ...]]] = set()
    while True:
        board = seen_from_elsewhere(random.choice(problems).board, random)
        for _ in range(random.randrange(4)):
            points = [point for point in board.points() if board.colours[point] == "empty"]
            after = step(board, random.choice(PLAYERS), random.choice(points), None)
            board = board if after is None else replace(after, ko=None)
        if board.blocks and (board.rows, board.colours) not in seen:
            seen.add((board.rows, board.colours))
            yield board, board.name(min(random.choice(board.blocks).stones))


def seen_from_elsewhere(board: GoBoard, random: Random) -> GoBoard:
    """Return a board that is mirrored and has its axes exchanged, each at random."""
    lines = [board.colours[row * board.columns :][: board.columns] for row in range(board.rows)]
    if random.random() < 0.5:
        lines.reverse()
    if random.random() < 0.5:
        lines = [line[::-1] for line in lines]
    if random.random() < 0.5:
        lines = list(zip(*lines, strict=True))
    return GoBoard(len(lines), len(lines[0]), tuple(colour for line in lines for colour in line))


def there_and_back(at: PositionMatcher, about: Atom, move: Any) -> None:
    at.play(move)
    if not chaining.is_over(chaining.compact(at.state.value), about):
        at.answers(about)
    at.undo()
    at.answers(about)


def chain(solver: ProblemSolver, state: GoBoard, about: Atom) -> None:
    """Search for a capture by chains of matches, without cached results."""
    solver.answerer.forget()
    solver.answerer.won(state, about, LEVELS)


def full_boards(random: Random, number: int) -> Iterator[tuple[GoBoard, Atom]]:
    """Yield boards late in random games, each with a block of at most three liberties."""
    for _ in range(number):
        played: Sequence[GoBoard] = list(random_game(19, random, noisy_move))
        state = played[-1 - len(played) // 6]
        weak = [block for block in state.blocks if len(block.liberties) <= 3]
        if weak:
            yield state, game("take", state.name(min(random.choice(weak).stones)))


if __name__ == "__main__":
    sys.exit(main())
