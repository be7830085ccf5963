"""Peer Soufflé, compiled to C++ before it runs; adding rules compiles them, updates run everything again."""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
from pathlib import Path

from benchmarks.engine.measure import Outcome, Task, UnsuitedError, median, why_it_ended
from benchmarks.engine.program_text import Condition, Program, read

RERUNS = 3


def run(task: Task) -> Outcome:
    if shutil.which("souffle") is None:
        raise UnsuitedError("there is no souffle")
    program = read(task.program)
    folder = task.program.parent
    (folder / "program.dl").write_text(_text(program), encoding="ascii")
    adding, _ = _spent(["souffle", "--jobs=1", "-o", "compiled", "program.dl"], folder)
    _write_facts(program, folder)
    seconds, printed = _spent(["./compiled", "-F", ".", "-D", "."], folder)
    tuples = _sizes(printed)
    version = re.search(r"[Vv]ersion:? *([\w.\-]+)", _spent(["souffle", "--version"], folder)[1])
    known = f"Soufflé {version[1] if version else ''}".strip()
    if not program.updates:
        return Outcome({"total": seconds}, {"tuples": tuples}, version=known)
    times, after = [], []
    for update in program.updates[:RERUNS]:
        program.facts[update.removed[0]].remove(update.removed[1])
        program.facts[update.added[0]].append(update.added[1])
        _write_facts(program, folder)
        again, printed = _spent(["./compiled", "-F", ".", "-D", "."], folder)
        times.append(again)
        after.append(_sizes(printed))
    measured = {"add": adding, "match": seconds, "update": median(times)}
    return Outcome(measured, {"matches": tuples, "after": after}, version=known)


def _spent(command: list[str], folder: Path) -> tuple[float, str]:
    """Return the processor seconds of a command, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise UnsuitedError(why_it_ended(done))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def _sizes(printed: str) -> int:
    """Return the total size of all relations from the output of `.printsize` (lines of name and number)."""
    return sum(int(line.split()[1]) for line in printed.splitlines() if len(line.split()) == 2)


def _text(program: Program) -> str:
    lines = []
    for number, predicate in enumerate(program.predicates):
        columns = ", ".join(f"c{i}: number" for i in range(predicate.arity))
        lines.append(f".decl {predicate.name}({columns})")
        lines.append(f".{'printsize' if number in program.queried else 'input'} {predicate.name}")
    for rule in program.rules():
        body = ", ".join(_shown(program, condition) for condition in rule.body)
        lines.append(f"{_shown(program, rule.head)} :- {body}.")
    return "\n".join(lines) + "\n"


def _shown(program: Program, condition: Condition) -> str:
    terms = [str(term) if term >= 0 else f"V{-1 - term}" for term in condition.terms]
    if isinstance(condition.predicate, int):
        return f"{program.predicates[condition.predicate].name}({', '.join(terms)})"
    return f"{terms[0]} {condition.predicate} {terms[1]}"


def _write_facts(program: Program, folder: Path) -> None:
    for number, predicate in enumerate(program.predicates):
        if number not in program.queried:
            rows = program.facts.get(number, [])
            text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
            (folder / f"{predicate.name}.facts").write_text(text, encoding="ascii")
