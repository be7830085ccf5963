"""The scanner: splits a text into tokens of clauses, and comments.

Every character that is not white space belongs to exactly one token or one comment. No token spans lines.
Nothing is parsed here: a clause ends at a period, whatever precedes it. Invalid characters become tokens of
type `BAD`, so that the parser stops there and explains the mistake.

The types are the names of the grammar's terminals (kb/parse/grammar.lark). A keyword has the type of its
terminal here. The parser treats it as a NAME if the grammar does not expect it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Generator, Iterable
from sys import intern
from typing import NamedTuple

from hornbook.matcher.program.dataclass import dataclass

MAX_TEXT = 64 * 1024 * 1024
"""The maximum number of characters in one file."""
MAX_CLAUSE = 250_000
"""The maximum number of tokens in one clause. The scanner returns at most one more."""
MAX_DEPTH = 200
"""The maximum number of open parentheses. The scanner drops deeper tokens, and the parser refuses
the clause.
"""

KEYWORDS = {
    **dict.fromkeys(("static", "fluent", "action", "derived", "game", "meta"), "KIND"),
    **dict.fromkeys(("before", "after"), "TENSE"),
    **dict.fromkeys(("alternates", "fleeting"), "TURN"),
    **{
        word: word.upper()
        for word in (
            "theory", "import", "sort", "counts", "allows", "operational", "observed", "complete", "stated",
            "demanded", "says", "frame", "persists", "replies", "unless",
            "example", "then",
            "from", "expect", "gives", "by", "is", "in",
            "all", "absent", "count", "sum", "min", "max", "where", "but", "or", "mod", "as", "with",
            "plan", "worth", "lemma", "exception", "to",
        )
    },
}  # fmt: skip
"""The keywords of the language, each with its terminal."""
DECLARING = frozenset(
    ("KIND", "THEORY", "IMPORT", "SORT", "FRAME", "PERSISTS", "REPLIES", "EXAMPLE", "EXPECT", "LEMMA")
)
"""The terminals at the beginning of a clause that is not a rule, or of a marked rule."""
READING = frozenset(("TENSE", "ALL", "ABSENT", "COUNT", "SUM", "MIN", "MAX"))
"""The keywords' terminals at the beginning of a condition or a calculation."""
CONCLUDING = frozenset(("PLAN",))
"""The keyword's terminal at the beginning of a conclusion."""
RESERVED = frozenset(
    word for word, terminal in KEYWORDS.items() if terminal in DECLARING | READING | CONCLUDING
)
"""The words that cannot name a predicate, and that are quoted as a side of a comparison."""
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
    | (?P<LITERAL>   [0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?Z?)?(?![\w-])
                     | [0-9]++(?:\.[0-9]++)?[ ]++percent(?!\w)
                     | [0-9]++\.[0-9]++(?!\w|\.[0-9]) )
    | (?P<INTEGER>   [0-9]++(?!\w|\.[0-9]) )
    | (?P<COMMENT>   % .* )
    | (?P<QUOTED>    '(?:[^']|'')*+' )
    | (?P<PATH>      "[^"]*" )
    | (?P<WILDCARD>  _(?!\w) )
    | (?P<ALIEN>     [#'"] )
    | (?P<BAD>       [0-9]\w*(?:\.\w+)* | _\w+ | \?\w+ | \$\w+ | =:= | =\\= | \\== | \\[=+] | ==>? | =[<>]
                     | <=?> | --> | := | && | \|\| | \*\* | /\* | \\\+ )
    | (?P<MARK>      :- | -> | \?- | [!<>]= | // | [(),.:;|=<>+*-] )
    | (?P<OTHER>     \S )
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A word or mark: the name of its terminal, its text, and its position (line and column from 1)."""

    type: str
    text: str
    line: int
    column: int

    @property
    def end_column(self) -> int:
        return self.column + len(self.text)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with its mark. `line` and `column` count from 1."""

    text: str
    line: int
    column: int


def scan(text: str, comments: list[Comment]) -> Generator[list[Token], None, int | None]:
    """Yield the tokens of each clause, with its period (the last clause may have none).

    Comments are appended to `comments` when they are found.
    """
    return scan_lines(without_block_comments(text).split("\n"), comments)


def scan_lines(
    lines: Iterable[str], comments: list[Comment], first: int = 1, stops: Container[int] = ()
) -> Generator[list[Token], None, int | None]:
    """Yield the tokens of each clause in lines without block comments. `first` is the number of the first
    line.

    Scanning ends at the first line in `stops` that begins outside of a clause, and returns its number.
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
                tokens.append(_rest_of_line(line, match.start(), number))
                column += len(tokens[-1].text)
                if column <= len(line) and line[column - 1] == ".":  # the period after an unclosed quote
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


def _rest_of_line(line: str, start: int, number: int) -> Token:
    """Return a token that extends to the end of its line: a comment of another language, or an unclosed
    quote.
    """
    rest = line[start:].rstrip()
    if rest[0] in "'\"" and rest.endswith("."):
        rest = rest[:-1]
    return Token("BAD", rest, number, start + 1)


_BLOCK = re.compile(r"%[^\n]*|'(?:[^'\n]|'')*+'|\"[^\"\n]*\"|(?P<block>/\*.*?\*/)", re.DOTALL)


def without_block_comments(text: str) -> str:
    """Return the text with every `/* … */` replaced by blanks except for its first mark, where the scanner
    finds the mistake.
    """
    if "/*" not in text:
        return text
    pieces, end = [], 0
    # Before the last `*/`, every `/*` is closed, so that no search scans the whole text in vain.
    for match in _BLOCK.finditer(text, 0, text.rfind("*/") + 2):
        if match.lastgroup == "block":
            blank = re.sub(r"[^\n]", " ", match.group()[2:])
            pieces += [text[end : match.start()], "/*", blank]
            end = match.end()
    return "".join((*pieces, text[end:]))
