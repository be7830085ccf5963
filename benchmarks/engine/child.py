"""One run of one peer in its own process: `python -m benchmarks.engine.child TASK`, with the task as JSON.

Prints the outcome as JSON on the last line. If the peer is not suited, the exit code is 3 and the
reason is printed.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

from benchmarks.engine.measure import Outcome, Task, UnsuitedError
from benchmarks.engine.workloads import PEERS

UNSUITED = 3


def main(text: str) -> int:
    values = json.loads(text)
    task = Task(**{**values, "program": Path(values["program"]), "build": Path(values["build"])})
    try:
        module = import_module(f"benchmarks.engine.peers.{PEERS[task.peer].module}")
        outcome: Outcome = module.run(task)
    except UnsuitedError as problem:
        print(problem, file=sys.stderr)
        return UNSUITED
    except ModuleNotFoundError as problem:
        print(f"{problem}: pip install 'hornbook[bench]'", file=sys.stderr)
        return UNSUITED
    print(outcome.as_json(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
