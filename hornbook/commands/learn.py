"""`hornbook learn`: proved general rules from worked examples."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from compiler import rulebase
from compiler.admission import RuleBase
from compiler.learning import Progress as Step
from compiler.learning import across_processes, in_turn, learn_all, read_examples
from hornbook.lessons import are_problems, learn_problems
from hornbook.opening import JsonOption, TheoryArgument
from kb.loader import load
from kb.printer import print_condition, print_rule


def learn(
    theory: TheoryArgument,
    into: Annotated[
        Path, typer.Option("--into", metavar="RULES.horn", help="Where the rules go; what is there stays.")
    ],
    problems: Annotated[
        list[Path] | None,
        typer.Option(
            "--problems",
            metavar="FILE",
            help="Files with examples, or problems of Go (.jsonl, .sgf); the theory's own examples if not given.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes that share the work.", min=1)] = 1,
    proofs: Annotated[
        int, typer.Option(help="Proofs tried for each goal; the most general rule stays.", min=1)
    ] = 1,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print every rule with the proof it generalises.")
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Learn general rules from examples, each proved from the theory, and add them to a rule base.

    An example is an `example` clause: a state with an action. What its `expect` clauses say is learned, or,
    where there are none, every new statement on a game. The rules do not depend on the number of jobs.
    Ctrl-C keeps what is admitted (exit code 130). Exit code 1 where an example is not learned from.

    A problem of Go is proved reply by reply, and each proof on the way gives a rule. Later problems rest on what
    earlier ones taught, so they are taken one after the other, whatever the number of jobs.
    """
    known = load(theory)
    if problems and are_problems(problems):
        learn_problems(known, problems, into, json_output=json_output)
        return
    base = rulebase.read(into, known) if into.exists() else RuleBase(known.name)
    files: list[Path | str] = list(problems) if problems else [theory]
    examples = [e for file in files for e in read_examples(file, known)]
    spread = in_turn if jobs == 1 else across_processes(jobs)
    totals = {
        "examples": 0,
        "proofs": 0,
        "admitted": 0,
        "subsumed": 0,
        "dropped": 0,
        "refused": 0,
        "gaps": 0,
        "faults": 0,
    }
    said: list[str] = []
    started = time.perf_counter()
    console = Console(stderr=True)
    columns = (
        TextColumn("learning"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[counts]}"),
    )
    interrupted = False
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=len(examples), counts="")
        try:
            for step in learn_all(examples, known, base, max_proofs=proofs, spread=spread):
                base = step.base
                _count(totals, step)
                said += _sayings(step, explain=explain)
                bar.update(
                    task, advance=1, counts=f"{totals['admitted']} admitted, {totals['subsumed']} subsumed"
                )
        except KeyboardInterrupt:
            interrupted = True
    rulebase.write(base, into)
    seconds = time.perf_counter() - started
    if json_output:
        typer.echo(
            json.dumps(
                {**totals, "rules": len(base), "seconds": round(seconds, 3), "notes": said},
                ensure_ascii=False,
            )
        )
    else:
        for line in said:
            typer.echo(line)
        typer.echo(
            f"{totals['examples']} examples, {totals['proofs']} proofs: {totals['admitted']} rules admitted,"
            f" {totals['subsumed']} subsumed, {totals['dropped']} dropped for more general ones,"
            f" {totals['refused']} refused, {totals['gaps']} gaps\n"
            f"{len(base)} rules in {into}; {seconds:.1f} s"
        )
    if interrupted:
        raise typer.Exit(130)
    if totals["faults"] or totals["gaps"] or totals["refused"]:
        raise typer.Exit(1)


def _count(totals: dict[str, int], step: Step) -> None:
    outcome = step.outcome
    totals["examples"] += 1
    totals["proofs"] += outcome.proofs
    totals["admitted"] += len(step.admitted)
    totals["subsumed"] += len(step.subsumed)
    totals["dropped"] += len(step.dropped)
    totals["refused"] += len(outcome.refused)
    totals["gaps"] += len(outcome.gaps)
    totals["faults"] += bool(outcome.fault)


def _sayings(step: Step, *, explain: bool) -> list[str]:
    """What there is to say of one example beside its counts."""
    where = f"{step.outcome.example.file}: {step.outcome.example.name}"
    said = [f"{where}: {step.outcome.fault}"] if step.outcome.fault else []
    if not (step.outcome.proofs or step.outcome.gaps or step.outcome.fault):
        said.append(
            f"{where}: nothing to learn: no expectation is a ground statement, and no game has a new value"
        )
    said += [f"{where}: refused: {print_condition(r.goal)}: {r.reason}" for r in step.outcome.refused]
    said += [f"{where}: gap: {gap}" for gap in step.outcome.gaps]
    if explain:
        said += [f"{where}: learned\n{print_rule(entry.rule)}" for entry in step.admitted]
        said += [f"{where}: {entry.rule.name} says no more than {by}" for entry, by in step.subsumed]
    return said
