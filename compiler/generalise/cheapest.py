"""The cheapest explanation: the choice of derivations that leaves a rule the fewest conditions.

A theory often concludes the same fact in several ways: for example, mate man by man or from the check alone.
The learned rule contains the leaves of the explanation, once for each use. The cost of a derivation is
therefore a sum over a tree, and the cheapest one is found from the leaves upward (Knuth 1977, A
generalization of Dijkstra's algorithm).

Invariants: the chosen derivations are not circular. No other choice leaves fewer conditions before duplicates
are merged, unless there are more derivations than are compared.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from heapq import heappop, heappush
from math import comb

from hornbook.compiler.generalise.explanation import Explanation, explain
from hornbook.kb.ast.terms import Atom, Statement
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.theory_engine import TheoryEngine
from hornbook.kb.explain.premises import premise_facts
from hornbook.matcher.program.coded import Derivation, Fact, Premise, SetPremise

MAX_WAYS = 50_000
"""The number of derivations compared for one explanation; facts found later keep their recorded one."""


def cheapest_explanation(base: KnowledgeBase, goal: Statement | str, vocabulary: Vocabulary) -> Explanation:
    """Return the explanation of a ground statement, or of its text, whose rule has the fewest conditions.

    The leaves are given facts and facts that are operational in the vocabulary. The base must record all
    derivations. Raise NotDerivedError if the statement does not hold, TheoryError if the text does not fit
    the theory, and NoDerivationsError if not all derivations are recorded.
    """
    engine = base.engine
    fact = engine.true_fact(goal)
    chosen = _Ways(engine, fact, vocabulary).least()
    # Below operational facts, the recorded derivations are used, because these facts become conditions.
    return explain(engine, fact, lambda below: chosen[below] if below in chosen else engine.derivation(below))


class _Ways:
    """The derivations of everything on which a fact depends, down to operational facts."""

    def __init__(self, engine: TheoryEngine, goal: Fact, vocabulary: Vocabulary) -> None:
        self.engine = engine
        self.goal = goal
        self.vocabulary = vocabulary
        self.of: dict[Fact, tuple[Derivation, ...]] = {}
        """The derivations of each fact on which the goal may depend; none for operational facts."""
        # Breadth-first search, so that derivations near the goal are compared.
        seen = 0
        todo = deque([goal])
        while todo:
            fact = todo.popleft()
            if fact not in self.of:
                ways = () if fact != goal and self._is_condition(fact) else self._ways(fact, seen)
                seen += len(ways)
                self.of[fact] = ways
                todo += (f for way in ways for p in way.premises for f in premise_facts(p))

    def _ways(self, fact: Fact, seen: int) -> tuple[Derivation, ...]:
        """Return the derivations of a fact in the order of the rules; only the recorded one beyond the
        limit.
        """
        recorded = self.engine.derivation(fact)
        if recorded is None:
            return ()
        if seen > MAX_WAYS:
            return (recorded,)
        return tuple(sorted(self.engine.derivations(fact), key=lambda way: self.engine.rule_of(way.rule)[0]))

    def _is_condition(self, fact: Fact) -> bool:
        if self.engine.derivation(fact) is None:
            return True
        conclusion = self.engine.coding.statement(fact)
        return (
            isinstance(conclusion, Atom)
            and conclusion.tense != "after"
            and self.vocabulary.predicates[conclusion.predicate].operational
        )

    def least(self) -> Mapping[Fact, Derivation]:
        """Return the cheapest derivation of each fact, for facts that cost no more than the goal."""
        waits: dict[tuple[Fact, int], set[Fact]] = {}
        used: dict[Fact, list[tuple[Fact, int]]] = {}
        costs: dict[Fact, int] = {}
        chosen: dict[Fact, Derivation] = {}
        queue: list[tuple[int, int, Fact, int]] = []
        order = {fact: place for place, fact in enumerate(self.of)}
        for fact, ways in self.of.items():
            for number, way in enumerate(ways):
                below = {f for p in way.premises for f in premise_facts(p)}
                waits[fact, number] = below
                for premise in below:
                    used.setdefault(premise, []).append((fact, number))
                if not below:
                    heappush(queue, (self._cost(way, costs), order[fact], fact, number))
            if not ways:
                heappush(queue, (1, order[fact], fact, -1))
        while queue and self.goal not in costs:
            cost, _, fact, number = heappop(queue)
            if fact in costs:
                continue
            costs[fact] = cost
            if number >= 0:
                chosen[fact] = self.of[fact][number]
            for above, way_number in used.get(fact, ()):
                waiting = waits[above, way_number]
                waiting.discard(fact)
                if not waiting and above not in costs:
                    way = self.of[above][way_number]
                    heappush(queue, (self._cost(way, costs), order[above], above, way_number))
        return chosen

    def _cost(self, way: Derivation, costs: Mapping[Fact, int]) -> int:
        """Return the number of conditions that a derivation leaves."""
        return sum(self._of_premise(premise, costs) for premise in way.premises)

    def _of_premise(self, premise: Premise, costs: Mapping[Fact, int]) -> int:
        if premise is None:
            return 1  # a comparison, an absence or an aggregate
        if isinstance(premise, Fact):
            return costs[premise]
        sets = (premise,) if isinstance(premise, SetPremise) else premise
        if all(self._is_leaf(fact) for part in sets for fact in premise_facts(part)):
            return 1
        return sum(self._of_set(part, costs) for part in sets)

    def _of_set(self, closed: SetPremise, costs: Mapping[Fact, int]) -> int:
        """Return the cost of an expanded closed set: its count, inequalities of members, and conditions on
        each.
        """
        inner_costs = (self._of_premise(part, costs) for _, inner in closed.members for part in inner)
        members = sum(costs[member] for member, _ in closed.members)
        return costs[closed.count] + members + comb(len(closed.members), 2) + sum(inner_costs)

    def _is_leaf(self, fact: Fact) -> bool:
        """Return whether a closed condition may remain unexpanded with this fact: it is operational and not
        after the action.
        """
        return not self.of[fact] and self.engine.coding.statement(fact).tense != "after"
