"""Learned rules of a theory without games, matched by a service: the answers are those of the command."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import msgspec
import pytest

import hornbook
from hornbook import theories
from hornbook.cli import main
from hornbook.compiler.maintain.forgotten import forget
from hornbook.compiler.rules import rulebase
from hornbook.kb.load.loader import load
from hornbook.web.service import replies
from oracles.repairs import repair_state, state_text

REPAIR = Path(theories.__file__).parent / "classical" / "repair.horn"


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    file = tmp_path_factory.mktemp("repair") / "rules.horn"
    hornbook.learn(REPAIR).rules.save(file)
    return file


@pytest.mark.parametrize("only_rules", [False, True])
def test_states_are_matched_as_by_the_command(served, rules, tmp_path, capsys, only_rules):
    service, random = served(REPAIR, rules=rules), Random("service of facts")
    states = [repair_state(random) for _ in range(30)]
    texts = [state_text(facts) for facts in states]
    mode, option = {"only_rules": only_rules}, ["--only-rules"] if only_rules else []
    file, fired = tmp_path / "state.txt", 0
    expected = []
    for text in texts:
        status, found = service.post("/match", {"state": text, **mode})
        assert status == 200
        msgspec.convert(found, replies.Matches)
        file.write_text(text)
        main(["rules", "match", str(REPAIR), str(file), "--rules", str(rules), "--json", *option])
        assert found["answers"] == json.loads(capsys.readouterr().out)
        fired += bool(found["answers"])
        expected.append({**found, "error": None})
    assert fired > 5
    tables = [{name: [] for name in {fact.relation for fact in facts}} for facts in states]
    for table, facts in zip(tables, states, strict=True):
        for fact in facts:
            table[fact.relation].append(list(fact.values))
    for given in ([*texts], [{"add": text} for text in texts], [{"facts": table} for table in tables]):
        status, found = service.post("/match-states", {"states": given, **mode})
        assert status == 200
        msgspec.convert(found, replies.BatchMatches)
        assert found["states"] == expected
    whole, first, others = expected[0], *texts[0].split(" state(", 1)
    parts = {"state": first, "add": f"state({others}", **mode}
    assert service.post("/match", parts)[1] == {"answers": whole["answers"]}


def test_mistakes_in_states_are_reported_apart(served, rules):
    service = served(REPAIR, rules=rules)
    random = Random("mistakes")
    good = state_text(repair_state(random))
    status, found = service.post("/match-states", {"states": [good, "state(p1, gut).", {"add": "x"}, good]})
    assert status == 200
    first, second, third, fourth = found["states"]
    assert first == fourth
    assert first["error"] is None
    assert (second["error"]["error"], third["error"]["error"]) == ("text", "text")
    assert second["error"]["diagnostics"][0]["line"] == 1
    assert service.post("/match", {"state": "x"})[0] == 422
    assert service.post("/match", {"state": good, "game": "take(a)"})[1]["error"] == "unsupported"


def test_a_position_of_a_game_is_given_as_text_alone(served, tmp_path):
    empty = tmp_path / "none.horn"
    hornbook.learn("tiles", hornbook.read_examples("tiles")[:1]).rules.save(empty)
    service = served("tiles", rules=empty)
    status, found = service.post("/match", {"add": "x(a)."})
    assert (status, found["error"]) == (422, "unsupported")
    assert "is a position of a game" in found["message"]


def test_forgotten_rules_are_not_matched(served, rules, tmp_path):
    theory = load(REPAIR)
    file = tmp_path / "rules.horn"
    base = rulebase.read(rules, theory)
    rulebase.write(base, file)
    name = next(name for name in base.entries if name.startswith("spares"))
    state = "has(m, p). power(m, no). kind(p, seal). skilled(tom, seal). spares(seal, 2). replace(tom, p)."
    _, before = served(REPAIR, rules=file).post("/match", {"state": state})
    assert [each["rule"] for each in before["answers"]] == [name]
    forget(file, base, {name: "not needed"}, base.entries.keys() - {name})
    assert served(REPAIR, rules=file).post("/match", {"state": state}) == (200, {"answers": []})
