"""Where the facts of a store stand, asked when a proof is told: the store need not be open until then."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from hornbook.kb.explain.fact_places import FactsKept
from hornbook.kb.store.faults import StoreError
from hornbook.kb.store.store import Store

_Key = tuple[str, tuple[str | int, ...]]


def facts_kept(path: Path, theory: str) -> FactsKept:
    """The facts of a theory in a store. A store that can be read no more tells nothing of them but itself."""

    def places(facts: Collection[_Key]) -> Mapping[_Key, str]:
        try:
            with Store(path) as store:
                return store.places(facts, theory)
        except StoreError:
            return {}

    return FactsKept(str(path), places)
