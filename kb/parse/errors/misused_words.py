"""Words and calculations in places where the language has no use for them, each with the way out.

Each function takes the place where the parser stopped, and gives a diagnostic, or nothing where the mistake is
another one. In which order they are asked is said in kb/parse/errors/typical_mistakes.py.
"""

from __future__ import annotations

from hornbook.kb.parse.errors.stop import BEGINS_CONDITION, OPERATORS, Stop, mistake
from hornbook.kb.parse.errors.unreadable import ABSENT_HELP, shown
from hornbook.kb.sources.diagnostics import Diagnostic
from hornbook.kb.text.scanner import DECLARING, KEYWORDS, READING, Token

_UNLESS = "`unless` stands in a case of `replies` only"


def calculation_in_arguments(stop: Stop) -> Diagnostic | None:
    found, previous, following, applied = stop.found, stop.previous, stop.following, stop.applied
    if applied is None or found is None or found.type not in OPERATORS or previous is None:
        return None
    if following is None or following.type == "ARROW":
        return None
    if (
        found.column == previous.end_column
        and following.column == found.end_column
        and previous.type != "VARIABLE"
    ):
        word = _run_on(stop)
        return mistake(
            stop,
            found,
            f"`{shown(word)}` is no word",
            f"a word with `{found.text}` in it is quoted: '{shown(word)}'",
        )
    calculation = shown(f"{previous.text} {found.text} {following.text}")
    help_line = f"write the condition `?m = {calculation}` and use `?m` here"
    return mistake(stop, found, "arguments are not calculated", help_line)


def _run_on(stop: Stop) -> str:
    """The tokens around the place that stand together without a space."""
    first = last = stop.index
    while (
        first > 0
        and stop.tokens[first - 1].end_column == stop.tokens[first].column
        and _part(stop.tokens[first - 1])
    ):
        first -= 1
    while last + 1 < len(stop.tokens) and stop.tokens[last].end_column == stop.tokens[last + 1].column:
        if not _part(stop.tokens[last + 1]):
            break
        last += 1
    return "".join(token.text for token in stop.tokens[first : last + 1])


def _part(token: Token) -> bool:
    return token.type in OPERATORS or token.type == "INTEGER" or token.text.isidentifier()


def term_in_arguments(stop: Stop) -> Diagnostic | None:
    found, previous, applied = stop.found, stop.previous, stop.applied
    if (
        applied is None
        or found is None
        or found.type != "LPAR"
        or previous is None
        or previous.type != "NAME"
    ):
        return None
    if applied.text == "not":
        return mistake(stop, applied, "`not` is no word of the language", ABSENT_HELP)
    inner = shown(previous.text)
    if previous.text in ("min", "max"):
        help_line = f"write the condition `?m = {inner}(…)` and use `?m` here"
        return mistake(stop, previous, "arguments are not calculated", help_line)
    opening = stop.tokens[stop.open[-1]]
    if opening.line < previous.line:
        return mistake(stop, opening, "the parenthesis is not closed", "close it with `)`")
    help_line = f"arguments are words, variables and integers: make `{inner}(…)` a condition of its own"
    return mistake(stop, previous, f"`{inner}(…)` cannot be an argument", help_line)


def negation(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if found is not None and found.type == "UNLESS":
        return mistake(stop, found, _UNLESS, ABSENT_HELP)
    if found is None or previous is None or found.type not in BEGINS_CONDITION:
        return None
    if previous.type != "NAME" or previous.text.lower() not in ("not", "no", "never", "unless", "without"):
        return None
    message = f"`{previous.text}` is no word of the language"
    if previous.text == "unless":
        message = _UNLESS
    return mistake(stop, previous, message, ABSENT_HELP)


def assignment(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if found is None or previous is None or previous.type not in ("VARIABLE", "INTEGER", "WILDCARD"):
        return None
    if found.text == "is":
        return mistake(stop, found, "`is` gives the value of a game", "equality is written `=`")
    if found.text == "in" and "COMPARE" in stop.accepts:
        return mistake(
            stop, found, "`in` stands after `all` or `count` only", "write the fact itself as a condition"
        )
    return None


def word_of_the_language(stop: Stop) -> Diagnostic | None:
    """A predicate or a constant called like something else."""
    found, previous = stop.found, stop.previous
    if found is None or previous is None or previous.text not in KEYWORDS or previous.type == "NAME":
        return None
    message = f"`{previous.text}` is a word of the language"
    if previous.type in DECLARING:
        if found.type != "LPAR" or found.column > previous.end_column:
            return None
    elif previous.type not in READING:
        return None
    if found.type == "LPAR":
        return mistake(stop, previous, message + " and names no predicate", "choose another name")
    if found.type in ("COMMA", "DOT", "EQUAL", "COMPARE", "RPAR"):
        return mistake(stop, previous, message, f"as a constant it is quoted: '{previous.text}'")
    return None


def hyphen(stop: Stop) -> Diagnostic | None:
    found, previous, following = stop.found, stop.previous, stop.following
    if (
        found is None
        or previous is None
        or following is None
        or (found.type, previous.type) != ("MINUS", "NAME")
    ):
        return None
    if previous.end_column != found.column or found.end_column != following.column:
        return None
    name = shown(_run_on(stop).replace("-", "_"))
    help_line = f"a name has letters, digits and `_`, such as `{name}`; other words are quoted"
    return mistake(stop, found, "unexpected `-`", help_line)


def word_in_calculation(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if found is None or previous is None:
        return None
    if found.type in OPERATORS and previous.type in ("NAME", "QUOTED"):
        word = previous
    elif found.type in ("NAME", "QUOTED") and previous.type in OPERATORS:
        word = found
    else:
        return None
    name = f"?{word.text.lower()}" if word.type == "NAME" else "?x"
    message = f"the word `{shown(word.text)}` in a calculation"
    return mistake(stop, word, message, f"a variable begins with `?`: `{shown(name)}`")


def variables_of_a_set(stop: Stop) -> Diagnostic | None:
    """What is no variable right after `all`, `count`, `sum` …"""
    found, following = stop.found, stop.following
    if found is None or found.type != "NAME" or stop.accepts != {"VARIABLE", "WILDCARD"}:
        return None
    name = shown(found.text)
    if following is not None and following.type == "LPAR":
        return mistake(stop, found, f"unexpected `{name}`", "name the variables first, as in `count ?x in …`")
    return mistake(stop, found, f"`{name}` is no variable", f"a variable begins with `?`: `?{name}`")


def order_of_words(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if found is None or previous is None:
        return None
    if found.text == "by" and any(token.type == "IS" for token in stop.tokens[: stop.index]):
        return mistake(stop, found, "`by` stands before `is`", "write `take(?b) by move(?p) is GI`")
    if previous.type == "TENSE" and found.type in BEGINS_CONDITION:
        message = f"`{previous.text}` stands before a fact only"
        return mistake(stop, previous, message, "a comparison has no tense; leave the word out")
    return None
