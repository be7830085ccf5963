"""The cost of matching learned rules, rule by rule: measured on problems, or from a profile, and kept in a store.

A condition that several rules share costs each of them an equal part of its time; what unfolded definitions take is
nobody's. Counting takes time itself, so that costs are rather too high.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hornbook.games.solving import Solver
from hornbook.kb.ast.terms import Rule
from hornbook.kb.lower.coding import CodedRuleId
from hornbook.kb.store import Benchmark, Store
from hornbook.matcher.compiled.network import Profile


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds that a match of one state takes for each rule, a mean over so many states."""

    seconds: dict[str, float]
    states: int


def costs_of(found: Profile, rule_of: Callable[[CodedRuleId], Rule], states: int) -> Costs:
    """The costs that a profile of so many states says."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for each in found.rules():
        assert isinstance(each.rule, CodedRuleId)
        seconds[rule_of(each.rule).name] += each.seconds / max(states, 1)
    return Costs(dict(seconds), states)


def costs_on_problems(solver: Solver, rules: Sequence[Rule], problems: Sequence[Any]) -> Costs:
    """The costs of matching problems, each alone, without chains; the rules are the solver's."""
    if not problems:
        return Costs({}, 0)
    # Rules come into the engine with the first position, and are ordered then.
    solver.solve(problems[0])
    solver.matcher.stand.at_parts(())  # what stands is not matched again
    base = solver.matcher.base
    states, profile = base.profiled(lambda: sum(solver.solve(problem).matched for problem in problems))
    costs = costs_of(profile, lambda rule: base.rules[rule.index], states)
    return replace(costs, seconds={rule.name: costs.seconds.get(rule.name, 0.0) for rule in rules})


def keep(store: Store, theory: str, found: Costs) -> None:
    """Keeps the costs of rules that the store has; what they save stays as it is."""
    known = store.benchmarks(theory)
    names = {rule.name for rule in store.rules(theory)}
    with store.transaction():
        for name in names & found.seconds.keys():
            old = known.get(name, Benchmark(0.0, 0.0, 0))
            new = replace(old, match_seconds=found.seconds[name], states=found.states, measured="")
            store.put_benchmark(name, new, theory)
