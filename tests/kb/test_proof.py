"""Proofs and missing proofs: what they say, in every shape, against golden texts."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import networkx as nx
import pytest

from kb.knowledge_base import KnowledgeBase
from kb.loader import load_text
from kb.theory import GroundFact

HEAP = """
theory heap.
sort thing.
sort state = up | down.
static on(thing, thing).
static held(thing -> int) counts holds.
static holds(thing, thing).
fluent state(thing -> state).
derived safe(thing).
derived both(thing).
derived all_up(thing).
derived many(thing, int).
meta odd(thing).

safe_on_the_ground: safe(?x) :- state(?x, up), on(?x, ground).
safe_on_what_is_safe: safe(?x) :- on(?x, ?y), safe(?y), ?x != ?y.
both_ways: both(?x) :- safe(?x), on(?z, ?x), safe(?z).
all_that_it_holds: all_up(?x) :- state(?x, _), all ?y in holds(?x, ?y): state(?y, up).
how_many: many(?x, ?n) :- state(?x, _), ?n = count ?y in holds(?x, ?y) but ?x.
an_odd_one: odd(?x) :- state(?x, up), absent safe(?x).

on(a, ground). on(b, a). on(c, b).
held(a, 2). holds(a, b). holds(a, c).
state(a, up). state(b, up). state(c, up). state(d, up).
held(e, 2). holds(e, f). holds(e, b). state(e, up). state(f, down).
"""


@pytest.fixture(scope="module")
def heap() -> KnowledgeBase:
    return KnowledgeBase(load_text(HEAP, "heap.horn"))


CASES = ["both(a)", "all_up(a)", "many(a, ?n)", "odd(d)", "safe(c)"]


@pytest.mark.parametrize("goal", CASES)
def test_proof_text(heap: KnowledgeBase, goal: str) -> None:
    golden = Path(__file__).parent / "golden" / "proofs.txt"
    sections = dict(part.split("\n", 1) for part in golden.read_text().split("### ")[1:])
    assert heap.why(goal).text() == sections[goal].strip()


def test_a_shared_sub_proof_is_one_step(heap: KnowledgeBase) -> None:
    proof = heap.why("both(a)")
    conclusions = [step.conclusion for step in proof.steps]
    assert len(set(conclusions)) == len(conclusions)
    for number, step in enumerate(proof.steps):
        assert all(premise < number for premise in step.premises)
    assert proof.text().count("shown above") == 1


def test_graph_dot_mermaid_svg_and_json_tell_the_same(heap: KnowledgeBase) -> None:
    proof = heap.why("both(a)")
    graph = proof.graph()
    assert nx.is_directed_acyclic_graph(graph)
    assert len(graph) == len(proof.steps)
    labels = [data["label"] for _, data in graph.nodes(data=True)]
    for shape in (proof.dot(), proof.mermaid(), proof.svg()):
        for label in labels:
            assert label in shape
    assert ET.fromstring(proof.svg()).tag.endswith("svg")
    assert proof._repr_svg_() == proof.svg()
    data = json.loads(json.dumps(proof.as_json()))
    assert data["goal"] == "both(a)"
    assert [step["conclusion"] for step in data["steps"]] == labels[::-1]


def test_a_deep_proof_is_written_without_running_out_of_stack() -> None:
    chain = load_text(
        "theory chain. sort n. static next(n, n). static reached(n). "
        "start: reached(n0) :- next(n0, _). step: reached(?y) :- reached(?x), next(?x, ?y)."
    )
    base = KnowledgeBase(chain)
    base.add([GroundFact("next", (f"n{i}", f"n{i + 1}")) for i in range(3000)])
    proof = base.why("reached(n3000)")
    assert len(proof.rules) == 2
    assert len(proof.text().splitlines()) > 6000


WHY_NOT = ["all_up(e)", "safe(d)", "all_up(d)", "state(d, down)", "safe(zebra)", "on(d, ground)", "safe(a)"]


@pytest.mark.parametrize("goal", WHY_NOT)
def test_why_not_text(heap: KnowledgeBase, goal: str) -> None:
    golden = Path(__file__).parent / "golden" / "why_not.txt"
    sections = dict(part.split("\n", 1) for part in golden.read_text().split("### ")[1:])
    assert heap.why_not(goal).text() == sections[goal].strip()


def test_why_not_is_not_lost_in_recursion(heap: KnowledgeBase) -> None:
    text = heap.why_not("safe(d)", depth=50).text()
    assert len(text.splitlines()) < 100


def test_what_is_met_and_what_fails_are_facts_of_the_state(heap: KnowledgeBase) -> None:
    attempt = next(a for a in heap.why_not("safe(d)").attempts if a.rule.name == "safe_on_the_ground")
    assert [str(c.terms[0]) for c in attempt.met if hasattr(c, "terms")]  # state(d, up) holds
    data = heap.why_not("safe(d)").as_json()
    first = data["attempts"][0]
    assert first["met"] == ["state(d, up)"]
    assert first["failing"] == "on(d, ground)"
