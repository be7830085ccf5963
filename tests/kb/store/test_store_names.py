"""Tests of a store under several names and in several threads: there is one writer, and no commit is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from hornbook.kb.store import Store, StoreBusyError, StoreError

READING = "import sys\nfrom hornbook.kb.store import Store\nwith Store(sys.argv[1]) as store: print(len(store.events()))"
WRITING = """
import os, signal, sys
from hornbook.kb.store import Store

store = Store(sys.argv[1], "write")
Store(sys.argv[1]).close()
print("open", flush=True)
input()
store.add_event("kept", {})
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "kb.sqlite"
    with Store.create(path) as store:
        store.add_event("made", {})
    return path


def test_a_second_writer_does_not_come_in_by_a_symbolic_link(path, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    link, again = tmp_path / "elsewhere" / "link.sqlite", tmp_path / "again.sqlite"
    link.symlink_to(path)
    again.symlink_to(link)
    for first, second in ((path, link), (link, path), (link, again)):
        with Store(first, "write") as store:
            with pytest.raises(StoreBusyError, match="another process writes to it"):
                Store(second, "write", wait=0)
            store.add_event("tried", {})
            with Store(second) as reader:
                assert reader.events() == store.events()
    assert sorted(file.name for file in link.parent.iterdir()) == ["link.sqlite"]


@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_hard_link_is_refused(path, tmp_path, mode):
    """The log under one name is not visible under the other name."""
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "kb.sqlite"
    with Store(path, "write"):
        os.link(path, link)
        with pytest.raises(StoreError, match=r"kb\.sqlite: the file has 2 names \(hard links\)"):
            Store(link, mode, wait=0)  # type: ignore[arg-type]
    for name in (path, link):
        with pytest.raises(StoreError, match="hard links"):
            Store(name, mode)  # type: ignore[arg-type]
    link.unlink()
    with Store(path, "write") as store:
        assert len(store.events()) == 1


def test_the_second_name_of_a_store_in_the_making_is_taken_away(path):
    """A process left it when it ended between naming the file and removing the draft."""
    os.link(path, path.with_name(".kb.sqlite.x1"))
    path.with_name(".kb.sqlite.other").write_text("mine")
    with Store(path) as store:
        assert len(store.events()) == 1
    assert sorted(file.name for file in path.parent.glob(".*")) == [".kb.sqlite.other"]


def run(code: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


@pytest.mark.skipif(sys.platform == "win32", reason="its locks belong to the handle")
def test_what_a_process_commits_that_opened_the_store_twice_is_not_lost(path):
    """POSIX rule: when a process opens a file again and closes it, the process loses its locks on the file.

    Then the reader in the other process would consider itself the last one. It would remove the log that the
    writer still writes to.
    """
    writer = run(WRITING, path)
    assert writer.stdout is not None
    assert writer.stdin is not None
    assert writer.stdout.readline() == "open\n"
    reader = run(READING, path)
    assert reader.communicate()[0] == "1\n"
    writer.stdin.write("\n")
    writer.stdin.flush()
    assert writer.wait() == -signal.SIGKILL
    writer.communicate()
    with Store(path) as store:
        assert [event.what for event in store.events()] == ["made", "kept"]


def in_another_thread(call: Callable[[], object]) -> list[BaseException]:
    raised: list[BaseException] = []

    def work() -> None:
        try:
            call()
        except BaseException as problem:  # noqa: BLE001 - it is looked at outside
            raised.append(problem)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return raised


def test_a_store_serves_the_thread_that_opened_it(path):
    with Store(path, "write") as store:
        (problem,) = in_another_thread(lambda: store.add_event("tried", {}))
        assert isinstance(problem, StoreError)
        assert "a store serves the thread that opened it" in str(problem)
        assert len(store.events()) == 1


def test_a_name_that_no_file_can_have(tmp_path):
    loop = tmp_path / "loop.sqlite"
    loop.symlink_to(loop)
    for path in (tmp_path / "a\0b", tmp_path / ("x" * 300), loop):
        with pytest.raises(StoreError):
            Store(path)
        with pytest.raises(StoreError):
            Store.create(path)
    assert [file.name for file in tmp_path.iterdir()] == ["loop.sqlite"]


def test_a_store_is_closed_once(path):
    store, other = Store(path, "write"), Store(path)
    store.close()
    store.close()
    assert len(other.events()) == 1
    with Store(path, "write", wait=0) as again:
        again.add_event("tried", {})
    assert len(other.events()) == 2
    other.close()
