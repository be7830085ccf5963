"""The service under load, for a long time, and killed: what it answers a second, what it takes of memory, and what it loses.

Matches: as many as wrk (Debian's) gets answered in `--seconds` over `--connections` (throughput.py). Mixed: `--rate` turns a second
for `--minutes` by `--clients` (mixed.py). Kills: `--kills` times in the middle of changes (kills.py). 0 leaves a part out. Exit code 1
where a request was not answered as it should be, an acknowledged fact was lost, or the memory has grown by more than is allowed.

    python -m benchmarks.service [--seconds 20] [--minutes 60] [--kills 50] [--connections 16] [--workers 3] [--rate 50] [--clients 8] [--seed 1]
        [--output FILE]
"""

from __future__ import annotations

import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from benchmarks import study
from benchmarks.service.kills import kills
from benchmarks.service.mixed import mixed
from benchmarks.service.positions import learned
from benchmarks.service.throughput import throughput

_LIBRARIES = ("starlette", "uvicorn", "uvloop", "h11", "msgspec")


def main() -> int:
    given = study.options(
        __doc__, seconds=20, minutes=60.0, kills=50, connections=16, workers=3, rate=50.0, clients=8, seed=1
    ).parse_args()
    run = study.Study(__file__, given)
    lines: list[str] = []
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rules = folder / "learned.horn"
        found = learned(rules)
        if given.seconds:
            lines.append(
                f"matches of {len(found)} rules of Go, {given.connections} connections, {given.workers} processes that answer:"
            )
            lines += throughput(rules, folder, given, wrong)
        if given.minutes:
            lines.append(f"mixed load for {given.minutes:g} minutes, two processes that answer:")
            lines += mixed(rules, found, given, wrong)
        if given.kills:
            lines.append("a store that is served with --write, killed:")
            lines += kills(folder, given, wrong)
    libraries = [f"{each} {version(each)}" for each in _LIBRARIES]
    return run.finish("\n".join(lines) + "\n", wrong, libraries)


if __name__ == "__main__":
    sys.exit(main())
