"""Quick fixes: changes of a text that may repair a mistake, derived from the message and help of its
diagnostic.

A proposed fix need not be correct. The caller checks the changed text, for example with `repairs` on the
diagnostics before and after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hornbook.kb.ast.terms import Rule, Span, statements
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check import variable_sorts
from hornbook.kb.parse.syntax import ParsedFile
from hornbook.kb.sources.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Edit:
    """The replacement of a possibly empty span by a text."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class QuickFix:
    """A quick fix: its title, its edits, and the diagnostic that it may repair."""

    title: str
    edits: tuple[Edit, ...]
    mends: Diagnostic


_MEANT = re.compile(r"did you mean `(?P<word>[^`]+)`\?")
_QUOTED = re.compile(r"is quoted(?: with single quotes)?: (?P<word>'.*')\Z")
_VARIABLE = re.compile(r"a variable begins with `\?`: `(?P<word>\?\w+)`")
_MARK = re.compile(r"(?:equality is|`differs from` is)? ?(?:written|write) `(?P<word>[^`\w]{1,2})`")
_DELETED = re.compile(r"delete `(?P<word>\w+)`\Z")
_DECLARED = re.compile(r"declare it: `(?P<clause>(?P<kind>\w++) (?P<name>\w++)[^`]*+)`")
_FIRST = re.compile(r"`(?P<word>[^`]*)`")


def quick_fixes(diagnostic: Diagnostic, file: ParsedFile, words: Vocabulary) -> Iterator[QuickFix]:
    """Yield the quick fixes for a diagnostic, the likeliest first."""
    span, help_ = diagnostic.span, diagnostic.help
    lines = file.text.split("\n")
    if span.file != file.name or span.line > len(lines):
        return

    def fix(title: str, *edits: Edit) -> QuickFix:
        return QuickFix(title, edits, diagnostic)

    start = replace(span, end_line=span.line, end_column=span.column)
    written = _text(span, lines)
    if meant := _MEANT.search(help_):
        wrong = _FIRST.search(diagnostic.message)
        place = _within(span, lines, wrong["word"] if wrong else "")
        yield fix(f"Write `{meant['word']}`", Edit(place, meant["word"]))
    if help_.endswith("where anything will do, write `_`") or "Where anything will do, write `_`" in help_:
        yield fix("Write `_`", Edit(span, "_"))
    if help_ == "end it with `.`":
        yield fix("End the clause with `.`", Edit(start, "."))
    if help_.startswith("write `,` after"):
        yield fix("Write `,`", Edit(start, ","))
    if help_ == "conditions are joined by `,`":
        yield fix("Write `,`", Edit(span, ","))
    if help_.endswith("a comment begins with `%`") and (mark := re.match(r"#+|//+|/\*|-+", written)):
        end = span.column + len(mark[0])
        yield fix("Write `%`", Edit(replace(span, end_line=span.line, end_column=end), "%"))
    if help_ == "leave it out" or help_.startswith("leave it out, or"):
        yield fix("Leave it out", Edit(span, ""))
    if (deleted := _DELETED.search(help_)) and written.startswith(deleted["word"]):
        blanks = len(written) - len(written.removeprefix(deleted["word"]).lstrip())
        rest = lines[span.line - 1][span.column - 1 + len(deleted["word"]) :]
        width = max(blanks, len(deleted["word"]) + len(rest) - len(rest.lstrip()))
        yield fix(f"Delete `{deleted['word']}`", Edit(replace(start, end_column=span.column + width), ""))
    if quoted := _QUOTED.search(help_):
        yield fix(f"Write {quoted['word']}", Edit(span, quoted["word"]))
    if variable := _VARIABLE.search(help_):
        yield fix(f"Write `{variable['word']}`", Edit(span, variable["word"]))
    if diagnostic.code == "HB003" and (mark := _MARK.match(help_)):
        yield fix(f"Write `{mark['word']}`", Edit(span, mark["word"]))
    if diagnostic.code == "HB023":
        yield fix("Write `before`", Edit(start, "before "))
        yield fix("Write `after`", Edit(start, "after "))
    if declared := _DECLARED.search(help_):
        clause = _declaration(declared, file, words)
        line = _start_of_clauses(file)
        yield fix(f"Declare it: `{clause}`", Edit(Span(file.name, line, 1, line, 1), f"{clause}\n"))


def repairs(fix: QuickFix, before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> bool:
    """Return whether a fix reduces the mistakes.

    A text that becomes parsable may show other mistakes, which existed before.
    """
    unparsed = ("HB001", "HB002", "HB003", "HB004", "HB006")
    if fix.mends.code in unparsed:
        counted = [sum(each.code in unparsed for each in found) for found in (before, after)]
        return counted[1] < counted[0]
    errors = [sum(each.severity == "error" for each in found) for found in (before, after)]
    if fix.mends.severity == "error":
        return errors[1] < errors[0]
    return errors[1] <= errors[0] and len(after) < len(before)


def _text(span: Span, lines: Sequence[str]) -> str:
    """Return the text of a span on its first line."""
    line = lines[span.line - 1]
    end = span.end_column if span.end_line == span.line else len(line) + 1
    return line[span.column - 1 : end - 1]


def _within(span: Span, lines: Sequence[str], word: str) -> Span:
    """Return the position of a word in a span, or the span itself."""
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", _text(span, lines)) if word else None
    if found is None:
        return span
    start = span.column + found.start()
    return Span(span.file, span.line, start, span.line, start + len(word))


def _start_of_clauses(file: ParsedFile) -> int:
    """Return the line before which a declaration can be inserted: that of the first rule."""
    rules = [clause.span.line for clause in file.clauses if isinstance(clause, Rule)]
    return min(rules, default=file.text.count("\n") + 1)


def _declaration(declared: re.Match[str], file: ParsedFile, words: Vocabulary) -> str:
    """Return a declaration with the sorts of the predicate's arguments at its first use."""
    clause = declared["clause"]
    if "…" not in clause:
        return clause
    for rule in (each for each in file.clauses if isinstance(each, Rule)):
        sorts = variable_sorts(rule, words)
        for statement in statements((rule.head, *rule.body)):
            if statement.relation == declared["name"]:
                columns = [sorts.get(getattr(term, "name", ""), "int") for term in statement.terms]
                return f"{declared['kind']} {declared['name']}({', '.join(columns)})."
    return clause
