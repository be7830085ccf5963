"""Tests that the reference names every command, with all its options, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hornbook.command_list import COMMANDS
from oracles.pages.command_options import described, places, with_options
from oracles.pages.markdown_blocks import run_hornbook

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"
TEXT = PAGE.read_text(encoding="utf-8")
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
_RENAMED = {"--most"}
"""Old spellings, which the page mentions as such."""
_OTHER_PROGRAMS = {"--mode", "--level", "--install-completion", "--show-completion", "--help", "--version"}


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


@pytest.mark.parametrize("name", COMMANDS)
def test_the_options_of_a_command_are_those_of_its_help(name):
    printed, code = run_hornbook([*name.split(), "--help"])
    assert code == 0
    listed = set(_OPTION.findall(printed.partition("\nOptions:")[2])) - {"--help"}
    terms = re.findall(r"^`[^`]+`$", described(name), re.MULTILINE)
    assert listed <= set(_OPTION.findall(described(name)))
    assert {option for term in terms for option in _OPTION.findall(term)} <= listed
    assert all(f"\n{term}\n: " in described(name) for term in terms)


@pytest.mark.parametrize("name", dict.fromkeys(SECTIONS))
def test_a_section_has_a_place_for_the_options_of_its_commands(name):
    _, found, rest = TEXT.partition(f"\n## {name}\n")
    assert found, f"{PAGE.name} has no section `## {name}`"
    assert set(places(rest.partition("\n## ")[0])) == SHARED.get(name, {name})


def test_the_options_are_in_their_places():
    shown = with_options(TEXT)
    assert "<!-- options" not in shown
    assert all(f"\nhornbook {name} [OPTIONS]" in shown for name in COMMANDS)


def test_every_option_on_the_page_is_one_of_a_command():
    has = {option for name in COMMANDS for option in _OPTION.findall(described(name))}
    text = re.sub(r"\([^()\s]*\)", "", TEXT)
    assert set(_OPTION.findall(text)) <= has | _RENAMED | _OTHER_PROGRAMS


def test_the_reference_has_no_other_commands():
    names = re.findall(r"^## ([a-z][a-z -]*)$", TEXT, re.MULTILINE)
    assert set(names) == set(SECTIONS)
