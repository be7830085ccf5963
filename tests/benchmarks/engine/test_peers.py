"""Tests of the peer engines: on small workloads they must find the same results as the plain engine."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks.engine.measure import Outcome, Task, UnsuitedError, checksum
from benchmarks.engine.peers import by_hand
from benchmarks.engine.runner import DisagreementError, compare
from benchmarks.engine.workloads import PEERS, WORKLOADS, suited

NEEDS = {"clips": "clips", "clingo": "clingo", "duckdb": "duckdb", "pydatalog": "pyDatalog"}
RULES = 6
"""Number of patterns: enough for each peer to match some before and after the updates."""

pytestmark = pytest.mark.deep
PROGRAMS = {"by-hand": "g++", "swi": "swipl", "souffle": "souffle"}


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Return the folder of the hand-written programs, compiled once for all tests."""
    return tmp_path_factory.mktemp("built")


Run = Callable[[str, str, int], Outcome]


@pytest.fixture
def outcome(built, tmp_path):
    """Return a function that runs a peer in this process."""
    return lambda peer, workload, size: _outcome(peer, workload, size, tmp_path, built)


@pytest.fixture(scope="session")
def reference(built, tmp_path_factory):
    """Return the results of the plain engine, computed once for all peers."""

    @cache
    def found(workload: str, size: int) -> Outcome:
        return _outcome("reference", workload, size, tmp_path_factory.mktemp("reference"), built)

    return found


def _outcome(peer: str, workload: str, size: int, folder: Path, built: Path) -> Outcome:
    program = folder / "program.txt"
    make = WORKLOADS[workload].make
    if make is not None:
        make(program, size, 3)
    module = import_module(f"benchmarks.engine.peers.{PEERS[peer].module}")
    found: Outcome = module.run(Task(peer, workload, size, 3, program, built))
    return found


def present(peer: str) -> None:
    if peer in NEEDS:
        pytest.importorskip(NEEDS[peer])
    if peer in PROGRAMS and shutil.which(PROGRAMS[peer]) is None:
        pytest.skip(f"there is no {PROGRAMS[peer]}")


@pytest.mark.parametrize("peer", ["by-hand", "clips", "clingo", "swi", "souffle", "duckdb", "pydatalog"])
@pytest.mark.parametrize(
    ("workload", "size"),
    [("closure-chain", 8), ("closure-random", 12), ("same-generation", 3), ("points-to", 100)],
)
def test_a_peer_finds_the_tuples_that_follow(peer, workload, size, outcome, reference):
    present(peer)
    if not suited(PEERS[peer], WORKLOADS[workload], size):
        pytest.skip(f"{peer} takes too long")
    ours = reference(workload, size)
    theirs = outcome(peer, workload, size)
    compare([("reference", ours.result), (peer, theirs.result)], workload)
    assert ours.result["tuples"] > 0
    assert theirs.result["tuples"] == ours.result["tuples"]
    assert theirs.seconds["total"] >= 0
    assert theirs.version


@pytest.mark.parametrize("peer", ["by-hand", "clips", "clingo", "swi", "souffle", "duckdb"])
def test_a_peer_finds_the_matches_before_and_after_updates(peer, outcome, reference):
    present(peer)
    ours = reference("many-rules", RULES)
    theirs = outcome(peer, "many-rules", RULES)
    compare([("reference", ours.result), (peer, theirs.result)], "many-rules")
    assert ours.result["matches"] > 0
    assert len(set(ours.result["after"])) > 1
    assert theirs.result["matches"] == ours.result["matches"]
    assert theirs.result["after"]
    assert {"add", "match", "update"} <= theirs.seconds.keys()


def test_the_trie_by_hand_reports_each_match_that_changes(outcome, reference):
    present("by-hand")
    ours = reference("many-rules", RULES).result
    theirs = outcome("by-hand", "many-rules", RULES).result
    assert ours == theirs
    assert ours["changed"] > 0


def test_the_trie_by_hand_refuses_what_it_does_not_know(outcome):
    present("by-hand")
    with pytest.raises(UnsuitedError, match="knows boards of points alone"):
        outcome("by-hand", "learned-rules", 1)


def test_other_flags_compile_another_program(tmp_path, monkeypatch):
    present("by-hand")
    source = tmp_path / "small.cpp"
    source.write_text("int main() { return 0; }\n")
    first = by_hand.build(source, tmp_path)
    assert by_hand.build(source, tmp_path) == first
    monkeypatch.setattr(by_hand, "FLAGS", ("-O0", "-std=c++20"))
    assert by_hand.build(source, tmp_path) != first


def test_search_counts_the_legal_moves_after_each_move(outcome):
    found = outcome("reference", "search", 1)
    assert found.result["legal"] > found.result["cycles"] > 0


def test_peers_that_disagree_are_named():
    compare([("a", {"tuples": 1, "checksum": 2}), ("b", {"tuples": 1})], "some 5")
    with pytest.raises(DisagreementError, match="some 5: tuples: a 1, b 2"):
        compare([("a", {"tuples": 1}), ("b", {"tuples": 2})], "some 5")


def test_totals_are_compared_after_the_updates_that_both_made():
    all_of_them, some, last = [4, 5, 6], [4, 5], {2: 6}
    compare([("a", {"after": all_of_them}), ("b", {"after": some}), ("c", {"after": last})], "many")
    with pytest.raises(DisagreementError):
        compare([("a", {"after": all_of_them}), ("c", {"after": {2: 7}})], "many")


def test_a_checksum_does_not_depend_on_the_order_of_rows():
    rows = [(1, 2), (2, 1), (5, 900_000_000)]
    assert checksum(rows) == checksum(rows[::-1]) != checksum(rows[:2])
    assert checksum([(1, 2)]) != checksum([(2, 1)])
