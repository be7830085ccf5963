"""`problems audit` of rules of a theory without games: their conclusions are compared with the theory's."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random

import pyarrow.parquet
import pytest

import hornbook
from hornbook import theories
from oracles.repairs import repair_state, state_text

REPAIR = Path(theories.__file__).parent / "classical" / "repair.horn"
SUFFICES = "?x >= ?y."


@pytest.fixture
def audit(run, folder):
    """Learn rules from a copy of the theory, and return a function that audits them."""
    shutil.copy(REPAIR, "repair.horn")
    hornbook.learn("repair.horn").rules.save("rules.horn")
    random = Random("audit of facts")
    texts = [state_text(repair_state(random)) for _ in range(300)]
    pyarrow.parquet.write_table(pyarrow.table({"state": texts}), "states.parquet")
    return lambda *arguments: run("problems", "audit", "repair.horn", "--rules", "rules.horn", *arguments)


def break_the_theory() -> None:
    """Require more pressure, so that the rules no longer follow."""
    text = Path("repair.horn").read_text()
    assert SUFFICES in text
    Path("repair.horn").write_text(text.replace(SUFFICES, "?x > ?y."))


@pytest.mark.parametrize("mode", [(), ("--only-rules",)], ids=["whole theory", "only rules"])
def test_right_and_missed_conclusions_are_counted(audit, mode):
    code, out, _ = audit("--states", "states.parquet", "--json", *mode)
    found = json.loads(out)
    assert code == 0
    assert (found["states"], found["wrong"], found["errors"]) == (300, [], {})
    rules = hornbook.read_rules("rules.horn", "repair.horn")
    assert [each["rule"] for each in found["rules"]] == [
        rule.name for rule in rules if rule.name in rules.base.answering
    ]
    table = pyarrow.parquet.read_table("states.parquet")
    matched = rules.match_table(table, only_rules=bool(mode))["answers"].to_pylist()
    for each in found["rules"]:
        concluded = {
            (n, a["conclusion"]) for n, row in enumerate(matched) for a in row if a["rule"] == each["rule"]
        }
        assert (each["right"], each["wrong"], each["undecided"]) == (len(concluded), 0, 0)
    [ready] = [each for each in found["conclusions"] if each["conclusion"] == "after ready"]
    of_theory = hornbook.evaluate_states("repair.horn", table).tables["ready.after"].num_rows
    covered = {n for n, row in enumerate(matched) for a in row if a["conclusion"].startswith("after ready")}
    assert (ready["theory"], ready["found"]) == (of_theory, len(covered))
    assert ready["missed"] == of_theory - len(covered)
    assert (ready["first_missed"] is None) == (not ready["missed"])
    assert 0 < len(covered) <= of_theory

    text = audit("--states", "states.parquet", *mode)[1]
    assert "300 states, " in text
    assert ": 0 wrong; " in text


def test_a_wrong_conclusion_is_shown_with_its_state_rule_and_proof(audit):
    break_the_theory()
    for states in (["--states", "states.parquet"], ["--positions", "500"]):
        code, out, _ = audit(*states)
        assert code == 1
        assert "\nwrong: after ready(" in out
        assert "replace(" in out
        assert "  after ready(?m) :-\n" in out
        assert "certificate " in out
    code, out, _ = audit("--json")
    assert code == 1
    found = json.loads(out)
    for each in found["wrong"]:
        base = hornbook.KnowledgeBase("repair.horn")
        base.add_text(each["state"])
        assert not base.query(each["said"])
    assert sum(each["wrong"] for each in found["rules"]) == len(found["wrong"])


def test_a_missed_conclusion_is_shown_with_its_state(audit):
    base = Path("rules.horn").read_text()
    first = base.index("% From ")
    Path("rules.horn").write_text(base[: base.index("% From ", first + 1)])
    found = json.loads(audit("--states", "states.parquet", "--only-rules", "--json")[1])
    [ready] = [each for each in found["conclusions"] if each["conclusion"] == "after ready"]
    assert ready["missed"] > 0
    missed = ready["first_missed"]
    theory = hornbook.KnowledgeBase("repair.horn")
    theory.add_text(missed["state"])
    assert theory.query(missed["said"])
    Path("state.txt").write_text(missed["state"])
    again = json.loads(audit("--state", "state.txt", "--only-rules", "--json")[1])
    [only] = [each for each in again["conclusions"] if each["conclusion"] == "after ready"]
    assert only["first_missed"] == missed
    text = audit("--state", "state.txt", "--only-rules")[1]
    assert f"\nmissed: {missed['said']}, in the state\n{missed['state']}\n" in text


def test_the_examples_and_small_states_are_audited_without_a_table(audit):
    examples = len(hornbook.read_theory("repair.horn").examples)
    found = json.loads(audit("--positions", "0", "--json")[1])
    assert found["states"] == examples
    assert all(each["right"] for each in found["rules"])
    more = json.loads(audit("--positions", "100", "--json")[1])
    assert examples < more["states"] <= examples + 100
    assert more["errors"] == {}
    Path("state.txt").write_text("parts(m1, 0).")
    assert json.loads(audit("--state", "state.txt", "--json")[1])["states"] == 1


def test_states_that_cannot_be_read_or_contradict_the_theory_are_reported(audit):
    pyarrow.parquet.write_table(pyarrow.table({"state": ["parts(m1, 1).", "x", None]}), "bad.parquet")
    code, _, err = audit("--states", "bad.parquet")
    assert code == 1
    assert "2 bad rows of 3" in err
    pyarrow.parquet.write_table(
        pyarrow.table({"state": ["parts(m1, 1).", "parts(m1, 1). parts(m1, 2)."]}), "bad.parquet"
    )
    code, out, _ = audit("--states", "bad.parquet")
    assert code == 0
    assert "1 state left out: " in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["repair.horn", "--states", "states.parquet"], "it needs learned rules"),
        (["repair.horn", "--only-rules"], "it needs learned rules"),
        (
            ["repair.horn", "--rules", "rules.horn", "--problems", "p.jsonl"],
            "the theory `repair` has no games",
        ),
        (["repair.horn", "--rules", "rules.horn", "--workers", "2"], "the theory `repair` has no games"),
        (["go", "--rules", "go.horn", "--states", "states.parquet"], "it is for theories without games"),
    ],
)
def test_options_that_do_not_apply_are_refused(audit, run, arguments, message):
    Path("go.horn").write_text("import go.\n")
    code, _, err = run("problems", "audit", *arguments)
    assert (code, message in " ".join(err.split())) == (2, True)
