"""Rules with `or`: they teach the same as the rules that they abbreviate, with and without a label."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

THEORY = """theory lamps.
sort place. sort lamp.
static in(lamp, place). static near(place, place). static sunny(place). static heated(place).
static closed(place) complete.
derived warm(place). derived glows(lamp).
LABELwarm(?p) :- near(?p, ?q), (sunny(?q) or heated(?q), absent closed(?p)).
glow: glows(?l) :- in(?l, ?p), warm(?p).
example one: in(x, hall), near(hall, yard), heated(yard).
expect one: glows(x).
"""


@pytest.mark.parametrize(("label", "name"), [("warm: ", "warm_2"), ("", "warm@6_2")])
def test_a_rule_that_is_learned_names_the_alternative(label, name, folder, run):
    Path("lamps.horn").write_text(THEORY.replace("LABEL", label))
    assert run("learn", "lamps.horn", "--into", "rules.horn")[0] == 0
    assert "near(?p, ?q), heated(?q)." in Path("rules.horn").read_text()
    (certificate,) = map(json.loads, Path("rules.proofs.jsonl").read_text().splitlines())
    assert f'"rule {name}"' in json.dumps(certificate) or f'"{name}"' in json.dumps(certificate)
    assert run("rules", "verify", "rules.horn", "--theory", "lamps.horn")[0] == 0
    # Removing the unused alternative changes nothing. Removing the used one is detected.
    Path("lamps.horn").write_text(
        THEORY.replace("LABEL", label).replace("heated(?q), absent", "sunny(?p), absent")
    )
    assert run("rules", "verify", "rules.horn", "--theory", "lamps.horn")[0] == 1
