"""Options that several commands share: each command's help describes them in the same way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import typer

from hornbook.application import build
from hornbook.command_list import COMMANDS

OWN = {
    "--into": {"DIR", "PATH", "FILE", "FILE.html", "FILE.horn", "RULES"},
    "--rules": {"RULES.horn", None},  # `kb export --rules` writes only rules
    "--moves": {"MOVES", "N"},  # the moves of a game, or the number of random moves
    "--game": {"GAME", None},  # a game of a theory, or a theory
    "--engine": {"COMMAND", None},  # an engine for Go, or one of Hornbook
}
"""Placeholders for option values that differ between commands."""
SAME_HELP = (
    "--json",
    "--csv",
    "--facts",
    "--add",
    "--skip-bad",
    "--set",
    "--states",
    "--backend",
    "--workers",
    "--chunk-size",
)
LAST = ["--limit", "--csv", "--json"]
"""The options that control how answers are shown. They come last, in this order."""


def options() -> Iterator[tuple[str, str, typer.core.TyperOption]]:
    """Yield each command with the long name of each of its options."""
    for name in COMMANDS:
        found: Any = typer.main.get_command(build(name.split()))
        for word in name.split():
            found = found.commands[word]
        for option in found.params:
            if isinstance(option, typer.core.TyperOption):
                yield name, next(each for each in option.opts if each.startswith("--")), option


KNOWN = list(options())


def test_an_option_has_the_same_kind_of_value_in_every_command():
    found = defaultdict(set)
    for _, name, option in KNOWN:
        found[name].add(option.metavar)
    assert {name: kinds for name, kinds in found.items() if len(kinds) > 1 and kinds != OWN.get(name)} == {}


def test_a_number_is_called_by_a_letter_or_word():
    assert [
        f"{command} {name}"
        for command, name, option in KNOWN
        if option.metavar is None and "int" in type(option.default).__name__
    ] == []


def test_an_option_that_means_the_same_is_reported_in_the_same_words():
    found = defaultdict(set)
    for command, name, option in KNOWN:
        if name in SAME_HELP and not command.startswith("fmt"):  # the help of `fmt` explains its JSON
            found[name].add(option.help)
    assert {name: output for name, output in found.items() if len(output) > 1} == {}


def test_how_answers_are_shown_comes_last():
    by_command = defaultdict(list)
    for command, name, _ in KNOWN:
        by_command[command].append(name)
    for command, names in by_command.items():
        there = [name for name in LAST if name in names and command != "theory profile"]
        assert [name for name in names if name in there] == there, command
        rest = names[names.index("--csv") :] if "--csv" in names else []
        assert set(rest) <= {"--csv", "--json", "--no-adapters", "--help"}, command
