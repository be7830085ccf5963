"""Players in separate processes, as `hornbook game serve` starts them."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading

import pytest


@contextlib.contextmanager
def playing(*options):
    """Start a player. Return its process, its address and the lines of its log."""
    command = [sys.executable, "-m", "hornbook", "game", "serve", "--port", "0", "--threads", "1", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    log = queue.SimpleQueue()
    reader = threading.Thread(target=lambda: [log.put(line) for line in process.stderr])
    reader.start()
    try:
        first = json.loads(log.get(timeout=120))
        yield process, first["event"].rpartition(" ")[2], log
    finally:
        if process.poll() is None:
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        reader.join()
        process.stderr.close()
        process.wait()


@pytest.fixture(scope="session")
def addresses():
    """Return the addresses of two players; only one test at a time may use them."""
    first = playing("--player", "random", "--name", "one", "--body-seconds", "0.5", "--max-bytes", "100000")
    second = playing("--player", "legal", "--name", "two")
    with first as (_, one, _log), second as (_, two, _other_log):
        yield one, two
