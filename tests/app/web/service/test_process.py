"""The command in a separate process: a reload and a kill in the middle of changes."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import urllib.request

import pytest

from hornbook.kb.store import Store, integrity

JSON = {"Content-Type": "application/json"}
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")


@contextlib.contextmanager
def running(*arguments, **streams):
    """Start a service with one worker process. Return its address and its log."""
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
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True, **streams)
    log = queue.SimpleQueue()
    reader = threading.Thread(target=lambda: [log.put(line) for line in process.stderr])
    reader.start()
    try:
        first = json.loads(log.get(timeout=60))
        yield process, first["event"].rpartition(" ")[2], log
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        reader.join()
        process.stderr.close()
        process.wait()


def ask(address, path, **stated):
    queried = urllib.request.Request(f"{address}{path}", json.dumps(stated).encode(), JSON)
    with urllib.request.urlopen(queried, timeout=60) as reply:
        return json.load(reply)


def connected(address):
    return contextlib.closing(http.client.HTTPConnection(address.removeprefix("http://"), timeout=60))


def queried(connection, path, **stated):
    """Return the status and the answer, over a persistent connection."""
    connection.request("POST", path, json.dumps(stated), JSON)
    with connection.getresponse() as reply:
        return reply.status, json.load(reply)


def numbers(connection):
    connection.request("GET", "/metrics")
    with connection.getresponse() as reply:
        return reply.read().decode()


@pytest.mark.deep
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
        # The kill may come between the head of an answer and its body.
        except (OSError, http.client.HTTPException) as problem:
            if not is_killed.is_set():
                broken.append(problem)

    with running(path, "--write") as (process, address, log):
        client = threading.Thread(target=add, args=(address,))
        client.start()
        while not acknowledged and client.is_alive():
            time.sleep(0.01)
        process.send_signal(signal.SIGHUP)
        while "reloaded" not in log.get(timeout=60):
            pass
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


@pytest.mark.deep
def test_no_request_is_lost_when_it_is_reloaded_and_when_it_ends(family):
    text = family.read_text(encoding="utf-8")
    seen, is_done = [], threading.Event()

    def keep_asking(address):
        with connected(address) as connection:
            while not is_done.is_set():
                status, stated = queried(connection, "/query", query="parent(cleo, ?x)")
                seen.append((status, stated["count"] if status == 200 else stated))
                time.sleep(0.002)

    with running(family, "--grace", "0.3") as (process, address, _):
        client = threading.Thread(target=keep_asking, args=(address,))
        client.start()
        family.write_text(text + "parent(cleo, eve).\n", encoding="utf-8")
        process.send_signal(signal.SIGHUP)
        while client.is_alive() and (not seen or seen[-1] == (200, 0)):
            time.sleep(0.01)
        is_done.set()
        client.join()
        assert seen == sorted(seen)
        assert set(seen) == {(200, 0), (200, 1)}

        with connected(address) as connection, connected(address) as other:
            chain = {"parent": [[f"n{n}", f"n{n + 1}"] for n in range(1500)]}
            body = json.dumps({"query": "ancestor(n0, n1500)", "facts": chain})
            connection.request("POST", "/query", body, JSON)
            while "hornbook_workers_busy 1.0" not in numbers(other):
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            with connection.getresponse() as reply:
                assert (reply.status, json.load(reply)["count"]) == (200, 1)
            assert reply.getheader("connection") == "close"
        assert process.wait(60) == 0
        with pytest.raises(ConnectionRefusedError), connected(address) as connection:
            connection.connect()


@pytest.mark.deep
def test_a_theory_with_mistakes_is_not_served_and_they_are_reported_once(tmp_path):
    broken = tmp_path / "broken.horn"
    broken.write_text("theory broken.\nstatic p(x\n", encoding="utf-8")
    command = [sys.executable, "-m", "hornbook", "serve", str(broken), "--port", "0", "--workers", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("error[HB001]: the parenthesis is not closed\n")


@pytest.mark.deep
@pytest.mark.parametrize("name", ["-", "/dev/stdin", "pipe"])
def test_a_piped_theory_with_mistakes_is_not_served(name, tmp_path):
    reading, writing = os.pipe()
    os.write(writing, b"theory broken.\nstatic p(x\n")
    os.close(writing)
    place = f"/dev/fd/{reading}" if name == "pipe" else name
    command = [sys.executable, "-m", "hornbook", "serve", place, "--port", "0", "--workers", "1"]
    try:
        done = subprocess.run(
            command,
            stdin=reading,
            pass_fds=[reading],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    finally:
        os.close(reading)
    assert done.returncode == 1
    assert done.stderr.startswith("error[HB001]: the parenthesis is not closed\n")


@pytest.mark.deep
@pytest.mark.parametrize("name", ["-", "/dev/stdin", "pipe"])
def test_a_piped_theory_is_served_and_reloaded(name):
    reading, writing = os.pipe()
    os.write(writing, b"theory piped.\nsort thing.\nstatic p(thing).\np(a).\n")
    os.close(writing)
    place = f"/dev/fd/{reading}" if name == "pipe" else name
    try:
        with running(place, stdin=reading, pass_fds=[reading]) as (_, address, _log):
            assert ask(address, "/query", query="p(?x)")["answers"] == [{"x": "a"}]
            assert ask(address, "/reload")["theory"] == "piped"
            assert ask(address, "/query", query="p(?x)")["answers"] == [{"x": "a"}]
    finally:
        os.close(reading)


@pytest.mark.deep
def test_every_line_of_the_log_is_json(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "shop.horn").write_text("theory shop.\nsort thing.\nstatic open(thing).\n", encoding="utf-8")
    (folder / "adapter.py").write_text(
        "import os, sys, warnings\n"
        "def read(text, name):\n"
        "    print('printed')\n"
        "    sys.stderr.write('told\\n')\n"
        "    os.write(2, b'bytes \\xff\\n')\n"
        "    warnings.warn('warned')\n"
        "    if text == 'kill':\n"
        "        os.abort()\n"
        "    raise KeyError(text)\n"
        "def facts(state):\n"
        "    return []\n",
        encoding="utf-8",
    )
    lines = []
    with running(folder) as (process, address, log):
        host, port = address.removeprefix("http://").split(":")
        for sent in (
            b"nonsense\r\n\r\n",
            b"GET / HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
        ):
            with contextlib.closing(http.client.HTTPConnection(host, int(port), timeout=60)) as connection:
                connection.connect()
                connection.sock.sendall(sent)
                assert connection.sock.recv(100).startswith(b"HTTP/1.1 4")
        with connected(address) as connection:
            status, stated = queried(connection, "/query", query="open(?x)", state="x")
            assert (status, stated["error"]) == (422, "adapter")
            assert queried(connection, "/query", query="open(?x)", state="kill")[0] == 500
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    while not log.empty():
        lines.append(json.loads(log.get()))
    events = [each.get("event", "") for each in lines]
    for reported in ("printed", "told", "bytes \ufffd"):
        assert f"output: {reported}" in events
    assert any("warned" in each for each in events)
    assert {each["error"] for each in lines if "error" in each} >= {"http", "adapter", "lost"}
