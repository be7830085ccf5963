"""What a clause that cannot be parsed gets wrong, said in the words of the language.

The parser knows where it stopped and what it could have read there; this file turns that into a diagnostic,
and finds where the next clause begins when a period is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from kb.diagnostics import Diagnostic, error
from kb.scanner import ClauseText
from kb.terms import Span

_WORDS = {
    "NAME": "a name", "VARIABLE": "a variable", "WILDCARD": "`_`", "INTEGER": "an integer", "QUOTED": "a quoted word",
    "PATH": 'a "path"', "COMMA": "`,`", "DOT": "`.`", "LPAR": "`(`", "RPAR": "`)`", "COLON": "`:`",
    "SEMICOLON": "`;`", "VBAR": "`|`", "EQUAL": "`=`", "COMPARE": "a comparison", "TENSE": "`before` or `after`",
    "PLUS": "`+`", "MINUS": "`-`", "STAR": "`*`",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mistake:
    """A diagnostic, and what of the clause is still to be parsed.

    `shorter` is the clause up to a missing period (parsed again, with the period), `rest` the clause after it.
    """

    diagnostic: Diagnostic
    shorter: ClauseText | None = None
    rest: ClauseText | None = None


def explain(problem: UnexpectedInput, piece: ClauseText, file: str) -> Mistake:
    """The mistake at which the parser stopped."""
    if isinstance(problem, UnexpectedCharacters):
        return Mistake(_bad_character(problem, piece, file))
    assert isinstance(problem, UnexpectedToken), problem
    token = problem.token
    if token.type == "$END":
        return _no_period_at_end(problem, piece, file)
    line = cast(int, token.line)
    column = cast(int, token.column)
    if _begins_a_clause(piece, line, column):
        return _cut(piece, line, column, file)
    span = Span(file, piece.line + line - 1, column, piece.line + line - 1, cast(int, token.end_column))
    expected = _expected(problem.accepts or problem.expected)
    return Mistake(error("HB001", f"unexpected `{token}`", span, f"expected {expected}"))


def _expected(names: set[str]) -> str:
    words = sorted({_WORDS.get(name, f"`{name.lower()}`") for name in names})
    return ", ".join(words[:-1]) + (" or " if len(words) > 1 else "") + words[-1] if words else "nothing"


def _bad_character(problem: UnexpectedCharacters, piece: ClauseText, file: str) -> Diagnostic:
    line, column = piece.line + problem.line - 1, problem.column
    span = Span(file, line, column, line, column + 1)
    return error("HB003", f"unexpected character `{problem.char}`", span)


def _no_period_at_end(problem: UnexpectedToken, piece: ClauseText, file: str) -> Mistake:
    lines = piece.text.split("\n")
    line = piece.line + len(lines) - 1
    column = len(lines[-1]) + (piece.column if len(lines) == 1 else 1)
    span = Span(file, line, column, line, column + 1)
    return Mistake(error("HB002", "the clause has no period at its end", span, "end it with `.`"))


def _begins_a_clause(piece: ClauseText, line: int, column: int) -> bool:
    """Whether a token stands first on a later line, no further right than the clause itself."""
    if line == 1 or column > piece.column:
        return False
    return not piece.text.split("\n")[line - 1][: column - 1].strip()


def _cut(piece: ClauseText, line: int, column: int, file: str) -> Mistake:
    lines = piece.text.split("\n")
    before, after = "\n".join(lines[: line - 1]).rstrip(), "\n".join(lines[line - 1 :])[column - 1 :]
    end_line = piece.line + before.count("\n")
    end_column = len(before.rsplit("\n", 1)[-1]) + (piece.column if "\n" not in before else 1)
    span = Span(file, end_line, end_column, end_line, end_column + 1)
    rest = ClauseText(after, piece.line + line - 1, column, ())
    return Mistake(
        error("HB002", "the clause has no period at its end", span, "end it with `.` before the next clause begins"),
        rest=rest,
    )
