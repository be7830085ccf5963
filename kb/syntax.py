"""The parser: text to clauses with spans, and a diagnostic for every clause that is not one.

Each clause is parsed by itself, so one mistake never hides the next clause; a clause that runs into the
next because its period is missing is cut where the next one visibly begins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, cast

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

from kb.declarations import (
    INTEGER_SORT,
    Clause,
    Example,
    Expect,
    Frame,
    Import,
    Predicate,
    PredicateKind,
    Sort,
    SortName,
    TheoryName,
)
from kb.diagnostics import Diagnostic, TheoryError, error
from kb.scanner import ClauseText, Comment, scan
from kb.syntax_errors import Mistake, explain
from kb.terms import (
    Aggregate,
    AggregateFunction,
    All,
    ArithmeticOperator,
    Absent,
    Atom,
    Comparison,
    ComparisonOperator,
    Condition,
    Constant,
    CountIn,
    Expression,
    GameStatement,
    Operation,
    Rule,
    Span,
    Statement,
    Tense,
    Term,
    Variable,
)

MAX_TEXT = 64 * 1024 * 1024
"""Characters in one file."""
MAX_NESTING = 100
"""Conditions inside conditions, operations inside operations."""
MIN_INTEGER, MAX_INTEGER = -(2**63), 2**63 - 1


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A file after parsing: its clauses, its comments, and what could not be parsed."""

    name: str
    text: str
    clauses: tuple[Clause, ...]
    comments: tuple[Comment, ...]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """Conditions to be answered, and the variables of an answer in order of first appearance."""

    conditions: tuple[Condition, ...]
    span: Span


class _Refused(Exception):
    """A clause that the grammar accepts and the builder does not."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(frozen=True, slots=True)
class _Answers:
    rows: tuple[tuple[Term, ...], ...]


@dataclass(frozen=True, slots=True)
class _Conditions:
    items: tuple[Condition, ...]
    depth: int


class _Builder(Transformer[Token, Any]):
    """Builds terms while the grammar is reduced; `file` and `line` place the clause in its file."""

    def __init__(self) -> None:
        super().__init__()
        self.file = ""
        self.line = 1
        self.wildcards = 0
        self.depths: dict[int, int] = {}

    def begin(self, file: str, line: int) -> None:
        self.file, self.line, self.wildcards = file, line, 0
        self.depths.clear()

    # Spans

    def span(self, first: Any, last: Any = None) -> Span:
        """From the start of `first` to the end of `last`, each a token or something with a span."""
        last = first if last is None else last
        if isinstance(first, Token):
            line, column = cast(int, first.line) + self.line - 1, cast(int, first.column)
        else:
            line, column = first.span.line, first.span.column
        if isinstance(last, Token):
            end_line, end_column = cast(int, last.end_line) + self.line - 1, cast(int, last.end_column)
        else:
            end_line, end_column = last.span.end_line, last.span.end_column
        return Span(self.file, line, column, end_line, end_column)

    def deepen(self, node: Any, *inner: Any) -> Any:
        """Notes how deep a node is, so that no recursion over terms can run out of stack."""
        depth = 1 + max((self.depths.get(id(part), 0) for part in inner), default=0)
        if depth > MAX_NESTING:
            raise _Refused(
                error("HB004", f"nested more than {MAX_NESTING} deep", node.span, "split it with a derived predicate")
            )
        self.depths[id(node)] = depth
        return node

    # Terms

    def variable(self, children: list[Token]) -> Variable:
        token = children[0]
        if token.type == "WILDCARD":
            self.wildcards += 1
            return Variable(f"_{self.wildcards}", self.span(token))
        return Variable(token[1:], self.span(token))

    def word_constant(self, children: list[Token]) -> Constant:
        return Constant(unquote(children[0]), self.span(children[0]))

    def number(self, children: list[Token]) -> Constant:
        span = self.span(children[0], children[-1])
        digits = "".join(children)
        if len(digits) > 20 or not MIN_INTEGER <= int(digits) <= MAX_INTEGER:
            raise _Refused(
                error("HB006", "the integer does not fit into 64 bits", span, f"the largest is {MAX_INTEGER}")
            )
        return Constant(int(digits), span)

    def _operation(self, operator: ArithmeticOperator, children: list[Any]) -> Operation:
        left, right = (child for child in children if not isinstance(child, Token))
        last = children[-1]
        return cast(
            Operation,
            self.deepen(Operation(operator, left, right, self.span(children[0], last)), left, right),
        )

    def plus(self, children: list[Any]) -> Operation:
        return self._operation("+", children)

    def minus(self, children: list[Any]) -> Operation:
        return self._operation("-", children)

    def times(self, children: list[Any]) -> Operation:
        return self._operation("*", children)

    def divide(self, children: list[Any]) -> Operation:
        return self._operation("//", children)

    def minimum(self, children: list[Any]) -> Operation:
        return self._operation("min", children)

    def maximum(self, children: list[Any]) -> Operation:
        return self._operation("max", children)

    # Conditions

    def atom(self, children: list[Any]) -> Atom:
        name = children[0]
        terms = tuple(child for child in children[1:] if child is not None and not isinstance(child, Token))
        last = children[-1] if children[-1] is not None else name
        return Atom(str(name), terms, None, self.span(name, last))

    def tensed(self, children: list[Any]) -> Atom:
        tense, atom = children
        if tense is None:
            return cast(Atom, atom)
        return replace(atom, tense=cast(Tense, str(tense)), span=self.span(tense, atom))

    def statement(self, children: list[Any]) -> Statement:
        tense, atom, by, value = children
        atom = self.tensed([tense, atom])
        if value is not None:
            return GameStatement(atom, by, value, self.span(atom, value))
        if by is not None:
            raise _Refused(
                error("HB035", "a game statement needs a value", self.span(atom, by), "write `… by … is GI`")
            )
        return cast(Atom, atom)

    def comparison(self, children: list[Any]) -> Comparison:
        left, operator, right = children
        node = Comparison(cast(ComparisonOperator, str(operator)), left, right, self.span(left, right))
        return cast(Comparison, self.deepen(node, left, right))

    def equation(self, children: list[Any]) -> Comparison:
        left, right = children
        return cast(Comparison, self.deepen(Comparison("=", left, right, self.span(left, right)), left, right))

    def variables(self, children: list[Variable]) -> tuple[Variable, ...]:
        return tuple(children)

    def conditions(self, children: list[Any]) -> _Conditions:
        return _Conditions(tuple(children), max(self.depths.get(id(child), 0) for child in children))

    def inner(self, children: list[Any]) -> _Conditions:
        child = children[0]
        if isinstance(child, _Conditions):
            return child
        return _Conditions((child,), self.depths.get(id(child), 0))

    def _nest(self, node: Any, inner: _Conditions) -> Any:
        self.depths[id(inner)] = inner.depth
        return self.deepen(node, inner)

    def all(self, children: list[Any]) -> All:
        word, variables, member, inner = children
        return cast(All, self._nest(All(variables, member, inner.items, self.span(word, inner.items[-1])), inner))

    def absent(self, children: list[Any]) -> Absent:
        word, inner = children
        return cast(Absent, self._nest(Absent(inner.items, self.span(word, inner.items[-1])), inner))

    def sets(self, children: list[Any]) -> tuple[Atom, ...]:
        return tuple(children)

    def count_in(self, children: list[Any]) -> CountIn:
        result, _, variables, sets, *excluded = children
        excluded = [term for term in excluded if term is not None]
        last = excluded[-1] if excluded else sets[-1]
        node = CountIn(numeric(result), variables, sets, tuple(excluded), self.span(result, last))
        return cast(CountIn, self.deepen(node, result))

    def aggregate(self, children: list[Any]) -> Aggregate:
        result, function, variables, inner = children
        node = Aggregate(
            numeric(result),
            cast(AggregateFunction, str(function)),
            variables,
            inner.items,
            self.span(result, inner.items[-1]),
        )
        return cast(Aggregate, self._nest(node, inner))

    # Clauses

    def theory(self, children: list[Token]) -> TheoryName:
        return TheoryName(str(children[0]), self.span(children[0]))

    def import_(self, children: list[Token]) -> Import:
        return Import(str(children[0]), self.span(children[0]))

    def sort(self, children: list[Any]) -> Sort:
        name, *words = children
        span = self.span(name)
        words = [unquote(word) for word in words if word is not None]
        if not words:
            return Sort(str(name), "open", (), span)
        if words == [INTEGER_SORT]:
            return Sort(str(name), "integer", (), span)
        return Sort(str(name), "enumerated", tuple(words), span)

    def columns(self, children: list[Token]) -> tuple[SortName, ...]:
        return tuple(SortName(str(token), self.span(token)) for token in children)

    def predicate(self, children: list[Any]) -> Predicate:
        kind, name, first, second, counts = children
        first = first or ()
        return Predicate(
            kind=cast(PredicateKind, str(kind)),
            name=str(name),
            columns=(*first, *(second or ())),
            key=None if second is None else len(first),
            counts=None if counts is None else SortName(str(counts), self.span(counts)),
            span=self.span(name),
        )

    def frame(self, children: list[Any]) -> Frame:
        fluent, *cases = children
        return Frame(fluent, tuple(case.items for case in cases), self.span(fluent))

    def facts(self, children: list[Statement]) -> tuple[Statement, ...]:
        return tuple(children)

    def example(self, children: list[Any]) -> Example:
        name, source, facts = children
        path = None if source is None else str(source)[1:-1]
        return Example(str(name), path, facts or (), self.span(name))

    def answer(self, children: list[Term]) -> tuple[Term, ...]:
        return tuple(children)

    def answers(self, children: list[tuple[Term, ...]]) -> _Answers:
        return _Answers(tuple(children))

    def expect(self, children: list[Any]) -> Expect:
        name, conditions, answers = children
        rows = None if answers is None else answers.rows
        return Expect(str(name), conditions.items, rows, self.span(name, conditions.items[-1]))

    def label(self, children: list[Token]) -> Token:
        return children[0]

    def rule(self, children: list[Any]) -> Rule:
        label, head, conditions = children
        body = () if conditions is None else conditions.items
        return Rule(head, body, None if label is None else str(label), self.span(label or head, head))

    def clause(self, children: list[Clause]) -> Clause:
        return children[0]

    def query(self, children: list[_Conditions]) -> tuple[Condition, ...]:
        return children[0].items


def unquote(token: str) -> str:
    """The word that a NAME or QUOTED token stands for."""
    return token[1:-1].replace("''", "'") if token.startswith("'") else str(token)


def numeric(result: Expression) -> Expression:
    """What a count or an aggregate is compared with: a variable or a number."""
    if isinstance(result, Constant) and isinstance(result.value, str):
        raise _Refused(error("HB019", f"a count is never the word `{result.value}`", result.span, "use a variable"))
    return result


@cache
def _parser() -> tuple[Lark, _Builder]:
    builder = _Builder()
    grammar = resources.files("kb").joinpath("grammar.lark").read_text(encoding="utf-8")
    lark = Lark(grammar, parser="lalr", start=["clause", "query"], transformer=builder)
    return lark, builder


def parse(text: str, file: str = "<text>") -> ParsedFile:
    """Parses a whole file. Never raises for what the text holds: mistakes are in `diagnostics`."""
    if len(text) > MAX_TEXT:
        span = Span(file, 1, 1, 1, 1)
        too_large = error("HB004", f"the file has more than {MAX_TEXT:,} characters", span, "split it and import")
        return ParsedFile(file, "", (), (), (too_large,))
    pieces, comments = scan(text)
    clauses: list[Clause] = []
    diagnostics: list[Diagnostic] = []
    pieces.reverse()
    while pieces:
        piece = pieces.pop()
        outcome = _parse_clause(piece, file)
        if isinstance(outcome, Mistake):
            diagnostics.append(outcome.diagnostic)
            if outcome.rest is not None:
                pieces.append(outcome.rest)
            if outcome.shorter is not None:
                pieces.append(outcome.shorter)
        else:
            clauses.append(outcome)
    return ParsedFile(file, text, tuple(clauses), tuple(comments), tuple(diagnostics))


def _parse_clause(piece: ClauseText, file: str) -> Clause | Mistake:
    try:
        return cast(Clause, _run(piece, file, "clause"))
    except UnexpectedInput as problem:
        return explain(problem, piece, file)
    except _Refused as problem:
        return Mistake(problem.diagnostic)


def _run(piece: ClauseText, file: str, start: str) -> Any:
    lark, builder = _parser()
    builder.begin(file, piece.line)
    # Spaces before the clause put its first line into its own columns.
    return lark.parse(" " * (piece.column - 1) + piece.text, start=start)


def parse_query(text: str, file: str = "<query>") -> Query:
    """Parses `?- conditions.` (both marks may be left out).

    Raises TheoryError where the text is not a query.
    """
    piece = ClauseText(text, 1, 1, ())
    try:
        if len(text) > MAX_TEXT:
            raise _Refused(error("HB004", "the query is too long", Span(file, 1, 1, 1, 1)))
        conditions = _run(piece, file, "query")
    except UnexpectedInput as problem:
        raise TheoryError([explain(problem, piece, file).diagnostic], {file: text}) from None
    except _Refused as problem:
        raise TheoryError([problem.diagnostic], {file: text}) from None
    first, last = conditions[0].span, conditions[-1].span
    return Query(conditions, Span(file, first.line, first.column, last.end_line, last.end_column))
