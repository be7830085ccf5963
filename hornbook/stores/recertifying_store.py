"""A store after an edit of its theory: the theory's new text and what becomes of its rules, in one transaction.

Always true: the store has the new text only together with the rules' new certificates; rules that fell stay in it,
retired, with the reason. Forgotten rules are brought up to date like others, since proofs rest on them, and stay
forgotten.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

from hornbook.compiler.learn.learning import Example
from hornbook.compiler.maintain.recertification import Recertified, recertify
from hornbook.compiler.maintain.relearning import Relearning
from hornbook.compiler.rules.admission import RuleBase, label_numbers, rule_base
from hornbook.compiler.rules.rulebase import misfits_among, rename, without_drafts
from hornbook.compiler.rules.stored_rules import PROVABLE, put_rules, read_entry, stored_rule
from hornbook.games.known_examples import KnownExamples
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.check import check_rules
from hornbook.kb.lower.faults import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.store import Store, StoredRule, StoredTheory, StoreError
from hornbook.kb.store.closure import load_and_read
from hornbook.kb.text.lines import lines_of
from hornbook.stores.recertifying import Run, leaving


def _target(store: Store) -> str:
    """Where the store's only theory was stored from. Raises StoreError where that is a file and no longer there."""
    stored = store.theory()
    if stored.target.endswith(".horn") and not Path(stored.target).exists():
        raise StoreError(
            f"{store.path}: `{stored.name}` was stored from {stored.target}, which is not there any more;"
            " say with --theory where it is now"
        )
    return stored.target


def recertify_store(
    path: Path, target: str | None, named: Sequence[Path], *, writing: bool
) -> tuple[Theory, Run]:
    """Takes a theory's text as it is now, and brings the store's rules up to date with it.

    Without a target it is the store's only theory, where it was stored from. Raises StoreError where the store is none
    or has no such theory, TheoryError where the theory has mistakes, KnowledgeBaseError where the store's facts do
    not fit it.
    """
    started = time.perf_counter()
    with Store(path, "write" if writing else "read") as store, store.snapshot():
        theory, text = load_and_read(_target(store) if target is None else target)
        rows = store.rules(theory.name)
        _require_fitting(store.facts(theory.name), theory)
        base, misfits = _older(rows, theory, path)
        with _problems(store, theory.name) as problems:
            kept = _examples(store, theory.name)
            known = KnownExamples(theory, path.parent, [*named, *problems], kept)
            retired = [read_entry(row, str(path)) for row in rows if row.state == "retired"]
            outcome = recertify(base, theory, misfits, Relearning(theory, known.find), retired)
        if writing:
            _put(store, text, rows, outcome)
    return theory, Run(outcome, time.perf_counter() - started)


def _require_fitting(facts: Sequence[GroundFact], theory: Theory) -> None:
    try:
        if facts:
            KnowledgeBase(theory).add(facts)
    except (FactError, KnowledgeBaseError) as problem:
        raise KnowledgeBaseError(f"the store's facts do not fit the theory as it is now: {problem}") from None


def _older(rows: Sequence[StoredRule], theory: Theory, path: Path) -> tuple[RuleBase, dict[str, str]]:
    """The rules that proofs may rest on, and those that are no rules of the theory's language any more."""
    entries = [read_entry(row, str(path)) for row in rows if row.state in PROVABLE]
    base = rule_base(theory.name, entries)
    base = replace(base, numbers=label_numbers(row.name for row in rows))
    rules = [entry.rule for entry in entries]
    wrong = any(d.severity == "error" for d in check_rules(rules, theory.vocabulary, theory.rules))
    misfits = misfits_among(rules, theory) if wrong else {}
    return base, without_drafts(misfits, base, {f"{path}#{row.name}": row.text for row in rows})


@contextmanager
def _problems(store: Store, theory: str) -> Iterator[list[Path]]:
    """The problems that rules were learned from, as a file with a problem a line."""
    found: dict[str, None] = {}
    for example in store.examples(theory):
        with suppress(ValueError):
            if isinstance(json.loads(example.content), dict):
                found[example.content] = None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kept.jsonl"
        file.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
        yield [file] if found else []


def _examples(store: Store, theory: str) -> dict[tuple[str, str], Example]:
    """The examples in the language that rules were learned from, by file and name."""
    found = {}
    for each in store.examples(theory):
        # What has another form is a problem.
        with suppress(ValueError, TypeError, KeyError):
            facts = [json.loads(line) for line in lines_of(each.content)]
            read = tuple(GroundFact(relation, tuple(values), tense) for relation, *values, tense in facts)
            found[each.file, each.name] = Example(each.name, each.file, read, ())
    return found


def _put(store: Store, text: StoredTheory, rows: Sequence[StoredRule], outcome: Recertified) -> None:
    before = {row.name: row for row in rows}
    with store.transaction():
        store.put_theory(text)
        for fate in outcome.in_state("renewed"):
            row = before[fate.entry.rule.name]
            fresh = stored_rule(outcome.base.entries[row.name], row.state, row.reason)
            store.put_rule(replace(fresh, learned=row.learned), text.name)
        for each in leaving(outcome):
            name = each.entry.rule.name
            if name not in outcome.base.entries:
                store.set_state([name], "retired", each.reason, text.name)
                continue
            # The name is that of what was learned in its place.
            number = next(n for n in count(1) if f"{name}_retired_{n}" not in before)
            old = rename(each.entry, f"{name}_retired_{number}")
            store.put_rule(stored_rule(old, "retired", each.reason), text.name)
        learned = [fate.by for fate in outcome.in_state("repaired") if fate.by == fate.entry.rule.name]
        put_rules(store, [outcome.base.entries[name] for name in (*learned, *outcome.added)], text.name)
        store.set_state(outcome.back, "active", "", text.name)
        states = Counter[str](fate.state for fate in outcome.fates)
        store.add_event("recertified", {"theory": text.name, **states, "replayed": outcome.replayed})
