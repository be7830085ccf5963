"""The engines of a knowledge base, by name.

Only this module names engines, and only it reads the environment variable for them.

Invariants: All engines give the same facts and answers, and correct derivations. If a fact has several
derivations, engines may record different ones. DuckDB supports neither derivations nor functions of words.
DuckDB and the engine on demand only evaluate what queries depend on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args

from hornbook.kb.sources.extras import extra_module
from hornbook.matcher.program.coded import CodedPredicate, Limits, PredicateId
from hornbook.matcher.program.engine import Engine, Statistics, StoredDerivations
from hornbook.matcher.program.hornbook_error import HornbookError

VARIABLE = "HORNBOOK_ENGINE"
"""The environment variable with the name of the engine."""
UnrestrictedEngine = Literal["compiled", "plain"]
"""The engines that the environment variable may name. The first is the default."""
EngineName = Literal[UnrestrictedEngine, "demand", "duckdb"]
QueryEngine = Literal["matcher", "pydatalog"]
"""What answers a query of a knowledge base: its engine, or pyDatalog with the same rules."""
CHECKOUT = Path(__file__).resolve().parents[2]
"""The root of the checkout, if the package runs from one. `oracles/` is not part of the package."""


class UnknownEngineError(HornbookError):
    """An engine with this name does not exist, or not outside of the repository."""


def _reference_engine() -> type[Any]:
    """Return the class of the reference engine, which only the repository has."""
    if (CHECKOUT / "oracles").is_dir() and str(CHECKOUT) not in sys.path:
        sys.path.append(str(CHECKOUT))
    try:
        found: type[Any] = import_module("oracles.reference.engine").ReferenceEngine
    except ModuleNotFoundError:
        raise UnknownEngineError(
            "the engine `plain` is only in the repository, not in the installed package: get the sources, and"
            " there: pip install --editable ."
        ) from None
    return found


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
        UnknownEngineError: The name is unknown, or the engine is not installed.
        MissingExtraError: The extra of the engine is not installed.
    """
    if name == "duckdb":
        for module in ("duckdb", "pyarrow"):
            extra_module(module, "data")
        from hornbook.matcher.sql.engine import SqlEngine  # noqa: PLC0415 - slow to import

        return SqlEngine(predicates, limits=limits)
    default, *_ = known = get_args(UnrestrictedEngine)
    selected = os.environ.get(VARIABLE) or default if name in (None, "demand") else name
    if selected not in known:
        source, known = (VARIABLE, known) if name in (None, "demand") else ("engine", get_args(EngineName))
        names = f"{', '.join(known[:-1])} and {known[-1]}"
        raise UnknownEngineError(f"{source} is `{selected}`; the engines are {names}")
    if selected == "plain":
        reference: Engine = _reference_engine()(predicates, derivations=derivations, limits=limits)
        return reference
    if name == "demand" or demanded:
        from hornbook.matcher.demand.engine import DemandEngine  # noqa: PLC0415 - slow to import

        return DemandEngine(
            predicates,
            eager=name != "demand",
            spared=demanded,
            unchanging=unchanging,
            derivations=derivations,
            limits=limits,
            statistics=statistics,
        )
    from hornbook.matcher.compiled.engine import CompiledEngine  # noqa: PLC0415 - slow to import

    return CompiledEngine(predicates, derivations=derivations, limits=limits, statistics=statistics)
