"""Absence: the rules that may test an absence, and predicates that are wrongly declared complete.

A conclusion from an absence can become false as soon as more facts are known (Cazenave 1996, section 3.1).
Therefore rules for state changes, proofs and learned rules may only test the absence of complete predicates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.kb.ast.terms import Absent, Aggregate, All, Atom, Condition, Rule
from hornbook.kb.check.check_unit import CheckUnit, PreparedClause, first_word, named, parts
from hornbook.kb.check.clauses.names import name_span
from hornbook.kb.check.program.completeness import Completeness
from hornbook.kb.check.program.dependencies import DependencyGroup, Node, dependencies_of, read_by
from hornbook.kb.parse.vocabulary import kind_of
from hornbook.kb.sources.diagnostics import Diagnostic, error

COMPLETE_KINDS = ("static", "fluent", "derived")


def refused(prepared: PreparedClause, known: Completeness) -> bool:
    """Return whether a rule depends on the absence of incomplete facts without permission."""
    rule = prepared.rule
    return rule is not None and any(known.is_refused(d) for d in dependencies_of(rule, known.unit))


def check_absence(unit: CheckUnit, known: Completeness) -> Iterator[Diagnostic]:
    """Yield HB026, HB037, HB039, and HB056 once for each predicate."""
    for predicate in unit.predicates:
        if predicate.complete and predicate.kind not in COMPLETE_KINDS:
            message = (
                f"`{predicate.name}` is {kind_of(predicate)}, and only given or derived relations are "
                "complete"
            )
            yield error("HB056", message, predicate.span, "delete `complete`")
    reported: set[str] = set()
    for prepared in unit.prepared_clauses():
        if prepared.rule is not None and (name := named(prepared.rule.head).predicate) not in reported:
            found = list(_incomplete(prepared.rule, known))
            reported |= {name} if found else set()
            yield from found
        if not prepared.absence_allowed:
            if prepared.scope.inner:
                yield from _nested(prepared.body, prepared, known)
            yield from _meta_predicates(prepared, known)


def _incomplete(rule: Rule, known: Completeness) -> Iterator[Diagnostic]:
    """Yield HB056 if a rule concludes a complete predicate from an incomplete one."""
    predicate = known.unit.predicate(named(rule.head).predicate)
    if predicate is None or not predicate.complete or predicate.kind not in COMPLETE_KINDS:
        return
    for statement, nodes in read_by(rule, rule.body, known.unit):
        unsure = sorted((n for n in nodes & known.unsure if n[1] != "after"), key=str)
        if unsure and rule.head.tense != "after":
            name = named(statement).predicate
            message = f"`{predicate.name}` is declared complete, and concluded from `{name}`, which is not"
            help_ = f"{suggested_declaration(unsure, known)}, or delete the word at `{predicate.name}`"
            yield error("HB056", message, name_span(named(statement)), help_)
            return


def check_lost_completeness(
    groups: Iterable[DependencyGroup], unit: CheckUnit, known: Completeness
) -> Iterator[Diagnostic]:
    """Yield HB061 for existing rules that depend on a predicate that the new rules make incomplete."""
    for group in groups:
        for dependency in group.dependencies:
            head = dependency.head[0]
            predicate = known.unit.predicate(head)
            if known.is_refused(dependency) or (
                predicate is not None
                and predicate.complete
                and dependency.head[1] != "after"
                and (dependency.reads | dependency.finished) & known.unsure
            ):
                lost = sorted(
                    n
                    for n in dependency.reads | dependency.finished
                    if n in known.unsure or n[0] in known.meta
                )
                rule = _responsible_rule(lost[0], unit, known) if lost else None
                if rule is not None:
                    message = (
                        f"`{rule.name}` makes `{lost[0][0]}` incomplete, and `{group.rule.name}` "
                        "depends on all of its facts"
                    )
                    help_ = f"conclude another predicate, or {suggested_declaration(lost, known)}"
                    yield error("HB061", message, rule.span, help_)
                    return


def _responsible_rule(lost: Node, unit: CheckUnit, known: Completeness) -> Rule | None:
    """Return the first checked rule that the node depends on."""
    below, waiting = {lost}, [lost]
    while waiting:
        there = waiting.pop()
        more = {n for d in known.dependencies if d.head == there for n in d.reads | d.finished} - below
        below |= more
        waiting += more
    for prepared in unit.rules:
        if prepared.rule is not None and any(d.head in below for d in dependencies_of(prepared.rule, unit)):
            return prepared.rule
    return None


# Rules that may not depend on absences


def _nested(
    conditions: tuple[Condition, ...], prepared: PreparedClause, known: Completeness
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each outermost absence or aggregate; nested ones are part of the
    same mistake.
    """
    for condition in conditions:
        match condition:
            case Absent() | Aggregate():
                unsure = _unsure(condition, prepared, known)
                if prepared.rule is None or unsure:
                    yield _refusal(condition, unsure, known)
            case All():
                yield from _nested(condition.conditions, prepared, known)
            case _:
                pass


def _unsure(condition: Absent | Aggregate, prepared: PreparedClause, known: Completeness) -> list[Node]:
    """Return the incomplete nodes that a condition reads, except meta predicates."""
    if prepared.rule is None:
        return []
    read = read_by(prepared.rule, [condition], known.unit)
    return sorted((n for _, nodes in read for n in nodes & known.unsure if n[0] not in known.meta), key=str)


def _refusal(condition: Absent | Aggregate, unsure: list[Node], known: Completeness) -> Diagnostic:
    earlier = [n for n in unsure if n[1] == "after" and (n[0], "before") not in known.unsure]
    if isinstance(condition, Absent):
        message = "absence in a theory rule: facts that are not derived yet may still become true"
        place, help_ = first_word(condition.span, "absent"), _suggestion(condition, unsure, known)
    else:
        message = f"`{condition.function} … where` in a theory rule: its result changes as more is derived"
        place = condition.span
        help_ = "read a count that is given as a fact, or count a closed set: `?n = count ?x in set(key, ?x)`"
        if unsure:
            help_ += f"; or {suggested_declaration(unsure, known)}"
    if earlier and len(earlier) == len(unsure):
        help_ = (
            f"write `before` in front of changing conditions: after an action, `{earlier[0][0]}` is "
            "not known "
            "completely"
        )
    return error("HB026" if isinstance(condition, Absent) else "HB037", message, place, help_)


def _suggestion(absent: Absent, unsure: list[Node], known: Completeness) -> str:
    """Return a suggestion to replace an absence, depending on the absent predicate."""
    first, unit = absent.conditions[0], known.unit
    declare = f", or {suggested_declaration(unsure, known)}" if unsure else ""
    if isinstance(first, Atom):
        predicate = unit.fits(first)
        counters = unit.counters.get(first.predicate)
        if counters:
            return (
                f"say how many there are: `{counters[0].name}(…, 0)`, or `all … in {first.predicate}(…): …`"
                + declare
            )
        if predicate is not None and predicate.key is not None and predicate.key < predicate.arity:
            return (
                f"say which other value `{first.predicate}` has, such as `{first.predicate}(…, ?x), ?x != …`"
                + declare
            )
    return "say it by a fact that is positive: a count, a closed set (`all … in …`) or a value" + declare


def suggested_declaration(nodes: list[Node], known: Completeness) -> str:
    origins = list(dict.fromkeys(origin for node in nodes if (origin := known.origin(node))))
    if not origins:
        return f"let `{nodes[0][0]}` depend on complete relations only"
    for origin in origins:
        predicate = known.unit.predicate(origin)
        if predicate is not None and predicate.complete:
            return (
                f"conclude `{nodes[0][0]}` before the action only, with `before` in front of all that "
                "changes: "
                f"after an action, `{origin}` is not known completely"
            )
    all_of = "all of it" if len(origins) == 1 else "all of each"
    return f"declare {' and '.join(f'`{origin}`' for origin in origins)} complete if {all_of} is given"


def _meta_predicates(prepared: PreparedClause, known: Completeness) -> Iterator[Diagnostic]:
    for statement in prepared.statements:
        for atom in parts(statement):
            predicate = known.unit.predicate(atom.predicate)
            if predicate is None or predicate.name not in known.meta:
                continue
            if predicate.kind == "meta":
                message = (
                    f"the meta predicate `{atom.predicate}` in a theory rule: it may depend on an absence"
                )
                help_ = "only meta rules and queries may read it; use the conditions that it follows from"
            else:
                message = (
                    f"`{atom.predicate}` in a theory rule: it depends on the absence of facts that "
                    "may still become known"
                )
                way_out = suggested_declaration(
                    [known.unsure_head(atom.predicate) or (atom.predicate, None)], known
                )
                help_ = f"{way_out}, or say what `{atom.predicate}` follows from"
            yield error("HB039", message, name_span(atom), help_)
