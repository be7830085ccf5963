"""Tests of the README.

CI runs its two commands, its output is the program's output, and the program draws its pictures.
"""

from __future__ import annotations

import os
import re
import subprocess
import textwrap
from pathlib import Path

import pytest

from hornbook.commands.problems import demo
from hornbook.inputs.theories import load
from hornbook.kb.parse.syntax import parse
from hornbook.theories.go.problems import read_problems, shipped
from oracles.pages.markdown_blocks import blocks, run_hornbook

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
GO = ROOT / "docs" / "reference" / "theories" / "go.md"


def commands() -> list[str]:
    return [block.text for block in blocks(README) if block.language == "sh"]


def test_there_are_two_commands_of_one_line_each():
    first, second = commands()
    assert first.count("\n") == second.count("\n") == 1
    assert first.endswith("hornbook problems demo\n")
    assert "pytest" in second


@pytest.mark.parametrize("number", [1, 2])
def test_ci_runs_the_commands_as_they_state(number):
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert f'bash -euo pipefail -c "$(readme {number})"' in script
    function = next(line for line in script.splitlines() if line.startswith("readme()"))
    result = subprocess.run(
        ["bash", "-c", f"{function}\nreadme {number}"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert result.stdout == commands()[number - 1]


def test_the_learned_rule_and_its_lines_of_play_are_what_the_demo_shows(tmp_path, monkeypatch):
    """The rule is learned only from its own problem, the first of the hundred."""
    problems = {problem.id: problem for problem in read_problems(shipped("train"))}
    first = read_problems(shipped("hundred"))[0]
    monkeypatch.setattr(demo, "problems", lambda: ([first], [problems["t0365"]]))
    monkeypatch.setattr(demo, "PROCESSES", 1)
    printed, code = run_hornbook(["demo", "--into", str(tmp_path)])
    assert code == 0
    lines = next(block.text for block in blocks(README) if block.language == "text")
    assert textwrap.indent(lines, "  ") in printed
    drawn = (tmp_path / "position-1.svg").read_text(encoding="utf-8")
    shown = ROOT / "docs" / "images" / "capture.svg"
    if os.environ.get("HORNBOOK_UPDATE_GOLDEN"):
        shown.write_text(drawn, encoding="utf-8")
    again = (
        "draw it again: hornbook problems demo --into demo && cp demo/position-2.svg docs/images/capture.svg"
    )
    assert drawn == shown.read_text(encoding="utf-8"), again


def test_the_figures_are_those_that_were_measured():
    readme = " ".join(README.read_text(encoding="utf-8").split())
    reported = re.search(r"answer (\d+) in one match, and (\d+) when two moves", readme)
    assert reported is not None
    results = (ROOT / "benchmarks" / "results" / "go-learning.txt").read_text(encoding="utf-8")
    later = results[results.index("the problems that ship and come after") :].split("\n\n")[0]
    right, unknown, wrong, of_chain, _, wrong_of_chain = (
        sum(map(int, column))
        for column in zip(
            *re.findall(
                r"^100 +\S+ +\d+ +(\d+) +(\d+) +(\d+) +\S+ +(\d+) +(\d+) +(\d+)", later, re.MULTILINE
            ),
            strict=True,
        )
    )
    assert right + unknown == 348
    assert (right, wrong, of_chain, wrong_of_chain) == (int(reported[1]), 0, int(reported[2]), 0)


def test_the_rules_shown_are_those_of_the_theory():
    block = next(block for block in blocks(GO) if block.language == "horn")
    shown = parse(block.text).clauses
    assert len(shown) == 2
    assert set(shown) <= set(load("go").rules)


def test_the_position_shown_is_that_of_the_picture():
    diagram = next(block.text for block in blocks(GO) if block.language == "text")
    assert diagram in (ROOT / "theories" / "go" / "examples" / "corner.txt").read_text(encoding="utf-8")


def test_the_picture_is_what_the_program_draws(monkeypatch):
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
