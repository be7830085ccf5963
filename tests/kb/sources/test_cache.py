"""A verdict is remembered as long as nothing that it rests on has changed, and a bad cache is as good as none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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
    """What the cache alone says of a file."""
    found = cache.recall(Path(file).resolve(), file)
    return None if found is None else [diagnostic.code for diagnostic in found]


def entry() -> Path:
    (file,) = cache.folder().glob("*.json")
    return file


def test_a_verdict_is_remembered_whole():
    assert recalled() is None
    first = verdict("own.horn")
    assert [d.code for d in first.diagnostics] == ["HB021"]
    assert cache.recall(Path("own.horn").resolve(), "own.horn") == first.diagnostics
    again = verdict("own.horn")
    assert again.diagnostics == first.diagnostics
    assert again.sources["own.horn"] == OWN


def test_a_verdict_that_is_remembered_is_the_one_given(monkeypatch):
    assert codes() == ["HB021"]
    data = json.loads(entry().read_text(encoding="utf-8"))
    data["diagnostics"][0][0] = "HB010"
    entry().write_text(json.dumps(data), encoding="utf-8")
    assert codes() == ["HB010"]
    assert [d.code for d in verdict("own.horn", cached=False).diagnostics] == ["HB021"]


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


def test_an_import_that_is_gone_is_noticed():
    assert codes() == ["HB021"]
    Path("terrain.horn").unlink()
    assert codes() == ["HB016"]


def test_what_was_missing_may_turn_up():
    Path("terrain.horn").rename("kept")
    assert codes() == ["HB016"]
    Path("kept").rename("terrain.horn")
    assert codes() == ["HB021"]


def test_another_checker_judges_anew(monkeypatch):
    assert codes() == ["HB021"]
    assert recalled() == ["HB021"]
    monkeypatch.setattr(cache, "fingerprint", lambda: "another")
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
    assert entry()


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"not json",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"{}",
        b'{"kind": 1}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_entry_is_ignored_and_replaced(damage):
    assert codes() == ["HB021"]
    entry().write_bytes(damage)
    assert recalled() is None
    assert codes() == ["HB021"]
    assert recalled() == ["HB021"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("contents", []),
        ("contents", {"own.horn": 3}),
        ("imports", [["terrain"]]),
        ("imports", [[1, 2, 3]]),
        ("diagnostics", [["HB999", "error", "m", "h", "f", 1, 1, 1, 1]]),
        ("diagnostics", [["HB010", "error", "m", "h", "f", 1, 1, 1]]),
        ("diagnostics", [["HB010", "error", "m", None, "f", 1, 1, 1, 1]]),
        ("diagnostics", [["HB010", "error", "m", "h", "f", 1, 1, 1, "1"]]),
        ("diagnostics", [7]),
        ("diagnostics", None),
    ],
)
def test_an_entry_of_another_shape_is_ignored(key, value):
    assert codes() == ["HB021"]
    data = json.loads(entry().read_text(encoding="utf-8"))
    entry().write_text(json.dumps({**data, key: value}), encoding="utf-8")
    assert recalled() is None
    assert codes() == ["HB021"]


def test_a_cache_that_cannot_be_written_is_left_alone(tmp_path, monkeypatch):
    file = tmp_path / "a file, not a folder"
    file.write_text("", encoding="utf-8")
    monkeypatch.setenv("HORNBOOK_CACHE", str(file / "cache"))
    assert codes() == ["HB021"]
    assert file.read_text(encoding="utf-8") == ""


def test_where_the_cache_is(monkeypatch, tmp_path):
    assert cache.folder() == tmp_path / "cache"
    monkeypatch.delenv("HORNBOOK_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.folder() == tmp_path / "xdg" / "hornbook"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.folder() == Path.home() / ".cache" / "hornbook"


def test_files_that_are_not_there_are_no_entries():
    assert codes("nowhere.horn") == ["HB005"]
    assert not list(cache.folder().glob("*"))
