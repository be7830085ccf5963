"""Tests of proof outlines of every shape.

Each fact has one place, every reference leads there, and no step is missing.
"""

from __future__ import annotations

import random
import re

import pytest

from hornbook.kb.ast.terms import Atom, Comparison, Constant, Rule
from hornbook.kb.explain.proof import DEEPEST, Proof
from hornbook.kb.explain.proof_steps import ProofReason, Step, levels

PLACE = re.compile(r"\] #(\d+)$")
REFERENCE = re.compile(r"\[(above|below), #(\d+)\]$")


def fact(number: int) -> Atom:
    return Atom("p", (Constant(number),))


def random_proof(seed: int) -> Proof:
    """Return a random proof of up to 120 steps, deep or broad; each step but the last is used later."""
    choose = random.Random(seed)
    size, near = choose.randint(2, 120), choose.choice([1, 2, 5, 120])
    given = {number for number in range(size - 1) if number == 0 or choose.random() < 0.3}
    needs: list[set[int]] = [
        set()
        if n in given
        else {choose.randint(max(0, n - near), n - 1) for _ in range(choose.randint(1, 3))}
        for n in range(size)
    ]
    for number in range(size - 1):
        if not any(number in needed for needed in needs):
            needs[choose.choice([n for n in range(number + 1, size) if n not in given])].add(number)
    steps = []
    for number, needed in enumerate(needs):
        reasons = [ProofReason(fact(n), (n,)) for n in needed]
        if len(needed) > 1 and choose.random() < 0.3:
            reasons = [ProofReason(Comparison("=", Constant(number), Constant(number)), tuple(needed))]
        reasons += [ProofReason(Comparison("<", Constant(number), Constant(size)), ())] * choose.randint(0, 1)
        rule = None if number in given else Rule(fact(number), tuple(r.condition for r in reasons), "r")
        steps.append(Step(fact(number), rule, tuple(reasons) if rule else ()))
    return Proof(tuple(steps))


@pytest.mark.parametrize("seed", range(60))
def test_every_fact_is_proved_in_one_place_and_every_reference_leads_there(seed):
    proof = random_proof(seed)
    for depth in (None, 1, 2, 4):
        lines = proof.to_text(depth).splitlines()
        places: dict[str, str] = {}
        led = set()
        for line in lines:
            reference, place = REFERENCE.search(line), PLACE.search(line)
            says = line.strip().split("  [")[0]
            if reference is not None:
                led.add((reference[2], says))
                assert (reference[1] == "above") == (reference[2] in places)
            elif place is not None:
                assert place[1] not in places
                places[place[1]] = says
        assert led == set(places.items())
        proved = [
            line.strip().split("  [")[0] for line in lines if re.search(r"\[r, [^\]]*\]( #\d+)?$", line)
        ]
        near = levels(proof.steps)
        expected = [
            s.says for s, n in zip(proof.steps, near, strict=True) if s.rule and (depth is None or n < depth)
        ]
        assert sorted(proved) == sorted(expected)
        assert all(len(line) - len(line.lstrip()) <= 2 * (DEEPEST + 1) for line in lines)
        assert len(lines) <= 2 + 2 * sum(1 + 2 * len(s.reasons) + len(s.premises) for s in proof.steps)


@pytest.mark.parametrize("seed", range(60))
def test_pages_and_pictures_have_the_same_places(seed):
    proof = random_proof(seed)
    for depth in (None, 1, 3):
        page = proof.to_html(depth)
        places = re.findall(r'id="([^"]+)"', page)
        assert len(places) == len(set(places))
        assert set(re.findall(r'href="#([^"]+)"', page)) <= set(places)
        assert page.count("<details") == page.count("</details>")
        text = proof.to_text(depth).splitlines()
        output = {re.sub(r" …|  \[.*", "", line.strip()) for line in text if not line.startswith("…")}
        graph = proof.to_networkx(depth)
        kinds = [(data["label"].split("\n")[0], data["kind"]) for _, data in graph.nodes(data=True)]
        assert {label.removesuffix(" …") for label, kind in kinds if kind != "remark"} == output
        assert [label for label, kind in kinds if kind == "remark"] == [
            line for line in text if line.startswith("…")
        ]
