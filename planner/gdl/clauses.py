"""The clauses of a sheet: heads and bodies made from expressions, with checked arities.

A term is an expression of kif.py: a word, a variable, or a list that begins with the name of a function.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, error
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.kif import RULE, Expression, KifList, KifVariable, KifWord

ARITIES = {
    "role": 1,
    "init": 1,
    "true": 1,
    "next": 1,
    "terminal": 0,
    "base": 1,
    "legal": 2,
    "does": 2,
    "goal": 2,
    "input": 2,
}
"""The relations that GDL itself defines, each with its arity."""
JOINING = frozenset(("not", "or", "and", "distinct", RULE))
"""Connectives and other words that precede conditions or terms and name no relation."""
GIVEN = frozenset(("true", "does"))
"""The relations for the state and the moves made in it. No rule concludes them."""
STATE_FREE = frozenset(("role", "init", "base", "input"))
"""The relations that are equal in every state."""


_FORMS = {
    "role": "(role PLAYER)",
    "init": "(init FACT)",
    "true": "(true FACT)",
    "next": "(next FACT)",
    "base": "(base FACT)",
    "terminal": "terminal",
    "legal": "(legal PLAYER MOVE)",
    "does": "(does PLAYER MOVE)",
    "goal": "(goal PLAYER VALUE)",
    "input": "(input PLAYER MOVE)",
    "not": "(not CONDITION)",
    "distinct": "(distinct TERM TERM)",
}
_LIST = "write a name behind the parenthesis, and then its arguments"


@dataclass(frozen=True, slots=True)
class GdlAtom:
    name: str
    terms: tuple[Expression, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Distinct:
    left: Expression
    right: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NotFormula:
    formula: Formula
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AndFormula:
    """A conjunction: `and`."""

    formulas: tuple[Formula, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class OrFormula:
    """A disjunction: `or`."""

    formulas: tuple[Formula, ...]
    span: Span = field(compare=False, repr=False)


Formula = GdlAtom | Distinct | NotFormula | AndFormula | OrFormula


@dataclass(frozen=True, slots=True)
class GdlClause:
    head: GdlAtom
    body: tuple[Formula, ...]
    span: Span = field(compare=False, repr=False)


class _Refused(Exception):
    def __init__(self, code: str, message: str, span: Span, help_: str = "") -> None:
        super().__init__(message)
        self.diagnostic = error(code, message, span, help_)


def clauses_of(expressions: Sequence[Expression]) -> tuple[tuple[GdlClause, ...], tuple[Diagnostic, ...]]:
    """Return the clauses of the expressions, and a diagnostic for each expression that is no clause."""
    found: list[GdlClause] = []
    mistakes: list[Diagnostic] = []
    if expressions and isinstance(expressions[0], KifWord) and expressions[0].name != RULE:
        help_ = "write KIF, `(legal ?p noop)` and `(<= HEAD CONDITION …)`; the infix notation is not read"
        return (), (error("HB102", "a sheet begins with a parenthesis", expressions[0].span, help_),)
    if expressions and _is_definition(expressions[0]):
        message = "this is a file of PDDL, not a game in GDL"
        help_ = "make a theory of it by `hornbook game import DOMAIN PROBLEM --into DIR`"
        return (), (error("HB102", message, expressions[0].span, help_),)
    for expression in expressions:
        try:
            found.append(_clause(expression))
        except _Refused as problem:
            mistakes.append(problem.diagnostic)
    return tuple(found), tuple(mistakes)


def _is_definition(expression: Expression) -> bool:
    """Return whether an expression is a definition of PDDL, such as `(define (domain blocks) …)`."""
    match expression:
        case KifList(items=(KifWord(name="define"), KifList(items=(KifWord(name=what), _)), *_)):
            return what in ("domain", "problem")
    return False


def atoms_of(formulas: Iterable[Formula]) -> Iterator[GdlAtom]:
    """Yield the atoms in formulas, including those below `not`."""
    for formula in formulas:
        match formula:
            case GdlAtom():
                yield formula
            case NotFormula(formula=inner):
                yield from atoms_of([inner])
            case Distinct():
                pass
            case _:
                yield from atoms_of(formula.formulas)


def variables_of(term: Expression) -> Iterator[KifVariable]:
    """Yield each occurrence of a variable in a term."""
    todo = [term]
    while todo:
        part = todo.pop()
        if isinstance(part, KifVariable):
            yield part
        elif isinstance(part, KifList):
            todo += reversed(part.items)


def _clause(expression: Expression) -> GdlClause:
    if not isinstance(expression, KifList):
        help_ = "write `(` in front, or delete it"
        raise _Refused("HB102", "a clause must be in parentheses", expression.span, help_)
    items = expression.items
    if not items:
        raise _Refused("HB102", "a list is empty", expression.span, "delete it")
    if not (isinstance(items[0], KifWord) and items[0].name == RULE):
        return GdlClause(_head(expression), (), expression.span)
    if len(items) == 1:
        raise _Refused("HB102", "a rule has a head", expression.span, "write `(<= HEAD CONDITION …)`")
    return GdlClause(_head(items[1]), tuple(map(_formula, items[2:])), expression.span)


def _head(expression: Expression) -> GdlAtom:
    head = _atom(expression)
    if head.name in GIVEN:
        source = "the state" if head.name == "true" else "what is done"
        message = f"no rule concludes `{head.name}`: it is {source}"
        help_ = "write `next`, or `init`" if head.name == "true" else "write `legal`"
        raise _Refused("HB104", message, head.span, help_)
    return head


def _formula(expression: Expression) -> Formula:
    if isinstance(expression, KifList) and expression.items and isinstance(expression.items[0], KifWord):
        name, arguments, span = expression.items[0].name, expression.items[1:], expression.span
        if name == "not":
            if len(arguments) != 1:
                raise _wrong_number("not", 1, len(arguments), span)
            return NotFormula(_formula(arguments[0]), span)
        if name in ("or", "and"):
            if not arguments:
                raise _Refused("HB103", f"`{name}` has nothing to join", span, "delete it")
            parts = tuple(map(_formula, arguments))
            return OrFormula(parts, span) if name == "or" else AndFormula(parts, span)
        if name == "distinct":
            if len(arguments) != 2:
                raise _wrong_number("distinct", 2, len(arguments), span)
            return Distinct(_term(arguments[0]), _term(arguments[1]), span)
    atom = _atom(expression)
    if atom.name == "next":
        raise _Refused("HB104", "`next` occurs only in heads", atom.span, "write `true` to query the state")
    return atom


def _atom(expression: Expression) -> GdlAtom:
    if isinstance(expression, KifWord):
        if expression.name in JOINING:
            help_ = f"write `({expression.written} …)` with its arguments"
            raise _Refused("HB104", f"`{expression.written}` needs arguments", expression.span, help_)
        expected = ARITIES.get(expression.name, 0)
        if expected:
            raise _wrong_number(expression.name, expected, 0, expression.span)
        return GdlAtom(expression.name, (), expression.span)
    if isinstance(expression, KifVariable):
        message = f"`?{expression.name}` is a variable, but a condition is a relation"
        raise _Refused(
            "HB102", message, expression.span, f"write the name of a relation, or `(true ?{expression.name})`"
        )
    if not expression.items or not isinstance(expression.items[0], KifWord):
        raise _Refused("HB102", "a list begins with the name of a relation", expression.span, _LIST)
    name, arguments = expression.items[0].name, expression.items[1:]
    if name == "sees":
        message = "`sees` belongs to GDL-II, where players do not see the whole state"
        raise _Refused("HB104", message, expression.span, "only games of full information are supported")
    if name in JOINING:
        raise _Refused(
            "HB104", f"`{name}` is not possible here", expression.span, "write a relation with its arguments"
        )
    expected = ARITIES.get(name, len(arguments))
    if expected != len(arguments):
        raise _wrong_number(name, expected, len(arguments), expression.span)
    if name == "terminal":
        raise _Refused(
            "HB103", "`terminal` has no arguments", expression.span, "write `terminal`, without parentheses"
        )
    return GdlAtom(name, tuple(map(_term, arguments)), expression.span)


def _term(expression: Expression) -> Expression:
    """Return the expression if it is a term; otherwise raise _Refused."""
    todo = [expression]
    while todo:
        part = todo.pop()
        if isinstance(part, KifWord) and part.name == RULE:
            raise _Refused(
                "HB104", f"`{RULE}` begins a rule and cannot be an argument", part.span, "delete it"
            )
        if not isinstance(part, KifList):
            continue
        if not part.items or not isinstance(part.items[0], KifWord):
            raise _Refused(
                "HB102", "a list among arguments begins with the name of a function", part.span, _LIST
            )
        name = part.items[0].name
        if name in GIVEN or name in JOINING:
            message = f"`{name}` belongs to conditions and cannot be an argument"
            raise _Refused("HB104", message, part.span, "write a condition of its own")
        todo += part.items[1:]
    return expression


def _wrong_number(name: str, expected: int, found: int, span: Span) -> _Refused:
    arguments = f"{expected} argument{'s' if expected != 1 else ''}" if expected else "no argument"
    help_ = f"write `{_FORMS[name]}`"
    return _Refused("HB103", f"`{name}` has {arguments}, not {found}", span, help_)
