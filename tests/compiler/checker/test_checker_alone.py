"""Tests that the checker imports only the syntax tree, and that its modules stay private."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CHECKER = "hornbook.compiler.checker"
TRUSTED = {
    "cases", "certificate", "checker", "context", "form", "keys", "language", "linear", "members", "plans", "theory_index",
    "dependencies", "proofs", "replies", "steps",
}  # fmt: skip
BELOW = {
    "hornbook.kb.ast.declarations", "hornbook.kb.ast.notation", "hornbook.kb.ast.once_per_theory", "hornbook.kb.ast.operators", "hornbook.kb.ast.substitution", "hornbook.kb.ast.terms",
    "hornbook.kb.ast.theory", "hornbook.kb.text.counts", "hornbook.kb.text.escaping", "hornbook.kb.text.lines",
    "hornbook.kb.text.scanner", "hornbook.kb.text.shipped", "hornbook.kb.text.spans",
    "hornbook.kb.text.literals.forms", "hornbook.kb.text.literals.functions", "hornbook.kb.text.literals.values",
    "hornbook.matcher.program.dataclass",
}  # fmt: skip
"""The modules outside the checker that are loaded with it.

They are the syntax tree, with the decorator of its classes and the values of literals, and helpers that quote
text and print text, counts, places and file names on one line.
"""
OFFERED = {"certificate", "checker", "form"}
"""The modules of the checker that other packages import."""
FINDER = "witness"
"""The package that searches for the witnesses of a certificate; it uses the checker's own terms."""
PACKAGES = ("kb", "matcher", "compiler", "planner", "play", "render", "theories", "app")


def loaded() -> set[str]:
    """Return all modules that a fresh process has loaded after it imports the checker."""
    script = f"import sys, {CHECKER}.checker; print(*sorted(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


def test_the_checker_needs_the_syntax_tree_and_nothing_else():
    modules = loaded()
    ours = {m for m in modules if m.partition(".")[0] == "hornbook"}
    packages = {".".join(m.split(".")[:depth]) for m in ours for depth in range(1, m.count(".") + 1)}
    assert {m.removeprefix(f"{CHECKER}.") for m in ours if m.startswith(f"{CHECKER}.")} == TRUSTED
    assert {m for m in ours - packages if not m.startswith(f"{CHECKER}.")} == BELOW
    foreign = {m.partition(".")[0] for m in modules} & {"lark", "networkx", "numpy", "typer", "rich", "_core"}
    assert foreign == set()


def imports_of(path: Path) -> Iterator[str]:
    """Yield the modules of the checker that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(CHECKER):
            assert node.module is not None
            within = node.module.removeprefix(CHECKER).removeprefix(".")
            yield from [within] if within else (name.name for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (n.name.removeprefix(f"{CHECKER}.") for n in node.names if n.name.startswith(CHECKER))


def users() -> dict[Path, set[str]]:
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    inside = ROOT / "compiler" / "checker"
    return {path: found for path in files if inside not in path.parents and (found := set(imports_of(path)))}


def test_nobody_uses_the_inside_of_the_checker():
    found = {path: modules for path, modules in users().items() if path.parent.name != FINDER}
    assert len(found) > 15
    assert {
        str(path): sorted(modules - OFFERED) for path, modules in found.items() if modules - OFFERED
    } == {}


@pytest.mark.parametrize(
    "source",
    [
        "from hornbook.compiler.checker.context import Context",
        "from hornbook.compiler.checker import context",
        "import hornbook.compiler.checker.context",
        "def f():\n    from hornbook.compiler.checker.context import Context",
    ],
)
def test_every_way_to_import_is_seen(tmp_path, source):
    (tmp_path / "user.py").write_text(source, encoding="utf-8")
    assert set(imports_of(tmp_path / "user.py")) == {"context"}
