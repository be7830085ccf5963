"""Tests of several threads that use one knowledge base: their operations run one after the other."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.load.loader import load_text
from hornbook.kb.sources.diagnostics import TheoryError

_THEORY = """theory shop.
sort thing.
static big(thing).
static red(thing).
static seen(thing).
r: seen(?x) :- big(?x).
"""
THREADS = 4
ROUNDS = 12


@pytest.fixture(autouse=True)
def switches():
    """Make threads switch a thousand times as often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


def at_once(work: Callable[[int], object]) -> None:
    barrier = threading.Barrier(THREADS)

    def started(number: int) -> None:
        barrier.wait(timeout=30)
        work(number)

    with ThreadPoolExecutor(THREADS) as threads:
        for each in [threads.submit(started, number) for number in range(THREADS)]:
            each.result()


def test_threads_that_add_rules_and_facts_and_ask():
    base = KnowledgeBase(load_text(_THEORY))

    def work(thread: int) -> None:
        for number in range(ROUNDS):
            name = f"n{thread}x{number}"
            base.add_text(f"rule_{name}: seen({name}) :- red({name}), big(?y).")
            base.add([GroundFact("big", (name,)), GroundFact("red", (name,))])
            assert (name,) in base.query("seen(?x)").to_tuples()
            assert base.why(f"seen({name})").rules
            assert GroundFact("seen", (name,)) in set(base.facts("seen"))
            assert base.engine.firings()
            if number % 3 == 0:
                base.retract([GroundFact("red", (name,))])
                assert not base.query(f"red({name})")

    at_once(work)
    names = {rule.name for rule in base.rules}
    assert len(names) == len(base.rules) == 1 + THREADS * ROUNDS
    assert len(raw_engine(base).rules) == len(base.rules)
    for place, rule in enumerate(base.rules):
        assert {coded.id for coded in base.engine.coding.rule(place, rule)} <= raw_engine(base).rules.keys()
    assert len(set(base.facts("seen"))) == THREADS * ROUNDS
    assert set(base.engine.firings()) <= set(range(len(base.rules)))


def test_a_rule_of_one_name_is_added_by_one_thread():
    """No other thread changes the knowledge base between the check of a text and its addition."""
    base = KnowledgeBase(load_text(_THEORY))
    added: list[int] = []

    def work(thread: int) -> None:
        for number in range(ROUNDS):
            with suppress(TheoryError):
                base.add_text(f"same_{number}: seen(?x) :- red(?x).")
                added.append(number)

    at_once(work)
    assert sorted(added) == list(range(ROUNDS))
    assert len(base.rules) == 1 + ROUNDS


def test_a_reader_of_facts_keeps_what_it_began_with():
    base = KnowledgeBase(load_text(_THEORY))
    base.add([GroundFact("big", ("a",)), GroundFact("big", ("b",))])
    facts = base.facts("seen")
    base.retract([GroundFact("big", ("b",))])
    assert [fact.values for fact in facts] == [("a",), ("b",)]


def test_rules_come_and_go_in_turns():
    base = KnowledgeBase(load_text(_THEORY))
    rules = base.rules

    def work(thread: int) -> None:
        for _ in range(ROUNDS):
            base.exchange([], [], rules=rules)
            base.exchange([], [], drop_rules=1)

    at_once(work)
    assert base.rules == rules
    assert len(raw_engine(base).rules) == 1
