"""hornbook profile: what it prints, with times masked, and the statistics that it keeps."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hornbook import theories

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
    """Without times, and in an order that does not depend on them."""
    text = re.sub(r" +", "  ", re.sub(r"\d+\.\d+", "#", out))
    text = re.sub(r"(?m)^ +", "", text)
    blocks = [block.splitlines() for block in text.split("\n\n")]
    ordered = ["\n".join([block[0], *sorted(block[1:])]) for block in blocks]
    return "\n\n".join(ordered) + "\n"


def test_where_the_time_of_the_examples_goes(run, folder):
    (folder / "kin.horn").write_text(KIN)
    code, out, _ = run("profile", "kin.horn")
    assert code == 0
    assert masked(out) == masked(PRINTED)
    assert list(folder.iterdir()) == [folder / "kin.horn"]


def test_the_sums_of_json(run):
    arguments = ("profile", "go", "--state", CORNER, "--state", CAPTURE, "--json")
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
    code, out, _ = run("profile", "go", "--state", CORNER, "--top", "1")
    assert code == 0
    blocks = out.split("\n\n")
    assert len(blocks) == 3
    assert len(blocks[1].splitlines()) == 3
    assert blocks[1].splitlines()[2].endswith("rules more")
    assert len(blocks[2].splitlines()) == 2


def test_statistics_are_kept_and_read(run, folder):
    """What was measured is what a plan expects from then on."""
    (folder / "kin.horn").write_text(KIN)
    code, _, err = run("profile", "kin.horn", "--write-statistics")
    assert (code, err) == (0, "statistics in kin.stats.json\n")
    kept = {
        each["relation"]: each for each in json.loads((folder / "kin.stats.json").read_text())["relations"]
    }
    assert kept["parent"] == {"relation": "parent", "moment": None, "rows": 3, "distinct": [2, 3]}
    assert kept["has_old_parent"]["rows"] == 1
    code, out, _ = run("plan", "kin.horn")
    assert "old(?a)  [1 rule, 1 row, cost 1]" in out
    assert "parent(?a, ?b)  [1 rule, 1.5 rows, cost 1.5]" in out
    (folder / "kin.stats.json").write_text("nonsense")
    code, _, err = run("profile", "kin.horn")
    assert code == 1
    assert "these are no statistics of rules" in err


def test_learned_rules_are_matched_by_themselves(run):
    run("learn", "paper", "--into", "rules.horn")
    code, out, _ = run("profile", "rules.horn", "--theory", "paper", "--json", "--write-statistics")
    assert code == 0
    found = {(each["rule"], each["moment"]): each["found"] for each in json.loads(out)["rules"]}
    assert found["take_by_move_is_giii_1", "before"] > 0
    assert {rule for rule, _ in found} == {"take_by_move_is_giii_1"}
    assert Path("rules.stats.json").exists()


def test_a_theory_without_states_says_so(run, folder):
    (folder / "kin.horn").write_text(KIN.partition("example")[0])
    code, _, err = run("profile", "kin.horn")
    assert code == 2
    assert "has no examples; give states" in err


def test_states_that_contradict_a_theory_are_refused(run, folder):
    text = "theory t.\nsort s.\nstatic f(s -> s).\nstatic g(s).\ng(?x) :- f(?x, ?x).\nexample e: f(a, b), f(a, c).\n"
    (folder / "t.horn").write_text(text)
    code, _, err = run("profile", "t.horn")
    assert code == 1
    assert err.startswith("error[HB050]: ")
