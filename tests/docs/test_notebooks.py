"""Tests of the example notebooks: they run, show their topic, and use only the public API."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import pytest

import hornbook
from oracles.pages.notebook_cells import CellOutput, cells, run_notebook

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
PICTURE = ROOT / "docs" / "images" / "fork.svg"
SHOWN = {
    "chess": ("with a rook on e8, the other king can step nowhere", "mate_by_move_is_gi_1", "d3 to d8"),
    "family": ("siblings_share_a_parent", "cup_1", "cup(mug)"),
    "firm": ("reaches it: 1460 or more", "supply_by_buy_is_gi_1", "40 + 400 + 0 &lt; 1500"),
    "go": ("the block to capture: c1", "take_by_move_is_gi_1", "the walls around it"),
}
"""Parts of the expected output of each notebook."""


def test_there_is_one_for_each_theory():
    assert {path.stem for path in NOTEBOOKS} == SHOWN.keys()


@pytest.mark.deep
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_shows_a_picture_a_proof_and_a_rule(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = list(run_notebook(path))
    everything = "\n".join(each.printed + each.shown for each in shown)
    for word in (*SHOWN[path.stem], 'class="hornbook-proof"', "<summary><small>certificate "):
        assert word in everything
    assert "<svg" in everything or path.stem == "firm"
    verdicts = [each.shown for each in shown if "verify()" in each.source]
    assert all(stated in ("True", "[True]") for stated in verdicts)
    assert list(tmp_path.iterdir()) == []  # no files remain
    if path.stem == "chess":
        drawn, end, _ = next(each.shown for each in shown if "fork =" in each.source).partition("</svg>\n")
        drawn += end
        if os.environ.get("HORNBOOK_UPDATE_GOLDEN"):
            PICTURE.write_text(drawn, encoding="utf-8")
        assert PICTURE.read_text(encoding="utf-8") == drawn


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_a_notebook_without_output_that_imports_only_the_front_door(path):
    found = cells(path)
    ids = [cell["id"] for cell in found]
    assert len(ids) == len(set(ids))
    assert found[0]["cell_type"] == "markdown"
    for cell in found:
        if cell["cell_type"] != "code":
            continue
        assert (cell["outputs"], cell["execution_count"]) == ([], None)
        source = "".join(cell["source"])
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                assert [name.name for name in node.names] == ["hornbook"]
            elif isinstance(node, ast.ImportFrom):
                assert node.module == "dataclasses"
            elif isinstance(node, ast.Attribute):
                assert not node.attr.startswith("_")
        assert set(re.findall(r"hornbook\.(\w+)", source)) <= set(hornbook.__all__)


def test_the_site_does_not_say_where_it_was_built(monkeypatch):
    pytest.importorskip("myst_parser")
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from notebook_pages import _html

    folder = str(Path(hornbook.__file__).parents[2])
    path = hornbook.read_theory("family").path
    assert path is not None
    shown = _html(CellOutput("", "", "html", f"{path}:3"))
    assert "theories/classical/family.horn:3" in shown
    assert folder not in shown
