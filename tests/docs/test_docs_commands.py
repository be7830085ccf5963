"""Tests that the reference names every command and every option, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hornbook.cli import COMMANDS
from oracles.pages.markdown_blocks import run_hornbook

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def section(name: str) -> str:
    """Return the section of the reference for a command."""
    text = PAGE.read_text(encoding="utf-8")
    _, found, rest = text.partition(f"\n## {name}\n")
    assert found, f"{PAGE.name} has no section `## {name}`"
    return rest.partition("\n## ")[0]


def options(*command: str) -> set[str]:
    """Return the options that a command's help lists."""
    printed, code = run_hornbook([*command, "--help"])
    assert code == 0
    return set(_OPTION.findall(printed.partition("\nOptions:")[2].partition("\nCommands:")[0])) - {"--help"}


def section_name(command: str) -> str:
    """Return the title of a command's section, which may be shared by a group of commands."""
    return next((name for name, inner in SHARED.items() if command in inner), command)


SHARED = {
    "store": {name for name in COMMANDS if name.startswith("store ")},
    "game": {"game check", "game play", "game query", "game why"},
    "search allocation": {name for name in COMMANDS if name.endswith("-allocation")},
}
"""The sections for several commands."""
SECTIONS = sorted(map(section_name, COMMANDS))


@pytest.mark.parametrize("name", dict.fromkeys(SECTIONS))
def test_the_reference_names_the_options_that_a_command_has(name):
    has = set().union(*(options(*each.split()) for each in SHARED.get(name, (name,))))
    rows = [line.split("|")[1] for line in section(name).splitlines() if line.startswith("| `-")]
    assert {option for row in rows for option in _OPTION.findall(row)} == has


def test_the_reference_has_no_other_commands():
    names = re.findall(r"^## ([a-z][a-z -]*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(names) == set(SECTIONS)
