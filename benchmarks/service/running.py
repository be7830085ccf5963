"""Service in a separate process, and its use of resources."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Running:
    """Service at an address."""

    process: subprocess.Popen[str]
    address: str
    log: list[str]

    @property
    def all(self) -> list[psutil.Process]:
        """Server and the processes that answer."""
        server = psutil.Process(self.process.pid)
        return [server, *server.children(recursive=True)]

    def seconds(self) -> dict[int, float]:
        """Return the processor time of each process so far."""
        return {each.pid: sum(each.cpu_times()[:2]) for each in self.all}

    def megabytes(self) -> float:
        """Return the total memory of the processes, with shared memory counted once."""
        return sum(each.memory_full_info().pss for each in self.all) / 2**20

    def kill(self) -> None:
        """Kill all processes at once, as a power cut does."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextmanager
def running(*arguments: str) -> Iterator[Running]:
    """Run `hornbook serve` with these arguments, at a free port, without client limits.

    It is stopped (SIGTERM) at the end, unless it has been killed by then.
    """
    limits = (
        "--client-requests",
        "10000",
        "--client-rate",
        "1000000",
        "--client-connections",
        "400",
        "--client-sessions",
        "1000",
    )
    command = [sys.executable, "-m", "hornbook", "serve", *arguments, *limits, "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    log: list[str] = []
    try:
        assert process.stderr is not None
        for line in process.stderr:
            log.append(line)
            if '"event":"serving' in line:
                break
        else:
            raise SystemExit("".join(log))
        threading.Thread(target=_read_on, args=(process, log), daemon=True).start()
        yield Running(process, json.loads(line)["event"].rpartition(" ")[2], log)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(60)


def _read_on(process: subprocess.Popen[str], log: list[str]) -> None:
    """Read the log, and keep the lines that are no answers."""
    assert process.stderr is not None
    for line in process.stderr:
        if '"status":200' not in line and '"status":201' not in line:
            log.append(line)
