"""Diagnostics: mistakes in a text, with their positions and suggestions.

A diagnostic is data. Only this module determines its display (text with a caret, or JSON). Every code of
`CODES` has a page in `docs/reference/errors/` and a golden file in the tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import lru_cache
from typing import Any, Literal

from hornbook.kb.sources.deprecations import renamed_members
from hornbook.kb.text.escaping import masked, on_one_line
from hornbook.kb.text.lines import with_plain_ends
from hornbook.kb.text.spans import Span
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError

Severity = Literal["error", "warning", "note"]

MAX_SHOWN = 160
"""The maximum number of characters of a line above a caret."""

MAX_QUOTED = 400
"""The maximum number of characters of a quotation in a message."""

CODES: dict[str, str] = {
    "HB001": "syntax error",
    "HB002": "clause without a period at its end",
    "HB003": "character or quote that starts nothing",
    "HB004": "text too large or nested too deeply",
    "HB005": "file that cannot be read",
    "HB006": "number or date that does not exist",
    "HB010": "unknown predicate",
    "HB011": "wrong number of arguments",
    "HB012": "unknown sort",
    "HB013": "constant of the wrong sort",
    "HB014": "constant that its closed sort does not list",
    "HB015": "name declared twice",
    "HB016": "import that cannot be followed",
    "HB017": "variable used with two sorts",
    "HB018": "label used twice",
    "HB019": "comparison or calculation with the wrong things",
    "HB020": "unsafe variable",
    "HB021": "variable used once",
    "HB022": "tense word where nothing changes",
    "HB023": "tense word missing",
    "HB024": "timeless rule that mentions an action",
    "HB025": "rule that concludes the past from the future",
    "HB026": "absence in a theory rule",
    "HB027": "recursion through arithmetic that may not end",
    "HB028": "rule that can never be reached",
    "HB029": "conclusion that no rule may draw",
    "HB030": "absence through recursion",
    "HB031": "set that is not closed",
    "HB032": "misused variable of `all`, `count` or an aggregate",
    "HB033": "`counts` that does not fit",
    "HB034": "frame that does not fit",
    "HB035": "game statement that does not fit",
    "HB036": "unknown value of a game",
    "HB037": "aggregate in a theory rule",
    "HB038": "static predicate concluded from a changing one",
    "HB039": "meta predicate in a theory rule",
    "HB040": "fact that cannot be given",
    "HB041": "example or expectation that does not fit",
    "HB042": "misplaced `theory` clause",
    "HB043": "rule that contradicts itself",
    "HB044": "word that was probably meant as a variable",
    "HB045": "replies that do not fit",
    "HB046": "`operational` that does not fit",
    "HB047": "units that are mixed",
    "HB048": "`observed` that does not fit",
    "HB049": "action in a place where none can be stated",
    "HB050": "facts that contradict each other",
    "HB051": "words that name no column",
    "HB052": "parameter that does not fit",
    "HB053": "variables with similar names",
    "HB054": "predicate that nothing uses",
    "HB055": "word among variables that seems to be one",
    "HB056": "relation that is declared complete and is not",
    "HB058": "call that does not fit its function",
    "HB059": "`or` whose alternatives cannot be taken apart",
    "HB060": "reason why a proof may or may not use a key or a count",
    "HB061": "rule that makes a relation incomplete although others need it complete",
    "HB062": "function of words applied to a value that is not a word",
    "HB064": "exception of `persists` that has no opposite",
    "HB066": "rule that can never fire",
    "HB067": "plan that does not fit",
    "HB068": "`alternates` or `fleeting` that does not fit",
    "HB069": "`worth` that does not fit",
    "HB070": "fact or rule of a predicate that only the theory states",
    "HB071": "`stated` that does not fit",
    "HB072": "`lemma` that does not fit",
    "HB073": "lemma without a proof",
    "HB074": "`demanded` that does not fit",
    "HB075": "whether a reply is a pass",
    "HB076": "condition that is repeated",
    "HB077": "dates, times or decimal numbers that do not go together",
    "HB078": "exception that does not fit",
    "HB079": "exception that depends on an incomplete relation",
    "HB080": "exceptions with different results for the same subject",
    "HB081": "`allows` that does not fit",
    # Games in GDL
    "HB101": "parenthesis without its counterpart",
    "HB102": "expression of a sheet that is no clause, condition or term",
    "HB103": "relation of GDL with the wrong number of arguments",
    "HB104": "word of GDL where it has no meaning",
    "HB105": "name with two numbers of arguments",
    "HB106": "variable of a sheet that no condition binds",
    "HB107": "relation that depends on its own absence",
    "HB108": "terms that grow without end",
    "HB109": "sheet that states no game",
    "HB110": "game that cannot be a theory",
    # Planning problems in PDDL
    "HB111": "part of PDDL that is not supported",
    "HB112": "expression of PDDL that has no meaning at its place",
    "HB113": "name of PDDL that is not declared",
    "HB114": "arguments that do not fit their declaration in PDDL",
    "HB115": "part of PDDL that is given twice",
    "HB116": "domain or problem that is incomplete, or belongs to another one",
}
"""Every code, with its title.

A new code takes the next number: for theories after the highest HB0, for GDL and PDDL after the highest HB1.
A code is never reused, so a gap is not filled.
"""


@dataclass(frozen=True, slots=True)
class Replacement:
    """A change of the text that may repair a mistake: the new text of a possibly empty span.

    It need not be correct. A caller checks the changed text before offering it.
    """

    span: Span
    text: str
    title: str


@renamed_members
@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake. `help` is a suggestion and may be empty. `fixes` are possible repairs, the likeliest
    first.
    """

    code: str
    severity: Severity
    message: str
    help: str
    span: Span
    fixes: tuple[Replacement, ...] = field(default=(), compare=False)

    def to_dict(self) -> dict[str, str | int]:
        """Return the diagnostic in the format of `hornbook check --json`."""
        return {
            "file": self.span.file,
            "line": self.span.line,
            "column": self.span.column,
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "help": self.help,
        }


def _with_short_quotes(message: str) -> str:
    """Return the message with very long quotations cut, because a file may contain words of any length."""
    if len(message) <= MAX_QUOTED:
        return message
    parts = (part if len(part) <= MAX_QUOTED else f"{part[: MAX_QUOTED - 1]}…" for part in message.split("`"))
    return "`".join(parts)


def error(
    code: str,
    message: str,
    span: Span,
    help: str = "",  # noqa: A002 - the field's name
    fixes: Iterable[Replacement] = (),
) -> Diagnostic:
    assert code in CODES, code
    return Diagnostic(code, "error", _with_short_quotes(message), help, span, tuple(fixes))


def warning(
    code: str,
    message: str,
    span: Span,
    help: str = "",  # noqa: A002 - the field's name
    fixes: Iterable[Replacement] = (),
) -> Diagnostic:
    assert code in CODES, code
    return Diagnostic(code, "warning", _with_short_quotes(message), help, span, tuple(fixes))


def note(code: str, message: str, span: Span, help: str = "") -> Diagnostic:  # noqa: A002 - the field's name
    assert code in CODES, code
    return Diagnostic(code, "note", message, help, span)


def write_instead(span: Span, text: str) -> Replacement:
    """Return the fix that replaces a span by a text."""
    return Replacement(span, text, f"Write `{text}`" if text else "Leave it out")


def write_before(span: Span, text: str) -> Replacement:
    """Return the fix that inserts a text at the beginning of a span."""
    start = span._replace(end_line=span.line, end_column=span.column)
    return Replacement(start, text, f"Write `{text.strip()}`")


def delete_word(span: Span, word: str) -> Replacement:
    """Return the fix that deletes the word at the beginning of a span, and the space after it."""
    deleted = span._replace(end_line=span.line, end_column=span.column + len(word) + 1)
    return Replacement(deleted, "", f"Delete `{word}`")


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics without repetitions, by file, line, column and code."""
    unique = dict.fromkeys(diagnostics)
    return sorted(unique, key=lambda d: (d.span.file, d.span.line, d.span.column, d.code, d.message))


def render(diagnostic: Diagnostic, sources: Mapping[str, str]) -> str:
    """Return the diagnostic as text: message, place, the line with a caret, and help.

    `sources` maps the file names of spans to their texts. The line is omitted for other files.
    """
    span = diagnostic.span
    head = f"{diagnostic.severity}[{diagnostic.code}]: {on_one_line(diagnostic.message)}"
    gutter = " " * len(str(span.line))
    rows = [head, f"{gutter}--> {span}"]
    lines = _lines(sources[span.file]) if span.file in sources else ()
    if span.line <= len(lines):
        line = lines[span.line - 1]
        first, last = _window(len(line), span.column)
        end = min(span.end_column if span.end_line == span.line else len(line) + 1, last + 1)
        before, marked = line[first : span.column - 1], line[span.column - 1 : end - 1]
        cut, shown = "…" if first else "", line[first:last] + ("…" if last < len(line) else "")
        carets = "^" * max(1, sum(map(_width, marked)))
        indent = "".join("\t" if char == "\t" else " " * _width(char) for char in before)
        rows += [
            f"{gutter} |",
            f"{span.line} | {cut}{masked(shown)}",
            f"{gutter} | {' ' * len(cut)}{indent}{carets}",
        ]
    if diagnostic.help:
        rows.append(f"{gutter} = help: {on_one_line(diagnostic.help)}")
    return "\n".join(rows)


@lru_cache(maxsize=1)
def _lines(text: str) -> list[str]:
    """Return the lines as the scanner counts them. They are cached, because the next diagnostic usually has
    the same text.
    """
    return with_plain_ends(text).split("\n")


def _window(length: int, column: int) -> tuple[int, int]:
    """Return the displayed part of a line: all of it, or a section around the column if it is very long."""
    if length <= MAX_SHOWN:
        return 0, length
    first = max(0, min(column - 1 - MAX_SHOWN // 3, length - MAX_SHOWN))
    return first, first + MAX_SHOWN


def _width(char: str) -> int:
    """Return the number of columns of a terminal that a character takes."""
    import unicodedata  # noqa: PLC0415 - slow to import

    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


CANDIDATES = 10
"""The number of similar names that are compared in detail."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known name that a word is most likely a misspelling of, or an empty string."""
    import difflib  # noqa: PLC0415 - slow to import
    import heapq  # noqa: PLC0415 - the same

    features = _features(word)

    def likeness(name: str) -> float:
        return 2 * len(features & _features(name)) / (len(features) + len(_features(name)) or 1)

    alike = heapq.nlargest(CANDIDATES, sorted(set(known)), key=likeness)
    near = difflib.get_close_matches(word, alike, n=1, cutoff=0.6)
    return near[0] if near else ""


@lru_cache(maxsize=10_000)
def _features(word: str) -> frozenset[str]:
    """Return the letters of a word and its pairs of letters."""
    return frozenset(word) | {word[place : place + 2] for place in range(len(word) - 1)}


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `did you mean `x`?` for the nearest known name, or an empty string."""
    near = nearest(word, known)
    return f"did you mean `{near}`?" if near else ""


def spelling_fixes(span: Span, word: str, known: Iterable[str]) -> tuple[Replacement, ...]:
    """Return the fix that writes the nearest known name instead of a word, if there is one."""
    near = nearest(word, known)
    return (write_instead(span, near),) if near else ()


class TheoryError(HornbookError):
    """A theory, fact or query that cannot be used. It contains the diagnostics and the texts that they refer
    to.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]) -> None:
        self.diagnostics = in_order(diagnostics)
        self.sources = dict(sources)
        super().__init__("\n\n".join(render(d, self.sources) for d in self.diagnostics))

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the diagnostics and texts for `pickle`, since `args` only has the message."""
        return type(self), (tuple(self.diagnostics), self.sources)
