"""Cost of learning: rules per second, the time of each stage, its growth, and problems of a game.

Two growths are measured on one core. The first is with the length of the proof: a chain of steps, whose rule
has as many conditions. The second is with the number of rules in a rule base: rules of 8 conditions over
random colours and connections, with a new one admitted to each base. The share of each stage refers to
learning one rule. The problems are the first ones of Go, proved reply by reply, each with the rules of those
before it. Figures are medians of several runs; the seed determines the rules.

Usage:

    python benchmarks/rules/learning.py [--runs 5] [--seed 1] [--problems 100] [--output FILE]
"""

from __future__ import annotations

import argparse
import platform
import random
import statistics
import time
from functools import partial
from pathlib import Path

import hornbook
from hornbook.compiler.checker.certificate import Certificate, fingerprint_of_rule
from hornbook.compiler.checker.checker import verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.generalise.explanation import explain
from hornbook.compiler.generalise.generalisation import generalise
from hornbook.compiler.generalise.regression import regress
from hornbook.compiler.learn.learner import ProvedExample, learn
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, admit, rule_base
from hornbook.games.lessons import learner_for, lessons_in
from hornbook.inputs.domains import the_domain
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Comparison, Constant, Rule, Variable
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.examples import example_facts
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse_query

CHAIN = """
theory chain.
sort place.
static next(place, place).
fluent at(place).
action walk(place).
derived near(place).
derived reached(place).
near_where_it_is: near(?x) :- at(?x).
reached_at_once: reached(?x) :- near(?x).
reached_step_by_step: reached(?y) :- reached(?x), next(?x, ?y).
"""

GO = Path(__file__).parents[2] / "theories" / "go"
BOARD = """
theory board.
sort point.
sort colour = black | white | empty.
static neighbour(point, point).
fluent colour(point -> colour).
fluent liberties(point -> int).
derived goal(point).
"""


def median_of(runs: int, work) -> tuple[float, object]:
    times = []
    for _ in range(runs):
        started = time.process_time()
        result = work()
        times.append(time.process_time() - started)
    return statistics.median(times), result


def stages(theory, facts, goal, runs: int) -> dict[str, float]:
    """Return the seconds of each stage of learning one rule, and of the whole."""

    def saturate():
        base = KnowledgeBase(theory)
        base.add(facts)
        return base

    saturation, base = median_of(runs, saturate)
    fact = base.engine.coding.fact_of(goal)
    explanation_time, explanation = median_of(runs, lambda: explain(base.engine, fact))
    generalising, regressed = median_of(
        runs, lambda: regress(generalise(explanation, theory.vocabulary), theory.vocabulary, "rule")
    )
    certificate = certificate_of(regressed.rule, regressed.steps, theory, {})
    certifying, _ = median_of(runs, lambda: verify(regressed.rule, certificate, theory))
    learning, learned = median_of(runs, lambda: learn(explanation, theory, "rule"))
    assert isinstance(learned, ProvedExample), learned
    entry = RuleEntry(learned.rule, learned.certificate, None)
    admitting, _ = median_of(runs, lambda: admit(rule_base(theory.name, [entry]), entry))
    return {
        "steps": len(learned.certificate.steps),
        "conditions": len(learned.rule.body),
        "saturation": saturation,
        "explanation": explanation_time,
        "generalisation": generalising,
        "certification": certifying,
        "simplification": max(0.0, learning - generalising - certifying),
        "subsumption": admitting,
        "whole": saturation + explanation_time + learning + admitting,
    }


def chain(length: int):
    theory = load_text(CHAIN)
    facts = [
        GroundFact("at", ("p0",)),
        *(GroundFact("next", (f"p{i}", f"p{i + 1}")) for i in range(length - 2)),
    ]
    (goal,) = parse_query(f"before reached(p{length - 2})").conditions
    return theory, facts, goal


def paper():
    theory = load(Path(__file__).parents[2] / "theories" / "classical" / "paper")
    (goal,) = parse_query("before take(i3) by move(black, i4) is GIII").conditions
    return theory, example_facts(theory, theory.examples[0]), goal


def rules_of_problems(number: int) -> int:
    """Return the number of rules learned from the first problems of Go."""
    theory = load(GO)
    lessons = lessons_in(theory, [GO / "problems" / "hundred.jsonl"])[:number]
    domain = the_domain(theory, "what its problems are")
    learner = learner_for(theory, domain, lessons[0].game.predicate, RuleBase(theory.name))
    for _ in learner.learn(lessons):
        pass
    return len(learner.base)


def random_rule(rng: random.Random, number: int) -> Rule:
    """Return a connected pattern of six points with colours and liberties, like learned rules of games."""
    points = [Variable(f"p{i}") for i in range(6)]
    body = [
        Atom("colour", (points[0], Constant("white"))),
        Atom("liberties", (points[0], Constant(rng.randint(1, 4)))),
    ]
    for i in range(1, 6):
        colour = rng.choice(["black", "white", "empty"])
        body.append(Atom("neighbour", (points[rng.randrange(i)], points[i])))
        body.append(Atom("colour", (points[i], Constant(colour))))
        if colour != "empty":
            body.append(Atom("liberties", (points[i], Constant(rng.randint(1, 5)))))
    one, other = rng.sample(points[1:], 2)
    body.append(Comparison("!=", one, other))
    return Rule(Atom("goal", (points[0],)), tuple(body), f"goal_{number}")


def certified(rule: Rule) -> RuleEntry:
    """Return an entry that counts as certified; admission does not check its certificate."""
    return RuleEntry(rule, Certificate(1, fingerprint_of_rule(rule), (), ()), None)


def _admit_each(base, entries) -> None:
    for entry in entries:
        admit(base, entry)


def growth_of_admission(seed: int, sizes: list[int], runs: int) -> list[tuple[int, int, float]]:
    rng = random.Random(seed)
    rows = []
    base = rule_base("board", [])
    tried = 0
    for size in sizes:
        while len(base) < size and tried < 40 * size:
            tried += 1
            base = admit(base, certified(random_rule(rng, tried))).base
        fresh = [certified(random_rule(rng, 10**6 + i)) for i in range(20)]
        seconds, _ = median_of(runs, partial(_admit_each, base, fresh))
        rows.append((len(base), tried, seconds / len(fresh)))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--problems", type=int, default=100)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    options = f"--runs {arguments.runs} --seed {arguments.seed} --problems {arguments.problems}"
    lines = [
        f"command: python benchmarks/rules/learning.py {options}",
        f"hornbook {hornbook.__version__}, Python {platform.python_version()}; CPU seconds, medians",
        "",
    ]
    columns = [
        "saturation",
        "explanation",
        "generalisation",
        "certification",
        "simplification",
        "subsumption",
    ]
    lines.append(
        f"{'example':12} {'steps':>6} {'conditions':>10} {'seconds':>9} {'rules/s':>8}  " + "  ".join(columns)
    )
    for name, (theory, facts, goal) in {
        "5x1 board": paper(),
        **{f"chain {n}": chain(n) for n in (10, 100, 1000)},
    }.items():
        found = stages(theory, facts, goal, arguments.runs)
        shares = "  ".join(f"{found[c] / found['whole']:>{len(c)}.0%}" for c in columns)
        lines.append(
            f"{name:12} {found['steps']:6} {found['conditions']:10} {found['whole']:9.4f}"
            f" {1 / found['whole']:8.1f}  {shares}"
        )
    lines += ["", f"{'rules there':>12} {'rules tried':>12} {'ms to admit one more':>22}"]
    for there, tried, seconds in growth_of_admission(arguments.seed, [10, 100, 1000, 10_000], arguments.runs):
        lines.append(f"{there:12} {tried:12} {1000 * seconds:22.3f}")
    seconds, rules = median_of(arguments.runs, partial(rules_of_problems, arguments.problems))
    lines += ["", f"{arguments.problems} problems of Go: {rules} rules in {seconds:.1f} s"]
    text = "\n".join(lines) + "\n"
    print(text)
    if arguments.output:
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        arguments.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
