"""`hornbook verify`: whether learned rules follow from their theory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from hornbook.compiler.refute.countermodel import find
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.stored_rules import PROVABLE, changes, read_rule_base, stored_rule
from hornbook.compiler.rules.verification import renewed, upgraded, verify_all
from hornbook.inputs.opening import JsonOption
from hornbook.inputs.opening_store import (
    OptionalRules,
    OptionalTheory,
    StoreOption,
    opened,
    required,
    with_rules,
)
from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.loader import load
from hornbook.kb.store import Store

RulesArgument = Annotated[
    Path, typer.Argument(metavar="RULES", help="A rule base, such as `hornbook learn` writes.")
]
TheoryOption = Annotated[
    str, typer.Option("--theory", metavar="THEORY", help="The theory that the rules are for.")
]


def verify(
    rules: OptionalRules = None,
    theory: OptionalTheory = None,
    kb: StoreOption = None,
    renew: Annotated[
        bool,
        typer.Option("--renew", help="Give rules that were edited, and still follow, a new certificate."),
    ] = False,
    upgrade: Annotated[
        bool,
        typer.Option(
            "--upgrade",
            help="Give rules whose certificates have an earlier form, and still follow, a new one.",
        ),
    ] = False,
    counter_models: Annotated[
        bool, typer.Option("--counter-models", help="Look for a state in which a rejected rule is wrong.")
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Replay the certificate of every rule of a rule base.

    Exit code 1 where a rule does not follow, or has no certificate; the reason is printed for each.
    """
    if kb is None:
        file = required(rules, "RULES")
        known = load(required(theory, "--theory"))
        base = rulebase.read(file, known, verify=False)
        if renew or upgrade:
            base = _again(base, known, renew=renew)
            rulebase.write(base, file)
    else:
        known, base, _ = with_rules(theory, rules, kb, hint="RULES", unchanged=False, verify=False)
        if renew or upgrade:
            with opened(kb, "write") as store:
                base = _again_in(store, known, renew=renew)
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


def _again(base: RuleBase, known: Theory, *, renew: bool) -> RuleBase:
    """The rules, of which those that still follow have new certificates: all, or those of an earlier form."""
    return renewed(base, known) if renew else upgraded(base, known)


def _again_in(store: Store, known: Theory, *, renew: bool) -> RuleBase:
    """The rules of a store, of which those that still follow have new certificates, which the store keeps."""
    stored = {rule.name: rule for rule in store.rules(known.name, PROVABLE)}
    before = read_rule_base(store, known, PROVABLE, verify=False)
    after = _again(before, known, renew=renew)
    new, _ = changes(before, after)
    with store.transaction():
        for entry in new:
            old = stored[entry.rule.name]
            store.put_rule(stored_rule(entry, old.state, old.reason), known.name)
    return after
