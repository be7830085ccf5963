"""Tests of proofs as HTML pages.

Each step occurs once in its place, references resolve, and browsers do not flatten any depth.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.proof import Proof
from hornbook.kb.load.loader import load_text
from hornbook.render.outline_page import DEEPEST, SMALL

CHAIN = """
theory chain.
sort place.
static next(place, place).
static reached(place).
static both(place, place).
reached_next: reached(?b) :- next(?a, ?b), reached(?a), ?a != ?b.
both_reached: both(?a, ?b) :- reached(?a), reached(?b), next(?a, ?b).
reached(p0).
"""


def proof_of(goal: str, length: int) -> Proof:
    base = KnowledgeBase(load_text(CHAIN, "chain.horn"))
    base.add_text(" ".join(f"next(p{i}, p{i + 1})." for i in range(length)))
    return base.why(goal)


def tree(proof: Proof) -> ET.Element:
    """Return the part of the page that holds the proof; it is valid XML too."""
    html = proof.to_html()
    return ET.fromstring(html[html.index("<body>") : html.index("</body>") + len("</body>")])


def depth(element: ET.Element) -> int:
    return (element.tag == "details") + max((depth(child) for child in element), default=0)


@pytest.mark.parametrize(
    ("goal", "length"), [("reached(p3)", 5), ("both(p4, p5)", 6), ("both(p299, p300)", 300)]
)
def test_every_derived_step_stands_once_and_every_reference_leads_to_one(goal, length):
    proof = proof_of(goal, length)
    page = tree(proof)
    places = [each.get("id") for each in page.iter("details") if each.get("id")]
    assert len(places) == len(set(places)) == sum(step.rule is not None for step in proof.steps)
    referred = [str(each.get("href")).removeprefix("#") for each in page.iter("a")]
    assert set(referred) <= set(places)
    assert depth(page) <= DEEPEST + 1
    # The target of a reference lies in the direction that its text names.
    for link in page.iter("a"):
        html = proof.to_html()
        here, there = (html.index(f'{name}="{mark}"') for name, mark in
                       (("href", link.get("href")), ("id", str(link.get("href")).removeprefix("#"))))  # fmt: skip
        assert str(link.text).startswith("above, #" if there < here else "below, #")


def test_a_shared_step_is_referred_to():
    page = tree(proof_of("both(p4, p5)", 6))
    assert [link.text for link in page.iter("a")] == ["above, #1"]
    (shared,) = (each for each in page.iter("small") if str(each.text).endswith(" #1"))
    assert str(shared.text).startswith("reached_next")


def test_a_small_proof_is_open_and_a_large_one_only_near_its_goal():
    small, large = proof_of("reached(p2)", 3), proof_of("reached(p90)", 90)
    assert len(small.steps) <= SMALL < DEEPEST < len(large.steps)
    assert all(each.get("open") is not None for each in tree(small).iter("details"))
    assert sum(each.get("open") is not None for each in tree(large).iter("details")) == 2
    assert len(tree(large).findall("div/details")) > 1


def test_what_is_shown_is_escaped_and_a_page_needs_no_other_file():
    html = proof_of("both(p4, p5)", 6).to_html()
    assert "reached(?b) :- next(?a, ?b)" in " ".join(html.split())
    assert not re.search(r"<script|src=|url\(|https?:", html)
    assert "<p><code>p3 != p4</code> <small>holds</small></p>" in html


def test_a_given_fact_is_a_proof_of_one_step():
    (step,) = tree(proof_of("reached(p0)", 1)).iter("details")
    assert "".join(step.itertext()).strip() == "reached(p0) chain.horn:9"


def test_a_notebook_shows_the_tree_and_two_proofs_do_not_share_names():
    one, other = proof_of("reached(p1)", 3), proof_of("reached(p2)", 3)
    names = [set(re.findall(r'id="(step-\w+)-\d+"', proof._repr_html_())) for proof in (one, other)]
    assert len(names[0]) == len(names[1]) == 1
    assert names[0] != names[1]
    assert one._repr_html_() in one.to_html()
