"""Tests of line splitting: readers, messages and editors agree where lines end."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hornbook.kb.text.lines import lines_of, with_plain_ends

ROOT = Path(__file__).parents[3]
OWN_TEXT = {"kb/store/connection.py"}
"""Modules that read only lines that they wrote themselves."""


@given(st.text("a \n\r"))
def test_lines_are_those_of_python_where_nothing_else_ends_one(text):
    assert lines_of(text) == text.splitlines()
    assert "\r" not in with_plain_ends(text)


@given(st.text("a\v\f\x1c\x1d\x1e\x85\u2028\u2029"))
def test_what_can_state_in_a_word_ends_no_line(text):
    assert lines_of(text) == ([text] if text else [])
    assert lines_of(f"{text}\n{text}.") == [text, f"{text}."]


def test_no_reader_takes_python_s_lines():
    packages = ("matcher", "kb", "compiler", "planner", "play", "render", "theories", "app")
    files = {path for package in packages for path in (ROOT / package).rglob("*.py")}
    used = {
        p.relative_to(ROOT).as_posix()
        for p in files
        if re.search(r"\.splitlines\(", p.read_text(encoding="utf-8"))
    }
    assert used == OWN_TEXT
