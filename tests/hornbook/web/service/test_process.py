"""The command itself, in a process of its own: a reload and a kill in the middle of changes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import contextmanager

import pytest

from hornbook.kb.store import Store, integrity

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")


@contextmanager
def running(*arguments):
    """A service with one process that answers, its address, and its log."""
    command = [
        sys.executable,
        "-m",
        "hornbook",
        "serve",
        *map(str, arguments),
        "--port",
        "0",
        "--workers",
        "1",
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        first = json.loads(process.stderr.readline())
        yield process, first["event"].rpartition(" ")[2]
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.stderr.close()
        process.wait()


def ask(address, path, **said):
    asked = urllib.request.Request(
        f"{address}{path}", json.dumps(said).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(asked, timeout=60) as reply:
        return json.load(reply)


def test_changes_go_on_while_it_is_reloaded_and_what_was_acknowledged_outlives_a_kill(family, tmp_path):
    path = tmp_path / "family.sqlite"
    with Store.create(path) as store:
        store.put_theory(family)
    acknowledged, broken = [], []
    is_killed = threading.Event()

    def add(address):
        try:
            while True:
                number = len(acknowledged)
                ask(address, "/facts", add=f"parent(cleo, c{number}). parent(cleo, d{number}).")
                acknowledged.append(number)
        except OSError as problem:
            if not is_killed.is_set():
                broken.append(problem)

    with running(path, "--write") as (process, address):
        client = threading.Thread(target=add, args=(address,))
        client.start()
        while not acknowledged and client.is_alive():
            time.sleep(0.01)
        process.send_signal(signal.SIGHUP)
        for line in process.stderr:
            if "reloaded" in line:
                break
        number = len(acknowledged)
        assert ask(address, "/query", query="parent(cleo, ?x)")["count"] >= 2 * number
        is_killed.set()
        os.killpg(process.pid, signal.SIGKILL)
        client.join()
    with Store(path) as store:
        there = {fact.values[1] for fact in store.facts()}
        assert integrity.problems(store) == []
    assert broken == []
    assert acknowledged
    assert {f"{letter}{number}" for number in acknowledged for letter in "cd"} <= there
    assert {child[1:] for child in there if child[0] == "c"} == {
        child[1:] for child in there if child[0] == "d"
    }
