"""Execution of notebooks without Jupyter: the code of all cells in one namespace, with displayed values.

The value of a cell's last expression is displayed as by Jupyter, with `_repr_html_`, `_repr_svg_` or `repr`,
in this order.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class CellOutput:
    """The output of a code cell, and the display of its last expression; `kind` is html, svg or text."""

    source: str
    printed: str
    kind: str
    shown: str


def cells(notebook: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return found


def run_notebook(notebook: Path) -> Iterator[CellOutput]:
    """Run the cells of a notebook in turn; exceptions of a cell are propagated."""
    names: dict[str, Any] = {"__name__": "__notebook__"}
    for number, cell in enumerate(cells(notebook), 1):
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            yield _run(source, f"{notebook.name}, cell {number}", names)


def _run(source: str, name: str, names: dict[str, Any]) -> CellOutput:
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), names)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)
    return CellOutput(source, printed.getvalue(), *_as_shown(value))


def _as_shown(value: object) -> tuple[str, str]:
    if value is None:
        return "text", ""
    for kind in ("html", "svg"):
        method = getattr(value, f"_repr_{kind}_", None)
        if method is not None:
            return kind, method()
    return "text", repr(value)
