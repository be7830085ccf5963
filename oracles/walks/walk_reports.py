"""Reports about a walk on which the engines differ: the difference, and the shortest walk that shows it."""

from __future__ import annotations

import os
import select
import signal
from typing import Any

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.errors import EngineError
from oracles.engine.side_by_side import EngineDifference, replay
from oracles.walks.walk_shrinking import shrunk
from oracles.walks.walk_steps import EngineWalk


def difference(walk: EngineWalk, compiled: type[Any] = CompiledEngine) -> EngineDifference | None:
    """Return the first difference on the walk, or None."""
    try:
        replay(walk, compiled)
    except EngineDifference as found:
        return found
    except EngineError:  # the predicates are inconsistent, so there is nothing to compare
        return None
    return None


def in_a_child(walk: EngineWalk, seconds: float = 20.0) -> EngineDifference | None:
    """Return the same, computed by a child process that may crash or not terminate. Requires `fork`."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        found = difference(walk)
        os.write(writer, f"{found.kind}\n{found}"[:4_000].encode() if found else b"\n")
        os._exit(0)
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], seconds)
    if not ready:
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reader, "rb") as pipe:
        kind, _, what = pipe.read().decode(errors="replace").partition("\n")
    _, status = os.waitpid(child, 0)
    if not ready:
        return EngineDifference("endless", f"no end after {seconds:g} seconds")
    if os.WIFSIGNALED(status):
        return EngineDifference("crash", signal.Signals(os.WTERMSIG(status)).name)
    return EngineDifference(kind, what.removeprefix(f"{kind}: ")) if kind else None


def minimal(
    walk: EngineWalk, kind: str, compiled: type[Any] = CompiledEngine, seconds: float = 60.0
) -> EngineWalk:
    """Return a short walk with the same kind of difference, found in this process."""

    def differs(simpler: EngineWalk) -> bool:
        found = difference(simpler, compiled)
        return found is not None and found.kind == kind

    return shrunk(walk, differs, seconds)


def report(found: EngineDifference, seconds: float = 60.0) -> str:
    """Return the difference, and a short program that shows it."""
    assert found.walk is not None
    walk = minimal(found.walk, found.kind, seconds=seconds)
    return f"{difference(walk)}\n\n{walk}"


def report_from_children(walk: EngineWalk, seconds: float = 120.0) -> str | None:
    """Return the same for a walk that may kill the process; None if the engines agree."""
    found = in_a_child(walk)
    if found is None:
        return None

    def differs(simpler: EngineWalk) -> bool:
        other = in_a_child(simpler, 5.0)
        return other is not None and other.kind == found.kind

    simplest = shrunk(walk, differs, seconds)
    return f"{in_a_child(simplest)}\n\n{simplest}"
