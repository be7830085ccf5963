"""Learned rules in a store: text in the language, with certificate and provenance as JSON.

A rule read from a store equals the rule written to it, except for spans. A rule base contains the active
rules. Proofs may depend on forgotten ones, so verification reads these too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from hornbook.compiler.rules.admission import RuleBase, RuleEntry, label_numbers, rule_base
from hornbook.compiler.rules.certificates import certificate_as_json, certificate_from_json
from hornbook.compiler.rules.definitions import Definitions, definitions_in
from hornbook.compiler.rules.provenance import Provenance
from hornbook.compiler.rules.rulebase import check_definitions, check_learned, definition_blocks
from hornbook.compiler.rules.verdict_cache import store_key
from hornbook.compiler.rules.verification import with_verdicts
from hornbook.kb.ast.terms import Rule, Span
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_rule
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.cache import recall, remember
from hornbook.kb.sources.collector import collector_paused
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, error
from hornbook.kb.store import State, Store, StoredRule

PROVABLE: tuple[State, ...] = ("active", "forgotten")
"""The states of rules on which proofs may depend."""


def stored_rule(entry: RuleEntry, state: State = "active", reason: str = "") -> StoredRule:
    """Return the row of a rule."""
    certificate = None if entry.certificate is None else _written(certificate_as_json(entry.certificate))
    provenance = None if entry.provenance is None else _written(entry.provenance.as_json())
    return StoredRule(
        entry.rule.name, print_rule(entry.rule).rstrip("\n"), certificate, provenance, state, reason
    )


def read_entry(stored: StoredRule, file: str) -> RuleEntry:
    """Return the rule of a row; messages call the store `file`. Raise TheoryError if the row is malformed."""
    name = f"{file}#{stored.name}"
    parsed = parse(stored.text, name)
    found = [d for d in parsed.diagnostics if d.severity == "error"]
    if found or len(parsed.clauses) != 1 or not isinstance(parsed.clauses[0], Rule):
        raise TheoryError(found or [_damage(stored, name, "its text is not one rule")], {name: stored.text})
    rule = parsed.clauses[0]
    if rule.name != stored.name:
        raise TheoryError([_damage(stored, name, f"its text is the rule `{rule.name}`")], {name: stored.text})
    try:
        certificate = (
            None if stored.certificate is None else certificate_from_json(json.loads(stored.certificate))
        )
        provenance = (
            None if stored.provenance is None else Provenance.from_json(json.loads(stored.provenance))
        )
    except (ValueError, RecursionError) as problem:
        raise TheoryError([_damage(stored, name, str(problem))], {name: stored.text}) from None
    return RuleEntry(rule, certificate, provenance)


def read_rule_base(
    store: Store,
    theory: Theory,
    states: Iterable[State] = ("active",),
    name: str | None = None,
    *,
    verify: bool = True,
) -> RuleBase:
    """Return the rules of a store in the given states, for a theory in the store.

    The default name is that of the theory. Labels that were ever used are not given again. Rules that do not
    follow from the theory are marked as refused, unless `verify` is False because the caller needs no
    verification or does it. Raise TheoryError if a rule does not fit the theory.
    """
    selected_states = set(states)
    with store.snapshot():
        stored = store.rules(theory.name if name is None else name)
        definitions = stored_definitions(store, theory.name if name is None else name)
    # Proofs may depend on rules in other states.
    read = [each for each in stored if each.state in {*selected_states, *PROVABLE}]
    with collector_paused():
        entries = [read_entry(each, str(store.path)) for each in read]
        found = rule_base(theory.name, entries, definitions)
        extended = definitions.extended(theory)
        key = store_key((each.fingerprint for each in read), definitions, theory)
        if recall(key) is None:
            rules = [entry.rule for entry in entries]
            wrong = check_definitions(definitions, theory)
            wrong = wrong or [d for d in check_learned(rules, extended) if d.severity == "error"]
            if wrong:
                raise TheoryError(wrong, {f"{store.path}#{each.name}": each.text for each in stored})
            if verify:
                found = with_verdicts(found, extended)
                remember({} if any(entry.refused for entry in found) else {key: True})
    selected = {each.name: found.entries[each.name] for each in stored if each.state in selected_states}
    shapes = {name: shape for name, shape in found.shapes.items() if name in selected}
    labels = (*(each.name for each in stored), *(clause.name for clause in definitions.clauses))
    return RuleBase(theory.name, selected, shapes, label_numbers(labels), definitions)


def stored_definitions(store: Store, theory: str) -> Definitions:
    """Return the invented predicates of a store. Raise TheoryError if their text is damaged."""
    name, text = f"{store.path}#definitions", store.definitions(theory)
    parsed = parse(text, name)
    found = [d for d in parsed.diagnostics if d.severity == "error"]
    if found:
        raise TheoryError(found, {name: text})
    return definitions_in(parsed.clauses)


def put_definitions(store: Store, definitions: Definitions, theory: str | None = None) -> None:
    """Store the invented predicates of the learned rules of a theory, if they differ from the stored ones."""
    text = "\n\n".join(definition_blocks(definitions))
    if text != store.definitions(theory):
        store.put_definitions(text, theory)


def put_rules(store: Store, entries: Iterable[RuleEntry], theory: str | None = None) -> None:
    """Store rules as active ones."""
    for entry in entries:
        store.put_rule(stored_rule(entry), theory)


def forget_stored(
    store: Store, theory: str, reasons: Mapping[str, str], detail: Mapping[str, object]
) -> None:
    """Mark active rules as forgotten, each for its reason; `detail` is added to the event."""
    with store.transaction():
        for rule, reason in reasons.items():
            store.set_state([rule], "forgotten", reason, theory)
        store.add_event("pruned", {"theory": theory, **detail, "rules": [*reasons]})


def store_rule_base(store: Store, base: RuleBase) -> None:
    """Store the rules of a base under its theory; active rules that are not in the base are retired.

    A rule that is stored already remains in its state.
    """
    with store.transaction():
        put_definitions(store, base.definitions, base.theory)
        existing = {rule.name: rule for rule in store.rules(base.theory)}
        for name, entry in base.entries.items():
            new, old = stored_rule(entry), existing.get(name)
            if old is None:
                store.put_rule(new, base.theory)
            elif old.fingerprint != new.fingerprint:
                store.put_rule(stored_rule(entry, old.state, old.reason), base.theory)
        removed = [
            name for name, rule in existing.items() if rule.state == "active" and name not in base.entries
        ]
        store.set_state(removed, "retired", "another rule says it more generally", base.theory)


def changes(before: RuleBase, after: RuleBase) -> tuple[list[RuleEntry], list[str]]:
    """Return the new or changed rules, and the names of the removed ones."""
    new = [entry for name, entry in after.entries.items() if before.entries.get(name) != entry]
    return new, [name for name in before.entries if name not in after.entries]


def _damage(stored: StoredRule, file: str, reason: str) -> Diagnostic:
    message = f"the rule `{stored.name}` of the store is damaged: {reason}"
    return error("HB005", message, Span(file, 1, 1, 1, 2), "`hornbook store check` says what else is")


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
