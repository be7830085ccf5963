"""`trust`: the assumptions of a theory, and how many of them the proved rules depend on."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from hornbook import cli
from hornbook.compiler.trust.shown import fingerprint
from hornbook.inputs.theories import load

STOCK = """theory stock.
sort thing.
fluent at_hand(thing) observed.
fluent part(thing, thing).
fluent parts(thing -> int) counts part.
static known(thing) complete.
action make(thing).
derived there(thing).
derived seen(thing).
game have(thing).
replies have(?x): make(?y), at_hand(?y).
made: after at_hand(?x) :- make(?x), known(?x).
had: before have(?x) by make(?x) is GI :- make(?x), after at_hand(?x).
unused: there(?x) :- at_hand(?x).
unused_too: seen(?x) :- there(?x).
known(screw).
"""
RULES = """import stock.
mine: before have(?x) by make(?x) is GI :- make(?x), known(?x).
wrong: before have(?x) by make(?x) is GI :- make(?x).
"""


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("stock.horn").write_text(STOCK)
    Path("mine.horn").write_text(RULES)


def trust(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    capsys.readouterr()
    assert cli.main(["rules", "trust", "stock.horn", *more]) == 0
    return capsys.readouterr().out


def test_what_a_theory_assumes(capsys: pytest.CaptureFixture[str]):
    assert trust(capsys) == (
        "stock: 4 clauses and 1 fact are assumed, 1 of the clauses about two moments\n"
        "              clauses  definitions  transitions  claims  games\n"
        "  stock.horn        4            2            1       0      1\n"
        "  observed (what is concluded of it after an action is so in the next state): at_hand\n"
        "  replies (the opponent has these and no others): have\n"
        "  complete (all that there is is given): known\n"
    )


def test_which_clauses_are_shown_outside(capsys: pytest.CaptureFixture[str]):
    theory = load("stock.horn")
    (made,) = (rule for rule in theory.rules if rule.name == "made")
    run = {"command": "check it", "date": "2026-01-02", "coq": "8.16.1", "axioms": "none"}
    head = {"by": "stock,\nin Coq", **run, "folders": {"Stock": "proofs"}}
    digest = hashlib.sha256(b"").hexdigest()
    reported = [
        head,
        {"source": "Stock/Proof.v", "sha256": digest},
        {"clause": "made", "fingerprint": fingerprint(made, theory.vocabulary)},
    ]
    Path("shown.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in reported))
    assert trust(capsys, "--clauses") == (
        "stock: 4 clauses and 1 fact are assumed, 1 of the clauses about two moments\n"
        "              clauses  definitions  transitions  claims  games  shown\n"
        "  stock.horn        4            2            1       0      1      1\n"
        "    transition  made, shown\n"
        "    game        had\n"
        "    definition  unused\n"
        "    definition  unused_too\n"
        "  shown (proved of what the theory is about, outside of Hornbook, and not checked here):"
        " 1 clause, 0 of 0 claims\n"
        "    by stock, in Coq: checked on 2026-01-02 by `check it` (Coq 8.16.1), 1 source and no axioms;"
        " the proofs are not installed here, so not compared\n"
        "  observed (what is concluded of it after an action is so in the next state): at_hand\n"
        "  replies (the opponent has these and no others): have\n"
        "  complete (all that there is is given): known\n"
    )
    found = json.loads(trust(capsys, "--json"))
    assert [each["by"] for each in found["shown_by"]] == ["stock, in Coq"]
    assert [each["name"] for each in found["clauses"] if each["shown"]] == ["made"]
    Path("proofs").mkdir()
    Path("proofs/Proof.v").write_text("")
    assert "the proofs are unchanged since then\n" in trust(capsys)
    Path("proofs/Proof.v").write_text("nonsense")
    changed = trust(capsys, "--clauses")
    assert ", shown" not in changed
    assert (
        "  not counted: the proofs of stock, in Coq changed after they were checked on 2026-01-02 (Stock/Proof.v);"
        " check them with `check it`\n" in changed
    )
    Path("shown.jsonl").write_text("{")
    assert f"  damaged, so that nothing in it is counted: {Path('shown.jsonl').resolve()}\n" in trust(capsys)


def test_on_which_clauses_proved_rules_rest(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["rules", "prove", "mine.horn", "--theory", "stock.horn"]) == 1
    output = trust(capsys, "--rules", "mine.horn", "--clauses")
    assert (
        "              clauses  definitions  transitions  claims  games  rested on  asked\n"
        "  stock.horn        4            2            1       0      1          2      0\n"
        "         1 transition  made\n         1 game        had\n         0 definition  unused\n" in output
    )
    assert "next state): at_hand; rested on: at_hand\n" in output
    assert "no others): have; rested on: none\n" in output
    assert output.endswith(
        "1 rule proved, 1 without a proof\n"
        "  by certificates of 2 to 2 steps, median 2; they rest on 2 of the 4 clauses, and 0 conclude what they ask for\n"
    )


def test_what_another_file_says_of_a_word_is_a_claim(capsys: pytest.CaptureFixture[str]):
    Path("more.horn").write_text("theory more. import stock.\nmore: there(?x) :- known(?x).\n")
    capsys.readouterr()
    assert cli.main(["rules", "trust", "more.horn", "--clauses"]) == 0
    output = capsys.readouterr().out
    assert "    claim       more\n" in output
    assert "  in all            5            2            1       1      1\n" in output
    assert cli.main(["rules", "trust", "more.horn", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {clause["name"]: clause["kind"] for clause in found["clauses"]} == {
        "made": "transition",
        "had": "game",
        "unused": "definition",
        "unused_too": "definition",
        "more": "claim",
    }


def test_what_rests_on_a_rule_rests_on_its_clauses(capsys: pytest.CaptureFixture[str]):
    Path("mine.horn").write_text(
        "import stock.\nfirst: there(?x) :- at_hand(?x), known(?x).\nsecond: seen(?x) :- at_hand(?x), known(?x).\n"
    )
    assert cli.main(["rules", "prove", "mine.horn", "--theory", "stock.horn"]) == 0
    found = json.loads(trust(capsys, "--rules", "mine.horn", "--json"))
    assert found["proved"]["clauses"] == ["unused", "unused_too"]
    assert {c["name"]: c["rested_on_by"] for c in found["clauses"]} == {
        "made": 0,
        "had": 0,
        "unused": 2,
        "unused_too": 1,
    }


def test_what_rules_ask_for_is_concluded_by_clauses_too(capsys: pytest.CaptureFixture[str]):
    Path("stock.horn").write_text(
        STOCK
        + "all_parts(?x) :- parts(?x, ?n), all ?y in part(?x, ?y): there(?y).\nderived all_parts(thing).\n"
        "counted: parts(?x, 0) :- seen(?x).\n"
    )
    Path("mine.horn").write_text(
        "import stock.\nmine: before have(?x) by make(?x) is GI :- make(?x), known(?x), before all_parts(?x).\n"
    )
    assert cli.main(["rules", "prove", "mine.horn", "--theory", "stock.horn"]) == 0
    found = json.loads(trust(capsys, "--rules", "mine.horn", "--json"))["proved"]
    assert found["clauses"] == ["had", "made"]
    assert [name for name in found["asked"] if "@" not in name] == ["counted", "unused", "unused_too"]


def test_a_theory_that_is_not_there_is_reported(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["rules", "trust", "none.horn"]) != 0
    assert "none.horn" in capsys.readouterr().err


SHELF = """theory shelf.
sort thing.
fluent big(thing).
fluent old(thing).
action turn(thing).
derived heavy(thing).
derived marked(thing).
turned: after big(?x) :- turn(?x), before old(?x).
by_size: heavy(?x) :- big(?x).
"""
WORD = """theory word.
import shelf.
what_was_turned_is_heavy: after heavy(?x) :- turn(?x), before old(?x).
old_things_are_heavy: heavy(?x) :- old(?x), big(?x).
so_is_what_is_old: heavy(?x) :- old(?x).
"""


def test_claims_follow_from_the_other_clauses_or_stay_open(capsys: pytest.CaptureFixture[str]):
    Path("shelf.horn").write_text(SHELF)
    Path("word.horn").write_text(WORD)
    assert cli.main(["rules", "trust", "word.horn", "--prove"]) == 0
    assert capsys.readouterr().out.splitlines()[-4:] == [
        "  word.horn:3: what_was_turned_is_heavy: follows",
        "  word.horn:4: old_things_are_heavy: follows",
        "  word.horn:5: so_is_what_is_old: nothing concludes `before heavy(?x)`; `by_size` lacks `big(?x)`",
        "  of 3 claims 2 follow from the other clauses, in given states: `lemma` marks clauses to use only with a proof",
    ]
    assert cli.main(["rules", "trust", "word.horn", "--prove", "--json"]) == 0
    claims = json.loads(capsys.readouterr().out)["claims"]
    assert [(each["name"], each["follows"]) for each in claims] == [
        ("what_was_turned_is_heavy", True),
        ("old_things_are_heavy", True),
        ("so_is_what_is_old", False),
    ]


LEMMAS = """import shelf.
lemma so_is_what_was_turned: after heavy(?x) :- turn(?x), before old(?x).
lemma so_is_what_is_old: heavy(?x) :- old(?x).
"""


def test_lemmas_are_listed_apart_from_what_is_assumed(capsys: pytest.CaptureFixture[str]):
    Path("shelf.horn").write_text(SHELF)
    Path("word.horn").write_text(LEMMAS)
    assert cli.main(["rules", "prove", "word.horn"]) == 1
    Path("mine.horn").write_text(
        "import word.\nmine: after heavy(?x) :- turn(?x), before old(?x), before marked(?x).\n"
    )
    assert cli.main(["rules", "prove", "mine.horn", "--theory", "word.horn"]) == 0
    capsys.readouterr()
    assert cli.main(["rules", "trust", "word.horn", "--clauses"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "word: 2 clauses and 0 facts are assumed, 1 of the clauses about two moments"
    assert lines[-4:] == [
        "1 lemma proved, 1 without a proof and not used",
        "  by certificates of 2 to 2 steps, median 2; they rest on 2 of the 2 clauses",
        "    lemma       so_is_what_was_turned: 2 steps, rests on 2 clauses",
        "    lemma       so_is_what_is_old: without a proof",
    ]
    assert cli.main(["rules", "trust", "word.horn", "--rules", "mine.horn", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(each["name"], each["clauses"]) for each in found["lemmas"]] == [
        ("so_is_what_was_turned", ["by_size", "turned"]),
        ("so_is_what_is_old", []),
    ]
    assert found["proved"]["clauses"] == ["by_size", "turned"]
