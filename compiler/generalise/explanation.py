"""Explanations: why a fact was derived, down to what held before the action.

An explanation is a DAG of nodes in which each comes after the nodes that it rests on (a shared sub-proof
stands once). It differs from a proof that is shown to people (kb/explain/proof.py) in that it keeps the rule as it
was read and its premises in the order of the rule's body, so that the rules along it can be unified again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hornbook.kb.ast.terms import Constant, Rule, Statement, Tense
from hornbook.kb.explain.proof import Prover, premise_facts, premises_first
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.coding import CodedRuleId, Coding
from hornbook.matcher.program.coded import Derivation, Fact, Premise, SetPremise


class AllProver(Prover, Protocol):
    """An engine that has recorded every derivation."""

    def derivations(self, fact: Fact) -> tuple[Derivation, ...]: ...


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
                else f"{node.rule.name} from {', '.join(map(str, _numbers(node.supports)))}"
            )
            rows.append(f"{number:4}  {print_condition(node.conclusion)}  [{by}]")
        return "\n".join(rows)


def _numbers(supports: Sequence[Support]) -> Iterator[int]:
    for support in supports:
        match support:
            case int():
                yield support
            case Members():
                yield support.count
                for member, inner in support.members:
                    yield member
                    yield from _numbers(inner)
            case tuple():
                yield from _numbers(support)


def explain(goal: Fact, coding: Coding, engine: Prover, rules: Sequence[Rule]) -> Explanation:
    """The recorded explanation of a fact. Raises KeyError where the fact does not hold."""
    return explain_with({}, goal, coding, engine, rules)


def explain_with(
    chosen: Mapping[Fact, Derivation], goal: Fact, coding: Coding, engine: Prover, rules: Sequence[Rule]
) -> Explanation:
    """The explanation that takes the chosen derivations, and the recorded one of every other fact.

    Raises ValueError where they go round in a circle.
    """
    numbers: dict[Fact, int] = {}
    nodes: list[Node] = []

    def derivation_of(fact: Fact) -> Derivation | None:
        return chosen[fact] if fact in chosen else engine.derivation(fact)

    for fact, derivation in premises_first(goal, derivation_of):
        numbers[fact] = len(nodes)
        nodes.append(_node(fact, derivation, numbers, coding, rules))
    return Explanation(tuple(nodes))


def _node(
    fact: Fact,
    derivation: Derivation | None,
    numbers: Mapping[Fact, int],
    coding: Coding,
    rules: Sequence[Rule],
) -> Node:
    conclusion = coding.statement(fact)
    if derivation is None:
        return Node(conclusion, None, None, (), ())
    assert isinstance(derivation.rule, CodedRuleId)
    supports = tuple(_support(premise, numbers) for premise in derivation.premises)
    binding = coding.substitution(derivation.rule, derivation.binding)
    return Node(
        conclusion, rules[derivation.rule.index], derivation.rule.moment, tuple(binding.items()), supports
    )


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


def explanations(
    goal: Fact, coding: Coding, engine: AllProver, rules: Sequence[Rule], limit: int
) -> Iterator[Explanation]:
    """Explanations of a fact by other derivations, the recorded one first; at most `limit`.

    The engine must have recorded all derivations. Each choice after the first changes the derivation of one
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
            yield explain_with(chosen, goal, coding, engine, rules)
            given += 1
        except ValueError:
            pass
        for fact in _reached(goal, chosen, engine):
            usual = engine.derivation(fact)
            for other in engine.derivations(fact):
                more = {**chosen, fact: other}
                mark = frozenset(more.items())
                if len(tried) > limit * TRIES:
                    break  # the others would never be looked at
                if fact not in chosen and usual is not None and other != usual and mark not in tried:
                    tried.add(mark)
                    waiting.append(more)


def _reached(goal: Fact, chosen: Mapping[Fact, Derivation], engine: AllProver) -> list[Fact]:
    """The facts that a goal rests on by the chosen derivations, and the recorded ones of all others."""
    reached = {goal: None}
    todo = [goal]
    while todo:
        fact = todo.pop()
        derivation = chosen[fact] if fact in chosen else engine.derivation(fact)
        for premise in () if derivation is None else derivation.premises:
            for below in premise_facts(premise):
                if below not in reached:
                    reached[below] = None
                    todo.append(below)
    return list(reached)
