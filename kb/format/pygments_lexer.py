"""Syntax highlighting with Pygments, for documentation, the REPL and other uses.

A highlighter must handle incomplete text, so it does not parse. It uses the keywords of the language,
adjacent tokens, and whether a clause has just begun. Characters that are not part of the language are an
Error.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups, default, include
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)

from hornbook.kb.ast.operators import FUNCTIONS

_NAME = r"[^\W\d_]\w*"
_groups: Any = bygroups  # has no published type hints


class HornLexer(RegexLexer):
    """Hornbook theories: Horn clauses with declarations, tenses and closed sets."""

    name = "Horn"
    aliases: ClassVar = ["horn", "hornbook"]
    filenames: ClassVar = ["*.horn"]
    mimetypes: ClassVar = ["text/x-horn"]

    tokens: ClassVar = {
        "space": [
            (r"\s+", Whitespace),
            (r"%.*", Comment.Single),
        ],
        # The state before the beginning of a clause
        "root": [
            include("space"),
            (r"\?-", Operator, "clause"),
            (rf"({_NAME})(\s*)(:)(?!-)", _groups(Name.Label, Whitespace, Punctuation), "clause"),
            (
                rf"({_NAME})(\s+)(exception)\b",
                _groups(Name.Label, Whitespace, Keyword.Declaration),
                "excepted",
            ),
            (
                rf"(lemma)\b(\s+)({_NAME})(?=\s*:(?!-))",
                _groups(Keyword.Declaration, Whitespace, Name.Label),
                "clause",
            ),
            (
                r"(theory|import)\b(\s+)(" + _NAME + ")",
                _groups(Keyword.Namespace, Whitespace, Name.Namespace),
                "import",
            ),
            (r"(sort)\b(\s+)(" + _NAME + ")", _groups(Keyword.Declaration, Whitespace, Name.Class), "sort"),
            (
                r"(static|fluent|action|derived|game|meta)\b(\s+)(" + _NAME + ")",
                _groups(Keyword.Declaration, Whitespace, Name.Function),
                "columns",
            ),
            (
                r"(example|expect)\b(\s+)(" + _NAME + ")",
                _groups(Keyword.Declaration, Whitespace, Name.Label),
                "clause",
            ),
            (r"(?:frame|persists|replies)\b(?=\s+" + _NAME + ")", Keyword.Declaration, "clause"),
            default("clause"),
        ],
        "excepted": [
            include("space"),
            (r"to\b(?=\s+[^\W\d_])", Keyword.Declaration),
            (_NAME, Name.Label),
            (r",", Punctuation),
            (r":(?!-)", Punctuation, ("#pop", "clause")),
            default(("#pop", "clause")),
        ],
        "import": [
            include("space"),
            (r"(as)\b(\s+)(" + _NAME + ")", _groups(Keyword, Whitespace, Name.Namespace)),
            (r"with\b(?=\s+[^\W\d_])", Keyword),
            (_NAME, Text),
            (r"=", Operator),
            include("end"),
        ],
        "sort": [
            include("space"),
            (r"(=)(\s*)(int|date|time)\b(?=\s*[.])", _groups(Operator, Whitespace, Keyword.Type)),
            (
                r"(=)(\s*)(decimal)(\()([0-9]+)(\))",
                _groups(Operator, Whitespace, Keyword.Type, Punctuation, Number.Integer, Punctuation),
            ),
            (r"[=|]", Operator),
            include("constants"),
            include("end"),
        ],
        "columns": [
            include("space"),
            (r"(counts|but|allows)\b(\s+)(" + _NAME + ")", _groups(Keyword, Whitespace, Name.Function)),
            (
                r"(?:operational|observed|complete|stated|demanded|alternates|fleeting)\b(?=\s*(?:observed|complete|stated|demanded|alternates|fleeting|worth|says|[.]))",
                Keyword,
            ),
            (r"(worth)(\s+)(-?[0-9]+)", _groups(Keyword, Whitespace, Number.Integer)),
            (r"(says)(\s*)(\"[^\"\n]*\")", _groups(Keyword, Whitespace, String.Other)),
            (r"(?:int|value)\b", Keyword.Type),
            (_NAME, Name.Class),
            (r"->", Operator),
            include("end"),
        ],
        "clause": [
            include("space"),
            (r"(?:before|after|by|is|or|but|unless|gives|then|from|absent)\b(?=\s+[^\s,.)])", Keyword),
            (r"(?:all|count|sum|min|max)\b(?=\s+[?_])", Keyword),
            (r"(?:absent|gives)\b(?=\s*\()", Keyword),
            (rf"plan\b(?=\s+{_NAME}\b)", Keyword),
            (r"in\b(?=\s+[0-9]+\s+by\b)", Keyword),
            (rf"(\?{_NAME}|_)(\s+)(in|where)\b", _groups(Name.Variable, Whitespace, Keyword)),
            (rf"(?:{'|'.join(FUNCTIONS)})\b(?=\s*\()", Name.Builtin),
            (r"mod\b(?=\s+[^\s,.)=])", Operator.Word),
            (rf"{_NAME}(?=\s*\()", Name.Function),
            (r":-|!=|<=|>=|//|=(?![=<>])|[<>+*-]", Operator),
            include("constants"),
            include("end"),
        ],
        "constants": [
            (r"[GIP]{2}(?:[GIP]{2})?\b", Name.Constant),  # values of games
            (rf"\?{_NAME}", Name.Variable),
            (rf"\${_NAME}", Name.Variable.Global),
            (r"_\b", Name.Variable.Magic),
            (
                r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?Z?)?(?![\w-])",
                Literal.Date,
            ),
            (r"[0-9]+\.[0-9]+\b(?!\.[0-9])", Number.Float),
            (r"[0-9]+\b(?!\.[0-9])", Number.Integer),
            (r"'(?:[^'\n]|'')*'", String.Single),
            (r'"[^"\n]*"', String.Other),
            (_NAME, Text),
        ],
        "end": [
            (r"\.", Punctuation, "#pop"),
            (r"[(),:;]", Punctuation),
            # A single mark of another language affects no other token.
            (r".", Error),
        ],
    }
