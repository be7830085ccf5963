"""The command `hornbook problems audit`: rules compared with search, or a theory with its adapter."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.option_groups import SearchLimitOptions
from hornbook.commands.options import flag, option
from hornbook.compiler.rules.admission import RuleBase, RuleEntry
from hornbook.compiler.rules.certificates import certificate_text
from hornbook.games.audit.of_facts import FactAuditor, Facts, FactTally, audited_facts, own_states
from hornbook.games.audit.of_rules import PART, SAFE, Audit, AuditTally, audited
from hornbook.games.audit.theory_report import WalkOptions, audit_theory
from hornbook.inputs.domains import domain_argument
from hornbook.inputs.opening import read_state
from hornbook.inputs.opening_store import TheoryWithRules, with_rules
from hornbook.inputs.states import has_games
from hornbook.inputs.store_names import store_named
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.text.counts import counted
from hornbook.spread.derived_facts import state_batches
from hornbook.spread.state_texts import StateFactReader
from hornbook.spread.states import refusal
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ArgumentError, ReportedError
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
    table: options.TableOfStates = None,
    only_rules: options.OnlyRules = False,
    partial: Annotated[
        bool, flag("--partial", "Without rules: a missing conclusion does not count as a difference.")
    ] = False,
    workers: options.Workers = None,
    *,
    bounds: SearchLimitOptions,
    json_output: options.Json = False,
) -> None:
    """Compare rules with exhaustive search, or with their theory; or a theory with the steps of its adapter.

    With learned rules (--rules, or those of a store) of a theory with games, their conclusions are compared
    with a search to the depth of each rule's proof. The conclusions of other rules are compared with those of
    the theory, in each state of a table (--states) or of files (--state). Without them, the states are the
    theory's examples, and small states in which the rules apply (at most --positions). The report shows for
    each rule its right and wrong conclusions. For each relation it shows how many of the theory's conclusions
    some rule has, how many all rules miss, and a state in which they miss one. With --only-rules, the rules
    are evaluated with the definitions of their conditions alone.

    Without learned rules, the state that the theory concludes after random actions is compared with the
    adapter's `step`. The first difference is shown, and the exit code is 1.

    The theory's domain judges all conclusions on all games of a state. In Go, a conclusion that a block is
    safe is tested against every attack of five moves, and against random play in which its owner follows the
    rules. Each wrong conclusion is shown with its position, rule and proof, and the exit code is then 1. A
    match that takes more than --seconds or --memory is counted as stopped, and its conclusions are not
    judged.
    """
    if rules is None and store_named(theory) is None:
        if table is not None or only_rules:
            raise ArgumentError("it needs learned rules (`--rules`)", "--states" if table else "--only-rules")
        walks = WalkOptions(
            games, moves, seed, tuple(states or ()), tuple(problems or ()), partial, bounds.most_facts
        )
        audit_theory(theory, walks, as_json=json_output)
        return
    # Audit every certificate, including those that the checker refuses.
    learned = with_rules(theory, rules, verify=False)
    if not has_games(learned.theory):
        if problems or workers:
            raise ArgumentError(
                f"the theory `{learned.theory.name}` has no games", "--problems" if problems else "--workers"
            )
        _audit_facts(
            learned, states or [], table, positions, bounds, only_rules=only_rules, as_json=json_output
        )
        return
    if table is not None:
        raise ArgumentError("it is for theories without games; name further states by --problems", "--states")
    domain = domain_argument(learned.theory, JUDGED)
    questions = (
        domain.query_of(problem) for file in problems or () for problem in domain.read_problems(file)
    )
    boards = tuple(each.state for each in questions)
    task = Audit(
        learned.theory,
        learned.base,
        frozenset(learned.active),
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


def _audit_facts(
    learned: TheoryWithRules,
    files: Sequence[Path],
    table: Path | None,
    small: int,
    bounds: SearchLimitOptions,
    *,
    only_rules: bool,
    as_json: bool,
) -> None:
    """Compare the rules of a theory without games with the theory."""
    theory = learned.theory
    entries = [entry for entry in learned.active_base if entry.is_certified]
    auditor = FactAuditor(theory, entries, bounds.budget().limits, only_rules=only_rules)
    refused: list[tuple[int, str]] = []
    given = chain((tuple(read_state(theory, file)) for file in files), _of_table(theory, table, refused))
    states = given if files or table is not None else own_states(theory, entries, small)
    started, total, done = time.perf_counter(), FactTally(), 0
    with progress("auditing", None) as update_progress:
        for total in audited_facts(auditor, states):
            update_progress(advance=total.states - done)
            done = total.states
    if refused:
        raise refusal(str(table), total.states + len(refused), refused, "so they were not audited")
    took = time.perf_counter() - started
    print_line(
        json.dumps(_facts_as_json(total, entries, took)) if as_json else _facts_text(total, entries, took)
    )
    if total.wrong:
        for wrong in () if as_json else total.wrong[:SHOWN]:
            _show_wrong(wrong.conclusion, wrong.rule, _state_text(wrong.state), learned.base)
        raise ReportedError(1)


def _of_table(theory: Theory, table: Path | None, refused: list[tuple[int, str]]) -> Iterator[Facts]:
    """Yield the facts of each state of a table. States that cannot be read are added to `refused`."""
    if table is None:
        return
    reader, number = StateFactReader(theory), 0
    for batch in state_batches(table):
        for facts, reason in reader.facts(batch.to_pylist()):
            number += 1
            if facts is None:
                refused.append((number, str(reason)))
            else:
                yield facts


def _facts_as_json(total: FactTally, entries: Sequence[RuleEntry], seconds: float) -> dict[str, object]:
    return {
        "states": total.states,
        "rules": [
            {
                "rule": name,
                "right": total.right[name],
                "wrong": total.wrong_of(name),
                "undecided": total.undecided[name],
            }
            for name in (entry.rule.name for entry in entries)
        ],
        "conclusions": [
            {
                "conclusion": name,
                "theory": number,
                "found": total.found[name],
                "missed": number - total.found[name],
                "first_missed": None
                if (missed := total.missed.get(name)) is None
                else {"said": missed.conclusion, "state": _state_text(missed.state)},
            }
            for name, number in total.concluded.items()
        ],
        "wrong": [
            {"rule": each.rule, "said": each.conclusion, "state": _state_text(each.state)}
            for each in total.wrong
        ],
        "errors": dict(total.errors),
        "seconds": round(seconds, 3),
    }


def _facts_text(total: FactTally, entries: Sequence[RuleEntry], seconds: float) -> str:
    names = [entry.rule.name for entry in entries]
    width = max(map(len, [*names, *total.concluded, "conclusion"]))
    lines = [f"{'rule':<{width}}  {'right':>9}{'wrong':>9}"]
    lines += [f"{name:<{width}}  {total.right[name]:>9,}{total.wrong_of(name):>9,}" for name in names]
    lines.append(f"\n{'conclusion':<{width}}  {'theory':>9}{'found':>9}{'missed':>9}")
    for name, number in total.concluded.items():
        found = total.found[name]
        lines.append(f"{name:<{width}}  {number:>9,}{found:>9,}{number - found:>9,}")
    lines += [
        f"\nmissed: {each.conclusion}, in the state\n{_state_text(each.state)}"
        for name in total.concluded
        if (each := total.missed.get(name)) is not None
    ]
    judged = total.right.total() + total.undecided.total() + len(total.wrong)
    lines.append(
        f"\n{counted(total.states, 'state')}, {counted(judged, 'conclusion')} by"
        f" {counted(len(names), 'rule')}: {len(total.wrong)} wrong; {seconds:.1f} s"
    )
    if total.undecided:
        lines.append(f"{counted(total.undecided.total(), 'conclusion')} about games, which need a search")
    lines += [
        f"{counted(number, 'state')} left out: {reason}" for reason, number in total.errors.most_common()
    ]
    return "\n".join(lines)


def _state_text(facts: Facts) -> str:
    shown = (Atom(fact.relation, tuple(map(Constant, fact.values)), fact.tense) for fact in facts)
    return " ".join(f"{print_condition(each).removeprefix('before ')}." for each in shown)


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
        _show_wrong(wrong.statement, wrong.rule, domain.write(wrong.state).rstrip(), base)


def _show_wrong(conclusion: str, rule: str, state: str, base: RuleBase) -> None:
    entry = base.entries[rule]
    print_line(f"\nwrong: {conclusion}, says {rule}\n{state}")
    print_line(print_rule(entry.rule).rstrip())
    print_line("no certificate" if entry.certificate is None else certificate_text(entry.certificate))
