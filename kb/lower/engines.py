"""The engine of a knowledge base: the compiled one, or the plain one as a second opinion.

Always true: both give the same facts and answers, and derivations that are right; where a fact has several
derivations, each engine may record another one. Nothing else reads the environment for this.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from hornbook.matcher.compiled.engine import Engine, Statistics
from hornbook.matcher.plain.reference import KeptDerivations, ReferenceEngine
from hornbook.matcher.program.coded import Limits, Predicate
from hornbook.matcher.program.hornbook_error import HornbookError

VARIABLE = "HORNBOOK_ENGINE"
"""The environment variable that names the engine."""
ENGINES: dict[str, type[Engine | ReferenceEngine]] = {"compiled": Engine, "plain": ReferenceEngine}
"""Each engine by its name; the first is taken where none is named."""


class UnknownEngineError(HornbookError):
    """The environment asks for an engine that there is not."""


def make_engine(
    predicates: Sequence[Predicate],
    *,
    derivations: KeptDerivations,
    limits: Limits,
    statistics: Statistics | None = None,
) -> Engine | ReferenceEngine:
    """A new engine of the kind that HORNBOOK_ENGINE names; the plain one plans nothing, so statistics are lost on it.

    Raises UnknownEngineError.
    """
    name = os.environ.get(VARIABLE) or next(iter(ENGINES))
    if name not in ENGINES:
        raise UnknownEngineError(f"{VARIABLE} is `{name}`; the engines are {' and '.join(ENGINES)}")
    if ENGINES[name] is Engine:
        return Engine(predicates, derivations=derivations, limits=limits, statistics=statistics)
    return ENGINES[name](predicates, derivations=derivations, limits=limits)
