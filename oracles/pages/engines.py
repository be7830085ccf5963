"""The engines for tests: the reference engine, which is the specification, and the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

from hornbook.kb.lower.engines import EngineName, make_engine
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.demand.engine import DemandEngine
from hornbook.matcher.program.coded import CodedPredicate, Limits
from hornbook.matcher.program.engine import Engine
from hornbook.matcher.sql.engine import SqlEngine
from oracles.reference.engine import ReferenceEngine

ENGINES = {"plain": ReferenceEngine, "compiled": CompiledEngine}
"""The engines that derive all facts at once."""
EngineClass = type[ReferenceEngine] | type[CompiledEngine]


def _demanding(predicates: Sequence[CodedPredicate] = (), **options: Any) -> Engine:
    """Return an engine that derives every second predicate on demand."""
    return DemandEngine(predicates, eager=True, spared=frozenset(range(1, len(predicates), 2)), **options)


def _sql(
    predicates: Sequence[CodedPredicate] = (),
    *,
    derivations: str = "one",
    limits: Limits = Limits(),  # noqa: B008
) -> Engine:
    del derivations  # there are none
    return SqlEngine(predicates, limits=limits)


ALL_ENGINES: dict[str, Callable[..., Engine]] = {
    **ENGINES,
    "demand": DemandEngine,
    "demanded": _demanding,
    "duckdb": _sql,
}


def engines_with(*capabilities: str) -> list[EngineName]:
    """Return the names of the engines of a knowledge base that have some capabilities."""
    return [
        name
        for name in get_args(EngineName)
        if all(
            getattr(make_engine([], derivations="none", limits=Limits(), name=name).capabilities, each)
            for each in capabilities
        )
    ]
