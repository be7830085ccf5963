"""The command `hornbook problems audit`: rules compared with search, or a theory with its adapter."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.option_groups import SearchLimitOptions
from hornbook.commands.options import flag, option
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.certificates import certificate_text
from hornbook.games.audit.of_rules import PART, SAFE, Audit, AuditTally, audited
from hornbook.games.audit.theory_report import WalkOptions, audit_theory
from hornbook.inputs.domains import domain_argument, require_domain
from hornbook.inputs.opening_store import with_rules
from hornbook.inputs.store_names import store_named
from hornbook.kb.format.printer import print_rule
from hornbook.kb.text.counts import counted
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import print_line
from hornbook.theories.domain import Domain

JUDGED = "how its rules are judged"
SHOWN = 5
"""The maximum number of wrong conclusions to show with their position and proof."""


def audit(
    theory: options.Theory,
    rules: options.Rules = None,
    positions: Annotated[
        int, option("--positions", "N", "The number of positions from random games.", min=0)
    ] = 1000,
    seed: Annotated[int, option("--seed", "N", "The seed of the random generator.")] = 1,
    problems: Annotated[
        list[Path] | None, option("--problems", "FILE", "Problems with further states to audit.")
    ] = None,
    games: Annotated[int, option("--games", "N", "Without rules: the number of random games.", min=1)] = 20,
    moves: Annotated[
        int, option("--moves", "N", "Without rules: the greatest number of actions in a game.", min=1)
    ] = 40,
    states: options.States = None,
    partial: Annotated[
        bool, flag("--partial", "Without rules: a missing conclusion does not count as a difference.")
    ] = False,
    workers: options.Workers = None,
    *,
    bounds: SearchLimitOptions,
    json_output: options.Json = False,
) -> None:
    """Compare rules with exhaustive search, and a theory with the steps of its adapter.

    With learned rules (--rules, or those of a store), their conclusions are compared with a search to the
    depth of each rule's proof. Without learned rules, the state that the theory concludes after random
    actions is compared with the adapter's `step`. The first difference is shown, and the exit code is 1.

    The theory's domain judges all conclusions on all games of a state. In Go, a conclusion that a block is
    safe is tested against every attack of five moves, and against random play in which its owner follows the
    rules. Each wrong conclusion is shown with its position, rule and proof, and the exit code is then 1. A
    match that takes more than --seconds or --memory is counted as stopped, and its conclusions are not
    judged.
    """
    if rules is None and store_named(theory) is None:
        walks = WalkOptions(
            games, moves, seed, tuple(states or ()), tuple(problems or ()), partial, bounds.most_facts
        )
        audit_theory(theory, walks, as_json=json_output)
        return
    # Audit every certificate, including those that the checker refuses.
    learned = with_rules(theory, rules, verify=False, must=require_domain(JUDGED))
    domain = domain_argument(learned.theory, JUDGED)
    questions = (
        domain.query_of(problem) for file in problems or () for problem in domain.read_problems(file)
    )
    boards = tuple(each.state for each in questions)
    task = Audit(
        learned.theory,
        learned.base,
        learned.active,
        positions,
        seed,
        boards,
        bounds.seconds,
        bounds.memory,
        bounds.most_facts,
    )
    started = time.perf_counter()
    total = AuditTally()
    with progress("auditing", positions + len(boards)) as update_progress:
        for tally in audited(task, workers or 1):
            total.add(tally)
            update_progress(advance=PART)
    took = time.perf_counter() - started
    print_line(json.dumps(_as_json(total, domain, took)) if json_output else _text(total, took))
    if total.wrong:
        if not json_output:
            _show(total, domain, learned.base)
        raise ReportedError(1)


def _as_json(total: AuditTally, domain: Domain, seconds: float) -> dict[str, object]:
    return {
        "positions": total.positions,
        "right": {_depth(depth): total.right[depth] for depth in sorted(total.right)},
        "undecided": {_depth(depth): total.undecided[depth] for depth in sorted(total.undecided)},
        "rules": len(total.fired),
        "wrong": [
            {"rule": w.rule, "said": w.statement, "position": domain.write(w.state)} for w in total.wrong
        ],
        "stopped": dict(total.stopped),
        "seconds": round(seconds, 3),
    }


def _depth(depth: int) -> str:
    return "safe" if depth == SAFE else str(depth)


def _text(total: AuditTally, seconds: float) -> str:
    lines = [f"depth  {'right':>9}{'undecided':>11}"]
    for depth in sorted({*total.right, *total.undecided}):
        lines.append(f"{_depth(depth):>5}  {total.right[depth]:>9}{total.undecided[depth]:>11}")
    lines.append(
        f"{counted(total.positions, 'position')},"
        f" {counted(total.right.total() + total.undecided.total() + len(total.wrong), 'conclusion')}"
        f" by {counted(len(total.fired), 'rule')}: {len(total.wrong)} wrong; {seconds:.1f} s"
    )
    for reason, number in total.stopped.most_common():
        lines.append(
            f"{counted(number, 'match', 'matches')} stopped: {reason}; --seconds, --memory and"
            " --max-facts allow more"
        )
    return "\n".join(lines)


def _show(total: AuditTally, domain: Domain, base: RuleBase) -> None:
    """Print the first wrong conclusions with their position, rule and certificate."""
    for wrong in total.wrong[:SHOWN]:
        entry = base.entries[wrong.rule]
        print_line(f"\nwrong: {wrong.statement}, says {wrong.rule}\n{domain.write(wrong.state).rstrip()}")
        print_line(print_rule(entry.rule).rstrip())
        print_line("no certificate" if entry.certificate is None else certificate_text(entry.certificate))
