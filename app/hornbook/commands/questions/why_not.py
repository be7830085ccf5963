"""The command `hornbook why-not`: the missing conditions of a fact."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from hornbook.commands import options
from hornbook.commands.option_groups import FactOptions, LimitOptions
from hornbook.inputs.parameters import read_parameters
from hornbook.kb.explain.fact_places import FactSource
from hornbook.kb.explain.why_not import MAX_DEPTH
from hornbook.terminal.screen import show_report


def why_not(
    theory: options.Theory,
    fact: Annotated[
        str, typer.Argument(metavar="FACT", help="A fact or pattern such as 'legal(black, a1)'.")
    ],
    settings: options.Parameters = None,
    *,
    given: FactOptions,
    depth: Annotated[
        int,
        typer.Option(
            metavar="N", help="The number of levels of failing conditions to explain.", min=1, max=MAX_DEPTH
        ),
    ] = 3,
    bounds: LimitOptions,
    json_output: options.Json = False,
) -> None:
    """Explain why a fact does not hold.

    For each rule that could have concluded the fact, it shows how many of its conditions hold with the best
    bindings, and the first condition that fails.
    """
    sources: list[FactSource] = []
    base = given.open(theory, bounds.limits(), engine="demand", seen=sources.append)
    parameters = read_parameters(settings, fact, base.theory.vocabulary)
    found = base.why_not(fact, parameters=parameters, depth=depth).with_sources(sources)
    if json_output:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False))
    else:
        show_report(found.to_text())
