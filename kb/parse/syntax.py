"""The parser: text to clauses with spans, and a diagnostic for every clause that is not one.

Each clause is parsed by itself, so one mistake never hides the next clause; a clause that runs into the
next because its period is missing is cut where the next one visibly begins. No text makes the parser raise,
and its time and memory grow with the length of the text and no faster.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from itertools import islice
from threading import Lock
from typing import Any, NamedTuple, cast

from lark import Lark
from lark.lexer import Lexer, LexerState
from lark.parsers.lalr_analysis import Shift

from hornbook.kb.ast.declarations import Clause
from hornbook.kb.ast.plain_values import plain_value
from hornbook.kb.ast.terms import MAX_INTEGER, MIN_INTEGER, Condition, Span
from hornbook.kb.parse.again import Piece, Written, pieces_again
from hornbook.kb.parse.alternatives import unlike_answers
from hornbook.kb.parse.errors.stop import Stop, place
from hornbook.kb.parse.errors.syntax_errors import (
    ending_of_an_import,
    explain,
    explain_comment,
    is_foreign_comment,
    no_period,
    period_after,
)
from hornbook.kb.parse.parameters import parameter_mistakes, with_values
from hornbook.kb.parse.recovery import next_clause_after, next_clause_before
from hornbook.kb.parse.term_builder import (
    MAX_NESTING,
    Builder,
    Refused,
    nested_too_deep,
    require_shallow,
    too_deep,
)
from hornbook.kb.parse.unfolding import unfolded
from hornbook.kb.sources.collector import collector_paused
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, error
from hornbook.kb.text.characters import first_half_character, half_character
from hornbook.kb.text.lines import with_plain_ends
from hornbook.kb.text.scanner import KEYWORDS, MAX_CLAUSE, MAX_TEXT, Comment, Token, scan

__all__ = [
    "MAX_INTEGER", "MAX_MISTAKES", "MAX_NESTING", "MAX_TEXT", "MIN_INTEGER", "ParsedFile", "Query", "parse",
    "parse_again", "parse_open_queries", "parse_queries", "parse_query", "resolve",
]  # fmt: skip

MAX_MISTAKES = 200
"""Mistakes that are reported of one file; the rest of it is not read."""


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A file after parsing: its clauses, its comments, and what could not be parsed."""

    name: str
    text: str
    clauses: tuple[Clause, ...]
    comments: tuple[Comment, ...]
    diagnostics: tuple[Diagnostic, ...]
    scanned: tuple[tuple[Token, ...], ...] | None = field(default=None, compare=False, repr=False)
    """The tokens up to each period, where they are kept."""


@dataclass(frozen=True, slots=True)
class Query:
    """Conditions to be answered, and the stretch of text that they stand in."""

    conditions: tuple[Condition, ...]
    span: Span


class _Reading(NamedTuple):
    """The tokens of a clause, and those that the parser has taken, each with the type as which it took it."""

    tokens: Sequence[Token]
    taken: list[Token]


_WORDS = frozenset(KEYWORDS.values())
_END = Token("$END", "", 0, 0)


class _ClauseLexer(Lexer):
    """Hands the scanner's tokens to lark, which says what may come next; a word of the language that has no place here is a NAME."""

    __future_interface__ = 2

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Any]:
        reading = cast(_Reading, lexer_state.text)
        states = parser_state.parse_conf.states
        take = reading.taken.append
        for token in reading.tokens:
            if token.type in _WORDS and token.type not in states[parser_state.position]:
                token = token._replace(type="NAME")  # noqa: PLW2901 - the same token, as it is read here
            take(token)
            yield token


@cache
def _parser() -> tuple[Lark, Builder]:
    builder = Builder()
    grammar = resources.files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")
    start = ["clause", "query"]
    return Lark(grammar, parser="lalr", lexer=_ClauseLexer, start=start, transformer=builder), builder


class _Reduction(NamedTuple):
    """So many symbols become one of another name, which the builder makes of what they mean."""

    size: int
    symbol: str
    build: Callable[[list[Any]], Any] | None
    """None where one symbol is only called by another name."""


@dataclass(frozen=True, slots=True)
class _Automaton:
    """What lark made of the grammar: in each state a symbol leads to the next state (a number) or to a reduction."""

    steps: Mapping[int, Mapping[str, Any]]
    starts: Mapping[str, int]


@cache
def _automaton() -> _Automaton:
    made: Any = _parser()[0].parser.parser
    table, build = made.parser.parse_table, made.parser.callbacks

    def step(action: Any, argument: Any) -> Any:
        if action is Shift:
            return argument
        is_renaming = argument.options.expand1 and argument.alias is None and len(argument.expansion) == 1
        is_renaming = is_renaming and not argument.expansion[0].is_term
        size, symbol = len(argument.expansion), str(argument.origin.name)
        return _Reduction(size, symbol, None if is_renaming else build[argument])

    # Lark's own symbols are texts that take long to compare.
    steps = {
        state: {str(symbol): step(*action) for symbol, action in row.items()}
        for state, row in table.states.items()
    }
    for state in table.end_states.values():
        steps[state][_END.type] = state
    return _Automaton(steps, table.start_states)


def _run(reading: _Reading, start: str) -> Any:
    """What the builder makes of a clause, as lark's own loop would, without what that keeps for messages; None where the
    parser stops at a mistake, which then is the last token taken.
    """
    automaton = _automaton()
    steps = automaton.steps
    states: list[int] = [automaton.starts[start]]
    values: list[Any] = []
    for token in (*reading.tokens, _END):
        kind, row = token.type, steps[states[-1]]
        if kind in _WORDS and kind not in row:
            kind = "NAME"
            token = token._replace(type=kind)  # noqa: PLW2901 - the same token, as it is read here
        reading.taken.append(token)
        while type(step := row.get(kind)) is _Reduction:
            size, symbol, build = step
            if size > 1 and build is not None:
                first = len(values) - size
                value = build(values[first:])
                del values[first:], states[first + 2 :]
                values.append(value)
            elif build is not None:
                values[-1] = build(values[-1:])
            states[-1] = state = steps[states[-2]][symbol]
            row = steps[state]
        if step is None:
            return None
        states.append(step)
        values.append(token)
    reading.taken.pop()
    return values[0]


_ONE_AT_A_TIME = Lock()
"""The builder counts wildcards, so that threads take turns clause by clause."""


def _build(tokens: Sequence[Token], file: str, start: str) -> tuple[Any, list[Token]]:
    """What the tokens mean, and the tokens as the grammar took them; a rule or a query with `or` is a list of several, a query
    always a list. Raises Stop or Refused.
    """
    too_long, deep = len(tokens) > MAX_CLAUSE, too_deep(tokens)
    # What is refused anyway is parsed only as far as an earlier mistake would be found.
    end = min(MAX_CLAUSE if too_long else len(tokens), len(tokens) if deep is None else deep + 1)
    reading = _Reading(tokens[:end], [])
    with _ONE_AT_A_TIME:
        lark, builder = _parser()
        builder.begin(file, in_query=start == "query")
        built = _run(reading, start)
        mistakes, calculations = builder.mistakes, builder.calculations
        index = len(reading.taken) - 1
        if built is None and (index < end or end == len(tokens)):
            # Asked anew: before it found the mistake, the parser may have closed what could still go on.
            before: Any = lark.parse_interactive(cast(str, _Reading(tokens[:index], [])), start=start)
            before.exhaust_lexer()
            accepts = frozenset(before.accepts())
            raise Stop((*reading.taken[:index], *tokens[index:]), index, accepts, file)
    if deep is not None and deep < end:
        raise Refused(nested_too_deep(place(tokens[deep], file)))
    if too_long:
        message = f"the clause has more than {MAX_CLAUSE:,} words and marks"
        raise Refused(error("HB004", message, place(tokens[0], file), "split it; or is a period missing?"))
    if len(tokens) > MAX_NESTING:  # fewer cannot be nested too deep
        require_shallow(tokens, built, calculations)
    if mistakes:
        raise Refused(mistakes[0])
    if calculations:
        built = [unfolded(each) for each in built] if isinstance(built, list) else unfolded(built)
    return built, reading.taken


def resolve(tokens: Sequence[Token]) -> list[Token]:
    """The tokens of a clause without mistakes, each with the type as which the grammar takes it."""
    return _build(tokens, "<resolved>", "clause")[1]


Found = Clause | list[Clause] | Diagnostic
"""A clause, the clauses that one with `or` stands for, or a mistake."""
_MOST_FOUND = 10 * MAX_MISTAKES + 2
"""A file is given up before so much is found up to one period: each clause but the last comes with a mistake."""


def _read_clauses(tokens: Sequence[Token], file: str) -> Iterator[Found]:
    """What the tokens up to a period say: one clause, or several where periods are missing."""
    while tokens:
        rest = yield from _read_one(tokens, file)
        assert len(rest) < len(tokens)
        tokens = rest


def _read_one(tokens: Sequence[Token], file: str) -> Generator[Found, None, Sequence[Token]]:
    """Reads one clause, and gives what is left to be read."""
    try:
        yield _build(tokens, file, "clause")[0]
        return ()
    except Refused as problem:
        yield problem.diagnostic
        return ()
    except Stop as problem:
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
    """Reads a clause that should have ended before the next one began."""
    try:
        yield _build((*tokens, period_after(tokens[-1])), file, "clause")[0]
        yield no_period(tokens[-1], file)
    except Refused as problem:
        yield problem.diagnostic
    except Stop as stop:
        yield explain(stop)


class _FileReader:
    """Reads clause after clause of one file and gathers clauses and mistakes, and the pieces that it read where they are kept."""

    def __init__(self, file: str, pieces: list[Piece] | None = None) -> None:
        self.file = file
        self.clauses: list[Clause] = []
        self.diagnostics: list[Diagnostic] = []
        self.pieces = pieces
        self._lines: set[int] = set()
        self._attempts = 0
        self._import_ended: tuple[int, int] | None = None

    @property
    def gives_up(self) -> bool:
        """Whether so much is wrong that the rest of the file is not read."""
        return len(self.diagnostics) >= MAX_MISTAKES or self._attempts >= 5 * MAX_MISTAKES

    def read(self, written: Sequence[Token] | Piece) -> None:
        """Reads the tokens up to a period, or takes what is known of them: one clause, or several where periods are missing."""
        tokens = written.tokens if isinstance(written, Piece) else written
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

    def _found(self, written: Sequence[Token] | Piece) -> Iterable[Found]:
        if not isinstance(written, Piece):
            if self.pieces is None:
                return _read_clauses(written, self.file)
            written = Piece(tuple(written), tuple(islice(_read_clauses(written, self.file), _MOST_FOUND)))
        if self.pieces is not None:
            self.pieces.append(written)
        return written.found

    def _report(self, diagnostic: Diagnostic) -> None:
        """Notes a mistake, unless its line has one already: a second is most often due to the first."""
        self._attempts += 1
        if diagnostic.span.line not in self._lines:
            self._lines.add(diagnostic.span.line)
            self.diagnostics.append(diagnostic)

    def note_the_rest(self) -> None:
        """Says that the rest of the file was not read."""
        last = self.diagnostics[-1].span
        message = f"too many mistakes ({len(self.diagnostics)} up to here); the rest of the file was not read"
        self.diagnostics.append(error("HB001", message, last, "mend these first; is this a `.horn` file?"))


def _must_be_text(text: object) -> None:
    if not isinstance(text, str):
        raise TypeError(f"this is a {type(text).__name__}, and a text in the language is wanted")


def parse(text: str, file: str = "<text>") -> ParsedFile:
    """Parses a whole file. Never raises for what the text holds: mistakes are in `diagnostics`."""
    if (unreadable := _unreadable(text, file)) is not None:
        return unreadable
    text = with_plain_ends(text)
    comments: list[Comment] = []
    return _parsed(text, _FileReader(file), scan(text, comments), comments)


def parse_again(text: str, file: str, before: Written) -> tuple[ParsedFile, Written]:
    """What `parse` gives, with what it was read of, for the next time.

    `before` is an earlier text of this file, as this gave it: what stands where it stood then is not parsed again, and its
    clauses are the same objects.
    """
    if (unreadable := _unreadable(text, file)) is not None:
        return unreadable, Written()
    text = with_plain_ends(text)
    comments: list[Comment] = []
    pieces: list[Piece] = []
    reader = _FileReader(file, pieces)
    parsed = _parsed(text, reader, pieces_again(text, before, comments), comments)
    if not reader.gives_up:
        parsed = replace(parsed, scanned=tuple(piece.tokens for piece in pieces))
    return parsed, Written(text.split("\n"), tuple(pieces), parsed.comments, not reader.gives_up)


def _unreadable(text: str, file: str) -> ParsedFile | None:
    """A file that is not parsed at all, with the reason; None where the text can be parsed."""
    _must_be_text(text)
    if len(text) > MAX_TEXT:
        message = f"the file has more than {MAX_TEXT:,} characters"
        too_long = error("HB004", message, Span(file, 1, 1, 1, 1), "split it and import")
        return ParsedFile(file, "", (), (), (too_long,))
    problem = _half_character(text, file)
    return None if problem is None else ParsedFile(file, text, (), (), (problem,))


def _half_character(text: str, file: str) -> Diagnostic | None:
    """The mistake of a text with a lone surrogate, which no file can hold; None where it has none."""
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
    written: Iterable[Sequence[Token] | Piece],
    comments: list[Comment],
) -> ParsedFile:
    """A file of what is written up to one period after the other; `comments` are met on the way."""
    with collector_paused():
        for each in written:
            reader.read(each)
            if reader.gives_up:
                reader.note_the_rest()
                last = each.tokens[-1] if isinstance(each, Piece) else each[-1]
                comments[:] = [comment for comment in comments if (comment.line, comment.column) < last[2:]]
                break
    return ParsedFile(reader.file, text, tuple(reader.clauses), tuple(comments), tuple(reader.diagnostics))


def parse_query(text: str, file: str = "<query>", parameters: Mapping[str, str | int] | None = None) -> Query:
    """Parses `?- conditions.` (both marks may be left out), with these values for its parameters.

    Raises TheoryError where the text is not a query, where it is several by an `or`, or where its parameters are not those that
    have values.
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
    """Parses a query as `parse_query` does; one with `or` is several, whose answers are those of any of them.

    All of them have the same variables. Raises TheoryError.
    """
    queries = parse_open_queries(text, file)
    values = {name: plain_value(value) for name, value in (parameters or {}).items()}
    conditions = [condition for query in queries for condition in query.conditions]
    found = parameter_mistakes(conditions, values, queries[0].span)
    if found:
        raise TheoryError(found, {file: text})
    return tuple(Query(with_values(query.conditions, values), query.span) for query in queries)


def parse_open_queries(text: str, file: str = "<query>") -> tuple[Query, ...]:
    """Parses a query whose parameters have no values yet: each is a variable, which keeps the mark `$` in its name.

    Raises TheoryError where the text is not a query.
    """
    _must_be_text(text)
    try:
        if len(text) > MAX_TEXT:
            raise Refused(error("HB004", "the query is too long", Span(file, 1, 1, 1, 1)))
        if (half := _half_character(text, file)) is not None:
            raise Refused(half)
        scanned = (token for clause in scan(with_plain_ends(text), []) for token in clause)
        tokens = list(islice(scanned, MAX_CLAUSE + 1))
        bodies: list[tuple[Condition, ...]] = _build(tokens, file, "query")[0]
    except Stop as stop:
        raise TheoryError([explain(stop)], {file: text}) from None
    except Refused as problem:
        raise TheoryError([problem.diagnostic], {file: text}) from None
    found = list(unlike_answers(bodies))
    if found:
        raise TheoryError(found, {file: text})
    return tuple(Query(body, _span_of(body)) for body in bodies)


def _span_of(conditions: Sequence[Condition]) -> Span:
    first, last = conditions[0].span, conditions[-1].span
    return Span(first.file, first.line, first.column, last.end_line, last.end_column)
