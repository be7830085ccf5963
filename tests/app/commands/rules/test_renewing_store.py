"""`verify STORE --renew`: a store's theory is updated together with the fate of its rules, or not at all."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from hornbook import cli
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.stored_rules import PROVABLE, put_rules, read_rule_base
from hornbook.compiler.rules.verification import verify_all
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.store import Store, StoredExample
from hornbook.kb.store.closure import load_stored, read_theory
from hornbook.kb.store.errors import StoreError
from hornbook.kb.store.text import export_text

KIN = """theory kin.
sort person.
static mother(person, person).
static parent(person, person).
static grown(person).
derived grandparent(person, person).
derived sibling(person, person).
derived child(person, person).
two_steps: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).
one_parent: sibling(?a, ?b) :- parent(?p, ?a), parent(?p, ?b), ?a != ?b.
turned: child(?b, ?a) :- parent(?a, ?b).
mothers: parent(?a, ?b) :- mother(?a, ?b).
"""
CASES = """import kin.
example line: mother(ida, leo), mother(leo, mia), grown(ida).
expect line: grandparent(ida, mia).
example pair: mother(ida, leo), mother(ida, nora).
expect pair: sibling(leo, nora).
example turned: mother(ida, leo).
expect turned: child(leo, ida).
"""
LINE = '["mother", "ida", "leo", null]\n["mother", "leo", "mia", null]\n["grown", "ida", null]'
MORE = "parent(?b, ?c), grown(?a).\none"
"""A condition that grandparents are grown up."""


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a store with the theory, three rules (one is forgotten) and a case that no file has any more."""
    monkeypatch.chdir(tmp_path)
    Path("kin.horn").write_text(KIN)
    Path("cases.horn").write_text(CASES)
    assert cli.main(["learn", "kin.horn", "--problems", "cases.horn", "--into", "rules.horn"]) == 0
    Path("cases.horn").unlink()
    with Store.create("kin.sqlite") as made:
        made.put_theory(read_theory("kin.horn"))
        put_rules(made, rulebase.read(Path("rules.horn"), load("kin.horn")))
        made.set_state(["sibling_1"], "forgotten", "worth too little")
        made.put_example(StoredExample("line", "cases.horn", "a task", LINE, "{}", 0.1))
    return tmp_path / "kin.sqlite"


def edit(old: str, new: str) -> None:
    assert old in KIN
    Path("kin.horn").write_text(KIN.replace(old, new))


def renew(capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str, str]:
    return run(capsys, "rules", "verify", "kin.sqlite", "--renew", *more)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = cli.main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def contents(store: Path) -> str:
    with Store(store) as opened:
        return "".join(export_text(opened))


def follow(store: Path) -> list[str]:
    """Return the stored rules that follow from the stored theory."""
    with Store(store) as opened:
        theory = load_stored(opened.theory())
        verdicts = list(verify_all(read_rule_base(opened, theory, PROVABLE), theory))
    assert all(verdict.follows for verdict in verdicts)
    return [verdict.entry.rule.name for verdict in verdicts]


def test_each_outcome_is_in_the_store_with_the_new_text(store, capsys):
    edit(
        "parent(?p, ?a), parent(?p, ?b), ?a != ?b.\nturned: child(?b, ?a) :- parent(?a, ?b).",
        "?a != ?b, parent(?p, ?a), parent(?p, ?b).",
    )
    Path("kin.horn").write_text(Path("kin.horn").read_text().replace("parent(?b, ?c).\none", MORE))
    code, out, _ = renew(capsys)
    assert code == 1
    assert "3 rules: 0 untouched, 1 kept with a new certificate, 2 retired\n" in out
    assert "what no longer follows is retired in the store" in out
    assert follow(store) == ["sibling_1"]
    code, out, _ = run(capsys, "rules", "relearn", "kin.sqlite")
    assert code == 1
    assert out.splitlines()[0] == "admitted grandparent_2 from line"
    assert "turned: gap: `child(leo, ida)`" in out
    assert follow(store) == ["sibling_1", "grandparent_2"]
    with Store(store) as opened:
        assert opened.theory().files[-1].text == Path("kin.horn").read_text()
        rules = {rule.name: rule for rule in opened.rules()}
        (event,) = opened.events()
        assert (event.what, json.loads(event.detail)["renewed"]) == ("renewed", 1)
    assert {name: rule.state for name, rule in rules.items()} == {
        "grandparent_1": "retired",
        "sibling_1": "forgotten",
        "child_1": "retired",
        "grandparent_2": "active",
    }
    assert "grown(?a)" in rules["grandparent_2"].text
    assert rules["sibling_1"].reason == "worth too little"
    assert "the rule `turned` on which the proof depends no longer exists" in rules["child_1"].reason
    code, out, _ = renew(capsys)
    assert (code, out.splitlines()[0]) == (
        0,
        "2 rules: 2 untouched, 0 kept with a new certificate, 0 retired",
    )


def test_a_comment_is_taken_over_and_nothing_is_checked(store, capsys):
    edit("theory kin.", "% Who is whose.\ntheory kin.")
    code, out, _ = renew(capsys, "--theory", "kin.horn", "--json")
    assert (code, json.loads(out)["replayed"]) == (0, 0)
    assert {each["state"] for each in json.loads(out)["rules"]} == {"untouched"}
    with Store(store) as opened:
        assert opened.theory().files[-1].text.startswith("% Who is whose.")


def test_retired_rules_are_active_again_once_the_edit_is_taken_back(store, capsys):
    edit("turned: child(?b, ?a) :- parent(?a, ?b).\n", "")
    assert renew(capsys)[0] == 1
    Path("kin.horn").write_text(KIN)
    code, out, _ = renew(capsys)
    assert (code, "1 retired rule follows again, and is back: child_1" in out) == (0, True)
    assert sorted(follow(store)) == ["child_1", "grandparent_1", "sibling_1"]
    with Store(store) as opened:
        assert [(rule.state, rule.reason) for rule in opened.rules() if rule.name == "child_1"] == [
            ("active", "")
        ]


def test_the_rules_are_stored_against_the_files_before_anything_is_renewed(store, capsys):
    edit("parent(?b, ?c).\none", MORE)
    before = contents(store)
    code, out, err = run(capsys, "rules", "verify", "kin.sqlite", "--theory", "kin.horn")
    assert (code, err) == (1, "")
    assert "grandparent_1: the rule `two_steps` was changed" in out
    code, out, err = run(capsys, "rules", "verify", "kin.sqlite")
    assert (code, out) == (0, "3 rules follow from `kin`, 0 do not\n")
    assert "`hornbook rules verify kin.sqlite --renew` takes the new text" in err
    assert contents(store) == before


def test_what_fails_half_way_changes_nothing(store, capsys, monkeypatch):
    edit("parent(?b, ?c).\none", MORE)
    before = contents(store)

    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(Store, "add_event", full)
    code, out, err = renew(capsys)
    assert (code, out, "the disk is full" in err) == (2, "", True)
    assert contents(store) == before


def test_facts_that_do_not_fit_the_new_text_are_reported(store, capsys):
    with Store(store, "write") as opened:
        opened.add_facts([GroundFact("grown", ("ida",))])
    edit("static grown(person).", "static grown(person, person).")
    before = contents(store)
    code, _, err = renew(capsys)
    assert code == 1
    assert "the store's facts do not fit the theory as it is now" in err
    assert contents(store) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.sqlite",), "none.sqlite"),
        (("kin.sqlite", "--theory", "family"), "the store has no theory `family`"),
        ((), "Missing argument 'RULES'"),
        (("rules.horn",), "--theory"),
    ],
)
def test_bad_input_of_a_store(arguments, message, store, capsys):
    before = contents(store)
    capsys.readouterr()
    assert cli.main(["rules", "verify", "--renew", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert contents(store) == before


def test_a_theory_that_was_moved_is_to_be_named(store, capsys):
    (store.parent / "kin.horn").rename(store.parent / "moved.horn")
    capsys.readouterr()
    assert cli.main(["rules", "verify", "kin.sqlite", "--renew"]) == 2
    output = " ".join(capsys.readouterr().err.split())
    assert "is not there any more; say with --theory where it is now" in output
    assert renew(capsys, "--theory", "moved.horn")[0] == 0


def learned(*more: str) -> tuple[int, dict[str, int]]:
    """Return the exit code of `learn` and its counts of examples.

    The counts are of examples used, examples already known and examples with admitted rules.
    """
    out = io.StringIO()
    with redirect_stdout(out):
        code = cli.main(
            ["learn", "kin.horn", "--problems", "more.horn", "--into", "new.sqlite", "--json", *more]
        )
    found = json.loads(out.getvalue().splitlines()[-1])
    return code, {name: found[name] for name in ("examples", "known", "admitted")}


def test_an_example_with_a_gap_is_taken_again_once_the_theory_is_another():
    Path("more.horn").write_text(CASES)
    Path("kin.horn").write_text(
        KIN.replace("two_steps:", "two_steps: sibling(?a, ?c) :- parent(?a, ?c), parent(?c, ?a).\n%")
    )
    assert learned() == (1, {"examples": 3, "known": 0, "admitted": 2})
    assert learned() == (0, {"examples": 0, "known": 3, "admitted": 0})
    Path("kin.horn").write_text(KIN)
    assert cli.main(["rules", "verify", "new.sqlite", "--renew"]) == 0
    assert learned() == (0, {"examples": 1, "known": 2, "admitted": 1})
    assert learned() == (0, {"examples": 0, "known": 3, "admitted": 0})


def test_an_example_that_passed_a_limit_is_taken_again():
    Path("more.horn").write_text(CASES)
    assert learned("--max-facts", "1")[1]["admitted"] == 0
    assert learned() == (0, {"examples": 3, "known": 0, "admitted": 3})


DEFINED = "import kin.\nderived elder(person).\nold: elder(?p) :- grown(?p).\n"


def test_a_theory_with_an_invented_predicate_of_the_store_is_not_taken(store, capsys):
    Path("more.horn").write_text(DEFINED)
    assert run(capsys, "store", "import", "kin.sqlite", "more.horn")[0] == 0
    before = contents(store)
    Path("kin.horn").write_text(KIN + "derived elder(person).\nparents: elder(?p) :- parent(?p, _).\n")
    code, _, err = renew(capsys)
    assert code == 1
    assert "`elder` is a predicate already" in err
    assert contents(store) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DEFINED.replace("elder", "older"), "the label `old` is used twice"),
        (DEFINED.replace("old:", "sibling_1:").replace("elder", "older"), "has a rule `sibling_1`"),
        (DEFINED.replace("grown(?p)", "parent(?p, _)"), "has another definition of `elder`"),
    ],
    ids=["label of a clause", "label of a rule", "other clauses"],
)
def test_definitions_that_clash_with_those_of_the_store_are_not_imported(store, capsys, text, message):
    Path("more.horn").write_text(DEFINED)
    assert run(capsys, "store", "import", "kin.sqlite", "more.horn")[0] == 0
    before = contents(store)
    Path("other.horn").write_text(text)
    code, _, err = run(capsys, "store", "import", "kin.sqlite", "other.horn")
    assert code != 0
    assert message in " ".join(err.split())
    assert contents(store) == before
    assert set(follow(store)) == {"grandparent_1", "sibling_1", "child_1"}
