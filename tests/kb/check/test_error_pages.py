"""Tests that every code has a page in the reference, and that every page is about a code.

The tests of the documentation's examples check that the first example of a page has the mistake and the last
one does not. The tests here check that each page has these examples.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.kb.sources.diagnostics import CODES
from oracles.pages.markdown_blocks import blocks

SESSIONS = {"HB060", "HB073", "HB075", "HB110"}
"""Codes that do not report a mistake in one text.

Their pages show two sessions, each with its theory or sheet.
"""
PAGES = Path(__file__).parents[3] / "docs" / "reference" / "errors"
WITHOUT_TEXT = {"HB004", "HB005", "HB061"}
"""Codes for which no short text is an example. Their pages show a session."""


def test_every_code_has_a_page_and_every_page_a_code():
    assert {path.stem for path in PAGES.glob("*.md")} - {"index"} == CODES.keys()


@pytest.mark.parametrize("code", CODES)
def test_a_page_says_what_it_means_why_it_is_reported_and_what_to_write(code):
    page = PAGES / f"{code}.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    assert lines[0] == f"# {code}: {CODES[code]}"
    headings = [line for line in lines if line.startswith("## ")]
    assert headings[0] == "## Example"
    assert headings[1] in ("## Why it is refused", "## Why it is reported")
    assert headings[2:] == ["## What to write instead"]
    shown = list(blocks(page))
    language = "pddl" if code > "HB110" else "kif" if code.startswith("HB1") else "horn"
    if code in WITHOUT_TEXT:
        assert [block.language for block in shown] in (["pycon"] * 2, ["console"] * 2)
        assert code in shown[0].text
    elif code in SESSIONS:
        assert [block.language for block in shown] == [language, "console"] * 2
        assert code in shown[1].text
    else:
        assert [(block.language, block.words) for block in shown] == [
            (language, ("fails", code)),
            (language, ()),
        ]


def test_the_index_lists_every_page():
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    for code, title in CODES.items():
        assert f"| [{code}]({code}.md) | {title}" in index
