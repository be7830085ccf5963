"""Kinds of conditions that keep learned rules from answering problems in one match.

For each predicate, its conditions are removed from all rules, and the rules are matched again on the problems
that they did not answer. The rules are then no longer proved, so their answers only show which conditions are
specific: an answer is `right` if its move is among the winning moves, and `wrong` otherwise. A condition
remains if the rule's variables are not bound without it. The kinds are the derived predicates, the predicates
that count sets, and conditions on all members of a set (`all`). Conditions that only name the stones and
points of a shape remain.

Usage:

    python benchmarks/go/learning/near_misses.py RULES.horn --problems PROBLEMS.jsonl [--output FILE]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from benchmarks.study import Study, options
from hornbook.compiler.generalise.simplification import is_safe
from hornbook.compiler.rules import rulebase
from hornbook.games.solving import ProblemSolver, SolvedProblem
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import All, Atom, Condition, Constant, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.theories.go.problems import CaptureProblem, read_problems

ALL = "all"


@dataclass(frozen=True, slots=True)
class NearMisses:
    """Answers to the unanswered problems after the removal of the conditions of one kind.

    Attributes:
        kind: The predicate of the conditions, or `all`.
        conditions: The number of removed conditions in all rules.
        right: The number of problems with an answer whose move wins.
        wrong: The number of problems with another answer.
    """

    kind: str
    conditions: int
    right: int
    wrong: int


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("rules", type=Path)
    parser.add_argument("--problems", type=Path, required=True)
    this = Study(__file__, parser.parse_args())
    theory = load("go")
    rules = [entry.rule for entry in rulebase.read(this.given.rules, theory) if entry.is_certified]
    captures = [problem for problem in read_problems(this.given.problems) if problem.depth is not None]
    tables = [f"{len(rules)} rules\n"]
    for depth in sorted({problem.depth for problem in captures if problem.depth is not None}):
        problems = [problem for problem in captures if problem.depth == depth]
        left = unanswered(theory, rules, problems)
        if left:
            found = [near_misses(theory, rules, kind, left) for kind in kinds(theory, rules)]
            tables.append(f"depth {depth}: {len(problems)} problems, {len(left)} unanswered in one match")
            tables.append(table(found))
    return this.finish("\n".join(tables))


def table(found: Sequence[NearMisses]) -> str:
    """Return a table of the kinds of conditions, those with most right answers first."""
    lines = [f"{'without':<20}{'conditions':>11}{'right':>7}{'wrong':>7}"]
    for each in sorted(found, key=lambda each: (-each.right, each.wrong)):
        lines.append(f"{each.kind:<20}{each.conditions:>11}{each.right:>7}{each.wrong:>7}")
    return "\n".join(lines) + "\n"


def unanswered(
    theory: Theory, rules: Sequence[Rule], problems: Sequence[CaptureProblem]
) -> list[CaptureProblem]:
    """Return the problems that the rules do not answer in one match."""
    pairs = zip(problems, answers(theory, rules, problems), strict=True)
    return [problem for problem, solved in pairs if solved.first is None]


def kind_of(condition: Condition) -> str | None:
    """Return the predicate of a condition, `all` for one on a set, and None for a comparison."""
    match condition:
        case All():
            return ALL
        case Atom():
            return condition.predicate
    return None


def kinds(theory: Theory, rules: Sequence[Rule]) -> list[str]:
    """Return the kinds of conditions of some rules that describe more than a shape, each once."""
    predicates = theory.vocabulary.predicates
    found = dict.fromkeys(kind_of(condition) for rule in rules for condition in rule.body)
    return [
        kind
        for kind in found
        if kind is not None
        and (kind == ALL or predicates[kind].kind == "derived" or predicates[kind].counts is not None)
    ]


def without(rule: Rule, kind: str) -> Rule:
    """Return a rule without its conditions of a kind; a condition that binds a needed variable remains."""
    for condition in rule.body:
        if kind_of(condition) == kind:
            shorter = replace(rule, body=tuple(each for each in rule.body if each is not condition))
            rule = shorter if is_safe(shorter) else rule
    return rule


def near_misses(
    theory: Theory, rules: Sequence[Rule], kind: str, problems: Sequence[CaptureProblem]
) -> NearMisses:
    """Return what rules without the conditions of a kind answer to problems."""
    shorter = [without(rule, kind) for rule in rules]
    removed = sum(len(rule.body) for rule in rules) - sum(len(rule.body) for rule in shorter)
    right = wrong = 0
    for problem, solved in zip(problems, answers(theory, shorter, problems), strict=True):
        if solved.first is not None:
            *_, point = solved.first.move.terms
            assert isinstance(point, Constant)
            wins = problem.board.point(str(point.value)) in problem.winning_moves
            right, wrong = right + wins, wrong + (not wins)
    return NearMisses(kind, removed, right, wrong)


def answers(theory: Theory, rules: Sequence[Rule], problems: Sequence[CaptureProblem]) -> list[SolvedProblem]:
    """Return the answers of one match of the rules to each problem."""
    return list(ProblemSolver(theory, rules).solve_each(problems))


if __name__ == "__main__":
    sys.exit(main())
