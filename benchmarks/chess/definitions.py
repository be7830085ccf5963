"""Matching of chess rules with definitions evaluated for the whole board, and on demand.

The first quarter of the problems warms up. Every position is queried for one game, and replaces the previous
one in two engines. One has the unchanged rules. In the other, each definition begins with a demand predicate,
which is derived from the conditions that learned rules have matched before it
(`matcher/demand/transformation.py`). Times are medians of processor time; node visits are means. The study
fails if the conclusions of the rules differ.

Usage:

    python -m benchmarks.chess.definitions RULES.horn [--most 120] [--seed 1]
        [--output benchmarks/results/chess-definitions.txt]
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, timed
from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.rules import rulebase
from hornbook.games.solving import ProblemSolver
from hornbook.inputs.theories import load
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.demand.transformation import Pattern, demanded
from hornbook.matcher.program.coded import CodedPredicate, CodedRule, Compare, Fact, PredicateId
from hornbook.theories.chess.domain import DOMAIN
from hornbook.theories.chess.problems.problem import ChessProblem

States = Sequence[frozenset[Fact]]


def main() -> int:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rules", type=Path)
    parser.add_argument("--most", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path)
    this = Study(__file__, parser.parse_args())
    theory = load("chess")
    problems = list(DOMAIN.read_problems(DOMAIN.shipped()))
    Random(this.given.seed).shuffle(problems)
    rules = [each.answering for each in rulebase.read(this.given.rules, theory) if each.is_certified]
    matcher = ProblemSolver(theory, rules).matcher
    states = [state_of(matcher, each) for each in problems[: this.given.most]]
    coding, coded = matcher.base.engine.coding, list(raw_engine(matcher.base).rules.values())
    notified = [n for n, each in enumerate(coding.relations) if each.template.relation.startswith("told ")]
    learned = [rule for rule in coded if rule.head.predicate in notified]
    definitions: dict[PredicateId, list[CodedRule]] = {}
    for rule in coded:
        if rule.head.predicate not in notified:
            definitions.setdefault(rule.head.predicate, []).append(rule)
    numbers: dict[Pattern, PredicateId] = {}
    fewer = demanded(
        definitions,
        # A query without a constant would evaluate every relation that it uses completely.
        [(Compare("=", 0, 0), *rule.body) for rule in learned],
        lambda pattern: numbers.setdefault(pattern, len(coding.predicates) + len(numbers)),
    )
    demands = [CodedPredicate(len(pattern.columns)) for pattern in numbers]
    whole = run(coding.predicates, coded, states, notified)
    less = run([*coding.predicates, *demands], [*learned, *fewer.rules], states, notified)
    lines = [
        f"{len(learned)} coded rules that were learned, {len(states) - len(states) // 4} positions",
        f"{'':<24}{'coded rules':>14}{'milliseconds':>14}{'node visits':>14}{'facts':>10}",
        f"{'whole board':<24}{len(coded):>14,}{1e3 * whole[0]:>14.3f}{whole[1]:>14,.0f}{whole[2]:>10,}",
        (
            f"{'on demand':<24}{len(learned) + len(fewer.rules):>14,}{1e3 * less[0]:>14.3f}{less[1]:>14,.0f}"
            f"{less[2]:>10,}"
        ),
    ]
    return this.finish(
        "\n".join(lines) + "\n", [] if whole[3] == less[3] else ["the rules tell something else"]
    )


def state_of(matcher: RuleMatcher, problem: ChessProblem) -> frozenset[Fact]:
    """Return the given facts of a query about a position's game."""
    query = DOMAIN.query_of(problem)
    matcher.first(DOMAIN.parts(query.state), query.game)
    numbers = range(len(matcher.base.engine.coding.relations))
    return frozenset(
        Fact(number, cells) for number in numbers for cells in raw_engine(matcher.base).given(number)
    )


def run(
    predicates: Sequence[CodedPredicate],
    rules: Sequence[CodedRule],
    states: States,
    predicates_of_learned: Iterable[PredicateId],
) -> tuple[float, float, int, list[frozenset[tuple[int, ...]]]]:
    """Return the seconds per position, the node visits, the final number of facts, and the conclusions
    for each position.
    """
    engine = CompiledEngine(predicates)
    engine.update(add=states[0])
    engine.update(add_rules=rules)
    # Conditions are ordered by the facts present when rules are added, as in a matcher.
    engine = CompiledEngine(predicates, statistics=engine.statistics())
    engine.update(add=states[0])
    engine.update(add_rules=rules)
    warm = len(states) // 4
    seconds, conclusions = [], []
    for before, after in pairwise(states):
        removed, added = engine.group(before - after), engine.group(after - before)
        seconds.append(timed(engine.exchange, [removed], [added])[0])
        conclusions += [engine.facts(number) for number in predicates_of_learned]
    facts = sum(engine.count(number) for number in range(len(predicates)))
    engine.profile(True)
    for after, before in zip(states[-2::-1], states[:0:-1], strict=True):
        engine.update(retract=before - after, add=after - before)
    visits = sum(node.visits for node in engine.profile_report().nodes) / (len(states) - 1)
    return median(seconds[warm:]), visits, facts, conclusions


if __name__ == "__main__":
    sys.exit(main())
