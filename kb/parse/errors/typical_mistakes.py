"""The typical mistakes of writing a clause: each is recognised where the parser stopped, and says the way out.

A recogniser is a function from the place where the parser stopped to a diagnostic, or to nothing where the
mistake is another one. They are tried in the order of `_RECOGNISERS`: the more particular first.
"""

from __future__ import annotations

from collections.abc import Callable

from hornbook.kb.parse.errors import misused_words as words
from hornbook.kb.parse.errors.stop import BEGINS_CONDITION, Stop, mistake, place, place_after
from hornbook.kb.parse.errors.unreadable import shown
from hornbook.kb.sources.diagnostics import Diagnostic, did_you_mean, error
from hornbook.kb.text.scanner import DECLARING, KEYWORDS

_CASES_HELP = "write one rule for each case"
_CLAUSE_WORDS = [word for word, terminal in KEYWORDS.items() if terminal in DECLARING]


def typical(stop: Stop) -> Diagnostic | None:
    """The typical mistake that was made here, if it is one."""
    for recognise in _RECOGNISERS:
        diagnostic = recognise(stop)
        if diagnostic is not None:
            return diagnostic
    return None


def _no_conclusion(stop: Stop) -> Diagnostic | None:
    found = stop.found
    if stop.index != 0 or found is None:
        return None
    if found.type == "ASK":
        help_line = "ask it with `hornbook query`; in a file, `expect` says what is to be answered"
        return mistake(stop, found, "a question stands in a file", help_line)
    if found.type == "IF":
        help_line = "write `conclusion :- conditions.`; a clause without conditions is a fact"
        return mistake(stop, found, "the rule has no conclusion", help_line)
    if found.type == "DOT":
        return mistake(stop, found, "a period without a clause", "leave it out")
    if found.type == "MINUS":
        return mistake(stop, found, "unexpected `-`", "a comment begins with `%`")
    return None


def _double_quotes(stop: Stop) -> Diagnostic | None:
    found = stop.found
    if found is None or found.type != "PATH":
        return None
    if stop.tokens[0].type in ("IMPORT", "THEORY"):
        return mistake(
            stop, found, "a theory is named, not given by its path", f"write `{stop.tokens[0].text} NAME.`"
        )
    word = found.text[1:-1].replace("'", "''")
    return mistake(
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
    return mistake(stop, quoted, f"{shown(quoted.text)} cannot name a predicate", help_line)


def _not_closed(stop: Stop) -> Diagnostic | None:
    found, places = stop.found, stop.open
    in_calculation = stop.applied is None and "RPAR" in stop.accepts
    ends = {"DOT", "IF", "COMPARE", "EQUAL"} if in_calculation else {"DOT", "IF"}
    if not places or (found is not None and found.type not in ends):
        return None
    return mistake(stop, stop.tokens[places[-1]], "the parenthesis is not closed", "close it with `)`")


def _not_opened(stop: Stop) -> Diagnostic | None:
    found = stop.found
    if found is None or found.type != "RPAR" or stop.open:
        return None
    return mistake(stop, found, "`)` closes nothing", "leave it out, or open a parenthesis before it")


def _nothing_between(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if previous is None or (found is not None and found.type not in ("DOT", "RPAR", "COMMA", "SEMICOLON")):
        return None
    if previous.type == "COMMA":
        help_line = "write what is missing, or leave the comma out"
        return mistake(stop, previous, "nothing follows the comma", help_line)
    if previous.type == "IF":
        help_line = "write the conditions; a clause without any is a fact and has no `:-`"
        return mistake(stop, previous, "no conditions follow `:-`", help_line)
    name = stop.at(-2)
    if previous.type == "LPAR" and found is not None and found.type == "RPAR" and name is not None:
        return mistake(stop, previous, "empty parentheses", f"write `{shown(name.text)}` alone")
    return None


def _declaration(stop: Stop) -> Diagnostic | None:
    found, first = stop.found, stop.tokens[0] if stop.tokens else None
    if found is None or first is None:
        return None
    if first.type == "KIND" and found.type in ("VARIABLE", "WILDCARD", "INTEGER", "QUOTED"):
        return mistake(
            stop, found, "a declaration lists sorts", "write the sort of the column: `point`, `int`, …"
        )
    if first.type == "FRAME" and stop.index == 2 and stop.tokens[1].text in ("before", "after"):
        return mistake(
            stop, stop.tokens[1], "a frame has no tense", "write the fluent alone; its actions say when"
        )
    previous = stop.previous
    if first.type == "REPLIES" and previous is not None and previous.text in ("before", "after"):
        message = "a reply is judged where it is taken, so it has no tense"
        return mistake(stop, previous, message, f"delete `{previous.text}`")
    if first.type == "SORT" and found.type in ("COMMA", "SEMICOLON", "COLON", "LPAR", "NAME", "QUOTED"):
        return mistake(
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
        return mistake(stop, previous, f"no clause begins with `{shown(previous.text)}`", suggestion)
    if any(token.type == "IF" for token in stop.tokens[2:]):
        help_line = f"a label ends with a colon: `{shown(previous.text)}:`"
        return mistake(stop, found, f"unexpected `{shown(found.text)}`", help_line)
    return None


def _no_if(stop: Stop) -> Diagnostic | None:
    found = stop.found
    if found is None or "IF" not in stop.accepts:
        return None
    if found.type == "COMMA":
        help_line = "write `:-` before the conditions, or end the clause and begin another"
        return mistake(stop, found, "a clause has one conclusion", help_line)
    if found.type in BEGINS_CONDITION | {"COLON", "COMPARE", "ARROW"}:
        message = "`:-` is missing between the conclusion and its conditions"
        return mistake(stop, found, message, "write `conclusion :- condition, condition.`")
    return None


def _and_or(stop: Stop) -> Diagnostic | None:
    found = stop.found
    if found is None or stop.open or "COMMA" not in stop.accepts:
        return None
    if found.text == "and":
        return mistake(stop, found, "`and` is no word of the language", "conditions are joined by `,`")
    if found.text in ("or", ";", "|"):
        return mistake(stop, found, f"conditions are not joined by `{found.text}`", _CASES_HELP)
    if found.type == "ARROW":
        return mistake(stop, found, "`->` stands in declarations only", _CASES_HELP)
    return None


def _comment_in_a_clause(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if found is None or previous is None or found.type != "DIVIDE" or stop.applied is not None:
        return None
    help_line = "`//` divides and rounds down; a comment begins with `%`"
    return mistake(stop, found, "unexpected `//`", help_line)


def _after_the_question(stop: Stop) -> Diagnostic | None:
    found, previous = stop.found, stop.previous
    if found is None or previous is None or previous.type != "DOT":
        return None
    return mistake(stop, found, f"unexpected `{shown(found.text)}`", "a question ends at its period")


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
    if found is None or previous is None or "COMMA" not in stop.accepts or found.type not in BEGINS_CONDITION:
        return None
    if stop.accepts & {"IN", "WHERE"}:
        return None
    what = "arguments" if stop.applied is not None else "conditions"
    if what == "arguments" and {previous.type, found.type} == {"NAME"} and stop.tokens[0].type != "KIND":
        one_word = shown(f"{previous.text} {found.text}")
        help_line = f"write `,` after `{shown(previous.text)}`, or quote one word: '{one_word}'"
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
    words.calculation_in_arguments,
    words.term_in_arguments,
    words.negation,
    words.assignment,
    words.word_of_the_language,
    _declaration,
    _label_or_misspelling,
    words.hyphen,
    _no_if,
    _and_or,
    _comment_in_a_clause,
    words.word_in_calculation,
    words.variables_of_a_set,
    words.order_of_words,
    _half_a_comparison,
    _no_comma,
)
