"""`learn`, `verify` and `explain-rule` from the command line, on the board of the paper."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hornbook import read_rules, theories
from hornbook.compiler.learn import learning
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from hornbook.kb.sources.diagnostics import TheoryError

PAPER = str(Path(theories.__file__).parent / "classical" / "paper")


pytestmark = pytest.mark.usefixtures("folder")


RULE = "take_by_move_is_giii_1"


@pytest.fixture
def cousins(run, folder) -> tuple[str, ...]:
    """Learn a rule about cousins, and return the command that verifies it."""
    (folder / "cousins.horn").write_text(
        "import family.\n"
        "example one: parent(x, y), parent(x, z), parent(y, v), parent(z, w).\nexpect one: cousin(v, w).\n"
    )
    assert run("learn", "family", "--problems", "cousins.horn", "--into", "rules.horn")[0] == 0
    return ("rules", "verify", "rules.horn", "--theory", "family")


def test_learn_verify_and_explain(run, folder):
    code, out, _ = run("learn", PAPER, "--into", "rules.horn", "--json")
    assert code == 0
    summary = json.loads(out)
    assert (summary["examples"], summary["admitted"], summary["rules"]) == (1, 1, 1)
    code, out, _ = run("rules", "verify", "rules.horn", "--theory", PAPER)
    assert (code, out) == (0, "1 rule follows from `paper`, 0 do not\n")

    code, out, _ = run("rules", "explain", "rules.horn", RULE, "--theory", PAPER)
    assert code == 0
    assert "    colour(?i, ?o), liberties(?i, 2), opponent(?c, ?o)," in out
    assert "  liberties(?i, 2)  [a_block_with_liberties_left_stays, it_loses" in out
    assert "  ?i3 != ?m  [an_empty_point_stays_empty]" in out
    assert "it_loses_the_liberty_that_is_played" in out
    assert "its state: player(black), move(black, i4)" in out
    assert "what the action changes: after colour(i3, white), after liberties(i3, 1)" in out
    code, out, _ = run("rules", "explain", "rules.horn", RULE, "--theory", PAPER, "--format", "svg")
    assert ET.fromstring(out).tag.endswith("svg")
    code, out, _ = run("rules", "explain", "rules.horn", RULE, "--theory", PAPER, "--json")
    assert json.loads(out)["certificate"]["rank"] == 1
    assert "liberties(?i, 2)" in " ".join(json.loads(out)["invented"])
    code, _, err = run("rules", "explain", "rules.horn", "nothing", "--theory", PAPER)
    assert code == 2
    assert "no rule `nothing`" in err


def test_explaining_a_rule_speaks_of_an_action_only_where_there_is_one(run, folder):
    run("learn", "cup", "--into", "cups.horn")
    code, out, _ = run("rules", "explain", "cups.horn", "cup_1", "--theory", "cup")
    assert code == 0
    assert "its state: " in out
    assert "action" not in out


def test_learning_again_adds_to_what_is_there(run, folder):
    run("learn", PAPER, "--into", "rules.horn")
    before = (folder / "rules.horn").read_text()
    code, out, _ = run("learn", PAPER, "--into", "rules.horn", "--explain")
    assert code == 0
    assert "0 rules admitted, 1 subsumed" in out
    assert f"says no more than {RULE}" in out
    assert (folder / "rules.horn").read_text() == before


def test_a_weakened_rule_is_rejected_with_a_counter_model(run, folder, cousins):
    """Remove the inequality of a rule's proof, so that the rule does not follow (design 11.1)."""
    text = (folder / "rules.horn").read_text()
    rule = text.replace(" ?p2 != ?q,", "")
    assert rule != text
    (folder / "rules.horn").write_text(rule)
    code, out, _ = run(*cousins)
    assert code == 1
    assert "the rule was edited since it was certified" in out
    code, out, _ = run(*cousins, "--renew", "--counter-models")
    assert code == 1
    assert "does not follow" in out


def test_a_rule_whose_invented_predicate_is_weakened_is_rejected(run, folder):
    run("learn", PAPER, "--into", "rules.horn")
    text = (folder / "rules.horn").read_text()
    weakened = text.replace(" ?i4 != ?m,", "")
    assert weakened != text
    (folder / "rules.horn").write_text(weakened)
    code, out, _ = run("rules", "verify", "rules.horn", "--theory", PAPER)
    assert code == 1
    assert "rules that conclude what the certificate speaks of were changed" in out
    code, out, _ = run("rules", "verify", "rules.horn", "--theory", PAPER, "--renew")
    assert code == 1
    assert "1 rule: 0 untouched, 0 kept with a new certificate, 1 retired" in out


def test_the_proof_of_a_rule_whose_invented_predicates_were_deleted_breaks(run, folder):
    run("learn", PAPER, "--into", "rules.horn")
    (folder / "rules.horn").write_text(
        f"import paper.\n\n{RULE}:\n  take(?x) by move(?c, ?m) is GIII :- legal(?c, ?m), same_block(?x, ?x).\n"
    )
    for more in ((), ("--counter-models",), ("--renew",)):
        code, out, err = run("rules", "verify", "rules.horn", "--theory", PAPER, *more)
        assert (code, err) == (1, "")
        assert "the rule was edited since it was certified; its proof breaks" in out


def test_a_rule_base_that_is_not_there(run):
    code, _, err = run("rules", "verify", "nothing.horn", "--theory", PAPER)
    assert code == 1
    assert "nothing.horn" in err


def test_ctrl_c_keeps_what_is_admitted(run, folder, monkeypatch):
    (folder / "two.horn").write_text(
        "import family.\n"
        "example one: parent(w, x), parent(x, y), parent(y, z).\nexpect one: great_grandparent(w, z).\n"
        "example two: parent(x, y), parent(x, z), parent(y, v), parent(z, w).\nexpect two: cousin(v, w).\n"
    )
    learn_from = learning.ExampleStrategy.learn_from

    def interrupted(this: learning.ExampleStrategy, example: learning.Example, *rest: object) -> object:
        if example.name == "two":
            raise KeyboardInterrupt
        return learn_from(this, example, *rest)

    monkeypatch.setattr(learning.ExampleStrategy, "learn_from", interrupted)
    code, _, _ = run("learn", "family", "--problems", "two.horn", "--into", "rules.horn")
    assert code == 130
    code, out, _ = run("rules", "verify", "rules.horn", "--theory", "family")
    assert (code, out) == (0, "1 rule follows from `family`, 0 do not\n")


def test_a_request_to_end_keeps_what_is_admitted(run, folder, monkeypatch):
    (folder / "two.horn").write_text(
        "import family.\n"
        "example one: parent(w, x), parent(x, y), parent(y, z).\nexpect one: great_grandparent(w, z).\n"
        "example two: parent(x, y), parent(x, z), parent(y, v), parent(z, w).\nexpect two: cousin(v, w).\n"
    )
    learn_from, write = learning.ExampleStrategy.learn_from, rulebase.write
    unheard: list[int] = []

    def ending(this: learning.ExampleStrategy, example: learning.Example, *rest: object) -> object:
        if example.name == "two":
            signal.raise_signal(signal.SIGTERM)
        return learn_from(this, example, *rest)  # type: ignore[arg-type]

    def written_while_somebody_insists(*rest: object) -> None:
        signal.raise_signal(signal.SIGTERM)
        write(*rest)  # type: ignore[arg-type]

    monkeypatch.setattr(learning.ExampleStrategy, "learn_from", ending)
    monkeypatch.setattr(rulebase, "write", written_while_somebody_insists)

    def outside(number: int, frame: object) -> None:
        unheard.append(number)

    before = signal.signal(signal.SIGTERM, outside)
    try:
        code, out, _ = run("learn", "family", "--problems", "two.horn", "--into", "rules.horn")
        assert signal.getsignal(signal.SIGTERM) is outside
    finally:
        signal.signal(signal.SIGTERM, before)
    assert (code, unheard) == (130, [])
    assert "1 example, 1 proof: 1 rule admitted" in out
    assert run("rules", "verify", "rules.horn", "--theory", "family")[0] == 0


def test_examples_of_another_theory_are_refused(run, folder):
    (folder / "other.horn").write_text(
        "import family.\nmine: parent(?x, ?y) :- sibling(?y, ?x).\nexample one.\n"
    )
    code, _, err = run("learn", "family", "--problems", "other.horn", "--into", "rules.horn")
    assert code == 1
    assert "states no rules of its own" in err
    assert not (folder / "rules.horn").exists()


def test_an_example_that_teaches_nothing_says_so(run, folder):
    (folder / "none.horn").write_text(
        "import family.\nexample two: parent(x, y).\nexpect two: absent cousin(x, y).\n"
    )
    code, out, _ = run("learn", "family", "--problems", "none.horn", "--into", "rules.horn")
    assert code == 1
    assert "two: nothing to learn" in out


def test_a_rule_that_lost_its_certificate_covers_no_other(run, folder):
    (folder / "two.horn").write_text(
        "import family.\nexample two: parent(x, y), parent(x, z), parent(y, v), parent(z, w).\nexpect two: cousin(v, w).\n"
    )
    learning = ("learn", "family", "--problems", "two.horn", "--into", "rules.horn")
    run(*learning)
    text = (folder / "rules.horn").read_text()
    assert ", ?p2 != ?q" in text
    (folder / "rules.horn").write_text(text.replace(", ?p2 != ?q", ""))
    code, out, _ = run(*learning)
    assert code == 0
    assert "1 rule admitted, 0 subsumed" in out
    code, out, _ = run("rules", "verify", "rules.horn", "--theory", "family")
    assert code == 1
    assert "cousin_1: the rule was edited since it was certified" in out
    assert "1 rule follows from `family`, 1 does not" in out
    assert "% Proved" not in (folder / "rules.horn").read_text().split("cousin_1:")[0]


def test_rules_are_verified_with_the_theory_that_they_import(run, folder):
    (folder / "two.horn").write_text(
        "import family.\nexample two: parent(x, y), parent(x, z), parent(y, v), parent(z, w).\nexpect two: cousin(v, w).\n"
    )
    run("learn", "family", "--problems", "two.horn", "--into", "rules.horn")
    (folder / "family.horn").write_text(
        "theory family.\nsort person.\nstatic parent(person, person).\nstatic cousin(person, person).\n"
    )
    code, _, err = run("rules", "verify", "rules.horn", "--theory", "family")
    assert code == 1
    assert "give `--theory family.horn`" in err
    assert "if it holds learned rules, call it otherwise, or keep these in another folder" in err


def test_rules_that_no_one_could_read_again_are_not_learned(run, folder):
    """Put another theory in the folder, with the same name as the theory that the rules belong to."""
    Path("paper.horn").write_text("theory paper.\n", encoding="utf-8")
    code, out, err = run("learn", PAPER, "--into", "more.horn")
    assert (code, out) == (1, "")
    assert "rules in this file would import `paper.horn`, and the theory given is another" in err
    assert "if it holds learned rules, call it otherwise" in err
    assert sorted(each.name for each in folder.iterdir()) == ["paper.horn"]
    Path("paper.horn").rename("other.horn")
    assert run("learn", PAPER, "--into", "more.horn")[0] == 0
    rules = read_rules("more.horn", theory=PAPER)
    Path("other.horn").rename("paper.horn")
    with pytest.raises(TheoryError, match="would import"):
        rules.save("others.horn")


@pytest.mark.parametrize("place", ["paper.horn", "go.horn", "mate.horn"])
def test_a_file_with_the_name_of_a_theory_takes_no_rules(run, folder, place: str):
    code, out, err = run("learn", PAPER, "--into", place)
    assert (code, out) == (1, "")
    assert f"import `{Path(place).stem}` would read this file instead of the theory" in err
    assert "choose another name, such as" in err
    assert list(folder.iterdir()) == []


def test_learned_rules_never_replace_the_theory(run, folder):
    text = Path(load(PAPER).path).read_text(encoding="utf-8")
    Path("own.horn").write_text(text.replace("theory paper", "theory own"), encoding="utf-8")
    before = Path("own.horn").read_bytes()
    code, _, err = run("learn", "own.horn", "--into", "own.horn")
    assert code == 1
    assert "is a source of the theory and would be replaced" in err
    assert Path("own.horn").read_bytes() == before


def test_comments_of_ones_own_stay(run, folder):
    run("learn", PAPER, "--into", "rules.horn")
    path = folder / "rules.horn"
    path.write_text("% my own note\n" + path.read_text() + "\n% and at the end\n")
    (folder / "mine.horn").write_text("import paper.\nexample none: player(black).\n")
    code, _, _ = run("learn", PAPER, "--into", "rules.horn")
    assert code == 0
    assert path.read_text().startswith("% my own note\n")
    assert path.read_text().endswith("% and at the end\n")


def test_a_missing_extra_is_reported(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, _, err = run("learn", PAPER, "--into", "rules.horn", "--backend", "dask")
    assert code == 1
    assert "pip install 'hornbook[dask]'" in err


def test_a_place_that_is_none_is_reported(run):
    code, _, err = run("learn", PAPER, "--into", "rules.horn", "--backend", "dask://a:1", "--workers", "2")
    assert code == 2
    assert "`dask://a:1` has its own workers" in " ".join(err.split())


def test_rules_of_an_earlier_form_answer_again_once_they_are_upgraded(run, folder, cousins):
    proofs = folder / "rules.proofs.jsonl"
    written = proofs.read_text(encoding="utf-8")
    proof = json.loads(written)
    del proof["certificate"]["end"]
    steps = [parts[:3] for parts in proof["certificate"]["steps"]]
    proof["certificate"] |= {
        "format": 2,
        "of": "0" * 16,
        "fingerprints": {"checker version": "4"},
        "steps": steps,
    }
    proofs.write_text(json.dumps(proof) + "\n", encoding="utf-8")
    code, out, _ = run(*cousins)
    assert code == 1
    assert (
        "the certificate has the earlier form 2: `hornbook rules verify --upgrade` proves the rule again"
        in out
    )
    code, out, _ = run(*cousins, "--upgrade")
    assert (code, out) == (0, "1 rule follows from `family`, 0 do not\n")
    assert json.loads(proofs.read_text(encoding="utf-8")) == json.loads(written)
    assert run(*cousins)[0] == 0


def test_what_was_edited_is_not_upgraded(run, folder, cousins):
    text = (folder / "rules.horn").read_text(encoding="utf-8")
    edited = text.replace("?p2 != ?q,", "?q != ?p2,")
    assert edited != text
    (folder / "rules.horn").write_text(edited, encoding="utf-8")
    code, out, _ = run(*cousins, "--upgrade")
    assert code == 1
    assert "the rule was edited since it was certified" in out
    assert run(*cousins, "--renew")[0] == 0
