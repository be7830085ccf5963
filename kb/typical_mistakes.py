"""The typical mistakes of writing a clause: each is recognised where the parser stopped, and says the way out.

A recogniser is a function from the place where the parser stopped to a diagnostic, or to nothing where the
mistake is another one. They are tried in the order of `_RECOGNISERS`: the more particular first.
"""

from __future__ import annotations

from collections.abc import Callable

from kb.diagnostics import Diagnostic, did_you_mean, error
from kb.scanner import KEYWORDS, Token
from kb.stop import Stop, place, place_after
from kb.unreadable import ABSENT_HELP, shown

_CASES_HELP = "write one rule for each case"
_TERMS = frozenset(("NAME", "QUOTED", "VARIABLE", "WILDCARD", "INTEGER"))
_BEGINS_CONDITION = _TERMS | {"TENSE", "ALL", "ABSENT", "MIN", "MAX", "LPAR", "MINUS"}
_OPERATORS = frozenset(("PLUS", "MINUS", "STAR", "DIVIDE"))
_CLAUSE_WORDS = [
    "theory", "import", "sort", "static", "fluent", "action", "derived", "game", "meta", "frame", "example", "expect",
]  # fmt: skip


def typical(stop: Stop) -> Diagnostic | None:
    """The typical mistake that was made here, if it is one."""
    for recognise in _RECOGNISERS:
        diagnostic = recognise(stop)
        if diagnostic is not None:
            return diagnostic
    return None


def _mistake(stop: Stop, token: Token, message: str, help_line: str) -> Diagnostic:
    return error("HB001", message, place(token, stop.file), help_line)


def _no_conclusion(stop: Stop) -> Diagnostic | None:
    found = stop.found
    if stop.index != 0 or found is None:
        return None
    if found.type == "ASK":
        help_line = "ask it with `hornbook query`; in a file, `expect` says what is to be answered"
        return _mistake(stop, found, "a question stands in a file", help_line)
    if found.type == "IF":
        help_line = "write `conclusion :- conditions.`; a clause without conditions is a fact"
        return _mistake(stop, found, "the rule has no conclusion", help_line)
    if found.type == "DOT":
        return _mistake(stop, found, "a period without a clause", "leave it out")
    return None


def _double_quotes(stop: Stop) -> Diagnostic | None:
    found = stop.found
    if found is None or found.type != "PATH":
        return None
    if stop.tokens[0].type in ("IMPORT", "THEORY"):
        return _mistake(
            stop, found, "a theory is named, not given by its path", f"write `{stop.tokens[0].text} NAME.`"
        )
    word = found.text[1:-1].replace("'", "''")
    return _mistake(
        stop, found, f"{shown(found.text)} is a path", f"a word is quoted with single quotes: '{shown(word)}'"
    )


def _quoted_predicate(stop: Stop) -> Diagnostic | None:
    found, previous, following = stop.found, stop.previous, stop.following
    quoted = found
    if found is not None and found.type == "LPAR":
        quoted, following = previous, found
    if quoted is None or quoted.type != "QUOTED" or following is None or following.type != "LPAR":
        return None
    help_line = "the name of a predicate has letters, digits and `_`, and begins with a letter"
    return _mistake(stop, quoted, f"{shown(quoted.text)} cannot name a predicate", help_line)


def _not_closed(stop: Stop) -> Diagnostic | None:
    found, places = stop.found, stop.open
    if not places or (found is not None and found.type not in ("DOT", "IF")):
        return None
    return _mistake(stop, stop.tokens[places[-1]], "the parenthesis is not closed", "close it with `)`")


def _not_opened(stop: Stop) -> Diagnostic | None:
    found = stop.found
    if found is None or found.type != "RPAR" or stop.open:
        return None
    return _mistake(stop, found, "`)` closes nothing", "leave it out, or open a parenthesis before it")


def _nothing_between(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if previous is None or (found is not None and found.type not in ("DOT", "RPAR", "COMMA", "SEMICOLON")):
        return None
    if previous.type == "COMMA":
        help_line = "write what is missing, or leave the comma out"
        return _mistake(stop, previous, "nothing follows the comma", help_line)
    if previous.type == "IF":
        help_line = "write the conditions; a clause without any is a fact and has no `:-`"
        return _mistake(stop, previous, "no conditions follow `:-`", help_line)
    name = stop.at(-2)
    if previous.type == "LPAR" and found is not None and found.type == "RPAR" and name is not None:
        return _mistake(stop, previous, "empty parentheses", f"write `{shown(name.text)}` alone")
    return None


def _calculation_in_arguments(stop: Stop) -> Diagnostic | None:
    found, previous, following, applied = stop.found, stop.previous, stop.following, stop.applied
    if applied is None or found is None or found.type not in _OPERATORS or previous is None:
        return None
    if following is None or following.type == "ARROW":
        return None
    if (
        found.column == previous.end_column
        and following.column == found.end_column
        and previous.type != "VARIABLE"
    ):
        word = _run_on(stop)
        return _mistake(
            stop,
            found,
            f"`{shown(word)}` is no word",
            f"a word with `{found.text}` in it is quoted: '{shown(word)}'",
        )
    calculation = shown(f"{previous.text} {found.text} {following.text}")
    help_line = f"write the condition `?m = {calculation}` and use `?m` here"
    return _mistake(stop, found, "arguments are not calculated", help_line)


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
    return token.type in _OPERATORS or token.type == "INTEGER" or token.text.isidentifier()


def _term_in_arguments(stop: Stop) -> Diagnostic | None:
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
        return _mistake(stop, applied, "`not` is no word of the language", ABSENT_HELP)
    inner = shown(previous.text)
    opening = stop.tokens[stop.open[-1]]
    if opening.line < previous.line:
        return _mistake(stop, opening, "the parenthesis is not closed", "close it with `)`")
    help_line = f"arguments are words, variables and integers: make `{inner}(…)` a condition of its own"
    return _mistake(stop, previous, f"`{inner}(…)` cannot be an argument", help_line)


def _negation(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if found is None or previous is None or found.type not in _BEGINS_CONDITION:
        return None
    if previous.type != "NAME" or previous.text.lower() not in ("not", "no", "never", "unless", "without"):
        return None
    return _mistake(stop, previous, f"`{previous.text}` is no word of the language", ABSENT_HELP)


def _assignment(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if found is None or previous is None or previous.type not in ("VARIABLE", "INTEGER", "WILDCARD"):
        return None
    if found.text == "is":
        return _mistake(stop, found, "`is` gives the value of a game", "equality is written `=`")
    if found.text == "in" and "COMPARE" in stop.accepts:
        return _mistake(
            stop, found, "`in` stands after `all` or `count` only", "write the fact itself as a condition"
        )
    return None


def _word_of_the_language(stop: Stop) -> Diagnostic | None:
    """A predicate or a constant called like something else."""
    found, previous = stop.found, stop.previous
    if found is None or previous is None or previous.text not in KEYWORDS or previous.type == "NAME":
        return None
    message = f"`{previous.text}` is a word of the language"
    if found.type == "LPAR":
        return _mistake(stop, previous, message + " and names no predicate", "choose another name")
    if found.type in ("COMMA", "DOT", "EQUAL", "COMPARE", "RPAR") and previous.type not in ("KIND", "SORT"):
        return _mistake(stop, previous, message, f"as a constant it is quoted: '{previous.text}'")
    return None


def _declaration(stop: Stop) -> Diagnostic | None:
    found, first = stop.found, stop.tokens[0] if stop.tokens else None
    if found is None or first is None:
        return None
    if first.type == "KIND" and found.type in ("VARIABLE", "WILDCARD", "INTEGER", "QUOTED"):
        return _mistake(
            stop, found, "a declaration lists sorts", "write the sort of the column: `point`, `int`, …"
        )
    if first.type == "SORT" and found.type in ("COMMA", "SEMICOLON", "COLON", "LPAR", "NAME", "QUOTED"):
        return _mistake(
            stop, found, f"unexpected `{shown(found.text)}`", "write `sort colour = black | white.`"
        )
    return None


def _label_or_misspelling(stop: Stop) -> Diagnostic | None:
    """Two names at the start: a declaration word misspelt, or a label without its colon."""
    found, previous = stop.found, stop.previous
    if (
        stop.index != 1
        or found is None
        or previous is None
        or not {found.type, previous.type} <= {"NAME", "TENSE"}
    ):
        return None
    suggestion = did_you_mean(previous.text.lower(), _CLAUSE_WORDS)
    if suggestion:
        return _mistake(stop, previous, f"no clause begins with `{shown(previous.text)}`", suggestion)
    if any(token.type == "IF" for token in stop.tokens[2:]):
        help_line = f"a label ends with a colon: `{shown(previous.text)}:`"
        return _mistake(stop, found, f"unexpected `{shown(found.text)}`", help_line)
    return None


def _no_if(stop: Stop) -> Diagnostic | None:
    found = stop.found
    if found is None or "IF" not in stop.accepts:
        return None
    if found.type == "COMMA":
        help_line = "write `:-` before the conditions, or end the clause and begin another"
        return _mistake(stop, found, "a clause has one conclusion", help_line)
    if found.type in _BEGINS_CONDITION | {"COLON", "COMPARE", "ARROW"}:
        message = "`:-` is missing between the conclusion and its conditions"
        return _mistake(stop, found, message, "write `conclusion :- condition, condition.`")
    return None


def _and_or(stop: Stop) -> Diagnostic | None:
    found = stop.found
    if found is None or stop.open or "COMMA" not in stop.accepts:
        return None
    if found.text == "and":
        return _mistake(stop, found, "`and` is no word of the language", "conditions are joined by `,`")
    if found.text in ("or", ";", "|"):
        return _mistake(stop, found, f"conditions are not joined by `{found.text}`", _CASES_HELP)
    if found.type == "ARROW":
        return _mistake(stop, found, "`->` stands in declarations only", _CASES_HELP)
    return None


def _hyphen(stop: Stop) -> Diagnostic | None:
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
    return _mistake(stop, found, "unexpected `-`", help_line)


def _word_in_calculation(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if found is None or previous is None:
        return None
    if found.type in _OPERATORS and previous.type in ("NAME", "QUOTED"):
        word = previous
    elif found.type in ("NAME", "QUOTED") and previous.type in _OPERATORS:
        word = found
    else:
        return None
    name = f"?{word.text.lower()}" if word.type == "NAME" else "?x"
    message = f"the word `{shown(word.text)}` in a calculation"
    return _mistake(stop, word, message, f"a variable begins with `?`: `{shown(name)}`")


def _comment_in_a_clause(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if found is None or previous is None or found.type != "DIVIDE" or stop.applied is not None:
        return None
    help_line = "`//` divides and rounds down; a comment begins with `%`"
    return _mistake(stop, found, "unexpected `//`", help_line)


def _after_the_question(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if found is None or previous is None or previous.type != "DOT":
        return None
    return _mistake(stop, found, f"unexpected `{shown(found.text)}`", "a question ends at its period")


def _half_a_comparison(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if previous is None or "COMPARE" not in stop.accepts or "COMMA" in stop.accepts:
        return None
    if found is None or found.type in ("COMMA", "DOT"):
        span = place(previous, stop.file)
        return error(
            "HB001", "this alone is no condition", span, "compare it with something, as in `?n + 1 < ?m`"
        )
    return None


def _no_comma(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if (
        found is None
        or previous is None
        or "COMMA" not in stop.accepts
        or found.type not in _BEGINS_CONDITION
    ):
        return None
    what = "arguments" if stop.applied is not None else "conditions"
    if stop.applied is not None and {previous.type, found.type} == {"NAME"}:
        words = f"{previous.text} {found.text}"
        help_line = f"write `,` after `{shown(previous.text)}`, or quote one word: '{shown(words)}'"
    else:
        help_line = f"write `,` after `{shown(previous.text)}`"
    return error("HB001", f"`,` is missing between two {what}", place_after(previous, stop.file), help_line)


_RECOGNISERS: tuple[Callable[[Stop], Diagnostic | None], ...] = (
    _no_conclusion,
    _double_quotes,
    _quoted_predicate,
    _nothing_between,
    _not_closed,
    _not_opened,
    _after_the_question,
    _calculation_in_arguments,
    _term_in_arguments,
    _negation,
    _assignment,
    _word_of_the_language,
    _declaration,
    _label_or_misspelling,
    _hyphen,
    _no_if,
    _and_or,
    _comment_in_a_clause,
    _word_in_calculation,
    _half_a_comparison,
    _no_comma,
)
