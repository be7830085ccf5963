"""The reference names every command and every option, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hornbook.cli import COMMANDS
from oracles.pages.markdown_blocks import run_hornbook

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"
_INNER = re.compile(r"^  ([a-z]+) ", re.MULTILINE)
"""A command of a command, as its help lists them."""
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def section(name: str) -> str:
    """What the reference says of a command."""
    text = PAGE.read_text(encoding="utf-8")
    _, found, rest = text.partition(f"\n## {name}\n")
    assert found, f"{PAGE.name} has no section `## {name}`"
    return rest.partition("\n## ")[0]


def options(*command: str) -> set[str]:
    """The options that a command's help lists."""
    printed, code = run_hornbook([*command, "--help"])
    assert code == 0
    return set(_OPTION.findall(printed.partition("\nOptions:")[2].partition("\nCommands:")[0])) - {"--help"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_reference_names_the_options_that_a_command_has(name):
    has = options(name)
    for inner in _INNER.findall(run_hornbook([name, "--help"])[0].partition("\nCommands:")[2]):
        has |= options(name, inner)
    rows = [line.split("|")[1] for line in section(name).splitlines() if line.startswith("| `-")]
    assert {option for row in rows for option in _OPTION.findall(row)} == has


def test_the_reference_has_no_other_commands():
    names = re.findall(r"^## ([a-z-]+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(names) == COMMANDS.keys()
