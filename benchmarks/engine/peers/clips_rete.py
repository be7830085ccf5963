"""Peer CLIPS: an incremental Rete network that stores partial matches.

In the workload of many rules, a match is an activation on the agenda, and no rule fires. An update thus costs
CLIPS only the maintenance of its network and agenda. Recursive rules assert their conclusions.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

import clips  # type: ignore[import-untyped]  # published without type hints

from benchmarks.engine.measure import Outcome, Stopwatch, Task, checksum, median, resident
from benchmarks.engine.program_text import Clause, Condition, Program, Row, read

LEAST_CHECKED = 200_000
"""Maximal number of facts that are read back for their checksum; reading more takes longer than the run."""
_OPERATORS = {"!=": "<>"}


def run(task: Task) -> Outcome:
    program = read(task.program)
    environment = clips.Environment()
    for predicate in program.predicates:
        slots = "".join(f" (slot c{i} (type INTEGER))" for i in range(predicate.arity))
        environment.build(f"(deftemplate {predicate.name}{slots})")
    outcome = _many_rules(program, environment) if program.updates else _saturate(program, environment)
    outcome.version = f"clipspy {version('clipspy')}"
    return outcome


def _fact(program: Program, predicate: int, row: Row) -> str:
    return f"({program.predicates[predicate].name}{_slots(row)})"


def _slots(terms: tuple[int, ...]) -> str:
    return "".join(f" (c{i} {term if term >= 0 else f'?v{-1 - term}'})" for i, term in enumerate(terms))


def _condition(program: Program, condition: Condition) -> str:
    if isinstance(condition.predicate, int):
        return _fact(program, condition.predicate, condition.terms)
    left, right = (term if term >= 0 else f"?v{-1 - term}" for term in condition.terms)
    return f"(test ({_OPERATORS.get(condition.predicate, condition.predicate)} {left} {right}))"


def _rule(program: Program, number: int, rule: Clause, *, fires: bool) -> str:
    body = " ".join(_condition(program, condition) for condition in rule.body)
    action = f"(assert {_condition(program, rule.head)})" if fires else ""
    return f"(defrule r{number} {body} => {action})"


def _saturate(program: Program, environment: clips.Environment) -> Outcome:
    rules = [_rule(program, number, rule, fires=True) for number, rule in enumerate(program.rules())]
    facts = [_fact(program, p, row) for p, rows in program.facts.items() for row in rows]
    (queried,) = program.queried
    watch = Stopwatch()
    for rule in rules:
        environment.build(rule)
    for fact in facts:
        environment.assert_string(fact)
    environment.run()
    seconds = watch.seconds()
    found = environment.find_template(program.predicates[queried].name)
    result = {"tuples": sum(1 for _ in found.facts())}
    if result["tuples"] <= LEAST_CHECKED:
        columns = [f"c{i}" for i in range(program.predicates[queried].arity)]
        result["checksum"] = checksum(tuple(fact[c] for c in columns) for fact in found.facts())
    return Outcome({"total": seconds}, result)


def _matches(environment: clips.Environment) -> int:
    return sum(1 for _ in environment.activations())


def _many_rules(program: Program, environment: clips.Environment) -> Outcome:
    facts = [(p, row) for p, rows in program.facts.items() for row in rows]
    before = resident()
    watch = Stopwatch()
    for rule in _texts(program):
        environment.build(rule)
    adding = watch.seconds() - _reading(program)
    watch = Stopwatch()
    asserted = {fact: environment.assert_string(_fact(program, *fact)) for fact in facts}
    matching = watch.seconds()
    matches = _matches(environment)
    times = []
    for update in program.updates:
        fact = _fact(program, *update.added)
        watch = Stopwatch()
        asserted.pop(update.removed).retract()
        asserted[update.added] = environment.assert_string(fact)
        times.append(watch.seconds())
    result = {"matches": matches, "after": {len(program.updates) - 1: _matches(environment)}}
    seconds = {"add": adding, "match": matching, "first update": times[0], "update": median(times)}
    return Outcome(seconds, result, resident() - before)


def _texts(program: Program) -> Iterator[str]:
    return (_rule(program, number, rule, fires=False) for number, rule in enumerate(program.rules()))


def _reading(program: Program) -> float:
    """Return the seconds to make the texts of the rules, which is not work of CLIPS."""
    watch = Stopwatch()
    for _ in _texts(program):
        pass
    return watch.seconds()
