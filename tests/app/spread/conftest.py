"""A domain whose adapter kills its process at a marked state.

It does so once, or always after another part was answered.
"""

from __future__ import annotations

from pathlib import Path

import pytest

KIN = (Path(__file__).parent / "data" / "conftest_kin.horn").read_text(encoding="utf-8")
ADAPTER = """
import os
import signal
import time
from pathlib import Path

from hornbook.kb.ast.theory import GroundFact

KILLED = Path(__file__).with_name("killed")
ALWAYS = Path(__file__).with_name("always")
KEPT = Path(__file__).with_name("there.parquet.parts")


def read(text, name):
    if "kill" in text and (ALWAYS.exists() or not KILLED.exists()):
        KILLED.touch()
        while ALWAYS.exists() and not any(KEPT.glob("*.arrow")):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGKILL)
    return [tuple(line.split()) for line in text.splitlines() if line != "kill"]


def facts(state):
    for one, other, years in state:
        yield GroundFact("parent", (one, other))
        yield GroundFact("age", (one, int(years)))
"""
DIES_AT = 17


def state(number):
    lines = [f"p{i} p{i + 1} {number + 90 - 20 * i}" for i in range(number % 4 + 1)]
    return "\n".join([*lines, "kill"] if number == DIES_AT else lines)


@pytest.fixture
def kin(folder):
    """Create a folder with the theory `kin.horn`, its adapter, and `states.parquet` with forty states."""
    import pyarrow
    import pyarrow.parquet

    (folder / "kin.horn").write_text(KIN)
    (folder / "adapter.py").write_text(ADAPTER)
    table = pyarrow.table({"id": range(40), "state": [state(number) for number in range(40)]})
    pyarrow.parquet.write_table(table, folder / "states.parquet")
    return folder
