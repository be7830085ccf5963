"""Tests of the cache: it returns stored entries, ignores damaged ones, and stays within its size."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from hornbook.kb.sources import cache
from hornbook.kb.sources.cache import key, recall, remember


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache" / cache.NAME


def entries(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        (number,) = connection.execute("SELECT count(*) FROM entry").fetchone()
    return int(number)


@pytest.mark.parametrize("value", [True, 0, "text \0 'é'", [], [1, [None, {"a": "b"}]], {"x": [False]}])
def test_a_value_is_recalled_as_it_was(value):
    remember({"a": value, "b": 1})
    assert recall("a") == value
    assert recall("b") == 1
    assert recall("c") is None


def test_a_new_value_replaces_the_old_one(file):
    for number in range(5):
        remember({"a": number})
    assert (recall("a"), entries(file)) == (4, 1)


def test_nothing_is_written_for_no_values(file):
    remember({})
    assert not file.parent.exists()


@pytest.mark.parametrize(
    "other",
    [
        ("kind", "p", "a", "b"),
        ("other", "p", "ab"),
        ("kind", "q", "ab"),
        ("kind", "p", "a\0b"),
        ("kind", "p", ["ab"]),
        ("kind", "p", "ab", None),
    ],
)
def test_a_key_depends_on_kind_program_and_each_input(other):
    assert key("kind", "p", "ab") == key("kind", "p", "ab")
    assert key("kind", "p", "ab") != key(*other)


def test_an_input_without_a_canonical_form_is_refused():
    with pytest.raises(TypeError, match="type generator has no canonical form"):
        key("kind", "p", (each for each in "ab"))


@pytest.mark.parametrize("damage", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 2000, b"\0" * 4096])
def test_a_damaged_file_is_ignored_and_replaced(file, damage):
    remember({"a": 1})
    file.write_bytes(damage)
    assert recall("a") is None
    remember({"b": 2})
    assert (recall("a"), recall("b")) == (None, 2)


@pytest.mark.parametrize("seed", range(40))
def test_a_changed_byte_never_changes_a_value(file, seed):
    values = {str(number): {"value": number, "more": "x" * 50} for number in range(60)}
    remember(values)
    random, data = Random(seed), bytearray(file.read_bytes())
    for _ in range(5):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    file.write_bytes(data[: random.choice([len(data), random.randrange(len(data))])])
    assert all(recall(name) in (None, value) for name, value in values.items())
    remember(values)
    assert all(recall(name) in (None, value) for name, value in values.items())


def test_a_value_under_the_key_of_another_is_ignored(file):
    remember({"a": 1, "b": 2})
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "UPDATE entry SET (value, digest) = (SELECT value, digest FROM entry WHERE key = 'b')"
        )
    assert (recall("a"), recall("b")) == (None, 2)


def test_a_database_of_another_program_is_left_only(file):
    file.parent.mkdir()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE entry (mine TEXT)")
    remember({"a": 1})
    assert recall("a") is None
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT * FROM entry").fetchall() == []


def test_a_folder_that_cannot_be_written_is_left_only(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "file" / "cache"))
    remember({"a": 1})
    assert recall("a") is None


def test_a_file_that_another_process_writes_is_read(file, monkeypatch):
    monkeypatch.setattr(cache, "_WAIT", 0.01)
    remember({"a": 1})
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DELETE FROM entry")
        assert recall("a") == 1
        remember({"b": 2})
        connection.rollback()
    remember({"c": 3})
    assert [recall(name) for name in "abc"] == [1, None, 3]


@pytest.mark.deep
def test_each_write_waits_for_a_long_write(file):
    """The write of the other process exceeds two seconds. After that time, entries were once lost."""
    remember({"a": 1})
    script = "import sys; from hornbook.kb.sources.cache import remember\nprint(flush=True)\nremember({sys.argv[1]: 1})\nremember({sys.argv[1] * 2: 1})"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        writers = [
            subprocess.Popen([sys.executable, "-c", script, name], stdout=subprocess.PIPE) for name in "bc"
        ]
        for writer in writers:
            assert writer.stdout is not None
            writer.stdout.readline()
        time.sleep(3)
        connection.rollback()
    for writer in writers:
        writer.communicate()
    assert [writer.returncode for writer in writers] == [0, 0]
    assert [recall(name) for name in ("a", "b", "bb", "c", "cc")] == [1] * 5


def test_a_folder_that_is_read_only_is_read(file):
    """Folders at the paths of the working files simulate a read-only file system.

    SQLite cannot create the working files on such a file system.
    """
    remember({"a": 1})
    for suffix in ("-wal", "-shm"):
        Path(f"{file}{suffix}").mkdir()
    assert recall("a") == 1
    remember({"b": 2})
    assert recall("b") is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
def test_a_pipe_in_place_of_the_file_is_left_only(file):
    file.parent.mkdir()
    os.mkfifo(file)
    remember({"a": 1})
    assert recall("a") is None
    assert file.is_fifo()


def test_the_oldest_entries_are_dropped_when_the_file_is_too_large(file, monkeypatch):
    monkeypatch.setattr(cache, "MOST_BYTES", 100_000)
    for number in range(100):
        remember({str(number): "x" * 5_000})
        assert recall(str(number)) is not None
        assert file.stat().st_size < 120_000
    assert recall("0") is None
    remember({"large": "x" * 50_000})
    assert recall("large") is None


@pytest.mark.deep
def test_many_processes_write_at_once(file):
    script = "import sys; from hornbook.kb.sources.cache import remember\nfor n in range(200): remember({f'{sys.argv[1]} {n}': n})"
    writers = [subprocess.Popen([sys.executable, "-c", script, str(number)]) for number in range(8)]
    assert [writer.wait() for writer in writers] == [0] * 8
    assert all(recall(f"{number} {n}") == n for number in range(8) for n in range(200))


def test_the_folder_is_the_named_one_or_that_of_the_user(monkeypatch, tmp_path):
    assert cache.folder() == tmp_path / "cache"
    monkeypatch.delenv(cache.VARIABLE)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.folder() == tmp_path / "xdg" / "hornbook"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.folder() == Path.home() / ".cache" / "hornbook"


@pytest.mark.parametrize("name", ["a b", "a?mode=ro#b%20c", "é", ".", "one/two"])
def test_a_folder_may_have_any_name(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(cache.VARIABLE, name)
    remember({"a": 1})
    assert recall("a") == 1
    assert (tmp_path / name / cache.NAME).exists()


def test_a_new_folder_is_private(file):
    remember({"a": 1})
    assert os.name != "posix" or file.parent.stat().st_mode & 0o077 == 0


# The program


@pytest.fixture
def package(tmp_path, monkeypatch) -> Path:
    """Create a package whose files appear to the cache to be older than this process."""
    (tmp_path / "package" / "inner").mkdir(parents=True)
    for name in ("one.py", "inner/two.py", "tables.json", "data.txt"):
        (tmp_path / "package" / name).write_text(name)
    monkeypatch.setattr(cache, "_STARTED", cache._STARTED + 10**9)
    cache.program.cache_clear()
    return tmp_path / "package"


def program(package: Path) -> str:
    cache.program.cache_clear()
    return cache.program(package)


@pytest.mark.parametrize("name", ["one.py", "inner/two.py", "tables.json", "three.py", "inner/__init__.py"])
def test_a_changed_source_makes_another_program(package, name):
    first = program(package)
    assert program(package) == first
    (package / name).write_text("other")
    assert program(package) != first


def test_a_source_under_another_name_makes_another_program(package):
    first = program(package)
    (package / "one.py").rename(package / "two.py")
    assert program(package) != first


def test_another_python_makes_another_program(package, monkeypatch):
    first = program(package)
    monkeypatch.setattr("sys.version", "4.0")
    assert program(package) != first


def test_a_source_with_the_size_and_time_of_another_makes_another_program(package):
    first, file = program(package), package / "one.py"
    before = file.stat()
    file.write_text("two.py")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size
    assert program(package) != first


def test_sources_are_read_once(package, monkeypatch):
    first = program(package)
    monkeypatch.setattr(cache, "sources", None)
    assert program(package) == first


def test_sources_with_new_times_are_read_each_time(package, monkeypatch):
    """Their times may be those of an earlier text. The same times stand for a coarse clock."""
    newest = int((cache._STARTED - cache._NEW / 2) * 10**9)
    monkeypatch.setattr(cache, "_states", lambda _: ("the same", newest))
    first = program(package)
    (package / "one.py").write_text("two.py")
    assert program(package) != first


def test_data_next_to_the_sources_makes_no_difference(package):
    first = program(package)
    (package / "data.txt").write_text("other")
    assert program(package) == first


def test_sources_changed_since_the_start_make_a_program_of_their_own(package, monkeypatch):
    good = program(package)
    monkeypatch.setattr(cache, "_STARTED", (package / "one.py").stat().st_mtime - 1)
    running = program(package)
    assert running != good
    assert cache.program(package) == running
    assert program(package) != running
