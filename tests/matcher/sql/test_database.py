"""Tests of the temporary folder, the limits and the interrupts of a DuckDB database."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from collections import deque
from itertools import count
from threading import Event, Timer
from types import SimpleNamespace

import pytest

from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.errors import DiskLimitError, TimeLimitError
from hornbook.matcher.sql.database import Database

pytest.importorskip("duckdb")

LONG = "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range * b.range % 1000003 = 7"


@pytest.fixture(autouse=True)
def temporary(monkeypatch, tmp_path):
    monkeypatch.setattr("hornbook.matcher.sql.database.gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_the_folder_is_removed_with_the_database(temporary):
    database = Database(Limits())
    database.all("CREATE TABLE a AS SELECT range FROM range(1000000)")
    assert len(list(temporary.iterdir())) == 1
    del database
    assert list(temporary.iterdir()) == []


def test_the_end_of_a_database_waits_for_no_thread(temporary):
    """The garbage collector may end it in a thread that others wait for."""
    database, event = Database(Limits()), Event()
    rescue = Timer(10, event.set)
    rescue.start()
    database._worker.submit(event.wait)
    del database
    assert not event.is_set()
    assert list(temporary.iterdir()) == []
    rescue.cancel()
    event.set()


def test_folders_of_killed_processes_are_removed_and_those_in_use_are_not(temporary):
    places = [temporary / f"hornbook-duckdb-{name}" for name in ("killed", "used", "new")]
    for place in places:
        place.mkdir()
        (place / "tables").write_text("x")
    for place in places[:2]:
        os.utime(place, (0, 0))
    used = os.open(places[1], os.O_RDONLY)
    fcntl.flock(used, fcntl.LOCK_EX)
    Database(Limits())
    os.close(used)
    assert [place.exists() for place in places] == [False, True, True]


def test_a_process_that_ends_leaves_no_folder(temporary):
    code = "from hornbook.matcher.sql.engine import SqlEngine; engine = SqlEngine(); raise SystemExit(3)"
    found = subprocess.run(
        [sys.executable, "-c", code], check=False, env={**os.environ, "TMPDIR": str(temporary)}
    )
    assert found.returncode == 3
    assert list(temporary.iterdir()) == []


def test_a_product_ends_at_the_time_limit_and_the_database_stays_usable():
    database = Database(Limits(seconds=0.3))
    with pytest.raises(TimeLimitError), database.limited():
        database.all(LONG)
    with pytest.raises(TimeLimitError), database.limited():
        deque((database.all("SELECT 1") for _ in count()), maxlen=0)
    with database.limited():
        assert database.all("SELECT 1") == [(1,)]


def test_an_interrupt_ends_a_product_and_undoes_the_transaction():
    database = Database(Limits())
    database.all("CREATE TABLE a (c0 BIGINT)")
    timer = Timer(0.3, signal.raise_signal, [signal.SIGINT])

    def change():
        with database.transaction():
            database.all("INSERT INTO a VALUES (1)")
            timer.start()
            database.all(LONG)

    with pytest.raises(KeyboardInterrupt):
        change()
    timer.join()
    assert database.all("FROM a") == []


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE a AS SELECT hash(range) AS c FROM range(1000000000)",
        "SELECT count(*) FROM (SELECT DISTINCT hash(range) AS c FROM range(1000000000))",
    ],
    ids=["table", "intermediate results"],
)
def test_the_bytes_on_disk_are_bounded(temporary, monkeypatch, statement):
    free = SimpleNamespace(free=40_000_000)
    monkeypatch.setattr("hornbook.matcher.sql.database.shutil.disk_usage", lambda _: free)
    database = Database(Limits(bytes=100_000_000))
    with pytest.raises(DiskLimitError, match=r"^more than 30,000,000 bytes of temporary files in .*TMPDIR$"):
        database.all(statement)
    database.clean_up(["DROP TABLE IF EXISTS a"])
    assert database.all("SELECT 1") == [(1,)]
