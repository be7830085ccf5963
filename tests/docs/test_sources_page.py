"""Tests of the page on sources: its files and tests exist, and its figures are those of the README."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "the-sources.md"


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def paths(written: str) -> set[str]:
    return {code for code in re.findall(r"`([^`\n]+)`", written) if "/" in code}


def test_every_file_that_is_named_is_there():
    named = paths(text(PAGE))
    assert len(named) > 50
    assert sorted(path for path in named if not (ROOT / path).exists()) == []


def test_a_row_names_a_file_and_a_test_or_says_that_nothing_is_built():
    rows = [line.split("|")[1:-1] for line in text(PAGE).splitlines() if line.startswith("| ")]
    rows = [row for row in rows if row[0].strip() not in ("in the paper", "in the chapter", "---")]
    assert len(rows) > 25
    for source, what, here, stored_by in rows:
        assert "not built" in here or paths(here), source
        assert all(path.startswith("tests/") for path in paths(stored_by)), source
        # The program that is the baseline for others is run by hand.
        assert paths(stored_by) or "not built" in here or "baseline" in what, source


def test_every_table_of_the_main_source_has_a_row():
    main = text(PAGE).partition("\n## Cazenave 1996")[2].partition("\n## ")[0]
    for table in ("I", "II", "III", "IV", "V", "VI", "VII"):
        assert re.search(rf"^\| [^|]*Table {table} \|", main, re.MULTILINE), table


def test_the_figures_are_those_of_the_readme():
    output = re.search(r"answer (\d+) in one match and (\d+) when two moves", " ".join(text(PAGE).split()))
    readme = re.search(
        r"answer (\d+) in one match, and (\d+) when two moves", " ".join(text(ROOT / "README.md").split())
    )
    assert output is not None
    assert readme is not None
    assert output.groups() == readme.groups()
