"""Tests of search budgets.

Each bound alone ends a search, a new search starts from zero, and the bounds of engines count too.
"""

from __future__ import annotations

import time

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower import budget
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.errors import FactLimitError, MemoryLimitError, TimeLimitError

FACTS = " ".join(f"f({number})." for number in range(50))
MANY = (
    f"theory many.\nstatic f(int).\nderived m(int, int, int).\nm(?x, ?y, ?z) :- f(?x), f(?y), f(?z).\n{FACTS}"
)


def test_so_many_steps_are_taken_and_no_more():
    found = Budget(steps=2)
    found.spend()
    found.spend()
    with pytest.raises(SpentError, match="more than 2 steps"):
        found.spend()
    found.renew()
    found.spend()


def test_time_that_is_over_ends_a_search(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    found = Budget(seconds=1.5)
    found.spend()
    assert found.seconds_left == 1.5
    now[0] = 1.6
    assert found.seconds_left == 0
    with pytest.raises(SpentError, match=r"more than 1\.5 seconds"):
        found.spend()


def test_only_memory_that_came_since_the_search_began_counts(monkeypatch):
    stored = [500 * 2**20]
    monkeypatch.setattr(budget, "resident", lambda: stored[0])
    found = Budget(megabytes=10)
    stored[0] += 10 * 2**20
    found.spend()
    stored[0] += 1
    with pytest.raises(SpentError, match="more than 10 MB of memory"):
        found.spend()
    found.renew()
    found.spend()


@pytest.mark.parametrize(
    ("limits", "reason"),
    [(Limits(facts=100), "more than 100 facts"), (Limits(bytes=2**21), "more than 2 MB of memory")],
)
def test_what_passes_a_bound_of_an_engine_has_spent_the_budget(limits, reason):
    with pytest.raises(SpentError, match=reason), Budget(megabytes=2).bounding():
        KnowledgeBase(load_text(MANY), limits=limits)


def test_other_errors_inside_stay_what_they_are():
    base = KnowledgeBase(load_text("theory t.\nsort s.\nstatic f(s -> s)."))
    with pytest.raises(KnowledgeBaseError, match="two values"), Budget().bounding():
        base.add([GroundFact("f", ("a", "b")), GroundFact("f", ("a", "c"))])


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (MemoryLimitError(2**21), "more than 2 MB of memory"),
        (TimeLimitError(1.5), "more than 1.5 seconds"),
        (FactLimitError(7), "more than 7 facts"),
    ],
)
def test_an_error_of_the_engine_itself_has_spent_the_budget_too(problem, reason):
    with pytest.raises(SpentError, match=reason), Budget(megabytes=2).bounding():
        raise problem
