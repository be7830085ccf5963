"""Golden tests of diagnostics: every code has a file of mistakes and the exact text that is printed for it.

With HORNBOOK_UPDATE_GOLDEN=1 the texts are rewritten. Read the diff before you commit it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hornbook.compiler.refute.constraint_notes import notes
from hornbook.compiler.refute.pass_notes import pass_notes
from hornbook.kb.check.unused_lemmas import unused
from hornbook.kb.load.loader import load
from hornbook.kb.load.verdict import Verdict, verdict
from hornbook.kb.sources.diagnostics import CODES, render

GOLDEN = Path(__file__).parent / "golden"
OF_THEORIES = [code for code in CODES if not code.startswith("HB1")]
"""The codes for theories. The other codes are for game sheets (tests/planner/gdl)."""


@pytest.mark.parametrize("code", OF_THEORIES)
def test_what_is_printed_for_each_code(code, monkeypatch):
    monkeypatch.chdir(GOLDEN)
    judged = verdict(f"{code}.horn", cached=False)
    if code == "HB060":
        judged = Verdict((*judged.diagnostics, *notes(load(f"{code}.horn"))), judged.sources)
    if code == "HB075":
        judged = Verdict((*judged.diagnostics, *pass_notes(load(f"{code}.horn"))), judged.sources)
    if code == "HB073":
        judged = Verdict((*judged.diagnostics, *unused(load(f"{code}.horn"))), judged.sources)
    printed = "\n\n".join(render(diagnostic, judged.sources) for diagnostic in judged.diagnostics) + "\n"
    expected = GOLDEN / f"{code}.txt"
    if os.environ.get("HORNBOOK_UPDATE_GOLDEN"):
        expected.write_text(printed, encoding="utf-8")
    assert printed == expected.read_text(encoding="utf-8")
    codes = [diagnostic.code for diagnostic in judged.diagnostics]
    assert codes.count(code) >= max(map(codes.count, codes)), "the file is about another code"


def test_every_golden_file_belongs_to_a_code():
    assert {path.stem for path in GOLDEN.glob("HB*.horn")} == set(OF_THEORIES)
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(OF_THEORIES)
