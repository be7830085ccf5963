"""Schemathesis against `hornbook serve`: valid and invalid requests from its OpenAPI description.

Sequences of requests are tested too. Three services are tested: one of a store with `--write`, one of rules
of Go, and one of the firm. Findings are those of schemathesis, a lost process, or a service that no longer
answers. Those of schemathesis are, for example, an answer that violates the description, a rejected valid
request, an accepted invalid one, or a status of 500 or more. Needs the extra `test`. The exit code is 1 if
anything was found.

Usage:

    python benchmarks/fuzz/service.py [--examples 100] [--seed 1] [--output FILE]
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import study
from benchmarks.service.positions import learned
from benchmarks.service.running import Running, running
from hornbook.kb.store import Store

CONFIG = Path(__file__).with_name("schemathesis.toml")
LONGEST = 60
"""Limit of seconds for a request: a reload reads and checks the whole theory."""
_COUNT = re.compile(r"^\s*(\d[\d,]*) generated.*$", re.MULTILINE)


def services(folder: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the services, each with a title and its arguments."""
    store, rules = folder / "family.sqlite", folder / "learned.horn"
    with Store.create(store) as made:
        made.put_theory("family")
    learned(rules)
    yield "a store of `family`, with --write", (str(store), "--write")
    yield "`capture` with learned rules", ("capture", "--rules", str(rules))
    yield "`firm`", ("firm",)


def tested(run: Running, given: object, folder: Path, wrong: list[str]) -> str:
    """Return a line with the number of requests to a service, and add its findings to `wrong`."""
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run"),
        *(f"{run.address}/openapi.json", "--no-color", "--seed", str(given.seed)),
        *("--max-examples", str(given.examples), "--generation-database", "none"),
        *("--request-timeout", str(LONGEST)),
    ]
    began = time.monotonic()
    ran = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    seconds = time.monotonic() - began
    found = _COUNT.search(ran.stdout)
    events = [line.strip() for line in run.log if '"event"' in line and '"event":"serving' not in line]
    failures = [line.strip() for line in run.log if '"level":"error"' in line]
    # A reload may be rejected or executed, but no request may end a process.
    lost = [line for line in events if "lost" in line]
    wrong += lost + failures
    if ran.returncode or found is None:
        wrong.append(ran.stdout[-20_000:] + ran.stderr)
    with urllib.request.urlopen(f"{run.address}/readyz", timeout=60) as reply:
        if json.load(reply)["status"] != "ready":
            wrong.append("the service is not ready any more")
    counted = "no count" if found is None else found[0].strip()
    processor = sum(run.seconds().values())
    return (
        f"exit code {ran.returncode}; {counted}; {len(lost)} processes lost, {len(failures)} errors in the "
        f"log; {seconds:.0f} s, processor"
        f" time of the service {processor:.0f} s"
    )


def main() -> int:
    given = study.options(__doc__, examples=100, seed=1).parse_args()
    run = study.Study(__file__, given)
    wrong: list[str] = []
    lines: list[str] = []
    with ExitStack() as ending:
        folder = Path(ending.enter_context(tempfile.TemporaryDirectory()))
        for title, arguments in services(folder):
            with running(*arguments, "--workers", "2") as served:
                lines.append(f"{title}: {tested(served, given, folder, wrong)}")
    libraries = [f"schemathesis {version('schemathesis')}"]
    return run.finish("\n".join(lines) + "\n", wrong, libraries)


if __name__ == "__main__":
    sys.exit(main())
