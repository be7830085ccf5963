"""The command `hornbook problems solve`: problems answered by rules alone."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from hornbook.commands import options
from hornbook.commands.option_groups import SearchLimitOptions
from hornbook.commands.options import option
from hornbook.compiler.match.position import SharedRules
from hornbook.compiler.match.ready_cache import matching_key
from hornbook.games.solving import ProblemSolver
from hornbook.inputs.answer_files import Form
from hornbook.inputs.domains import domain_argument, require_domain
from hornbook.inputs.opening_store import with_rules
from hornbook.kb.sources.collector import lasting_objects
from hornbook.kb.text.counts import counted
from hornbook.stores.use_counts import count_use
from hornbook.terminal.coloured import progress
from hornbook.terminal.messages import print_line, warn


def solve(
    theory: options.Theory,
    rules: options.Rules = None,
    *,
    problems: Annotated[
        Path,
        option("--problems", "FILE", "Problems that the theory's domain reads, .jsonl; of Go also .sgf."),
    ],
    levels: options.Levels = 0,
    into: options.IntoFile = None,
    bounds: SearchLimitOptions,
    limit: options.Limit = None,
    csv_output: options.Csv = False,
    json_output: options.Json = False,
) -> None:
    """Solve problems with learned rules alone: one match of each position, without search.

    A line for each problem gives its value, the attacker's first move and the rule. In Go, GG means that the
    block is captured even if the defender plays first. GP means that the defender saves the block by playing
    first; the line also gives the saving move. GI means that the result with the defender first is unknown.
    PP means that the block is never captured; with rules of the theory `outlasting` it means: not captured
    within five moves of the attacker. The value is unknown if no rule answers.

    With --levels, the command tries moves and matches the rules on the resulting positions. Rules without a
    valid certificate are not used. A problem is given up if it takes more than --seconds, or if the process
    grows by more than --memory. Its line then has the reason under `stopped`, and missing results are
    unknown.
    """
    form = Form(limit, csv_output, into, json_output)
    form.must_be_writable([problems])
    with lasting_objects():
        learned = with_rules(theory, rules, must=require_domain("what its problems are"))
        known, base = learned.theory, learned.active_base
        entries = [entry for entry in base if entry.is_certified]
        certified = [entry.rule for entry in entries]
        domain = domain_argument(known, "what its problems are")
        shared = SharedRules(key=matching_key(entries, known))
        solver = ProblemSolver(known, certified, bounds.budget(), shared)
        found = form.first(domain.read_problems(problems), "problem")
    rows: list[dict[str, Any]] = []
    started = time.perf_counter()
    fired: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    stopped: Counter[str] = Counter()
    matched = 0
    with progress("solving", len(found), enabled=not sys.stdout.isatty()) as update_progress:
        for problem, solved in zip(found, solver.solve_each(found, levels), strict=True):
            matched += solved.matched
            counts[solved.value] += 1
            stopped.update([] if solved.stopped is None else [solved.stopped])
            # A rule that gives two of a problem's answers is counted once.
            fired.update({won.rule for won in solved.reasons})
            line = domain.answer(problem, solved, levels)
            if form.is_table:
                rows.append(json.loads(line))
            else:
                print_line(line)
            update_progress(advance=1)
    if form.is_table:
        columns = tuple(dict.fromkeys(name for row in rows for name in row))
        form.show_rows(columns, ([row.get(name) for name in columns] for row in rows))
    count_use(learned, fired, len(found), matched)
    if not json_output:
        summary = ", ".join(f"{counts[value]} {value}" for value in domain.values or sorted(counts))
        each = 1000 * (time.perf_counter() - started) / max(len(found), 1)
        warn(
            f"{counted(len(found), 'problem')}: {summary}; {counted(matched, 'position')} matched with"
            f" {counted(len(certified), 'rule')},"
            f" {each:.1f} ms a problem"
        )
        if len(certified) < len(base):
            warn(f"{counted(len(base) - len(certified), 'rule')} without certificate left out")
        _tell_stopped(stopped)


def _tell_stopped(stopped: Counter[str]) -> None:
    """Print the number of problems for which each limit was exceeded."""
    for reason, number in sorted(stopped.items()):
        warn(f"{number} stopped: {reason}; --seconds, --memory and --max-facts allow more")
