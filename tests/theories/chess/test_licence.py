"""Tests that only tests and documented commands use the GPL library `chess`, and no installed module does."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.deep
def test_no_installed_package_imports_the_chess_library():
    for package in ("kb", "matcher", "compiler", "planner", "play", "render", "theories", "app"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                    names = [node.module]
                assert not [name for name in names if name.partition(".")[0] == "chess"], path
