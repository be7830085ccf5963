"""Files of Python that use pyDatalog: what stands in them besides facts and clauses, told without running it.

A statement is *silent* if it can neither assert anything to pyDatalog nor take anything back: imports of Python's
own modules, `create_terms`, questions, prints, plain Python. It may call functions of the file, since what these
assert stands in their own statements.
"""

from __future__ import annotations

import ast
import builtins
import json
import sys
from collections.abc import Collection, Iterator, Sequence

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError

_TAKE_BACK = frozenset(("retract_fact", "clear", "Logic"))
_ASSERT = frozenset(("load", "assert_fact", "program", "predicate"))
_RUN = frozenset(
    ("exec", "eval", "getattr", "compile", "setattr", "__import__", "import_module", "run_path", "run_module")
)

_HARMLESS = sys.stdlib_module_names - {"importlib", "runpy"}


def notebook_source(text: str, file: str) -> str:
    """The Python of a Jupyter notebook, cell after cell. Raises TheoryError where the text is no notebook."""
    try:
        cells = [cell["source"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        lines = "\n".join("".join(cell) for cell in cells).split("\n")
    except (ValueError, LookupError, TypeError, RecursionError):
        help_ = "give a file that Jupyter has written, or a program as text"
        problem = Diagnostic("pydatalog", "error", "this is no notebook", help_, Span(file, 1, 1, 1, 2))
        raise TheoryError([problem], {file: text}) from None
    return "\n".join(f"# {line}" if line.startswith(("%", "!")) else line for line in lines) + "\n"


def uses_pydatalog(module: ast.Module) -> bool:
    """Whether the text is a program of Python, not one that is given to `pyDatalog.load`."""
    return any(isinstance(n, (ast.Import, ast.ImportFrom)) and _is_pydatalog(n) for n in ast.walk(module))


def bound(node: ast.AST) -> Iterator[str]:
    """The names that a statement binds, or may bind, outside the functions in it."""
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
        case ast.Import(names=names) | ast.ImportFrom(names=names) if not _is_pydatalog(node):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in names)
        case ast.ExceptHandler(name=str(name)):
            yield name
    for child in ast.iter_child_nodes(node):
        yield from bound(child)


def binding(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements without plain calls and facts, of names and constants, that use nothing which the others bind."""
    names = [_plain_names(node) for node in statements]
    others = {
        name for node, plain in zip(statements, names, strict=True) if plain is None for name in bound(node)
    }
    return [
        n for n, plain in zip(statements, names, strict=True) if plain is None or not others.isdisjoint(plain)
    ]


def _plain_names(node: ast.stmt) -> list[str] | None:
    match node:
        case (
            ast.Expr(value=ast.UnaryOp(operand=ast.Call(func=function, args=arguments, keywords=[])))
            | ast.Expr(value=ast.Call(func=function, args=arguments, keywords=[]))
        ):
            parts = [part for part in arguments if type(part) is not ast.Constant]
            parts.append(function.value if isinstance(function, ast.Attribute) else function)
            names = [part.id for part in parts if isinstance(part, ast.Name)]
            return names if len(names) == len(parts) else None
    return None


def is_silent(statement: ast.AST, python: Collection[str]) -> bool:
    """Whether a statement asserts nothing; `python` are the names that are no terms of pyDatalog."""
    return not any(_may_assert(node, python) for node in ast.walk(statement))


def takes_back(statement: ast.stmt) -> bool:
    """Whether facts may be taken away by a statement."""
    return any(
        isinstance(node, (ast.Delete, ast.USub)) or name_of(node) in _TAKE_BACK
        for node in ast.walk(statement)
    )


def says_of_anything(statement: ast.stmt) -> bool:
    """Whether the statement does not tell by its words what it asserts something of."""
    return any(
        isinstance(node, (ast.Import, ast.ImportFrom)) or name_of(node) in {"load", "clear", "Logic", *_RUN}
        for node in ast.walk(statement)
    )


def called(node: ast.AST) -> str | None:
    """The name of what is called, with `pyDatalog.` before it or without."""
    return name_of(node.func) if isinstance(node, ast.Call) else None


def name_of(node: ast.AST) -> str | None:
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
            return not _is_pydatalog(node) and not _is_of_python(node)
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
    return name_of(node) in _TAKE_BACK | _ASSERT | _RUN


def _is_pydatalog(node: ast.Import | ast.ImportFrom) -> bool:
    return all(module.split(".")[0] == "pyDatalog" for module in _modules(node))


def _is_of_python(node: ast.Import | ast.ImportFrom) -> bool:
    return all(module.split(".")[0] in sys.stdlib_module_names for module in _modules(node))


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return ["." * node.level + (node.module or "")]
    return [alias.name for alias in node.names]
