"""Processes of Python that import no module from the working folder, which may have another user's theory."""

from __future__ import annotations

import os
from multiprocessing import get_context
from multiprocessing.context import SpawnContext


def spawn_context() -> SpawnContext:
    """Return the context in which processes are started.

    Python starts them with `-c`, and then imports even its own library from the working folder first, unless
    PYTHONSAFEPATH is set. A file `multiprocessing.py` there would run.
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    return get_context("spawn")
