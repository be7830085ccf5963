"""Mixed load at a fixed rate, always with new words, and the memory meanwhile.

The requests are matches, queries, proofs, sessions and mistakes. Each turn, one request or the four of a
session, has a fixed due time, regardless of earlier ones, and its time is counted from then. Every answer is
checked: matches must equal those of the library, the others must be implied by the facts, and a mistake must
be rejected as one. Any other answer, or none, is an error.
"""

from __future__ import annotations

import http.client
import json
import random
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hornbook
from benchmarks.service.positions import positions
from benchmarks.service.running import Running, running

MOST_GROWTH = 0.05
"""Maximal relative growth of the memory from the second to the last sixth of the time."""
SAMPLES = 60
"""Number of memory samples."""
_BOARDS = 200
_SIDE = 5
_TYPE = {"Content-Type": "application/json"}
Client = Callable[..., tuple[int, Any]]
Turn = Callable[[Client, int], str | None]


@dataclass
class LoadTally:
    """Observations of the clients: right answers by kind, errors, and the seconds of each."""

    right: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def mixed(rules: Path, learned: hornbook.LearnedRules, given: object, wrong: list[str]) -> Iterator[str]:
    """Yield lines on the run, and add errors and growth to `wrong`."""
    turns = _turns(positions(_SIDE, _BOARDS, random.Random(given.seed)), learned)
    tally = LoadTally()
    with running("capture", "--rules", str(rules), "--workers", "2") as run:
        before, spent = sum(run.seconds().values()), time.process_time()
        began = time.monotonic()
        end = began + 60 * given.minutes
        clients = [
            threading.Thread(target=_ask, args=(run, turns, number, began, end, given, tally))
            for number in range(given.clients)
        ]
        for client in clients:
            client.start()
        seen = list(_memory(run, began, end))
        for client in clients:
            client.join()
        spent = time.process_time() - spent
        served = sum(run.seconds().values()) - before
        lines = [line.strip() for line in run.log if '"event"' in line and "serving" not in line]
    waits = sorted(tally.seconds)
    done = len(waits)
    yield (
        f"  {done} requests in {tally.right.total() + len(tally.errors)} turns ({given.rate:g} turns a "
        f"second), {len(tally.errors)}"
        f" errors; from the moment when it was due to the answer: p50 {1e3 * statistics.median(waits):.1f} "
        "ms,"
        f" p99 {1e3 * waits[done * 99 // 100]:.1f} ms, most {1e3 * waits[-1]:.0f} ms"
    )
    yield "  right turns: " + ", ".join(f"{kind} {number}" for kind, number in sorted(tally.right.items()))
    yield (
        f"  processor time a request: service {1e3 * served / done:.2f} ms, clients "
        f"{1e3 * spent / done:.2f} ms"
    )
    yield "  MB of the service's processes together, by minutes: " + ", ".join(
        f"{at / 60:.3g}: {size:.1f}" for at, size in seen
    )
    sixth = max(1, len(seen) // 6)
    early, late = (max(size for _, size in part) for part in (seen[sixth : 2 * sixth], seen[-sixth:]))
    yield (
        f"  the most in the second sixth of the time: {early:.1f} MB, in the last: {late:.1f} MB,"
        f" {100 * (late / early - 1):+.1f}% (allowed: {100 * MOST_GROWTH:+.0f}%); lines of the log about "
        f"the service: {len(lines)}"
    )
    wrong += tally.errors
    wrong += lines
    if late > early * (1 + MOST_GROWTH):
        wrong.append(f"the memory has grown from {early:.1f} to {late:.1f} MB")


def _memory(run: Running, began: float, end: float) -> Iterator[tuple[float, float]]:
    """Yield the times of memory samples, and the samples."""
    step = (end - began) / SAMPLES
    for number in range(1, SAMPLES + 1):
        time.sleep(max(0.0, began + number * step - time.monotonic()))
        yield time.monotonic() - began, run.megabytes()


def _ask(
    run: Running,
    turns: Sequence[tuple[str, Turn]],
    first: int,
    began: float,
    end: float,
    given: Any,
    tally: LoadTally,
) -> None:
    """Run one client: it takes each of its turns at its due time, over a persistent connection."""
    connection = http.client.HTTPConnection(run.address.removeprefix("http://"), timeout=30)
    due = began

    def client(path: str, method: str = "POST", **keys: object) -> tuple[int, Any]:
        nonlocal due
        connection.request(method, path, json.dumps(keys) if method == "POST" else None, _TYPE)
        reply = connection.getresponse()
        body = reply.read()
        tally.seconds.append(time.monotonic() - due)
        due = time.monotonic()
        return reply.status, json.loads(body) if body else None

    with closing(connection):
        number = first
        while (due := began + number / given.rate) < end:
            time.sleep(max(0.0, due - time.monotonic()))
            kind, turn = turns[number % len(turns)]
            try:
                problem = turn(client, number)
            except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError) as broken:
                problem = f"{type(broken).__name__}: {broken}"
                connection.close()
            if problem is None:
                tally.right[kind] += 1
            else:
                tally.errors.append(f"{kind} {number}: {problem}")
            number += given.clients


def _turns(boards: Sequence[str], rules: hornbook.LearnedRules) -> list[tuple[str, Turn]]:
    """Return the requests of the turns; each function returns the error in its answer, or None."""
    answers = [[each.to_dict() for each in rules.match(board)] for board in boards]

    def match(client: Client, number: int) -> str | None:
        place = number % len(boards)
        return _not_as(client("/match", state=boards[place]), 200, {"answers": answers[place]})

    def query(client: Client, number: int) -> str | None:
        status, found = client(
            "/query", query="before colour(?p, black)", state=boards[number % len(boards)], limit=5
        )
        return (
            None if status == 200 and len(found["answers"]) == min(5, found["count"]) else f"{status} {found}"
        )

    def added(client: Client, number: int) -> str | None:
        fact = f"before colour(new_{number}, black)"
        answer = {"answers": [{"c": "black"}], "count": 1, "warnings": []}
        return _not_as(
            client("/query", query=f"before colour(new_{number}, ?c)", add=f"{fact}."), 200, answer
        )

    def why(client: Client, number: int) -> str | None:
        board = boards[number % len(boards)]
        status, found = client("/why", fact="before same_block(?p, ?q)", state=board)
        return None if status == 200 and found["steps"][-1]["place"] == "state" else f"{status} {found}"

    def why_not(client: Client, number: int) -> str | None:
        fact = f"before same_block(old_{number}, other_{number})"
        status, found = client("/why-not", fact=fact)
        return None if (status, found["goal"]) == (200, fact) else f"{status} {found}"

    def mistake(client: Client, number: int) -> str | None:
        status, found = client("/query", query=f"before stone(?p, wrong_{number})")
        return None if (status, found["error"]) == (422, "text") else f"{status} {found}"

    def session(client: Client, number: int) -> str | None:
        status, opened = client("/sessions", state=boards[number % len(boards)])
        if status != 201:
            return f"{status} {opened}"
        place = f"/sessions/{opened['session']}"
        answer = {"answers": [{"c": "white"}], "count": 1, "warnings": []}
        return (
            _not_as(
                client(f"{place}/facts", add=f"before colour(own_{number}, white)."),
                200,
                {"added": 1, "retracted": 0},
            )
            or _not_as(client(f"{place}/query", query=f"before colour(own_{number}, ?c)"), 200, answer)
            or _not_as(client(place, "DELETE"), 204, None)
        )

    kinds = (match, query, match, added, match, why, match, why_not, match, mistake, match, session)
    return [(each.__name__, each) for each in kinds]


def _not_as(found: tuple[int, Any], status: int, answer: Any) -> str | None:
    """Return the answer if it differs from the expected one."""
    return None if found == (status, answer) else f"{found[0]} {str(found[1])[:200]}"
