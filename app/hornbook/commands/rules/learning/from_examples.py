"""Learning from examples in the language: the results of each example, and the summary."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hornbook.compiler.learn.driver import Spread
from hornbook.compiler.learn.effects.missing_keys import missing_keys
from hornbook.compiler.learn.learning import Example, ExampleOutcome, ExampleProgress, learn_all
from hornbook.compiler.learn.shortening.shortening import shortened
from hornbook.compiler.rules.admission import RuleBase
from hornbook.games.lessons import long_rules
from hornbook.inputs.rule_destination import INTERRUPTED_MESSAGE, LearningTask, RuleDestination
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.coded import Limits
from hornbook.spread.places import BackendOpener, in_order, results
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import INTERRUPTED, ReportedError
from hornbook.terminal.messages import print_json, print_line, warn


def learn_from_examples(
    known: Theory,
    examples: Sequence[Example],
    home: RuleDestination,
    shared: BackendOpener | None,
    proofs: int,
    limits: Limits,
    *,
    explain: bool,
    json_output: bool,
) -> None:
    """Learn from examples, save the rules in `home`, and print the results.

    Raise Exit after an interruption, if an example has a fault, a gap or a refused rule, and if new examples
    gave no proof.

    Args:
        known: The theory.
        shared: The processes that share the work; None for this process.
        proofs: The maximum number of proofs to try for each goal.
        explain: Whether the text of each learned rule is printed.
    """
    base = home.base
    tasks = {id(example): example_task(example, proofs) for example in examples}
    new = [example for example in examples if not home.knows(tasks[id(example)])]
    counts = "examples known proofs admitted subsumed repeating dropped refused gaps faults"
    totals = {**dict.fromkeys(counts.split(), 0), "known": len(examples) - len(new)}
    remarks: list[str] = []
    started = time.perf_counter()
    interrupted = False
    with (
        _spread(shared if new else None) as spread,
        progress("learning", len(new), lines=True) as update_progress,
    ):
        home.start()
        try:
            for step in learn_all(new, known, base, max_proofs=proofs, spread=spread, limits=limits):
                base, outcome = step.base, step.outcome
                if not outcome.fault:  # the fault may come from a limit
                    is_learned = not (outcome.gaps or outcome.refused)
                    home.lesson(tasks[id(step.task)], base, _outcome(step), is_learned=is_learned)
                _count(totals, step)
                remarks += _remarks(step, explain=explain)
                update_progress(
                    advance=1, remark=f"{totals['admitted']} admitted, {totals['subsumed']} subsumed"
                )
        except KeyboardInterrupt:
            interrupted = True
    remarks += _keys(base, known, examples)
    short = shortened(base, known)
    base = short.base
    home.finish(base)
    remarks += long_rules(short)
    seconds = time.perf_counter() - started
    if json_output:
        print_json({**totals, "rules": len(base), "seconds": round(seconds, 3), "notes": remarks})
    else:
        for line in remarks:
            print_line(line)
        print_line(
            f"{counted(totals['examples'], 'example')}{_and_known(totals['known'])},"
            f" {counted(totals['proofs'], 'proof')}:"
            f" {counted(totals['admitted'], 'rule')} admitted,"
            f" {totals['subsumed']} subsumed,{_repeating(totals['repeating'])} {totals['dropped']}"
            " dropped for more general ones,"
            f" {totals['refused']} refused, {counted(totals['gaps'], 'gap')}\n"
            f"{counted(len(base), 'rule')} in {home.path}; {seconds:.1f} s"
        )
    if interrupted:
        warn(INTERRUPTED_MESSAGE)
        raise ReportedError(INTERRUPTED)
    has_learned = totals["proofs"] > 0 or not new
    if totals["faults"] or totals["gaps"] or totals["refused"] or not has_learned:
        raise ReportedError(1)


@contextmanager
def _spread(shared: BackendOpener | None) -> Iterator[Spread[Example, ExampleOutcome] | None]:
    """Yield a function that applies another one to parts of the work in several processes, or None."""
    if shared is None:
        yield None
        return
    with shared() as place:
        yield lambda function, parts: in_order(results(place, function, enumerate(parts)))


def example_task(example: Example, proofs: int) -> LearningTask:
    """Return an example as a task: its facts as JSON lines, its goals and the number of proofs as text."""
    facts = "\n".join(_fact_text(fact) for fact in example.facts)
    goals = ", ".join(map(print_condition, example.goals))
    earlier = "".join(f"; {_fact_text(fact)}" for state in example.earlier for fact in state)
    return LearningTask(example.name, example.file, facts, f"{goals}; {proofs} proofs{earlier}")


def _fact_text(fact: GroundFact) -> str:
    return json.dumps([fact.relation, *fact.values, fact.tense], ensure_ascii=False)


def _outcome(step: ExampleProgress) -> dict[str, object]:
    """Return the result of an example in the form that a store saves."""
    return {
        "proofs": step.outcome.proofs,
        "admitted": [entry.rule.name for entry in step.admitted],
        "subsumed": [[entry.rule.name, by] for entry, by in step.subsumed],
        "repeating": [each.of.name for each in step.left_out],
        "refused": [refused.reason for refused in step.outcome.refused],
        "gaps": [str(gap) for gap in step.outcome.gaps],
    }


def _and_known(number: int) -> str:
    return f" ({number} more were learned from before)" if number else ""


def _repeating(number: int) -> str:
    return f" {number} left out that repeat the theory," if number else ""


def _count(totals: dict[str, int], step: ExampleProgress) -> None:
    outcome = step.outcome
    totals["examples"] += 1
    totals["proofs"] += outcome.proofs
    totals["admitted"] += len(step.admitted)
    totals["subsumed"] += len(step.subsumed)
    totals["repeating"] += len(step.left_out)
    totals["dropped"] += len(step.dropped)
    totals["refused"] += len(outcome.refused)
    totals["gaps"] += len(outcome.gaps)
    totals["faults"] += bool(outcome.fault)


def _keys(base: RuleBase, theory: Theory, examples: Sequence[Example]) -> list[str]:
    """Return the suggested keys, for rules that repeat a condition with other terms."""
    states = [state for example in examples for state in (*example.earlier, example.facts)]
    states += [entry.provenance.facts for entry in base if entry.provenance is not None]
    rules = (*(entry.rule for entry in base), *base.definitions.clauses)
    return list(map(str, missing_keys(rules, theory.vocabulary, states)))


def _remarks(step: ExampleProgress, *, explain: bool) -> list[str]:
    """Return the remarks about one example, in addition to its counts."""
    where = f"{step.task.file}: {step.task.name}"
    remarks = [f"{where}: {step.outcome.fault}"] if step.outcome.fault else []
    if not (step.outcome.proofs or step.outcome.gaps or step.outcome.fault):
        skipped = step.task.skipped_goals or ("nothing is expected of it",)
        remarks.append(f"{where}: nothing to learn: {'; '.join(skipped)}; and no game has a new value")
    remarks += [f"{where}: refused: {print_condition(r.goal)}: {r.reason}" for r in step.outcome.refused]
    remarks += [
        f"{where}: the rule of `{print_condition(r.goal)}` has no invented predicates: {r.reason}"
        for r in step.outcome.flat
    ]
    remarks += [
        f"{where}: the rule of `{print_condition(r.goal)}` is about chains of one length: {r.reason}"
        for r in step.outcome.of_one_length
    ]
    remarks += [f"{where}: gap: {gap}" for gap in step.outcome.gaps]
    remarks += [f"{where}: {repetition}" for repetition in step.repeating]
    if explain:
        remarks += [f"{where}: learned\n{print_rule(entry.rule)}" for entry in step.admitted]
        remarks += [f"{where}: {entry.rule.name} says no more than {by}" for entry, by in step.subsumed]
    return remarks
