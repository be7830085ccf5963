"""The garbage collector of Python, paused while many thousands of clauses are made.

They hold no circles, so that it finds nothing, and looking for some takes a good part of the time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pauses the collector, and leaves it as it was."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
