"""The two engines: the plain one, which is the specification, and the compiled one, which must do the same."""

from __future__ import annotations

from hornbook.matcher.compiled.engine import Engine
from hornbook.matcher.plain.reference import ReferenceEngine

ENGINES = {"plain": ReferenceEngine, "compiled": Engine}
AnyEngine = ReferenceEngine | Engine
EngineClass = type[ReferenceEngine] | type[Engine]
