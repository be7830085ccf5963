"""`hornbook profile`: where the time of matching rules goes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.table import Table

from hornbook.opening import JsonOption, StateOption
from hornbook.opening_rules import OpenedRules, RulesOrTheoryArgument, RulesTheoryOption, open_rules
from hornbook.plain_text import plain
from kb.coding import CodedRuleId
from kb.files import shown
from kb.matching import Matching
from kb.measures import average, write_statistics
from kb.network_words import counted, rule_name
from kb.printer import print_condition
from matcher.network import PartTime, Profile, RuleTime
from matcher.program import Fact


def profile(
    rules: RulesOrTheoryArgument,
    theory: RulesTheoryOption = None,
    state: StateOption = None,
    repeat: Annotated[
        int, typer.Option("--repeat", metavar="N", help="How often to go through all.", min=1)
    ] = 1,
    top: Annotated[
        int, typer.Option("--top", metavar="N", help="How many rules and conditions to list.", min=1)
    ] = 10,
    keep: Annotated[
        bool,
        typer.Option("--write-statistics", help="Keep what was measured beside the rules, for their order."),
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Say where the time of matching rules goes.

    Each state takes the place of the one before, in one update, and the last one is taken away; without states,
    those of the theory's examples. A condition that several rules share costs each of them an equal part of its
    time. Counting takes time too, so shares say more than seconds.
    """
    opened = open_rules(rules, theory)
    states = opened.states(state or ())
    if not states:
        raise typer.BadParameter(
            f"the theory `{opened.theory.name}` has no examples; give states", param_hint="--state"
        )
    ready = opened.ready()
    coded = [ready.coded(facts) for facts in states.values()]
    own = frozenset[Fact]()
    measured = []
    ready.engine.profile(True)
    for turn in range(repeat):
        before = own
        for facts in coded:
            ready.update(add=facts - before, retract=before - facts)
            before = facts
            if turn == 0:
                measured.append(ready.engine.statistics())
        ready.update(retract=before)
    ready.engine.profile(False)
    found = ready.engine.profile_report()
    updates = repeat * (len(coded) + 1)
    if json_output:
        typer.echo(json.dumps(_as_json(found, ready, len(coded), updates), ensure_ascii=False))
    else:
        _print(found, ready, len(coded), updates, top)
    if keep:
        _keep(opened, ready, average(measured), len(coded))


def _keep(opened: OpenedRules, ready: Matching, measured: Mapping[int, Any], states: int) -> None:
    if opened.statistics is None:
        raise typer.BadParameter(
            "these rules have no file to keep statistics beside", param_hint="--write-statistics"
        )
    write_statistics(opened.statistics, measured, ready.coding, theory=opened.theory.name, states=states)
    typer.echo(f"statistics in {shown(opened.statistics)}", err=True)


def _print(found: Profile, ready: Matching, states: int, updates: int, top: int) -> None:
    by_rule = found.rules()
    parts = sorted(found.parts, key=lambda part: -part.seconds)
    typer.echo(f"{counted(updates, 'update')} of {counted(states, 'state')}: {found.seconds:.6f} s")
    typer.echo(f"{_others(found)}\n")
    table = _table("rule", "found")
    for rule in by_rule[:top]:
        table.add_row(
            *_cells(rule, found), f"{rule.found:,}", rule_name(rule.rule, ready.rules, ready.coding)
        )
    typer.echo(plain(table))
    if len(by_rule) > top:
        typer.echo(f"and {counted(len(by_rule) - top, 'rule')} more")
    typer.echo("")
    table = _table("condition")
    for part in parts[:top]:
        name = rule_name(part.rule, ready.rules, ready.coding)
        table.add_row(*_cells(part, found), f"{name}: {_part(part, ready)}")
    typer.echo(plain(table))


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


def _part(part: PartTime, ready: Matching) -> str:
    """A condition in the rule's own words, or what else of the rule took the time."""
    if part.part == "beginning":
        return "(coming to it)"
    if part.part == "conclusion":
        return "(concluding)"
    return print_condition(ready.rule(part.rule).body[part.part])


def _as_json(found: Profile, ready: Matching, states: int, updates: int) -> dict[str, Any]:
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
                "condition": _part(one, ready),
                "place": one.part if isinstance(one.part, int) else None,
                "seconds": one.seconds,
                "visits": one.visits,
                "rows": one.rows,
            }
            for one in sorted(found.parts, key=lambda part: -part.seconds)
        ],
    }


def _place(one: RuleTime | PartTime, ready: Matching) -> dict[str, Any]:
    assert isinstance(one.rule, CodedRuleId)
    rule = ready.rule(one.rule)
    return {"rule": rule.name, "moment": one.rule.moment, "file": rule.span.file, "line": rule.span.line}
