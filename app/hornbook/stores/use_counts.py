"""Counters of how often the rules of a store are queried and fire.

Counting never affects an answer. If the store cannot be written, a message is printed and nothing else
happens.
"""

from __future__ import annotations

from collections import Counter

from hornbook.inputs.opening_store import TheoryWithRules
from hornbook.terminal.messages import warn


def count_use(learned: TheoryWithRules, fired: Counter[str], problems: int, states: int) -> None:
    """Add `problems` queries, and the `states` matched for them, to the counters of the store's rules."""
    if learned.store is None:
        return
    from hornbook.kb.store import Store, StoreError, Use  # noqa: PLC0415 - few rules come from a store

    used = {name: Use(problems, fired[name], states) for name in learned.active}
    try:
        with Store(learned.store, "write") as store:
            store.add_usage(used, learned.theory.name)
    except StoreError as problem:
        warn(f"not counted: {problem}")
