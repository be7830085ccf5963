"""Renewal of learned rules after an edit of their theory, in a file or a store, all or nothing.

Invariants: Nothing is written before the fate of every rule is known. In a file, a rule that no longer holds
moves to the file of retired rules in the same folder. In a store it remains as `retired`, with the reason.
A store gets the theory's new text only together with the rules' new certificates. Forgotten rules are
renewed like others, since proofs use them as lemmas, and remain forgotten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hornbook.compiler.maintain.renewal import Renewed, renew_rules
from hornbook.compiler.maintain.retirement import retired_path, written
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase, label_numbers, rule_base
from hornbook.compiler.rules.definitions import Definitions
from hornbook.compiler.rules.rulebase import (
    check_definitions,
    check_learned,
    entries_of,
    misfit_messages,
    misfits_among,
)
from hornbook.compiler.rules.stored_rules import (
    PROVABLE,
    changes,
    read_entry,
    stored_definitions,
    stored_rule,
)
from hornbook.inputs.opening_store import TheoryWithRules, open_store, store_errors_as_usage, theory_and_text
from hornbook.inputs.store_names import StoreName
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.store import Store, StoredRule, StoredTheory, StoreError
from hornbook.kb.text.writing import write_texts
from hornbook.matcher.program.coded import Limits


def renew_file(rules: Path, theory: Theory) -> Renewed:
    """Renew a file of rules.

    Raises:
        TheoryError: If the file does not contain learned rules.
        OSError: If the file cannot be written.
    """
    base, misfits = rulebase.read_older(rules, theory)
    before = entries_of(retired_path(rules)) if retired_path(rules).exists() else []
    found = renew_rules(base, theory, misfits, before)
    if found.back or found.in_state("renewed") or found.in_state("retired"):
        aside = written(found.in_state("retired"), rules, theory.name)
        write_texts([*aside, *rulebase.written(found.base, rules)])
    return found


def renew_store(named: StoreName, target: str | None, limits: Limits | None = None) -> tuple[Theory, Renewed]:
    """Replace a store's copy of a theory by the current text and renew the store's rules.

    `target` is the theory's name or file, by default the origin of the stored text.

    Raises:
        ArgumentError: If the file is not a store or does not have the theory.
        TheoryError: If the theory has mistakes.
        KnowledgeBaseError: If the store's facts do not fit the theory.
    """
    with store_errors_as_usage("RULES"), Store(named.path, "write") as store, store.transaction():
        theory, text = theory_and_text(_target(store, named.theory) if target is None else target)
        rows = store.rules(theory.name)
        _require_fitting(store.facts(theory.name), theory, limits)
        definitions = stored_definitions(store, theory.name)
        base, misfits = _older(rows, definitions, theory, named.path)
        retired = [read_entry(row, str(named.path)) for row in rows if row.state == "retired"]
        found = renew_rules(base, theory, misfits, retired)
        _put(store, text, rows, found)
    return theory, found


def write_certificates(learned: TheoryWithRules, base: RuleBase, file: Path) -> None:
    """Write the rules whose certificates have changed back to their origin, the store or the file."""
    if learned.store is None:
        rulebase.write(base, file)
        return
    new, _ = changes(learned.base, base)
    with open_store(learned.store, "write") as store, store.transaction():
        stored = {rule.name: rule for rule in store.rules(learned.theory.name, PROVABLE)}
        for entry in new:
            old = stored[entry.rule.name]
            store.put_rule(stored_rule(entry, old.state, old.reason), learned.theory.name)


def _target(store: Store, name: str | None) -> str:
    """Return the name or file that a store's theory was stored from.

    Raises StoreError if the file is missing.
    """
    stored = store.theory(name)
    if stored.target.endswith(".horn") and not Path(stored.target).exists():
        raise StoreError(
            f"{store.path}: `{stored.name}` was stored from {stored.target}, which is not there any more;"
            " say with --theory where it is now"
        )
    return stored.target


def _require_fitting(facts: Sequence[GroundFact], theory: Theory, limits: Limits | None) -> None:
    try:
        if facts:
            base = KnowledgeBase(theory, limits=limits)
            base.add(facts)
            base.engine.check_consistency()
    except (FactError, KnowledgeBaseError) as problem:
        raise KnowledgeBaseError(f"the store's facts do not fit the theory as it is now: {problem}") from None


def _older(
    rows: Sequence[StoredRule], definitions: Definitions, theory: Theory, path: Path
) -> tuple[RuleBase, dict[str, str]]:
    """Return the rules that proofs may use, and those no longer valid in the theory's language."""
    entries = [read_entry(row, str(path)) for row in rows if row.state in PROVABLE]
    base = rule_base(theory.name, entries, definitions)
    base = replace(base, numbers=label_numbers(row.name for row in rows))
    wrong_definitions = check_definitions(definitions, theory)
    if wrong_definitions:
        raise TheoryError(wrong_definitions, {})
    theory = definitions.extended(theory)
    rules = [entry.rule for entry in entries]
    wrong = any(d.severity == "error" for d in check_learned(rules, theory))
    misfits = misfits_among(rules, theory) if wrong else {}
    return base, misfit_messages(misfits, base, {f"{path}#{row.name}": row.text for row in rows})


def _put(store: Store, text: StoredTheory, rows: Sequence[StoredRule], found: Renewed) -> None:
    before = {row.name: row for row in rows}
    store.put_theory(text)
    for fate in found.in_state("renewed"):
        row = before[fate.entry.rule.name]
        fresh = stored_rule(found.base.entries[row.name], row.state, row.reason)
        store.put_rule(replace(fresh, learned=row.learned), text.name)
    for fate in found.in_state("retired"):
        store.set_state([fate.entry.rule.name], "retired", fate.reason, text.name)
    store.set_state(found.back, "active", "", text.name)
    states = Counter[str](fate.state for fate in found.fates)
    store.add_event("renewed", {"theory": text.name, **states, "replayed": found.replayed})
