"""Learning from a table of states: progress, the coverage after each example, and the worth of each rule."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hornbook.commands.rules.learning.from_examples import example_task
from hornbook.commands.rules.learning.options import CoverageOptions, ExampleOptions
from hornbook.compiler.learn.covering.goals import Goal, coverage_goals
from hornbook.compiler.learn.covering.learner import CoverageLearner, CoverageStep, rules_step
from hornbook.compiler.learn.covering.measure import LearnedKnowledge
from hornbook.compiler.learn.learning import Example
from hornbook.compiler.learn.shortening.shortening import shortened
from hornbook.games.lessons import long_rules
from hornbook.inputs.rule_destination import INTERRUPTED_MESSAGE, RuleDestination
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_rule
from hornbook.kb.lower.budget import Budget
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.text.counts import counted
from hornbook.spread.coverage.covered_table import CoveredTable
from hornbook.spread.coverage.report import CoverageReport
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import INTERRUPTED, ArgumentError, ReportedError
from hornbook.terminal.messages import print_json, print_line, warn
from hornbook.terminal.plain_text import plain

if TYPE_CHECKING:
    from rich.table import Table


def learn_from_table(
    known: Theory,
    examples: Sequence[Example],
    home: RuleDestination,
    covering: CoverageOptions,
    on_examples: ExampleOptions,
    budget: Budget,
    *,
    json_output: bool,
) -> None:
    """Learn from examples and then from states, save the rules in `home`, and print a report.

    Raise ReportedError after an interruption, and if no conclusion is covered.
    """
    assert covering.states is not None
    if on_examples.backend() is not None:
        raise ArgumentError("states of a table are learned from in this process", "--workers")
    started = time.perf_counter()
    goals = _goals(known, covering.goals or ())
    states = CoveredTable(known, covering.states, budget.limits, skip_bad=covering.skip_bad)
    steps: list[CoverageStep] = []
    interrupted = False
    with progress("covering", None, lines=True) as update_progress:
        learning = LearnedKnowledge(known, home.base)
        learner = CoverageLearner(known, learning, states, goals, rules_step(on_examples.proofs), budget)
        first = learner.covered
        home.start()
        update_progress(total=learner.total, completed=first)
        try:
            for part in (learner.learn_from_examples(examples), learner.learn()):
                for step in part:
                    steps.append(step)
                    base = learner.knowledge.base
                    task = example_task(step.example, on_examples.proofs)
                    home.lesson(task, base, _outcome(step), is_learned=not step.notes)
                    update_progress(
                        completed=step.covered,
                        remark=f"{counted(len(base), 'rule')}, {step.tried:.1f} conditions tried per state",
                    )
        except KeyboardInterrupt:
            interrupted = True
    base = learner.knowledge.base
    short = shortened(base, known)
    home.finish(short.base)
    unused = [] if interrupted else learner.useless()
    reason = f"others find its conclusions in {counted(states.states, 'state')}"
    home.forget(dict.fromkeys(unused, reason), base.entries.keys() - {*unused})
    report = CoverageReport.of(learner, states.states, first, steps)
    seconds = time.perf_counter() - started
    if json_output:
        print_json({**report.to_dict(), "forgotten": unused, "seconds": round(seconds, 3)})
    else:
        for line in (*_lines(report), *long_rules(short)):
            print_line(line)
        for name in (
            dict.fromkeys(name for step in steps for name in step.admitted) if on_examples.explain else ()
        ):
            if name in base.entries:
                print_line(print_rule(base.entries[name].rule))
        if unused:
            print_line(
                f"{counted(len(unused), 'rule is', 'rules are')} not used, since others find all their"
                f" conclusions: {', '.join(unused)}; `hornbook rules restore` uses them again"
            )
        print_line(f"{report}\n{counted(len(base), 'rule')} in {home.path}; {seconds:.1f} s")
    if interrupted:
        warn(INTERRUPTED_MESSAGE)
        raise ReportedError(INTERRUPTED)
    if not report.covered:
        warn("nothing was learned: the rules find no conclusion of the theory in these states")
        raise ReportedError(1)


def _goals(known: Theory, predicates: Sequence[str]) -> list[Goal]:
    """Return the goals. Raises ArgumentError."""
    try:
        return coverage_goals(known, predicates)
    except KnowledgeBaseError as problem:
        raise ArgumentError(str(problem), "--goal") from None


def _outcome(step: CoverageStep) -> dict[str, object]:
    """Return the result of an example in the form that a store saves."""
    return {
        "covered": [step.before, step.covered],
        "admitted": list(step.admitted),
        "notes": list(step.notes),
    }


def _lines(report: CoverageReport) -> list[str]:
    """Return the notes, the coverage after each example, and the worth of each rule."""
    notes = [note for example in report.examples for note in example.notes]
    examples = _table(("example", "rules"), ("before", "covered", "tried"))
    for each in report.examples:
        numbers = f"{each.before:,}", f"{each.covered:,}", f"{each.tried:.1f}"
        examples.add_row(each.name, ", ".join(each.rules), *numbers)
    rules = _table(("rule",), ("covers", "only it", "tried", "µs"))
    for one in report.rules:
        rules.add_row(
            one.rule, f"{one.covers:,}", f"{one.only:,}", f"{one.tried:.1f}", f"{1e6 * one.seconds:.2f}"
        )
    return [*notes, *(plain(each) for each in (examples, rules) if each.row_count)]


def _table(words: Sequence[str], numbers: Sequence[str]) -> Table:
    from rich.table import Table  # noqa: PLC0415 - slow to import

    table = Table(box=None, pad_edge=False)
    for name in words:
        table.add_column(name)
    for name in numbers:
        table.add_column(name, justify="right")
    return table
