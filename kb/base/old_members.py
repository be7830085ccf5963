"""The former members of `KnowledgeBase`, which work for one more release with a DeprecationWarning."""

from __future__ import annotations

from operator import attrgetter
from typing import Any
from warnings import warn

OLD_MEMBERS = {
    "ask": "engine.query",
    "bindings": "engine.substitution",
    "can_be_interrupted": "engine.can_be_interrupted",
    "coded": "engine.encode",
    "coding": "engine.coding",
    "conclude": "engine.evaluate",
    "conclusion": "engine.coding.statement",
    "derivation": "engine.derivation",
    "derivations": "engine.derivations",
    "derived_by": "engine.derived_by",
    "exchange_groups": "engine.exchange_groups",
    "fact_that_holds": "engine.true_fact",
    "facts_so_far": "engine.facts_so_far",
    "firings": "engine.firings",
    "given_of": "engine.given_among",
    "ground": "engine.coding.ground",
    "group": "engine.group",
    "held": "engine.facts",
    "must_fit": "engine.check_consistency",
    "parse_queries": "engine.parse_queries",
    "parse_query": "engine.parse_query",
    "profiled": "engine.profile",
    "rule_of": "engine.rule_of",
    "snapshot": "engine.snapshot",
    "statements": "engine.statements",
    "words": "engine.words",
}
"""Each former member with its path from a knowledge base."""


def old_member(base: object, name: str) -> Any:
    """Return a member by its former name. Raises AttributeError if there is none."""
    path = OLD_MEMBERS.get(name)
    if path is None:
        raise AttributeError(f"`{type(base).__name__}` has no attribute `{name}`", name=name, obj=base)
    message = f"`KnowledgeBase.{name}` will go, use `KnowledgeBase.{path}` (deprecated since 0.2)"
    warn(message, DeprecationWarning, stacklevel=3)
    return attrgetter(path)(base)
