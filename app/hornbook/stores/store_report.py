"""Contents of a store as JSON and as text."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from rich.table import Table

from hornbook.kb.store import STATES, Benchmark, Store, StoredRule, Use
from hornbook.kb.text.counts import counted
from hornbook.terminal.plain_text import plain

LAST_EVENTS = 10
"""The number of events in the text."""


def as_json(store: Store) -> dict[str, Any]:
    """Return the contents of a store; times are in seconds, dates in UTC."""
    return {
        "file": str(store.path),
        "theories": [_theory(store, theory.name) for theory in store.theories()],
        "events": [
            {"when": each.happened, "what": each.what, **json.loads(each.detail)} for each in store.events()
        ],
    }


def _theory(store: Store, name: str) -> dict[str, Any]:
    theory, use, benchmarks = store.theory(name), store.usage(name), store.benchmarks(name)
    return {
        "name": name,
        "opened_by": theory.target,
        "fingerprint": theory.fingerprint,
        "files": [file.path for file in theory.files],
        "facts": store.count_facts(name),
        "examples": len(store.examples(name)),
        "statistics": store.statistics(name) is not None,
        "rules": [_rule(r, use.get(r.name), benchmarks.get(r.name)) for r in store.rules(name)],
    }


def _rule(rule: StoredRule, use: Use | None, benchmark: Benchmark | None) -> dict[str, Any]:
    origin = json.loads(rule.provenance) if rule.provenance else {}
    measured = benchmark is not None and benchmark.states > 0
    return {
        "name": rule.name,
        "state": rule.state,
        "reason": rule.reason,
        "learned": rule.learned,
        "example": origin.get("example"),
        "certificate": rule.certificate is not None,
        "asked": 0 if use is None else use.asked,
        "fired": 0 if use is None else use.fired,
        "matched": 0 if use is None else use.states,
        "saved_seconds": None if benchmark is None else benchmark.saved_seconds,
        "match_seconds": benchmark.match_seconds if measured and benchmark is not None else None,
        "value": None if use is None or benchmark is None else benchmark.value(use),
    }


def text(store: Store) -> str:
    """Return the contents of a store as text, with times in milliseconds."""
    found = as_json(store)
    blocks = ["\n".join(_described(theory)) for theory in found["theories"]] or ["no theory yet"]
    events = [f"{each.happened}  {each.what}  {each.detail}" for each in store.events()[-LAST_EVENTS:]]
    return "\n\n".join([*blocks, *(["\n".join(events)] if events else [])])


def _described(theory: dict[str, Any]) -> list[str]:
    states = Counter(rule["state"] for rule in theory["rules"])
    rules = ", ".join(f"{states[state]} {state}" for state in STATES)
    lines = [
        f"theory `{theory['name']}` ({theory['opened_by']}), fingerprint {theory['fingerprint'][:16]}",
        (
            f"{counted(theory['facts'], 'fact')}, {counted(theory['examples'], 'example')} learned from,"
            f" rules: {rules}"
        ),
    ]
    if theory["rules"]:
        lines.append(plain(_table(theory["rules"])))
    return lines


def _table(rules: list[dict[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("rule", "state", "learned from"):
        table.add_column(name)
    for name in ("asked", "fired", "matched", "saves ms", "match ms", "worth ms"):
        table.add_column(name, justify="right")
    for rule in rules:
        counts = [f"{rule[key]:,}" for key in ("asked", "fired", "matched")]
        times = [_milliseconds(rule[key]) for key in ("saved_seconds", "match_seconds", "value")]
        table.add_row(rule["name"], rule["state"], rule["example"] or "", *counts, *times)
    return table


def _milliseconds(seconds: float | None) -> str:
    return "?" if seconds is None else f"{1000 * seconds:.3f}"
