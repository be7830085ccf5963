"""`hornbook query`: the answers to a query."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from hornbook.opening import (
    HornOption,
    JsonOption,
    SecondsOption,
    SkipBadOption,
    StateOption,
    TableOption,
)
from hornbook.stores.opening_store import RulesOfFile, StoreOption, TheoryOfStore, open_asked
from kb.diagnostics import render
from kb.network_words import counted


class Engine(StrEnum):
    """Which engine answers."""

    MATCHER = "matcher"
    PYDATALOG = "pydatalog"


QueryArgument = Annotated[
    str | None,
    typer.Argument(metavar="QUERY", help="Conditions such as '?- legal(black, ?p), colour(?p, empty)'."),
]


def query(
    theory: TheoryOfStore = None,
    query: QueryArgument = None,
    kb: StoreOption = None,
    rules: RulesOfFile = None,
    state: StateOption = None,
    facts: TableOption = None,
    add: HornOption = None,
    skip_bad: SkipBadOption = False,
    engine: Annotated[Engine, typer.Option(help="Which engine answers.")] = Engine.MATCHER,
    seconds: SecondsOption = None,
    json_output: JsonOption = False,
) -> None:
    """Answer a query about a theory and the facts that you give.

    A fluent without a tense word is read before the action. `--json` prints a list with one object an
    answer, keyed by the variables; a query without variables is answered by `[{}]` (yes) or `[]` (no).
    """
    base, query = open_asked(
        theory, query, "QUERY", kb, rules, state, facts, add, skip_bad=skip_bad, seconds=seconds
    )
    answers = base.query(query, engine=engine.value)
    if learned := sum(rule.learned for rule in base.rules):
        typer.echo(
            f"answered with {counted(learned, 'learned rule')} besides; `why` tells what rests on learned rules",
            err=True,
        )
    for diagnostic in base.warnings(query):
        typer.echo(render(diagnostic, {"<query>": query}), err=True)
    typer.echo(json.dumps(answers.dicts(), ensure_ascii=False) if json_output else str(answers))
