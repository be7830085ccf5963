"""Peer clingo: grounding alone answers programs without choice; updates ground everything again."""

from __future__ import annotations

import clingo

from benchmarks.engine.measure import Outcome, Stopwatch, Task, checksum, median, resident
from benchmarks.engine.program_text import Condition, Program, read

RERUNS = 3


def run(task: Task) -> Outcome:
    program = read(task.program)
    outcome = _many_rules(program) if program.updates else _saturate(program)
    outcome.version = f"clingo {clingo.__version__}"
    return outcome


def _shown(program: Program, condition: Condition) -> str:
    terms = [str(term) if term >= 0 else f"V{-1 - term}" for term in condition.terms]
    if isinstance(condition.predicate, int):
        return f"{program.predicates[condition.predicate].name}({','.join(terms)})"
    return f"{terms[0]} {condition.predicate} {terms[1]}"


def _rules(program: Program) -> str:
    return "".join(
        f"{_shown(program, rule.head)} :- {', '.join(_shown(program, c) for c in rule.body)}.\n"
        for rule in program.rules()
    )


def _facts(program: Program) -> str:
    return "".join(
        f"{_shown(program, Condition(predicate, row))}.\n"
        for predicate, rows in program.facts.items()
        for row in rows
    )


def _count(program: Program, control: clingo.Control) -> int:
    queried = [program.predicates[number] for number in program.queried]
    atoms = control.symbolic_atoms
    return sum(sum(1 for _ in atoms.by_signature(p.name, p.arity)) for p in queried)


def _checksum(program: Program, control: clingo.Control) -> int:
    queried = [program.predicates[number] for number in program.queried]
    atoms = control.symbolic_atoms
    rows = (
        tuple(argument.number for argument in atom.symbol.arguments)
        for p in queried
        for atom in atoms.by_signature(p.name, p.arity)
    )
    return checksum(rows)


def _saturate(program: Program) -> Outcome:
    rules, facts = _rules(program), _facts(program)
    watch = Stopwatch()
    control = clingo.Control(["--warn=none"])
    control.add("base", [], facts + rules)
    control.ground([("base", [])])
    seconds = watch.seconds()
    return Outcome(
        {"total": seconds},
        {"tuples": _count(program, control), "checksum": _checksum(program, control)},
    )


def _many_rules(program: Program) -> Outcome:
    before = resident()
    rules = _rules(program)
    watch = Stopwatch()
    control = clingo.Control(["--warn=none"])
    control.add("base", [], rules)
    adding = watch.seconds()
    watch = Stopwatch()
    control.add("base", [], _facts(program))
    control.ground([("base", [])])
    matching = watch.seconds()
    result = {"matches": _count(program, control), "checksum": _checksum(program, control)}
    used = resident() - before
    times, after = [], []
    for update in program.updates[:RERUNS]:
        program.facts[update.removed[0]].remove(update.removed[1])
        program.facts[update.added[0]].append(update.added[1])
        watch = Stopwatch()
        control = clingo.Control(["--warn=none"])
        control.add("base", [], rules + _facts(program))
        control.ground([("base", [])])
        times.append(watch.seconds())
        after.append(_count(program, control))
    seconds = {"add": adding, "match": matching, "update": median(times)}
    return Outcome(seconds, {**result, "after": after}, used)
