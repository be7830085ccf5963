"""The scanner: a text becomes the words and marks of its clauses, and comments.

Every character that is not white space belongs to exactly one token or one comment. No token spans lines,
and nothing is parsed here: a clause ends at a period, whatever stands before it. What is no word of the
language is a token of type `BAD`, so that the parser stops there and the mistake can be explained.

The types are the names of the grammar's terminals (kb/parse/grammar.lark). A word of the language has the type of
its own terminal here; the parser reads it as a plain NAME wherever the grammar does not look for it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Generator, Iterable
from dataclasses import dataclass
from sys import intern
from typing import NamedTuple

MAX_TEXT = 64 * 1024 * 1024
"""Characters in one file."""
MAX_CLAUSE = 250_000
"""Tokens in one clause; the scanner gives no more than one token beyond it."""
MAX_DEPTH = 200
"""Open parentheses; the scanner gives no tokens that stand in more. The parser refuses such a clause."""

KEYWORDS = {
    **dict.fromkeys(("static", "fluent", "action", "derived", "game", "meta"), "KIND"),
    **dict.fromkeys(("before", "after"), "TENSE"),
    **dict.fromkeys(("alternates", "fleeting"), "TURN"),
    **{
        word: word.upper()
        for word in (
            "theory", "import", "sort", "counts", "operational", "observed", "complete", "stated", "demanded", "says", "frame", "persists", "replies", "unless",
            "example",
            "from", "expect", "gives", "by", "is", "in",
            "all", "absent", "count", "sum", "min", "max", "where", "but", "or", "mod", "as", "with",
            "plan", "worth", "lemma",
        )
    },
}  # fmt: skip
"""The words of the language, each with its terminal."""
DECLARING = frozenset(
    ("KIND", "THEORY", "IMPORT", "SORT", "FRAME", "PERSISTS", "REPLIES", "EXAMPLE", "EXPECT", "LEMMA")
)
"""The terminals with which a clause begins, if it is no rule, or a rule that is marked."""
READING = frozenset(("TENSE", "ALL", "ABSENT", "COUNT", "SUM", "MIN", "MAX"))
"""The terminals with which a condition or a calculation begins, if it begins with a word of the language."""
CONCLUDING = frozenset(("PLAN",))
"""The terminal with which a conclusion begins, if it begins with a word of the language."""
RESERVED = frozenset(
    word for word, terminal in KEYWORDS.items() if terminal in DECLARING | READING | CONCLUDING
)
"""No predicate is called so, and as a side of a comparison these words are quoted."""
MARKS = {
    ":-": "IF", "->": "ARROW", "?-": "ASK", "!=": "COMPARE", "<=": "COMPARE", ">=": "COMPARE", "<": "COMPARE",
    ">": "COMPARE", "//": "DIVIDE", "(": "LPAR", ")": "RPAR", ",": "COMMA", ".": "DOT", ":": "COLON",
    ";": "SEMICOLON", "|": "VBAR", "=": "EQUAL", "+": "PLUS", "-": "MINUS", "*": "STAR",
}  # fmt: skip
"""The marks of the language, each with its terminal."""

_TOKEN = re.compile(
    r"""
      (?P<NAME>      [^\W\d_]\w* )
    | (?P<VARIABLE>  \?[^\W\d_]\w* )
    | (?P<PARAMETER> \$[^\W\d_]\w* )
    | (?P<INTEGER>   [0-9]++(?!\w|\.[0-9]) )
    | (?P<COMMENT>   % .* )
    | (?P<QUOTED>    '(?:[^']|'')*+' )
    | (?P<PATH>      "[^"]*" )
    | (?P<WILDCARD>  _(?!\w) )
    | (?P<ALIEN>     [#'"] )
    | (?P<BAD>       [0-9]\w*(?:\.\w+)* | _\w+ | \?\w+ | \$\w+ | =:= | =\\= | \\== | \\[=+] | ==>? | =[<>] | <=?> | --> | :=
                     | && | \|\| | \*\* | /\* | \\\+ )
    | (?P<MARK>      :- | -> | \?- | [!<>]= | // | [(),.:;|=<>+*-] )
    | (?P<OTHER>     \S )
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A word or mark: the name of its terminal, its text, and where it begins (line and column from 1)."""

    type: str
    text: str
    line: int
    column: int

    @property
    def end_column(self) -> int:
        return self.column + len(self.text)

    # What lark asks of the last token of a clause.

    @property
    def end_line(self) -> int:
        return self.line

    @property
    def start_pos(self) -> None:
        return None

    @property
    def end_pos(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with its mark; `line` and `column` count from 1."""

    text: str
    line: int
    column: int


def scan(text: str, comments: list[Comment]) -> Generator[list[Token], None, int | None]:
    """The tokens of one clause after the other, each with its period (the last one may have none).

    Comments are added to `comments` as they are met.
    """
    return scan_lines(without_block_comments(text).split("\n"), comments)


def scan_lines(
    lines: Iterable[str], comments: list[Comment], first: int = 1, stops: Container[int] = ()
) -> Generator[list[Token], None, int | None]:
    """The same of lines without block comments, the first of which has this number.

    Ends at the first line of `stops` that is begun outside of a clause, and returns its number.
    """
    tokens: list[Token] = []
    depth = 0
    for number, line in enumerate(lines, first):
        if not tokens and number in stops:
            return number
        for match in _TOKEN.finditer(line):
            kind = match.lastgroup
            word = match.group()
            column = match.start() + 1
            if kind == "MARK":
                kind = MARKS[word]
                if kind == "DIVIDE" and not tokens:
                    kind = "ALIEN"
                depth += (kind == "LPAR") - (kind == "RPAR")
            elif kind == "NAME":
                kind = KEYWORDS.get(word, "NAME") if word.isascii() or word[0].isalpha() else "BAD"
                word = intern(word)
            elif kind == "COMMENT":
                comments.append(Comment(word.rstrip(), number, column))
                break
            elif kind in ("VARIABLE", "PARAMETER") and not (word.isascii() or word[1].isalpha()):
                kind = "BAD"
            if kind == "ALIEN":
                tokens.append(_alien(line, match.start(), number))
                column += len(tokens[-1].text)
                if (
                    column <= len(line) and line[column - 1] == "."
                ):  # the period after a quote that is not closed
                    tokens.append(Token("DOT", ".", number, column))
                    yield tokens
                    tokens, depth = [], 0
                break
            if kind == "OTHER" or kind is None:
                kind = "BAD"
            if (len(tokens) <= MAX_CLAUSE and depth <= MAX_DEPTH) or kind == "DOT":
                tokens.append(Token(kind, word, number, column))
            if kind == "DOT":
                yield tokens
                tokens, depth = [], 0
    if tokens:
        yield tokens
    return None


def _alien(line: str, start: int, number: int) -> Token:
    """What runs to the end of its line: the comment of another language, or a quote that is not closed."""
    rest = line[start:].rstrip()
    if rest[0] in "'\"" and rest.endswith("."):
        rest = rest[:-1]
    return Token("BAD", rest, number, start + 1)


_BLOCK = re.compile(r"%[^\n]*|'(?:[^'\n]|'')*+'|\"[^\"\n]*\"|(?P<block>/\*.*?\*/)", re.DOTALL)


def without_block_comments(text: str) -> str:
    """The text with every `/* … */` blanked but for its first mark, at which the scanner finds the mistake."""
    if "/*" not in text:
        return text
    pieces, end = [], 0
    # Up to the last `*/`, every `/*` is closed, so that no search runs through the whole text in vain.
    for match in _BLOCK.finditer(text, 0, text.rfind("*/") + 2):
        if match.lastgroup == "block":
            blank = re.sub(r"[^\n]", " ", match.group()[2:])
            pieces += [text[end : match.start()], "/*", blank]
            end = match.end()
    return "".join((*pieces, text[end:]))
