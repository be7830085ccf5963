"""The garbage collector of Python, paused while many objects are created.

Clauses contain no reference cycles, so the collector would find none, and searching for them takes
considerable time. If there are very many objects, they are also skipped by later collections until a full
one.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MANY = 100_000
"""The maximum number of new objects that a later collection examines."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the collector in the block, and restore its state."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if gc.get_count()[0] > MANY and not gc.get_freeze_count():
                # All existing objects count as old from now on, as if they had been examined.
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def collect_new() -> None:
    """Collect the garbage among the objects that no collection has examined; the others count as old.

    Unlike the collector itself, this examines each object only once before the next full collection.
    """
    gc.collect(0)
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()


@contextmanager
def lasting_objects() -> Iterator[None]:
    """Pause the collector in the block, and exclude all existing objects from later collections.

    Use it in a command for objects that are needed until its end.
    """
    with collector_paused():
        yield
    gc.freeze()
