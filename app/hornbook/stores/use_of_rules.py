"""How often the rules of a store are asked and answer, counted by the commands that ask them.

Counting never spoils an answer: where the store cannot be written to, that is said, and nothing else happens.
"""

from __future__ import annotations

from collections import Counter

import typer

from hornbook.inputs.opening_store import Learned
from hornbook.kb.store import Store, StoreError, Use


def count_use(learned: Learned, fired: Counter[str], problems: int, states: int) -> None:
    """Adds so many problems, with the states that were matched for them, to the counts that a store has of its rules."""
    if learned.store is None:
        return
    used = {name: Use(problems, fired[name], states) for name in learned.asked}
    try:
        with Store(learned.store, "write") as store:
            store.count(used, learned.theory.name)
    except StoreError as problem:
        typer.echo(f"not counted: {problem}", err=True)
