"""Tests of cached verdicts: a cached verdict is used exactly if no dependency of the file has changed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hornbook.kb.load import loader
from hornbook.kb.load.verdict import recalled as recalled_of
from hornbook.kb.load.verdict import verdict
from hornbook.kb.sources import cache

BOARD = "sort point.\nstatic neighbour(point, point).\nfluent stone(point).\n"
OWN = "import terrain.\nderived near(point).\nnear(?p) :- neighbour(?p, ?q), stone(?p).\n"


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HORNBOOK_CACHE", str(tmp_path / "cache"))
    Path("terrain.horn").write_text(BOARD, encoding="utf-8")
    Path("own.horn").write_text(OWN, encoding="utf-8")
    return folder


def codes(file: str = "own.horn") -> list[str]:
    return [diagnostic.code for diagnostic in verdict(file).diagnostics]


def recalled(file: str = "own.horn") -> list[str] | None:
    """Return the codes of the cached verdict, or None without one."""
    found = recalled_of(Path(file).resolve())
    return None if found is None else [diagnostic.code for diagnostic in found]


def test_a_verdict_is_remembered_whole():
    assert recalled() is None
    first = verdict("own.horn")
    assert [d.code for d in first.diagnostics] == ["HB021"]
    assert recalled_of(Path("own.horn").resolve()) == first.diagnostics
    again = verdict("own.horn")
    assert again.diagnostics == first.diagnostics
    assert again.sources["own.horn"] == OWN


def test_a_changed_file_is_judged_anew():
    assert codes() == ["HB021"]
    Path("own.horn").write_text(OWN.replace("?q", "_"), encoding="utf-8")
    assert recalled() is None
    assert codes() == []
    Path("own.horn").write_text(OWN, encoding="utf-8")
    assert codes() == ["HB021"]


def test_a_changed_import_is_noticed():
    assert codes() == ["HB021"]
    Path("terrain.horn").write_text(BOARD.replace("neighbour", "next_to"), encoding="utf-8")
    assert recalled() is None
    assert codes() == ["HB010", "HB021"]


def test_an_import_that_leads_elsewhere_is_noticed():
    Path("terrain").mkdir()
    Path("terrain.horn").rename("terrain/terrain.horn")
    assert codes() == ["HB021"]
    assert recalled() == ["HB021"]
    Path("terrain.horn").write_text("sort point.\n", encoding="utf-8")
    assert recalled() is None
    assert codes() == ["HB010", "HB021", "HB010"]


def test_an_import_that_is_removed_is_noticed():
    assert codes() == ["HB021"]
    Path("terrain.horn").unlink()
    assert codes() == ["HB016"]


def test_an_import_that_leads_elsewhere_while_it_is_read_is_not_remembered(monkeypatch):
    Path("terrain").mkdir()
    Path("terrain.horn").rename("terrain/terrain.horn")
    check = loader.read

    def read_and_shadow(path):
        found = check(path)
        Path("terrain.horn").write_text("sort point.\n", encoding="utf-8")
        return found

    monkeypatch.setattr(loader, "read", read_and_shadow)
    assert codes() == ["HB021"]
    assert recalled() is None
    assert codes() == ["HB010", "HB021", "HB010"]


def test_what_was_missing_may_turn_up():
    Path("terrain.horn").rename("kept")
    assert codes() == ["HB016"]
    Path("kept").rename("terrain.horn")
    assert codes() == ["HB021"]


def test_another_checker_judges_anew(monkeypatch):
    assert codes() == ["HB021"]
    assert recalled() == ["HB021"]
    monkeypatch.setattr(cache, "program", lambda *_: "another")
    assert recalled() is None


def test_the_name_in_messages_is_part_of_the_verdict(monkeypatch):
    verdict("own.horn")
    monkeypatch.chdir(Path.cwd().parent)
    (diagnostic,) = verdict("work/own.horn").diagnostics
    assert diagnostic.span.file == str(Path("work/own.horn"))


def test_the_cache_does_not_grow_while_a_file_is_edited():
    for number in range(4):
        Path("own.horn").write_text(OWN + f"near(p{number}) :- stone(p{number}).\n", encoding="utf-8")
        codes()
    with closing(sqlite3.connect(cache.folder() / cache.NAME)) as connection:
        assert connection.execute("SELECT count(*) FROM entry").fetchone() == (1,)


def test_a_file_with_windows_line_ends_is_remembered():
    Path("own.horn").write_bytes(OWN.replace("\n", "\r\n").encode())
    assert codes() == recalled() == ["HB021"]


def test_the_name_of_an_import_in_messages_is_part_of_the_verdict(monkeypatch, tmp_path):
    """In messages, the file itself has the same name in both working directories.

    The imported file has different names.
    """
    Path("parts").mkdir()
    Path("terrain.horn").rename("parts/terrain.horn")
    own = Path("own.horn").resolve()
    own.write_text("import terrain.\nsort point.\n", encoding="utf-8")
    found = []
    (tmp_path / "elsewhere").mkdir()
    for folder in (tmp_path / "elsewhere", own.parent / "parts"):
        monkeypatch.chdir(folder)
        (diagnostic,) = verdict(own).diagnostics
        assert (diagnostic,) == verdict(own, cached=False).diagnostics
        found.append((diagnostic.span.file, diagnostic.message + diagnostic.help))
    assert found[0][0] == found[1][0] == str(own)
    assert found[0][1] != found[1][1]


def test_a_cache_that_cannot_be_written_is_left_only(tmp_path, monkeypatch):
    file = tmp_path / "a file, not a folder"
    file.write_text("", encoding="utf-8")
    monkeypatch.setenv("HORNBOOK_CACHE", str(file / "cache"))
    assert codes() == ["HB021"]
    assert file.read_text(encoding="utf-8") == ""


def test_files_that_are_not_there_are_no_entries():
    assert codes("nowhere.horn") == ["HB005"]
    assert not list(cache.folder().glob("*"))
