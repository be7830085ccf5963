"""The syntax tree of PDDL: a domain and a problem, as frozen data.

Names are in lower case, because PDDL ignores case. A term is a word: a variable begins with `?`, and every
other term is an object. Equality is a literal with the predicate `=`.

Meaning of an action (PDDL 2.1, level 1): it is applicable in a state if all literals of its precondition hold
there. An atom that a state does not contain is false. All conditions of effects are evaluated in the state
before the action. Then the negative literals of the effects whose conditions hold are deleted, and afterwards
the positive ones are added. So an atom that is deleted and added holds afterwards.

Source: Fox and Long 2003.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from hornbook.kb.ast.terms import NOWHERE, Span
from hornbook.matcher.program.dataclass import dataclass

OBJECT = "object"
"""The type of all objects. Every other type is a subtype of it."""
EQUALITY = "="
"""The predicate of equality, which no domain declares."""
TOTAL_COST = "total-cost"
"""The function without arguments that sums the costs of actions."""


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


def is_variable(term: str) -> bool:
    return term.startswith("?")


@dataclass(frozen=True, slots=True)
class TypedName:
    """A variable or an object with its types; it has several types only by `either`."""

    name: str
    types: tuple[str, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class PddlSignature:
    """A declared predicate or function, with its parameters."""

    name: str
    parameters: tuple[TypedName, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class PddlLiteral:
    """An atom or its negation."""

    predicate: str
    terms: tuple[str, ...]
    positive: bool = True
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class FunctionTerm:
    """A function with its arguments. Its values are given by the problem and never change."""

    function: str
    terms: tuple[str, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class PddlEffect:
    """One literal that an action makes true, for all values of `parameters` (the variables of `forall`) for
    which the conditions hold before the action.
    """

    parameters: tuple[TypedName, ...]
    conditions: tuple[PddlLiteral, ...]
    literal: PddlLiteral


@dataclass(frozen=True, slots=True)
class PddlAction:
    """An action schema. `cost` is added to the total cost; it is None if the action states no cost."""

    name: str
    parameters: tuple[TypedName, ...]
    precondition: tuple[PddlLiteral, ...]
    effects: tuple[PddlEffect, ...]
    cost: int | FunctionTerm | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class PddlDomain:
    """A domain. `types` has the direct supertypes of each type except `object`."""

    name: str
    types: Mapping[str, tuple[str, ...]]
    constants: tuple[TypedName, ...]
    predicates: Mapping[str, PddlSignature]
    functions: Mapping[str, PddlSignature]
    actions: tuple[PddlAction, ...]

    def supertypes(self, name: str) -> frozenset[str]:
        """Return a type with all of its supertypes."""
        found, todo = {OBJECT}, [name]
        while todo:
            each = todo.pop()
            if each not in found:
                found.add(each)
                todo += self.types.get(each, ())
        return frozenset(found)

    def fits(self, types: tuple[str, ...], expected: tuple[str, ...]) -> bool:
        """Return whether each thing of one of the first types is of one of the expected types."""
        return all(not self.supertypes(each).isdisjoint(expected) for each in types)

    def changing(self) -> frozenset[str]:
        """Return the predicates that some effect changes; the others are static."""
        return frozenset(effect.literal.predicate for action in self.actions for effect in action.effects)


@dataclass(frozen=True, slots=True)
class PddlProblem:
    """A problem of a domain.

    Attributes:
        initial: The atoms of the first state. A negative literal only states that an atom is absent.
        values: The values of functions.
        minimises_cost: Whether the metric is the total cost. Otherwise a plan with fewer actions is better.
        domain_span: The place of the domain's name.
    """

    name: str
    domain: str
    objects: tuple[TypedName, ...]
    initial: tuple[PddlLiteral, ...]
    values: Mapping[FunctionTerm, int]
    goal: tuple[PddlLiteral, ...]
    minimises_cost: bool
    domain_span: Span = _span()


@dataclass(frozen=True, slots=True)
class PlanningProblem:
    """A domain and one of its problems, both without mistakes."""

    domain: PddlDomain
    problem: PddlProblem

    @property
    def objects(self) -> tuple[TypedName, ...]:
        """The constants of the domain and the objects of the problem."""
        return (*self.domain.constants, *self.problem.objects)

    def of_types(self, types: tuple[str, ...]) -> tuple[str, ...]:
        """Return the objects of one of the types."""
        return tuple(each.name for each in self.objects if self.domain.fits(each.types, types))
