"""The garbage collector of Python, paused while many thousands of clauses are made.

They hold no circles, so that it finds nothing, and looking for some takes a good part of the time. Where there are very
many, it does not look at them afterwards either, until it looks at everything.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MANY = 100_000
"""Objects that were made since the collector looked last."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pauses the collector, and leaves it as it was."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if gc.get_count()[0] > MANY and not gc.get_freeze_count():
                # All that is there counts as old from now on, as if it had been looked at.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
