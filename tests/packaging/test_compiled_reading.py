"""Tests that the compiled capture search and reader of states belong to this package and match their stubs."""

from __future__ import annotations

import ast
from importlib import metadata
from pathlib import Path

import hornbook
import hornbook.theories.go._reading as compiled
from hornbook.kb.parse import _reading as states

STUB = Path(__file__).parents[2] / "theories" / "go" / "_reading.pyi"


def test_the_search_has_the_version_of_the_package_and_is_installed_with_it():
    """A failure means that the search is left over from an older build: install the package again."""
    assert compiled.__version__ == hornbook.__version__
    place = Path(compiled.__file__).resolve()
    installed = metadata.files("hornbook") or []
    assert place in [Path(str(file.locate())).resolve() for file in installed]


def test_the_stub_names_what_the_search_has_and_nothing_else():
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    named = {node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    assert named == {name for name in vars(compiled) if not name.startswith("_")}
    reading = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Reading")
    methods = {node.name for node in reading.body if isinstance(node, ast.FunctionDef)}
    assert methods - {"__init__"} == {name for name in vars(compiled.Reading) if not name.startswith("_")}


def test_the_stub_of_the_reader_of_states_names_what_it_has():
    tree = ast.parse((STUB.parents[2] / "kb" / "parse" / "_reading.pyi").read_text(encoding="utf-8"))
    (reader,) = (node for node in tree.body if isinstance(node, ast.ClassDef))
    assert {reader.name} == {name for name in vars(states) if not name.startswith("_")}
    methods = {node.name for node in reader.body if isinstance(node, ast.FunctionDef)}
    assert methods - {"__init__"} == {name for name in vars(states.FactReader) if not name.startswith("_")}
    assert states.__version__ == hornbook.__version__
