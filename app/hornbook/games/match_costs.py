"""Cost of matching learned rules, rule by rule, from problems or a profile, and its storage.

The time of a condition shared by several rules is divided equally among them. The time of unfolded
definitions is not attributed. Profiling takes time itself, so the costs are overestimates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

from hornbook.compiler.match.position import RuleMatcher
from hornbook.kb.ast.terms import Rule
from hornbook.kb.lower.coding import CodedRuleId
from hornbook.kb.store import Benchmark, Store
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.profile import Profile
from hornbook.theories.domain import RuleQuery


@dataclass(frozen=True, slots=True)
class Costs:
    """The mean cost of each rule for a match of one state, over `states` states.

    Attributes:
        tried: The number of times that one of its conditions is tried; the same on every machine.
    """

    seconds: dict[str, float]
    tried: dict[str, float]
    states: int


def costs_of(found: Profile, rule_of: Callable[[CodedRuleId], Rule], states: int) -> Costs:
    """Return the costs in a profile of `states` states."""
    seconds: defaultdict[str, float] = defaultdict(float)
    tried: defaultdict[str, float] = defaultdict(float)
    for each in found.rules():
        assert isinstance(each.rule, CodedRuleId)
        name = rule_of(each.rule).name
        seconds[name] += each.seconds / max(states, 1)
        tried[name] += each.visits / max(states, 1)
    return Costs(dict(seconds), dict(tried), states)


def costs_on_queries(matcher: RuleMatcher, rules: Sequence[Rule], queries: Sequence[RuleQuery]) -> Costs:
    """Return the costs of matching each query alone, without chains; the rules are those of the matcher."""
    if not queries:
        return Costs({}, {}, 0)
    # The engine orders the rules when it sees the first position.
    matcher.statements(queries[0].parts, queries[0].games)
    matcher.state.at_parts(())  # forget the position, since it would not be matched again

    def run() -> None:
        for each in queries:
            matcher.statements(each.parts, each.games)

    base = matcher.base
    _, profile = base.engine.profile(run)
    costs = costs_of(profile, lambda rule: base.rules[rule.index], len(queries))
    names = [rule.name for rule in rules]
    seconds, tried = ({name: all_.get(name, 0.0) for name in names} for all_ in (costs.seconds, costs.tried))
    return Costs(seconds, tried, len(queries))


def store_costs(store: Store, theory: str, found: Costs) -> None:
    """Store the costs of the rules that the store has, and retain their savings."""
    known = store.benchmarks(theory)
    names = {rule.name for rule in store.rules(theory)}
    with store.transaction():
        for name in names & found.seconds.keys():
            old = known.get(name, Benchmark(0.0, 0.0, 0))
            new = replace(old, match_seconds=found.seconds[name], states=found.states, measured="")
            store.put_benchmark(name, new, theory)
