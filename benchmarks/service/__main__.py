"""Long load test of the service, with kills: answers per second, memory, and losses.

The part *matches* measures how many are answered to wrk (Debian's) in `--seconds` over `--connections`
(throughput.py). The part *mixed* has `--rate` turns per second for `--minutes` by `--clients` (mixed.py). The
part *kills* has `--kills` kills in the middle of changes (kills.py). The value 0 skips a part. The exit code
is 1 if a request got a wrong answer, an acknowledged fact was lost, or the memory has grown beyond the limit.

Usage:

    python -m benchmarks.service [--seconds 20] [--minutes 60] [--kills 50] [--connections 16] [--workers 3]
        [--rate 50] [--clients 8] [--seed 1] [--output FILE]
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
                f"matches of {len(found)} rules of Go, {given.connections} connections, {given.workers} "
                "processes that answer:"
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
