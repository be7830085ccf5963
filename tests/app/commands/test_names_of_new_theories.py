"""Commands that write a theory refuse names of existing theories."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "command",
    [
        ("theory", "import-pydatalog", "program.py", "--into", "go.horn"),
        ("theory", "regress", "lamps.horn", "lit", "--into", "lamps.horn", "--force"),
        ("theory", "regress", "lamps.horn", "lit", "--into", "chess.horn"),
        ("game", "import", "ticTacToe", "--into", "chess"),
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
