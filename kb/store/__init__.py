"""The store: one SQLite file with theories, facts, learned rules and statistics of their use.

    from hornbook.kb.store import Store

    with Store("firm.sqlite", "write") as store:           # Store.create(path) creates a new one
        with store.transaction():                          # all of it, or nothing
            store.put_theory("firm")                       # its text, and that of all its imports
            store.put_rule(StoredRule(name, text, ...))    # adds it, or replaces the one with this name
            store.set_state([name], "retired", "why")      # "active", "forgotten" or "retired"

    with Store("firm.sqlite") as store, store.snapshot():  # readers are never blocked
        theory = load_stored(store.theory())               # a Theory, from the stored text alone
        rules = store.rules(states=["active"])             # text, certificate and provenance (JSON)

The modules:

- `Store` (store.py): `theories`, `theory`, `put_theory`, `facts`, `add_facts`, `retract_facts`, `rules`,
  `put_rule`, `set_state`, `examples`, `put_example`, `use`, `count`, `benchmarks`, `put_benchmark`,
  `statistics`, `put_statistics`, `definitions`,
  `put_definitions`, `events`, `add_event`. Each takes the theory's name if a store has several.
- `closure.py`: Converts the files of a theory to stored texts (`read_theory`) and back (`load_stored`). It
  also detects later changes of the files (`has_changed`).
- `compiler/rules/stored_rules.py`: Converts learned rules with their certificates (`Entry`, `RuleBase`) to
  rows and back. The store itself treats rules and certificates as text with a fingerprint.
- `text.py`: Converts a store to text and back without loss.
- `integrity.py`: Checks whether a file is undamaged.
- `StoreError`, and `StoreBusyError` if another process writes: errors with messages for users.

A writer holds the only lock from opening to closing. A second writer waits `wait` seconds, then gets
StoreBusyError. So the data that a writer has read stay valid until it writes.
"""

from __future__ import annotations

from hornbook.kb.store.errors import StoreBusyError, StoreError
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
