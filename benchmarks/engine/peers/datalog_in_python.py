"""Peer pyDatalog: a tabling interpreter in Python."""

from __future__ import annotations

import warnings
from importlib.metadata import version

from benchmarks.engine.measure import Outcome, Stopwatch, Task, checksum
from benchmarks.engine.program_text import Condition, Program, read


def run(task: Task) -> Outcome:
    warnings.simplefilter("ignore")
    from pyDatalog import pyDatalog  # noqa: PLC0415 - importing it prints warnings

    program = read(task.program)
    (queried,) = program.queried
    rules = "\n".join(
        f"{_shown(program, rule.head)} <= {' & '.join(_shown(program, c) for c in rule.body)}"
        for rule in program.rules()
    )
    target = program.predicates[queried]
    question = f"{target.name}({', '.join(f'V{i}' for i in range(target.arity))})"
    pyDatalog.clear()  # facts are global to the process and would leak into a second run
    watch = Stopwatch()
    for number, rows in program.facts.items():
        for row in rows:
            pyDatalog.assert_fact(program.predicates[number].name, *row)
    pyDatalog.load(rules)
    answer = pyDatalog.ask(question)
    seconds = watch.seconds()
    rows = [] if answer is None else answer.answers
    result = {"tuples": len(rows), "checksum": checksum(rows)}
    return Outcome({"total": seconds}, result, version=f"pyDatalog {version('pyDatalog')}")


def _shown(program: Program, condition: Condition) -> str:
    terms = [str(term) if term >= 0 else f"V{-1 - term}" for term in condition.terms]
    if isinstance(condition.predicate, int):
        return f"{program.predicates[condition.predicate].name}({', '.join(terms)})"
    return f"({terms[0]} {condition.predicate} {terms[1]})"
