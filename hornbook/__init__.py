"""Hornbook: write what you know of a domain as Horn clauses, check it, query it, and ask why.

The front door for programs. Names are imported when they are first used, so that `import hornbook` and every
command start at once, and only after it is sure that the packages behind them are Hornbook's own.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any
from warnings import warn

if TYPE_CHECKING:
    from compiler.learning import Example as Example
    from compiler.lessons import Lesson as Lesson
    from compiler.verification import Verdict as Verdict
    from hornbook.advice.decisions import Advice as Advice
    from hornbook.advice.decisions import Judgement as Judgement
    from hornbook.advice.decisions import NoAdviceError as NoAdviceError
    from hornbook.advice.decisions import advise as advise
    from hornbook.answers import Answer as Answer
    from hornbook.boards import NoPictureError as NoPictureError
    from hornbook.learned_rule import LearnedRule as LearnedRule
    from hornbook.learned_rules import LearnedRules as LearnedRules
    from hornbook.learned_rules import read_rules as read_rules
    from hornbook.pictures import Picture as Picture
    from hornbook.pictures import show as show
    from hornbook.states import NoAdapterError as NoAdapterError
    from hornbook.states import State as State
    from hornbook.states import read_state as read_state
    from hornbook.teaching import Learned as Learned
    from hornbook.teaching import NoProblemsError as NoProblemsError
    from hornbook.teaching import Taught as Taught
    from hornbook.teaching import examples as examples
    from hornbook.teaching import learn as learn
    from hornbook.teaching import problem as problem
    from hornbook.teaching import problems as problems
    from kb.answers import Answers as Answers
    from kb.diagnostics import Diagnostic as Diagnostic
    from kb.diagnostics import TheoryError as TheoryError
    from kb.examples import run as run_examples
    from kb.facts import FactError as FactError
    from kb.faults import KnowledgeBaseError as KnowledgeBaseError
    from kb.knowledge_base import KnowledgeBase as KnowledgeBase
    from kb.knowledge_base import NotDerivedError as NotDerivedError
    from kb.loader import load as load
    from kb.locate import adapter as adapter
    from kb.proof import Proof as Proof
    from kb.pydatalog_import import import_pydatalog as import_pydatalog
    from kb.store import Store as Store
    from kb.store import StoreBusyError as StoreBusyError
    from kb.store import StoreError as StoreError
    from kb.terms import Rule as Rule
    from kb.theory import GroundFact as GroundFact
    from kb.theory import Theory as Theory
    from kb.why_not import WhyNot as WhyNot
    from matcher.hornbook_error import HornbookError as HornbookError
    from matcher.program import Limits as Limits

__all__ = [
    "Advice",
    "Answer",
    "Answers",
    "Diagnostic",
    "Example",
    "FactError",
    "GroundFact",
    "HornbookError",
    "Judgement",
    "KnowledgeBase",
    "KnowledgeBaseError",
    "Learned",
    "LearnedRule",
    "LearnedRules",
    "Lesson",
    "Limits",
    "NoAdapterError",
    "NoAdviceError",
    "NoPictureError",
    "NoProblemsError",
    "NotDerivedError",
    "Picture",
    "Proof",
    "Rule",
    "State",
    "Store",
    "StoreBusyError",
    "StoreError",
    "Taught",
    "Theory",
    "TheoryError",
    "Verdict",
    "WhyNot",
    "adapter",
    "advise",
    "examples",
    "import_pydatalog",
    "learn",
    "load",
    "problem",
    "problems",
    "read_rules",
    "read_state",
    "run_examples",
    "show",
]

__version__ = "0.1.0"

_HOMES = {
    "Advice": ("hornbook.advice.decisions", "Advice"),
    "Answer": ("hornbook.answers", "Answer"),
    "Answers": ("kb.answers", "Answers"),
    "Diagnostic": ("kb.diagnostics", "Diagnostic"),
    "Example": ("compiler.learning", "Example"),
    "FactError": ("kb.facts", "FactError"),
    "GroundFact": ("kb.theory", "GroundFact"),
    "HornbookError": ("matcher.hornbook_error", "HornbookError"),
    "Judgement": ("hornbook.advice.decisions", "Judgement"),
    "KnowledgeBase": ("kb.knowledge_base", "KnowledgeBase"),
    "KnowledgeBaseError": ("kb.faults", "KnowledgeBaseError"),
    "Learned": ("hornbook.teaching", "Learned"),
    "LearnedRule": ("hornbook.learned_rule", "LearnedRule"),
    "LearnedRules": ("hornbook.learned_rules", "LearnedRules"),
    "Lesson": ("compiler.lessons", "Lesson"),
    "Limits": ("matcher.program", "Limits"),
    "NoAdapterError": ("hornbook.states", "NoAdapterError"),
    "NoAdviceError": ("hornbook.advice.decisions", "NoAdviceError"),
    "NoProblemsError": ("hornbook.teaching", "NoProblemsError"),
    "NoPictureError": ("hornbook.boards", "NoPictureError"),
    "NotDerivedError": ("kb.knowledge_base", "NotDerivedError"),
    "Picture": ("hornbook.pictures", "Picture"),
    "Proof": ("kb.proof", "Proof"),
    "Rule": ("kb.terms", "Rule"),
    "State": ("hornbook.states", "State"),
    "Store": ("kb.store", "Store"),
    "StoreBusyError": ("kb.store", "StoreBusyError"),
    "StoreError": ("kb.store", "StoreError"),
    "Taught": ("hornbook.teaching", "Taught"),
    "Theory": ("kb.theory", "Theory"),
    "TheoryError": ("kb.diagnostics", "TheoryError"),
    "Verdict": ("compiler.verification", "Verdict"),
    "WhyNot": ("kb.why_not", "WhyNot"),
    "adapter": ("kb.locate", "adapter"),
    "advise": ("hornbook.advice.decisions", "advise"),
    "examples": ("hornbook.teaching", "examples"),
    "import_pydatalog": ("kb.pydatalog_import", "import_pydatalog"),
    "learn": ("hornbook.teaching", "learn"),
    "problem": ("hornbook.teaching", "problem"),
    "problems": ("hornbook.teaching", "problems"),
    "load": ("kb.loader", "load"),
    "read_rules": ("hornbook.learned_rules", "read_rules"),
    "read_state": ("hornbook.states", "read_state"),
    "run_examples": ("kb.examples", "run"),
    "show": ("hornbook.pictures", "show"),
}
"""Each public name, with the module that it comes from and what it is called there."""


_OLD: dict[str, tuple[str, str]] = {}
"""Names that will go, each with the one to use instead and the version that said so first."""


def __getattr__(name: str) -> Any:
    if name in _OLD:
        new, since = _OLD[name]
        said = f"`hornbook.{name}` will go, use `hornbook.{new}` (deprecated since {since})"
        warn(said, DeprecationWarning, stacklevel=2)
        return __getattr__(new)
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
