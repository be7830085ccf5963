"""`verify --renew` and `learn --again` after the family theory is edited: their output and files.

No rule is ever lost.
"""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

import pytest

from hornbook import theories

CASES = """import family.
example line: parent(ida, leo), parent(leo, mia), parent(mia, tom).
expect line: great_grandparent(ida, tom).
example pair: parent(ida, leo), parent(ida, nora), parent(leo, mia), parent(nora, kim).
expect pair: cousin(mia, kim).
example above: parent(ida, leo), parent(leo, mia).
expect above: ancestor(ida, mia).
"""
ONE_PARENT = "sibling(?a, ?b) :- parent(?p, ?a), parent(?p, ?b), ?a != ?b."
TWO_STEPS = "grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c)."


@pytest.fixture(autouse=True)
def folder(folder, run):
    """Create a new theory, three cases, and the rules learned from them."""
    shipped = Path(theories.__file__).parent / "classical" / "family.horn"
    Path("family.horn").write_text(shipped.read_text())
    Path("cases.horn").write_text(CASES)
    assert run("learn", "family.horn", "--problems", "cases.horn", "--into", "rules.horn")[0] == 0
    return folder


@pytest.fixture
def run(run):
    """Run a command and print each time as `N s`, because times differ."""

    def ran(*arguments):
        code, out, err = run(*arguments)
        return code, re.sub(r"\d+\.\d s", "N s", out), err

    return ran


@pytest.fixture
def renew(run):
    def renewed(*more):
        code, out, err = run("rules", "verify", "rules.horn", "--theory", "family.horn", "--renew", *more)
        assert err == ""
        return code, out

    return renewed


@pytest.fixture
def again(run):
    return lambda *more: run("rules", "relearn", "family.horn", "--into", "rules.horn", *more)


def edit(old: str, new: str) -> None:
    theory = Path("family.horn")
    text = theory.read_text()
    assert old in text
    theory.write_text(text.replace(old, new))


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_nothing_to_check_leaves_the_files_only(renew, folder):
    edit("theory family.", "% Ours.\ntheory family.")
    edit("parent(ben, dan).\n", "parent(ben, dan).\n")
    before = texts(folder)
    code, out = renew()
    assert code == 0
    assert out == (
        "3 rules: 3 untouched, 0 kept with a new certificate, 0 retired\n0 certificates replayed; N s\n"
    )
    assert texts(folder) == before


def test_learning_again_says_that_no_rule_is_retired(again):
    code, _, err = again()
    assert (code, err) == (0, "no retired rule can be learned again\n")


def test_each_outcome_is_reported_and_written(renew, again, run, folder):
    edit(ONE_PARENT, "sibling(?a, ?b) :- ?a != ?b, parent(?p, ?a), parent(?p, ?b).")
    edit(TWO_STEPS, "grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c), ?a != ?c.")
    edit("a_parent_is_an_ancestor:\n  ancestor(?a, ?b) :- parent(?a, ?b).\n", "")
    (folder / "rules.horn").write_text("% my own note\n" + (folder / "rules.horn").read_text())
    printed = run("rules", "verify", "rules.horn", "--theory", "family.horn")[1]
    assert printed.endswith("0 rules follow from `family`, 3 do not\n")
    code, out = renew()
    assert code == 1
    assert out == (
        "great_grandparent_1: retired: the rule `a_parents_parent` was changed since the rule was certified;"
        " its proof breaks: step 1, rule `a_parents_parent`: nothing proves `?b != ?d`: the two may be one thing\n"
        "cousin_1: kept with a new certificate: the rule `siblings_share_a_parent` was changed since the rule was"
        " certified\n"
        "ancestor_1: retired: the rule `a_parent_is_an_ancestor` on which the proof depends no longer exists\n"
        "3 rules: 0 untouched, 1 kept with a new certificate, 2 retired\n"
        "2 certificates replayed; N s\n"
        "what no longer follows is in rules.retired.horn; `hornbook rules relearn` learns from its examples again\n"
    )
    code, out, err = again()
    assert (code, err) == (1, "")
    assert out == (
        "cases.horn: above: gap: `ancestor(ida, mia)` needs `ancestor(leo, mia)`, which is not derived;"
        " `so_are_their_ancestors` (family.horn:17) asks for it,"
        " `so_are_their_ancestors` (family.horn:17) stops at `parent(mia, ?b)`;"
        " needed: facts for which one of these rules holds, or a rule that concludes `ancestor(?x1, ?x2)`\n"
        "2 examples, 1 proof: 1 rule admitted, 0 subsumed, 0 dropped for more general ones, 0 refused, 1 gap\n"
        "2 rules in rules.horn; N s\n"
    )
    rules = (folder / "rules.horn").read_text()
    assert rules.startswith("% my own note\n")
    assert (
        "great_grandparent_1:\n  great_grandparent(?a, ?d) :- parent(?a, ?b), parent(?b, ?b2), parent(?b2, ?d), ?b != ?d."
        in rules
    )
    assert "ancestor" not in rules
    assert run("rules", "verify", "rules.horn", "--theory", "family.horn")[0] == 0
    assert run("fmt", "--check", "rules.horn", "rules.retired.horn")[0] == 0
    assert renew()[1].startswith("2 rules: 2 untouched")
    assert "1 subsumed" in again()[1]


def test_retired_rules_follow_again_once_the_edit_is_taken_back(renew, run, folder):
    before = (folder / "family.horn").read_text()
    for removed in (f"siblings_share_a_parent:\n  {ONE_PARENT}\n", f"a_parents_parent:\n  {TWO_STEPS}\n"):
        edit(removed, "")
        assert renew()[0] == 1
    retired = (folder / "rules.retired.horn").read_text()
    assert retired.count("% Retired: the rule ") == retired.count("% From ") == 2
    (folder / "family.horn").write_text(before)
    assert run("rules", "verify", "rules.retired.horn", "--theory", "family.horn") == (
        0,
        "2 rules follow from `family`, 0 do not\n",
        "",
    )
    code, out = renew()
    assert (code, out.splitlines()[:2]) == (
        0,
        [
            "1 rule: 1 untouched, 0 kept with a new certificate, 0 retired",
            "2 retired rules follow again, and are back: cousin_1, great_grandparent_1",
        ],
    )
    assert run("rules", "verify", "rules.horn", "--theory", "family.horn")[1].startswith("3 rules follow")
    assert renew()[1].startswith("3 rules: 3 untouched")


def test_the_same_as_json(renew, again):
    edit(TWO_STEPS, "grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c), ?a != ?c.")
    code, out = renew("--json")
    found = json.loads(out)
    assert code == 1
    assert [(each["rule"], each["state"]) for each in found["rules"]] == [
        ("great_grandparent_1", "retired"),
        ("cousin_1", "untouched"),
        ("ancestor_1", "untouched"),
    ]
    assert (found["replayed"], found["back"]) == (3, [])
    code, out, _ = again("--json")
    assert (code, json.loads(out)["admitted"], json.loads(out)["rules"]) == (0, 1, 3)


def test_an_example_that_moved_is_named(renew, again, folder):
    """Move an example's file away.

    Only the facts used by the old proof remain, and the new rule needs more.
    """
    edit(TWO_STEPS, "grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c), sibling(?b, _).")
    (folder / "elsewhere").mkdir()
    moved = CASES.replace("parent(mia, tom).", "parent(mia, tom), parent(leo, nora).")
    (folder / "elsewhere" / "old.horn").write_text(moved)
    (folder / "elsewhere" / "family.horn").write_text((folder / "family.horn").read_text())
    (folder / "cases.horn").unlink()
    assert renew()[0] == 1
    code, out, _ = again()
    assert (code, "line: gap: " in out) == (1, True)
    code, out, _ = again("--problems", "elsewhere/old.horn")
    assert (code, "1 rule admitted" in out) == (0, True)


def test_a_declaration_that_leaves_a_rule_without_words(renew, again, run, folder):
    edit("static cousin(person, person).", "static cousin(person, person, person).")
    edit("cousin(?a, ?b) :-", "cousin(?a, ?b, ?p) :-")
    edit("cousin(eve, ?who) gives", "cousin(eve, ?who, _) gives")
    (folder / "cases.horn").write_text(CASES.replace("cousin(mia, kim)", "cousin(mia, kim, leo)"))
    code, out = renew()
    assert code == 1
    assert "cousin_1: retired: it is not a rule of the theory's language: " in out
    assert "2 certificates replayed" in out
    assert "cousin(?a, ?b) :-" in (folder / "rules.retired.horn").read_text()
    assert run("rules", "verify", "rules.horn", "--theory", "family.horn")[0] == 0
    assert again()[::2] == (
        1,
        "cousin_1: its goal `cousin(mia, kim)` is no longer valid: `cousin` takes 3 arguments, not 2\n",
    )


def test_what_its_rules_were_learned_from_is_not_known(renew, again, folder):
    proofs = folder / "rules.proofs.jsonl"
    lines = [{**json.loads(line), "example": "", "facts": []} for line in proofs.read_text().splitlines()]
    proofs.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    edit(TWO_STEPS, "grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c), ?a != ?c.")
    assert renew()[0] == 1
    assert again()[::2] == (1, "great_grandparent_1: its origin is unknown\n")


def test_a_rule_of_ones_own_stays_and_is_reported_to_have_no_certificate(renew, folder):
    with (folder / "rules.horn").open("a") as file:
        file.write("\nmine:\n  sibling(?a, ?b) :- parent(?a, ?b).\n")
    code, out = renew()
    assert code == 1
    assert "mine: without a certificate: the rule has no certificate" in out
    assert "mine:" in (folder / "rules.horn").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.horn", "--theory", "family.horn"), "the file cannot be read: there is no such file"),
        (("rules.horn", "--theory", "none.horn"), "there is no file `none.horn`"),
        (("rules.horn", "--theory", "family.horn", "--upgrade"), "`--renew` does this too"),
        (("cases.horn", "--theory", "family.horn"), "a rule base holds rules and the predicates"),
    ],
)
def test_bad_input_is_reported_and_nothing_is_written(run, arguments, message, folder):
    edit(TWO_STEPS, "grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c), ?a != ?c.")
    before = texts(folder)
    code, out, err = run("rules", "verify", "--renew", *arguments)
    assert (code > 0, out) == (True, "")
    assert message in err
    assert texts(folder) == before


def test_what_cannot_all_be_written_is_not_written_at_all(run, folder, monkeypatch):
    edit(f"a_parents_parent:\n  {TWO_STEPS}\n", "")
    before = texts(folder)
    made: list[str] = []
    mkstemp = tempfile.mkstemp

    def full(*, dir: Path, prefix: str) -> tuple[int, str]:  # noqa: A002 - the parameter name of `mkstemp`
        made.append(prefix)
        if len(made) == 4:
            raise OSError(28, "No space left on device", prefix)
        return mkstemp(dir=str(dir), prefix=prefix)

    monkeypatch.setattr(tempfile, "mkstemp", full)
    code, _, err = run("rules", "verify", "rules.horn", "--theory", "family.horn", "--renew")
    assert (code, made[-1]) == (1, ".rules.horn.")
    assert "No space left on device" in err
    assert texts(folder) == before
