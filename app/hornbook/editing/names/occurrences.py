"""Occurrences: each word of a text that names something, with the kind of the named thing.

In a parsed clause, the roles follow from the clause. In an unparsable one, they are guessed from adjacent
words, so that unfinished texts have occurrences too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import (
    Clause,
    Example,
    ExceptionRule,
    Expect,
    Frame,
    Import,
    Predicate,
    Replies,
    Sort,
    SortName,
    TheoryName,
)
from hornbook.kb.ast.operators import FUNCTIONS
from hornbook.kb.parse.term_builder import unquote
from hornbook.kb.text.scanner import KEYWORDS, Token
from hornbook.matcher.program.dataclass import dataclass

Role = Literal[
    "theory", "sort", "predicate", "label", "variable", "wildcard", "constant", "number", "example",
    "function",
    "instance", "keyword",
]  # fmt: skip
Column = tuple[str, int]
"""A column of a predicate: the predicate's name and the index from 0."""
GAME_VALUE: Column = ("", 0)
"""The pseudo-column for the value of a game."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A word that names something.

    - `declares`: Whether this is the declaration, or a label.
    - `column`: The column of a term, or None if it is not in a statement.
    - `of`: The sort that lists a constant, or the theory of a name in an import.
    """

    role: Role
    name: str
    span: t.Span
    declares: bool = False
    column: Column | None = None
    of: str | None = None


@dataclass(frozen=True, slots=True)
class ParsedClauses:
    """The tokens up to a period, the clauses parsed from them, and the occurrences in them."""

    tokens: tuple[Token, ...]
    clauses: tuple[Clause, ...]
    names: tuple[Occurrence, ...]

    @property
    def first_line(self) -> int:
        return self.tokens[0].line

    @property
    def last_line(self) -> int:
        return self.tokens[-1].line


def occurrences(
    tokens: Sequence[Token], clauses: Iterable[Clause], file: str, *, read: bool
) -> tuple[Occurrence, ...]:
    """Return the occurrences in the tokens up to a period, in the order of the text.

    `clauses` are the clauses parsed from the tokens. `read` tells whether parsing was successful.
    """
    words = _OccurrenceFinder(tokens, file)
    for clause in clauses:
        words.clause(clause)
    words.keywords()
    if not read:
        words.guess()
    return tuple(words.found[place] for place in sorted(words.found))


class _OccurrenceFinder:
    """The words of a clause, located by the spans of its parts."""

    def __init__(self, tokens: Sequence[Token], file: str) -> None:
        self.tokens = tokens
        self.file = file
        self.at = {(token.line, token.column): index for index, token in enumerate(tokens)}
        self.found: dict[tuple[int, int], Occurrence] = {}

    def _put(self, index: int, role: Role, name: str | None = None, **more: object) -> None:
        token = self.tokens[index]
        place = token.line, token.column
        if place not in self.found:
            span = t.Span(self.file, token.line, token.column, token.line, token.end_column)
            name = unquote(token.text) if name is None else name
            self.found[place] = Occurrence(role, name, span, **more)  # type: ignore[arg-type]

    def _index(self, span: t.Span) -> int | None:
        """Return the index of the token at the beginning of a span, or None for a span of another text."""
        return self.at.get((span.line, span.column)) if span.file == self.file else None

    def _name(self, span: t.Span, role: Role, name: str, **more: object) -> None:
        index = self._index(span)
        if index is not None and unquote(self.tokens[index].text) == name:
            self._put(index, role, name, **more)

    # Parsed clauses

    def clause(self, clause: Clause) -> None:
        match clause:
            case TheoryName():
                self._name(clause.span, "theory", clause.name, declares=True)
            case Import():
                self._import(clause)
            case Sort():
                self._sort(clause)
            case Predicate():
                self._predicate(clause)
            case Frame():
                self._statement(clause.fluent)
                for case in clause.cases:
                    self._conditions(case)
            case Replies():
                self._statement(clause.game)
                for reply in clause.cases:
                    self._conditions((reply.action, *reply.conditions))
                    self._conditions(() if reply.unless is None else (reply.unless,))
            case Example():
                self._name(clause.span, "example", clause.name, declares=True)
                self._conditions(clause.statements)
            case Expect():
                self._name(clause.span, "example", clause.example)
                self._conditions(clause.conditions)
                for row in clause.answers or ():
                    for term in row:
                        self._term(term, None)
            case t.Rule():
                if clause.label is not None:
                    self._name(clause.span, "label", clause.label, declares=True)
                self._rule(clause)
            case ExceptionRule():
                self._name(clause.span, "label", clause.label, declares=True)
                for excepted in clause.excepted:
                    self._name(excepted.span, "label", excepted.name)
                for rule in clause.rules:
                    self._rule(rule)

    def _rule(self, rule: t.Rule) -> None:
        self._statement(rule.head)
        self._conditions(rule.body)

    def _import(self, clause: Import) -> None:
        self._name(clause.span, "theory", clause.name)
        for index in range(len(self.tokens) - 1):
            if self.tokens[index].type == "AS" and clause.instance == self.tokens[index + 1].text:
                self._put(index + 1, "instance", clause.instance, declares=True)
        for renaming in clause.renamings:
            place = self._index(renaming.span)
            if place is not None and place + 2 < len(self.tokens):
                self._put(place, "predicate", renaming.name, of=clause.name)
                self._put(place + 2, "predicate", renaming.own)

    def _sort(self, clause: Sort) -> None:
        index = self._index(clause.span)
        if index is None:
            return
        self._put(index, "sort", clause.name, declares=True)
        for place in range(index + 1, len(self.tokens)):
            if self.tokens[place].text.isidentifier() or self.tokens[place].type == "QUOTED":
                if clause.kind == "enumerated":
                    self._put(place, "constant", declares=True, of=clause.name)
                else:
                    self._put(place, "sort")

    def _predicate(self, clause: Predicate) -> None:
        self._name(clause.span, "predicate", clause.name, declares=True)
        for column in clause.columns:
            self._name(column.span, "sort", column.name)
        for other in (clause.counts, clause.but, clause.allows):
            if isinstance(other, SortName):
                self._name(other.span, "predicate", other.name)

    def _conditions(self, conditions: Iterable[t.Node]) -> None:
        for node in conditions:
            match node:
                case t.Atom() | t.GameStatement() | t.PlanStatement():
                    self._statement(node)
                case t.Variable() | t.Constant() | t.Operation():
                    self._term(node, None)
                case _:
                    self._conditions(t.parts(node))

    def _statement(self, statement: t.Statement) -> None:
        match statement:
            case t.Atom():
                self._atom(statement)
            case t.GameStatement():
                self._atom(statement.game)
                if statement.by is not None:
                    self._atom(statement.by)
                self._term(statement.value, GAME_VALUE)
            case t.PlanStatement():
                self._atom(statement.game)
                self._atom(statement.by)

    def _atom(self, atom: t.Atom) -> None:
        index = self._index(atom.span)
        if index is not None:
            index += atom.tense is not None and self.tokens[index].text == atom.tense
            if index < len(self.tokens) and self.tokens[index].text == atom.predicate:
                self._put(index, "predicate", atom.predicate)
        for number, term in enumerate(atom.arguments):
            self._term(term, (atom.predicate, number))

    def _term(self, term: t.Expression, column: Column | None) -> None:
        index = self._index(term.span)
        if isinstance(term, t.Operation):
            if index is not None and self.tokens[index].text == term.operator in FUNCTIONS:
                self._put(index, "function", term.operator)
            for operand in term.operands:
                self._term(operand, None)
        elif index is None:
            return
        elif isinstance(term, t.Variable):
            if self.tokens[index].text == f"?{term.name}":
                self._put(index, "variable", term.name, column=column)
            elif self.tokens[index].type == "WILDCARD":
                self._put(index, "wildcard", "_", column=column)
        elif isinstance(term.value, str):
            if unquote(self.tokens[index].text) == term.value:
                self._put(index, "constant", term.value, column=column)
        elif self.tokens[index].type == "INTEGER":
            self._put(index, "number", column=column)

    # Words that name nothing

    def keywords(self) -> None:
        """Mark the remaining keywords of a parsed clause."""
        for index, token in enumerate(self.tokens):
            if token.text in KEYWORDS and token.type != "NAME":
                self._put(index, "keyword")

    # Unparsed clauses

    def guess(self) -> None:
        """Guess the roles of the remaining tokens from adjacent tokens."""
        first = self.tokens[0].type
        open_: list[
            tuple[str | None, int]
        ] = []  # the predicate of each open parenthesis, and the number of commas
        for index, token in enumerate(self.tokens):
            before = self.tokens[index - 1] if index else None
            following = self.tokens[index + 1].type if index + 1 < len(self.tokens) else ""
            inside = _column(open_)
            match token.type:
                case "LPAR":
                    is_atom = (
                        before is not None and before.text.isidentifier() and before.text not in KEYWORDS
                    )
                    open_.append((before.text if is_atom and before is not None else None, 0))
                case "RPAR" if open_:
                    open_.pop()
                case "COMMA" if open_:
                    open_[-1] = open_[-1][0], open_[-1][1] + 1
                case "VARIABLE":
                    self._put(index, "variable", token.text[1:], column=inside)
                case "WILDCARD":
                    self._put(index, "wildcard", column=inside)
                case "INTEGER":
                    self._put(index, "number", column=inside)
                case "QUOTED":
                    self._put(index, "constant", column=inside)
                case "NAME":
                    self._put(index, _guessed(first, index, following, inside), column=inside)
                case _:
                    pass


def _column(open_: Sequence[tuple[str | None, int]]) -> Column | None:
    """Return the column at the end of the text in the innermost parenthesis, if it belongs to a predicate."""
    if not open_:
        return None
    predicate, number = open_[-1]
    return None if predicate is None else (predicate, number)


def _guessed(first: str, index: int, following: str, inside: Column | None) -> Role:
    """Return the probable role of a name in a clause that begins with a token of type `first`."""
    if first in ("THEORY", "IMPORT"):
        return "theory"
    if first == "SORT":
        return "sort" if index == 1 else "constant"
    if first == "KIND":
        return "sort" if inside is not None else "predicate"
    if first in ("EXAMPLE", "EXPECT") and index == 1:
        return "example"
    if following == "COLON" and index == (first == "LEMMA"):
        return "label"
    return "constant" if inside is not None and following != "LPAR" else "predicate"
