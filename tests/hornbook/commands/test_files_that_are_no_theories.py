"""Commands that write no theory refuse to replace one."""

from __future__ import annotations

from pathlib import Path

import pytest

OWN = "theory own.\nsort person.\nstatic parent(person, person).\nparent(ann, bob).\n"


@pytest.mark.parametrize(
    "command",
    [
        ("graph", "own.horn", "--into", "own.horn"),
        ("why", "own.horn", "parent(ann, bob)", "--html", "own.horn"),
    ],
)
def test_an_output_never_replaces_a_theory(run, folder, command):
    Path("own.horn").write_text(OWN, encoding="utf-8")
    code, out, err = run(*command)
    assert (code, out) == (1, "")
    assert "`.horn` is the ending of theories, and what is written is none" in err
    assert Path("own.horn").read_text(encoding="utf-8") == OWN


@pytest.mark.parametrize(
    "command",
    [
        ("import-pydatalog", "program.py", "--into", "go.horn"),
        ("import-pydatalog", "program.py", "--into", "program.py", "--force"),
        ("foretell", "lamps.horn", "lit", "--into", "lamps.horn", "--force"),
        ("foretell", "lamps.horn", "lit", "--into", "chess.horn"),
        ("import-gdl", "ticTacToe", "--into", "chess"),
    ],
)
def test_a_new_theory_never_takes_the_name_of_another(run, folder, command):
    Path("program.py").write_text("+ parent('ann', 'bob')\n", encoding="utf-8")
    Path("lamps.horn").write_text(
        "theory lamps.\nsort lamp.\nfluent lit(lamp).\naction press(lamp).\n"
        "on: after lit(?l) :- press(?l).\n",
        encoding="utf-8",
    )
    before = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    code, _, err = run(*command)
    assert code == 1
    assert "error[HB016]" in err
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == before
