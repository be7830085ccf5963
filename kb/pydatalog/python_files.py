"""The static analysis of Python files that use pyDatalog: statements other than facts and clauses.

A statement is *silent* if it can neither assert nor retract anything: imports of the standard library,
`create_terms`, queries, prints, plain Python. It may call functions of the file, since their assertions are
analysed in their own statements.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
import sys
from collections.abc import Collection, Iterator

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError

_TAKE_BACK = frozenset(("retract_fact", "clear", "Logic"))
_ASSERT = frozenset(("load", "assert_fact", "program", "predicate"))
_RUN = frozenset(
    ("exec", "eval", "getattr", "compile", "setattr", "__import__", "import_module", "run_path", "run_module")
)
_ANYTHING = _RUN | {"load", "clear", "Logic"}
"""The functions that may assert anything, without a hint in the text of the statement."""

_OWN = {"pyDatalog"}
_HARMLESS = sys.stdlib_module_names - {"importlib", "runpy"}


def notebook_source(text: str, file: str) -> str:
    """Return the Python code of a Jupyter notebook, cell by cell. Raises TheoryError if the text is not a
    notebook.
    """
    try:
        cells = [cell["source"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        lines = "\n".join("".join(cell) for cell in cells).split("\n")
    except (ValueError, LookupError, TypeError, RecursionError):
        help_ = "give a file that Jupyter has written, or a program as text"
        problem = Diagnostic("pydatalog", "error", "this is not a notebook", help_, Span(file, 1, 1, 1, 2))
        raise TheoryError([problem], {file: text}) from None
    return "\n".join(f"# {line}" if line.startswith(("%", "!")) else line for line in lines) + "\n"


def uses_pydatalog(module: ast.Module) -> bool:
    """Return whether the text is a Python program and not an argument of `pyDatalog.load`."""
    return any(isinstance(n, (ast.Import, ast.ImportFrom)) and _modules(n) == _OWN for n in ast.walk(module))


def bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement binds or may bind, outside of its functions."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
            yield from (
                name for part in ast.walk(node) if isinstance(part, ast.Global) for name in part.names
            )
            return
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield from (p.target.id for p in ast.walk(node) if isinstance(p, ast.NamedExpr))
            return
        case ast.Import(names=names) | ast.ImportFrom(names=names) if _modules(node) != _OWN:
            yield from ((alias.asname or alias.name).split(".")[0] for alias in names)
        case ast.ExceptHandler(name=str(name)):
            yield name
    for child in ast.iter_child_nodes(node):
        yield from bound(child)


def is_silent(statement: ast.AST, python: Collection[str]) -> bool:
    """Return whether a statement asserts nothing. `python` are the names that are not terms of pyDatalog."""
    return not any(_may_assert(node, python) for node in ast.walk(statement))


def asserted_names(statement: ast.stmt, python: Collection[str]) -> tuple[frozenset[str] | None, bool]:
    """Return the names that a statement may make assertions about (None for any), and whether it may retract
    facts.
    """
    parts = list(ast.walk(statement))
    names = frozenset(name for part in parts if (name := _name(part)) is not None)
    takes = bool(names & _TAKE_BACK) or any(isinstance(part, (ast.Delete, ast.USub)) for part in parts)
    match statement:
        case (
            ast.Expr(value=ast.UnaryOp(op=ast.UAdd() | ast.USub(), operand=head))
            | ast.Expr(value=ast.Compare(left=head, ops=[ast.LtE(), *_]))
            | ast.Assign(targets=[ast.Subscript() as head])
        ):
            head = head.left if isinstance(head, ast.Compare) else head
            match head:
                case ast.Call(func=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)) if (
                    name not in python
                ):
                    return frozenset((name,)), takes
            return None, takes
    if names & _ANYTHING or any(isinstance(part, (ast.Import, ast.ImportFrom)) for part in parts):
        return None, takes
    texts = (part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))
    return names.union(*(re.findall(r"\w+", text) for text in texts)), takes


def called(node: ast.AST) -> str | None:
    """Return the name of the called function, without `pyDatalog.`, or None."""
    return _name(node.func) if isinstance(node, ast.Call) else None


def _name(node: ast.AST) -> str | None:
    match node:
        case ast.Attribute(value=ast.Name(id=module)) if module in _HARMLESS:
            return None
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None


def _may_assert(node: ast.AST, python: Collection[str]) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr="clear") if name in python:
            return False
        case ast.ImportFrom(names=names) if any(
            alias.asname and alias.name in _TAKE_BACK | _ASSERT for alias in names
        ):
            return True
        case ast.Expr(value=ast.Compare(ops=[ast.LtE(), *_])):
            return True
        case ast.Import() | ast.ImportFrom():
            return _modules(node) != _OWN and not _modules(node) <= sys.stdlib_module_names
        case ast.UnaryOp(op=ast.UAdd() | ast.USub(), operand=operand):
            return not isinstance(operand, ast.Constant)
        case ast.Compare(left=ast.Call(func=ast.Name(id=name)), ops=[ast.LtE()]):
            return not hasattr(builtins, name)
        case ast.Compare(left=ast.Call() | ast.Compare() | ast.Subscript(), ops=[ast.LtE(), *_]):
            return True
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            return name not in python
        case ast.Subscript(ctx=ast.Store() | ast.Del()):
            return True
        case ast.ClassDef(bases=bases, keywords=keywords):
            return bool(bases or keywords)
        case ast.FunctionDef(decorator_list=decorators) | ast.AsyncFunctionDef(decorator_list=decorators):
            return bool(decorators)
    return _name(node) in _TAKE_BACK | _ASSERT | _RUN


def _modules(node: ast.Import | ast.ImportFrom) -> set[str]:
    """Return the packages of an import. The package of a relative import is unknown."""
    names = (
        ["." * node.level + (node.module or "")]
        if isinstance(node, ast.ImportFrom)
        else [a.name for a in node.names]
    )
    return {name.split(".")[0] for name in names}
