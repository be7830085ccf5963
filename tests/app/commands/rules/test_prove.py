"""`prove`: hand-written rules get certificates in place.

A rule without a proof stays unchanged and is reported.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hornbook import cli
from hornbook.compiler.prove import by_hand
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.stored_rules import put_rules, read_rule_base
from hornbook.inputs.theories import load
from hornbook.kb.store import Store
from hornbook.kb.store.closure import read_theory

KIN = """theory kin.
sort person.
static parent(person, person).
derived grandparent(person, person).
derived elder(person, person).
two_steps: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).
so_are_they: elder(?a, ?c) :- grandparent(?a, ?c).
"""
RULES = """import kin.

% A note of mine.
elder_by_two: elder(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).
too_much: elder(?a, ?b) :- parent(?a, ?b).
"""
GREENHOUSE = Path(__file__).parents[3] / "compiler/learn/effects/data/greenhouse.horn"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kin.horn").write_text(KIN)
    Path("mine.horn").write_text(RULES)


def prove(capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    code = cli.main(["rules", "prove", *more])
    return code, capsys.readouterr().out


def test_what_is_proved_is_certified_and_the_rest_is_reported(capsys: pytest.CaptureFixture[str]):
    assert prove(capsys, "mine.horn", "--theory", "kin.horn") == (
        1,
        (
            "mine.horn:4:1: elder_by_two: proved in 2 steps, rank 1\n"
            "mine.horn:5:1: too_much: nothing concludes `elder(?a, ?b)`;"
            " `so_are_they` lacks `grandparent(?a, ?b)`; `two_steps` lacks `parent(?b, ?b)`\n"
            "1 rule proved, 1 without a proof, 0 proved before\n"
        ),
    )
    text = Path("mine.horn").read_text()
    assert "% A note of mine.\n% Proved in 2 steps, rank 1, certificate" in text
    base = rulebase.read(Path("mine.horn"), load("kin.horn"))
    assert {e.rule.name: e.is_certified for e in base} == {"elder_by_two": True, "too_much": False}
    assert base.entries["elder_by_two"].provenance is None


def test_nothing_is_written_where_nothing_is_proved(capsys: pytest.CaptureFixture[str]):
    Path("mine.horn").write_text("import kin.\ntoo_much: elder(?a, ?b) :- parent(?a, ?b).\n")
    before = Path("mine.horn").read_text()
    code, output = prove(capsys, "mine.horn", "--theory", "kin.horn", "--counter-models")
    assert code == 1
    assert "counter-model with ?a = " in output
    assert Path("mine.horn").read_text() == before
    assert not Path("mine.proofs.jsonl").exists()


def test_a_proof_may_rest_on_a_rule_that_stands_below(capsys: pytest.CaptureFixture[str]):
    Path("kin.horn").write_text(
        KIN.replace("so_are_they: elder(?a, ?c) :- grandparent(?a, ?c).\n", "")
        + "game old. old is GI :- elder(_, _).\n"
        + "old is IG :- old is GI.\nshown: elder(?a, ?c) :- grandparent(?a, ?c).\n"
    )
    Path("mine.horn").write_text(
        "import kin.\nlast: old is IG :- parent(?a, ?b), parent(?b, ?c).\n"
        "first: elder(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).\n"
    )
    code, output = prove(capsys, "mine.horn", "--theory", "kin.horn", "--json")
    assert code == 0
    assert {found["rule"]: found["proved"] for found in json.loads(output)} == {"last": True, "first": True}
    assert cli.main(["rules", "verify", "mine.horn", "--theory", "kin.horn"]) == 0
    capsys.readouterr()
    assert prove(capsys, "mine.horn", "--theory", "kin.horn") == (
        0,
        "0 rules proved, 0 without a proof, 2 proved before\n",
    )


def test_an_edited_rule_is_proved_of_what_it_says_now(capsys: pytest.CaptureFixture[str]):
    assert prove(capsys, "mine.horn", "--theory", "kin.horn")[0] == 1
    text = Path("mine.horn").read_text()
    Path("mine.horn").write_text(
        text.replace("elder(?a, ?c) :- parent(?a, ?b)", "elder(?a, ?c) :- ?a != ?b, parent(?a, ?b)")
    )
    assert "elder_by_two: proved in 2 steps" in prove(capsys, "mine.horn", "--theory", "kin.horn")[1]


def test_a_retired_rule_that_follows_in_another_way_comes_back(capsys: pytest.CaptureFixture[str]):
    Path("mine.horn").write_text("import kin.\nfirst: elder(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).\n")
    assert prove(capsys, "mine.horn", "--theory", "kin.horn")[0] == 0
    Path("kin.horn").write_text(KIN.replace("two_steps:", "by_two:"))
    assert cli.main(["rules", "verify", "mine.horn", "--theory", "kin.horn", "--renew"]) == 1
    assert "first:" in Path("mine.retired.horn").read_text()
    assert "proved in 2 steps" in prove(capsys, "mine.retired.horn", "--theory", "kin.horn")[1]
    assert cli.main(["rules", "verify", "mine.horn", "--theory", "kin.horn", "--renew"]) == 0
    assert "is back: first" in capsys.readouterr().out


def test_a_store_keeps_the_certificates(capsys: pytest.CaptureFixture[str]):
    with Store.create("kin.sqlite") as made:
        made.put_theory(read_theory("kin.horn"))
        put_rules(made, rulebase.read(Path("mine.horn"), load("kin.horn")))
    assert "1 rule proved" in prove(capsys, "kin.sqlite")[1]
    with Store("kin.sqlite") as stored:
        base = read_rule_base(stored, load("kin.horn"))
    assert [e.rule.name for e in base if e.is_certified] == ["elder_by_two"]


def test_the_definitions_of_invented_predicates_stay(capsys: pytest.CaptureFixture[str]):
    Path("greenhouse.horn").write_text(GREENHOUSE.read_text())
    assert cli.main(["learn", "greenhouse.horn", "--into", "rules.horn"]) == 0
    learned = Path("rules.horn").read_text()
    claim = "claim:\n  after fresh(?p) :- replant(?p).\n"
    Path("rules.horn").write_text(f"{learned}\n{claim}")
    capsys.readouterr()
    assert "claim: proved in 2 steps" in prove(capsys, "rules.horn", "--theory", "greenhouse.horn")[1]
    definitions = re.findall("^derived .*$", learned, re.MULTILINE)
    assert definitions
    assert re.findall("^derived .*$", Path("rules.horn").read_text(), re.MULTILINE) == definitions
    assert cli.main(["rules", "verify", "rules.horn", "--theory", "greenhouse.horn"]) == 0


def test_a_file_that_is_not_there_is_reported(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["rules", "prove", "none.horn", "--theory", "kin.horn"]) != 0
    assert "none.horn" in capsys.readouterr().err


OTHELLO = """import othello.

all_discs_stay:
  after disc(?t, ?d) :- put(?c, ?s), before legal(?c, ?s), before disc(?t, ?d).
some_disc_is_put:
  after disc(?s, ?c) :- put(?c, ?s), before to_move(?c), before outflanks(?c, ?s, _).
"""


def test_what_a_game_refutes_is_reported_and_not_searched_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    Path("discs.horn").write_text(OTHELLO)
    searched: list[str] = []
    search = by_hand.search
    monkeypatch.setattr(
        by_hand, "search", lambda r, *more, **named: searched.append(r.name) or search(r, *more, **named)
    )
    code, out = prove(capsys, "discs.horn", "--theory", "othello", "--json")
    wrong, right = sorted(json.loads(out), key=lambda each: each["proved"])
    assert (code, searched) == (1, ["some_disc_is_put"])
    assert (right["rule"], right["counter_model"]) == ("some_disc_is_put", None)
    assert (wrong["rule"], wrong["reason"]) == ("all_discs_stay", "a state of a game refutes it")
    output = wrong["counter_model"]
    action, head = re.search(
        r"with `put\((\w+, \w+)\)`, `after disc\((\w+, \w+)\)` does not follow", output
    ).groups()
    # The domain's own step agrees: the disc has the other colour by then.
    facts = re.findall(r"\bdisc\((\w+, \w+)\)", output.split("in the state")[1])
    board = dict(fact.split(", ") for fact in facts[:-1])
    side, square = action.split(", ")
    flipped, owner = head.split(", ")
    assert board[flipped] == owner != side
    assert square not in board


def test_rules_that_ask_for_demanded_words_are_not_tried_in_games(capsys: pytest.CaptureFixture[str]):
    """Check that `demanded` predicates are not tried in games.

    Each query of such a predicate is evaluated anew, and a single fact would take a tenth of a second.
    """
    Path("asked.horn").write_text(
        "theory asked.\nimport othello.\nderived had(square, side) demanded.\nhas: had(?s, ?d) :- disc(?s, ?d).\n"
    )
    Path("discs.horn").write_text(
        OTHELLO.replace("import othello", "import asked").replace("before disc(", "before had(")
    )
    code, out = prove(capsys, "discs.horn", "--theory", "asked.horn")
    assert code == 1
    assert "all_discs_stay" in out
    assert "a state of a game refutes it" not in out


def test_without_games_everything_is_searched_for(capsys: pytest.CaptureFixture[str]):
    Path("discs.horn").write_text(OTHELLO)
    code, out = prove(capsys, "discs.horn", "--theory", "othello", "--games", "0")
    assert code == 1
    assert "all_discs_stay: nothing concludes `after disc(?t, ?d)`" in out


@pytest.mark.deep
def test_states_that_contradict_the_theory_refute_nothing_and_keep_nobody_from_proving(
    capsys: pytest.CaptureFixture[str],
):
    Path("odd.horn").write_text(
        "theory odd.\nimport othello.\nwrong: after disc(?s, ?d) :- put(?c, ?s), opponent(?c, ?d).\n"
    )
    Path("discs.horn").write_text(OTHELLO.replace("import othello", "import odd"))
    code, out = prove(capsys, "discs.horn", "--theory", "odd.horn")
    assert code == 1
    assert "a state of a game refutes it" not in out
    assert "some_disc_is_put: proved" in out
