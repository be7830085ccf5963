"""The typical mistakes in a clause, recognised by the tokens around the error, with suggestions.

A recogniser takes a `ParseStop` and returns a diagnostic, or None for another mistake. Most recognisers are
rows of a table. More complex ones are functions of kb/parse/errors/odd_mistakes.py. They are tried in the
order of `_RECOGNISERS`, special cases first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from hornbook.kb.parse.errors import odd_mistakes as odd
from hornbook.kb.parse.errors.stop import BEGINS_CONDITION, END, ParseStop, mistake
from hornbook.kb.parse.errors.unreadable import OR_HELP, shown
from hornbook.kb.sources.diagnostics import Diagnostic
from hornbook.kb.text.scanner import Token
from hornbook.matcher.program.dataclass import dataclass


def typical(stop: ParseStop) -> Diagnostic | None:
    """Return the diagnostic of the typical mistake at the stop, or None."""
    for recognise in _RECOGNISERS:
        diagnostic = recognise(stop)
        if diagnostic is not None:
            return diagnostic
    return None


@dataclass(frozen=True, slots=True)
class _Row:
    """A recogniser by the tokens around the stop and the types that the parser expected there.

    Tokens are described by their types (in capitals; TOKEN is any, END none) and their texts. An empty
    description matches anything. The message and the help may contain placeholders for tokens.

    - `before`: The token before the previous one.
    - `first`: The first token of the clause.
    - `index`: The number of parsed tokens.
    - `accepts`: Types that must all be expected.
    - `refuses`: Types that must not be expected.
    - `open`: Whether a parenthesis is open.
    - `applied`: Whether the open parenthesis contains arguments.
    - `instead`: The text that may be meant in place of the token at fault. Placeholders as in the message.
    """

    message: str
    help: str
    at: Literal["found", "previous", "opening"] = "found"
    found: str = "TOKEN"
    previous: str = ""
    following: str = ""
    before: str = ""
    first: str = ""
    index: int | None = None
    accepts: str = ""
    refuses: str = ""
    open: bool | None = None
    applied: bool | None = None
    instead: str | None = None

    def __call__(self, stop: ParseStop) -> Diagnostic | None:
        tokens = {
            "found": stop.found,
            "previous": stop.previous,
            "following": stop.following,
            "before": stop.at(-2),
            "first": stop.tokens[0] if stop.tokens else END,
        }
        if not (
            all(_is(token, getattr(self, name)) for name, token in tokens.items())
            and self.index in (None, stop.index)
            and stop.accepts.issuperset(self.accepts.split())
            and stop.accepts.isdisjoint(self.refuses.split())
            and self.open in (None, bool(stop.open))
            and self.applied in (None, stop.applied is not None)
        ):
            return None
        texts = {name: shown(token.text) for name, token in tokens.items()}
        token = stop.tokens[stop.open[-1]] if self.at == "opening" else tokens[self.at]
        written = {name: token.text for name, token in tokens.items()}
        instead = None if self.instead is None else self.instead.format(**written)
        return mistake(stop, token, self.message.format(**texts), self.help.format(**texts), instead)


def _is(token: Token, described: str) -> bool:
    """Return whether a token matches one of the words of a description."""
    words = described.split()
    by_text = token.text.islower() and token.text in words
    return not words or token.type in words or by_text or ("TOKEN" in words and token is not END)


_ONE_OF_CASES = "write one rule for each case"
_BEGINNINGS = " ".join(sorted(BEGINS_CONDITION))
_ENDS = "END DOT RPAR COMMA SEMICOLON"
_NOT_A_NAME = "the name of a predicate has letters, digits and `_`, and begins with a letter"
_NOT_CLOSED = "the parenthesis is not closed"
_CLOSE_IT = "close it with `)`"

_RECOGNISERS: tuple[Callable[[ParseStop], Diagnostic | None], ...] = (
    _Row("a query in a file", found="ASK", index=0,
         help="run it with `hornbook query`; in a file, `expect` states the expected answers"),
    _Row("the rule has no conclusion", found="IF", index=0,
         help="write `conclusion :- conditions.`; a clause without conditions is a fact"),
    _Row("a period without a clause", found="DOT", index=0, help="leave it out", instead=""),
    _Row("unexpected `-`", found="MINUS", index=0, help="a comment begins with `%`", instead="%"),
    _Row("a theory is named, not given by its path", found="PATH", first="IMPORT THEORY",
         help="write `{first} NAME.`"),
    odd.double_quotes,
    _Row("{found} cannot name a predicate", found="QUOTED", following="LPAR", help=_NOT_A_NAME),
    _Row("{previous} cannot name a predicate", at="previous", previous="QUOTED", found="LPAR",
         help=_NOT_A_NAME),
    _Row("nothing follows the comma", at="previous", previous="COMMA", found=_ENDS,
         help="write the missing part, or delete the comma"),
    _Row("no conditions follow `:-`", at="previous", previous="IF", found=_ENDS,
         help="write the conditions; a clause without any is a fact and has no `:-`"),
    _Row("empty parentheses", at="previous", before="TOKEN", previous="LPAR", found="RPAR",
         help="write `{before}` alone"),
    _Row(_NOT_CLOSED, at="opening", open=True, found="END DOT IF", help=_CLOSE_IT),
    _Row(_NOT_CLOSED, at="opening", open=True, found="COMPARE EQUAL", applied=False, accepts="RPAR",
         help=_CLOSE_IT),
    _Row("`)` closes nothing", found="RPAR", open=False,
         help="leave it out, or open a parenthesis before it", instead=""),
    _Row("unexpected `{found}`", previous="DOT", help="a question ends at its period"),
    _Row("`{previous}` is no word of the language", at="previous", previous="forall foreach every",
         found="VARIABLE",
         help="all members of a closed set: `all ?x in set(key, ?x): …`"),
    _Row("`{previous} … where` is no argument", at="previous", previous="sum count",
         found="VARIABLE WILDCARD",
         applied=True, help="give it a variable beside the fact: `?n = {previous} ?x where …`"),
    odd.word_with_marks,
    odd.term_in_arguments,
    odd.negation,
    _Row("`is` gives the value of a game", previous="VARIABLE INTEGER WILDCARD", found="is",
         help="equality is written `=`"),
    _Row("`in` stands after `all` or `count` only", previous="VARIABLE INTEGER WILDCARD", found="in",
         accepts="COMPARE", help="write the fact itself as a condition"),
    _Row("the variables of `{previous}` stand without parentheses", at="found", before="EQUAL",
         previous="COUNT SUM",
         found="LPAR", help="write `{previous} ?x where …`"),
    odd.word_of_the_language,
    _Row("the variable of `min` and `max` stands without parentheses", previous="RPAR", found="WHERE",
         help="write `?n = max ?x where …`"),
    _Row("`{previous}` in a calculation is of two numbers", at="previous", previous="MIN MAX", found="TOKEN",
         accepts="LPAR",
         help="write `{previous}(?a, ?b)`; over all answers, it stands alone: `?n = {previous} ?x where …`"),
    _Row("an aggregate is of a variable, not of a calculation", previous="VARIABLE",
         found="PLUS MINUS STAR DIVIDE",
         accepts="WHERE",
         help="calculate among its conditions: `?n = sum ?m where (price(?x, ?y), ?m = ?y + 1)`"),
    _Row("a declaration lists sorts", first="KIND", found="VARIABLE WILDCARD INTEGER QUOTED",
         help="write the sort of the column: `point`, `int`, …"),
    _Row("a frame has no tense", at="previous", first="FRAME", index=2, previous="before after",
         help="write the fluent alone; its actions determine the moment"),
    _Row("a condition of `persists` has no tense", at="previous", first="PERSISTS", index=2,
         previous="before after", help="write the fluent alone; its actions determine the moment"),
    _Row("a reply is judged where it is taken, so it has no tense", at="previous", first="REPLIES",
         previous="before after", help="delete `{previous}`", instead=""),
    _Row("unexpected `{found}`", first="SORT", found="COMMA SEMICOLON COLON LPAR NAME QUOTED",
         help="write `sort colour = black | white.`"),
    odd.label_or_misspelling,
    odd.hyphen,
    _Row("`absent` stands before `{before}`", at="previous", before="TENSE", previous="absent", found="NAME",
         following="LPAR",
         refuses="IF", help="write `absent {before} {found}(…)`"),
    _Row("`absent` stands before `{before}`", at="previous", before="TENSE", previous="absent", found="NAME",
         refuses="IF", help="write `absent {before} {found}`"),
    _Row("a clause has one conclusion", found="COMMA", accepts="IF",
         help="write `:-` before the conditions, or end the clause and begin another"),
    _Row("a clause has one conclusion", found="or SEMICOLON VBAR", applied=False, accepts="IF",
         help="write a rule for each; that one of them holds, but not which, cannot be expressed"),
    _Row("`:-` is missing between the conclusion and its conditions",
         found=f"{_BEGINNINGS} COLON COMPARE ARROW",
         accepts="IF", help="write `conclusion :- condition, condition.`"),
    _Row("`and` is no word of the language", found="and", applied=False, accepts="COMMA",
         help="conditions are joined by `,`", instead=","),
    _Row("conditions are not joined by `{found}`", found="SEMICOLON VBAR", applied=False, accepts="COMMA",
         help=OR_HELP),
    _Row("`->` stands in declarations only", found="ARROW", applied=False, accepts="COMMA",
         help=_ONE_OF_CASES),
    _Row("unexpected `//`", previous="TOKEN", found="DIVIDE", applied=False,
         help="`//` divides and rounds down; a comment begins with `%`", instead="%"),
    odd.word_in_calculation,
    _Row("unexpected `{found}`", found="NAME", following="LPAR", accepts="VARIABLE WILDCARD",
         refuses="INTEGER",
         help="name the variables first, as in `count ?x in …`"),
    _Row("`{found}` is no variable", found="NAME", accepts="VARIABLE WILDCARD", refuses="INTEGER",
         help="a variable begins with `?`: `?{found}`", instead="?{found}"),
    odd.by_after_is,
    _Row("`{previous}` stands before a fact only", at="previous", previous="TENSE", found=_BEGINNINGS,
         help="a comparison has no tense; leave the word out"),
    _Row("this alone is not a condition", at="previous", previous="TOKEN", found="END COMMA DOT",
         accepts="COMPARE",
         refuses="COMMA", help="compare it with something, as in `?n + 1 < ?m`"),
    odd.no_comma,
)  # fmt: skip
