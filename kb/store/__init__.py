"""The store: one SQLite file that keeps theories, facts, learned rules and statistics of their use.

    from hornbook.kb.store import Store

    with Store("firm.sqlite", "write") as store:          # Store.create(path) makes a new one
        with store.transaction():                          # all of it, or nothing
            store.put_theory("firm")                       # its text, and that of all it imports
            store.put_rule(StoredRule(name, text, ...))    # by name: adds it, or takes the old one's place
            store.set_state([name], "retired", "why")      # "active", "forgotten" or "retired"
    with Store("firm.sqlite") as store, store.snapshot():  # many readers; they are never blocked
        theory = load_stored(store.theory())               # a Theory, from the stored text alone
        rules = store.rules(states=["active"])             # text, certificate and provenance (JSON)

What opens and changes a store:

- `Store` (store.py): `theories`, `theory`, `put_theory`, `facts`, `add_facts`, `retract_facts`, `rules`, `put_rule`,
  `set_state`, `examples`, `put_example`, `use`, `count`, `benchmarks`, `put_benchmark`, `statistics`,
  `put_statistics`, `events`, `add_event`; each takes the theory's name where a store has several.
- `closure.py`: a theory's files into a store (`read_theory`) and out (`load_stored`); whether the files were changed
  since (`has_changed`).
- `compiler/rules/stored_rules.py`: learned rules with their certificates (`Entry`, `RuleBase`) as rows, and back. The
  store itself knows rules and certificates as text with a fingerprint, and nothing of what they say.
- `text.py`: a store as text, and back, with nothing lost. `integrity.py`: whether a file is as it was written.
- `StoreError`, and `StoreBusyError` where another process writes: messages for people.

A writer holds the only lock from opening to closing (a second one waits `wait` seconds, then gets StoreBusyError),
so what it read stays true until it writes.
"""

from __future__ import annotations

from hornbook.kb.store.faults import StoreBusyError, StoreError
from hornbook.kb.store.rows import (
    STATES,
    Benchmark,
    Event,
    State,
    StoredExample,
    StoredFile,
    StoredRule,
    StoredTheory,
    Use,
)
from hornbook.kb.store.store import Store

__all__ = [
    "STATES",
    "Benchmark",
    "Event",
    "State",
    "Store",
    "StoreBusyError",
    "StoreError",
    "StoredExample",
    "StoredFile",
    "StoredRule",
    "StoredTheory",
    "Use",
]
