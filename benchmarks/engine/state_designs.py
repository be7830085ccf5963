"""Designs for evaluating many states of one program, measured on the same states.

1. One state after another, each given to the engine by Python and taken back from its journal.
2. A state column: every predicate has a first column with the state, and one update evaluates a block.
3. One state after another within one call of the core (`StateEngine`), Hornbook's design.
4. Generated code: the rules as a C++ program, called for each state (`hornbook rules compile`).
5. Bit-parallel: a word with 64 states for each ground instance of a rule. It is not built. The table has the
   number of ground instances in the union of 64 states, relative to the sum of those in each state. So many
   word operations replace the evaluation of one instance, and a gain needs a small number. Only matches and
   comparisons are counted.

Times are microseconds of processor time a state, medians of the runs. Input and output are columns, except in
designs 1 and 4. The states of Go are the problems of a file, each with its query, and include the facts of
the board's shape.

Usage:

    python -m benchmarks.engine.state_designs RULES.horn --problems FILE --theory FILE --states FILE
        [--number 2000] [--runs 5] [--output benchmarks/results/state-designs.txt]
"""

from __future__ import annotations

import gc
import sys
from argparse import ArgumentParser
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pyarrow.parquet

import hornbook
from benchmarks.study import Study, timed
from hornbook.compiler.match.as_code import CodeMatcher
from hornbook.compiler.match.position import query_fact
from hornbook.compiler.rules import rulebase
from hornbook.games.rules_as_code import build, compiled, write
from hornbook.games.solving import ProblemSolver
from hornbook.inputs.theories import load
from hornbook.kb.ast.parts import facts_in, rows_of
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.lower.fact_coder import FactCoder
from hornbook.kb.parse.facts import plain_fact
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.compiled.states import StateEngine
from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    ClosedSet,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Compare,
    CountOf,
    Fact,
    Limits,
    Match,
    Var,
)
from hornbook.matcher.program.engine import Measure, Statistics
from hornbook.matcher.program.errors import LimitError
from hornbook.matcher.program.scope import variables
from hornbook.matcher.program.states import StateBlock
from hornbook.theories.go.domain import DOMAIN
from hornbook.theories.go.play import question

BLOCKS = (10, 100, 1000)
MOST_SECONDS = 0.2
MOST_BYTES = 2**30
"""The limits for counting the instances of a rule."""
WORD = 64
"""The number of states in a word."""


@dataclass(frozen=True, slots=True)
class Workload:
    """A coded program, and the facts of states; `last` are the facts that are queried."""

    predicates: Sequence[CodedPredicate]
    rules: Sequence[CodedRule]
    shared: Sequence[Fact]
    states: Sequence[Sequence[Fact]]
    last: Sequence[Sequence[Fact]]
    statistics: Statistics | None


def main() -> int:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rules", type=Path)
    parser.add_argument("--problems", type=Path, required=True)
    parser.add_argument("--theory", type=Path, required=True)
    parser.add_argument("--states", type=Path, required=True)
    parser.add_argument("--number", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--output", type=Path)
    this = Study(__file__, parser.parse_args())
    texts = texts_of(this.given.states)[: this.given.number]
    table: dict[str, list[str]] = defaultdict(list)
    go, generated = go_workload(this.given.rules, this.given.problems)
    for work in (text_workload(this.given.theory, texts), go):
        expected = derived_by(in_core(work))
        for name, run in designs(work):
            if name.startswith(("state column", "in the core")):
                assert derived_by(run()) == expected, name
            table[name].append(f"{1e6 * measured(run, this.given.runs) / len(work.states):.1f}")
        table["bit-parallel: instances of 64 states together"].append(sharing(work))
    table["generated code"] = ["", f"{1e6 * measured(generated, this.given.runs) / len(go.states):.1f}"]
    lines = [f"{'':<50}{this.given.theory.stem:>12}{'go':>28}"]
    lines += [f"{name:<50}{row[0]:>12}{(*row, '')[1]:>28}" for name, row in table.items()]
    return this.finish("\n".join(lines) + "\n")


def measured(run: Callable[[], Any], runs: int) -> float:
    """Return the median processor seconds of a run, after one that is not counted.

    Garbage is not collected meanwhile, since the workloads and the results are many objects.
    """
    gc.disable()
    run()
    return median(timed(run)[0] for _ in range(runs))


def texts_of(path: Path) -> list[str]:
    found: list[str] = pyarrow.parquet.read_table(path, columns=["state"])["state"].to_pylist()
    return found


def text_workload(path: Path, texts: Sequence[str]) -> Workload:
    """Return the program of a theory, with states that are facts in the language."""
    theory = hornbook.read_theory(path)
    base = KnowledgeBase(theory)
    coding = base.engine.coding
    states = [
        [coding.fact(plain_fact(fact)) for fact in base.read_clauses(text, "state").facts] for text in texts
    ]
    rules = list(raw_engine(base).rules.values())
    shared = list(map(coding.fact_of, theory.facts))
    return Workload(coding.predicates, rules, shared, states, [[] for _ in states], None)


def go_workload(path: Path, problems: Path) -> tuple[Workload, Callable[[], Any]]:
    """Return the program of learned rules on the positions of problems, and a run of their generated code."""
    theory = load("go")
    rules = [entry.answering for entry in rulebase.read(path, theory)]
    solver = ProblemSolver(theory, rules)
    read = list(DOMAIN.read_problems(problems))
    solver.solve(read[0])
    base = solver.matcher.base
    coding = base.engine.coding
    coder = FactCoder(coding)
    queries = [DOMAIN.query_of(problem) for problem in read]
    parts = [question.parts(q.state, question.defender_of(q.state, q.game)) for q in queries]
    states = [sorted({coder.fact(f) for part in one for f in part.facts()}) for one in parts]
    last = [[coder.fact(query_fact(q.game))] for q in queries]
    shared = list(map(coding.fact_of, solver.matcher.theory_without_rules.facts))
    coded = list(raw_engine(base).rules.values())
    work = Workload(coding.predicates, coded, shared, states, last, base.statistics())

    with TemporaryDirectory() as place:
        folder = Path(place) / "rules"
        program, sample = compiled(theory, rules, problems)
        write(folder, program, sample)
        build(folder)
        matcher = CodeMatcher(theory, DOMAIN.focus_predicate, rules, folder)
        cells = [
            matcher._cells(  # noqa: SLF001 - the library alone is measured
                rows_of([*(f for part in one for f in facts_in(part.rows())), query_fact(q.game)])
            )
            for one, q in zip(parts, queries, strict=True)
        ]
        library = matcher._library  # noqa: SLF001
    return work, lambda: [library.answers(each) for each in cells]


def designs(work: Workload) -> Iterator[tuple[str, Callable[[], Any]]]:
    yield "one after another, by Python", by_python(work)
    for block in BLOCKS:
        if block <= len(work.states):
            yield f"state column, blocks of {block}", by_column(work, block)
    for block in (1, *BLOCKS):
        if block <= len(work.states):
            engine = state_engine(work)
            yield (
                f"in the core, blocks of {block}",
                lambda block=block, engine=engine: in_core(work, block, engine),
            )


def by_python(work: Workload) -> Callable[[], None]:
    engine = CompiledEngine(work.predicates, derivations="none", statistics=work.statistics)
    engine.update(add=[*work.shared, *work.states[0]])
    engine.update(add_rules=work.rules)
    engine.update(retract=work.states[0])
    groups = [(engine.group(s), engine.group(q)) for s, q in zip(work.states, work.last, strict=True)]

    def run() -> None:
        for facts, queried in groups:
            engine.push()
            engine.exchange((), (facts,))
            engine.exchange((), (queried,))
            engine.pop()

    return run


def columns(states: Sequence[Sequence[Fact]]) -> dict[int, list[array[int]]]:
    rows: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for state, facts in enumerate(states):
        for fact in facts:
            rows[fact.predicate].append((state, *fact.cells))
    return {
        number: [array("q", cells) for cells in zip(*found, strict=True)] for number, found in rows.items()
    }


def with_column(rule: CodedRule) -> CodedRule:
    """Return a rule with the state as the first column of all its predicates."""
    state = Var(rule.variables)

    def closed(each: ClosedSet) -> ClosedSet:
        return ClosedSet(each.count, each.member, (state, *each.key))

    def condition(each: CodedCondition) -> CodedCondition:
        match each:
            case Match():
                return Match(each.predicate, (state, *each.terms))
            case AllOf():
                return AllOf(closed(each.set), each.members, tuple(map(condition, each.conditions)))
            case CountOf():
                return CountOf(each.result, tuple(map(closed, each.sets)), each.width, each.excluded)
            case AggregateOf():
                inner = tuple(map(condition, each.conditions))
                return AggregateOf(each.result, each.function, each.variables, inner)
            case AbsentOf():
                return AbsentOf(tuple(map(condition, each.conditions)))
        return each

    head = Match(rule.head.predicate, (state, *rule.head.terms))
    return CodedRule(rule.id, head, tuple(map(condition, rule.body)), rule.variables + 1, rule.as_written)


def by_column(work: Workload, size: int) -> Callable[[], list[dict[int, Any]]]:
    predicates = [
        CodedPredicate(p.arity + 1, None if p.key is None else p.key + 1, p.counts) for p in work.predicates
    ]
    statistics = work.statistics and {
        number: Measure(each.rows * size, (size, *each.distinct)) for number, each in work.statistics.items()
    }
    rules = list(map(with_column, work.rules))
    parts = []
    for first in range(0, len(work.states), size):
        end = min(first + size, len(work.states))
        facts = [[*work.shared, *work.states[i], *work.last[i]] for i in range(first, end)]
        parts.append((first, columns(facts)))
    engine = CompiledEngine(predicates, derivations="none", statistics=statistics)
    engine.update(add_columns=parts[0][1])
    engine.update(add_rules=rules)
    engine.update(retract_columns=parts[0][1])

    def run() -> list[dict[int, Any]]:
        found = []
        for first, given in parts:
            engine.push()
            engine.update(add_columns=given)
            tables = {n: engine.columns(n) for n, each in enumerate(predicates)}
            found.append({n: (each[0] + first, *each[1:]) for n, each in tables.items()})
            engine.pop()
        return found

    return run


def state_engine(work: Workload) -> StateEngine:
    return StateEngine(work.predicates, work.rules, work.shared, statistics=work.statistics, threads=1)


def in_core(
    work: Workload,
    size: int = 1000,
    engine: StateEngine | None = None,
    blocks: dict[Any, Any] = {},  # noqa: B006
) -> list[dict[int, Any]]:
    engine = engine or state_engine(work)
    if (id(work), size) not in blocks:
        ranges = [(i, min(i + size, len(work.states))) for i in range(0, len(work.states), size)]
        blocks[id(work), size] = [
            (i, StateBlock(j - i, columns(work.states[i:j]), last=columns(work.last[i:j]))) for i, j in ranges
        ]
    numbers = range(len(work.predicates))
    found = []
    for first, block in blocks[id(work), size]:
        tables = engine.evaluate(block, numbers).tables
        found.append({n: (first, t) for n, t in tables.items()})
    return found


def derived_by(blocks: Sequence[Mapping[int, Any]]) -> dict[int, int]:
    """Return the number of facts of each predicate over all states, and check nothing else."""
    found: dict[int, int] = defaultdict(int)
    for tables in blocks:
        for number, table in tables.items():
            columns = table[1].states if len(table) == 2 and hasattr(table[1], "states") else table[0]
            found[number] += len(columns)
    return dict(found)


def sharing(work: Workload) -> str:
    """Return the ground instances of 64 states together, relative to those of each of them.

    Rules with too many instances to count are left out; their number follows.
    """
    engine = state_engine(work)
    block = StateBlock(WORD, columns(work.states[:WORD]), last=columns(work.last[:WORD]))
    tables = engine.evaluate(block, range(len(work.predicates))).tables
    states: list[set[Fact]] = [set() for _ in range(WORD)]
    for number, table in tables.items():
        for state, *cells in zip(table.states, *table.cells, strict=True):
            states[state].add(Fact(number, tuple(cells)))
    together = instances(work, set().union(*states), work.rules)
    counted = [rule for rule in work.rules if rule.id in together]
    apart = sum(sum(instances(work, each, counted).values()) for each in states)
    left_out = len(work.rules) - len(counted)
    return f"{sum(together.values()) / max(1, apart):.2f}" + (f" ({left_out} left out)" if left_out else "")


def instances(work: Workload, facts: set[Fact], rules: Sequence[CodedRule]) -> dict[Any, int]:
    """Return the number of instances of the matches and comparisons of rules, if it can be counted."""
    plain = [CodedPredicate(each.arity) for each in work.predicates]
    engine = CompiledEngine(plain, derivations="none", limits=Limits(seconds=MOST_SECONDS, bytes=MOST_BYTES))
    engine.update(add=facts)
    found = {}
    for rule in rules:
        body = [each for each in rule.body if isinstance(each, Match)]
        known = set().union(*map(variables, body))
        body += [each for each in rule.body if isinstance(each, Compare) and set(variables(each)) <= known]
        with suppress(LimitError):
            found[rule.id] = (
                len(engine.query_columns(body, [Var(v) for v in sorted(known)])[0]) if known else 1
            )
    return found


if __name__ == "__main__":
    sys.exit(main())
