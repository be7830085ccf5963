"""How often the rules of a store are asked and answer, counted by the commands that ask them.

Counting never spoils an answer: where the store cannot be written to, that is said, and nothing else happens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import typer

from hornbook.kb.ast.theory import Theory
from hornbook.kb.store import Store, StoreError, Use


def count_use(
    path: Path, theory: Theory, asked: Iterable[str], fired: Counter[str], problems: int, states: int
) -> None:
    """Adds so many problems, with the states that were matched for them, to the counts of the rules asked."""
    used = {name: Use(problems, fired[name], states) for name in asked}
    try:
        with Store(path, "write") as store:
            store.count(used, theory.name)
    except StoreError as problem:
        typer.echo(f"not counted: {problem}", err=True)
