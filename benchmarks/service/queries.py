"""Small queries per second: wrk asks `hornbook serve family` and two peers.

The service gets one query repeatedly, and then queries whose texts are always new to its processes. The
peers are the same relation in SWI-Prolog's HTTP server, and a constant answer by Starlette and uvicorn with
h11 in one process. The server, its peers and wrk share the machine. The parts are repeated in turns, and the
median of each number counts.

Usage:

    python benchmarks/service/queries.py [--seconds 5] [--times 5] [--connections 8] [--workers 2]
        [--output FILE]
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import study
from benchmarks.service.running import Running, running
from benchmarks.service.throughput import WARM, LoadResult, wrk
from hornbook.web.serving import listen

PEERS = Path(__file__).with_name("peers")
NEW = 5000
"""The number of different queries. It exceeds the number that a process stores."""
_QUERY = "ancestor(?who, cleo)"
_LIBRARIES = ("starlette", "uvicorn", "uvloop", "h11", "msgspec")


@contextmanager
def peer(command: list[str], port: int) -> Iterator[Running]:
    """Run the command of a peer until the end of the context."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
    address = f"http://127.0.0.1:{port}"
    try:
        while process.poll() is None:
            try:
                urllib.request.urlopen(address, timeout=10)
            except urllib.error.HTTPError:
                break
            except OSError:
                time.sleep(0.1)
        yield Running(process, address, [])
    finally:
        process.kill()
        process.wait()


def _free_port() -> int:
    with listen("127.0.0.1", 0) as found:
        port: int = found.getsockname()[1]
        return port


def _prolog(workers: int) -> AbstractContextManager[Running]:
    port = _free_port()
    goal = f"serve({port}, {workers})"
    return peer(["swipl", "-O", "-g", goal, str(PEERS / "family.pl")], port)


def _starlette() -> AbstractContextManager[Running]:
    port = _free_port()
    command = [sys.executable, "-m", "uvicorn", "--app-dir", str(PEERS), "constant:app", "--http", "h11"]
    return peer([*command, "--port", str(port), "--no-access-log", "--log-level", "error"], port)


def _requests(file: Path, queries: list[str]) -> Path:
    file.write_text("".join(f"/query\t{json.dumps({'query': each})}\n" for each in queries), encoding="utf-8")
    return file


def main() -> int:
    given = study.options(__doc__, seconds=5, times=5, connections=8, workers=2).parse_args()
    run = study.Study(__file__, given)
    found: dict[str, list[tuple[LoadResult, float]]] = {}
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one = _requests(folder / "one.tsv", [_QUERY])
        new = _requests(folder / "new.tsv", [_QUERY.replace("who", f"who{n}") for n in range(NEW)])
        prolog = _requests(folder / "prolog.tsv", [_QUERY.replace("?who", "Who")])

        def service() -> AbstractContextManager[Running]:
            return running("family", "--workers", str(given.workers))

        parts: list[tuple[str, Callable[[], AbstractContextManager[Running]], Path]] = [
            ("hornbook, one query", service, one),
            ("hornbook, new queries", service, new),
            ("constant answer by Starlette", _starlette, one),
        ]
        if shutil.which("swipl") is not None:
            parts.append(("SWI-Prolog, one query", lambda: _prolog(given.workers), prolog))
        for _ in range(given.times):
            for part, begin, file in parts:
                with begin() as each:
                    wrk(each.address, WARM, given.connections, file)
                    before = sum(each.seconds().values())
                    result = wrk(each.address, given.seconds, given.connections, file)
                    spent = sum(each.seconds().values()) - before
                found.setdefault(part, []).append((result, 1e3 * spent / max(1, result.requests)))
                if result.errors or not result.requests:
                    wrong.append(f"{part}: {result.errors} errors of {result.requests} requests")
    head = (
        f"POST /query, {given.connections} connections, {os.cpu_count()} cores; medians of {given.times} runs"
        f" of {given.seconds} seconds; load of the machine at the end {os.getloadavg()[0]:.1f}:"
    )
    lines = [head]
    lines += [f"  {part}: {_medians(results)}" for part, results in found.items()]
    return run.finish("\n".join(lines) + "\n", wrong, [f"{each} {version(each)}" for each in _LIBRARIES])


def _medians(results: list[tuple[LoadResult, float]]) -> str:
    def median(of: Callable[[LoadResult], float]) -> float:
        return statistics.median(of(result) for result, _ in results)

    server = statistics.median(spent for _, spent in results)
    client = median(lambda result: 1e3 * result.processor / max(1, result.requests))
    return (
        f"{median(lambda r: r.rate):.0f} a second, p50 {median(lambda r: r.p50):.1f} ms, p99"
        f" {median(lambda r: r.p99):.1f} ms; processor time a request: {server:.3f} ms, wrk {client:.3f} ms"
    )


if __name__ == "__main__":
    sys.exit(main())
