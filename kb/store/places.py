"""The places of facts in a store. The store is only opened when a proof needs them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from hornbook.kb.explain.fact_places import FactsInStore
from hornbook.kb.store.errors import StoreError
from hornbook.kb.store.store import Store

_Key = tuple[str, tuple[str | int, ...]]


def facts_in_store(path: Path, theory: str) -> FactsInStore:
    """Return the facts of a theory in a store as a source. If the store is unreadable, their place is the
    store itself.
    """

    def places(facts: Collection[_Key]) -> Mapping[_Key, str]:
        try:
            with Store(path) as store:
                return store.places(facts, theory)
        except StoreError:
            return {}

    return FactsInStore(str(path), places)
