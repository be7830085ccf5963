"""A knowledge base with a store: facts are read from it, and changes are written to it together with the
engine's.

Invariants: A change is made in both the engine and the store, or in neither. Changes between `push` and `pop`
are hypothetical and never reach the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hornbook.kb.ast.fact_columns import FactColumns
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.load.lemmas import LemmaJudge
from hornbook.kb.load.loader import load
from hornbook.kb.store.closure import load_stored, require_same
from hornbook.kb.store.errors import StoreError
from hornbook.kb.store.store import Store


def theory_of(store: Store, theory: Theory | str | Path | None, judge: LemmaJudge | None = None) -> Theory:
    """Return the theory of a knowledge base with a store, with the lemmas that `judge` accepts if it is
    loaded here. Raises StoreError if the store has another text of it, or none.
    """
    if theory is None:
        return load_stored(store.theory(), judge)
    known = theory if isinstance(theory, Theory) else load(theory, judge=judge)
    require_same(store.theory(known.name), known)
    return known


class WriteThroughStore:
    """A store that is open for writing, and the number of current marks."""

    def __init__(self, store: Store, theory: str) -> None:
        self._store = store
        self._theory = theory
        self.marks = 0

    def facts(self) -> list[GroundFact]:
        """Return the facts in the store."""
        return self._store.facts(self._theory)

    def note_places(self, facts: FactColumns) -> None:
        """Record the table rows of facts that were added one by one."""
        if not self.marks:
            self._store.note_places(facts, self._theory)

    @contextmanager
    def change(
        self,
        add: Sequence[GroundFact],
        retract: Sequence[GroundFact],
        undo: Callable[[], object],
    ) -> Iterator[None]:
        """Add and retract facts around the engine's change in the block. `undo` reverts that change if the
        store fails.
        """
        if self.marks or not (add or retract):
            yield
            return
        changed = False
        try:
            with self._store.transaction():
                self._store.retract_facts(retract, self._theory)
                self._store.add_facts(add, self._theory)
                yield
                changed = True
        except StoreError:
            if changed:
                undo()
            raise
