"""Plain facts, one on each line: `+ parent('ann', 'bob')` and `pyDatalog.assert_fact('parent', 'ann', 'bob')`.

Python's parser takes most of the time that a large program needs, so it sees one line for a run of them. Where that line is
no statement of its own then, but stands in a text or an expression, the program is parsed as it is written.
"""

from __future__ import annotations

import ast
import keyword
import re

_RUN = "hidden_run_of_plain_facts_"
_NO_KEYWORD = rf"(?!(?:{'|'.join(keyword.kwlist)})\b)"
_NAME = rf"{_NO_KEYWORD}[A-Za-z_][A-Za-z0-9_]*+"
_TEXT = r"""'[^'\\\x00-\x1f]*+'|"[^"\\\x00-\x1f]*+\""""
_TERM = rf"{_TEXT}|-?(?:0|[1-9][0-9]*+)|{_NO_KEYWORD}[a-z][A-Za-z0-9_]*+"
_LINE = (
    rf"(?:\+ *({_NAME})\(|(?:({_NAME})\.)?assert_fact\(({_TEXT}) *, *)((?:{_TERM})(?: *, *(?:{_TERM}))*+)\) *"
)
_TERMS, _FACT, _RUNS = (
    re.compile(_TERM),
    re.compile(_LINE),
    re.compile(rf"^(?:{_LINE}\n){{20,}}+", re.MULTILINE),
)


def parse_statements(lines: list[str]) -> list[ast.stmt]:
    """The statements of a text, each or a run of plain facts. Raises what `ast.parse` raises."""
    text = "\n".join([*lines, ""])
    short, runs = _RUNS.subn(_hidden, text) if _RUN not in text else (text, 0)
    if runs:
        try:
            statements = ast.parse(short).body
        except SyntaxError:
            statements = []
        if sum(length_of_run(statement) > 0 for statement in statements) == runs:
            return statements
    return ast.parse(text).body


def _hidden(run: re.Match[str]) -> str:
    length = run[0].count("\n")
    return f"+ {_RUN}{length}" + "\n" * length


def length_of_run(statement: ast.stmt) -> int:
    """How many plain facts a statement stands for, from its line on; 0 if it stands for itself."""
    match statement:
        case ast.Expr(value=ast.UnaryOp(operand=ast.Name(id=name))) if name.startswith(_RUN):
            return int(name.removeprefix(_RUN))
    return 0


def plain_fact(line: str) -> tuple[str, bool, list[str], list[str | int]]:
    """The predicate of a plain fact, whether a call asserts it, the names in it, and its values, where names are words."""
    found = _FACT.fullmatch(line)
    assert found is not None
    name, module, text, terms = found.groups()
    names = [name or module or "assert_fact"]
    values: list[str | int] = []
    for term in _TERMS.findall(terms):
        if term[0] in "'\"":
            values.append(term[1:-1])
        elif term[0] in "-0123456789":
            values.append(int(term))
        else:
            names.append(term)
            values.append(term)
    return name or text[1:-1], name is None, names, values
