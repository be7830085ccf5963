"""Golden tests of diagnostics for sheets: each code has a sheet with the mistake and its exact message.

Set HORNBOOK_UPDATE_GOLDEN=1 to write the messages again. Review the changes before committing.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hornbook.kb.sources.diagnostics import CODES, TheoryError
from hornbook.planner.gdl.wellformed import validate

GOLDEN = Path(__file__).parent / "golden"
OF_SHEETS = [code for code in CODES if "HB101" <= code < "HB110"]
"""The codes for sheets. HB110 concerns sheets without a mistake: tests/planner/translation has it. Later codes
concern PDDL: tests/planner/pddl has them.
"""


@pytest.mark.parametrize("code", OF_SHEETS)
def test_what_is_printed_for_each_code(code):
    text = (GOLDEN / f"{code}.kif").read_text(encoding="utf-8")
    sheet = validate(text, f"{code}.kif")
    assert sheet.program is None
    printed = f"{TheoryError(sheet.diagnostics, {f'{code}.kif': text})}\n"
    expected = GOLDEN / f"{code}.txt"
    if os.environ.get("HORNBOOK_UPDATE_GOLDEN"):
        expected.write_text(printed, encoding="utf-8")
    assert printed == expected.read_text(encoding="utf-8")
    codes = [diagnostic.code for diagnostic in sheet.diagnostics]
    assert codes.count(code) >= max(map(codes.count, codes)), "the sheet is about another code"


def test_every_golden_file_belongs_to_a_code():
    assert {path.stem for path in GOLDEN.glob("*.kif")} == set(OF_SHEETS)
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(OF_SHEETS)
