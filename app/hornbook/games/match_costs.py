"""Cost of matching learned rules, rule by rule, from problems or a profile, and its storage.

The time of a condition shared by several rules is divided equally among them. The time of unfolded
definitions is not attributed. Profiling takes time itself, so the costs are overestimates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hornbook.games.solving import ProblemSolver
from hornbook.kb.ast.terms import Rule
from hornbook.kb.lower.coding import CodedRuleId
from hornbook.kb.store import Benchmark, Store
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.profile import Profile


@dataclass(frozen=True, slots=True)
class Costs:
    """The mean seconds that a match of one state takes for each rule, over `states` states."""

    seconds: dict[str, float]
    states: int


def costs_of(found: Profile, rule_of: Callable[[CodedRuleId], Rule], states: int) -> Costs:
    """Return the costs in a profile of `states` states."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for each in found.rules():
        assert isinstance(each.rule, CodedRuleId)
        seconds[rule_of(each.rule).name] += each.seconds / max(states, 1)
    return Costs(dict(seconds), states)


def costs_on_problems(solver: ProblemSolver, rules: Sequence[Rule], problems: Sequence[Any]) -> Costs:
    """Return the costs of matching each problem alone, without chains; the rules are those of the solver."""
    if not problems:
        return Costs({}, 0)
    # The engine orders the rules when it sees the first position.
    solver.solve(problems[0])
    solver.matcher.state.at_parts(())  # forget the position, since it would not be matched again
    base = solver.matcher.base
    states, profile = base.engine.profile(lambda: sum(solver.solve(problem).matched for problem in problems))
    costs = costs_of(profile, lambda rule: base.rules[rule.index], states)
    return replace(costs, seconds={rule.name: costs.seconds.get(rule.name, 0.0) for rule in rules})


def store_costs(store: Store, theory: str, found: Costs) -> None:
    """Store the costs of the rules that the store has, and retain their savings."""
    known = store.benchmarks(theory)
    names = {rule.name for rule in store.rules(theory)}
    with store.transaction():
        for name in names & found.seconds.keys():
            old = known.get(name, Benchmark(0.0, 0.0, 0))
            new = replace(old, match_seconds=found.seconds[name], states=found.states, measured="")
            store.put_benchmark(name, new, theory)
