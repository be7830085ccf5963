"""The typical mistakes that need more than a comparison of adjacent tokens, each with a suggestion.

kb/parse/errors/typical_mistakes.py determines the order of the checks.
"""

from __future__ import annotations

from hornbook.kb.parse.errors.stop import BEGINS_CONDITION, OPERATORS, ParseStop, mistake, place_after
from hornbook.kb.parse.errors.unreadable import ABSENT_HELP, shown
from hornbook.kb.sources.diagnostics import Diagnostic, error, nearest, write_before
from hornbook.kb.text.scanner import DECLARING, KEYWORDS, READING, Token

_UNLESS = "`unless` belongs only to a case of `replies`"
_CLAUSE_WORDS = [word for word, terminal in KEYWORDS.items() if terminal in DECLARING]


def double_quotes(stop: ParseStop) -> Diagnostic | None:
    if stop.found.type != "PATH":
        return None
    path = stop.found.text
    word = path[1:-1].replace("'", "''")
    help_line = f"a word is quoted with single quotes: '{shown(word)}'"
    return mistake(stop, stop.found, f"{shown(path)} is a path", help_line, f"'{word}'")


def word_with_marks(stop: ParseStop) -> Diagnostic | None:
    found, previous, following = stop.found, stop.previous, stop.following
    if stop.applied is None or found.type not in OPERATORS or following.type in ("END", "ARROW"):
        return None
    together = found.column == previous.end_column and following.column == found.end_column
    if together and previous.type != "VARIABLE":
        word = shown(_run_on(stop))
        return mistake(
            stop, found, f"`{word}` is no word", f"a word with `{found.text}` in it is quoted: '{word}'"
        )
    return None


def _run_on(stop: ParseStop) -> str:
    """Return the text of the tokens around the error that are joined without spaces."""
    tokens, first, last = stop.tokens, stop.index, stop.index
    while first > 0 and tokens[first - 1].end_column == tokens[first].column and _part(tokens[first - 1]):
        first -= 1
    rest = tokens[last + 1 :]
    for before, token in zip(tokens[last:], rest, strict=False):
        if before.end_column != token.column or not _part(token):
            break
        last += 1
    return "".join(token.text for token in tokens[first : last + 1])


def _part(token: Token) -> bool:
    return token.type in OPERATORS or token.type in ("INTEGER", "LITERAL") or token.text.isidentifier()


def term_in_arguments(stop: ParseStop) -> Diagnostic | None:
    found, previous, applied = stop.found, stop.previous, stop.applied
    if applied is None or found.type != "LPAR" or previous.type != "NAME":
        return None
    if applied.text == "not":
        return mistake(stop, applied, "`not` is no word of the language", ABSENT_HELP)
    inner = shown(previous.text)
    opening = stop.tokens[stop.open[-1]]
    if opening.line < previous.line:
        return mistake(stop, opening, "the parenthesis is not closed", "close it with `)`")
    help_line = f"arguments are words, variables and integers: make `{inner}(…)` a condition of its own"
    return mistake(stop, previous, f"`{inner}(…)` cannot be an argument", help_line)


def negation(stop: ParseStop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if found.type == "UNLESS":
        return mistake(stop, found, _UNLESS, ABSENT_HELP)
    word = previous.text
    if found.type not in BEGINS_CONDITION or previous.type != "NAME":
        return None
    if word.lower() not in ("not", "no", "never", "unless", "without"):
        return None
    message = _UNLESS if word == "unless" else f"`{word}` is no word of the language"
    return mistake(stop, previous, message, ABSENT_HELP)


def word_of_the_language(stop: ParseStop) -> Diagnostic | None:
    """Return a diagnostic for a predicate or a constant with the name of a keyword."""
    found, previous = stop.found, stop.previous
    if previous.text not in KEYWORDS or previous.type not in DECLARING | READING:
        return None
    if previous.type in DECLARING and (found.type != "LPAR" or found.column > previous.end_column):
        return None
    message = f"`{previous.text}` is a word of the language"
    if found.type == "LPAR":
        return mistake(stop, previous, message + " and names no predicate", "choose another name")
    if found.type in ("COMMA", "DOT", "EQUAL", "COMPARE", "RPAR"):
        quoted = f"'{previous.text}'"
        return mistake(stop, previous, message, f"as a constant it is quoted: {quoted}", quoted)
    return None


def label_or_misspelling(stop: ParseStop) -> Diagnostic | None:
    """Return a diagnostic for two names at the start: a misspelt declaration keyword, or a label without its
    colon.
    """
    found, previous = stop.found, stop.previous
    if stop.index != 1 or not {found.type, previous.type} <= {"NAME", "TENSE"}:
        return None
    near = nearest(previous.text.lower(), _CLAUSE_WORDS)
    if near:
        message = f"no clause begins with `{shown(previous.text)}`"
        return mistake(stop, previous, message, f"did you mean `{near}`?", near)
    if any(token.type == "IF" for token in stop.tokens[2:]):
        help_line = f"a label ends with a colon: `{shown(previous.text)}:`"
        return mistake(stop, found, f"unexpected `{shown(found.text)}`", help_line)
    return None


def hyphen(stop: ParseStop) -> Diagnostic | None:
    found, previous, following = stop.found, stop.previous, stop.following
    if (found.type, previous.type) != ("MINUS", "NAME"):
        return None
    if previous.end_column != found.column or found.end_column != following.column:
        return None
    name = shown(_run_on(stop).replace("-", "_"))
    help_line = f"a name has letters, digits and `_`, such as `{name}`; other words are quoted"
    return mistake(stop, found, "unexpected `-`", help_line)


def word_in_calculation(stop: ParseStop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if found.type in OPERATORS and previous.type in ("NAME", "QUOTED"):
        word = previous
    elif found.type in ("NAME", "QUOTED") and previous.type in OPERATORS:
        word = found
    elif previous.type == "NAME" and stop.at(-2).type in OPERATORS and stop.accepts == {"LPAR"}:
        word = previous
    else:
        return None
    name = f"?{word.text.lower()}" if word.type == "NAME" else "?x"
    message = f"the word `{shown(word.text)}` in a calculation"
    return mistake(stop, word, message, f"a variable begins with `?`: `{shown(name)}`", name)


def by_after_is(stop: ParseStop) -> Diagnostic | None:
    if stop.found.text != "by" or all(token.type != "IS" for token in stop.tokens[: stop.index]):
        return None
    return mistake(stop, stop.found, "`by` stands before `is`", "write `take(?b) by move(?p) is GI`")


def no_comma(stop: ParseStop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if "COMMA" not in stop.accepts or found.type not in BEGINS_CONDITION or stop.accepts & {"IN", "WHERE"}:
        return None
    what = "conditions" if stop.applied is None else "arguments"
    help_line = f"write `,` after `{shown(previous.text)}`"
    if what == "arguments" and {previous.type, found.type} == {"NAME"} and stop.tokens[0].type != "KIND":
        help_line += f", or quote one word: '{shown(f'{previous.text} {found.text}')}'"
    span = place_after(previous, stop.file)
    fixes = (write_before(span, ","),)
    return error("HB001", f"`,` is missing between two {what}", span, help_line, fixes)
