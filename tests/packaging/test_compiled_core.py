"""Tests that the imported compiled core belongs to this version of the package."""

from __future__ import annotations

import ast
from importlib import metadata
from pathlib import Path

import hornbook
from hornbook.matcher import _core


def test_the_core_has_the_version_of_the_package():
    """A failure means that the core is left over from an older build: install the package again."""
    assert _core.__version__ == hornbook.__version__ == metadata.version("hornbook")


def test_the_core_is_a_file_of_the_installed_package():
    place = Path(_core.__file__).resolve()
    installed = metadata.files("hornbook") or []
    assert place in [Path(str(file.locate())).resolve() for file in installed]


STUB = Path(__file__).parents[2] / "matcher" / "_core.pyi"


def public(value: object) -> set[str]:
    return {name for name in vars(value) if not name.startswith("_")}


def test_the_stub_names_what_the_core_has_and_nothing_else():
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    assert classes.keys() == public(_core)
    for name, node in classes.items():
        methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
        assert methods == public(getattr(_core, name)), name
