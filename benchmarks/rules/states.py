"""All derived facts of thousands of states: in one evaluation, by one state after the other, and by clingo.

Each run is a process of its own. "process" is the processor time of the whole process, with all of its
threads. "evaluation" is the part from the path of the Parquet file to the Arrow tables; it is the first
evaluation in the process, and includes the theory. "elapsed" is the same by the clock, which other programs
prolong. All are medians of `--runs` runs, except for the only run of clingo.

The loop is measured on the first `--sample` states. It adds the text of a state between `push` and `pop`, and
takes the table of every derived relation. clingo gets the same theory, translated by hand, with the number of
the state as first argument of each predicate. Returns 1 if a relation has another number of rows there.

Usage:

    python -m benchmarks.rules.states --theory repair.horn --states states.parquet [--learned rules.horn]
        [--runs 5] [--sample 300] [--output FILE]
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import ROOT, Study, options

REPAIR = """
moment(b). moment(a).
fit(S,T,P) :- state(S,T,P,good).
fit(S,T,P) :- state(S,T,P,worn), kind(S,P,motor).
may_work(S,T,W,P) :- has(S,M,P), power(S,T,M,no), kind(S,P,K), skilled(S,W,K).
sound(S,T,M) :- parts(S,M,_), moment(T), fit(S,T,P) : has(S,M,P).
ready(S,T,M) :- sound(S,T,M), pressure(S,T,M,X), needs(S,M,Y), X >= Y.
fitted(S,P,K,N) :- replace(S,W,P), may_work(S,b,W,P), kind(S,P,K), spares(S,b,K,N), N > 0.
cleaned(S,P) :- clean(S,W,P), may_work(S,b,W,P), kind(S,P,filter).
sealed(S,P) :- replace(S,W,P), may_work(S,b,W,P), kind(S,P,seal).
state(S,a,P,good) :- fitted(S,P,_,_).
spares(S,a,K,N-1) :- fitted(S,_,K,N).
state(S,a,P,good) :- cleaned(S,P), state(S,b,P,worn).
pressure(S,a,M,X+2) :- cleaned(S,P), has(S,M,P), pressure(S,b,M,X).
pressure(S,a,M,X+3) :- sealed(S,P), has(S,M,P), pressure(S,b,M,X).
touched(S,P) :- replace(S,_,P).
touched(S,P) :- clean(S,_,P).
flows(S,M) :- clean(S,_,P), has(S,M,P), kind(S,P,filter).
flows(S,M) :- replace(S,_,P), has(S,M,P), kind(S,P,seal).
used(S,K) :- replace(S,_,P), kind(S,P,K).
state(S,a,P,V) :- state(S,b,P,V), not touched(S,P).
pressure(S,a,M,X) :- pressure(S,b,M,X), not flows(S,M).
power(S,a,M,V) :- power(S,b,M,V).
spares(S,a,K,N) :- spares(S,b,K,N), not used(S,K).
"""
"""The theory `repair` for clingo. The arguments before those of a predicate are the state and the moment."""
FLUENTS = frozenset(("state", "pressure", "spares", "power", "fit", "may_work", "sound", "ready"))


def in_one_evaluation(theory: str, states: str, rules: str | None) -> dict[str, Any]:
    """Return the times and numbers of rows of `evaluate_states`, with learned rules alone if any."""
    from hornbook import evaluate_states, read_rules  # noqa: PLC0415 - measured

    known = [] if rules is None else read_rules(rules, theory).certified
    start = perf_counter(), process_time()
    found = evaluate_states(theory, Path(states), rules=known, only_rules=rules is not None)
    evaluation = process_time() - start[1]
    elapsed = perf_counter() - start[0]
    rows = {name: table.num_rows for name, table in found.tables.items()}
    assert not found.errors
    return {"evaluation": evaluation, "elapsed": elapsed, "rows": rows, "process": process_time()}


def one_after_the_other(theory: str, states: str, rules: str | None, sample: int) -> dict[str, Any]:
    """Return the time for each state of a knowledge base that has one state after the other."""
    import pyarrow.parquet  # noqa: PLC0415 - measured

    from hornbook import KnowledgeBase, read_rules, read_theory  # noqa: PLC0415 - measured

    texts = pyarrow.parquet.read_table(states, columns=["state"])["state"].to_pylist()[:sample]
    base = KnowledgeBase(read_theory(theory))
    wanted = {(rule.head.relation, tense) for rule in base.rules for tense in ("before", "after")}
    if rules is not None:
        base.add_rules(read_rules(rules, theory).certified)
    start = process_time()
    rows = 0
    for text in texts:
        base.push()
        base.add_text(text)
        rows += sum(base.table(relation, tense).num_rows for relation, tense in wanted)
        base.pop()
    return {"evaluation": (process_time() - start) / sample, "rows": rows, "process": process_time()}


def by_clingo(states: str) -> dict[str, Any]:
    """Return the times and the numbers of rows of clingo."""
    import clingo  # noqa: PLC0415 - measured
    import pyarrow.parquet  # noqa: PLC0415 - measured

    start = perf_counter(), process_time()
    texts = pyarrow.parquet.read_table(states, columns=["state"])["state"].to_pylist()
    control = clingo.Control()
    given = []
    for number, text in enumerate(texts):
        given.append(
            re.sub(r"(\w+)\(", lambda m: f"{m[1]}({number},{'b,' if m[1] in FLUENTS else ''}", text)  # noqa: B023
        )
    control.add("base", [], REPAIR + "\n".join(given))
    control.ground([("base", [])])
    rows: dict[str, int] = {}
    for atom in control.symbolic_atoms:
        name, arguments = atom.symbol.name, atom.symbol.arguments
        if name in FLUENTS:
            name += ".after" if arguments[1].name == "a" else ""
            rows[name] = rows.get(name, 0) + 1
    evaluation = process_time() - start[1]
    elapsed = perf_counter() - start[0]
    return {"evaluation": evaluation, "elapsed": elapsed, "rows": rows, "process": process_time()}


def measured(function: str, *arguments: object) -> dict[str, Any]:
    """Return the result of a function in a new process."""
    code = (
        "import json, sys; from benchmarks.rules import states; "
        f"print(json.dumps(states.{function}(*json.loads(sys.argv[1]))))"
    )
    command = [sys.executable, "-c", code, json.dumps(arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> int:
    parser = options(__doc__, runs=5, sample=300)
    parser.add_argument("--theory", type=Path, required=True)
    parser.add_argument("--states", type=Path, required=True)
    parser.add_argument("--learned", type=Path)
    this = Study(__file__, parser.parse_args())
    given = this.given
    theory, states = str(given.theory.resolve()), str(given.states.resolve())
    rules = None if given.learned is None else str(given.learned.resolve())
    lines = [f"{'processor seconds':<34}{'process':>10}{'evaluation':>12}{'elapsed':>10}"]

    def row(name: str, runs: list[dict[str, Any]]) -> float:
        middle = [median(run[key] for run in runs) for key in ("process", "evaluation", "elapsed")]
        lines.append(f"{name:<34}{middle[0]:>10.2f}{middle[1]:>12.3f}{middle[2]:>10.2f}")
        return middle[1]

    whole = [measured("in_one_evaluation", theory, states, None) for _ in range(given.runs)]
    once = row("all rules, one evaluation", whole)
    if rules is not None:
        learned = [measured("in_one_evaluation", theory, states, rules) for _ in range(given.runs)]
        row("learned rules alone, the same", learned)
    peer = measured("by_clingo", states)
    clingo = row("all rules, clingo", [peer])
    alone = measured("one_after_the_other", theory, states, None, given.sample)
    number = sum(whole[0]["rows"].values())
    lines += [
        "",
        f"one state after the other: {1000 * alone['evaluation']:.2f} ms a state ({given.sample} states)",
        f"one evaluation: {once:.3f} s; clingo takes {clingo / once:.1f} times as long",
        "",
        f"{number:,} derived rows: "
        + ", ".join(f"{name} {size:,}" for name, size in sorted(whole[0]["rows"].items())),
    ]
    if rules is not None:
        lines.append(
            "learned rules alone: " + ", ".join(f"{n} {size:,}" for n, size in learned[0]["rows"].items())
        )
    wrong = [
        (name, size, peer["rows"].get(name))
        for name, size in whole[0]["rows"].items()
        if size != peer["rows"].get(name, 0)
    ]
    lines.append(f"relations whose number of rows differs from clingo's: {len(wrong)}")
    return this.finish("\n".join(lines) + "\n", wrong, ("clingo",))


if __name__ == "__main__":
    sys.exit(main())
