"""Explanations: derivations of a fact down to the state before the action.

An explanation is a DAG whose nodes come after the nodes on which they depend; shared subproofs occur once.
Unlike a proof for readers (kb/explain/proof.py), it contains the original rule and its premises in the order
of the body. The rules can therefore be unified again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from hornbook.kb.ast.terms import Constant, Rule, Statement, Tense
from hornbook.kb.base.theory_engine import TheoryEngine
from hornbook.kb.explain.premises import premise_facts, premises_first
from hornbook.kb.format.printer import print_condition
from hornbook.matcher.program.coded import Derivation, Fact, Premise, SetPremise
from hornbook.matcher.program.dataclass import dataclass

DerivationOf = Callable[[Fact], Derivation | None]
"""A function that selects the derivation of a fact to explain; None if the fact is given."""


@dataclass(frozen=True, slots=True)
class ClosedSetSupport:
    """A closed set in an explanation: the node of its count, and for each member its node and inner
    premises.
    """

    count: int
    members: tuple[tuple[int, tuple[Support, ...]], ...]


Support = int | ClosedSetSupport | tuple[ClosedSetSupport, ...] | None
"""The support of one condition: a node, a closed set, several closed sets, or nothing (for a comparison)."""


@dataclass(frozen=True, slots=True)
class ExplanationNode:
    """A fact, with the rule that derived it and the binding of the rule's variables.

    A timeless rule was applied at `moment`. A given fact has no rule.
    """

    conclusion: Statement
    rule: Rule | None
    moment: Tense | None
    binding: tuple[tuple[str, Constant], ...]
    supports: tuple[Support, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A sequence of nodes, premises first; the last is the goal."""

    nodes: tuple[ExplanationNode, ...]

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
    """Yield the numbers of all nodes on which supports depend directly."""
    for support in supports:
        match support:
            case int():
                yield support
            case ClosedSetSupport():
                yield support.count
                for member, inner in support.members:
                    yield member
                    yield from numbers_of(inner)
            case tuple():
                yield from numbers_of(support)


def needed_nodes(nodes: Sequence[ExplanationNode], root: int, cuts: Collection[int] = ()) -> set[int]:
    """Return a node and everything on which it depends, except below cut ones."""
    found, todo = {root}, [root]
    while todo:
        number = todo.pop()
        if number in cuts and (number != root):
            continue
        new = set(numbers_of(nodes[number].supports)) - found
        found |= new
        todo += new
    return found


def renumbered(support: Support, numbers: Mapping[int, int]) -> Support:
    """Return a support with new numbers of nodes."""
    match support:
        case int():
            return numbers[support]
        case ClosedSetSupport():
            members = tuple(
                (numbers[member], tuple(renumbered(each, numbers) for each in inner))
                for member, inner in support.members
            )
            return ClosedSetSupport(numbers[support.count], members)
        case tuple():
            return tuple(renumbered(part, numbers) for part in support)  # type: ignore[misc]
    return None


def explain(engine: TheoryEngine, goal: Fact, derivation_of: DerivationOf | None = None) -> Explanation:
    """Return the explanation of a fact by the selected derivations, or by the recorded ones.

    Raise KeyError if the fact does not hold, and ValueError if the derivations are circular.
    """
    numbers: dict[Fact, int] = {}
    nodes: list[ExplanationNode] = []
    for fact, derivation in premises_first(goal, derivation_of or engine.derivation):
        numbers[fact] = len(nodes)
        nodes.append(_node(engine, fact, derivation, numbers))
    return Explanation(tuple(nodes))


def _node(
    engine: TheoryEngine, fact: Fact, derivation: Derivation | None, numbers: Mapping[Fact, int]
) -> ExplanationNode:
    conclusion = engine.coding.statement(fact)
    if derivation is None:
        return ExplanationNode(conclusion, None, None, (), ())
    supports = tuple(_support(premise, numbers) for premise in derivation.premises)
    _, rule, moment = engine.rule_of(derivation.rule)
    return ExplanationNode(conclusion, rule, moment, tuple(engine.substitution(derivation).items()), supports)


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


def _members(premise: SetPremise, numbers: Mapping[Fact, int]) -> ClosedSetSupport:
    members = tuple(
        (numbers[member], tuple(_support(part, numbers) for part in inner))
        for member, inner in premise.members
    )
    return ClosedSetSupport(numbers[premise.count], members)


TRIES = 50
"""The number of choices of derivations tried for each requested explanation, since many may be circular."""


def explanations(engine: TheoryEngine, goal: Fact, limit: int) -> Iterator[Explanation]:
    """Yield at most `limit` explanations of a fact by different derivations, the recorded one first.

    The engine must have recorded all derivations. Each further choice changes the derivation of one
    fact in an earlier choice. A circular choice explains nothing, but others that do may be reached from it.
    At most `limit` times `TRIES` choices are tried.
    """
    tried: set[frozenset[tuple[Fact, Derivation]]] = {frozenset()}
    waiting: deque[dict[Fact, Derivation]] = deque([{}])
    given = 0
    for _ in range(limit * TRIES):
        if not waiting or given == limit:
            return
        chosen = waiting.popleft()
        try:
            yield explain(engine, goal, _taking(chosen, engine))
            given += 1
        except ValueError:
            pass
        for fact in _reached(goal, _taking(chosen, engine)):
            usual = engine.derivation(fact)
            for other in engine.derivations(fact):
                more = {**chosen, fact: other}
                mark = frozenset(more.items())
                if len(tried) > limit * TRIES:
                    break  # the others would never be tried
                if fact not in chosen and usual is not None and other != usual and mark not in tried:
                    tried.add(mark)
                    waiting.append(more)


def _taking(chosen: Mapping[Fact, Derivation], engine: TheoryEngine) -> DerivationOf:
    """Return a function that selects the chosen derivations, and the recorded one of every other fact."""
    return lambda fact: chosen[fact] if fact in chosen else engine.derivation(fact)


def _reached(goal: Fact, derivation_of: DerivationOf) -> list[Fact]:
    """Return the facts on which a goal depends by these derivations."""
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
