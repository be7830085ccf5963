"""Compilation of a folder of Coq sources, in the order of their requirements; an unchanged source is not
compiled again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import networkx as nx

from oracles.coq import objects, tools
from oracles.coq.tools import UnprovedError

CLOSED = "Closed under the global context"
"""Coq's answer to `Print Assumptions` for a term that depends on no axiom and on no unfinished proof."""


@dataclass(frozen=True, slots=True)
class Compilation:
    """The result of a compilation: the SHA-256 digest of each source by its path, and how many sources the
    cache spared.
    """

    sources: dict[str, str]
    cached: int


def compile_library(folder: Path, libraries: Sequence[str]) -> Compilation:
    """Compile every source in the subfolders `libraries` of a folder; each subfolder is a library of its
    name.

    Raise UnprovedError if Coq rejects a source.
    """
    compiled: dict[str, bytes] = {}
    sources: dict[str, str] = {}
    cached = 0
    for path, required in _in_order(folder, libraries):
        source = (folder / path).read_bytes()
        known_by = objects.key(path, source, {name: compiled[name] for name in required})
        found = objects.recall(known_by)
        made = (folder / path).with_suffix(".vo")
        if found is None:
            tools.run(command(libraries, path), folder)
            found = made.read_bytes()
            objects.remember(known_by, found)
        else:
            made.write_bytes(found)
            cached += 1
        compiled[path] = found
        sources[path] = hashlib.sha256(source).hexdigest()
    return Compilation(sources, cached)


def require_no_assumptions(folder: Path, libraries: Sequence[str], path: str) -> str:
    """Compile a source that ends with `Print Assumptions`, never from the cache.

    Return the digest of the source.

    Raise UnprovedError if Coq rejects the source, or if anything that it prints is no denial of assumptions.
    """
    text = tools.run(command(libraries, path), folder).strip()
    if not text or any(line != CLOSED for line in text.splitlines()):
        raise UnprovedError(f"{path}: a proof depends on an assumption: {text}")
    return hashlib.sha256((folder / path).read_bytes()).hexdigest()


def command(libraries: Sequence[str], path: str) -> list[str]:
    options = [word for each in libraries for word in ("-Q", each, each)]
    return ["coqc", "-q", "-noglob", "-w", "-all", *options, path]


def _in_order(folder: Path, libraries: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return every source after the sources that it requires, with these."""
    files = sorted(
        path.relative_to(folder).as_posix() for each in libraries for path in (folder / each).glob("*.v")
    )
    options = [word for each in libraries for word in ("-Q", each, each)]
    needs: nx.DiGraph[str] = nx.DiGraph()
    needs.add_nodes_from(files)
    for line in tools.run(["coqdep", *options, *files], folder).splitlines():
        targets, _, required = line.partition(": ")
        made = targets.split()[0].removesuffix("o")
        if targets.split()[0].endswith(".vo"):
            included = [each for each in required.split() if each.endswith(".v") and each != made]
            if included:
                raise UnprovedError(f"{made}: `Load` is not allowed; use `Require`: {', '.join(included)}")
            names = (each.removesuffix("o") for each in required.split() if each.endswith(".vo"))
            needs.add_edges_from((name, made) for name in names if name in needs)
    try:
        ordered = list(nx.lexicographical_topological_sort(needs))
    except nx.NetworkXUnfeasible:
        raise UnprovedError("the sources require each other in a circle") from None
    return [(path, sorted(needs.predecessors(path))) for path in ordered]
