"""Cost of one query with demand-driven and with full evaluation, on graphs and all shipped theories.

Each knowledge base is created anew, gets its facts and answers one query, with each engine in turn. Times are
medians of processor time in milliseconds: "to give" is the time to code the theory and give the facts, and is
included in the others. "Concluded" counts derived facts of the theory's relations, without demands. The study
fails if answers differ.

Usage:

    python -m benchmarks.engine.demand [--repeat 5] [--seed 1] [--output benchmarks/results/engine-demand.txt]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, options
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.examples import example_facts
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.engines import EngineName
from hornbook.matcher.demand import engine as demand_engine
from hornbook.matcher.demand.engine import DemandEngine

PATHS = {
    "right": "path(?x, ?z) :- edge(?x, ?y), path(?y, ?z)",
    "left": "path(?x, ?z) :- path(?x, ?y), edge(?y, ?z)",
    "doubling": "path(?x, ?z) :- path(?x, ?y), path(?y, ?z)",
}
GRAPH = """
theory graph.
sort node.
static edge(node, node).
static marked(node, node).
derived path(node, node).
step: path(?x, ?y) :- edge(?x, ?y).
further: {further}.
"""
GENERATIONS = """
theory generations.
sort node.
static parent(node, node).
derived same(node, node).
siblings: same(?x, ?y) :- parent(?z, ?x), parent(?z, ?y).
cousins: same(?x, ?y) :- parent(?z, ?x), same(?z, ?w), parent(?w, ?y).
"""
SHIPPED = {
    "family": ["ancestor(ada, ?x)", "ancestor(?x, ?y)"],
    "chess": [
        "legal(white, ?from, ?to)",
        "legal(white, e1, ?to)",
        "attacks(e1, ?to)",
        "calm(white)",
        "unattacked(black, e1)",
    ],
    "go": ["legal(black, ?p)", "legal(black, b2)", "after colour(a1, ?c)", "held(d1, ?q, ?c)"],
    "firm": ["materials_allow(bread, ?n)"],
}


@dataclass(frozen=True, slots=True)
class DemandCase:
    """Query to a theory with facts."""

    title: str
    theory: Theory
    facts: Sequence[GroundFact]
    question: str
    always: bool = False
    """Whether to rewrite the rules for the query even with few facts."""


def main() -> int:
    parser = options(__doc__, repeat=5, seed=1)
    this = Study(__file__, parser.parse_args())
    lines, wrong = (
        [_row("question", "answers", "to give", "whole", "on demand", "×", "concluded", "on demand")],
        [],
    )
    for case in cases(this.given.seed):
        measured = [measure(case, this.given.repeat, name) for name in (None, "demand")]
        (_, seconds, answers, facts), (given, lazy_seconds, lazy_answers, lazy_facts) = measured
        if answers != lazy_answers:
            wrong.append(case)
        milliseconds = [f"{1000 * each:,.2f}" for each in (given, seconds, lazy_seconds)]
        times = *milliseconds, f"{seconds / lazy_seconds:.2f}"
        lines.append(_row(case.title, f"{len(answers):,}", *times, f"{facts:,}", f"{lazy_facts:,}"))
        print(lines[-1], flush=True)
    return this.finish("\n".join(lines) + "\n", wrong)


def _row(title: str, *columns: str) -> str:
    return f"{title:<58}" + "".join(f"{column:>12}" for column in columns)


def cases(seed: int) -> Iterator[DemandCase]:
    yield from _graphs(Random(seed))
    yield from _of_theories()


def _graphs(random: Random) -> Iterator[DemandCase]:
    chain = [(node, node + 1) for node in range(1000)]
    arcs = sorted({(random.randrange(1000), random.randrange(1000)) for _ in range(3000)})
    sparse = sorted({(random.randrange(2000), random.randrange(2000)) for _ in range(1800)})
    graphs = {"chain of 1,001": chain, "random 1,000 × 3": arcs, "random 2,000 × .9": sparse}
    for rule, further in PATHS.items():
        theory = load_text(GRAPH.format(further=further))
        for title, edges in graphs.items():
            if rule == "doubling" and edges is not sparse:
                continue  # Full evaluation takes minutes.
            facts = [GroundFact("edge", (f"n{one}", f"n{other}")) for one, other in edges]
            for question in ("path(n500, ?y)", "path(?x, n500)", "path(n500, n700)"):
                yield DemandCase(f"{title}, {rule}: {question}", theory, facts, question)
            if edges is sparse:
                marks = [GroundFact("marked", ("red", f"n{node}")) for node in range(2000)]
                question = "marked(red, ?x), path(?x, ?y)"
                yield DemandCase(
                    f"{title}, {rule}: every node marked red", theory, [*facts, *marks], question
                )
    theory = load_text(GENERATIONS)
    tree = [GroundFact("parent", (f"n{(node - 1) // 2}", f"n{node}")) for node in range(1, 2**9 - 1)]
    for node in (5, 300):
        yield DemandCase(f"same generation, 510 nodes: same(n{node}, ?y)", theory, tree, f"same(n{node}, ?y)")
    yield DemandCase("same generation, 510 nodes: same(?x, ?y)", theory, tree, "same(?x, ?y)")


def _of_theories() -> Iterator[DemandCase]:
    for name, questions in SHIPPED.items():
        theory = load(name)
        state = example_facts(theory, theory.examples[0]) if theory.examples else []
        for question in questions:
            yield DemandCase(f"{name}: {question}", theory, state, question)
            if name != "family":
                title = f"{name}: {question}, by rules made for it"
                yield DemandCase(title, theory, state, question, always=True)


def measure(
    case: DemandCase, repeat: int, engine: EngineName | None
) -> tuple[float, float, Sequence[object], int]:
    """Return the seconds before one query and with it, the answers, and the number of derived facts."""
    before, times = [], []
    usual = demand_engine.FACTS_A_CONDITION
    demand_engine.FACTS_A_CONDITION = 0 if case.always else usual
    for _ in range(repeat):
        began = process_time()
        base = KnowledgeBase(case.theory, engine=engine)
        base.add(case.facts)
        before.append(process_time() - began)
        answers = base.query(case.question).to_tuples()
        times.append(process_time() - began)
    demand_engine.FACTS_A_CONDITION = usual
    inside = raw_engine(base).inside if isinstance(raw_engine(base), DemandEngine) else raw_engine(base)
    numbers = range(len(base.engine.coding.relations))
    concluded = sum(len(inside.facts(number)) - len(inside.given(number)) for number in numbers)
    return median(before), median(times), answers, concluded


if __name__ == "__main__":
    sys.exit(main())
