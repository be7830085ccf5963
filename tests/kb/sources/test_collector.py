"""Tests of the collector: what a collection of new objects frees, and what it leaves for later ones."""

from __future__ import annotations

import gc
from weakref import ref

from hornbook.kb.sources.collector import collect_new, collector_paused


class Circle:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.own = self


def test_new_garbage_is_collected_and_the_rest_counts_as_old():
    with collector_paused():
        garbage = ref(Circle())
        remaining = [Circle()]
        assert garbage() is not None
        collect_new()
        assert garbage() is None
        if not gc.get_freeze_count():
            assert any(each is remaining[0] for each in gc.get_objects(generation=2))
