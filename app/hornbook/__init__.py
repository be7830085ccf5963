"""Hornbook: write what you know about a domain as Horn clauses, check it, query it, and ask why.

This module is the Python API. A name is imported when it is first used, so `import hornbook` and every
command start quickly. Importing also waits until the packages behind the names are known to be Hornbook's
own.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any
from warnings import warn

if TYPE_CHECKING:
    from hornbook.advice.decisions import Advice as Advice
    from hornbook.advice.decisions import Judgement as Judgement
    from hornbook.advice.decisions import NoAdviceError as NoAdviceError
    from hornbook.advice.decisions import advise as advise
    from hornbook.api.answers import Answer as Answer
    from hornbook.api.learned_rule import LearnedRule as LearnedRule
    from hornbook.api.learned_rules import LearnedRules as LearnedRules
    from hornbook.api.learned_rules import read_rules as read_rules
    from hornbook.api.pictures import Picture as Picture
    from hornbook.api.pictures import show as show
    from hornbook.api.planning import Plan as Plan
    from hornbook.api.planning import plan as plan
    from hornbook.api.position_matcher import PositionMatcher as PositionMatcher
    from hornbook.api.strategies import NoStrategyError as NoStrategyError
    from hornbook.api.strategies import NotDecidedError as NotDecidedError
    from hornbook.api.strategies import Strategy as Strategy
    from hornbook.api.strategies import strategy as strategy
    from hornbook.api.teaching import Learned as Learned
    from hornbook.api.teaching import NoProblemsError as NoProblemsError
    from hornbook.api.teaching import Taught as Taught
    from hornbook.api.teaching import examples as examples
    from hornbook.api.teaching import learn as learn
    from hornbook.api.teaching import problem as problem
    from hornbook.api.teaching import problems as problems
    from hornbook.compiler.learn.learning import Example as Example
    from hornbook.compiler.learn.lessons import Lesson as Lesson
    from hornbook.compiler.rules.verification import Verdict as Verdict
    from hornbook.inputs.domains import NoPictureError as NoPictureError
    from hornbook.inputs.knowledge_base import KnowledgeBase as KnowledgeBase
    from hornbook.inputs.states import NoAdapterError as NoAdapterError
    from hornbook.inputs.states import State as State
    from hornbook.inputs.states import read_state as read_state
    from hornbook.inputs.theories import load as load
    from hornbook.kb.ast.terms import Rule as Rule
    from hornbook.kb.ast.theory import GroundFact as GroundFact
    from hornbook.kb.ast.theory import Theory as Theory
    from hornbook.kb.base.examples import run_examples as run_examples
    from hornbook.kb.base.theory_engine import NotDerivedError as NotDerivedError
    from hornbook.kb.explain.proof import Proof as Proof
    from hornbook.kb.explain.why_not import WhyNot as WhyNot
    from hornbook.kb.lower.errors import KnowledgeBaseError as KnowledgeBaseError
    from hornbook.kb.parse.facts import FactError as FactError
    from hornbook.kb.pydatalog.importing import import_pydatalog as import_pydatalog
    from hornbook.kb.sources.diagnostics import Diagnostic as Diagnostic
    from hornbook.kb.sources.diagnostics import TheoryError as TheoryError
    from hornbook.kb.sources.locate import adapter as adapter
    from hornbook.kb.store import Store as Store
    from hornbook.kb.store import StoreBusyError as StoreBusyError
    from hornbook.kb.store import StoreError as StoreError
    from hornbook.kb.tables.answers import Answers as Answers
    from hornbook.matcher.program.coded import Limits as Limits
    from hornbook.matcher.program.hornbook_error import HornbookError as HornbookError
    from hornbook.planner.gdl.game import Game as Game

__version__ = "0.1.0"

_NAMES = {
    "hornbook.advice.decisions": "Advice Judgement NoAdviceError advise",
    "hornbook.api.answers": "Answer",
    "hornbook.api.learned_rule": "LearnedRule",
    "hornbook.api.learned_rules": "LearnedRules read_rules",
    "hornbook.api.pictures": "Picture show",
    "hornbook.api.planning": "Plan plan",
    "hornbook.api.position_matcher": "PositionMatcher",
    "hornbook.api.strategies": "NoStrategyError NotDecidedError Strategy strategy",
    "hornbook.api.teaching": "Learned NoProblemsError Taught examples learn problem problems",
    "hornbook.compiler.learn.learning": "Example",
    "hornbook.compiler.learn.lessons": "Lesson",
    "hornbook.compiler.rules.verification": "Verdict",
    "hornbook.inputs.domains": "NoPictureError",
    "hornbook.inputs.knowledge_base": "KnowledgeBase",
    "hornbook.inputs.states": "NoAdapterError State read_state",
    "hornbook.inputs.theories": "load",
    "hornbook.kb.ast.terms": "Rule",
    "hornbook.kb.ast.theory": "GroundFact Theory",
    "hornbook.kb.base.examples": "run_examples",
    "hornbook.kb.base.theory_engine": "NotDerivedError",
    "hornbook.kb.explain.proof": "Proof",
    "hornbook.kb.explain.why_not": "WhyNot",
    "hornbook.kb.lower.errors": "KnowledgeBaseError",
    "hornbook.kb.parse.facts": "FactError",
    "hornbook.kb.pydatalog.importing": "import_pydatalog",
    "hornbook.kb.sources.diagnostics": "Diagnostic TheoryError",
    "hornbook.kb.sources.locate": "adapter",
    "hornbook.kb.store": "Store StoreBusyError StoreError",
    "hornbook.kb.tables.answers": "Answers",
    "hornbook.matcher.program.coded": "Limits",
    "hornbook.matcher.program.hornbook_error": "HornbookError",
    "hornbook.planner.gdl.game": "Game",
}
"""The public names by the module that defines them. Type checkers read the same list above."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
"""The module of each public name."""

__all__ = sorted(_HOMES)  # noqa: PLE0605

_OLD: dict[str, tuple[str, str]] = {}
"""Deprecated names, each with its replacement and the version that deprecated it."""


def __getattr__(name: str) -> Any:
    if name in _OLD:
        new, since = _OLD[name]
        message = f"`hornbook.{name}` will go, use `hornbook.{new}` (deprecated since {since})"
        warn(message, DeprecationWarning, stacklevel=2)
        return __getattr__(new)
    if name not in _HOMES:
        raise AttributeError(f"module `hornbook` has no attribute `{name}`")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted([*_HOMES, "__version__"])
