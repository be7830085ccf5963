"""Hornbook: write what you know of a domain as Horn clauses, check it, query it, and ask why.

The front door for programs. Names are imported when they are first used, so that `import hornbook` and every
command start at once, and only after it is sure that the packages behind them are Hornbook's own.
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
    from hornbook.inputs.boards import NoPictureError as NoPictureError
    from hornbook.inputs.states import NoAdapterError as NoAdapterError
    from hornbook.inputs.states import State as State
    from hornbook.inputs.states import read_state as read_state
    from hornbook.kb.ast.terms import Rule as Rule
    from hornbook.kb.ast.theory import GroundFact as GroundFact
    from hornbook.kb.ast.theory import Theory as Theory
    from hornbook.kb.base.examples import run as run_examples
    from hornbook.kb.base.knowledge_base import KnowledgeBase as KnowledgeBase
    from hornbook.kb.base.knowledge_base import NotDerivedError as NotDerivedError
    from hornbook.kb.explain.proof import Proof as Proof
    from hornbook.kb.explain.why_not import WhyNot as WhyNot
    from hornbook.kb.load.loader import load as load
    from hornbook.kb.lower.faults import KnowledgeBaseError as KnowledgeBaseError
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
    "Answer": ("hornbook.api.answers", "Answer"),
    "Answers": ("hornbook.kb.tables.answers", "Answers"),
    "Diagnostic": ("hornbook.kb.sources.diagnostics", "Diagnostic"),
    "Example": ("hornbook.compiler.learn.learning", "Example"),
    "FactError": ("hornbook.kb.parse.facts", "FactError"),
    "GroundFact": ("hornbook.kb.ast.theory", "GroundFact"),
    "HornbookError": ("hornbook.matcher.program.hornbook_error", "HornbookError"),
    "Judgement": ("hornbook.advice.decisions", "Judgement"),
    "KnowledgeBase": ("hornbook.kb.base.knowledge_base", "KnowledgeBase"),
    "KnowledgeBaseError": ("hornbook.kb.lower.faults", "KnowledgeBaseError"),
    "Learned": ("hornbook.api.teaching", "Learned"),
    "LearnedRule": ("hornbook.api.learned_rule", "LearnedRule"),
    "LearnedRules": ("hornbook.api.learned_rules", "LearnedRules"),
    "Lesson": ("hornbook.compiler.learn.lessons", "Lesson"),
    "Limits": ("hornbook.matcher.program.coded", "Limits"),
    "NoAdapterError": ("hornbook.inputs.states", "NoAdapterError"),
    "NoAdviceError": ("hornbook.advice.decisions", "NoAdviceError"),
    "NoProblemsError": ("hornbook.api.teaching", "NoProblemsError"),
    "NoPictureError": ("hornbook.inputs.boards", "NoPictureError"),
    "NotDerivedError": ("hornbook.kb.base.knowledge_base", "NotDerivedError"),
    "Picture": ("hornbook.api.pictures", "Picture"),
    "Proof": ("hornbook.kb.explain.proof", "Proof"),
    "Rule": ("hornbook.kb.ast.terms", "Rule"),
    "State": ("hornbook.inputs.states", "State"),
    "Store": ("hornbook.kb.store", "Store"),
    "StoreBusyError": ("hornbook.kb.store", "StoreBusyError"),
    "StoreError": ("hornbook.kb.store", "StoreError"),
    "Taught": ("hornbook.api.teaching", "Taught"),
    "Theory": ("hornbook.kb.ast.theory", "Theory"),
    "TheoryError": ("hornbook.kb.sources.diagnostics", "TheoryError"),
    "Verdict": ("hornbook.compiler.rules.verification", "Verdict"),
    "WhyNot": ("hornbook.kb.explain.why_not", "WhyNot"),
    "adapter": ("hornbook.kb.sources.locate", "adapter"),
    "advise": ("hornbook.advice.decisions", "advise"),
    "examples": ("hornbook.api.teaching", "examples"),
    "import_pydatalog": ("hornbook.kb.pydatalog.importing", "import_pydatalog"),
    "learn": ("hornbook.api.teaching", "learn"),
    "problem": ("hornbook.api.teaching", "problem"),
    "problems": ("hornbook.api.teaching", "problems"),
    "load": ("hornbook.kb.load.loader", "load"),
    "read_rules": ("hornbook.api.learned_rules", "read_rules"),
    "read_state": ("hornbook.inputs.states", "read_state"),
    "run_examples": ("hornbook.kb.base.examples", "run"),
    "show": ("hornbook.api.pictures", "show"),
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
    module, original = _HOMES[name]
    value = getattr(import_module(module), original)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_HOMES, "__version__"])
