"""The least explanation: of all derivations of what a fact rests on, those that leave a rule the fewest conditions.

A theory often concludes the same in several ways: mate man by man, or from the check alone. The rule that is learned asks
for what the explanation ends in, once for each use, so what a way costs is a sum over a tree, and the least is found from
the leaves upward (Knuth 1977, A generalization of Dijkstra's algorithm).

Always true: derivations that are chosen go round in no circle, and no choice leaves fewer conditions before
what is proved twice is made one, unless there are more than are compared.
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
from hornbook.kb.explain.proof import premise_facts
from hornbook.matcher.program.coded import Derivation, Fact, Premise, SetPremise

MAX_WAYS = 50_000
"""How many derivations are compared for one explanation: facts that are met after so many keep their recorded one."""


def least_explanation(base: KnowledgeBase, goal: Statement | str, vocabulary: Vocabulary) -> Explanation:
    """The explanation of a ground statement, or of its text, whose rule has the fewest conditions if its leaves are what is
    given and what the vocabulary says is operational.

    The base must record all derivations. Raises NotDerivedError where the statement does not hold, TheoryError where the
    text does not fit the theory, NoDerivationsError where not all derivations are recorded.
    """
    fact = base.fact_that_holds(goal)
    chosen = _Ways(base, fact, vocabulary).least()
    # Below what is operational, nothing is asked for: the recorded derivations say why it holds.
    return explain(base, fact, lambda below: chosen[below] if below in chosen else base.derivation(below))


class _Ways:
    """The derivations of what a fact rests on, down to what a rule may ask for."""

    def __init__(self, base: KnowledgeBase, goal: Fact, vocabulary: Vocabulary) -> None:
        self.base = base
        self.goal = goal
        self.vocabulary = vocabulary
        self.of: dict[Fact, tuple[Derivation, ...]] = {}
        """Each fact that the goal may rest on with its derivations; none where a rule may ask for it."""
        # Broad first, so that what is near the goal is compared.
        seen = 0
        todo = deque([goal])
        while todo:
            fact = todo.popleft()
            if fact not in self.of:
                ways = () if fact != goal and self._is_asked_for(fact) else self._ways(fact, seen)
                seen += len(ways)
                self.of[fact] = ways
                todo += (f for way in ways for p in way.premises for f in premise_facts(p))

    def _ways(self, fact: Fact, seen: int) -> tuple[Derivation, ...]:
        """The derivations of a fact in the order of the rules; the recorded one where enough were seen."""
        recorded = self.base.derivation(fact)
        if recorded is None:
            return ()
        if seen > MAX_WAYS:
            return (recorded,)
        return tuple(sorted(self.base.derivations(fact), key=lambda way: self.base.rule_of(way.rule)[0]))

    def _is_asked_for(self, fact: Fact) -> bool:
        if self.base.derivation(fact) is None:
            return True
        there = self.base.conclusion(fact)
        return (
            isinstance(there, Atom)
            and there.tense != "after"
            and self.vocabulary.predicates[there.predicate].operational
        )

    def least(self) -> Mapping[Fact, Derivation]:
        """The derivation of each fact by which it costs least, for those that cost no more than the goal."""
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
        """How many conditions a derivation leaves."""
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
        """What a closed set costs member by member: its count, that they differ, and what is asked of each."""
        asked = (self._of_premise(part, costs) for _, inner in closed.members for part in inner)
        members = sum(costs[member] for member, _ in closed.members)
        return costs[closed.count] + members + comb(len(closed.members), 2) + sum(asked)

    def _is_leaf(self, fact: Fact) -> bool:
        """Whether a closed condition that rests on a fact may stay as it is: it is asked for, and not after the action."""
        return not self.of[fact] and self.base.conclusion(fact).tense != "after"
