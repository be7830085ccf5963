"""`hornbook verify`: whether learned rules follow from their theory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from compiler import rulebase
from compiler.countermodel import find
from compiler.verification import renewed, verify_all
from hornbook.opening import JsonOption
from kb.loader import load

RulesArgument = Annotated[
    Path, typer.Argument(metavar="RULES", help="A rule base, such as `hornbook learn` writes.")
]
TheoryOption = Annotated[
    str, typer.Option("--theory", metavar="THEORY", help="The theory that the rules are for.")
]


def verify(
    rules: RulesArgument,
    theory: TheoryOption,
    renew: Annotated[
        bool,
        typer.Option("--renew", help="Give rules that were edited, and still follow, a new certificate."),
    ] = False,
    counter_models: Annotated[
        bool, typer.Option("--counter-models", help="Look for a state in which a rejected rule is wrong.")
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Replay the certificate of every rule of a rule base.

    Exit code 1 where a rule does not follow, or has no certificate; the reason is printed for each.
    """
    known = load(theory)
    base = rulebase.read(rules, known)
    if renew:
        base = renewed(base, known)
        rulebase.write(base, rules)
    verdicts = list(verify_all(base, known))
    failed = [verdict for verdict in verdicts if not verdict.follows]
    refuted = {}
    if counter_models:
        refuted = {v.entry.rule.name: find(v.entry.rule, known) for v in failed}
    if json_output:
        found = [
            {
                "rule": v.entry.rule.name,
                "follows": v.follows,
                "reason": v.reason,
                "counter_model": str(refuted[v.entry.rule.name]) if refuted.get(v.entry.rule.name) else None,
            }
            for v in verdicts
        ]
        typer.echo(json.dumps(found, ensure_ascii=False))
    else:
        for verdict in failed:
            name = verdict.entry.rule.name
            typer.echo(f"{verdict.entry.rule.span}: {name}: {verdict.reason}")
            if counter_models:
                typer.echo(f"  counter-model {refuted[name] or 'not found: undecided'}")
        typer.echo(f"{len(verdicts) - len(failed)} rules follow from `{known.name}`, {len(failed)} do not")
    if failed:
        raise typer.Exit(1)
