"""Old spellings of commands and options are rewritten to the current ones."""

from __future__ import annotations

import pytest

from hornbook import cli
from hornbook.old_spellings import modern


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("verify rules.horn --theory paper", "rules verify rules.horn --theory paper"),
        ("kb show firm.sqlite", "store show firm.sqlite"),
        ("problems go -n 10 --into made.jsonl", "problems generate go -n 10 --into made.jsonl"),
        ("problems solve go", "problems solve go"),
        ("problems --help", "problems --help"),
        ("problems slove go", "problems slove go"),
        ("plan go", "theory network go"),
        ("strategy tictactoe", "game strategy tictactoe"),
        ("strategy chess 4k3/8/8/8/8/8/8/4K3", "search plan chess 4k3/8/8/8/8/8/8/4K3"),
        ("strategy-check chess proof.jsonl", "search verify chess proof.jsonl"),
        ("allocate learn othello", "search learn-allocation othello"),
        ("learn go --again", "rules relearn go"),
        ("learn go --words --into r.horn", "rules invent go --into r.horn"),
        ("learn chess --plans --problems a.epd", "rules learn-plans chess --problems a.epd"),
        ("learn chess --problems a.epd --plans", "rules learn-plans chess --problems a.epd"),
        ("learn chess --plans=LINE", "rules learn-plans chess --line=LINE"),
        ("learn chess --plans LINE --plans LINE", "rules learn-plans chess --line LINE --line LINE"),
        ("query family q --most 3 --most-facts=5", "query family q --max-answers 3 --max-facts=5"),
        ("match go --states a.csv --on dask --part 5", "rules match go --states a.csv --backend dask --chunk-size 5"),
        ("query family -- --most", "query family -- --most"),
        ("learn go --into r.horn", "learn go --into r.horn"),
    ],
)  # fmt: skip
def test_an_old_command_line_becomes_a_present_one(old, new):
    found, notes = modern(old.split())
    assert found == new.split()
    assert bool(notes) is (old != new)


def test_an_old_command_runs_with_a_note(capsys):
    assert cli.main(["graph", "family"]) == 0
    printed = capsys.readouterr()
    assert "ancestor" in printed.out
    assert printed.err == (
        "note: `hornbook graph` is now `hornbook theory graph`; the old spelling works for one release\n"
    )


@pytest.mark.parametrize("name", ["family.horn", "pyproject.txt"])
def test_a_file_without_a_command_explains_what_to_do(name, tmp_path, monkeypatch, capsys):
    (tmp_path / "pyproject.txt").write_text("")
    monkeypatch.chdir(tmp_path)
    assert cli.main([name]) == 2
    assert f"hornbook check {name}" in capsys.readouterr().err
