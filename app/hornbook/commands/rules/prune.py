"""The command `hornbook rules prune`: it deactivates the rules that cost more than they save.

They are called `forgotten`. They are not the `retired` rules, which no longer follow from the theory.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import argument, flag, option
from hornbook.commands.rules.prune_in_table import worth_in_table
from hornbook.commands.rules.worth_table import worth_rows, worth_table
from hornbook.compiler.maintain.forgotten import forget
from hornbook.compiler.rules.stored_rules import forget_stored
from hornbook.games.rule_worth import Worths, lost_without, rule_worths, worths_in_states
from hornbook.inputs.domains import domain_argument
from hornbook.inputs.opening_store import TheoryWithRules, open_store, open_store_theory, rules_of
from hornbook.inputs.states import read_state
from hornbook.inputs.store_names import store_named
from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_json, print_line, warn
from hornbook.terminal.screen import show_report

RulesArgument = Annotated[
    str, argument("RULES", "A store, or `FILE#THEORY` if it has several theories, or a rule base.")
]


def prune(
    rules: RulesArgument,
    theory: options.TheoryOfRules = None,
    problems: Annotated[
        Path | None,
        option("--problems", "FILE", "Measure the rules on these problems, matched as by `solve`."),
    ] = None,
    state: options.States = None,
    states: options.TableOfStates = None,
    goals: Annotated[
        list[str] | None,
        option(
            "--goal",
            "PREDICATE",
            "With --states: measure only rules that conclude this predicate; several may be given.",
        ),
    ] = None,
    keep_value: Annotated[
        float | None,
        option(
            "--keep-value",
            "SECONDS",
            "The minimum worth of a rule that stays active, in a store; 0 by default.",
        ),
    ] = None,
    dry_run: Annotated[
        bool, flag("--dry-run", "List the rules that would be forgotten, and change nothing.")
    ] = False,
    limit: Annotated[int, option("--limit", "N", "The number of measured rules to list.", min=1)] = 10,
    json_output: options.Json = False,
) -> None:
    """Mark the rules of negative utility as forgotten; `hornbook rules restore` activates them again.

    The worth of a rule is the average number of seconds that it saves per problem: savings × frequency −
    match cost. Forgotten rules are not used to answer, but other proofs may depend on them.

    With --problems, --state or --states, the rules are measured there. An answer that several rules give is
    credited to one of them. A rule that is credited with no answer saves nothing, and is forgotten. The
    command checks that the other rules give the same answers, and reports the cost, the answers and the worth
    of each rule.

    Otherwise RULES is a store, whose recorded use is the measure. A rule stays active if one of its
    quantities was never measured.
    """
    if goals and states is None:
        raise ArgumentError("it needs a table of states (`--states`)", "--goal")
    if problems is not None or state or states is not None:
        if keep_value is not None:
            raise ArgumentError("it applies to the recorded use of a store", "--keep-value")
        if (problems is not None) + bool(state) + (states is not None) > 1:
            raise ArgumentError("give one of --problems, --state and --states", "--state")
        if states is not None:
            _prune_in_table(
                rules, theory, states, goals or (), limit, dry_run=dry_run, json_output=json_output
            )
            return
        _prune_measured(rules, theory, problems, state or [], limit, dry_run=dry_run, json_output=json_output)
        return
    if store_named(rules) is None:
        message = f"`{shown(Path(rules))}` is no store, so it has no recorded use: give problems or states"
        raise ArgumentError(message, "--problems")
    least = 0.0 if keep_value is None else keep_value
    if not math.isfinite(least):
        raise ArgumentError(f"{least:g} is not a number of seconds", "--keep-value")
    _prune_by_use(rules, least, dry_run=dry_run, json_output=json_output)


def _prune_measured(
    rules: str,
    theory: str | None,
    problems: Path | None,
    states: list[Path],
    limit: int,
    *,
    dry_run: bool,
    json_output: bool,
) -> None:
    """Forget the rules without which the others give the same answers to problems or in states."""
    learned = rules_of(rules, theory, unchanged=True)
    domain = domain_argument(learned.theory, "what its games are")
    matched = [entry.answering for entry in learned.active_base if entry.is_certified]
    if problems is not None:
        given = domain.read_problems(problems)
        what = counted(len(given), "problem")
        measured = rule_worths(learned.theory, matched, given)
    else:
        given = [read_state(learned.theory, path).value for path in states]
        what = counted(len(given), "state")
        measured = worths_in_states(learned.theory, matched, given)
    lost = lost_without(learned.theory, matched, measured)
    if lost:
        warn(f"nothing is forgotten, since {counted(len(lost), 'answer')} would be lost")
        raise ReportedError(1)
    reasons = dict.fromkeys(measured.useless, f"credited with no answer in {what}")
    if reasons and not dry_run:
        _forget(rules, learned, reasons, what)
    if json_output:
        print_json(
            {
                "forgotten": {name: measured.worth_of(name) for name in reasons},
                "kept": len(matched) - len(reasons),
                "answers": len(measured.given),
                "rules": worth_rows(measured),
            }
        )
        return
    _print(measured, len(matched), what, limit, dry_run=dry_run)


def _prune_in_table(
    rules: str,
    theory: str | None,
    states: Path,
    goals: Sequence[str],
    limit: int,
    *,
    dry_run: bool,
    json_output: bool,
) -> None:
    """Forget the rules without which the others find the same conclusions in a table of states."""
    learned = rules_of(rules, theory, unchanged=True)
    matched = [entry.answering for entry in learned.active_base if entry.is_certified]
    found = worth_in_table(learned, matched, states, goals)
    what = counted(found.states, "state")
    reasons = dict.fromkeys(found.useless, f"others find its conclusions in {what}")
    if reasons and not dry_run:
        _forget(rules, learned, reasons, what)
    kept = len(matched) - len(reasons)
    if json_output:
        report = {
            "forgotten": list(reasons),
            "kept": kept,
            "answers": found.conclusions,
            "rules": found.rows(),
        }
        print_json(report)
        return
    print_line(f"{what}, {counted(len(matched), 'rule')}, {counted(found.conclusions, 'conclusion')}\n")
    show_report(found.table(limit))
    print_line(
        f"\n{counted(len(reasons), 'rule')} {'would be ' if dry_run else ''}forgotten, since others find all"
        f" their conclusions; {counted(kept, 'stays', 'stay')}, and"
        f" {counted(found.conclusions, 'conclusion is', 'conclusions are')} the same"
    )


def _forget(rules: str, learned: TheoryWithRules, reasons: Mapping[str, str], what: str) -> None:
    if learned.store is None:
        forget(Path(rules), learned.base, reasons)
        return
    with open_store(learned.store, "write", "RULES") as store:
        forget_stored(store, learned.theory.name, reasons, {"measured": what})


def _print(measured: Worths, rules: int, what: str, limit: int, *, dry_run: bool) -> None:
    print_line(f"{what}, {counted(rules, 'rule')}, {counted(len(measured.given), 'answer')}\n")
    show_report(worth_table(measured.rules[:limit]))
    if rules > limit:
        print_line(f"and {counted(rules - limit, 'rule')} more")
    forgotten = len(measured.useless)
    seconds = sum(each.match_seconds for each in measured.rules if each.rule in measured.useless)
    print_line(
        f"\n{counted(forgotten, 'rule')} {'would be ' if dry_run else ''}forgotten, since others give all"
        f" their answers: {1000 * seconds:.4f} of {1000 * measured.match_seconds:.4f} ms to match;"
        f" {counted(rules - forgotten, 'stays', 'stay')}, and"
        f" {counted(len(measured.given), 'answer is', 'answers are')} the same"
    )


def _prune_by_use(store: str, least: float, *, dry_run: bool, json_output: bool) -> None:
    """Forget the rules of a store whose worth by their recorded use is below `least`."""
    with open_store_theory(store, "read" if dry_run else "write") as (opened, name):
        use, benchmarks = opened.usage(name), opened.benchmarks(name)
        worth = {
            rule.name: benchmarks[rule.name].value(use[rule.name])
            if rule.name in benchmarks and rule.name in use
            else None
            for rule in opened.rules(name, ["active"])
        }
        pruned = {rule: value for rule, value in worth.items() if value is not None and value < least}
        if pruned and not dry_run:
            reasons = {
                r: f"worth {value:.6f} s a problem, less than {least:g}" for r, value in pruned.items()
            }
            forget_stored(opened, name, reasons, {"keep_value": least})
    unknown = sum(value is None for value in worth.values())
    if json_output:
        report = {"forgotten": pruned, "kept": len(worth) - len(pruned), "not_measured": unknown}
        print_json(report)
        return
    for rule, value in pruned.items():
        print_line(f"{rule}: worth {1000 * value:.3f} ms a problem")
    would = "would be " if dry_run else ""
    print_line(
        f"{counted(len(pruned), 'rule')} {would}forgotten,"
        f" {counted(len(worth) - len(pruned), 'stays', 'stay')},"
        f" of which {counted(unknown, 'was', 'were')} not measured"
    )
    if unknown:
        warn(
            f"`hornbook problems solve {store}` measures how often"
            f" rules answer, `hornbook theory profile {store}"
            " --write-statistics` what they cost"
        )
