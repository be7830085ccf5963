"""The learned rules that ship with Go and chess: every proof is valid, and none was left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hornbook.compiler.maintain.forgotten import read_forgotten
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.verification import verify_all
from hornbook.inputs.theories import load

THEORIES = Path(__file__).parents[3] / "theories"
SHIPPED = {"chess": THEORIES / "chess" / "problems", "go": THEORIES / "go" / "problems"}
LESSONS = {"chess": "learn.jsonl", "go": "train.jsonl"}


@pytest.mark.parametrize(
    "theory", ["chess", pytest.param("go", marks=pytest.mark.deep)]
)  # the proofs of Go take long
def test_every_learned_rule_that_ships_is_proved(theory):
    known = load(theory)
    base = rulebase.read(SHIPPED[theory] / "learned.horn", known, verify=False)
    verdicts = list(verify_all(base, known))
    assert len(verdicts) == len(base) > 30
    assert {each.entry.rule.name: each.reason for each in verdicts if not each.follows} == {}


@pytest.mark.parametrize("theory", SHIPPED)
def test_each_rule_names_a_shipped_problem_as_its_origin(theory):
    folder = SHIPPED[theory]
    known = {json.loads(line)["id"] for line in (folder / LESSONS[theory]).read_text().splitlines()}
    lines = (folder / "learned.proofs.jsonl").read_text().splitlines()
    for proof in map(json.loads, lines):
        assert proof["file"] == f"theories/{theory}/problems/{LESSONS[theory]}"
        assert proof["example"].partition(" ")[0] in known


@pytest.mark.parametrize("theory", SHIPPED)
def test_the_file_of_forgotten_rules_belongs_to_the_rules(theory):
    path = SHIPPED[theory] / "learned.horn"
    base = rulebase.read(path, load(theory), verify=False)
    named = path.with_name("learned.forgotten.json")
    listed = json.loads(named.read_text())["forgotten"] if named.exists() else []
    assert read_forgotten(path, base).keys() == {each["rule"] for each in listed}
