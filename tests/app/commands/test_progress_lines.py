"""Progress as plain lines when the error stream is no terminal."""

from __future__ import annotations

import time

import pytest

from hornbook.terminal import progress_lines as lines
from hornbook.terminal.coloured import progress


def test_long_work_writes_lines_on_the_error_stream(monkeypatch, capsys):
    monkeypatch.setattr(lines, "FIRST", 0.01)
    with progress("learning", 3, lines=True) as update:
        update(doing="h1")
        update(advance=1, remark="1 proved", doing="h2")
        written = ""
        while "now h2" not in written:
            time.sleep(0.01)
            written += capsys.readouterr().err
    assert "learning: 1 of 3, 1 proved; now h2 (0:00:0" in written
    assert capsys.readouterr().out == ""


def test_short_work_writes_nothing(capsys):
    with progress("learning", 3, lines=True) as update:
        update(advance=1, remark="1 proved")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("with_lines", "enabled"), [(False, True), (True, False)])
def test_unwanted_lines_are_not_written(monkeypatch, capsys, with_lines: bool, enabled: bool):
    monkeypatch.setattr(lines, "FIRST", 0.01)
    with progress("solving", 3, enabled=enabled, lines=with_lines):
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_work_without_a_number_names_what_is_done():
    assert lines._Lines("inventing words", None).line() == "inventing words (0:00:00)"
