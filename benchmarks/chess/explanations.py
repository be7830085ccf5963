"""Effect of the choice of explanation on rules from single examples of chess: size, cost and answers.

A problem that is won at once is an example: its position with its first winning move, and the value of its
game as the goal. Two rules are learned from each: one from the recorded derivations, and one from the
derivations with the fewest conditions. Both sets of rules are then matched on the same held-out problems, in
turn in one process, and answer those that are won at once. An exhaustive search judges moves that a problem
does not list; the study fails if an answer is wrong.

Usage:

    python -m benchmarks.chess.explanations [--each 10] [--matched 100]
        [--output benchmarks/results/chess-explanations.txt]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

from benchmarks import study
from benchmarks.chess.answers import RuleSolver, SolverResult, answers_of
from benchmarks.chess.learning import by_motif
from benchmarks.chess.search import few_of_each
from hornbook.compiler.generalise.cheapest import cheapest_explanation
from hornbook.compiler.generalise.operational import operational_vocabulary
from hornbook.compiler.learn.learner import ProvedExample as Rule
from hornbook.compiler.learn.learner import explanation_of, learn, solve
from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, admit, free_label
from hornbook.compiler.rules.provenance import Provenance
from hornbook.compiler.rules.rulebase import rename
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import WON, Atom, Constant, GameStatement
from hornbook.kb.ast.theory import Theory
from hornbook.theories.chess import adapter
from hornbook.theories.chess.play import question
from hornbook.theories.chess.problems.lessons import game_of_problem, position_of
from hornbook.theories.chess.problems.problem import ChessProblem, parse_problems, shipped
from hornbook.theories.chess.states.notation import parse_move

WAYS = ("recorded", "least")


@dataclass(slots=True)
class LearnedSet:
    """Rules learned in one way."""

    name: str
    base: RuleBase
    seconds: float = 0.0
    learned: list[int] = field(default_factory=list)
    """Number of conditions of the rule of each example that gave one."""
    refused: int = 0
    matched: list[float] = field(default_factory=list)
    """Seconds for each position."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = study.options(__doc__, each=10, matched=100)
    this = study.Study(__file__, parser.parse_args(arguments))
    theory = load("chess")
    examples = few_of_each(at_once("learn"), this.given.each)
    found = [LearnedSet(name, RuleBase(theory.name)) for name in WAYS]
    for problem in examples:
        learn_from(problem, theory, found)
    test_set = at_once("held_out")
    match(theory, found, test_set[: this.given.matched])
    answered = [answers(theory, each, test_set) for each in found]
    body = (
        f"{len(examples)} examples\n\n{sizes(found)}\n\nheld out, solved/unknown/wrong\n{by_motif(answered)}"
    )
    wrong = [each.name for each in answered if each.rows[-1].outcomes["wrong"]]
    return this.finish(body + "\n", wrong, [f"chess {chess.__version__}"])


def at_once(name: str) -> list[ChessProblem]:
    """Return the shipped problems that one move wins."""
    path = shipped(name)
    return [p for p in parse_problems(path.read_text(encoding="utf-8"), str(path)) if p.depth == 1]


def learn_from(problem: ChessProblem, theory: Theory, found: Sequence[LearnedSet]) -> None:
    """Add the rule of an example in each way, unless an existing rule subsumes it."""
    state = position_of(problem)
    action = question.action_of(parse_move(state, problem.best_moves[0]))
    by = Atom(action.relation, tuple(map(Constant, action.values)))
    goal = GameStatement(game_of_problem(problem), by, WON, "before")
    base = solve(theory, [*adapter.facts(state), action], all_proofs=True).base
    if not base.holds(goal):
        return
    for each in found:
        began = time.process_time()
        if each.name == "least":
            explanation = cheapest_explanation(base, goal, operational_vocabulary(theory, goal))
        else:
            explanation = explanation_of(base, goal)
        outcome = learn(explanation, theory)
        each.seconds += time.process_time() - began
        if not isinstance(outcome, Rule):
            each.refused += 1
            continue
        each.learned.append(len(outcome.rule.body))
        origin = Provenance(problem.id, "", "", ())
        entry = RuleEntry(outcome.rule, outcome.certificate, origin)
        each.base = admit(each.base, rename(entry, free_label("rule", each.base))).base


def match(theory: Theory, found: Sequence[LearnedSet], problems: Sequence[ChessProblem]) -> None:
    """Time each position with each set of rules in turn. The first positions are not timed."""
    matchers = [RuleMatcher(theory, question.focus_predicate) for _ in found]
    for matcher, each in zip(matchers, found, strict=True):
        for entry in each.base:
            matcher.add(entry.rule)
    for number, problem in enumerate([problems[0], *problems]):
        state = position_of(problem)
        parts, games = question.parts(state), question.games(state)
        for matcher, each in zip(matchers, found, strict=True):
            began = time.process_time()
            matcher.statements(parts, games)
            if number:
                each.matched.append(time.process_time() - began)


def sizes(found: Sequence[LearnedSet]) -> str:
    """Return a row of figures for each way."""
    head = (
        "explanation",
        "rules",
        "of examples",
        "refused",
        "largest",
        "median",
        "in sum",
        "learn s",
        "match us",
    )
    lines = [head]
    for each in found:
        bodies = [len(entry.rule.body) for entry in each.base]
        lines.append(
            (
                each.name,
                f"{len(bodies)}",
                f"{len(each.learned)}",
                f"{each.refused}",
                f"{max(bodies)}",
                f"{median(bodies):g}",
                f"{sum(bodies):,}",
                f"{each.seconds:.1f}",
                f"{1e6 * median(each.matched):,.0f}",
            )
        )
    return "\n".join(f"{first:<12}" + "".join(f"{cell:>13}" for cell in rest) for first, *rest in lines)


def answers(theory: Theory, rules: LearnedSet, problems: Sequence[ChessProblem]) -> SolverResult:
    """Return the answers of the rules in one match."""
    taught = RuleSolver(theory, rules.base)
    return answers_of(rules.name, problems, lambda problem: taught.answer(problem, 0))


if __name__ == "__main__":
    sys.exit(main())
