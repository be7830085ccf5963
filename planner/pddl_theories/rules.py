"""The rules of a theory for the actions of a domain, with literals of PDDL as conditions.

An action has a predicate for its applicability. Every rule of an effect, and every rule of a fact that stays,
has it as a condition. So an action that is not applicable has no state after it.

A fluent of which an absence is needed has a further column with `yes` or `no`, and rules conclude both.
These fluents are found by a fixed point, since the rules for the value `no` may need further absences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.pddl.syntax import (
    EQUALITY,
    PddlAction,
    PddlDomain,
    PddlEffect,
    PddlLiteral,
    TypedName,
    is_variable,
)
from hornbook.planner.pddl_theories.conditions import (
    Condition,
    Conjunction,
    NoneOf,
    misses,
    simplified,
    substituted,
    tested_types,
    type_test,
)

Types = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class EffectRule:
    """A rule: an action makes a literal true."""

    action: PddlAction
    literal: PddlLiteral
    conditions: Conjunction


@dataclass(frozen=True, slots=True)
class StayingRule:
    """A rule: a literal stays true when an action is taken. One of the alternatives must hold.

    The variables of `action` have other names than those of the literal.
    """

    action: PddlAction
    literal: PddlLiteral
    alternatives: tuple[Conjunction, ...]


@dataclass(frozen=True, slots=True)
class DomainRules:
    """All rules of a domain. `two_valued` are the fluents with `yes` and `no`."""

    applicable: Mapping[str, Conjunction | None]
    """The conditions of each action, or None if no state satisfies them."""
    effects: tuple[EffectRule, ...]
    staying: tuple[StayingRule, ...]
    two_valued: frozenset[str]

    def conditions(self) -> Iterator[Condition]:
        for conjunction in self.applicable.values():
            yield from conjunction or ()
        for rule in self.effects:
            yield from rule.conditions
        for staying in self.staying:
            for conjunction in staying.alternatives:
                yield from conjunction


def domain_rules(domain: PddlDomain, goal: Sequence[PddlLiteral]) -> DomainRules:
    """Return the rules of a domain, for problems with such a goal."""
    two_valued = _absent_fluents(goal, domain)
    while True:
        found = _rules(domain, two_valued)
        needed = two_valued | _absent_fluents(found.conditions(), domain)
        if needed == two_valued:
            return found
        two_valued = needed


def _absent_fluents(conditions: Iterable[Condition], domain: PddlDomain) -> frozenset[str]:
    fluents = domain.changing()
    return frozenset(
        literal.predicate
        for each in conditions
        for literal in (each.literals if isinstance(each, NoneOf) else (each,))
        if not literal.positive and literal.predicate in fluents
    )


def _rules(domain: PddlDomain, two_valued: frozenset[str]) -> DomainRules:
    applicable = {
        action.name: _typed(domain, action.parameters, action.precondition) for action in domain.actions
    }
    actions = [action for action in domain.actions if applicable[action.name] is not None]
    effects = [rule for action in actions for rule in _effect_rules(domain, action, two_valued)]
    staying: list[StayingRule] = []
    for name in sorted(domain.changing(), key=list(domain.predicates).index):
        for positive in (True, False) if name in two_valued else (True,):
            rules = (_staying_rule(domain, action, name, positive=positive) for action in actions)
            staying += [rule for rule in rules if rule.alternatives]
    return DomainRules(applicable, tuple(effects), tuple(staying), two_valued)


def _effect_rules(domain: PddlDomain, action: PddlAction, two_valued: frozenset[str]) -> Iterator[EffectRule]:
    for effect in action.effects:
        literal = effect.literal
        outside = (*domain.constants, *action.parameters)
        conditions = _typed(domain, effect.parameters, effect.conditions)
        if conditions is None:
            continue
        if literal.positive:
            yield EffectRule(action, literal, conditions)
        elif literal.predicate in two_valued:
            # An atom that is deleted and added holds afterwards.
            taken = {each.name for each in effect.parameters}
            added = [_renamed(each, taken) for each in effects_on(action, literal.predicate, positive=True)]
            is_of = _certainly_of(domain, (*outside, *effect.parameters))
            for way in misses(added, literal.terms, None, is_of) if added else [()]:
                both = simplified((*conditions, *way))
                if both is not None:
                    yield EffectRule(action, literal, both)


def effects_on(action: PddlAction, predicate: str, *, positive: bool) -> list[PddlEffect]:
    """Return the effects of an action on atoms of a predicate."""
    return [
        each
        for each in action.effects
        if each.literal.predicate == predicate and each.literal.positive == positive
    ]


def _staying_rule(domain: PddlDomain, given: PddlAction, name: str, *, positive: bool) -> StayingRule:
    names = _distinct(domain.predicates[name].parameters)
    literal = PddlLiteral(name, tuple(each.name for each in names), positive)
    action = _apart(given, {variable.name for variable in names})
    is_of = _certainly_of(domain, (*domain.constants, *action.parameters, *names))
    against = effects_on(action, name, positive=not positive)
    return StayingRule(action, literal, tuple(misses(against, literal.terms, literal, is_of)))


def _distinct(parameters: Sequence[TypedName]) -> tuple[TypedName, ...]:
    """Return the parameters of a predicate with distinct names."""
    found: dict[str, TypedName] = {}
    for each in parameters:
        name = _fresh(each.name, found)
        found[name] = replace(each, name=name)
    return tuple(found.values())


def _fresh(name: str, taken: Iterable[str]) -> str:
    number, made, others = 2, name, set(taken)
    while made in others:
        made = f"{name}_{number}"
        number += 1
    return made


def _apart(action: PddlAction, taken: set[str]) -> PddlAction:
    """Return the action with other names for its variables that are taken."""
    known = {each.name for each in action.parameters} | {
        each.name for effect in action.effects for each in effect.parameters
    }
    terms: dict[str, str] = {}
    for name in sorted(known & taken):
        terms[name] = _fresh(name, {*known, *taken, *terms.values()})
    if not terms:
        return action
    return replace(
        action,
        parameters=_renamed_names(action.parameters, terms),
        precondition=tuple(substituted(each, terms) for each in action.precondition),
        effects=tuple(_effect_with(each, terms) for each in action.effects),
    )


def _renamed(effect: PddlEffect, taken: set[str]) -> PddlEffect:
    """Return the effect with other names for its own variables that are taken."""
    own = {each.name for each in effect.parameters}
    return _effect_with(effect, {name: _fresh(name, {*own, *taken}) for name in sorted(own & taken)})


def _effect_with(effect: PddlEffect, terms: dict[str, str]) -> PddlEffect:
    return PddlEffect(
        _renamed_names(effect.parameters, terms),
        tuple(substituted(each, terms) for each in effect.conditions),
        substituted(effect.literal, terms),
    )


def _renamed_names(names: Sequence[TypedName], terms: Mapping[str, str]) -> tuple[TypedName, ...]:
    return tuple(replace(each, name=terms.get(each.name, each.name)) for each in names)


def _certainly_of(domain: PddlDomain, names: Iterable[TypedName]) -> Callable[[str, tuple[str, ...]], bool]:
    types = {each.name: each.types for each in names}
    return lambda term, expected: domain.fits(types[term], expected)


def _typed(
    domain: PddlDomain, names: Sequence[TypedName], literals: Sequence[PddlLiteral]
) -> Conjunction | None:
    """Return the literals with type tests, or None if they never hold together."""
    return simplified((*type_tests(domain, names, literals), *literals))


def type_tests(
    domain: PddlDomain, names: Sequence[TypedName], literals: Sequence[PddlLiteral]
) -> Iterator[PddlLiteral]:
    """Yield type tests for the variables whose types no literal implies. A fact has declared types only."""
    for each in names:
        if not any(_implies(domain, literal, each) for literal in literals):
            yield type_test(each.types, each.name)


def _implies(domain: PddlDomain, literal: PddlLiteral, name: TypedName) -> bool:
    if literal.predicate == EQUALITY or tested_types(literal) or not is_variable(name.name):
        return False
    if not literal.positive and literal.predicate not in domain.changing():
        return False  # The absence of a static fact binds nothing.
    return any(
        term == name.name and domain.fits(parameter.types, name.types)
        for term, parameter in zip(
            literal.terms, domain.predicates[literal.predicate].parameters, strict=True
        )
    )
