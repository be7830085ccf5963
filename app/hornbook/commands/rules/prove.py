"""The command `hornbook rules prove`: proofs of rules that a person wrote or edited, and of a theory's
lemmas.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import argument, flag, option
from hornbook.compiler.maintain.unproved import ProofAttempt, prove_all, unproved, with_proofs
from hornbook.compiler.refute.countermodel import find
from hornbook.compiler.rules.admission import RuleBase, rule_base
from hornbook.compiler.rules.rulebase import proofs_of
from hornbook.compiler.rules.verification import with_verdicts
from hornbook.compiler.trust.lemma_proofs import lemma_base, write_proofs
from hornbook.games.audit.of_theory import Walks
from hornbook.games.audit.refutations import refuted as refuted_in_games
from hornbook.inputs.domains import domain_of
from hornbook.inputs.opening_store import rules_of
from hornbook.inputs.store_names import store_named
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import Theory
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass
from hornbook.stores.renewing import write_certificates
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_json, print_line
from hornbook.theories.protocols.missing_member import MissingMemberError

MOVES = 40
"""The maximum number of actions of a random game."""


@dataclass(frozen=True, slots=True)
class _ProofTask:
    """The rules or lemmas to prove among those already proved, the theory to prove them from, and a way to
    save.
    """

    base: RuleBase
    theory: Theory
    keep: Callable[[list[ProofAttempt]], None]


def prove(
    rules: Annotated[
        str,
        argument(
            "RULES", "A rule base, such as `learn` writes, or a store; or a theory, to prove its lemmas."
        ),
    ],
    theory: options.TheoryOfRules = None,
    games: Annotated[
        int,
        option(
            "--games",
            "N",
            "First test each rule in the states of N random games; refuted rules are not proved.",
            min=0,
        ),
    ] = 1,
    counter_models: Annotated[
        bool, flag("--counter-models", "Look for a state in which a rule without a proof is wrong.")
    ] = False,
    json_output: options.Json = False,
) -> None:
    """Prove the rules that have no certificate, such as rules that you wrote or edited; or the lemmas of a
    theory.

    If the domain can play games, each rule is first tested in the states of some random games. No proof is
    searched for a rule that such a state refutes. No example is needed. A proved rule gets a certificate,
    like a learned rule. The proof of a rule may use other rules of the file, and the proof of a lemma other
    lemmas. Certificates of lemmas are stored beside the theory, in NAME.proofs.jsonl.

    The exit code is 1 if a rule has no proof. For each such rule, the missing part of the nearest clause of
    the theory is printed. The rule may still be true: --counter-models looks for a state in which it is
    wrong.
    """
    is_theory = theory is None and store_named(rules) is None
    task = _lemmas(rules) if is_theory else _rules(rules, theory)
    waiting = unproved(task.base)
    refuted = _refuted(task, games) if waiting and games else {}
    attempts = [ProofAttempt(e, "a state of a game refutes it") for e in waiting if e.rule.name in refuted]
    with progress("proving", len(waiting) - len(attempts)) as update_progress:
        for attempt in prove_all(task.base, task.theory, refuted):
            attempts.append(attempt)
            update_progress(advance=1)
    if any(attempt.proved for attempt in attempts):
        task.keep(attempts)
    failed = [attempt.entry.rule for attempt in attempts if not attempt.proved]
    proved = [lemma.rule for lemma in with_proofs(task.base, attempts).lemmas().values()]
    refuted |= {
        rule.name: str(model)
        for rule in (failed if counter_models else [])
        if rule.name not in refuted and (model := find(rule, task.theory, lemmas=proved)) is not None
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
        print_json(found)
    else:
        for attempt in attempts:
            print_line(_line(attempt, refuted, searched=counter_models))
        there = len(task.base) - len(attempts)
        print_line(
            f"{counted(len(attempts) - len(failed), 'rule')} proved, {len(failed)} without a proof,"
            f" {there} proved before"
        )
    if failed:
        raise ReportedError(1)


def _refuted(task: _ProofTask, games: int) -> dict[str, str]:
    """Return the unproved rules that states of random games refute, each with the refutation.

    The result is empty if no domain can play games.
    """
    domain = domain_of(task.theory)
    if domain is None:
        return {}
    rules = [entry.rule for entry in unproved(task.base)]
    proved = [lemma.rule for lemma in task.base.lemmas().values()]
    try:
        found = refuted_in_games(rules, task.theory, proved, domain, Walks(games, MOVES, seed=1))
    except MissingMemberError:
        return {}
    return {name: str(refutation) for name, refutation in found.items()}


def _rules(rules: str, theory: str | None) -> _ProofTask:
    learned = rules_of(rules, theory, verify=False)

    def keep(attempts: list[ProofAttempt]) -> None:
        write_certificates(learned, with_proofs(learned.base, attempts), Path(rules))

    return _ProofTask(with_verdicts(learned.base, learned.theory), learned.theory, keep)


def _lemmas(target: str) -> _ProofTask:
    """Return the lemmas of a theory. The sidecar has no proofs for lemmas that an import already proves."""
    theory = load(target)
    path, base = theory.path, lemma_base(theory)
    if path is None or not base.entries:
        raise ArgumentError(
            f"`{theory.name}` has no lemmas; if these are rules, name their theory (`--theory`)", "RULES"
        )

    stored_proofs = proofs_of(path)

    def keep(attempts: list[ProofAttempt]) -> None:
        there = stored_proofs.keys() | {a.entry.rule.name for a in attempts}
        entries = (e for e in with_proofs(base, attempts) if e.rule.name in there)
        write_proofs(rule_base(theory.name, entries), path)

    return _ProofTask(base, theory.without_lemmas(), keep)


def _line(attempt: ProofAttempt, refuted: dict[str, str], *, searched: bool) -> str:
    rule, certificate = attempt.entry.rule, attempt.entry.certificate
    if attempt.proved and certificate is not None:
        steps = counted(len(certificate.all_steps), "step")
        return f"{rule.span}: {rule.name}: proved in {steps}, rank {certificate.rank}"
    found = refuted.get(rule.name, "not found: undecided" if searched else None)
    model = "" if found is None else f"\n  counter-model {found}"
    return f"{rule.span}: {rule.name}: {attempt.reason}{model}"
