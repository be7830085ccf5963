"""The two engines: the reference engine, which is the specification, and the compiled one."""

from __future__ import annotations

from hornbook.matcher.compiled.engine import Engine
from hornbook.matcher.plain.reference import ReferenceEngine

ENGINES = {"plain": ReferenceEngine, "compiled": Engine}
AnyEngine = ReferenceEngine | Engine
EngineClass = type[ReferenceEngine] | type[Engine]
