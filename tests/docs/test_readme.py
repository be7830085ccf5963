"""The README's two commands are what CI runs, and its picture is what the program draws."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from markdown_blocks import blocks, run_hornbook

from kb.loader import load
from kb.syntax import parse

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


def commands() -> list[str]:
    return [block.text for block in blocks(README) if block.language == "sh"]


def test_there_are_two_commands_of_one_line_each() -> None:
    first, second = commands()
    assert first.count("\n") == second.count("\n") == 1
    assert "hornbook query go" in first
    assert "pytest" in second


@pytest.mark.parametrize("number", [1, 2])
def test_ci_runs_the_commands_as_they_stand(number: int) -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert f'bash -euo pipefail -c "$(readme {number})"' in script
    function = next(line for line in script.splitlines() if line.startswith("readme()"))
    result = subprocess.run(
        ["bash", "-c", f"{function}\nreadme {number}"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert result.stdout == commands()[number - 1]


def test_the_first_command_lists_legal_moves_and_proves_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    listed, code = run_hornbook(
        ["query", "go", "--state", "theories/go/examples/ko.sgf", "legal(black, ?point)"]
    )
    assert code == 0
    assert "c3" in listed.split()
    proved, code = run_hornbook(["why", "go", "--state", "theories/go/examples/ko.sgf", "legal(black, c3)"])
    assert code == 0
    assert "legal_by_" in proved


def test_the_rules_shown_are_those_of_the_theory() -> None:
    shown = [
        rule for block in blocks(README) if block.language == "horn" for rule in parse(block.text).clauses
    ]
    assert len(shown) == 2
    assert set(shown) <= set(load("go").rules)


def test_the_position_shown_is_that_of_the_picture() -> None:
    diagram = next(block.text for block in blocks(README) if block.language == "text")
    assert diagram in (ROOT / "theories" / "go" / "examples" / "corner.txt").read_text(encoding="utf-8")


def test_the_picture_is_what_the_program_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    shown = (ROOT / "docs" / "images" / "proof.svg").read_text(encoding="utf-8")
    arguments = [
        "why",
        "go",
        "--state",
        "theories/go/examples/corner.txt",
        "--format",
        "svg",
        "illegal(black, a1)",
    ]
    drawn, code = run_hornbook(arguments)
    assert code == 0
    assert drawn == shown, f"draw it again: hornbook {' '.join(arguments)} > docs/images/proof.svg"
