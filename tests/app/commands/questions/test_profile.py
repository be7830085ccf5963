"""`hornbook theory profile`: output with masked times, and the statistics that it stores."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hornbook import theories
from hornbook.commands.theories import profile
from hornbook.games import rule_worth
from hornbook.games.match_costs import Costs
from hornbook.games.rule_worth import RuleWorth, Worths
from hornbook.theories.go.domain import DOMAIN

GOLDEN = Path(__file__).parent / "golden"
EXAMPLES = Path(theories.__file__).parent / "go" / "examples"
CORNER, CAPTURE = str(EXAMPLES / "corner.txt"), str(EXAMPLES / "capture.txt")


pytestmark = pytest.mark.usefixtures("folder")


KIN = """\
theory kin.
sort person.
static parent(person, person).
static old(person).
static has_old_parent(person).
old: has_old_parent(?b) :- parent(?a, ?b), old(?a).
example one: parent(x, y), parent(x, z), parent(y, w), old(y).
"""

PRINTED = """\
2 updates of 1 state: # s
# % of it to store what rules conclude, # % to keep the facts themselves

share  seconds  visits  rows  found  rule
# %  #  4  3  1  old

share  seconds  visits  rows  condition
# %  #  1  0  old: (concluding)
# %  #  1  1  old: (coming to it)
# %  #  1  1  old: old(?a)
# %  #  1  1  old: parent(?a, ?b)
"""


def masked(out: str) -> str:
    """Mask the times and sort the lines into an order that does not depend on them."""
    text = re.sub(r" +", "  ", re.sub(r"\d+\.\d+", "#", out))
    text = re.sub(r"(?m)^ +", "", text)
    blocks = [block.splitlines() for block in text.split("\n\n")]
    ordered = ["\n".join([block[0], *sorted(block[1:])]) for block in blocks]
    return "\n\n".join(ordered) + "\n"


def test_where_the_time_of_the_examples_goes(run, folder):
    (folder / "kin.horn").write_text(KIN)
    code, out, _ = run("theory", "profile", "kin.horn")
    assert code == 0
    assert masked(out) == masked(PRINTED)
    assert list(folder.iterdir()) == [folder / "kin.horn"]


def test_the_sums_of_json(run):
    arguments = ("theory", "profile", "go", "--state", CORNER, "--state", CAPTURE, "--json")
    code, out, _ = run(*arguments)
    assert code == 0
    found = json.loads(out)
    assert (found["states"], found["updates"]) == (2, 3)
    conditions = sum(each["seconds"] for each in found["conditions"])
    assert sum(each["seconds"] for each in found["rules"]) == pytest.approx(conditions)
    assert found["seconds"] == pytest.approx(conditions + found["storing"] + found["rest"])
    by_place = {(e["rule"], e["moment"], e["place"]): e["condition"] for e in found["conditions"]}
    assert by_place["legal_by_capture", "before", 0] == "ko(?c, ?p, free)"
    code, out, _ = run(*arguments, "--repeat", "3")
    assert json.loads(out)["updates"] == 9


def test_only_the_dearest_are_listed(run):
    code, out, _ = run("theory", "profile", "go", "--state", CORNER, "--limit", "1")
    assert code == 0
    blocks = out.split("\n\n")
    assert len(blocks) == 3
    assert len(blocks[1].splitlines()) == 3
    assert blocks[1].splitlines()[2].endswith("rules more")
    assert len(blocks[2].splitlines()) == 2


def test_statistics_are_stored_and_read(run, folder):
    """Check that a plan uses the measured statistics as its estimates."""
    (folder / "kin.horn").write_text(KIN)
    code, _, err = run("theory", "profile", "kin.horn", "--write-statistics")
    assert (code, err) == (0, "statistics in kin.stats.json\n")
    stored = {
        each["relation"]: each for each in json.loads((folder / "kin.stats.json").read_text())["relations"]
    }
    assert stored["parent"] == {"relation": "parent", "moment": None, "rows": 3, "distinct": [2, 3]}
    assert stored["has_old_parent"]["rows"] == 1
    code, out, _ = run("theory", "network", "kin.horn")
    assert "old(?a)  [1 rule, 1 row, cost 1]" in out
    assert "parent(?a, ?b)  [1 rule, 1.5 rows, cost 1.5]" in out
    (folder / "kin.stats.json").write_text("nonsense")
    code, _, err = run("theory", "profile", "kin.horn")
    assert code == 1
    assert "these are no statistics of rules" in err


def test_learned_rules_are_matched_by_themselves(run):
    run("learn", "paper", "--into", "rules.horn")
    code, out, _ = run("theory", "profile", "rules.horn", "--theory", "paper", "--json", "--write-statistics")
    assert code == 0
    found = {(each["rule"], each["moment"]): each["found"] for each in json.loads(out)["rules"]}
    assert found["take_by_move_is_giii_1", "before"] > 0
    assert {rule for rule, _ in found} == {"take_by_move_is_giii_1"}
    assert Path("rules.stats.json").exists()


def test_a_theory_without_states_says_so(run, folder):
    (folder / "kin.horn").write_text(KIN.partition("example")[0])
    code, _, err = run("theory", "profile", "kin.horn")
    assert code == 2
    assert "has no examples; give states, or `--theory` where RULES are learned rules" in " ".join(
        err.split()
    )


def test_states_that_contradict_a_theory_are_refused(run, folder):
    text = "theory t.\nsort s.\nstatic f(s -> s).\nstatic g(s).\ng(?x) :- f(?x, ?x).\nexample e: f(a, b), f(a, c).\n"
    (folder / "t.horn").write_text(text)
    code, _, err = run("theory", "profile", "t.horn")
    assert code == 1
    assert err.startswith("error[HB050]: ")


def test_a_rule_is_worth_what_its_answers_save_less_its_match():
    often = RuleWorth("often", 0.001, says=6, answers=5, saved_seconds=0.01, problems=10)
    assert often.worth == pytest.approx(0.004)
    never = RuleWorth("never", 0.001, says=3, answers=0, saved_seconds=None, problems=10)
    assert never.worth == -0.001
    unknown = RuleWorth("unknown", 0.001, says=3, answers=3, saved_seconds=None, problems=10)
    assert unknown.worth is None
    assert [each.is_too_dear for each in (often, never, unknown)] == [False, True, False]


@pytest.fixture
def timed(taught, monkeypatch):
    """Provide rules of Go whose first rule costs most, and a search whose cost is independent of its goal."""

    def costs(_, rules, queries):
        seconds = {rule.name: 0.001 * (10 if number == 0 else number) for number, rule in enumerate(rules)}
        return Costs(seconds, dict.fromkeys(seconds, 1.0), len(queries))

    monkeypatch.setattr(rule_worth, "costs_on_queries", costs)
    monkeypatch.setattr(rule_worth, "_search_seconds", lambda *_: 0.05)
    return str(taught / "learned.horn"), "--theory", "go", "--problems", str(taught / "p.jsonl")


WORTHS = Worths(
    Costs({}, {}, 0),
    problems=1200,
    answered=950,
    rules=(
        RuleWorth("dear", 0.002, says=3, answers=0, saved_seconds=None, problems=1200, tried=1234.56),
        RuleWorth("rare", 0.0001, says=2, answers=1, saved_seconds=0.01, problems=1200, tried=2),
        RuleWorth("often", 0.0005, says=1110, answers=930, saved_seconds=0.02, problems=1200, tried=30),
        RuleWorth("unplayed", 0.00004, says=30, answers=19, saved_seconds=None, problems=1200, tried=0),
    ),
    needing=1,
    useless=("dear",),
)


def test_the_worth_of_rules_on_problems_is_reported(run, taught, monkeypatch):
    monkeypatch.setattr(profile, "rule_worths", lambda *_: WORTHS)
    command = (
        "theory",
        "profile",
        str(taught / "learned.horn"),
        "--theory",
        "go",
        "--problems",
        str(taught / "p.jsonl"),
    )
    code, out, err = run(*command)
    assert (code, err) == (0, "")
    assert out == (GOLDEN / "profile_problems.txt").read_text(encoding="utf-8")
    lines = run(*command, "--limit", "1")[1].splitlines()
    assert (lines[3].split()[-1], lines[4]) == ("dear", "and 3 rules more")


def test_the_worth_of_rules_in_json_says_the_same(run, timed):
    found = json.loads(run("theory", "profile", *timed, "--json")[1])
    assert found.keys() == {"states", "seconds", "problems", "answered", "needing", "rules"}
    worths = [each["worth"] for each in found["rules"]]
    assert worths == sorted(worths)
    for each in found["rules"]:
        saved = (each["saved_seconds"] or 0) * each["answers"] / found["problems"]
        assert each["worth"] == pytest.approx(saved - each["match_seconds"])
        assert each["answers"] <= each["says"]
    assert sum(each["answers"] > 0 for each in found["rules"]) <= found["answered"]


def test_what_is_answered_by_rules_only_that_are_too_dear_is_counted(run, timed, monkeypatch):
    monkeypatch.setattr(rule_worth, "_search_seconds", lambda *_: 0.0)
    found = json.loads(run("theory", "profile", *timed, "--json")[1])
    assert found["needing"] == found["answered"] > 0


def test_search_is_timed_where_somebody_plays_and_unknown_where_nobody_does(run, taught, monkeypatch):
    command = (
        "theory",
        "profile",
        str(taught / "learned.horn"),
        "--theory",
        "go",
        "--problems",
        str(taught / "p.jsonl"),
    )
    found = json.loads(run(*command, "--json")[1])
    assert {each["saved_seconds"] > 0 for each in found["rules"] if each["answers"]} == {True}
    assert all(each["match_seconds"] > 0 for each in found["rules"])
    monkeypatch.setattr(type(DOMAIN), "play", lambda *_: None)
    found = json.loads(run(*command, "--json")[1])
    answering = [each for each in found["rules"] if each["answers"]]
    assert answering
    assert all((each["saved_seconds"], each["worth"]) == (None, None) for each in answering)
    assert found["rules"][-len(answering) :] == answering


def test_no_problems_are_no_worth(run, taught, folder):
    (folder / "none.jsonl").touch()
    command = (
        "theory",
        "profile",
        str(taught / "learned.horn"),
        "--theory",
        "go",
        "--problems",
        "none.jsonl",
    )
    code, out, _ = run(*command)
    assert (code, out.splitlines()[0]) == (
        0,
        "0 problems, of which 0 answered; 0.0000 ms to match all rules",
    )
