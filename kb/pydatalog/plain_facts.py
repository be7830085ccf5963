"""Plain facts, one on each line: `+ parent('ann', 'bob')`, `+ (age['ann'] == 5)`, `assert_fact('parent',
'ann', 'bob')`.

Python's parser takes most of the time for a large program. So a sequence of plain facts is replaced by a
single line for it. If that line turns out to be part of a string or an expression, the original program is
parsed.
"""

from __future__ import annotations

import ast
import keyword
import re
from itertools import groupby

from hornbook.matcher.program.dataclass import dataclass

_HIDDEN = "hidden_plain_facts"
_NO_KEYWORD = rf"(?!(?:{'|'.join(keyword.kwlist)})\b)"
_NAME = rf"{_NO_KEYWORD}[A-Za-z_][A-Za-z0-9_]*"
_TEXT = r"""'[^'\\\x00-\x1f]*'|"[^"\\\x00-\x1f]*\""""
_TERM = rf"{_TEXT}|-?(?:0|[1-9][0-9]*)|{_NO_KEYWORD}[a-z][A-Za-z0-9_]*"
_SEVERAL = rf"(?:{_TERM})(?: *, *(?:{_TERM}))*"
_KEYS = rf"({_NAME})\[({_SEVERAL})\]"
_LINE = (
    rf"(?:\+ *({_NAME})\(({_SEVERAL})\)|\+ *\({_KEYS} *== *({_TERM})\)|{_KEYS} *= *({_TERM})"
    rf"|(?:({_NAME})\.)?assert_fact\(({_TEXT}) *, *({_SEVERAL})\)) *"
)
_TERMS, _FACT = re.compile(_TERM), re.compile(_LINE)
_FEWEST = 20


@dataclass(frozen=True, slots=True)
class PlainFact:
    """A fact: its predicate, the number of keys of a function, the names in it, and its values, with names as
    words.
    """

    predicate: str
    keys: int | None
    is_called: bool
    names: list[str]
    values: list[str | int]


class PlainRun(ast.stmt):
    """A pseudo-statement for plain facts, starting at its line."""

    _fields = ("names",)

    def __init__(self, line: int, facts: list[PlainFact]) -> None:
        super().__init__(lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)
        self.facts = facts
        self.names = [ast.Name(name, ast.Load()) for name in {name for fact in facts for name in fact.names}]


def parse_statements(lines: list[str]) -> list[ast.stmt]:
    """Return the statements of a text, with sequences of plain facts. Raises the errors of `ast.parse`."""
    runs: dict[int, PlainRun] = {}
    short = list(lines)
    start = 0
    for is_plain, group in groupby(map(plain_fact, lines), key=bool):
        facts = list(group)
        if is_plain and len(facts) >= _FEWEST:
            runs[start + 1] = PlainRun(start + 1, [fact for fact in facts if fact])
            short[start : start + len(facts)] = [f"+ {_HIDDEN}", *[""] * (len(facts) - 1)]
        start += len(facts)
    if runs:
        try:
            statements = ast.parse("\n".join(short)).body
        except SyntaxError:
            statements = []
        if [statement.lineno for statement in statements if _is_hidden(statement)] == list(runs):
            return [runs.get(statement.lineno, statement) for statement in statements]
    return ast.parse("\n".join(lines)).body


def _is_hidden(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.UnaryOp(operand=ast.Name(id=name))):
            return name == _HIDDEN
    return False


def plain_fact(line: str) -> PlainFact | None:
    """Return the plain fact on a line, or None."""
    found = _FACT.fullmatch(line)
    if found is None:
        return None
    name, terms, *of_function, module, text, called = found.groups()
    function, keys, value = of_function[3:] if of_function[0] is None else of_function[:3]
    names = [name or function or module or "assert_fact"]
    values: list[str | int] = []
    for term in _TERMS.findall(terms or called or f"{keys},{value}"):
        if term[0] in "'\"":
            values.append(term[1:-1])
        elif term[0] in "-0123456789":
            values.append(int(term))
        else:
            names.append(term)
            values.append(term)
    number = len(values) - 1 if function else None
    return PlainFact(name or function or text[1:-1], number, text is not None, names, values)
