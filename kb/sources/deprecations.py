"""Old names of the Python API, each with its new name. They work for one release with a DeprecationWarning.

`DEPRECATED` is the only list of old names. `hornbook.__getattr__` reads it for the names of the package,
`renamed_members` for the members of a class, and `renamed_parameters` for the parameters of a function.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from operator import attrgetter
from typing import Any, ParamSpec, TypeVar
from warnings import warn

T = TypeVar("T")
P = ParamSpec("P")
R = TypeVar("R")

SINCE = "0.1"
"""The version that deprecated the names."""
DEPRECATED = {
    # Names of `hornbook`. A new name with dots is the place of a class that functions return.
    "load": "read_theory",
    "adapter": "load_adapter",
    "examples": "read_examples",
    "problems": "read_problems",
    "problem": "make_problem",
    "strategy": "find_strategy",
    "Lesson": "Problem",
    "Learned": "hornbook.api.teaching.LearningReport",
    "Taught": "hornbook.api.teaching.LearningResult",
    "LearnedRule": "hornbook.api.learned_rule.LearnedRule",
    "Verdict": "hornbook.compiler.rules.verification.Verdict",
    "PositionMatcher": "hornbook.api.position_matcher.PositionMatcher",
    "Answer": "hornbook.api.answers.Answer",
    "Advice": "hornbook.advice.decisions.Advice",
    "Judgement": "hornbook.advice.decisions.Judgement",
    "Picture": "hornbook.api.pictures.Picture",
    "Plan": "hornbook.api.planning.Plan",
    "Strategy": "hornbook.api.strategies.Strategy",
    "WhyNot": "hornbook.kb.explain.why_not.WhyNot",
    # Members of classes
    "Advice.as_json": "Advice.to_dict",
    "Advice.counsel": "Advice.adviser",
    "Advice.text": "Advice.to_text",
    "Answer.as_json": "Answer.to_dict",
    "Answer.said": "Answer.conclusion",
    "Answer.svg": "Answer.to_svg",
    "Answers.arrow": "Answers.to_arrow",
    "Answers.columns": "Answers.to_dict",
    "Answers.dicts": "Answers.to_dicts",
    "Answers.pandas": "Answers.to_pandas",
    "Answers.text": "Answers.to_text",
    "Answers.tuples": "Answers.to_tuples",
    "Diagnostic.as_json": "Diagnostic.to_dict",
    "Example.passed_over": "Example.skipped_goals",
    "Game.from_kif": "Game.read_kif",
    "Judgement.as_json": "Judgement.to_dict",
    "Judgement.refused": "Judgement.refusal",
    "KnowledgeBase.ask": "KnowledgeBase.engine.query",
    "KnowledgeBase.bindings": "KnowledgeBase.engine.substitution",
    "KnowledgeBase.can_be_interrupted": "KnowledgeBase.engine.can_be_interrupted",
    "KnowledgeBase.coded": "KnowledgeBase.engine.encode",
    "KnowledgeBase.coding": "KnowledgeBase.engine.coding",
    "KnowledgeBase.conclude": "KnowledgeBase.engine.evaluate",
    "KnowledgeBase.conclusion": "KnowledgeBase.engine.coding.statement",
    "KnowledgeBase.derivation": "KnowledgeBase.engine.derivation",
    "KnowledgeBase.derivations": "KnowledgeBase.engine.derivations",
    "KnowledgeBase.derived_by": "KnowledgeBase.engine.derived_by",
    "KnowledgeBase.exchange_groups": "KnowledgeBase.engine.exchange_groups",
    "KnowledgeBase.fact_that_holds": "KnowledgeBase.engine.true_fact",
    "KnowledgeBase.facts_so_far": "KnowledgeBase.engine.facts_so_far",
    "KnowledgeBase.firings": "KnowledgeBase.engine.firings",
    "KnowledgeBase.given_of": "KnowledgeBase.engine.given_among",
    "KnowledgeBase.ground": "KnowledgeBase.engine.coding.ground",
    "KnowledgeBase.group": "KnowledgeBase.engine.group",
    "KnowledgeBase.held": "KnowledgeBase.engine.facts",
    "KnowledgeBase.must_fit": "KnowledgeBase.engine.check_consistency",
    "KnowledgeBase.parse_queries": "KnowledgeBase.engine.parse_queries",
    "KnowledgeBase.parse_query": "KnowledgeBase.engine.parse_query",
    "KnowledgeBase.profiled": "KnowledgeBase.engine.profile",
    "KnowledgeBase.rule_of": "KnowledgeBase.engine.rule_of",
    "KnowledgeBase.snapshot": "KnowledgeBase.engine.snapshot",
    "KnowledgeBase.statements": "KnowledgeBase.engine.statements",
    "KnowledgeBase.words": "KnowledgeBase.engine.words",
    "LearnedRule.refused": "LearnedRule.refusal",
    "LearnedRules.text": "LearnedRules.to_text",
    "LearnedRules.write": "LearnedRules.save",
    "RuleMatcher.said": "RuleMatcher.statements",
    "LearningReport.taught": "LearningReport.results",
    "Plan.lines": "Plan.variations",
    "Plan.svg": "Plan.to_svg",
    "Proof.as_json": "Proof.to_dict",
    "Proof.brief": "Proof.display_depth",
    "Proof.dot": "Proof.to_dot",
    "Proof.given": "Proof.given_facts",
    "Proof.graph": "Proof.to_networkx",
    "Proof.html": "Proof.to_html",
    "Proof.in_words": "Proof.with_descriptions",
    "Proof.located": "Proof.with_sources",
    "Proof.mermaid": "Proof.to_mermaid",
    "Proof.svg": "Proof.to_svg",
    "Proof.text": "Proof.to_text",
    "State.svg": "State.to_svg",
    "Store.count": "Store.add_usage",
    "Store.use": "Store.usage",
    "Strategy.begins": "Strategy.initial",
    "Strategy.mermaid": "Strategy.to_mermaid",
    "Strategy.svg": "Strategy.to_svg",
    "Strategy.write": "Strategy.save",
    "Strategy.write_page": "Strategy.save_page",
    "WhyNot.as_json": "WhyNot.to_dict",
    "WhyNot.located": "WhyNot.with_sources",
    "WhyNot.text": "WhyNot.to_text",
    # Parameters
    "Example(passed_over=)": "Example(skipped_goals=)",
    "Game.query(asked=)": "Game.query(query=)",
    "Game.why_not(asked=)": "Game.why_not(query=)",
    "KnowledgeBase.query(most=)": "KnowledgeBase.query(max_answers=)",
    "KnowledgeBase.query_table(most=)": "KnowledgeBase.query_table(max_answers=)",
    "LearnedRules(asked=)": "LearnedRules(names=)",
    "LearnedRules.match_table(on=)": "LearnedRules.match_table(backend=)",
    "find_strategy(megabytes=)": "find_strategy(limits=Limits(bytes=))",
    "find_strategy(nodes=)": "find_strategy(limits=Limits(nodes=))",
    "find_strategy(seconds=)": "find_strategy(limits=Limits(seconds=))",
    "learn(megabytes=)": "learn(limits=Limits(bytes=))",
    "learn(seconds=)": "learn(limits=Limits(seconds=))",
    "plan(nodes=)": "plan(limits=Limits(nodes=))",
    "plan(seconds=)": "plan(limits=Limits(seconds=))",
}
"""The new name for each old one: a name of `hornbook`, a member of a class, or a parameter of a function.

A parameter may have become a field of `limits`.
"""


def warn_renamed(old: str, new: str, *, stacklevel: int = 3) -> None:
    """Warn the caller's caller that a name is deprecated."""
    message = f"`{old}` will go, use `{new}` (deprecated since {SINCE})"
    warn(message, DeprecationWarning, stacklevel=stacklevel)


def renamed_members(cls: type[T]) -> type[T]:
    """Give a class its deprecated members and parameters of its constructor.

    An old member warns and returns the new one. Old class methods also work on the class itself.
    """
    owned = {old.partition(".")[2]: old for old in DEPRECATED if old.startswith(f"{cls.__name__}.")}
    renamed = {name: old for name, old in owned.items() if name.isidentifier()}

    def old_member(self: T, name: str) -> Any:
        if name not in renamed:
            raise AttributeError(f"`{type(self).__name__}` has no attribute `{name}`", name=name, obj=self)
        return _renamed_member(self, renamed[name])

    setattr(cls, "__getattr__", old_member)  # noqa: B010 - type checkers are to refuse the old names
    for name, old in renamed.items():
        if isinstance(vars(cls).get(DEPRECATED[old].partition(".")[2]), classmethod):
            setattr(cls, name, _RenamedClassMethod(old))
    if any(old.startswith(f"{cls.__name__}(") for old in DEPRECATED):
        cls.__init__ = renamed_parameters(cls.__init__)  # type: ignore[method-assign]
    return cls


class _RenamedClassMethod:
    """A deprecated class method."""

    def __init__(self, old: str) -> None:
        self._old = old

    def __get__(self, instance: object, owner: type) -> Any:
        return _renamed_member(owner, self._old)


def _renamed_member(thing: object, old: str) -> Any:
    new = DEPRECATED[old]
    warn_renamed(old, new, stacklevel=4)
    return attrgetter(new.partition(".")[2])(thing)


def renamed_parameters(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function take its deprecated parameters by name. Each warns and sets the new parameter."""
    called = function.__qualname__.removesuffix(".__init__")
    renamed = {
        old.partition("(")[2].removesuffix("=)"): (old, new)
        for old, new in DEPRECATED.items()
        if old.startswith(f"{called}(")
    }

    @wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in [name for name in kwargs if name in renamed]:
            old, new = renamed[name]
            warn_renamed(old, new)
            value: Any = kwargs.pop(name)
            parameter = new.rpartition("(")[2].rstrip("=)")
            if "limits=Limits(" in new:
                default = inspect.signature(function).parameters["limits"].default
                limits: Any = kwargs.get("limits") or default or _no_limits()
                kwargs["limits"] = replace(limits, **{parameter: _in_limits(name, value)})
            elif parameter in kwargs:
                raise TypeError(f"`{called}` got both `{name}` and its new name `{parameter}`")
            else:
                kwargs[parameter] = value
        return function(*args, **kwargs)

    return wrapper


def _in_limits(name: str, value: Any) -> Any:
    return value * 2**20 if name == "megabytes" and value is not None else value


def _no_limits() -> Any:
    from hornbook.matcher.program.coded import Limits  # noqa: PLC0415 - the proof checker loads no engine

    return Limits()
