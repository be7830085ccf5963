"""Names: each is declared exactly once, and used with the declared number of columns.

An unknown name gives one diagnostic, at its first use. A name in a declaration with a syntax error gives
none, since the syntax error is the only mistake.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from hornbook.kb.ast.declarations import Predicate, Sort
from hornbook.kb.ast.terms import (
    Atom,
    Constant,
    Rule,
    Span,
    Statement,
    condition_variables,
    statements,
)
from hornbook.kb.check.check_unit import CheckUnit, first_word, parts
from hornbook.kb.check.clauses.sorts import variable_sorts
from hornbook.kb.parse.vocabulary import BUILT_IN_SORTS, declaration
from hornbook.kb.sources.diagnostics import Diagnostic, Replacement, did_you_mean, error, spelling_fixes
from hornbook.kb.text.counts import counted
from hornbook.kb.text.literals.values import WrittenInteger


def check_names(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB003, HB010, HB011, HB012, HB015, HB018 and HB042."""
    yield from _unwritable(unit)
    yield from _theory_clauses(unit)
    yield from _declared_twice(unit)
    yield from _sorts_of_columns(unit)
    yield from _predicates(unit)
    yield from _labels(unit)


_VARIABLE = re.compile(r"[^\W\d_]\w*|_\d*")
"""The names of variables in texts, and those of wildcards."""


def _unwritable(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB003 for terms of facts and rules, given as Python objects, that no text can contain.

    They could mislead readers of proofs.
    """
    if not unit.is_state:
        return
    own = (prepared.rule for prepared in unit.rules if prepared.rule is not None)
    for rule in (*unit.facts, *own):
        conditions = (rule.head, *rule.body)
        for variable in (v for c in conditions for v in condition_variables(c)):
            if not _VARIABLE.fullmatch(variable.name):
                help_ = "write letters, digits and underscores, a letter first"
                yield error("HB003", _unwritable_name(variable.name), variable.span, help_)
        for term in (t for s in statements(conditions) for t in s.terms):
            if isinstance(term, Constant) and not _is_value(term.value):
                message = f"`{term.value}` is neither a word nor an integer"
                yield error("HB003", message, term.span, "give a word as `str`, a number as `int`")


def _is_value(value: object) -> bool:
    return type(value) in (str, int) or isinstance(value, WrittenInteger)


def _unwritable_name(name: str) -> str:
    """Return the message about the name of a variable that no text can contain."""
    odd = re.search(r"\W", name)
    if odd is None:
        return f"`?{name}` is the name of no variable"
    where = "ends with" if odd.end() == len(name) else "holds"
    return f"`?{name}` has a name that {where} `{odd[0]}`, as no variable of a text has"


def _theory_clauses(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB042 for a `theory` clause that is not the first clause."""
    for clause in unit.theory_names:
        if clause is unit.first_clause:
            continue
        if clause is unit.theory_names[0]:
            yield error(
                "HB042", "the `theory` clause is not the first clause", clause.span, "move it to the top"
            )
        else:
            first = unit.theory_names[0]
            help_ = f"the file is already called `{first.name}`: delete this clause"
            yield error("HB042", "a second `theory` clause", clause.span, help_)


def _declared_twice(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB015 for sorts, predicates and examples that are declared more than once."""
    sorts: dict[str, Span] = {}
    predicates: dict[str, Predicate] = {}
    for clause in unit.imported:
        if isinstance(clause, Sort):
            sorts.setdefault(clause.name, clause.span)
        elif isinstance(clause, Predicate):
            first = predicates.setdefault(clause.name, clause)
            if declaration(first) != declaration(clause):
                message = (
                    f"the imports declare `{clause.name}` in two ways: `{declaration(first)}` and "
                    f"`{declaration(clause)}`"
                )
                help_ = (
                    "import one of them, or one `as` an instance (the first declaration, at "
                    f"{first.span}, counts)"
                )
                yield error("HB015", message, clause.span, help_)
    for sort in unit.sorts:
        if sort.name in BUILT_IN_SORTS:
            yield error("HB015", f"the sort `{sort.name}` is built in", sort.span, "choose another name")
        else:
            yield from _once("sort", sort.name, sort.span, sorts)
        for constant, times in Counter(sort.constants).items():
            if times > 1:
                message = (
                    f"the sort `{sort.name}` lists `{constant}` {'twice' if times == 2 else f'{times} times'}"
                )
                yield error("HB015", message, sort.span, "list it once")
    for predicate in unit.predicates:
        first = predicates.setdefault(predicate.name, predicate)
        if first.arity == predicate.arity:
            yield from _once("predicate", predicate.name, predicate.span, {predicate.name: first.span})
        else:
            message = (
                f"the predicate `{predicate.name}` is declared with {counted(first.arity, 'column')} "
                f"and with {predicate.arity}"
            )
            help_ = (
                "a name has one number of columns, for tables and messages alike; call this one "
                f"`{predicate.name}{predicate.arity}`, "
                f"or delete it (the first declaration, at {first.span}, counts)"
            )
            yield error("HB015", message, predicate.span, help_)
    examples: dict[str, Span] = {}
    for example in unit.examples:
        yield from _once("example", example.name, example.span, examples)


def _once(what: str, name: str, span: Span, known: dict[str, Span]) -> Iterator[Diagnostic]:
    """Yield HB015 if a name is declared already, otherwise add it to the known ones.

    `what` is the kind of the name, such as `sort`, for the message.
    """
    first = known.setdefault(name, span)
    if first is not span:
        help_ = f"the first declaration, at {first}, counts: delete this one or choose another name"
        yield error("HB015", f"the {what} `{name}` is declared twice", span, help_)


def _sorts_of_columns(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB012 for each unknown sort, at its first column."""
    known = unit.vocabulary.sorts
    unknown: set[str] = set()
    for predicate in unit.predicates:
        for column in predicate.columns:
            if column.name in known or column.name in unknown or unit.broken.declares("sort", column.name):
                continue
            unknown.add(column.name)
            clause = f"sort {column.name}."
            help_ = did_you_mean(column.name, known) or f"declare it: `{clause}`"
            fixes = spelling_fixes(column.span, column.name, known) or (
                _declaration_fix(clause, column.span, unit),
            )
            yield error("HB012", f"unknown sort `{column.name}`", column.span, help_, fixes)


def _predicates(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB010 for unknown predicates, and HB011 for wrong numbers of arguments."""
    unknown: dict[str, list[Atom]] = {}
    known = unit.vocabulary.predicates
    # The facts and the heads of rules, by identity.
    stated = {id(fact.head) for fact in unit.facts} | {id(prepared.head) for prepared in unit.rules}
    declared = {(predicate.name, predicate.arity) for predicate in unit.predicates}
    for statement in unit.statements():
        atoms = parts(statement)
        for atom in atoms:
            predicate = known.get(atom.predicate)
            if predicate is None:
                unknown.setdefault(atom.predicate, []).append(atom)
            elif (atom.predicate, len(atom.arguments)) in declared:
                pass  # the declaration with two numbers of columns is already reported
            elif predicate.arity != len(atom.arguments) and _fits_kind(statement, predicate):
                yield _wrong_arity(atom, predicate, stated=id(atom) in stated)
    for name, atoms_of_name in unknown.items():
        if not unit.broken.declares("predicate", name):
            yield _unknown(name, atoms_of_name, unit)


def _fits_kind(statement: Statement, predicate: Predicate) -> bool:
    """Return whether a predicate may occur in a statement of this form: only games and actions in one on a
    game.

    Another check reports the others, so their arguments are not counted.
    """
    return isinstance(statement, Atom) or predicate.kind in ("game", "action")


def _unknown(name: str, atoms: list[Atom], unit: CheckUnit) -> Diagnostic:
    """Return HB010 for a predicate that is not declared, at the first of its uses `atoms`."""
    first = min(atoms, key=lambda atom: (atom.span.line, atom.span.column))
    # The rules generated from a rule with `or` share source positions.
    others = len({atom.span for atom in atoms}) - 1
    more = f", here and in {counted(others, 'more place')}" if others else ""
    columns = f"({', '.join('…' for _ in first.arguments)})" if first.arguments else ""
    span = name_span(first)
    # Files without a theory clause have examples or learned rules, which an edit of the theory may outdate.
    is_outdated = bool(unit.imported) and not unit.theory_names
    outdated = "; if the theory had it before, learn these rules again" if is_outdated else ""
    declaring = f"declare it: `derived {name}{columns}.`{outdated}"
    help_ = did_you_mean(name, unit.vocabulary.predicates) or declaring
    fixes = spelling_fixes(span, name, unit.vocabulary.predicates)
    if not fixes:
        fixes = (
            _declaration_fix(f"derived {name}{_sorts_of_arguments(name, unit) or columns}.", span, unit),
        )
    return error("HB010", f"unknown predicate `{name}`{more}", span, help_, fixes)


def _declaration_fix(clause: str, place: Span, unit: CheckUnit) -> Replacement:
    """Return the fix that adds a declaration before the first rule of the file. `place` is the mistake."""
    rules = (*unit.facts, *(prepared.rule for prepared in unit.rules if prepared.rule is not None))
    line = min((rule.span.line for rule in rules if rule.span.file == place.file), default=place.line)
    return Replacement(Span(place.file, line, 1, line, 1), f"{clause}\n", f"Declare it: `{clause}`")


def _sorts_of_arguments(name: str, unit: CheckUnit) -> str:
    """Return the sorts of the arguments at the first use of a predicate in a rule, as text in parentheses.

    Return an empty text if no rule uses it with arguments.
    """
    for rule in sorted((p.rule for p in unit.rules if p.rule is not None), key=lambda rule: rule.span.line):
        for statement in statements((rule.head, *rule.body)):
            if statement.relation == name and statement.terms:
                sorts = variable_sorts(rule, unit.vocabulary)
                columns = (sorts.get(getattr(term, "name", ""), "int") for term in statement.terms)
                return f"({', '.join(columns)})"
    return ""


def _wrong_arity(atom: Atom, predicate: Predicate, *, stated: bool) -> Diagnostic:
    """Return HB011. `stated`: whether the atom is a fact or a head, so that another relation may be meant."""
    expected, given = len(predicate.columns), len(atom.arguments)
    takes = f"takes {counted(expected, 'argument')}" if expected else "takes no arguments"
    help_ = f"it is declared `{declaration(predicate)}`"
    if stated and given > expected:
        help_ += (
            "; a name has one number of columns: another relation has another name, such as "
            f"`{atom.predicate}{given}`"
        )
    return error("HB011", f"`{atom.predicate}` {takes}, not {given}", atom.span, help_)


def name_span(atom: Atom) -> Span:
    """Return the position of an atom's predicate name. One space after a tense word is assumed."""
    span = atom.span
    start = span.column
    if atom.tense is not None:
        start += len(atom.tense) + 1
    return Span(span.file, span.line, start, span.line, start + len(atom.predicate))


def _labels(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB018 for each label that an earlier rule has."""
    known: dict[str, Span] = {}
    for clause in unit.imported:
        if isinstance(clause, Rule) and clause.label is not None:
            known.setdefault(clause.label, clause.span)
    for persisting in unit.persisting.rules:
        if persisting.label is not None:
            known.setdefault(persisting.label, persisting.span)
    for prepared in unit.rules:
        rule = prepared.rule
        if rule is None or rule.label is None:
            continue
        first = unit.labels.get(rule.label) or known.setdefault(rule.label, rule.span)
        if first is not rule.span:
            help_ = f"the label is taken by the rule at {first}"
            yield error(
                "HB018", f"the label `{rule.label}` is used twice", first_word(rule.span, rule.label), help_
            )
