"""The command `hornbook rules verify`: a check that learned rules follow from their theory, also after an
edit.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import flag
from hornbook.compiler.maintain.renewal import Renewed, State
from hornbook.compiler.maintain.retirement import retired_path
from hornbook.compiler.refute.countermodel import find
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.rulebase import misfits_among
from hornbook.compiler.rules.verification import upgraded, verify_all
from hornbook.inputs.opening import limit_of_facts
from hornbook.inputs.opening_store import TheoryWithRules, rules_of, theory_argument
from hornbook.inputs.store_names import store_named
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.cache import nothing_recalled
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.coded import Limits
from hornbook.stores.renewing import renew_file, renew_store, write_certificates
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_json, print_line

DESCRIPTIONS: dict[State, str] = {
    "untouched": "untouched",
    "renewed": "kept with a new certificate",
    "retired": "retired",
    "uncertified": "without a certificate",
}


def verify(
    rules: options.RulesOrStore,
    theory: options.TheoryOfRules = None,
    renew: Annotated[
        bool,
        flag(
            "--renew",
            "After an edit, give new certificates to rules that still follow, and retire the others.",
        ),
    ] = False,
    upgrade: Annotated[
        bool, flag("--upgrade", "Renew certificates of an earlier format for rules that still follow.")
    ] = False,
    counter_models: Annotated[
        bool, flag("--counter-models", "Look for a state in which a rejected rule is wrong.")
    ] = False,
    most_facts: options.MaxFacts = None,
    json_output: options.Json = False,
) -> None:
    """Replay the certificate of every rule of a rule base.

    The exit code is 1 if a rule does not follow or has no certificate; the reason is printed for each. With
    --renew, after an edit of the theory or of rules, a rule is checked only if its certificate depends on a
    change. A rule that no longer follows is moved to RULES.retired.horn, or retired in the store. `hornbook
    rules relearn` learns from its example again. A store takes the theory's current text.
    """
    if renew:
        if upgrade:
            raise ArgumentError("`--renew` does this too", "--upgrade")
        limits = limit_of_facts(most_facts)
        _renew(rules, theory, limits, counter_models=counter_models, json_output=json_output)
        return
    with nothing_recalled():
        learned = rules_of(rules, theory, verify=False)
        base = _upgraded(learned, rules) if upgrade else learned.base
        verdicts = list(verify_all(base, learned.theory))
    failed = [verdict for verdict in verdicts if not verdict.follows]
    refuted = _refuted([v.entry.rule for v in failed] if counter_models else [], learned.theory)
    if json_output:
        found = [
            {
                "rule": v.entry.rule.name,
                "follows": v.follows,
                "reason": v.reason,
                "counter_model": refuted.get(v.entry.rule.name),
            }
            for v in verdicts
        ]
        print_json(found)
    else:
        for verdict in failed:
            name = verdict.entry.rule.name
            print_line(f"{verdict.entry.rule.span}: {name}: {verdict.reason}{_counter_model(name, refuted)}")
        follow = len(verdicts) - len(failed)
        print_line(
            f"{counted(follow, 'rule follows', 'rules follow')} from `{learned.theory.name}`,"
            f" {counted(len(failed), 'does not', 'do not')}"
        )
    if failed:
        raise ReportedError(1)


def _refuted(rules: Iterable[Rule], theory: Theory) -> dict[str, str | None]:
    """Return a counter-model of each rule, or None if none is found. Rules outside the theory's language are
    omitted.
    """
    found = {rule.name: find(rule, theory) for rule in rules if not misfits_among([rule], theory)}
    return {name: None if each is None else str(each) for name, each in found.items()}


def _counter_model(name: str, refuted: Mapping[str, str | None]) -> str:
    """Return the line about the counter-model of a rule, if one was searched for."""
    return f"\n  counter-model {refuted[name] or 'not found: undecided'}" if name in refuted else ""


def _upgraded(learned: TheoryWithRules, rules: str) -> RuleBase:
    """Return the rules with current certificates for those that still follow, and save the certificates."""
    base = upgraded(learned.base, learned.theory)
    write_certificates(learned, base, Path(rules))
    return base


def _renew(
    rules: str, theory: str | None, limits: Limits | None, *, counter_models: bool, json_output: bool
) -> None:
    started = time.perf_counter()
    named = store_named(rules)
    if named is None:
        known = theory_argument(theory)
        found, aside = renew_file(Path(rules), known), f"in {retired_path(Path(rules))}"
    else:
        (known, found), aside = renew_store(named, theory, limits), "retired in the store"
    seconds = time.perf_counter() - started
    failed = [fate.entry.rule for fate in (*found.in_state("retired"), *found.in_state("uncertified"))]
    refuted = _refuted(failed if counter_models else [], known)
    if json_output:
        written = {
            "rules": [
                {
                    "rule": fate.entry.rule.name,
                    "state": fate.state,
                    "reason": fate.reason,
                    "counter_model": refuted.get(fate.entry.rule.name),
                }
                for fate in found.fates
            ],
            "back": list(found.back),
            "replayed": found.replayed,
            "seconds": round(seconds, 3),
        }
        print_json(written)
    else:
        print_line("\n".join(_lines(found, aside, seconds, refuted)))
    if failed:
        raise ReportedError(1)


def _lines(found: Renewed, aside: str, seconds: float, refuted: Mapping[str, str | None]) -> Iterator[str]:
    for fate in found.fates:
        if fate.state != "untouched":
            name = fate.entry.rule.name
            yield f"{name}: {DESCRIPTIONS[fate.state]}: {fate.reason}{_counter_model(name, refuted)}"
    counts = Counter(fate.state for fate in found.fates)
    parts = [
        f"{counts[state]} {description}"
        for state, description in DESCRIPTIONS.items()
        if counts[state] or state != "uncertified"
    ]
    yield f"{counted(len(found.fates), 'rule')}: {', '.join(parts)}"
    if found.back:
        one, several = "retired rule follows again, and is", "retired rules follow again, and are"
        yield f"{counted(len(found.back), one, several)} back: {', '.join(found.back)}"
    yield f"{counted(found.replayed, 'certificate')} replayed; {seconds:.1f} s"
    if found.in_state("retired"):
        yield f"what no longer follows is {aside}; `hornbook rules relearn` learns from its examples again"
