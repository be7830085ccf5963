"""`hornbook firm advise`: exact output, the same as JSON, pictures, and errors that suggest a fix."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hornbook.kb.sources.proofs import proofs_path
from hornbook.theories import firm

GOLDEN = Path(__file__).parent / "golden"
GATES = (Path(__file__).parent / "data" / "advise_gates.txt").read_text(encoding="utf-8")


@pytest.fixture
def advise(folder, run):
    Path("gates.csv").write_text(GATES, encoding="utf-8")
    return lambda *arguments: run("firm", "advise", "firm", "--state", "gates.csv", *arguments)


def test_advice_is_reported_by_level_with_intervals_and_conflicts(advise):
    printed = []
    for arguments in ((), ("--why",), ("--what-if", "buy(steel, 400)"), ("--what-if", "produce(gate, 3)")):
        code, out, _ = advise(*arguments)
        printed.append(f"$ {' '.join(arguments)}\n{out}exit code {code}\n")
    assert "\n".join(printed) == (GOLDEN / "advise.txt").read_text(encoding="utf-8")


def test_the_same_is_reported_as_json(advise):
    code, out, _ = advise("--json")
    assert code == 0
    found = json.loads(out)
    assert [level["level"] for level in found["levels"]] == ["physical", "valued", "monetary", "financial"]
    supply = next(g for level in found["levels"] for g in level["goals"] if g["goal"] == "supply(steel)")
    assert {
        "value": "GI",
        "rule": "supply_by_buy_is_gi_1",
        "amounts": [{"from": 1450, "to": None}],
    }.items() <= (supply["advice"][0].items())
    (conflict,) = found["conflicts"]
    assert conflict["goals"] == ["supply(steel)", "solvent"]
    assert conflict["reached"] == [[{"from": 1450, "to": None}], [{"from": 1, "to": 1268}]]
    assert not conflict["certain"]
    # Buying the required amount means borrowing for it, or selling more than the stock.
    assert conflict["way_out"] == {
        "after": ["buy(steel, 1450)"],
        "goal": "solvent",
        "decisions": {
            "borrow(n)": [{"from": 87878, "to": 500000}],
            "produce(gate, n)": [{"from": 2, "to": 16}],
        },
    }
    code, out, _ = advise("--json", "--what-if", "buy(steel, 2000)")
    values = {each["goal"]: each["value"] for each in json.loads(out)["goals"]}
    assert (code, values["solvent"], values["supply(steel)"]) == (0, "PI", "GI")


def test_proofs_are_drawn_of_conflicts_and_of_one_decision(advise, tmp_path):
    advise("--into", "conflicts")
    drawn = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "conflicts").iterdir()}
    assert "needed(steel, 1600)" in drawn["buy-steel-1450-supply-steel.svg"]
    advise("--into", "one", "--what-if", "buy(steel, 2000)")
    one = (tmp_path / "one" / "buy-steel-2000-solvent.svg").read_text("utf-8")
    assert "setting(overdraft, 200000)" in one


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        ("sell(steel, 4)", "`sell` is no decision"),
        ("by(steel, 4)", "did you mean `buy`?"),
        ("buy(stel, 4)", "did you mean `steel`?"),
        ("buy(steel)", "`buy` takes 2 arguments, not 1"),
        ("buy(steel, much)", "`much` is a word"),
        ("buy(?x, 4)", "leaves something open"),
        ("buy(steel, 4), hire(1)", "is not one decision"),
    ],
)
def test_what_is_no_decision_is_named(advise, decision, message):
    code, _, error = advise("--what-if", decision)
    assert code == 1
    assert message in error


def test_rules_of_ones_own_are_queried_instead(advise, tmp_path):
    (tmp_path / "none.horn").write_text("import firm.\n", encoding="utf-8")
    code, out, _ = advise("--rules", "none.horn")
    assert code == 0
    assert "supply(steel)" in out
    assert "buy(steel, n)" not in out


def test_a_rule_that_was_edited_is_not_queried(advise, tmp_path):
    shipped = Path(firm.__file__).with_name("rules.horn")
    for path in (shipped, proofs_path(shipped)):
        text = path.read_text(encoding="utf-8")
        (tmp_path / path.name).write_text(
            text.replace("?s + ?o >= ?n", "?s + ?o >= ?n - 5", 1), encoding="utf-8"
        )
    code, out, error = advise("--rules", "rules.horn")
    assert code == 0
    assert error == "not used: supply_by_buy_is_gi_1 (no certificate, or edited since)\n"
    assert "reaches it: 1450 or more" not in out


def test_a_theory_without_decisions_gives_no_advice(advise, run):
    code, _, err = run("firm", "advise", "family", "--state", "gates.csv")
    assert (code, "gives no advice" in err) == (2, True)
