"""The service under load, for a long time, and killed: what it answers a second, what it takes of memory, and what it loses.

Matches: positions of Go on small boards, made by random play, are sent to `hornbook serve capture` with learned rules, by wrk over
many connections at once. Mixed: matches, queries and proofs with facts of their own (ever new words), and mistakes, for so
many minutes, with what all processes have in memory looked at on the way. Kills: clients add facts to a store that is
served with `--write`, and all processes are killed (SIGKILL) at a random moment; each fact whose adding was answered with 200
must be in the store, which must be whole.

It needs wrk (Debian's). Exit code 1 where an acknowledged fact was lost, a store damaged, or a right request not answered.

    python -m benchmarks.service [--seconds 20] [--minutes 60] [--kills 50] [--connections 16] [--seed 1] [--output FILE]
"""

from __future__ import annotations

import json
import os
import platform
import random
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import hornbook
from benchmarks import study
from benchmarks.service.running import Running, running, wrk
from hornbook.kb.store import Store, integrity
from hornbook.theories.go.problems.making.games import game, noisy_move
from hornbook.theories.go.states.diagram import print_diagram

LEARNED = "t0133"
"""The problem of Go that the rules are learned from."""
SCRIPT = Path(__file__).with_name("requests.lua")
FAMILY = """theory family.
sort person.
static parent(person, person).
static ancestor(person, person).
one: ancestor(?a, ?b) :- parent(?a, ?b).
more: ancestor(?a, ?c) :- parent(?a, ?b), ancestor(?b, ?c).
"""


def positions(side: int, number: int, rng: random.Random) -> list[str]:
    """Diagrams of boards late in random games."""
    found: list[str] = []
    while len(found) < number:
        played = list(game(side, rng, noisy_move))
        board = played[-1 - len(played) // 6]
        if board.blocks:
            found.append(print_diagram(board))
    return found


def line(path: str, **said: object) -> str:
    return f"{path}\t{json.dumps(said)}\n"


def processor(run: Running, before: dict[int, float], requests: float) -> tuple[float, float]:
    """Milliseconds of processor time a request: of the server, and of the processes that answer."""
    spent = {pid: seconds - before.get(pid, 0.0) for pid, seconds in run.seconds().items()}
    server = spent.pop(run.process.pid)
    return 1e3 * server / requests, 1e3 * sum(spent.values()) / requests


def matches(folder: Path, rules: Path, given: object) -> Iterator[str]:
    for side in (5, 7, 9):
        file = folder / "matches.tsv"
        boards = positions(side, 300, random.Random(given.seed))
        file.write_text("".join(line("/match", state=board) for board in boards), encoding="utf-8")
        with running("capture", "--rules", str(rules), "--workers", "2") as run:
            wrk(run.address, SCRIPT, 3, given.connections, str(file))
            before = run.seconds()
            found = wrk(run.address, SCRIPT, given.seconds, given.connections, str(file))
            server, answering = processor(run, before, found["requests"])
            load = os.getloadavg()[0]
        yield (
            f"  side {side}: {found['rate']:.0f} a second, p50 {found['p50']:.1f} ms, p99 {found['p99']:.1f} ms, most"
            f" {found['most']:.0f} ms; {found['requests']:.0f} requests, {found['wrong']:.0f} not answered; processor time a request:"
            f" server {server:.2f} ms, answering {answering:.2f} ms; load of the machine {load:.1f}"
        )


def mixed(folder: Path, rules: Path, given: object) -> Iterator[str]:
    """Many kinds of requests with words that never come again, and the memory meanwhile."""
    rng = random.Random(given.seed)
    boards = positions(5, 200, rng)
    with running("capture", "--rules", str(rules), "--workers", "2") as run:
        end = time.monotonic() + 60 * given.minutes
        seen: list[tuple[float, float]] = []
        requests = wrong = number = 0
        began = time.monotonic()
        while time.monotonic() < end:
            lines = []
            for board in boards:
                number += 1
                kind = number % 10
                if kind < 6:
                    lines.append(line("/match", state=board))
                elif kind < 8:
                    lines.append(line("/query", query="before stone(?b, ?p)", facts={}, state=board, limit=5))
                elif kind == 8:
                    lines.append(line("/query", query=f"before stone(new_{number}, ?p)"))
                else:
                    lines.append(line("/why-not", fact=f"before stone(new_{number}, other_{number})"))
            file = folder / "mixed.tsv"
            file.write_text("".join(lines), encoding="utf-8")
            found = wrk(
                run.address,
                SCRIPT,
                min(20, max(1, round(end - time.monotonic()))),
                given.connections,
                str(file),
            )
            requests, wrong = requests + found["requests"], wrong + found["wrong"]
            seen.append((time.monotonic() - began, run.megabytes()))
        replaced = sum("another takes its place" in each for each in run.log)
    step = max(1, len(seen) // 12)
    yield f"  {requests:.0f} requests, {wrong:.0f} not answered with 200; processes replaced since they had grown: {replaced}"
    yield "  MB of all processes (server and two that answer) by minutes: " + ", ".join(
        f"{at / 60:.0f}: {size:.0f}" for at, size in seen[::step]
    )


def kills(folder: Path, given: object) -> Iterator[str]:
    """Kills in the middle of changes, and what is in the store then."""
    rng = random.Random(given.seed)
    theory = folder / "family.horn"
    theory.write_text(FAMILY, encoding="utf-8")
    acknowledged = lost = unacknowledged = damaged = 0
    path = folder / "family.sqlite"
    with Store.create(path) as store:
        store.put_theory(theory)
    all_acknowledged: set[str] = set()
    for round_ in range(given.kills):
        told: list[set[str]] = [set(), set(), set()]
        with running(str(path), "--write", "--workers", "1") as run:
            clients = [
                threading.Thread(target=_add, args=(run.address, f"r{round_}c{n}", told[n]), daemon=True)
                for n in range(3)
            ]
            for client in clients:
                client.start()
            time.sleep(rng.uniform(0.05, 1.0))
            run.kill()
        for client in clients:
            client.join()
        new = set().union(*told)
        acknowledged += len(new)
        all_acknowledged |= new
        with Store(path) as store:
            damaged += bool(integrity.problems(store))
            there = {str(fact.values[1]) for fact in store.facts()}
        # Each change adds a pair: both or none.
        pairs = {each[:-1] for each in there}
        damaged += any(not {f"{pair}a", f"{pair}b"} <= there for pair in pairs)
        lost += len({f"{each}{half}" for each in new for half in "ab"} - there)
        unacknowledged += len(pairs) - len(all_acknowledged)
        all_acknowledged |= pairs
    yield (
        f"  {given.kills} kills; {acknowledged} changes acknowledged, lost: {lost}; {unacknowledged} kept that were not acknowledged;"
        f" stores damaged or with half a change: {damaged}"
    )
    if lost or damaged:
        raise SystemExit("FOUND: facts were lost")


def _add(address: str, name: str, told: set[str]) -> None:
    """Adds facts until there is no answer any more."""
    number = 0
    while True:
        number += 1
        child = f"{name}n{number}"
        body = json.dumps({"add": f"parent(all, {child}a). parent(all, {child}b)."}).encode()
        asked = urllib.request.Request(f"{address}/facts", body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(asked, timeout=10) as reply:
                if json.load(reply)["added"] == 2:
                    told.add(child)
        except (OSError, ValueError):
            return


def main() -> int:
    given = study.options(__doc__, seconds=20, minutes=60.0, kills=50, connections=16, seed=1).parse_args()
    run = study.Study(__file__, given)
    packages = ", ".join(
        f"{name} {version(name)}" for name in ("starlette", "uvicorn", "uvloop", "httptools", "msgspec")
    )
    lines = [
        f"command: {run.command}",
        f"hornbook {hornbook.__version__}, Python {platform.python_version()}, {packages}",
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rules = folder / "capture.horn"
        lesson = next(each for each in hornbook.problems("capture") if each.name == LEARNED)
        learned = hornbook.learn("capture", [lesson]).rules
        learned.write(rules)
        lines += [
            "",
            f"matches of {len(learned)} rules of Go, {given.connections} connections, two processes that answer:",
        ]
        lines += matches(folder, rules, given) if given.seconds else ()
        lines += [
            "",
            f"mixed load for {given.minutes:g} minutes:",
            *(mixed(folder, rules, given) if given.minutes else ()),
        ]
        lines += [
            "",
            "a store that is served with --write, killed:",
            *(kills(folder, given) if given.kills else ()),
        ]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if given.output:
        given.output.write_text(text, encoding="utf-8")
    return 1 if ", 0 not answered" not in text else 0


if __name__ == "__main__":
    sys.exit(main())
