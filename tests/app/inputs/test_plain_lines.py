"""Tests of the plain reader of command lines: it reads what typer reads, in the same way, or gives up."""

from __future__ import annotations

import inspect
import subprocess
import sys
from functools import cache
from random import Random

import pytest
import typer

from hornbook.application import declared_for_typer
from hornbook.command_list import COMMANDS, with_common_options
from hornbook.commands.parameters import parameter_of
from hornbook.commands.plain_lines import plain_values

WORDS = [
    "family",
    "a.csv",
    "p(?x, ?y)",
    "1",
    "0",
    "12",
    "0.5",
    "-1",
    "1e3",
    "",
    "--",
    "é",
    "text",
    "svg",
    "dot",
]
VALUES = [
    "3",
    "a.horn",
    "2.5",
    "matcher",
    "svg",
    "--json",
    "-5",
    "x=1",
    "",
    "007",
    "1_0",
    "١",
    " 1",
    "a\0b",
    "\ud800",
]


@cache
def readers(name):
    """Return the function of a command, and the same for typer with its values as result."""
    function = with_common_options(name)
    found = {}

    def placeholder(**values):
        found.clear()
        found.update(values)

    placeholder.__signature__ = inspect.signature(function, eval_str=True)
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(declared_for_typer(placeholder))
    command = typer.main.get_command(app)

    def by_typer(words):
        try:
            command.main(words, prog_name="hornbook", standalone_mode=False)
        except Exception:  # noqa: BLE001 - a mistake of any kind
            return None
        return dict(found)

    return function, by_typer


def lines(name, number):
    """Yield lines of a command: some good, some with a change."""
    function, _ = readers(name)
    random = Random(f"{name} {number}")
    parameters = inspect.signature(function, eval_str=True).parameters.values()
    declared = [parameter_of(each.annotation) for each in parameters]
    required = [
        word
        for each, parameter in zip(declared, parameters, strict=True)
        if each is not None and each.names and parameter.default is parameter.empty
        for word in (each.long, "300")
    ]
    options = [option for each in declared if each is not None for option in each.names]
    arguments = sum(each is not None and not each.names for each in declared)
    for _ in range(number):
        places = random.choice([arguments, arguments, arguments + 1, 1])
        words = [*required, *random.choices(WORDS[:3], k=places)]
        for option in random.sample(options, min(len(options), random.randrange(4))):
            value = random.choice(VALUES[: random.choice([5, len(VALUES)])])
            shape = random.randrange(4)
            added = [[option], [option, value], [f"{option}={value}"], [option, random.choice(WORDS)]][shape]
            place = random.randrange(len(words) + 1)
            words[place:place] = added
        if random.random() < 0.1:
            words.insert(
                random.randrange(len(words) + 1), random.choice([*WORDS, "--help", "-h", "--unknown"])
            )
        yield words


@pytest.mark.parametrize("name", COMMANDS)
def test_a_line_has_the_values_that_typer_gives(name, capsys):
    function, by_typer = readers(name)
    read = 0
    for words in lines(name, 150):
        plain = plain_values(function, words)
        if plain is None:
            continue
        read += 1
        slow = by_typer(words)
        assert (plain, words) == (slow, words)
        assert {key: type(value) for key, value in plain.items()} == {k: type(v) for k, v in slow.items()}
    assert read > 0 or name == "rules compile"  # typer checks its folder


@pytest.mark.parametrize(
    "words",
    [
        ["family"], ["family", "p(?x)", "more"], ["family", "p(?x)", "--unknown"], ["family", "p(?x)", "--limit"],
        ["family", "p(?x)", "--limit", "0"], ["family", "p(?x)", "--limit", "x"], ["family", "p(?x)", "--help"],
        ["family", "p(?x)", "--json=yes"], ["family", "p(?x)", "--", "x"], ["family", ""], ["family", "-x"],
        ["family", "p(?x)", "--limit", "1", "--limit", "2"], ["family", "p(?x)", "-j4"],
    ],
)  # fmt: skip
def test_unusual_lines_are_left_to_typer(words):
    assert plain_values(with_common_options("query"), words) is None


@pytest.mark.parametrize(
    "command",
    [["check", "family"], ["query", "family", "parent(?x, ben)"], ["why", "family", "parent(ada, ben)"]],
)
def test_a_line_without_mistakes_imports_no_typer(command):
    code = f"import sys; from hornbook.cli import main; assert main({command}) == 0; "
    code += "print([m for m in sys.modules if m.startswith(('typer', 'pydantic', 'rich', 'click', 'lark'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
