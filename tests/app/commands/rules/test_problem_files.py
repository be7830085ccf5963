"""Input files of `learn`: all names after `--problems`.

None of them is read as the theory, and no store is damaged.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.kb.store import Store

A = "import family.\nexample one: parent(w, x), parent(x, y), parent(y, z).\nexpect one: great_grandparent(w, z).\n"
B = "import family.\nexample two: parent(x, y), parent(x, z), parent(y, v), parent(z, w).\nexpect two: cousin(v, w).\n"


@pytest.fixture(autouse=True)
def files(folder, run):
    (folder / "a.horn").write_text(A)
    (folder / "b.horn").write_text(B)
    assert run("store", "new", "s.sqlite", "family")[0] == 0


def theories() -> list[str]:
    with Store("s.sqlite") as store:
        return [theory.name for theory in store.theories()]


def test_files_that_follow_the_option_are_all_learned_from(run):
    code, out, _ = run("learn", "s.sqlite", "--problems", "a.horn", "b.horn")
    assert code == 0
    assert "2 examples, 2 proofs: 2 rules admitted" in out
    assert theories() == ["family"]
    once = run("learn", "family", "--problems", "a.horn", "b.horn", "--into", "once.horn")
    twice = run("learn", "family", "--problems", "a.horn", "--problems", "b.horn", "--into", "twice.horn")
    assert once[0] == twice[0] == 0
    assert Path("once.horn").read_text() == Path("twice.horn").read_text()


@pytest.mark.parametrize("into", ["s.sqlite", "new.sqlite", "new.horn"])
def test_a_file_of_examples_is_not_taken_for_the_theory(run, folder, into):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    code, _, err = run("learn", "--problems", "a.horn", "b.horn", "--into", into)
    assert code == 2
    assert "`b.horn` has examples of `family` and no rules" in err.replace("\n", " ")
    assert "`--problems a.horn --problems b.horn`" in err.replace("\n", " ")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_the_advice_is_right_when_it_is_followed(run):
    code, out, _ = run(
        "learn", "family", "--problems", "a.horn", "--problems", "b.horn", "--into", "s.sqlite"
    )
    assert code == 0
    assert "2 rules in s.sqlite" in out


def test_a_file_of_examples_only_is_static_a_theory_to_learn_from(run):
    code, out, _ = run("learn", "b.horn", "--into", "rules.horn")
    assert code == 0
    assert "1 rule admitted" in out


def test_a_second_file_without_the_option_is_no_second_theory(run):
    code, _, err = run("learn", "family", "b.horn", "--into", "s.sqlite")
    assert code == 2
    assert "`b.horn` is a second theory; name files of examples or problems with --problems" in err


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("bad.horn", "import family.\nexample two: parent(x).\n", "HB011"),
        ("other.horn", "import cup.\n", "a file of examples imports `family`"),
        ("no.horn", None, "there is no file `no.horn`"),
        ("p.jsonl", "{}\n", "`a.horn` has examples and `p.jsonl` has problems"),
    ],
)
def test_where_one_file_is_wrong_nothing_is_learned_from_the_others(run, folder, name, text, message):
    if text is not None:
        (folder / name).write_text(text)
    before = (folder / "s.sqlite").read_bytes()
    code, out, err = run("learn", "s.sqlite", "--problems", "a.horn", name)
    assert code != 0
    assert message in (out + err).replace("\n", " ")
    assert (folder / "s.sqlite").read_bytes() == before
    assert theories() == ["family"]
