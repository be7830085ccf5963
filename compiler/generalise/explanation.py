"""Explanations: why a fact was derived, down to what held before the action.

An explanation is a DAG of nodes in which each comes after the nodes that it rests on (a shared sub-proof
stands once). It differs from a proof that is shown to people (kb/explain/proof.py) in that it keeps the rule as it
was read and its premises in the order of the rule's body, so that the rules along it can be unified again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hornbook.kb.ast.terms import Constant, Rule, Statement, Tense
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.proof import premise_facts, premises_first
from hornbook.kb.format.printer import print_condition
from hornbook.matcher.program.coded import Derivation, Fact, Premise, SetPremise

DerivationOf = Callable[[Fact], Derivation | None]
"""Which derivation of a fact is explained; None where it is given."""


@dataclass(frozen=True, slots=True)
class Members:
    """A closed set as it was met: the node of its count, and for each member its node and inner premises."""

    count: int
    members: tuple[tuple[int, tuple[Support, ...]], ...]


Support = int | Members | tuple[Members, ...] | None
"""What one condition rested on: a node, a closed set, several of them, or nothing (a comparison)."""


@dataclass(frozen=True, slots=True)
class Node:
    """A fact, and the rule (read at `moment` where it is timeless) that gave it, with what the rule's
    variables stood for; a given fact has no rule.
    """

    conclusion: Statement
    rule: Rule | None
    moment: Tense | None
    binding: tuple[tuple[str, Constant], ...]
    supports: tuple[Support, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Nodes, premises first; the last is the goal."""

    nodes: tuple[Node, ...]

    @property
    def goal(self) -> Statement:
        return self.nodes[-1].conclusion

    @property
    def leaves(self) -> tuple[Statement, ...]:
        """The operational leaves: the given facts, in the order of the nodes."""
        return tuple(node.conclusion for node in self.nodes if node.rule is None)

    def __str__(self) -> str:
        rows = []
        for number, node in enumerate(self.nodes):
            by = (
                "given"
                if node.rule is None
                else f"{node.rule.name} from {', '.join(map(str, numbers_of(node.supports)))}"
            )
            rows.append(f"{number:4}  {print_condition(node.conclusion)}  [{by}]")
        return "\n".join(rows)


def numbers_of(supports: Sequence[Support]) -> Iterator[int]:
    """The numbers of all nodes on which supports rest at once."""
    for support in supports:
        match support:
            case int():
                yield support
            case Members():
                yield support.count
                for member, inner in support.members:
                    yield member
                    yield from numbers_of(inner)
            case tuple():
                yield from numbers_of(support)


def explain(base: KnowledgeBase, goal: Fact, derivation_of: DerivationOf | None = None) -> Explanation:
    """The explanation of a fact that holds by these derivations, or by those that are recorded.

    Raises KeyError where the fact does not hold, ValueError where the derivations go round in a circle.
    """
    numbers: dict[Fact, int] = {}
    nodes: list[Node] = []
    for fact, derivation in premises_first(goal, derivation_of or base.derivation):
        numbers[fact] = len(nodes)
        nodes.append(_node(base, fact, derivation, numbers))
    return Explanation(tuple(nodes))


def _node(
    base: KnowledgeBase, fact: Fact, derivation: Derivation | None, numbers: Mapping[Fact, int]
) -> Node:
    conclusion = base.conclusion(fact)
    if derivation is None:
        return Node(conclusion, None, None, (), ())
    supports = tuple(_support(premise, numbers) for premise in derivation.premises)
    _, rule, moment = base.rule_of(derivation.rule)
    return Node(conclusion, rule, moment, tuple(base.bindings(derivation).items()), supports)


def _support(premise: Premise, numbers: Mapping[Fact, int]) -> Support:
    match premise:
        case None:
            return None
        case Fact():
            return numbers[premise]
        case SetPremise():
            return _members(premise, numbers)
        case _:
            return tuple(_members(part, numbers) for part in premise)


def _members(premise: SetPremise, numbers: Mapping[Fact, int]) -> Members:
    members = tuple(
        (numbers[member], tuple(_support(part, numbers) for part in inner))
        for member, inner in premise.members
    )
    return Members(numbers[premise.count], members)


TRIES = 50
"""How many choices of derivations are looked at for each explanation asked for: many may go in circles."""


def explanations(base: KnowledgeBase, goal: Fact, limit: int) -> Iterator[Explanation]:
    """Explanations of a fact by other derivations, the recorded one first; at most `limit`.

    The knowledge base must have recorded all derivations. Each choice after the first changes the derivation of one
    fact of an earlier choice. One that goes round in a circle explains nothing, but others that do may be
    reached from it; in all, `limit` times `TRIES` choices are looked at.
    """
    tried: set[frozenset[tuple[Fact, Derivation]]] = {frozenset()}
    waiting: deque[dict[Fact, Derivation]] = deque([{}])
    given = 0
    for _ in range(limit * TRIES):
        if not waiting or given == limit:
            return
        chosen = waiting.popleft()
        try:
            yield explain(base, goal, _taking(chosen, base))
            given += 1
        except ValueError:
            pass
        for fact in _reached(goal, _taking(chosen, base)):
            usual = base.derivation(fact)
            for other in base.derivations(fact):
                more = {**chosen, fact: other}
                mark = frozenset(more.items())
                if len(tried) > limit * TRIES:
                    break  # the others would never be looked at
                if fact not in chosen and usual is not None and other != usual and mark not in tried:
                    tried.add(mark)
                    waiting.append(more)


def _taking(chosen: Mapping[Fact, Derivation], base: KnowledgeBase) -> DerivationOf:
    """The chosen derivations, and the recorded one of every other fact."""
    return lambda fact: chosen[fact] if fact in chosen else base.derivation(fact)


def _reached(goal: Fact, derivation_of: DerivationOf) -> list[Fact]:
    """The facts that a goal rests on by these derivations."""
    reached = {goal: None}
    todo = [goal]
    while todo:
        fact = todo.pop()
        derivation = derivation_of(fact)
        for premise in () if derivation is None else derivation.premises:
            for below in premise_facts(premise):
                if below not in reached:
                    reached[below] = None
                    todo.append(below)
    return list(reached)
