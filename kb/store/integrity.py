"""The integrity of a store: the pages of the file, references between rows, JSON, and fingerprints.

Rules and certificates are not interpreted here, but by the checker.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from hornbook.kb.store.errors import StoreError
from hornbook.kb.store.rows import StoredRule, StoredTheory
from hornbook.kb.store.store import Store

_JSON = {
    "theories": ("versions",),
    "theory_files": ("imports",),
    "facts": ("cells",),
    "rules": ("certificate", "provenance", "versions"),
    "examples": ("outcome",),
    "events": ("detail",),
}
"""The columns with JSON, by table."""


def problems(store: Store) -> list[str]:
    """Return the problems of a store in words, or an empty list."""
    found = []
    try:
        for problem in _problems(store):
            # problems found before an unreadable part of the file are kept
            found.append(problem)  # noqa: PERF402
    except StoreError as problem:
        found.append(str(problem))
    return found


def _problems(store: Store) -> Iterator[str]:
    with store.snapshot():
        yield from (f"the file is damaged: {problem}" for problem in store.integrity())
        for table, columns in _JSON.items():
            names, rows = store.table(table)
            for row in rows:
                values = dict(zip(names, row, strict=True))
                yield from (f"{table}: {reason}" for column in columns for reason in _json(values[column]))
        for theory in store.theories():
            yield from _of_theory(store, theory)


def _json(text: str | None) -> Iterator[str]:
    try:
        json.loads("null" if text is None else text)
    except (ValueError, RecursionError) as problem:
        yield f"this is not JSON: {problem}"


def _of_theory(store: Store, theory: StoredTheory) -> Iterator[str]:
    if store.fingerprint_written(theory.name) != theory.fingerprint:
        yield f"the theory `{theory.name}` is not as it was written: its text has another fingerprint"
    if not theory.files:
        yield f"the theory `{theory.name}` has no text"
    for file in theory.files:
        if not all(0 <= number < len(theory.files) for number in file.imports.values()):
            yield f"the theory `{theory.name}` imports a file that is not there"
    try:
        store.facts(theory.name)
    except StoreError as problem:
        yield str(problem)
    written = store.fingerprints_of_rules(theory.name)
    for rule in store.rules(theory.name):
        yield from _of_rule(rule, written.get(rule.name, ""))


def _of_rule(rule: StoredRule, written: str) -> Iterator[str]:
    if rule.fingerprint != written:
        yield f"the rule `{rule.name}` is not as it was written: it has another fingerprint"
