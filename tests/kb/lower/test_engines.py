"""Tests of the choice of a knowledge base's engine, and that answers do not depend on the choice."""

from __future__ import annotations

import sys
from typing import get_args

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower import engines
from hornbook.kb.lower.engines import VARIABLE, UnknownEngineError, UnrestrictedEngine
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.matcher.compiled.engine import CompiledEngine
from oracles.reference.engine import ReferenceEngine

THEORY = load_text("""
theory roads.
sort place.
static road(place, place).
static exits(place -> int) counts road.
fluent closed(place).
derived reachable(place, place).
derived leads_to_closed_places(place).

by_a_road: reachable(?a, ?b) :- road(?a, ?b).
further: reachable(?a, ?c) :- reachable(?a, ?b), road(?b, ?c).
no_way_out: leads_to_closed_places(?p) :- exits(?p, ?n), ?n > 0, all ?q in road(?p, ?q): closed(?q).
""")
FACTS = [
    *(GroundFact("road", pair) for pair in [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]),
    *(GroundFact("exits", pair) for pair in [("a", 1), ("b", 1), ("c", 2), ("d", 0)]),
    *(GroundFact("closed", (place,), "before") for place in ("b", "d")),
]


@pytest.mark.parametrize(
    ("named", "kind"),
    [(None, CompiledEngine), ("", CompiledEngine), ("compiled", CompiledEngine), ("plain", ReferenceEngine)],
)
def test_the_engine_is_the_one_that_the_environment_names(monkeypatch, named, kind):
    monkeypatch.delenv(VARIABLE, raising=False)
    if named is not None:
        monkeypatch.setenv(VARIABLE, named)
    assert type(raw_engine(KnowledgeBase(THEORY))) is kind


@pytest.mark.parametrize("named", ["fast", "Plain", "compiled ", "reference"])
def test_another_name_is_refused(monkeypatch, named):
    monkeypatch.setenv(VARIABLE, named)
    with pytest.raises(UnknownEngineError, match=f"^HORNBOOK_ENGINE is `{named}`; .* compiled and plain$"):
        KnowledgeBase(THEORY)


def test_without_the_repository_the_plain_engine_says_where_it_is(monkeypatch):
    monkeypatch.setattr(engines, "CHECKOUT", engines.CHECKOUT / "kb")
    monkeypatch.setitem(sys.modules, "oracles.reference.engine", None)
    with pytest.raises(UnknownEngineError, match="`plain` is only in the repository"):
        KnowledgeBase(THEORY, engine="plain")


def test_both_engines_conclude_the_same_whatever_changes(monkeypatch):
    bases = []
    for name in get_args(UnrestrictedEngine):
        monkeypatch.setenv(VARIABLE, name)
        bases.append(KnowledgeBase(THEORY, derivations="all"))
    seen = []
    for base in bases:
        base.add(FACTS)
        states = [list(base.facts())]
        base.push()
        base.retract([GroundFact("road", ("b", "c"))])
        base.add([GroundFact("closed", ("a",), "before")])
        states.append(list(base.facts()))
        base.pop()
        states.append(list(base.facts()))
        answers = base.query("leads_to_closed_places(?p), absent closed(?p)").to_tuples()
        seen.append((states, answers))
    assert seen[0] == seen[1]
    (first, meanwhile, again), answers = seen[0]
    assert first == again != meanwhile
    assert answers == [("a",)]


@pytest.mark.parametrize("name", get_args(UnrestrictedEngine))
def test_two_values_for_one_key_are_named_in_one_order(monkeypatch, name):
    monkeypatch.setenv(VARIABLE, name)
    base = KnowledgeBase(THEORY)
    for values in ((1, 2), (2, 1)):
        with pytest.raises(KnowledgeBaseError, match=r"`exits\(a, 1\)` and `exits\(a, 2\)`"):
            base.add([GroundFact("exits", ("a", value)) for value in values])
