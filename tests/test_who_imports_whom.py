"""Who may import whom: the packages depend on each other in one direction only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "matcher": set(),
    "kb": {"matcher"},
    "compiler": {"kb", "matcher"},
    "theories": {"kb"},
    "hornbook": {"kb", "matcher", "compiler", "theories"},
}
SKELETON = ROOT / "hornbook" / "commands" / "skeleton"
"""What `hornbook new` writes is a user's, not part of the package around it."""


def imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Every module that is imported anywhere, inside functions too, by statement or by name, with the line."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((name.name, node.lineno) for name in names)
            case ast.ImportFrom(level=0, module=str(module)):
                yield module, node.lineno
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(module)), *_],
            ):
                yield module, node.lineno


def wrong_imports(package: str, path: Path) -> list[str]:
    allowed = {package, *MAY_IMPORT[package]}
    found = imports(ast.parse(path.read_text(encoding="utf-8")))
    return [
        f"{path.name}:{line} imports {module}"
        for module, line in found
        if module.partition(".")[0] in MAY_IMPORT.keys() - allowed
    ]


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_those_below_it(package: str) -> None:
    files = [path for path in (ROOT / package).rglob("*.py") if SKELETON not in path.parents]
    assert files
    assert [wrong for path in files for wrong in wrong_imports(package, path)] == []


def test_no_modules_import_each_other() -> None:
    files = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for package in MAY_IMPORT
        for path in (ROOT / package).rglob("*.py")
        if SKELETON not in path.parents
    }
    graph: nx.DiGraph[str] = nx.DiGraph()
    for name, path in files.items():
        for module in imported(ast.parse(path.read_text(encoding="utf-8"))):
            read = module if module in files else module.rpartition(".")[0]
            if read in files and read != name:
                graph.add_edge(name, read)
    assert len(graph) > 100
    assert [circle for circle in nx.strongly_connected_components(graph) if len(circle) > 1] == []


def imported(tree: ast.AST) -> Iterator[str]:
    """Every name that is imported by statement, with its module."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(level=0, module=str(module), names=names):
                yield from (f"{module}.{name.name}" for name in names)


def test_nothing_but_the_front_door_imports_the_front_door() -> None:
    assert all("hornbook" not in allowed for allowed in MAY_IMPORT.values())


@pytest.mark.parametrize(
    "source",
    [
        "import kb.terms",
        "from kb import terms",
        "def f():\n    from kb.terms import Atom",
        "if TYPE_CHECKING:\n    import kb",
        "import importlib\nimportlib.import_module('kb.terms')",
    ],
)
def test_every_way_to_import_is_seen(source: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(source, encoding="utf-8")
    assert len(wrong_imports("matcher", path)) == 1
    assert wrong_imports("compiler", path) == []


def test_the_tests_have_no_packages_and_no_name_twice() -> None:
    """A `tests/kb/__init__.py` would shadow the real `kb`; two files of one name would hide each other."""
    files = sorted((ROOT / "tests").rglob("*.py"))
    assert [path for path in files if path.name == "__init__.py"] == []
    names = [path.name for path in files if path.name != "conftest.py"]
    assert sorted(set(names)) == names or [name for name in names if names.count(name) > 1] == []
