"""The command `hornbook theory profile`: the distribution of matching time over rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from rich.table import Table

from hornbook.api.timed_matching import part_text, timed_matching
from hornbook.commands import options
from hornbook.commands.options import flag, option
from hornbook.commands.rules.worth_table import milliseconds, worth_rows, worth_table
from hornbook.games.match_costs import costs_of
from hornbook.games.match_costs import store_costs as keep_costs
from hornbook.games.rule_worth import Worths, rule_worths
from hornbook.inputs.domains import domain_argument
from hornbook.inputs.opening import limit_of_facts
from hornbook.inputs.opening_rules import OpenedRules, open_rules
from hornbook.inputs.opening_store import open_store as opened_store
from hornbook.kb.lower.coding import CodedRuleId
from hornbook.kb.lower.matching import PreparedRules
from hornbook.kb.lower.measures import average, statistics_text, write_statistics
from hornbook.kb.lower.network_words import rule_name
from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.profile import PartTime, Profile, RuleTime
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_json, print_line, warn
from hornbook.terminal.plain_text import plain
from hornbook.terminal.screen import show_report


def profile(
    rules: options.RulesOrTheory,
    theory: options.TheoryOfRules = None,
    state: options.States = None,
    problems: Annotated[
        Path | None,
        option(
            "--problems",
            "FILE",
            "Show the cost and the savings of each rule on these problems, matched as by `solve`.",
        ),
    ] = None,
    repeat: Annotated[int, option("--repeat", "N", "The number of repetitions.", min=1)] = 1,
    limit: Annotated[int, option("--limit", "N", "The number of rules and conditions to list.", min=1)] = 10,
    keep: Annotated[
        bool,
        flag("--write-statistics", "Save the measurements beside the rules, for ordering their conditions."),
    ] = False,
    most_facts: options.MaxFacts = None,
    json_output: options.Json = False,
) -> None:
    """Show how matching time divides among rules.

    Each state replaces the previous one in one update, and the last state is removed at the end. Without
    states, the theory's examples are used. The time of a condition that several rules share is divided
    equally among them. The measurement itself takes time, so percentages are more reliable than seconds.

    With --problems, the table shows the worth of each rule per problem, in ascending order. The worth is the
    time that its answers save, which the domain's own search would take, less the time to match the rule.

    For a store, --write-statistics stores the statistics there, with the cost of matching each rule.
    """
    opened, limits = open_rules(rules, theory), limit_of_facts(most_facts)
    if problems is not None:
        domain = domain_argument(opened.theory, "what its problems are")
        worth = rule_worths(opened.theory, opened.rules, domain.read_problems(problems), limits)
        if json_output:
            print_json(_worths_as_json(worth))
        else:
            _print_worths(worth, limit)
        if keep and opened.store is not None:
            with opened_store(opened.store, "write") as store:
                keep_costs(store, opened.theory.name, worth.costs)
        return
    states = opened.states(state or ())
    if not states:
        raise ArgumentError(
            f"the theory `{opened.theory.name}` has no examples; give states, or `--theory` where RULES"
            " are learned rules",
            "--state",
        )
    timed = timed_matching(opened, states, repeat, limits)
    found, ready, measured = timed.profile, timed.ready, timed.measured
    if json_output:
        print_json(_as_json(found, ready, len(states), timed.updates))
    else:
        _print(found, ready, len(states), timed.updates, limit)
    if keep and opened.store is not None:
        text = statistics_text(average(measured), ready.coding, theory=opened.theory.name, states=len(states))
        with opened_store(opened.store, "write") as store, store.transaction():
            store.put_statistics(text, opened.theory.name)
            keep_costs(store, opened.theory.name, costs_of(found, ready.rule, repeat * len(states)))
        warn(f"statistics and costs in {shown(opened.store)}")
    elif keep:
        _keep(opened, ready, average(measured), len(states))


def _keep(opened: OpenedRules, ready: PreparedRules, measured: Mapping[int, Any], states: int) -> None:
    if opened.statistics is None:
        raise ArgumentError(
            "these rules have no file beside which statistics could be stored", "--write-statistics"
        )
    write_statistics(opened.statistics, measured, ready.coding, theory=opened.theory.name, states=states)
    warn(f"statistics in {shown(opened.statistics)}")


def _print_worths(found: Worths, limit: int) -> None:
    """Print the cost and the savings of each rule on problems, in ascending order of worth."""
    print_line(
        f"{counted(found.problems, 'problem')}, of which {found.answered:,} answered;"
        f" {milliseconds(found.match_seconds)} ms to match all rules\n"
    )
    show_report(worth_table(found.rules[:limit]))
    if len(found.rules) > limit:
        print_line(f"and {counted(len(found.rules) - limit, 'rule')} more")
    dear = found.dear
    seconds = sum(each.match_seconds for each in dear)
    print_line(
        f"\n{counted(len(dear), 'rule')} worth less than nothing:"
        f" {milliseconds(seconds)} ms a problem to match;"
        f" without them, {found.needing:,} of {found.answered:,} answers would be missing"
    )
    if found.useless:
        print_line(
            f"{counted(len(found.useless), 'rule')} without an answer that others lack:"
            " `hornbook rules prune` forgets them"
        )


def _worths_as_json(found: Worths) -> dict[str, Any]:
    return {
        "states": found.costs.states,
        "seconds": found.costs.seconds,
        "problems": found.problems,
        "answered": found.answered,
        "needing": found.needing,
        "rules": worth_rows(found),
    }


def _print(found: Profile, ready: PreparedRules, states: int, updates: int, limit: int) -> None:
    by_rule = found.rules()
    parts = sorted(found.parts, key=lambda part: -part.seconds)
    print_line(f"{counted(updates, 'update')} of {counted(states, 'state')}: {found.seconds:.6f} s")
    print_line(f"{_others(found)}\n")
    table = _table("rule", "found")
    for rule in by_rule[:limit]:
        table.add_row(
            *_cells(rule, found), f"{rule.found:,}", rule_name(rule.rule, ready.rules, ready.coding)
        )
    show_report(plain(table))
    if len(by_rule) > limit:
        print_line(f"and {counted(len(by_rule) - limit, 'rule')} more")
    print_line("")
    table = _table("condition")
    for part in parts[:limit]:
        name = rule_name(part.rule, ready.rules, ready.coding)
        table.add_row(*_cells(part, found), f"{name}: {part_text(part, ready)}")
    show_report(plain(table))


def _others(found: Profile) -> str:
    return (
        f"{_share(found.storing, found)} of it to store what rules conclude,"
        f" {_share(found.rest, found)} to keep the facts themselves"
    )


def _share(seconds: float, found: Profile) -> str:
    return f"{100 * seconds / found.seconds:.1f} %" if found.seconds else "0.0 %"


def _table(last: str, *more: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("share", "seconds", "visits", "rows", *more):
        table.add_column(name, justify="right")
    table.add_column(last)
    return table


def _cells(one: RuleTime | PartTime, found: Profile) -> list[str]:
    return [_share(one.seconds, found), f"{one.seconds:.6f}", f"{one.visits:,}", f"{one.rows:,}"]


def _as_json(found: Profile, ready: PreparedRules, states: int, updates: int) -> dict[str, Any]:
    return {
        "states": states,
        "updates": updates,
        "seconds": found.seconds,
        "storing": found.storing,
        "rest": found.rest,
        "rules": [
            {
                **_place(one, ready),
                "seconds": one.seconds,
                "visits": one.visits,
                "rows": one.rows,
                "found": one.found,
            }
            for one in found.rules()
        ],
        "conditions": [
            {
                **_place(one, ready),
                "condition": part_text(one, ready),
                "place": one.part if isinstance(one.part, int) else None,
                "seconds": one.seconds,
                "visits": one.visits,
                "rows": one.rows,
            }
            for one in sorted(found.parts, key=lambda part: -part.seconds)
        ],
    }


def _place(one: RuleTime | PartTime, ready: PreparedRules) -> dict[str, Any]:
    assert isinstance(one.rule, CodedRuleId)
    rule = ready.rule(one.rule)
    return {"rule": rule.name, "moment": one.rule.moment, "file": rule.span.file, "line": rule.span.line}
