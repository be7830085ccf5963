"""The parser: text to clauses with spans, and a diagnostic for each invalid clause.

Clauses are parsed separately, so a mistake never hides the next clause. A clause without its period is cut at
the visible beginning of the next one.

Invariants: No text makes the parser raise. Its time and memory are linear in the length of the text.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Any

from hornbook.kb.ast.declarations import Clause
from hornbook.kb.ast.plain_values import plain_value
from hornbook.kb.ast.terms import MAX_INTEGER, MIN_INTEGER, Condition, Span
from hornbook.kb.desugar.surface import RefusedClause
from hornbook.kb.parse.automaton import Automaton
from hornbook.kb.parse.errors.stop import ParseStop, place
from hornbook.kb.parse.parameters import parameter_mistakes, with_values
from hornbook.kb.parse.term_builder import (
    MAX_NESTING,
    Builder,
    nested_too_deep,
    require_shallow,
    too_deep,
)
from hornbook.kb.sources.collector import collector_paused
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, error
from hornbook.kb.text.characters import first_half_character, half_character
from hornbook.kb.text.lines import with_plain_ends
from hornbook.kb.text.scanner import MAX_CLAUSE, MAX_TEXT, Comment, Token, scan
from hornbook.matcher.program.dataclass import dataclass

if TYPE_CHECKING:  # slow to import
    from hornbook.kb.parse.incremental import ParsedPiece, ParsedText

__all__ = [
    "MAX_INTEGER", "MAX_MISTAKES", "MAX_NESTING", "MAX_TEXT", "MIN_INTEGER", "ParsedFile", "Query", "parse",
    "parse_again", "parse_open_queries", "parse_queries", "parse_query", "queries_with_values", "resolve",
]  # fmt: skip

MAX_MISTAKES = 200
"""The maximum number of reported mistakes of a file. The rest of the file is not parsed."""


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A parsed file: its clauses, its comments, and the diagnostics of invalid clauses."""

    name: str
    text: str
    clauses: tuple[Clause, ...]
    comments: tuple[Comment, ...]
    diagnostics: tuple[Diagnostic, ...]
    scanned: tuple[tuple[Token, ...], ...] | None = field(default=None, compare=False, repr=False)
    """The tokens up to each period, if they are stored."""


@dataclass(frozen=True, slots=True)
class Query:
    """The conditions of a query, and their span."""

    conditions: tuple[Condition, ...]
    span: Span


@cache
def _parser() -> tuple[Automaton, Builder]:
    builder = Builder()
    return Automaton(builder), builder


_ONE_AT_A_TIME = Lock()
"""A lock for the builder, which counts wildcards. Threads take turns clause by clause."""


def _build(tokens: Sequence[Token], file: str, start: str) -> tuple[Any, list[Token]]:
    """Return the value of some tokens, and the tokens with the types used by the grammar.

    A rule with `or` gives a list of rules. A query always gives a list. Raises ParseStop or RefusedClause.
    """
    too_long, deep = len(tokens) > MAX_CLAUSE, too_deep(tokens)
    # A clause that will be refused is parsed only up to the point of the refusal, to find earlier mistakes.
    end = min(MAX_CLAUSE if too_long else len(tokens), len(tokens) if deep is None else deep + 1)
    taken: list[Token] = []
    with _ONE_AT_A_TIME:
        automaton, builder = _parser()
        builder.begin(file, in_query=start == "query")
        built = automaton.run(tokens[:end], start, taken)
        mistakes, calculations = builder.mistakes, builder.calculations
        abbreviates, wildcards = builder.abbreviates, builder.wildcards
    index = len(taken) - 1
    if built is None and (index < end or end == len(tokens)):
        # What can follow is found again: before the mistake was found, the automaton may have reduced symbols
        # that could still be continued.
        expected = automaton.expected([token.type for token in taken[:index]], start)
        raise ParseStop((*taken[:index], *tokens[index:]), index, expected, file)
    if deep is not None and deep < end:
        raise RefusedClause(nested_too_deep(place(tokens[deep], file)))
    if too_long:
        message = f"the clause has more than {MAX_CLAUSE:,} words and marks"
        raise RefusedClause(
            error("HB004", message, place(tokens[0], file), "split it; or is a period missing?")
        )
    if len(tokens) > MAX_NESTING:  # fewer tokens cannot be nested too deeply
        require_shallow(tokens, built, calculations)
    if mistakes:
        raise RefusedClause(mistakes[0])
    if calculations or abbreviates:
        from hornbook.kb.desugar.desugaring import desugar  # noqa: PLC0415 - slow to import

        built = desugar(built, wildcards)
    elif start == "query":
        built = [built]
    return built, taken


def resolve(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens of a correct clause, each with the type used by the grammar."""
    return _build(tokens, "<resolved>", "clause")[1]


Found = Clause | list[Clause] | Diagnostic
"""A clause, the rules of a rule with `or`, or a mistake."""
_MOST_FOUND = 10 * MAX_MISTAKES + 2
"""The maximum number of results up to one period. Each clause but the last comes with a mistake, so the file
is given up before.
"""


def _read_clauses(tokens: Sequence[Token], file: str) -> Iterator[Found]:
    """Yield the clauses in the tokens up to a period. There are several if periods are missing."""
    while tokens:
        rest = yield from _read_one(tokens, file)
        assert len(rest) < len(tokens)
        tokens = rest


def _read_one(tokens: Sequence[Token], file: str) -> Generator[Found, None, Sequence[Token]]:
    """Yield the results for one clause, and return the remaining tokens."""
    from hornbook.kb.parse.errors.syntax_errors import explain, explain_comment, is_foreign_comment  # noqa: PLC0415 - slow to import
    from hornbook.kb.parse.recovery import next_clause_after, next_clause_before  # noqa: PLC0415 - the same

    try:
        yield _build(tokens, file, "clause")[0]
        return ()
    except RefusedClause as problem:
        yield problem.diagnostic
        return ()
    except ParseStop as problem:
        stop = problem
    if is_foreign_comment(stop.found):
        for token in filter(is_foreign_comment, tokens):
            yield explain_comment(token, file)
        return [token for token in tokens if not is_foreign_comment(token)]
    cut = next_clause_before(tokens, stop.index)
    if cut is None:
        yield explain(stop)
        return tokens[next_clause_after(tokens, stop.index) :]
    yield from _read_without_period(tokens[:cut], file)
    return tokens[cut:]


def _read_without_period(tokens: Sequence[Token], file: str) -> Iterator[Found]:
    """Yield the results for a clause that should have ended before the next one began."""
    from hornbook.kb.parse.errors.syntax_errors import explain, no_period, period_after  # noqa: PLC0415 - slow to import

    try:
        yield _build((*tokens, period_after(tokens[-1])), file, "clause")[0]
        yield no_period(tokens[-1], file)
    except RefusedClause as problem:
        yield problem.diagnostic
    except ParseStop as stop:
        yield explain(stop)


class _FileReader:
    """The parser of one file, clause by clause. It collects clauses and mistakes, and pieces if requested."""

    def __init__(self, file: str, pieces: list[ParsedPiece] | None = None) -> None:
        self.file = file
        self.clauses: list[Clause] = []
        self.diagnostics: list[Diagnostic] = []
        self.pieces = pieces
        self._lines: set[int] = set()
        self._attempts = 0
        self._import_ended: tuple[int, int] | None = None

    @property
    def gives_up(self) -> bool:
        """Whether there are too many mistakes, so that the rest of the file is not parsed."""
        return len(self.diagnostics) >= MAX_MISTAKES or self._attempts >= 5 * MAX_MISTAKES

    def read(self, written: Sequence[Token] | ParsedPiece) -> None:
        """Parse the tokens up to a period, or reuse a known piece. There are several clauses if periods are
        missing.
        """
        from hornbook.kb.parse.errors.syntax_errors import ending_of_an_import  # noqa: PLC0415 - slow to import
        from hornbook.kb.parse.incremental import ParsedPiece  # noqa: PLC0415 - the same

        tokens = written.tokens if isinstance(written, ParsedPiece) else written
        found = self._found(written)
        if tokens[0][2:] == self._import_ended:
            self._report(ending_of_an_import(tokens[0], self.file))
            return
        self._import_ended = (tokens[-1].line, tokens[-1].end_column) if tokens[0].type == "IMPORT" else None
        for each in found:
            match each:
                case Diagnostic():
                    self._report(each)
                case list():
                    self.clauses += each
                case _:
                    self.clauses.append(each)
            if self.gives_up:
                break

    def _found(self, written: Sequence[Token] | ParsedPiece) -> Iterable[Found]:
        from hornbook.kb.parse.incremental import ParsedPiece  # noqa: PLC0415 - slow to import

        if not isinstance(written, ParsedPiece):
            if self.pieces is None:
                return _read_clauses(written, self.file)
            written = ParsedPiece(
                tuple(written), tuple(islice(_read_clauses(written, self.file), _MOST_FOUND))
            )
        if self.pieces is not None:
            self.pieces.append(written)
        return written.found

    def _report(self, diagnostic: Diagnostic) -> None:
        """Record a mistake, unless its line has one already. A second mistake is usually caused
        by the first.
        """
        self._attempts += 1
        if diagnostic.span.line not in self._lines:
            self._lines.add(diagnostic.span.line)
            self.diagnostics.append(diagnostic)

    def note_the_rest(self) -> None:
        """Add a diagnostic that the rest of the file was not parsed."""
        last = self.diagnostics[-1].span
        message = (
            f"too many mistakes ({len(self.diagnostics)} up to here); the rest of the file was not parsed"
        )
        self.diagnostics.append(error("HB001", message, last, "mend these first; is this a `.horn` file?"))


def _must_be_text(text: object) -> None:
    if not isinstance(text, str):
        raise TypeError(f"this is a {type(text).__name__}, but a text in the language is required")


def parse(text: str, file: str = "<text>") -> ParsedFile:
    """Parse a whole file. Mistakes in the text never raise: they are in `diagnostics`."""
    if (unreadable := _unreadable(text, file)) is not None:
        return unreadable
    text = with_plain_ends(text)
    comments: list[Comment] = []
    return _parsed(text, _FileReader(file), scan(text, comments), comments)


def parse_again(text: str, file: str, before: ParsedText) -> tuple[ParsedFile, ParsedText]:
    """Return the result of `parse`, and the data for incremental parsing of the next version.

    `before` is the data of an earlier version of this file. Unchanged clauses are not parsed again and are
    the same objects.
    """
    from hornbook.kb.parse.incremental import ParsedText, reused_pieces  # noqa: PLC0415 - slow to import

    if (unreadable := _unreadable(text, file)) is not None:
        return unreadable, ParsedText()
    text = with_plain_ends(text)
    comments: list[Comment] = []
    pieces: list[ParsedPiece] = []
    reader = _FileReader(file, pieces)
    parsed = _parsed(text, reader, reused_pieces(text, before, comments), comments)
    if not reader.gives_up:
        parsed = replace(parsed, scanned=tuple(piece.tokens for piece in pieces))
    return parsed, ParsedText(text.split("\n"), tuple(pieces), parsed.comments, not reader.gives_up)


def _unreadable(text: str, file: str) -> ParsedFile | None:
    """Return an unparsable file with the reason, or None if the text can be parsed."""
    _must_be_text(text)
    if len(text) > MAX_TEXT:
        message = f"the file has more than {MAX_TEXT:,} characters"
        too_long = error("HB004", message, Span(file, 1, 1, 1, 1), "split it and import")
        return ParsedFile(file, "", (), (), (too_long,))
    problem = _half_character(text, file)
    return None if problem is None else ParsedFile(file, text, (), (), (problem,))


def _half_character(text: str, file: str) -> Diagnostic | None:
    """Return the mistake of a text with a lone surrogate, which no file can contain, or None."""
    place = first_half_character(text)
    if place is None:
        return None
    before = with_plain_ends(text[:place])
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    message, help_ = half_character(text[place]).split("; ")
    return error("HB003", message, Span(file, line, column, line, column + 1), help_)


def _parsed(
    text: str,
    reader: _FileReader,
    written: Iterable[Sequence[Token] | ParsedPiece],
    comments: list[Comment],
) -> ParsedFile:
    """Return the file of a sequence of token groups. `comments` is filled during the iteration."""
    from hornbook.kb.parse.incremental import ParsedPiece  # noqa: PLC0415 - slow to import

    with collector_paused():
        for each in written:
            reader.read(each)
            if reader.gives_up:
                reader.note_the_rest()
                last = each.tokens[-1] if isinstance(each, ParsedPiece) else each[-1]
                comments[:] = [comment for comment in comments if (comment.line, comment.column) < last[2:]]
                break
    return ParsedFile(reader.file, text, tuple(reader.clauses), tuple(comments), tuple(reader.diagnostics))


def parse_query(text: str, file: str = "<query>", parameters: Mapping[str, str | int] | None = None) -> Query:
    """Parse `?- conditions.` (both marks are optional), with values for its parameters.

    Raises:
        TheoryError: The text is not a query, contains `or`, or has other parameters than those with values.
    """
    queries = parse_queries(text, file, parameters)
    if len(queries) > 1:
        help_ = "name one alternative at a time"
        problem = error("HB059", "`or` cannot stand in this place", queries[1].span, help_)
        raise TheoryError([problem], {file: text})
    return queries[0]


def parse_queries(
    text: str, file: str = "<query>", parameters: Mapping[str, str | int] | None = None
) -> tuple[Query, ...]:
    """Parse a query as `parse_query` does. A query with `or` gives several queries, whose answers are to be
    united.

    All of them have the same variables. Raises TheoryError.
    """
    return queries_with_values(parse_open_queries(text, file), text, file, parameters)


def queries_with_values(
    queries: tuple[Query, ...],
    text: str,
    file: str = "<query>",
    parameters: Mapping[str, str | int] | None = None,
) -> tuple[Query, ...]:
    """Return the queries of `parse_open_queries` with the values of their parameters. Raises TheoryError."""
    values = {name: plain_value(value) for name, value in (parameters or {}).items()}
    conditions = [condition for query in queries for condition in query.conditions]
    found = parameter_mistakes(conditions, values, queries[0].span)
    if found:
        raise TheoryError(found, {file: text})
    return tuple(Query(with_values(query.conditions, values), query.span) for query in queries)


def parse_open_queries(text: str, file: str = "<query>") -> tuple[Query, ...]:
    """Parse a query whose parameters have no values yet. Each is a variable with the mark `$` in its name.

    Raises:
        TheoryError: The text is not a query.
    """
    _must_be_text(text)
    try:
        if len(text) > MAX_TEXT:
            raise RefusedClause(error("HB004", "the query is too long", Span(file, 1, 1, 1, 1)))
        if (half := _half_character(text, file)) is not None:
            raise RefusedClause(half)
        scanned = (token for clause in scan(with_plain_ends(text), []) for token in clause)
        tokens = list(islice(scanned, MAX_CLAUSE + 1))
        bodies: list[tuple[Condition, ...]] = _build(tokens, file, "query")[0]
    except ParseStop as stop:
        from hornbook.kb.parse.errors.syntax_errors import explain  # noqa: PLC0415 - slow to import

        raise TheoryError([explain(stop)], {file: text}) from None
    except RefusedClause as problem:
        raise TheoryError([problem.diagnostic], {file: text}) from None
    if len(bodies) > 1:
        from hornbook.kb.desugar.alternatives import (  # noqa: PLC0415 - slow to import
            unequal_answer_variables,
        )

        if found := list(unequal_answer_variables(bodies)):
            raise TheoryError(found, {file: text})
    return tuple(Query(body, _span_of(body)) for body in bodies)


def _span_of(conditions: Sequence[Condition]) -> Span:
    first, last = conditions[0].span, conditions[-1].span
    return Span(first.file, first.line, first.column, last.end_line, last.end_column)
