"""The engine of a knowledge base: the compiled one, at once or on demand, the plain one as a second opinion, or DuckDB for
very many facts.

Always true: all give the same facts and answers, and derivations that are right; where a fact has several
derivations, each engine may record another one. DuckDB has no recursion and no derivations. It and the engine on demand
look only at what is asked for. Nothing else reads the environment for this.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from hornbook.kb.lower.demand_engine import DemandEngine
from hornbook.kb.lower.guarded_engine import GuardedEngine
from hornbook.kb.sources.extras import extra_module
from hornbook.matcher.compiled.engine import Engine, Statistics
from hornbook.matcher.plain.reference import KeptDerivations, ReferenceEngine
from hornbook.matcher.program.coded import Limits, Predicate, PredicateId
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.matcher.sql.engine import SqlEngine

VARIABLE = "HORNBOOK_ENGINE"
"""The environment variable that names the engine."""
AnyEngine = Engine | DemandEngine | ReferenceEngine | SqlEngine
EngineName = Literal["compiled", "plain", "demand", "duckdb"]
ENGINES: dict[str, type[Engine | ReferenceEngine]] = {"compiled": Engine, "plain": ReferenceEngine}
"""Those that can do everything, by name; the first is taken where none is named."""


class UnknownEngineError(HornbookError):
    """An engine is asked for that there is not."""


def make_engine(
    predicates: Sequence[Predicate],
    *,
    derivations: KeptDerivations,
    limits: Limits,
    statistics: Statistics | None = None,
    name: EngineName | None = None,
    demanded: AbstractSet[PredicateId] = frozenset(),
    still: AbstractSet[PredicateId] = frozenset(),
) -> AnyEngine:
    """A new engine of a name, or of the one that HORNBOOK_ENGINE has; only the compiled one plans by statistics. What is
    asked on demand is so only where that names no other engine. The compiled engine concludes what is `demanded` only where
    that is asked for; the plain one concludes it whole.

    Raises UnknownEngineError, MissingExtraError.
    """
    if name == "duckdb":
        for module in ("duckdb", "pyarrow"):
            extra_module(module, "data")
        return SqlEngine(predicates, limits=limits)
    on_demand = name == "demand"
    chosen = None if on_demand else name
    wanted = chosen or os.environ.get(VARIABLE) or next(iter(ENGINES))
    if wanted not in ENGINES:
        asking, there = (
            (VARIABLE, [*ENGINES]) if chosen is None else ("engine", [*ENGINES, "demand", "duckdb"])
        )
        raise UnknownEngineError(
            f"{asking} is `{wanted}`; the engines are {', '.join(there[:-1])} and {there[-1]}"
        )
    if ENGINES[wanted] is Engine and (on_demand or demanded):
        kind = DemandEngine if on_demand else GuardedEngine
        return kind(
            predicates,
            spared=demanded,
            still=still,
            derivations=derivations,
            limits=limits,
            statistics=statistics,
        )
    if ENGINES[wanted] is Engine:
        return Engine(predicates, derivations=derivations, limits=limits, statistics=statistics)
    return ENGINES[wanted](predicates, derivations=derivations, limits=limits)
