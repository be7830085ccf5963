"""`hornbook new`: it writes a theory that passes all checks, or writes nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hornbook.cli import main

ROOT = Path(__file__).parents[4]
SKELETON = ROOT / "app" / "hornbook" / "commands" / "theories" / "skeleton"


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_new_theory_passes_its_checks_and_tests(capsys):
    assert main(["new", "shop"]) == 0
    printed = capsys.readouterr().out
    assert "shop/shop.horn" in printed
    for command in (["check", "shop"], ["test", "shop"], ["fmt", "--check", "shop/shop.horn"]):
        assert main(command) == 0, capsys.readouterr()
    assert "3 met, 0 not met" in capsys.readouterr().out


def test_a_new_theory_answers(capsys):
    main(["new", "shop"])
    capsys.readouterr()
    assert main(["query", "shop", "--state", "shop/monday.txt", "?- may_borrow(?reader, ?book)"]) == 0
    assert capsys.readouterr().out == "?reader  ?book\nann      emma\nbob      emma\n"


@pytest.mark.deep
def test_the_tests_of_a_new_theory_pass_under_pytest(tmp_path):
    main(["new", "shop"])
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, "shop", "-q", "-p", "no:cacheprovider"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "3 passed" in result.stdout


def test_a_broken_rule_fails_the_tests_of_a_new_theory(capsys):
    main(["new", "shop"])
    theory = Path("shop/shop.horn")
    theory.write_text(
        theory.read_text(encoding="utf-8").replace("place(?b, shelf).", "place(?b, lent)."), encoding="utf-8"
    )
    assert main(["test", "shop"]) == 1
    assert "may_borrow(bob, ?book)" in capsys.readouterr().out


def test_every_file_carries_the_new_name():
    main(["new", "shop"])
    files = {
        path.name.replace("shop", "skeleton"): path.read_text(encoding="utf-8")
        for path in Path("shop").iterdir()
    }
    assert files.keys() == {path.name for path in SKELETON.iterdir() if path.is_file()}
    assert not any("skeleton" in text for text in files.values())


@pytest.mark.parametrize(
    "name", ["2shop", "my-shop", "my shop", "../shop", "class", "", "_shop", "größe", "go"]
)
def test_a_name_that_will_not_do_is_refused(name, tmp_path, capsys):
    assert main(["new", "--", name]) == 2
    assert "NAME" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_left_only(tmp_path, capsys):
    (tmp_path / "shop").mkdir()
    assert main(["new", "shop"]) == 1
    assert capsys.readouterr().err == "error: shop already exists; nothing was written\n"
    assert list((tmp_path / "shop").iterdir()) == []


def test_nothing_half_written_stays(tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "shop")

    monkeypatch.setattr("hornbook.commands.theories.new._copy", full)
    assert main(["new", "shop"]) == 1
    assert list(tmp_path.iterdir()) == []


def test_another_folder_can_be_named(tmp_path):
    (tmp_path / "theories").mkdir()
    assert main(["new", "shop", "--into", "theories"]) == 0
    assert (tmp_path / "theories" / "shop" / "shop.horn").is_file()


def test_what_a_users_adapter_raises_is_reported_with_its_line(capsys):
    main(["new", "shop"])
    adapter = Path("shop/adapter.py")
    written = adapter.read_text(encoding="utf-8")
    adapter.write_text(
        written.replace("for reader in state.members:", "for reader in state.mmbers:"), encoding="utf-8"
    )
    line = adapter.read_text(encoding="utf-8").split("state.mmbers")[0].count("\n") + 1
    capsys.readouterr()
    assert main(["query", "shop", "--state", "shop/monday.txt", "may_borrow(?r, ?b)"]) == 1
    printed = capsys.readouterr().err
    assert printed.startswith("error: ")
    assert f"adapter.py:{line}: the adapter failed: AttributeError: " in printed


def test_a_folder_that_is_not_there_is_named(tmp_path, capsys):
    """Check that the error names the missing folder.

    The files would be made in a folder with another name.
    """
    (tmp_path / "a.txt").touch()
    for place in ("nowhere", "a.txt"):
        assert main(["new", "shop", "--into", place]) == 1
        assert capsys.readouterr().err == f"error: {place}: there is no such folder\n"


def test_a_new_game_is_learned_proved_solved_scored_and_judged(capsys):
    assert main(["new", "chase", "--game"]) == 0
    problems = "chase/problems.jsonl"
    assert main(["fmt", "--check", "chase/chase.horn"]) == 0
    assert main(["check", "chase"]) == 0
    assert main(["learn", "chase", "--problems", problems, "--into", "rules.horn"]) == 0
    assert main(["rules", "verify", "rules.horn", "--theory", "chase"]) == 0
    capsys.readouterr()
    assert (
        main(["problems", "solve", "chase", "--rules", "rules.horn", "--problems", problems, "--json"]) == 0
    )
    Path("answers.jsonl").write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["problems", "grade", problems, "answers.jsonl", "--theory", "chase"]) == 0
    assert main(["problems", "audit", "chase", "--rules", "rules.horn", "--positions", "60"]) == 0
    assert main(["problems", "generate", "chase", "--number", "3", "--into", "new.jsonl"]) == 0
    Path("position.txt").write_text("black bbb/.w./w.w", encoding="utf-8")
    assert (
        main(["rules", "match", "chase", "position.txt", "--rules", "rules.horn", "--svg", "answer.svg"]) == 0
    )


def test_the_tutorial_shows_the_game_that_is_written():
    main(["new", "hexapawn", "--game"])
    page = (ROOT / "docs" / "tutorial" / "a-game-in-an-hour.md").read_text(encoding="utf-8")
    for file in Path("hexapawn").iterdir():
        assert file.name == "README.md" or file.read_text(encoding="utf-8") in page
