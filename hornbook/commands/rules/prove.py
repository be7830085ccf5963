"""`hornbook prove`: proofs of rules that a person wrote, or edited."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from hornbook.compiler.maintain.unproved import Attempt, prove_all, unproved, with_proofs
from hornbook.compiler.refute.countermodel import find
from hornbook.compiler.rules.verification import standing
from hornbook.inputs import options
from hornbook.inputs.opening_store import rules_of
from hornbook.kb.text.counts import counted
from hornbook.stores.renewing import keep_certificates
from hornbook.terminal.coloured import progress


def prove(
    rules: options.RulesPlace,
    theory: options.TheoryOfRules = None,
    counter_models: Annotated[
        bool,
        typer.Option("--counter-models", help="Look for a state in which a rule without a proof is wrong."),
    ] = False,
    json_output: options.Json = False,
) -> None:
    """Prove the rules of a rule base that have no proof: those that you wrote or edited.

    No example is needed. What is proved gets a certificate, as a learned rule has; a rule may rest on others of the file.
    The exit code is 1 if a rule stays without a proof; what the nearest rule of the theory lacks is printed for each. It may be
    right all the same: --counter-models looks for a state in which it is wrong.
    """
    learned = rules_of(rules, theory, verify=False)
    base = standing(learned.base, learned.theory)
    attempts: list[Attempt] = []
    with progress("proving", len(unproved(base))) as went_on:
        for attempt in prove_all(base, learned.theory):
            attempts.append(attempt)
            went_on(advance=1)
    if any(attempt.proved for attempt in attempts):
        keep_certificates(learned, with_proofs(learned.base, attempts), Path(rules))
    failed = [attempt.entry.rule for attempt in attempts if not attempt.proved]
    proved = [lemma.rule for lemma in with_proofs(base, attempts).lemmas().values()]
    refuted = {
        rule.name: str(model)
        for rule in (failed if counter_models else [])
        if (model := find(rule, learned.theory, lemmas=proved)) is not None
    }
    if json_output:
        found = [
            {
                "rule": a.entry.rule.name,
                "proved": a.proved,
                "reason": a.reason,
                "counter_model": refuted.get(a.entry.rule.name),
            }
            for a in attempts
        ]
        typer.echo(json.dumps(found, ensure_ascii=False))
    else:
        for attempt in attempts:
            typer.echo(_line(attempt, refuted, asked=counter_models))
        there = len(base) - len(attempts)
        typer.echo(
            f"{counted(len(attempts) - len(failed), 'rule')} proved, {len(failed)} without a proof,"
            f" {there} proved before"
        )
    if failed:
        raise typer.Exit(1)


def _line(attempt: Attempt, refuted: dict[str, str], *, asked: bool) -> str:
    rule, certificate = attempt.entry.rule, attempt.entry.certificate
    if attempt.proved and certificate is not None:
        steps = counted(len(certificate.all_steps), "step")
        return f"{rule.span}: {rule.name}: proved in {steps}, rank {certificate.rank}"
    model = f"\n  counter-model {refuted.get(rule.name, 'not found: undecided')}" if asked else ""
    return f"{rule.span}: {rule.name}: {attempt.reason}{model}"
