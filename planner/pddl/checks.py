"""The checks of names in a domain and a problem: declared, unique, with the right arguments and types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, did_you_mean, error
from hornbook.kb.text.counts import counted
from hornbook.planner.pddl.expressions import INCOMPLETE, REPEATED, UNFIT, UNKNOWN, repeated
from hornbook.planner.pddl.syntax import (
    EQUALITY,
    OBJECT,
    TOTAL_COST,
    FunctionTerm,
    PddlAction,
    PddlDomain,
    PddlLiteral,
    PddlProblem,
    PddlSignature,
    PlanningProblem,
    TypedName,
    is_variable,
)

Names = Mapping[str, tuple[str, ...]]
"""Variables and objects, each with its types."""


def domain_mistakes(domain: PddlDomain, types: Sequence[TypedName]) -> Iterator[Diagnostic]:
    """Yield the mistakes in the names of a domain. `types` are the declared types with their supertypes."""
    yield from _unknown_types(domain, types)
    yield from _circular_types(domain, types)
    yield from repeated(domain.constants, "constant")
    yield from _unknown_types(domain, domain.constants)
    for signature in chain(domain.predicates.values(), domain.functions.values()):
        yield from _unknown_types(domain, signature.parameters)
    first: dict[str, Span] = {}
    constants = _types_of(domain.constants)
    for action in domain.actions:
        if action.name in first:
            message = (
                f"the action `{action.name}` is declared again (first in line {first[action.name].line})"
            )
            yield error(REPEATED, message, action.span, "delete it, or choose another name")
        first.setdefault(action.name, action.span)
        yield from _action_mistakes(domain, action, constants)


def _action_mistakes(domain: PddlDomain, action: PddlAction, constants: Names) -> Iterator[Diagnostic]:
    yield from repeated(action.parameters, "variable")
    yield from _unknown_types(domain, action.parameters)
    names = {**constants, **_types_of(action.parameters)}
    for literal in action.precondition:
        yield from _literal_mistakes(domain, literal, names)
    reported: set[tuple[str, Span]] = set()
    for effect in action.effects:
        inner = names
        if effect.parameters:
            for found in (*repeated((*action.parameters, *effect.parameters), "variable"),):
                if (found.message, found.span) not in reported:
                    yield found
                reported.add((found.message, found.span))
            yield from _unknown_types(domain, effect.parameters)
            inner = {**names, **_types_of(effect.parameters)}
        for literal in (*effect.conditions, effect.literal):
            yield from _literal_mistakes(domain, literal, inner)
    if isinstance(action.cost, FunctionTerm):
        yield from _function_mistakes(domain, action.cost, names)


def problem_mistakes(both: PlanningProblem) -> Iterator[Diagnostic]:
    """Yield the mistakes in the names of a problem, whose domain has none."""
    domain, problem = both.domain, both.problem
    if problem.domain and problem.domain != domain.name:
        message = f"the problem belongs to the domain `{problem.domain}`, and this domain is `{domain.name}`"
        help_ = f"write `(:domain {domain.name})`, or give the other domain"
        yield error(INCOMPLETE, message, problem.domain_span, help_)
    yield from _repeated_objects(domain, problem)
    yield from _unknown_types(domain, problem.objects)
    names = _types_of(both.objects)
    for literal in (*problem.initial, *problem.goal):
        yield from _literal_mistakes(domain, literal, names)
    yield from _contradictions(problem)
    for term in problem.values:
        yield from _function_mistakes(domain, term, names)


def _repeated_objects(domain: PddlDomain, problem: PddlProblem) -> Iterator[Diagnostic]:
    yield from repeated(problem.objects, "object")
    constants = {each.name for each in domain.constants}
    for each in problem.objects:
        if each.name in constants:
            message = f"`{each.name}` is a constant of the domain already"
            yield error(REPEATED, message, each.span, "delete it here, or choose another name")


def _contradictions(problem: PddlProblem) -> Iterator[Diagnostic]:
    stated = {(each.predicate, each.terms) for each in problem.initial if each.positive}
    for each in problem.initial:
        if not each.positive and (each.predicate, each.terms) in stated:
            message = f"the first state has `{each.predicate}` for these objects, and excludes it"
            yield error(REPEATED, message, each.span, "delete one of the two")


def _types_of(names: Iterable[TypedName]) -> dict[str, tuple[str, ...]]:
    return {each.name: each.types for each in names}


def _unknown_types(domain: PddlDomain, names: Iterable[TypedName]) -> Iterator[Diagnostic]:
    for each in names:
        for kind in each.types:
            if kind != OBJECT and kind not in domain.types:
                help_ = did_you_mean(kind, (*domain.types, OBJECT)) or "declare it in `:types`"
                message = f"the type `{kind}` of `{each.name}` is not declared"
                yield error(UNKNOWN, message, each.span, help_)


def _circular_types(domain: PddlDomain, types: Sequence[TypedName]) -> Iterator[Diagnostic]:
    for each in types:
        above = chain.from_iterable(domain.supertypes(kind) for kind in each.types if kind != each.name)
        if each.name != OBJECT and (each.name in each.types or each.name in set(above)):
            message = f"the type `{each.name}` is a subtype of itself"
            yield error(UNFIT, message, each.span, "delete one of the supertypes")


def _literal_mistakes(domain: PddlDomain, literal: PddlLiteral, names: Names) -> Iterator[Diagnostic]:
    if literal.predicate == EQUALITY:
        yield from _unknown_names(literal.terms, literal.span, names)
        return
    signature = domain.predicates.get(literal.predicate)
    if signature is None:
        help_ = did_you_mean(literal.predicate, domain.predicates) or "declare it in `:predicates`"
        message = f"the predicate `{literal.predicate}` is not declared"
        yield error(UNKNOWN, message, literal.span, help_)
        yield from _unknown_names(literal.terms, literal.span, names)
        return
    yield from _argument_mistakes(domain, signature, literal.terms, literal.span, names)


def _function_mistakes(domain: PddlDomain, term: FunctionTerm, names: Names) -> Iterator[Diagnostic]:
    signature = domain.functions.get(term.function)
    if signature is None or term.function == TOTAL_COST:
        message = f"the function `{term.function}` is not declared"
        help_ = did_you_mean(term.function, domain.functions.keys() - {TOTAL_COST})
        if signature is not None:
            message, help_ = "an action cannot add the total cost to itself", "write a number"
        yield error(UNKNOWN, message, term.span, help_ or "declare it in `:functions`")
        return
    yield from _argument_mistakes(domain, signature, term.terms, term.span, names)


def _argument_mistakes(
    domain: PddlDomain, signature: PddlSignature, terms: Sequence[str], span: Span, names: Names
) -> Iterator[Diagnostic]:
    """Yield the mistakes in the arguments of a predicate or function."""
    if len(terms) != len(signature.parameters):
        expected = counted(len(signature.parameters), "argument")
        message = f"`{signature.name}` has {expected}, not {len(terms)}"
        form = " ".join((signature.name, *(each.name for each in signature.parameters)))
        yield error(UNFIT, message, span, f"write `({form})`, as in line {signature.span.line} of the domain")
        yield from _unknown_names(terms, span, names)
        return
    yield from _unknown_names(terms, span, names)
    for term, parameter in zip(terms, signature.parameters, strict=True):
        types = names.get(term)
        if types is None or domain.fits(types, parameter.types):
            continue
        if any(kind != OBJECT and kind not in domain.types for kind in (*types, *parameter.types)):
            continue  # The type is not declared, which is reported at its declaration.
        message = (
            f"`{term}` is of type {_typed(types)}, but `{signature.name}` needs {_typed(parameter.types)}"
        )
        yield error(UNFIT, message, span, "write another one here, or change the type in a declaration")


def _typed(types: Sequence[str]) -> str:
    return " or ".join(f"`{each}`" for each in types)


def _unknown_names(terms: Iterable[str], span: Span, names: Names) -> Iterator[Diagnostic]:
    for term in dict.fromkeys(terms):
        if term not in names:
            what, where = ("variable", "`:parameters`") if is_variable(term) else ("object", "`:objects`")
            alike = (each for each in names if is_variable(each) == is_variable(term))
            help_ = did_you_mean(term, alike) or f"declare it in {where}"
            yield error(UNKNOWN, f"the {what} `{term}` is not declared", span, help_)
