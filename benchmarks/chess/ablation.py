"""Value of the clauses of chess about several moments: learning and answers without their files.

Each smaller theory is that of chess without some clauses; rules that use their predicates conclude nothing
then. Definitions that `replies` need (such as `owner`) are kept. Rules are learned from `--sample` shipped
problems of each motif. They answer `--each` held-out problems of each motif and depth that can be won, in one
match and in chains of one level. The last row is the theory without any of those files, with captures for
good described by the position after the capture (`taking.horn`). It is learned with predicate invention:
predicates about the state after a move are invented, with proved lemmas. An exhaustive search judges moves
that a problem does not list; the study fails if an answer is wrong.

Usage:

    python -m benchmarks.chess.ablation [--sample 20] [--each 20] [--two 6]
        [--output benchmarks/results/chess-ablation.txt]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

import hornbook
from benchmarks import study
from benchmarks.chess.answers import RuleSolver, SolverResult, answers_of
from benchmarks.chess.learning import by_motif, learned, some
from benchmarks.chess.search import few_of_each
from hornbook.compiler.learn.invention import invent_predicates
from hornbook.compiler.learn.lessons import Problem
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.trust.kinds import Kind, kinds
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import GameStatement, Rule, predicate_of, statements
from hornbook.kb.ast.theory import Theory
from hornbook.theories.chess.play import tactics
from hornbook.theories.chess.problems.problem import ChessProblem, parse_problems, shipped

MOMENT_FILES = ("prospects", "forks", "escort")
LEVELS = (0, 1)
OF_TWO_MOVES = 6
"""Default number of two-move problems of each motif for predicate invention; each takes about a second."""


@dataclass(frozen=True, slots=True)
class Smaller:
    """Theory with clauses left out, the rules learned with it, and its answers at each level."""

    name: str
    clauses: int
    rules: int
    conditions: int
    most: int
    seconds: float
    answered: tuple[SolverResult, ...]


def theories(theory: Theory) -> Iterator[tuple[str, Theory]]:
    """Yield the whole theory, and the smaller ones."""
    yield "whole", theory
    yield "no mates", without(theory, "prospects", claims=True)
    yield "no forks", without(theory, "forks")
    yield "no escort", without(theory, "escort")
    yield "none of them", without(theory, *MOMENT_FILES)


def without(theory: Theory, *files: str, claims: bool = False) -> Theory:
    """Return a theory without these files, or without the claims in them, but with the predicates
    that `replies` use.
    """
    used = reply_words(theory)

    def left_out(rule: Rule, kind: Kind) -> bool:
        needed = kind == "definition" and predicate_of(rule.head) in used
        return Path(rule.span.file).stem in files and not needed and (kind == "claim" or not claims)

    of = zip(theory.rules, kinds(theory), strict=True)
    return replace(theory, rules=tuple(rule for rule, kind in of if not left_out(rule, kind)))


def taking(theory: Theory) -> Theory:
    """Return the theory without any of the files, with captures for good described by a position."""
    assert theory.path is not None
    return without(load(theory.path.parent / "ahead" / "taking.horn"), *MOMENT_FILES)


def reply_words(theory: Theory) -> frozenset[str]:
    """Return the predicates that `replies` use, through definitions."""
    of = list(zip(theory.rules, kinds(theory), strict=True))
    found: set[str] = set()
    todo = {
        predicate_of(statement)
        for replies in theory.replies
        for case in replies.cases
        for statement in statements([*case.conditions, *(() if case.unless is None else (case.unless,))])
    }
    while todo:
        found |= todo
        read = (rule.body for rule, kind in of if kind == "definition" and predicate_of(rule.head) in todo)
        todo = {predicate_of(each) for body in read for each in statements(body)} - found
    return frozenset(found)


def tried(
    name: str,
    theory: Theory,
    lessons: Sequence[Problem],
    problems: Sequence[ChessProblem],
    learn: Callable[[Theory, Sequence[Problem]], Found],
) -> Smaller:
    began = time.process_time()
    theory, base = learn(theory, lessons)
    seconds = time.process_time() - began
    taught = RuleSolver(theory, base)
    answered = tuple(
        answers_of(name, problems, lambda problem, n=level: taught.answer(problem, n), deeper=2 * level)  # type: ignore[misc]
        for level in LEVELS
    )
    sizes = [len(entry.rule.body) for entry in base if isinstance(entry.rule.head, GameStatement)]
    return Smaller(name, len(theory.rules), len(sizes), sum(sizes), max(sizes), seconds, answered)


Found = tuple[Theory, RuleBase]


def as_ever(theory: Theory, lessons: Sequence[Problem]) -> Found:
    return theory, learned(theory, lessons)


def with_invention(theory: Theory, lessons: Sequence[Problem], two: int = OF_TWO_MOVES) -> Found:
    deeper = some((lesson for lesson in lessons if lesson.moves == 2), two)
    found = invent_predicates(
        theory, tactics, [*(lesson for lesson in lessons if lesson.moves == 1), *deeper]
    )
    return found.theory, found.base


def figures(found: Sequence[Smaller]) -> str:
    """Return a row for each theory."""
    lines = [
        (
            f"{'theory':<18}{'clauses':>8}{'rules':>7}{'conditions':>12}{'most':>6}{'learning s':>12}"
            f"{'answering s':>13}"
        )
    ]
    lines += [
        f"{each.name:<18}{each.clauses:>8}{each.rules:>7}{each.conditions:>12}{each.most:>6}{each.seconds:>12.0f}"
        f"{sum(answered.seconds for answered in each.answered):>13.0f}"
        for each in found
    ]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = study.options(__doc__, sample=20, each=20, two=OF_TWO_MOVES)
    parser.add_argument("--only", help="one row alone, by its name")
    this = study.Study(__file__, parser.parse_args(arguments))
    theory, path = load("chess"), shipped("held_out")
    lessons = some(hornbook.read_problems("chess"), this.given.sample)
    test_set = parse_problems(path.read_text(encoding="utf-8"), str(path))
    problems = few_of_each(test_set, this.given.each or len(test_set))

    def learn_with_invention(smaller: Theory, taught: Sequence[Problem]) -> Found:
        return with_invention(smaller, taught, this.given.two)

    found = []
    rows = [(*row, as_ever) for row in theories(theory)]
    for name, smaller, learn in (
        *rows,
        ("foreseen", taking(theory), learn_with_invention),
    ):
        if not this.given.only or name == this.given.only:
            found.append(tried(name, smaller, lessons, problems, learn))
            print(figures(found[-1:]), file=sys.stderr, flush=True)
    tables = [
        f"{title}, solved/unknown/wrong\n{by_motif([each.answered[level] for each in found])}"
        for level, title in enumerate(("in one match", "in chains of one level"))
    ]
    body = (
        f"{len(lessons)} problems to learn from, {len(problems)} held-out ones; {time.process_time():.0f} "
        "seconds of one processor\n\n"
        f"{figures(found)}\n\n" + "\n\n".join(tables)
    )
    wrong = [each.name for one in found for each in one.answered if each.rows[-1].outcomes["wrong"]]
    return this.finish(body + "\n", wrong, [f"chess {chess.__version__}"])


if __name__ == "__main__":
    sys.exit(main())
