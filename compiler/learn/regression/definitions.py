"""Unfolding of definitions in clauses: resolution (Robinson 1965) on one condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from hornbook.compiler.generalise.unify import Unifier
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, marked_rule
from hornbook.kb.ast.terms import Atom, Rule, Term, Variable, condition_variables

_MARK = "'"  # A suffix that no name in a source text has.


def with_definitions(
    clause: Rule, definitions: Mapping[str, Rule], preferred: Collection[str] = ()
) -> Rule | None:
    """Return the clause with each condition on a defined word replaced by its only definition; None if it
    never holds.

    Unified variables get the name in `preferred`, if there is one, or else the name in the clause.
    """
    made: Rule | None = clause
    while made is not None:
        places = (n for n, c in enumerate(made.body) if isinstance(c, Atom) and c.predicate in definitions)
        place = next(places, None)
        if place is None:
            return _with_wildcards(made)
        made = _with_definition(made, place, definitions, preferred)
    return None


def _with_definition(
    clause: Rule, place: int, definitions: Mapping[str, Rule], preferred: Collection[str]
) -> Rule | None:
    condition = clause.body[place]
    assert isinstance(condition, Atom)
    definition = marked_rule(definitions[condition.predicate], _MARK)
    unifier = Unifier()
    assert isinstance(definition.head, Atom)
    if not unifier.unify_statements(definition.head, condition):
        return None
    terms = _names(clause, definition, unifier, preferred)
    body = (*clause.body[:place], *definition.body, *clause.body[place + 1 :])
    return replace(
        clause,
        head=apply_to_statement(clause.head, terms),
        body=tuple(dict.fromkeys(apply_to_condition(each, terms) for each in body)),
    )


def _names(clause: Rule, definition: Rule, unifier: Unifier, preferred: Collection[str]) -> dict[str, Term]:
    """Return the name of each variable of the clause and of the definition after unification."""
    own = {variable.name for variable in _variables(clause)}
    parts: dict[Term, dict[str, None]] = {}
    for variable in (*_variables(clause), *_variables(definition)):
        parts.setdefault(unifier.walk(variable), {})[variable.name] = None
    terms: dict[str, Term] = {}
    taken = set(own)
    for root, names in parts.items():
        term: Term = root
        if isinstance(root, Variable):
            ranked = sorted(names, key=lambda n: (n not in preferred, n.startswith("_"), n not in own))
            name = ranked[0]
            if name not in own:
                name = name.rstrip(_MARK)
                while name in taken:
                    name += "x"
                taken.add(name)
            term = Variable(name)
        terms.update(dict.fromkeys(names, term))
    return terms


def _variables(clause: Rule) -> Iterator[Variable]:
    for condition in (clause.head, *clause.body):
        yield from condition_variables(condition)


def _with_wildcards(clause: Rule) -> Rule:
    """Return the clause with variables that occur once replaced by wildcards."""
    times = Counter(variable.name for variable in _variables(clause))
    singletons = {
        name: Variable(f"_{name}") for name, n in times.items() if n == 1 and not name.startswith("_")
    }
    return replace(clause, body=tuple(apply_to_condition(each, singletons) for each in clause.body))
