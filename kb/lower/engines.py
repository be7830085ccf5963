"""The engine of a knowledge base: compiled, on demand, plain as a second opinion, or DuckDB for very many
facts.

Only this module reads the environment variable for it.

Invariants: All engines give the same facts and answers, and correct derivations. If a fact has several
derivations, engines may record different ones. DuckDB supports neither recursion nor derivations. DuckDB and
the engine on demand only evaluate what queries depend on.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from hornbook.kb.sources.extras import extra_module
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.demand.engine import DemandEngine
from hornbook.matcher.plain.reference import ReferenceEngine
from hornbook.matcher.program.coded import CodedPredicate, Limits, PredicateId
from hornbook.matcher.program.engine import Engine, Statistics, StoredDerivations
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.matcher.sql.engine import SqlEngine

VARIABLE = "HORNBOOK_ENGINE"
"""The environment variable with the name of the engine."""
EngineName = Literal["compiled", "plain", "demand", "duckdb"]
ENGINES: dict[str, type[CompiledEngine | ReferenceEngine]] = {
    "compiled": CompiledEngine,
    "plain": ReferenceEngine,
}
"""The engines without restrictions, by name. The first is the default."""


class UnknownEngineError(HornbookError):
    """An engine with this name does not exist."""


def make_engine(
    predicates: Sequence[CodedPredicate],
    *,
    derivations: StoredDerivations,
    limits: Limits,
    statistics: Statistics | None = None,
    name: EngineName | None = None,
    demanded: AbstractSet[PredicateId] = frozenset(),
    unchanging: AbstractSet[PredicateId] = frozenset(),
) -> Engine:
    """Return a new engine.

    Args:
        predicates: The coded predicates.
        derivations: The number of derivations to record.
        limits: The limits of the engine.
        statistics: Statistics for planning. Only the compiled engine uses them.
        name: The name of the engine. The default is the value of HORNBOOK_ENGINE. "demand" yields to another
            name there.
        demanded: Predicates that the compiled engine derives only on demand. The plain engine derives them
            completely.
        unchanging: Predicates whose facts seldom change.

    Raises:
        UnknownEngineError: The name is unknown.
        MissingExtraError: The extra of the engine is not installed.
    """
    if name == "duckdb":
        for module in ("duckdb", "pyarrow"):
            extra_module(module, "data")
        return SqlEngine(predicates, limits=limits)
    on_demand = name == "demand"
    chosen = None if on_demand else name
    selected = chosen or os.environ.get(VARIABLE) or next(iter(ENGINES))
    if selected not in ENGINES:
        asking, there = (
            (VARIABLE, [*ENGINES]) if chosen is None else ("engine", [*ENGINES, "demand", "duckdb"])
        )
        raise UnknownEngineError(
            f"{asking} is `{selected}`; the engines are {', '.join(there[:-1])} and {there[-1]}"
        )
    if ENGINES[selected] is CompiledEngine and (on_demand or demanded):
        return DemandEngine(
            predicates,
            eager=not on_demand,
            spared=demanded,
            unchanging=unchanging,
            derivations=derivations,
            limits=limits,
            statistics=statistics,
        )
    if ENGINES[selected] is CompiledEngine:
        return CompiledEngine(predicates, derivations=derivations, limits=limits, statistics=statistics)
    return ENGINES[selected](predicates, derivations=derivations, limits=limits)
