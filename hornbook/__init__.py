"""Hornbook: write what you know of a domain as Horn clauses, check it, query it, and ask why.

The front door for programs. Names are imported when they are first used, so that `import hornbook` and every
command start at once, and only after it is sure that the packages behind them are Hornbook's own.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kb.diagnostics import Diagnostic as Diagnostic
    from kb.diagnostics import TheoryError as TheoryError
    from kb.examples import run as run_examples
    from kb.knowledge_base import KnowledgeBase as KnowledgeBase
    from kb.loader import load as load
    from kb.locate import adapter as adapter
    from kb.pydatalog_import import import_pydatalog as import_pydatalog
    from kb.theory import GroundFact as GroundFact
    from kb.theory import Theory as Theory

__all__ = [
    "Diagnostic",
    "GroundFact",
    "KnowledgeBase",
    "Theory",
    "TheoryError",
    "adapter",
    "import_pydatalog",
    "load",
    "run_examples",
]

__version__ = "0.1.0"

_HOMES = {
    "Diagnostic": ("kb.diagnostics", "Diagnostic"),
    "GroundFact": ("kb.theory", "GroundFact"),
    "KnowledgeBase": ("kb.knowledge_base", "KnowledgeBase"),
    "Theory": ("kb.theory", "Theory"),
    "TheoryError": ("kb.diagnostics", "TheoryError"),
    "adapter": ("kb.locate", "adapter"),
    "import_pydatalog": ("kb.pydatalog_import", "import_pydatalog"),
    "load": ("kb.loader", "load"),
    "run_examples": ("kb.examples", "run"),
}
"""Each public name, with the module that it comes from and what it is called there."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module `hornbook` has no attribute `{name}`")
    from hornbook.own_packages import require_own_packages  # noqa: PLC0415 - only where something is used

    require_own_packages()
    module, original = _HOMES[name]
    value = getattr(import_module(module), original)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_HOMES, "__version__"])
