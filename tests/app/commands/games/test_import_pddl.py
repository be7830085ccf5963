"""Tests of `hornbook game import` for domains in PDDL, and of other commands that get a file of PDDL."""

from __future__ import annotations

import pytest

from hornbook import cli
from hornbook.planner.pddl.examples import FOLDER


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_domain_with_its_problem_becomes_two_theories_and_a_state(tmp_path, capsys):
    assert cli.main(["game", "import", "blocks", "blocks-tower", "--into", "made"]) == 0
    printed = capsys.readouterr().out
    assert "finds no mistakes in it" in printed
    assert "made/tower.horn written: the goal; made/tower_start.horn" in printed
    assert {each.name for each in (tmp_path / "made").iterdir()} == {
        "made.horn",
        "tower.horn",
        "tower_start.horn",
    }
    words = ["what-if", "made/tower.horn", "--add", "made/tower_start.horn", "after goal", "--steps", "4"]
    assert cli.main(words) == 0
    assert "4 actions" in capsys.readouterr().out


def test_a_domain_without_a_problem_becomes_a_theory(tmp_path, capsys):
    (tmp_path / "d.txt").write_text(f"; one\n{(FOLDER / 'doors.pddl').read_text(encoding='utf-8')}")
    assert cli.main(["game", "import", "d.txt", "--into", "made"]) == 0
    assert "next: hornbook game import d.txt PROBLEM --into made --force" in capsys.readouterr().out
    assert [each.name for each in (tmp_path / "made").iterdir()] == ["made.horn"]
    assert cli.main(["check", "made"]) == 0


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["nim", "blocks-tower"], 2, "only a domain in PDDL has problems"),
        (["blocks", "--plan", "plan.txt"], 2, "a plan belongs to a problem"),
        (["blocks", "doors-museum"], 1, "the problem belongs to the domain `doors`"),
        (["blocks", "blocks"], 1, "this file has a domain, and a problem is needed here"),
        (["blocks", str(FOLDER.parents[1] / "gdl" / "sheets" / "nim.kif")], 1, "this is a game in GDL"),
        (["missing.pddl"], 1, "HB005"),
        (["blocks", "missing.pddl"], 1, "HB005"),
        (["blocks", "blocks-tower", "--plan", "missing.txt"], 1, "HB005"),
    ],
)
def test_arguments_that_do_not_fit(words, code, message, tmp_path, capsys):
    assert cli.main(["game", "import", *words, "--into", "made"]) == code
    assert message in capsys.readouterr().err
    assert not (tmp_path / "made").exists()


def test_an_existing_folder_is_replaced_only_by_force(capsys):
    words = ["game", "import", "blocks", "--into", "made"]
    assert cli.main(words) == 0
    assert cli.main(words) == 1
    assert "--force replaces its files" in capsys.readouterr().err
    assert cli.main([*words[:3], "blocks-tower", *words[3:], "--force"]) == 0


@pytest.mark.parametrize("words", [["game", "check"], ["check"]])
def test_a_command_that_reads_no_pddl_names_the_right_one(words, capsys):
    assert cli.main([*words, str(FOLDER / "blocks.pddl")]) == 2
    assert "`hornbook game import` makes a theory of it" in capsys.readouterr().err


def test_pddl_in_a_file_for_games_in_gdl_is_recognised(tmp_path, capsys):
    (tmp_path / "d.kif").write_text((FOLDER / "blocks.pddl").read_text(encoding="utf-8"), encoding="utf-8")
    assert cli.main(["game", "check", "d.kif"]) == 1
    printed = capsys.readouterr()
    assert "this is a file of PDDL, not a game in GDL" in printed.out + printed.err
