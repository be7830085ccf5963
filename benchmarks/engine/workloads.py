"""Workloads and peers, and their valid combinations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchmarks.engine import learned, patterns, recursion

SEED = 20261121

Kind = Literal["recursive", "rules", "search"]


@dataclass(frozen=True, slots=True)
class Workload:
    """Workload: `make(path, size, seed)` writes its program; None means that each peer generates its own.

    Programs larger than `largest` do not fit into memory.
    """

    name: str
    kind: Kind
    about: str
    sizes: tuple[int, ...]
    unit: str
    make: Callable[[Path, int, int], None] | None
    largest: int = 1_000_000


@dataclass(frozen=True, slots=True)
class Peer:
    """Peer, run by the module `module` of `peers/`. Sizes beyond `largest` take too long.

    Each has a `role`: ours are compared with peers; handwritten code for one workload is shown beside both.
    """

    name: str
    title: str
    module: str
    kinds: frozenset[Kind]
    role: Literal["ours", "peer", "by hand"] = "peer"
    largest: dict[str, int] | None = None


WORKLOADS = {
    workload.name: workload
    for workload in (
        Workload(
            "closure-chain",
            "recursive",
            "transitive closure of a chain",
            (100, 1000),
            "nodes",
            recursion.chain,
        ),
        Workload(
            "closure-random",
            "recursive",
            "transitive closure of a random graph with three edges a node",
            (200, 2000),
            "nodes",
            recursion.random_graph,
        ),
        Workload(
            "same-generation",
            "recursive",
            "same generation in a balanced binary tree",
            (5, 10),
            "levels",
            recursion.same_generation,
            largest=14,
        ),
        Workload(
            "points-to",
            "recursive",
            "Andersen's points-to analysis of a random program",
            (400, 2600),
            "variables",
            recursion.points_to,
        ),
        Workload(
            "many-rules",
            "rules",
            "board patterns of 6 to 10 conditions, matched and updated",
            (100, 1000, 10_000, 100_000),
            "rules",
            patterns.many_rules,
        ),
        Workload(
            "learned-rules",
            "rules",
            "what is learned of legal moves from positions of Go, matched and updated",
            (20,),
            "positions",
            learned.learned_rules,
        ),
        Workload("search", "search", "push, play a move of Go, saturate, pop", (100,), "positions", None),
    )
}

_ALL: frozenset[Kind] = frozenset({"recursive", "rules", "search"})
_PROGRAMS: frozenset[Kind] = frozenset({"recursive", "rules"})
_RECURSIVE: frozenset[Kind] = frozenset({"recursive"})
_SMALL = {
    "closure-chain": 100,
    "closure-random": 200,
    "same-generation": 5,
    "points-to": 400,
    "many-rules": 1000,
    "search": 1,
}

PEERS = {
    peer.name: peer
    for peer in (
        Peer("hornbook", "Hornbook", "ours", _ALL, "ours"),
        Peer("hornbook-one", "Hornbook, derivations", "ours", _ALL, "ours"),
        Peer("by-hand", "C++ by hand", "by_hand", _PROGRAMS, "by hand"),
        Peer("clips", "CLIPS", "clips_rete", _PROGRAMS),
        Peer("clingo", "clingo", "clingo_grounding", _PROGRAMS),
        Peer("swi", "SWI-Prolog", "prolog", _PROGRAMS),
        Peer("souffle", "Soufflé", "souffle_compiled", _PROGRAMS),
        Peer("duckdb", "DuckDB", "sql", _PROGRAMS),
        Peer("pydatalog", "pyDatalog", "datalog_in_python", _RECURSIVE, "peer", {**_SMALL, "points-to": 0}),
        Peer("reference", "Hornbook, plain", "ours", _ALL, "ours", _SMALL),
    )
}


def suited(peer: Peer, workload: Workload, size: int) -> bool:
    """Return whether a run is worth starting."""
    largest = (peer.largest or {}).get(workload.name)
    return workload.kind in peer.kinds and (largest is None or size <= largest)
