"""Tests of a file with twenty planted mistakes: `hornbook check` reports each once and on its line."""

from __future__ import annotations

import json
import re
from pathlib import Path

from hornbook.cli import main

FILE = Path(__file__).parent / "planted" / "twenty.horn"


def planted() -> list[tuple[int, str]]:
    """Return the mistakes by line, as the comments of the file list them."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [(n, code) for n, line in enumerate(lines, 1) for code in re.findall(r"% (HB\d{3})$", line)]


def test_all_twenty_are_reported_each_on_its_line_and_none_twice(capsys):
    assert len(planted()) == 20
    code = main(["check", "--no-cache", "--json", str(FILE)])
    reported = [(found["line"], found["code"]) for found in json.loads(capsys.readouterr().out)]
    assert reported == planted()
    assert code == 1


def test_the_summary_counts_them(capsys):
    main(["check", "--no-cache", str(FILE)])
    assert capsys.readouterr().out.endswith("\n17 errors, 3 warnings\n")
