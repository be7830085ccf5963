"""`hornbook audit`: whether what learned rules conclude of positions is true."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from hornbook.compiler.rules.admission import RuleBase
from hornbook.games.audit_of_rules import PART, SAFE, Audit, Tally, audited
from hornbook.games.domains import domain_of, speaks_of_captures
from hornbook.inputs.opening import (
    SEARCH_MEGABYTES,
    SEARCH_SECONDS,
    JsonOption,
    SearchMemoryOption,
    SearchSecondsOption,
)
from hornbook.inputs.opening_store import RulesOfFile, StoreOption, TheoryOfStore, with_rules
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_rule
from hornbook.terminal.coloured import progress
from hornbook.theories.go.diagram import print_diagram
from hornbook.theories.go.problems.files import read_problems

SHOWN = 5
"""So many wrong conclusions are shown with their position and proof; the others are counted."""


def audit(
    theory: TheoryOfStore = None,
    rules: RulesOfFile = None,
    kb: StoreOption = None,
    positions: Annotated[int, typer.Option(help="How many positions of random games.", min=0)] = 1000,
    seed: Annotated[int, typer.Option(help="What they are made from.")] = 1,
    problems: Annotated[
        list[Path] | None,
        typer.Option("--problems", metavar="FILE", help="Problems of Go, whose boards are judged too."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes that share the work.", min=1)] = 1,
    seconds: SearchSecondsOption = SEARCH_SECONDS,
    memory: SearchMemoryOption = SEARCH_MEGABYTES,
    json_output: JsonOption = False,
) -> None:
    """Compare what rules conclude with exhaustive search, to the depth that each rule's proof has.

    All conclusions on all blocks are judged. That a block is safe is held against every attack of five moves, and
    against random play where its owner follows the rules. Each wrong one is shown with its position, rule and proof; then the
    exit code is 1. A match that takes more than --seconds or --memory is counted as stopped: nothing of it is judged.
    """
    boards = tuple(problem.board for file in problems or () for problem in read_problems(file))
    # What search says is asked of every certificate, whatever the checker says.
    known, base, asked = with_rules(theory, rules, kb, verify=False, must=_must_be_of_go)
    wanted = Audit(known, base, asked, positions, seed, boards, seconds, memory)
    started = time.perf_counter()
    total = Tally()
    columns = (TextColumn("auditing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with progress(*columns, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=positions + len(boards))
        for tally in audited(wanted, jobs):
            total.add(tally)
            bar.update(task, advance=PART)
    took = time.perf_counter() - started
    typer.echo(json.dumps(_as_json(total, took)) if json_output else _text(total, took))
    if total.wrong:
        if not json_output:
            _show(total, base)
        raise typer.Exit(1)


def _must_be_of_go(theory: Theory) -> None:
    if domain_of(theory) is not None or not speaks_of_captures(theory):
        raise typer.BadParameter(
            f"rules of `{theory.name}` are not judged: the search is of captures in Go", param_hint="THEORY"
        )


def _as_json(total: Tally, seconds: float) -> dict[str, object]:
    return {
        "positions": total.positions,
        "right": {_depth(depth): total.right[depth] for depth in sorted(total.right)},
        "undecided": {_depth(depth): total.undecided[depth] for depth in sorted(total.undecided)},
        "rules": len(total.fired),
        "wrong": [{"rule": w.rule, "said": w.said, "position": print_diagram(w.board)} for w in total.wrong],
        "stopped": dict(total.stopped),
        "seconds": round(seconds, 3),
    }


def _depth(depth: int) -> str:
    return "safe" if depth == SAFE else str(depth)


def _text(total: Tally, seconds: float) -> str:
    lines = [f"depth  {'right':>9}{'undecided':>11}"]
    for depth in sorted({*total.right, *total.undecided}):
        lines.append(f"{_depth(depth):>5}  {total.right[depth]:>9}{total.undecided[depth]:>11}")
    lines.append(
        f"{total.positions} positions, {total.right.total() + total.undecided.total() + len(total.wrong)}"
        f" conclusions by {len(total.fired)} rules: {len(total.wrong)} wrong; {seconds:.1f} s"
    )
    for reason, number in total.stopped.most_common():
        lines.append(f"{number} matches stopped: {reason}; --seconds and --memory allow more")
    return "\n".join(lines)


def _show(total: Tally, base: RuleBase) -> None:
    """The first wrong conclusions with position, rule and certificate."""
    for wrong in total.wrong[:SHOWN]:
        entry = base.entries[wrong.rule]
        typer.echo(f"\nwrong: {wrong.said}, says {wrong.rule}\n{print_diagram(wrong.board).rstrip()}")
        typer.echo(f"{print_rule(entry.rule).rstrip()}\n{entry.certificate}")
