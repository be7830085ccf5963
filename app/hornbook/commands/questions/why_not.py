"""The command `hornbook why-not`: the missing conditions of a fact."""

from __future__ import annotations

from typing import Annotated

from hornbook.commands import options
from hornbook.commands.option_groups import FactOptions, LimitOptions
from hornbook.commands.options import argument, option
from hornbook.inputs.parameters import read_parameters
from hornbook.kb.explain.fact_places import FactSource
from hornbook.kb.explain.why_not import MAX_DEPTH
from hornbook.terminal.messages import print_json
from hornbook.terminal.screen import show_report


def why_not(
    theory: options.Theory,
    fact: Annotated[str, argument("FACT", "A fact or pattern such as 'legal(black, a1)'.")],
    settings: options.Parameters = None,
    *,
    given: FactOptions,
    depth: Annotated[
        int,
        option(
            "--depth", "N", "The number of levels of failing conditions to explain.", min=1, max=MAX_DEPTH
        ),
    ] = 3,
    sets: Annotated[
        int, option("--sets", "N", "List at most N sets of changes that would suffice; 0: none.", min=0)
    ] = 5,
    bounds: LimitOptions,
    json_output: options.Json = False,
) -> None:
    """Explain why a fact does not hold, and what would suffice.

    For each rule that could have concluded the fact, it shows how many of its conditions hold with the best
    bindings, and the first condition that fails. Then it lists sets of given facts to add or remove, the
    smallest first. Each set was tried: with these changes, the fact holds.
    """
    sources: list[FactSource] = []
    base = given.open(theory, bounds.limits(), engine="demand", seen=sources.append)
    parameters = read_parameters(settings, fact, base.theory.vocabulary)
    found = base.why_not(fact, parameters=parameters, depth=depth, sets=sets).with_sources(sources)
    if json_output:
        print_json(found.to_dict())
    else:
        show_report(found.to_text())
