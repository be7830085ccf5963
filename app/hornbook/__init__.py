"""Hornbook: write what you know about a domain as Horn clauses, check it, query it, and ask why.

This module is the Python API. A name is imported when it is first used, so `import hornbook` and every
command start quickly. Importing also waits until the packages behind the names are known to be Hornbook's
own.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hornbook.advice.decisions import NoAdviceError as NoAdviceError
    from hornbook.advice.decisions import advise as advise
    from hornbook.api.learned_rules import LearnedRules as LearnedRules
    from hornbook.api.learned_rules import read_rules as read_rules
    from hornbook.api.pictures import show as show
    from hornbook.api.planning import plan as plan
    from hornbook.api.strategies import NoStrategyError as NoStrategyError
    from hornbook.api.strategies import NotDecidedError as NotDecidedError
    from hornbook.api.strategies import find_strategy as find_strategy
    from hornbook.api.teaching import NoProblemsError as NoProblemsError
    from hornbook.api.teaching import learn as learn
    from hornbook.api.teaching import make_problem as make_problem
    from hornbook.api.teaching import read_examples as read_examples
    from hornbook.api.teaching import read_problems as read_problems
    from hornbook.compiler.learn.learning import Example as Example
    from hornbook.compiler.learn.lessons import Problem as Problem
    from hornbook.inputs.domains import NoPictureError as NoPictureError
    from hornbook.inputs.knowledge_base import KnowledgeBase as KnowledgeBase
    from hornbook.inputs.states import NoAdapterError as NoAdapterError
    from hornbook.inputs.states import State as State
    from hornbook.inputs.states import read_state as read_state
    from hornbook.inputs.theories import load as read_theory  # noqa: F401
    from hornbook.kb.ast.terms import Rule as Rule
    from hornbook.kb.ast.theory import GroundFact as GroundFact
    from hornbook.kb.ast.theory import Theory as Theory
    from hornbook.kb.base.examples import run_examples as run_examples
    from hornbook.kb.base.theory_engine import NotDerivedError as NotDerivedError
    from hornbook.kb.explain.proof import Proof as Proof
    from hornbook.kb.lower.errors import KnowledgeBaseError as KnowledgeBaseError
    from hornbook.kb.parse.facts import FactError as FactError
    from hornbook.kb.pydatalog.importing import import_pydatalog as import_pydatalog
    from hornbook.kb.sources.diagnostics import Diagnostic as Diagnostic
    from hornbook.kb.sources.diagnostics import TheoryError as TheoryError
    from hornbook.kb.sources.locate import load_adapter as load_adapter
    from hornbook.kb.store import Store as Store
    from hornbook.kb.store import StoreBusyError as StoreBusyError
    from hornbook.kb.store import StoreError as StoreError
    from hornbook.kb.tables.answers import Answers as Answers
    from hornbook.kb.tables.readers.table_format import TableFormat as TableFormat
    from hornbook.matcher.program.coded import Limits as Limits
    from hornbook.matcher.program.hornbook_error import HornbookError as HornbookError
    from hornbook.planner.gdl.game import Game as Game
    from hornbook.spread.derived_facts import evaluate_states as evaluate_states

__version__ = "0.1.0"

_NAMES = {
    "hornbook.advice.decisions": "NoAdviceError advise",
    "hornbook.api.learned_rules": "LearnedRules read_rules",
    "hornbook.api.pictures": "show",
    "hornbook.api.planning": "plan",
    "hornbook.api.strategies": "NoStrategyError NotDecidedError find_strategy",
    "hornbook.api.teaching": "NoProblemsError learn make_problem read_examples read_problems",
    "hornbook.compiler.learn.learning": "Example",
    "hornbook.compiler.learn.lessons": "Problem",
    "hornbook.inputs.domains": "NoPictureError",
    "hornbook.inputs.knowledge_base": "KnowledgeBase",
    "hornbook.inputs.states": "NoAdapterError State read_state",
    "hornbook.inputs.theories": "read_theory",
    "hornbook.kb.ast.terms": "Rule",
    "hornbook.kb.ast.theory": "GroundFact Theory",
    "hornbook.kb.base.examples": "run_examples",
    "hornbook.kb.base.theory_engine": "NotDerivedError",
    "hornbook.kb.explain.proof": "Proof",
    "hornbook.kb.lower.errors": "KnowledgeBaseError",
    "hornbook.kb.parse.facts": "FactError",
    "hornbook.kb.pydatalog.importing": "import_pydatalog",
    "hornbook.kb.sources.diagnostics": "Diagnostic TheoryError",
    "hornbook.kb.sources.locate": "load_adapter",
    "hornbook.kb.store": "Store StoreBusyError StoreError",
    "hornbook.kb.tables.answers": "Answers",
    "hornbook.kb.tables.readers.table_format": "TableFormat",
    "hornbook.matcher.program.coded": "Limits",
    "hornbook.matcher.program.hornbook_error": "HornbookError",
    "hornbook.planner.gdl.game": "Game",
    "hornbook.spread.derived_facts": "evaluate_states",
}
"""The public names by the module that defines them. Type checkers read the same list above."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
"""The module of each public name."""
_NAMES_IN_MODULES = {"read_theory": "load"}
"""The name of a function in its module, if it is not the public name."""

__all__ = sorted(_HOMES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), _NAMES_IN_MODULES.get(name, name))
        globals()[name] = value
        return value
    old_names = import_module("hornbook.kb.sources.deprecations")
    if name.isidentifier() and name in old_names.DEPRECATED:
        module, _, new = old_names.DEPRECATED[name].rpartition(".")
        old_names.warn_renamed(f"hornbook.{name}", f"{module or 'hornbook'}.{new}")
        return getattr(import_module(module or "hornbook"), new)
    raise AttributeError(f"module `hornbook` has no attribute `{name}`")


def __dir__() -> list[str]:
    return sorted([*_HOMES, "__version__"])
