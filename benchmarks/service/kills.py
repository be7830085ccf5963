"""Kills of a service with `--write` in the middle of changes: acknowledged facts must be in the store.

All processes are killed at once (SIGKILL), at a random moment, while three clients add facts in pairs.
Then the store must be intact, have both facts of each pair whose addition was answered with 200, and never
only one of a pair.
"""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.service.running import running
from hornbook.kb.store import Store, integrity

_CLIENTS = 3
_FAMILY = """theory family.
sort person.
static parent(person, person).
static ancestor(person, person).
one: ancestor(?a, ?b) :- parent(?a, ?b).
more: ancestor(?a, ?c) :- parent(?a, ?b), ancestor(?b, ?c).
"""


def kills(folder: Path, given: object, wrong: list[str]) -> Iterator[str]:
    """Yield lines of the report, and add losses, partial pairs, damage and errors before a kill to `wrong`.

    `given` has the options `seed` and `kills` (their number). The store is written to `folder`.
    """
    rng = random.Random(given.seed)
    theory, path = folder / "family.horn", folder / "family.sqlite"
    theory.write_text(_FAMILY, encoding="utf-8")
    with Store.create(path) as store:
        store.put_theory(theory)
    acknowledged: set[str] = set()
    known: set[str] = set()
    lost = unacknowledged = damaged = partial = 0
    errors: list[str] = []
    for number in range(given.kills):
        acknowledged_by: list[set[str]] = [set() for _ in range(_CLIENTS)]
        is_killed = threading.Event()
        with running(str(path), "--write", "--workers", "1") as run:
            clients = [
                threading.Thread(
                    target=_add, args=(run.address, f"r{number}c{n}", acknowledged_by[n], is_killed, errors)
                )
                for n in range(_CLIENTS)
            ]
            for client in clients:
                client.start()
            time.sleep(rng.uniform(0.05, 1.0))
            is_killed.set()
            run.kill()
        for client in clients:
            client.join()
        acknowledged = acknowledged.union(*acknowledged_by)
        with Store(path) as store:
            damaged += bool(integrity.problems(store))
            there = {str(fact.values[1]) for fact in store.facts()}
        pairs = {each[:-1] for each in there}
        partial += sum(not {f"{pair}a", f"{pair}b"} <= there for pair in pairs)
        lost += len((acknowledged | known) - pairs)
        unacknowledged += len(pairs - acknowledged - known)
        known = pairs
    yield (
        f"  {given.kills} kills; {len(acknowledged)} changes acknowledged, lost: {lost}; {unacknowledged} "
        "kept that were not"
        f" acknowledged; stores damaged: {damaged}; half changes: {partial}; errors before a kill: "
        f"{len(errors)}"
    )
    wrong += errors
    if lost or damaged or partial:
        wrong.append(f"{lost} changes lost, {damaged} stores damaged, {partial} half changes")
    if given.kills and not acknowledged:
        wrong.append("no change was acknowledged")


def _add(
    address: str, name: str, acknowledged: set[str], is_killed: threading.Event, errors: list[str]
) -> None:
    """Add pairs until the service is killed, and record the acknowledged ones and earlier errors."""
    number = 0
    with closing(http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)) as connection:
        while True:
            number += 1
            child = f"{name}n{number}"
            body = json.dumps({"add": f"parent(all, {child}a). parent(all, {child}b)."})
            try:
                connection.request("POST", "/facts", body, {"Content-Type": "application/json"})
                reply = connection.getresponse()
                answer_body = reply.read()
            except (OSError, http.client.HTTPException) as broken:
                if not is_killed.is_set():
                    errors.append(f"{type(broken).__name__}: {broken}")
                return
            if reply.status != 200 or json.loads(answer_body)["added"] != 2:
                errors.append(f"{reply.status} {answer_body.decode()[:200]}")
                return
            acknowledged.add(child)
