"""Cost of a chess position for learned rules, and for the theory's rules of single moves.

The first part of the problems warms up. The other positions, which are all new, are queried once and then
again. Then each is queried after a legal move, and unchanged; "one move later, and back" is both. Rows that
say so query all games of a position at once. Times are medians of processor time.

Usage:

    python -m benchmarks.chess.positions RULES.horn [--problems FILE] [--most 600] [--seed 1]
        [--output benchmarks/results/chess-positions.txt]
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, timed
from hornbook.compiler.match.position import IncrementalState, RuleMatcher
from hornbook.compiler.rules import rulebase
from hornbook.games.solving import ProblemSolver
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.theories.chess.domain import DOMAIN
from hornbook.theories.chess.play import question
from hornbook.theories.chess.problems.problem import ChessProblem
from hornbook.theories.chess.states.position import ChessPosition

WARMING = 1 / 4


def main() -> int:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rules", type=Path)
    parser.add_argument("--problems", type=Path)
    parser.add_argument("--most", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path)
    this = Study(__file__, parser.parse_args())
    given, random = this.given, Random(this.given.seed)
    theory = load("chess")
    problems = list(DOMAIN.read_problems(given.problems or DOMAIN.shipped()))
    random.shuffle(problems)
    problems = problems[: given.most]
    read, base = timed(rulebase.read, given.rules, theory)
    rules = [entry.answering for entry in base if entry.is_certified]
    if not rules:
        sys.exit(
            f"{given.rules}: no rule has a certificate that holds; `hornbook rules verify --renew`"
            " gives new ones"
        )
    warm = int(WARMING * len(problems))
    rows = [
        (f"reading and checking {len(rules)} rules", read),
        *costs(theory, rules, problems[:warm], problems[warm:], random),
    ]
    lines = [f"{'':<48}{'milliseconds':>14}"]
    lines += [f"{name:<48}{1e3 * seconds:>14.3f}" for name, seconds in rows]
    lines.append(f"\n{len(problems) - warm} positions after {warm} that warm up")
    return this.finish("\n".join(lines) + "\n")


def costs(
    theory: Theory,
    rules: Sequence[Rule],
    first: Sequence[ChessProblem],
    then: Sequence[ChessProblem],
    random: Random,
) -> list[tuple[str, float]]:
    """Return the measures with the medians of their seconds. The problems `first` warm up."""
    began, solver = timed(ProblemSolver, theory, rules)
    answered, _ = timed(solver.solve, first[0])
    queries = [(each.state, each.game) for each in map(DOMAIN.query_of, (*first, *then))]
    for each in queries[: len(first)]:
        ask(solver.matcher, *each)
    others = queries[len(first) :]
    new, seen = ([timed(ask, solver.matcher, *each)[0] for each in others] for _ in range(2))
    by_game: defaultdict[str, list[float]] = defaultdict(list)
    for (_, game), seconds in zip(others, new, strict=True):
        by_game[game.predicate].append(seconds)
    later = [
        timed(there_and_back, solver.matcher, *each, move)[0]
        for each in others
        for move in moves(random, *each)
    ]
    every = [timed(ask_all, solver.matcher, state)[0] for state, _ in others]
    return [
        ("making them ready, and the first answer", began + answered),
        ("a position not seen before", median(new)),
        *((f"  of these, asked about {game}", median(found)) for game, found in sorted(by_game.items())),
        ("a position seen before", median(seen)),
        ("one move later, and back", median(later)),
        ("every game of a position", median(every)),
        ("`solve`, a problem", median(timed(solver.solve, each)[0] for each in then)),
        (
            "the theory without learned rules, a position",
            median(theory_seconds(theory, queries)[len(first) :]),
        ),
    ]


def ask(matcher: RuleMatcher, state: ChessPosition, game: Atom) -> Any:
    return matcher.first(question.parts(state), game)


def ask_all(matcher: RuleMatcher, state: ChessPosition) -> Any:
    return matcher.conclusions(question.parts(state), question.games(state))


def moves(random: Random, state: ChessPosition, game: Atom) -> Iterable[ChessPosition]:
    """Return the position after a random legal move that leaves the game open, as a list of at most one."""
    found = [m for m in question.moves(state) if question.followed(state, game, m) == game]
    return [question.after(state, random.choice(found))] if found else []


def there_and_back(matcher: RuleMatcher, state: ChessPosition, game: Atom, later: ChessPosition) -> None:
    ask(matcher, later, game)
    ask(matcher, state, game)


def theory_seconds(theory: Theory, queries: Iterable[tuple[ChessPosition, Atom]]) -> list[float]:
    """Return the seconds for each position with all rules of the theory and no learned rule."""
    states = [question.parts(state) for state, _ in queries]
    measured = KnowledgeBase(theory, derivations="none")
    IncrementalState(measured).at_parts(states[0])
    incremental = IncrementalState(
        KnowledgeBase(theory, derivations="none", statistics=measured.statistics())
    )
    return [timed(incremental.at_parts, parts)[0] for parts in states]


if __name__ == "__main__":
    sys.exit(main())
