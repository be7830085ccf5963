"""The rules that conclude two different values for one key, for the message about this conflict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from hornbook.kb.ast.terms import Rule
from hornbook.kb.lower.coding import CodedRuleId, Coding
from hornbook.kb.lower.engines import make_engine
from hornbook.matcher.program.changes import Columns
from hornbook.matcher.program.coded import CodedPredicate, CodedRule, Fact, Limits, PredicateId
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.engine import Engine
from hornbook.matcher.program.errors import EngineError, KeyConflictError


@dataclass(frozen=True, slots=True)
class RefusedChange:
    """The change that an engine refused: facts, rules, and columns of facts."""

    add: Iterable[Fact] = ()
    retract: Iterable[Fact] = ()
    rules: Iterable[CodedRule] = ()
    columns: Mapping[PredicateId, Columns] | None = None


def reasons_of(
    problem: KeyConflictError,
    engine: Engine,
    change: RefusedChange,
    coding: Coding,
    rule_of: Callable[[CodedRuleId], Rule],
    limits: Limits,
) -> str:
    """Return the rules and premises of both facts as text, or nothing if they are not found.

    The facts are derived again by an engine without this key, within the limits.
    """
    from hornbook.kb.format.printer import print_condition  # noqa: PLC0415 - slow to import

    found: list[str] = []
    again = _without_key(problem.first.predicate, engine, change, coding, limits)
    if again is None or problem.first not in again or problem.second not in again:
        return ""
    for fact in (problem.first, problem.second):
        statement = print_condition(coding.statement(fact))
        derivation = again.derivation(fact)
        if derivation is None:
            found.append(f"`{statement}` is given")
            continue
        assert isinstance(derivation.rule, CodedRuleId)
        rule = rule_of(derivation.rule)
        premises = [print_condition(coding.statement(p)) for p in derivation.premises if isinstance(p, Fact)]
        since = f" from {', '.join(f'`{premise}`' for premise in premises)}" if premises else ""
        found.append(f"`{statement}` follows by `{rule.name}` ({rule.span}){since}")
    return "; ".join(found)


def _without_key(
    predicate: PredicateId, engine: Engine, change: RefusedChange, coding: Coding, limits: Limits
) -> Engine | None:
    """Return an engine with the facts and rules after the change, or None if it refuses them too."""
    predicates = list(coding.predicates)
    if predicates[predicate].counts is not None:
        return None
    predicates[predicate] = CodedPredicate(predicates[predicate].arity)
    again = make_engine(predicates, derivations="one", limits=limits)
    given = [Fact(number, cells) for number in range(len(predicates)) for cells in engine.given(number)]
    try:
        again.update(add=given, add_rules=engine.rules.values())
        again.update(
            add=change.add, retract=change.retract, add_rules=change.rules, add_columns=change.columns
        )
    except EngineError:
        return None
    return again
