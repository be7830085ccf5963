"""Proofs: why a fact holds, as a graph of steps and in every shape that people read it in.

A proof is a list of steps in which each comes after the steps that it rests on, the last being what was
asked for; a step that several others rest on stands once. Every step is a given fact, or names the rule that
gave it with the rule's conditions as they were met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import networkx as nx

from kb.coding import CodedRuleId, Coding
from kb.drawing import dot, mermaid, svg
from kb.printer import print_condition
from kb.proof_page import proof_fragment, proof_page
from kb.substitution import apply_to_condition
from kb.terms import Condition, Rule, Statement
from matcher.program import Derivation, Fact, Premise, SetPremise


class Prover(Protocol):
    """What a proof needs of an engine."""

    def derivation(self, fact: Fact) -> Derivation | None: ...


@dataclass(frozen=True, slots=True)
class Reason:
    """One condition of a rule as it was met, and the steps that it rests on (none for a comparison)."""

    condition: Condition
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A fact with the rule and reasons that gave it; a given fact has no rule."""

    conclusion: Statement
    rule: Rule | None
    reasons: tuple[Reason, ...]

    @property
    def premises(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(step for reason in self.reasons for step in reason.steps))

    @property
    def origin(self) -> str:
        return (
            "given" if self.rule is None else f"{self.rule.name}, {self.rule.span.file}:{self.rule.span.line}"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Proof:
    """Steps, premises first; the last is the goal."""

    steps: tuple[Step, ...]

    @property
    def goal(self) -> Statement:
        return self.steps[-1].conclusion

    @property
    def given(self) -> tuple[Statement, ...]:
        """The given facts at the leaves, in the order of the steps."""
        return tuple(step.conclusion for step in self.steps if step.rule is None)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules used, each once."""
        return tuple(dict.fromkeys(step.rule for step in self.steps if step.rule is not None))

    def text(self) -> str:
        """An indented text: each step under the one that rests on it, a shared sub-proof written once."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        written: set[int] = set()
        # A stack instead of recursion: a proof may be thousands of steps deep.
        todo: list[tuple[int, int | str]] = [(0, len(self.steps) - 1)]
        while todo:
            depth, item = todo.pop()
            indent = "  " * depth
            if isinstance(item, str):
                yield f"{indent}{item}"
                continue
            step = self.steps[item]
            again = item in written and step.rule is not None
            yield f"{indent}{print_condition(step.conclusion)}  [{'shown above' if again else step.origin}]"
            if again:
                continue
            written.add(item)
            below: list[tuple[int, int | str]] = []
            for reason in step.reasons:
                if not isinstance(reason.condition, Statement):
                    below.append((depth + 1, f"{print_condition(reason.condition)}  [holds]"))
                    below += [(depth + 2, step) for step in reason.steps]
                else:
                    below += [(depth + 1, step) for step in reason.steps]
            todo += reversed(below)

    def graph(self) -> nx.DiGraph[int]:
        """A DAG from each step to the steps that it rests on; nodes carry `label`, `kind` and `rule`."""
        graph: nx.DiGraph[int] = nx.DiGraph()
        last = len(self.steps) - 1
        for number in range(last, -1, -1):
            step = self.steps[number]
            kind = "given" if step.rule is None else "goal" if number == last else "derived"
            label = print_condition(step.conclusion)
            graph.add_node(number, label=label, kind=kind, rule=None if step.rule is None else step.rule.name)
        for number, step in enumerate(self.steps):
            graph.add_edges_from((number, premise) for premise in step.premises)
        return graph

    def dot(self) -> str:
        return dot(self.graph())

    def mermaid(self) -> str:
        return mermaid(self.graph())

    def svg(self) -> str:
        return svg(self.graph())

    def html(self) -> str:
        """A page of its own, on which the proof is opened step by step."""
        return proof_page(self)

    def _repr_html_(self) -> str:
        return proof_fragment(self)

    def _repr_svg_(self) -> str:
        return self.svg()

    def as_json(self) -> dict[str, Any]:
        """`{goal, steps: [{conclusion, rule, file, line, reasons: [{condition, steps}]}]}`; the last step is the goal."""
        return {
            "goal": print_condition(self.goal),
            "steps": [
                {
                    "conclusion": print_condition(step.conclusion),
                    "rule": None if step.rule is None else step.rule.name,
                    "file": None if step.rule is None else step.rule.span.file,
                    "line": None if step.rule is None else step.rule.span.line,
                    "reasons": [
                        {"condition": print_condition(r.condition), "steps": list(r.steps)}
                        for r in step.reasons
                    ],
                }
                for step in self.steps
            ],
        }

    def __repr__(self) -> str:
        return f"<proof of {print_condition(self.goal)} in {len(self.steps)} steps>"

    def __str__(self) -> str:
        return self.text()


def prove(goal: Fact, coding: Coding, engine: Prover, rules: Sequence[Rule]) -> Proof:
    """The recorded proof of a fact. Raises KeyError where the fact does not hold."""
    numbers: dict[Fact, int] = {}
    steps: list[Step] = []
    for fact, derivation in premises_first(goal, engine.derivation):
        numbers[fact] = len(steps)
        steps.append(_step(fact, derivation, numbers, coding, rules))
    return Proof(tuple(steps))


def premises_first(
    goal: Fact, derivation_of: Callable[[Fact], Derivation | None]
) -> Iterator[tuple[Fact, Derivation | None]]:
    """The facts that a goal rests on, each once, with its derivation, after all that it rests on itself.

    Raises ValueError where the derivations go round in a circle.
    """
    opened: dict[Fact, Derivation | None] = {}
    done: set[Fact] = set()
    stack = [goal]
    while stack:
        fact = stack[-1]
        if fact in done:
            stack.pop()
            continue
        returned = fact in opened
        derivation = opened[fact] if returned else opened.setdefault(fact, derivation_of(fact))
        below = [] if derivation is None else [f for p in derivation.premises for f in premise_facts(p)]
        missing = [premise for premise in below if premise not in done]
        if missing and returned:
            raise ValueError("the derivations go round in a circle")
        if missing:
            stack.extend(reversed(missing))
            continue
        stack.pop()
        done.add(fact)
        yield fact, derivation


def premise_facts(premise: Premise) -> Iterator[Fact]:
    """The facts that a premise rests on."""
    match premise:
        case None:
            return
        case Fact():
            yield premise
        case SetPremise():
            yield premise.count
            for member, inner in premise.members:
                yield member
                for part in inner:
                    yield from premise_facts(part)
        case _:
            for part in premise:
                yield from premise_facts(part)


def _step(
    fact: Fact,
    derivation: Derivation | None,
    numbers: dict[Fact, int],
    coding: Coding,
    rules: Sequence[Rule],
) -> Step:
    conclusion = coding.statement(fact)
    if derivation is None:
        return Step(conclusion, None, ())
    assert isinstance(derivation.rule, CodedRuleId)
    rule = rules[derivation.rule.index]
    substitution = coding.substitution(derivation.rule, derivation.binding)
    reasons = []
    for condition, premise in zip(rule.body, derivation.premises, strict=True):
        met = apply_to_condition(condition, substitution)
        if isinstance(premise, Fact):
            met = coding.statement(premise)
        below = dict.fromkeys(numbers[f] for f in premise_facts(premise))
        reasons.append(Reason(met, tuple(below)))
    return Step(conclusion, rule, tuple(reasons))
