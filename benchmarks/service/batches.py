"""Processor time of a query in many states: a request for each state, and requests with many states.

The states are texts of a Parquet file. They are sent as texts (`add`) and as tables (`facts`). Measured is
the time from a body to the body of its answer in a process of the service, without HTTP. The two kinds of
requests take turns, and the best of `--times` runs counts. Returns 1 if the answers differ.

Usage:

    python -m benchmarks.service.batches --theory repair.horn --states states.parquet [--query 'ready(?m)']
        [--number 1000] [--together 100] [--times 5] [--output FILE]
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, options
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.matcher.program.coded import Limits
from hornbook.web.service.messages import Setup, WorkRequest
from hornbook.web.service.worker import QueryWorker

Situation = dict[str, Any]


def situations(theory: Path, states: Path, number: int) -> dict[str, list[Situation]]:
    """Return the states as fields of a request, by the form of their facts."""
    import pyarrow.parquet  # noqa: PLC0415 - an extra

    texts = pyarrow.parquet.read_table(states, columns=["state"])["state"].to_pylist()[:number]
    base = KnowledgeBase(theory)
    tables = []
    for text in texts:
        rows: dict[str, list[list[str | int]]] = {}
        for fact in base.read_clauses(text).facts:
            rows.setdefault(fact.relation, []).append(list(fact.values))
        tables.append({"facts": rows})
    return {"add": [{"add": text} for text in texts], "facts": tables}


def ask(worker: QueryWorker, kind: str, bodies: list[bytes]) -> tuple[float, list[Any]]:
    """Return the processor seconds of some requests, and their answers."""
    began = process_time()
    done = [worker.answer(WorkRequest(kind, body, None)) for body in bodies]
    spent = process_time() - began
    assert all(each.status == 200 for each in done), done[0].body
    return spent, [json.loads(each.body) for each in done]


def main() -> int:
    parser = options(__doc__, number=1000, together=100, times=5)
    parser.add_argument("--theory", type=Path, required=True)
    parser.add_argument("--states", type=Path, required=True)
    parser.add_argument("--query", default="ready(?m)")
    given = parser.parse_args()
    run = Study(__file__, given)
    worker = QueryWorker(Setup(str(given.theory), limits=Limits(seconds=10.0)), None)
    wrong, lines = [], []
    for form, states in situations(given.theory, given.states, given.number).items():
        alone = [json.dumps({"query": given.query, **each}).encode() for each in states]
        blocks = [states[first : first + given.together] for first in range(0, len(states), given.together)]
        together = [json.dumps({"query": given.query, "states": each}).encode() for each in blocks]
        best = {"query": float("inf"), "query-states": float("inf")}
        answers: dict[str, list[Any]] = {}
        for _ in range(given.times):
            for kind, bodies in (("query", alone), ("query-states", together)):
                spent, answers[kind] = ask(worker, kind, bodies)
                best[kind] = min(best[kind], spent)
        found = [each["answers"] for block in answers["query-states"] for each in block["states"]]
        if found != [each["answers"] for each in answers["query"]]:
            wrong.append(f"{form}: the answers differ")
        one, many = (1e6 * each / len(states) for each in best.values())
        sizes = f"a request for each {one:.0f}, {given.together} in a request {many:.0f}"
        lines.append(f"  {form}: {sizes}: {many / one:.2f} times")
    head = (
        f"microseconds of processor time for each of {given.number} states of {given.theory.name}, query"
        f" `{given.query}`; load of the machine at the end {os.getloadavg()[0]:.1f}"
    )
    return run.finish("\n".join([head, *lines]) + "\n", wrong)


if __name__ == "__main__":
    sys.exit(main())
