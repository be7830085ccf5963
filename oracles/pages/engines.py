"""The two engines: the reference engine, which is the specification, and the compiled one."""

from __future__ import annotations

from hornbook.matcher.compiled.engine import CompiledEngine
from oracles.reference.engine import ReferenceEngine

ENGINES = {"plain": ReferenceEngine, "compiled": CompiledEngine}
EngineClass = type[ReferenceEngine] | type[CompiledEngine]
