"""Golden tests of the text of proofs and of missing proofs, in every shape."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import networkx as nx
import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.proof import Proof
from hornbook.kb.explain.proof_outline import MAX_BRIEF_FACTS, MAX_BRIEF_STEPS
from hornbook.kb.load.loader import load_text

HEAP = (Path(__file__).parent / "data" / "proof_heap.horn").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def heap():
    return KnowledgeBase(load_text(HEAP, "heap.horn"))


CASES = ["both(a)", "all_up(a)", "many(a, ?n)", "odd(d)", "safe(c)"]


@pytest.mark.parametrize("goal", CASES)
def test_proof_text(heap, goal):
    golden = Path(__file__).parent / "golden" / "proofs.txt"
    sections = dict(part.split("\n", 1) for part in golden.read_text().split("### ")[1:])
    assert heap.why(goal).to_text() == sections[goal].strip()


def test_a_shared_sub_proof_is_one_step(heap):
    proof = heap.why("both(a)")
    conclusions = [step.conclusion for step in proof.steps]
    assert len(set(conclusions)) == len(conclusions)
    for number, step in enumerate(proof.steps):
        assert all(premise < number for premise in step.premises)
    assert proof.to_text().count("[above, #1]") == 1


def message_in_text(proof: Proof) -> set[tuple[str, str]]:
    """Return every fact or condition of a text with its message, without the references between places."""
    found = (re.fullmatch(r" *(.*)  \[(.*)\](?: #\d+)?", line) for line in proof.to_text().splitlines())
    return {(each[1], each[2]) for each in found if each and not re.match("(above|below), #", each[2])}


@pytest.mark.parametrize("goal", [*CASES, "weight(b, ?n)"])
def test_a_picture_says_what_the_text_says(heap, goal):
    proof = heap.why(goal)
    output = message_in_text(proof)
    assert len(output) >= len(proof.steps)
    graph = proof.to_networkx()
    assert nx.is_directed_acyclic_graph(graph)
    assert nx.descendants(graph, len(proof.steps) - 1) == set(graph) - {len(proof.steps) - 1}
    assert {tuple(data["label"].split("\n")) for _, data in graph.nodes(data=True)} == output
    drawn = [line.text for line in ET.fromstring(proof.to_svg()).iter("{http://www.w3.org/2000/svg}text")]
    assert {(fact, origin) for fact, origin in zip(drawn[::2], drawn[1::2], strict=True)} == output
    dotted = html.unescape(re.sub("#([0-9]+);", "&#\\1;", proof.to_mermaid()))
    for fact, origin in output:
        assert f'label="{fact}\\n{origin}"' in proof.to_dot()
        assert f'"{fact}<br>{origin}"' in dotted
    assert ET.fromstring(proof.to_svg()).tag.endswith("svg")
    assert proof._repr_svg_() == proof.to_svg()


@pytest.mark.parametrize("goal", [*CASES, "weight(b, ?n)"])
def test_json_says_what_the_text_says(heap, goal):
    proof = heap.why(goal)
    data = json.loads(json.dumps(proof.to_dict()))
    assert data["goal"] == data["steps"][-1]["conclusion"]
    facts = {step["conclusion"] for step in data["steps"]}
    conditions = {reason["condition"] for step in data["steps"] for reason in step["reasons"]}
    reasons = [reason for step in data["steps"] for reason in step["reasons"]]
    grounds = {ground["says"] for reason in reasons for ground in reason.get("grounds", ())}
    assert facts | conditions | grounds == {fact for fact, _ in message_in_text(proof)}
    for number, step in enumerate(data["steps"]):
        assert all(place < number for reason in step["reasons"] for place in reason["steps"])


def test_what_is_read_of_a_whole_set_or_absent_is_dashed(heap):
    for goal, condition in {
        "odd(d)": "absent safe(d)",
        "many(a, ?n)": "2 = count ?y in holds(a, ?y) but a",
    }.items():
        graph = heap.why(goal).to_networkx()
        dashed = [b for a, b in graph.edges if graph.edges[a, b]["style"] == "dashed"]
        assert [graph.nodes[node]["label"] for node in dashed] == [f"{condition}\nholds"]


CHAIN = (
    "theory chain. sort n. static next(n, n). static reached(n). "
    "start: reached(n0) :- next(n0, _). step: reached(?y) :- reached(?x), next(?x, ?y)."
)


def chain(length: int) -> Proof:
    base = KnowledgeBase(load_text(CHAIN, "chain.horn"))
    base.add([GroundFact("next", (f"n{i}", f"n{i + 1}")) for i in range(length)])
    return base.why(f"reached(n{length})")


@pytest.mark.deep
def test_a_deep_proof_is_written_without_running_out_of_stack():
    proof = chain(3000)
    assert len(proof.rules) == 2
    assert len(proof.to_text().splitlines()) > 6000


def test_a_proof_is_as_long_as_it_has_steps_however_deep_it_is():
    short, long = chain(1500), chain(3000)
    for one, other in [(short.to_text(), long.to_text()), (short.to_html(), long.to_html())]:
        assert len(other) < 2.1 * len(one)
    assert max(len(line) - len(line.lstrip()) for line in long.lines()) <= 2 * 21


def test_what_is_too_deep_to_indent_stands_below_where_its_mark_leads():
    lines = list(chain(50).lines())
    (leads,) = (i for i, line in enumerate(lines) if line.endswith("[below, #1]"))
    place = next(i for i, line in enumerate(lines) if line.endswith(" #1"))
    assert place > leads
    assert lines[place].split("  [")[0] == lines[leads].strip().split("  [")[0]
    facts = [line.strip().split("  [")[0] for line in lines if "below" not in line]
    assert sum(fact.startswith("reached") for fact in facts) == 51
    assert len(facts) == len(set(facts)) + 1  # next(n0, n1) is a reason of two steps


GRID = """
theory grid.
sort n.
static next(n, n).
static left(n).
static right(n).
left_of: left(?y) :- next(?x, ?y), left(?x), right(?x).
right_of: right(?y) :- next(?x, ?y), right(?x), left(?x).
left(n0). right(n0).
"""


def test_a_proof_whose_every_step_is_shared_does_not_explode():
    base = KnowledgeBase(load_text(GRID, "grid.horn"))
    base.add([GroundFact("next", (f"n{i}", f"n{i + 1}")) for i in range(60)])
    proof = base.why("left(n60)")
    assert len(proof.steps) == 60 + 2 + 2 * 59 + 1
    lines = list(proof.lines())
    derived = [re.sub(" #.*", "", line.strip()) for line in lines if "_of, grid.horn" in line]
    assert len(derived) == len(set(derived)) == 2 * 59 + 1
    marks = {line.rpartition("#")[2] for line in lines if re.search(r"\] #\d+$", line)}
    referred = {
        line.rpartition("#")[2].rstrip("]") for line in lines if re.search(r"\[(above|below), #", line)
    }
    assert referred == marks
    for shape in (proof.to_html(), proof.to_dot(), json.dumps(proof.to_dict())):
        assert len(shape) < 200_000


def test_of_a_large_proof_what_is_near_is_shown_and_the_rest_is_counted():
    proof = chain(3000)
    brief = str(proof).splitlines()
    assert len(brief) < 3 * MAX_BRIEF_STEPS
    assert brief[-1] == f"… of 3001 derived facts, the reasons of {3001 - MAX_BRIEF_STEPS} are left out"
    assert sum(line.endswith(" …") for line in brief) == 1
    assert "left out" not in proof.to_text()
    assert proof.to_text(2).splitlines() == [
        "reached(n3000)  [step, chain.horn:1]",
        "  reached(n2999)  [step, chain.horn:1]",
        "    reached(n2998)  [step, chain.horn:1] …",
        "    next(n2998, n2999)  [given]",
        "  next(n2999, n3000)  [given]",
        "… of 3001 derived facts, the reasons of 2999 are left out",
    ]
    labels = [data["label"] for _, data in proof.to_networkx(2).nodes(data=True)]
    assert len(labels) == 6
    assert "reached(n2998) …\nstep, chain.horn:1" in labels
    assert "… of 3001 derived facts, the reasons of 2999 are left out" in labels
    assert "the reasons of 2999 are left out" in proof.to_html(2)
    assert "left out" in proof._repr_html_()
    assert "left out" not in proof.to_html()


def test_of_many_facts_that_one_condition_reads_a_few_are_shown_and_the_rest_is_counted():
    base = KnowledgeBase(load_text(HEAP, "heap.horn"))
    base.add([GroundFact("holds", ("g", f"n{i}")) for i in range(1000)])
    base.add([GroundFact("held", ("g", 1000)), GroundFact("state", ("g", "up"))])
    proof = base.why("many(g, ?n)")
    assert str(proof).splitlines()[-1] == f"    … and {1001 - MAX_BRIEF_FACTS} facts more"
    assert len(str(proof).splitlines()) == 4 + MAX_BRIEF_FACTS
    assert len(proof.to_text().splitlines()) == 3 + 1001
    assert f"… and {1001 - MAX_BRIEF_FACTS} facts more" in proof.to_svg(proof.display_depth)


WHY_NOT = ["all_up(e)", "safe(d)", "all_up(d)", "state(d, down)", "safe(zebra)", "on(d, ground)", "safe(a)"]


@pytest.mark.parametrize("goal", WHY_NOT)
def test_why_not_text(heap, goal):
    golden = Path(__file__).parent / "golden" / "why_not.txt"
    sections = dict(part.split("\n", 1) for part in golden.read_text().split("### ")[1:])
    assert heap.why_not(goal).to_text() == sections[goal].strip()


def test_why_not_is_not_lost_in_recursion(heap):
    text = heap.why_not("safe(d)", depth=50).to_text()
    assert len(text.splitlines()) < 100


def test_what_is_met_and_what_fails_are_facts_of_the_state(heap):
    attempt = next(a for a in heap.why_not("safe(d)").attempts if a.rule.name == "safe_on_the_ground")
    assert [str(c.terms[0]) for c in attempt.met if hasattr(c, "terms")]  # state(d, up) holds
    data = heap.why_not("safe(d)").to_dict()
    first = data["attempts"][0]
    assert first["met"] == ["state(d, up)"]
    assert first["failing"] == "on(d, ground)"


def test_a_value_of_another_fact_with_the_key_is_named():
    base = KnowledgeBase(
        load_text(
            "theory t. sort box. static weight(box -> int). derived double(box -> int).\n"
            "weight(a, 5). twice: double(?b, ?n * 2) :- weight(?b, ?n).",
            "t.horn",
        )
    )
    assert (
        base.why_not("double(a, 9)")
        .to_text()
        .startswith("double(a, 9): no rule gave it; instead, double(a, 10) holds\n")
    )
    assert base.why_not("double(b, 9)").to_text().startswith("double(b, 9): no rule gave it\n")
