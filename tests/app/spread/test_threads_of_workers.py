"""Tests that the workers of a machine share its processors, and that blocks use the threads of their worker."""

from __future__ import annotations

import os
import pickle

import pyarrow
import pytest

from hornbook import read_theory
from hornbook.api.match_states import MatchStates
from hornbook.kb.parse.syntax import parse
from hornbook.matcher.compiled import states as block_states
from hornbook.matcher.compiled.processors import processors
from hornbook.matcher.compiled.states import StateEngine
from hornbook.matcher.program.coded import CodedPredicate, Limits
from hornbook.matcher.program.states import StateBlock
from hornbook.spread import spawning
from hornbook.spread.processes import Here, Processes
from hornbook.spread.query_states import QueryStates
from hornbook.spread.states import TableAnswering, batch_of, bytes_of
from hornbook.theories.go.problems import read_problems, shipped
from hornbook.theories.go.states.diagram import print_diagram

RULE = "one: take(?s) by move(?p, ?l) is GI :- liberties(?s, 1), liberty(?s, ?l), colour(?s, ?c), opponent(?c, ?p)."


@pytest.fixture
def threads(monkeypatch):
    """Return the list of the numbers of threads of all engines for blocks."""
    monkeypatch.delenv("HORNBOOK_ENGINE", raising=False)
    found = []
    make = StateEngine.__init__

    def counted(self, *arguments, **named):
        found.append(named.get("threads"))
        make(self, *arguments, **named)

    monkeypatch.setattr(StateEngine, "__init__", counted)
    return found


@pytest.mark.parametrize(("number", "workers", "share"), [(8, 2, 4), (8, 3, 2), (2, 2, 1), (2, 9, 1)])
def test_the_workers_share_the_processors(monkeypatch, number, workers, share):
    monkeypatch.setattr(spawning, "processors", lambda: number)
    assert Processes(workers).threads == spawning.share_of(workers) == share
    assert Here().threads is None


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system has no affinity")
def test_only_processors_that_the_process_may_use_count(monkeypatch):
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert processors() == 1
    finally:
        os.sched_setaffinity(0, allowed)
    assert processors() == len(allowed)


@pytest.mark.parametrize("number", [1, 3])
def test_a_block_has_a_thread_for_each_processor(monkeypatch, number):
    monkeypatch.setattr(block_states, "processors", lambda: number)
    used, pool = [], block_states.ThreadPoolExecutor
    monkeypatch.setattr(block_states, "ThreadPoolExecutor", lambda n: used.append(n) or pool(n))
    assert StateEngine([CodedPredicate(1)], []).evaluate(StateBlock(1_000, {})).errors == {}
    assert used == ([] if number == 1 else [number])


def test_a_query_uses_the_threads_of_its_worker(threads):
    question = QueryStates(
        read_theory("family"),
        (),
        (),
        (),
        "ancestor(?a, ?b)",
        (),
        (("a", "word"), ("b", "word")),
        10,
        Limits(),
    )
    work = pickle.loads(pickle.dumps(TableAnswering.of(question, 3)))
    [batch] = pyarrow.table({"state": ["parent(x, y)."] * 3}).to_batches()
    assert batch_of(work.ready()(bytes_of(batch))).num_rows == 3
    assert threads == [3]


def test_matching_uses_the_threads_of_its_worker(threads):
    (rule,) = parse(RULE).clauses
    question = MatchStates(read_theory("go"), (rule,))
    boards = [print_diagram(problem.board) for problem in read_problems(shipped("train"))[:15]]
    [batch] = pyarrow.table({"state": boards}).to_batches()
    assert batch_of(TableAnswering.of(question, 5).ready()(bytes_of(batch))).num_rows == 15
    assert threads == [5]
