"""Instances of theories: the clauses of a theory under the names that an import gives to it.

`import closure as roads with node = town, edge = road.` reads the clauses of `closure` with changed names.
Names after `with` are replaced as written. Any other declared `NAME` and every label becomes `roads_NAME`. If
the importing file declares the new name itself, the declaration is left out of the instance, and both
declarations must agree. Names that the theory imports stay unchanged. Examples and expectations are not
imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from hornbook.kb.ast.declarations import (
    Clause,
    Example,
    ExceptedLabel,
    ExceptionRule,
    Expect,
    Import,
    Predicate,
    Sort,
    SortName,
    TheoryName,
)
from hornbook.kb.ast.terms import Atom, Rule, Span
from hornbook.kb.format.printer import print_clause
from hornbook.kb.parse.vocabulary import BUILT_IN_SORTS
from hornbook.kb.sources.diagnostics import Diagnostic, did_you_mean, error, spelling_fixes

Declared = dict[str, Sort | Predicate]
"""Declarations by name. A mark before the name distinguishes a sort from a predicate of the same name."""


def declared_in(clauses: Iterable[Clause]) -> Declared:
    """Return the declarations of clauses. The first declaration of a name counts."""
    found: Declared = {}
    for clause in clauses:
        if isinstance(clause, Sort | Predicate):
            found.setdefault(_key(clause), clause)
    return found


def instance_of(clauses: Iterable[Clause], taken: Import, known: Declared) -> tuple[Clause, ...]:
    """Return the clauses of a theory as an instance. `known` are the existing declarations."""
    clauses = tuple(clauses)
    called, prefix = _new_names(clauses, taken), _prefix(taken)
    renamed = (
        _renamed(clause, called, prefix)
        for clause in clauses
        if not isinstance(clause, TheoryName | Import | Example | Expect)
    )
    return tuple(
        clause
        for clause in renamed
        if not (isinstance(clause, Sort | Predicate) and (_key(clause) in known or _is_built_in(clause)))
    )


def misnamed(clauses: Iterable[Clause], taken: Import, known: Declared) -> Iterator[Diagnostic]:
    """Yield HB016 if the names of an import are unknown in its theory or have another meaning already."""
    clauses = tuple(clauses)
    own = {clause.name for clause in clauses if isinstance(clause, Sort | Predicate)}
    seen: set[str] = set()
    is_named = True
    for renaming in taken.renamings:
        if renaming.name in seen:
            is_named = False
            message = f"`{renaming.name}` is renamed twice"
            yield error("HB016", message, renaming.span, "leave out one of the two")
        elif renaming.name not in own:
            is_named = False
            message = f"the theory `{taken.name}` declares no `{renaming.name}`"
            span = renaming.span._replace(end_column=renaming.span.column + len(renaming.name))
            fixes = spelling_fixes(span, renaming.name, own)
            yield error("HB016", message, renaming.span, did_you_mean(renaming.name, own), fixes)
        seen.add(renaming.name)
    if not is_named:
        return  # The clause of a wrong name would look like a conflicting declaration.
    called = _new_names(clauses, taken)
    for clause in clauses:
        if isinstance(clause, Sort | Predicate):
            renamed = _renamed(clause, called, "")
            there = known.get(_key(renamed))
            span = _span_of(clause.name, taken)
            if there is not None and not _agree(renamed, there):
                message = f"`{clause.name}` of `{taken.name}` is not what `{renamed.name}` is here"
                help_ = f"there: `{_shown(renamed)}`; here: `{_shown(there)}`"
                yield error("HB016", message, span, help_)


def _span_of(name: str, taken: Import) -> Span:
    return next((renaming.span for renaming in taken.renamings if renaming.name == name), taken.span)


def _new_names(clauses: Iterable[Clause], taken: Import) -> dict[str, str]:
    """Return the new name of each declared name in an instance."""
    prefix = _prefix(taken)
    own = [clause.name for clause in clauses if isinstance(clause, Sort | Predicate)]
    return {name: f"{prefix}{name}" for name in own} | {r.name: r.own for r in taken.renamings}


def _prefix(taken: Import) -> str:
    return "" if taken.instance is None else f"{taken.instance}_"


def _key(clause: Sort | Predicate) -> str:
    return f"sort {clause.name}" if isinstance(clause, Sort) else clause.name


def _is_built_in(clause: Sort | Predicate) -> bool:
    return isinstance(clause, Sort) and clause.name in BUILT_IN_SORTS


def _agree(renamed: Sort | Predicate, there: Sort | Predicate) -> bool:
    """Return whether a declaration of an instance is compatible with the existing one of the same name."""
    if isinstance(renamed, Sort):
        return renamed.kind == "open" or renamed == there
    return replace(renamed, says=None) == replace(there, says=None) if isinstance(there, Predicate) else False


def _shown(clause: Sort | Predicate) -> str:
    """Return a declaration as text, without its period and its descriptions, which may differ."""
    if isinstance(clause, Predicate):
        return print_clause(replace(clause, says=None)).removesuffix(".")
    return f"sort {clause.name}" + ("" if clause.kind == "open" else " = …")


def _renamed(node: Any, called: Mapping[str, str], prefix: str) -> Any:
    """Return a clause or a part of it, with the names of sorts and predicates and the labels changed."""
    if isinstance(node, tuple):
        return tuple([_renamed(part, called, prefix) for part in node])
    if not is_dataclass(node) or isinstance(node, type):
        return node
    changed = {
        field.name: _renamed(getattr(node, field.name), called, prefix)
        for field in fields(node)
        if field.name != "span"
    }
    match node:
        case Sort() | Predicate() | SortName():
            changed["name"] = called.get(node.name, node.name)
        case Atom():
            changed["predicate"] = called.get(node.predicate, node.predicate)
        case Rule() if node.label is not None:
            changed["label"] = prefix + node.label
        case ExceptionRule():
            changed["label"] = prefix + node.label
        case ExceptedLabel():
            changed["name"] = prefix + node.name
    return replace(node, **changed)
