"""Tests of the former members of `KnowledgeBase`: each works, warns, and is no member any more."""

from __future__ import annotations

import inspect
import re
from operator import attrgetter

import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.sources.deprecations import DEPRECATED

OLD_MEMBERS = {
    old.removeprefix("KnowledgeBase."): new.removeprefix("KnowledgeBase.")
    for old, new in DEPRECATED.items()
    if old.startswith("KnowledgeBase.") and "(" not in old
}
"""The former members, each with its path from a knowledge base."""
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "ask": ("query",),
    "bindings": ("derivation",),
    "coded": ("statement",),
    "conclusion": ("fact",),
    "derivation": ("fact",),
    "derivations": ("fact",),
    "derived_by": ("fact",),
    "fact_that_holds": ("statement",),
    "given_of": ("facts",),
    "ground": ("fact",),
    "held": ("relation",),
    "parse_queries": ("text",),
    "parse_query": ("text",),
    "profiled": ("call",),
    "rule_of": ("rule",),
    "statements": ("relation",),
    "words": ("sort", "number"),
    "group": ("rows",),
    "exchange_groups": ("nothing", "nothing"),
}
"""The arguments of the former methods that take some, by their names in `values`."""


@pytest.fixture(scope="module")
def base():
    return KnowledgeBase("family", derivations="all")


@pytest.fixture(scope="module")
def values(base):
    engine = base.engine
    [statement, *_] = engine.statements("ancestor")
    fact = engine.encode(statement)
    derivation = engine.derivation(fact)
    return {
        "statement": statement,
        "fact": fact,
        "derivation": derivation,
        "rule": derivation.rule,
        "query": engine.parse_query("ancestor(ada, ?who)"),
        "text": "ancestor(ada, ?who)",
        "facts": base.given(),
        "relation": "ancestor",
        "sort": "person",
        "number": 3,
        "rows": {},
        "nothing": [],
        "call": lambda: 1,
    }


@pytest.mark.parametrize("name", OLD_MEMBERS)
def test_a_former_member_warns_and_does_the_same(base, values, name):
    path = OLD_MEMBERS[name]
    with pytest.warns(DeprecationWarning, match=re.escape(f"use `KnowledgeBase.{path}`")) as warned:
        old = getattr(base, name)
    assert warned[0].filename == __file__
    new = attrgetter(path)(base)
    assert old == new
    if callable(new):
        arguments = [values[each] for each in ARGUMENTS.get(name, ())]
        assert str(old(*arguments)) == str(new(*arguments)) or name in ("profiled", "group")


def test_former_members_are_no_members():
    members = [name for name, _ in inspect.getmembers(KnowledgeBase) if not name.startswith("_")]
    assert not OLD_MEMBERS.keys() & members
    assert len(members) <= 25
    assert not [name for name in vars(KnowledgeBase("family")) if not name.startswith("_")]


def test_an_unknown_member_is_an_attribute_error(base):
    with pytest.raises(AttributeError, match="no attribute `statement`"):
        _ = base.statement
    assert not hasattr(base, "copy")


def test_the_coding_cannot_be_replaced(base):
    with pytest.raises(AttributeError):
        base.engine.coding = None
