"""`hornbook solve`: problems answered by rules alone."""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from hornbook.games.domains import Solving, domain_of, must_have_problems
from hornbook.games.solving import Solver
from hornbook.inputs.opening import (
    SEARCH_MEGABYTES,
    SEARCH_SECONDS,
    JsonOption,
    SearchMemoryOption,
    SearchSecondsOption,
)
from hornbook.inputs.opening_store import RulesOfFile, StoreOption, TheoryOfStore, only, with_rules
from hornbook.kb.lower.budget import Budget
from hornbook.stores.use_of_rules import count_use
from hornbook.terminal.coloured import progress
from hornbook.theories.go.problems.answers import answer_line
from hornbook.theories.go.problems.files import read_problems


def solve(
    theory: TheoryOfStore = None,
    rules: RulesOfFile = None,
    kb: StoreOption = None,
    *,
    problems: Annotated[
        Path,
        typer.Option("--problems", metavar="FILE", help="Problems of Go or chess, .jsonl; of Go also .sgf."),
    ],
    levels: Annotated[
        int,
        typer.Option(
            "--levels", metavar="N", help="So many moves of the attacker are tried by themselves.", min=0
        ),
    ] = 0,
    seconds: SearchSecondsOption = SEARCH_SECONDS,
    memory: SearchMemoryOption = SEARCH_MEGABYTES,
    json_output: JsonOption = False,
) -> None:
    """Answer problems of Go or chess by learned rules alone: one match of each position, without search.

    A line for each problem says its value for the attacker to play first, his move and the rule. GG says that it is
    captured though the defender starts, GI that nothing is concluded of that, GP that it is then saved, PP that it is
    never captured, and unknown that no rule answers; what saves it is said too. With --levels, moves are tried and the rules are matched on what they lead to.
    Rules without a certificate of what they say are left out. A problem that takes more than --seconds, or for which the
    process grows by more than --memory, is given up: its line says so under `stopped`, and what it leaves out is unknown.
    """
    known, all_rules, asked = with_rules(theory, rules, kb, must=must_have_problems)
    base = only(all_rules, asked)
    certified = [entry.rule for entry in base if entry.is_certified]
    fired: Counter[str] = Counter()
    budget = Budget(seconds=seconds, megabytes=memory)
    domain = domain_of(known)
    if domain is not None:
        solving = domain.solving(known, certified, problems, budget)
        states = _solve(solving, levels, len(certified), fired, json_output=json_output)
        if kb is not None:
            count_use(kb, known, asked, fired, len(solving), states)
        return
    solver = Solver(known, certified, budget)
    found = read_problems(problems)
    started = time.perf_counter()
    counts: Counter[str] = Counter()
    stopped: Counter[str] = Counter()
    matched = 0
    columns = (TextColumn("solving"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    wanted = sys.stderr.isatty() and not sys.stdout.isatty()
    with progress(*columns, disable=not wanted) as bar:
        for problem in bar.track(found):
            solved = solver.solve(problem, levels)
            matched += solved.matched
            line = answer_line(
                problem,
                move=None if solved.first is None else solved.first.move,
                still_won=solved.second is not None,
                rule=None if solved.first is None else solved.first.rule,
                matched=solved.matched if levels else None,
                value=solved.value,
                saved_by=None if solved.saved is None else solved.saved.move,
                saving_rule=solved.saving_rule,
                stopped=solved.stopped,
            )
            counts[solved.value] += 1
            stopped.update([] if solved.stopped is None else [solved.stopped])
            # A rule that gives two of a problem's answers answered one problem.
            fired.update({won.rule for won in solved.reasons})
            typer.echo(line)
    if kb is not None:
        count_use(kb, known, asked, fired, len(found), matched)
    if not json_output:
        said = ", ".join(f"{counts[value]} {value}" for value in ("GG", "GP", "GI", "PP", "unknown"))
        each = 1000 * (time.perf_counter() - started) / max(len(found), 1)
        typer.echo(
            f"{len(found)} problems: {said}; {matched} positions matched with {len(certified)} rules,"
            f" {each:.1f} ms a problem",
            err=True,
        )
        if len(certified) < len(base):
            typer.echo(f"{len(base) - len(certified)} rules without certificate left out", err=True)
        _tell_stopped(stopped)


def _solve(solving: Solving, levels: int, rules: int, fired: Counter[str], *, json_output: bool) -> int:
    """Answers the problems of a domain of the table, and counts; the number of states that were matched."""
    started = time.perf_counter()
    counts: Counter[str] = Counter()
    stopped: Counter[str] = Counter()
    matched = 0
    columns = (TextColumn("solving"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    wanted = sys.stderr.isatty() and not sys.stdout.isatty()
    with progress(*columns, disable=not wanted) as bar:
        for number in bar.track(range(len(solving))):
            solved = solving.solved(number, levels)
            counts[solved.value] += 1
            matched += solved.matched
            fired.update([] if solved.rule is None else [solved.rule])
            stopped.update([] if solved.stopped is None else [solved.stopped])
            typer.echo(solved.line)
    if not json_output:
        each = 1000 * (time.perf_counter() - started) / max(len(solving), 1)
        said = ", ".join(f"{number} {value}" for value, number in sorted(counts.items()))
        typer.echo(
            f"{len(solving)} problems: {said}; {matched} positions matched with {rules} rules,"
            f" {each:.1f} ms a problem",
            err=True,
        )
        _tell_stopped(stopped)
    return matched


def _tell_stopped(stopped: Counter[str]) -> None:
    """Says for how many problems which bound was passed."""
    for reason, number in sorted(stopped.items()):
        typer.echo(f"{number} stopped: {reason}; --seconds and --memory allow more", err=True)
