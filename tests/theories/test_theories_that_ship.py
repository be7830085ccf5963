"""Tests of the shipped theories: no diagnostics, the layout of `fmt`, and passing examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook import theories
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.examples import run_examples
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.formatter import format_text
from hornbook.kb.load.loader import read

FOLDER = Path(theories.__file__).parent
FILES = [
    FOLDER / "classical" / "family.horn",
    FOLDER / "firm" / "firm.horn",
    *(FOLDER / "law" / f"{name}.horn" for name in ("schengen", "residence", "overtime", "degree")),
    *(FOLDER / "go" / name for name in ("parts/board.horn", "parts/moves.horn", "go.horn")),
    FOLDER / "chess" / "chess.horn",
]
MOVES = ("taking.horn", "standing.horn", "blocks.horn", "liberties.horn", "contacts.horn", "moves.horn")
CARRIED = {
    "family": ("family.horn",),
    "board": ("board.horn",),
    "moves": MOVES,
    "go": (),
    "firm": ("firm.horn",),
    "schengen": ("schengen.horn",),
    "residence": ("residence.horn",),
    "overtime": ("overtime.horn",),
    "degree": ("degree.horn",),
    "chess": (),
}
"""The files whose rules the examples of a theory cover: its own file, and parts without examples."""
FAMILY = FILES[0]
EVERY_FILE = sorted(
    file
    for file in FOLDER.rglob("*.horn")
    if file.stem not in ("pawns", "ways", "forced", "threats", "crowned", "learned")
)
"""All files except rule files.

The certificates of those are checked in `tests/theories/chess/plans/` and `tests/theories/chess/ahead/`, and those of
learned rules in `tests/compiler/rules/test_learned_rules_that_ship.py`.
"""
ABSTRACT = {"values", "mate"}
"""Theories made to be imported: some of their rules need conclusions of the importing theory."""


@pytest.mark.parametrize("file", EVERY_FILE, ids=lambda file: file.stem)
def test_a_theory_that_ships_has_no_mistakes_and_no_warnings(file):
    loaded, _ = read(file)
    expected = {"HB028"} if file.stem in ABSTRACT else set()
    assert {diagnostic.code for diagnostic in loaded.diagnostics} == expected


@pytest.mark.parametrize("file", EVERY_FILE, ids=lambda file: file.stem)
def test_a_theory_that_ships_is_laid_out_in_the_common_style(file):
    text = file.read_text(encoding="utf-8")
    assert format_text(text) == text


@pytest.mark.deep_cases("chess", "firm")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_theory_that_ships_meets_its_own_expectations_and_needs_all_its_rules(file):
    report = run_examples(load(file))
    assert [(outcome.expect.example, outcome.why) for outcome in report.failed] == []
    assert len(report.outcomes) >= 3
    own = [(rule, fired) for rule, fired in report.fired if Path(rule.span.file).name in CARRIED[file.stem]]
    assert bool(own) == bool(CARRIED[file.stem])
    assert [rule.name for rule, fired in own if fired == 0] == []


def test_the_family_is_as_the_tutorial_says():
    base = KnowledgeBase(FAMILY)
    assert base.query("ancestor(ada, ?who)").rows == (("ben",), ("cleo",), ("dan",))
    assert base.query("sibling(?a, ?b)").rows == (("cleo", "dan"), ("dan", "cleo"))
    assert base.query("grandparent(?a, dan)").rows == (("ada",),)
    base.add_text("parent(dan, eve).")
    assert base.query("ancestor(?who, eve)").rows == (("ada",), ("ben",), ("dan",))
    base.retract([GroundFact("parent", ("dan", "eve"))])
    assert not base.query("ancestor(?who, eve)")
