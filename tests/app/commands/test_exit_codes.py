"""The table of exit codes in the reference, and unique meanings of option values across all commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from hornbook import command_list
from hornbook.application import declared_for_typer

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "commands.md"
SMALL = """theory small.
sort thing.
static p(thing).
derived q(thing).
r: q(?x) :- p(?x).
p(a).
example e: p(b).
expect e: q(c).
"""


def listed():
    """Return the commands in the table, each with the text after its name."""
    table = PAGE.read_text(encoding="utf-8").partition("| command | exit code 1")[2].partition("\n\n")[0]
    return set(re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE))


def test_the_table_has_every_command_whose_help_mentions_exit_code_1():
    named = {name.partition(" --")[0] for name in listed()}
    assert named <= command_list.COMMANDS.keys()
    mentioned = {
        command.name
        for command in commands()
        if re.search(r"exit\s+code\s+is\s+(then\s+)?1\b", command.help or "")
    }
    assert mentioned <= named


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("query", "small.horn", "q(z)"), 0),
        (("query", "small.horn", "q(?x), p(?x), ?x != a"), 0),
        (("query", "small.horn", "q(?x)", "--max-answers", "0"), 2),
        (("why", "small.horn", "q(a)"), 0),
        (("why", "small.horn", "q(z)"), 1),
        (("why-not", "small.horn", "q(z)"), 0),
        (("why-not", "small.horn", "q(a)"), 0),
        (("check", "small.horn"), 0),
        (("check", "wrong.horn"), 1),
        (("fmt", "small.horn", "--check"), 0),
        (("fmt", "untidy.horn", "--check"), 1),
        (("test", "small.horn"), 1),
        (("theory", "template", "small.horn", "filled.csv"), 2),
        (("theory", "import-pydatalog", "program.txt"), 1),
        (("store", "show", "small.horn"), 2),
        (("query", "none.horn", "q(a)"), 1),
        (("query", "small.horn", "unknown(a)"), 1),
        (("query", "small.horn"), 2),
        (("nothing",), 2),
    ],
)  # fmt: skip
def test_exit_codes_are_those_of_the_table(run, folder, command, code):
    (folder / "small.horn").write_text(SMALL)
    assert run("fmt", "small.horn")[0] == 0
    (folder / "wrong.horn").write_text(SMALL.replace("p(?x)", "s(?x)"))
    (folder / "untidy.horn").write_text(SMALL.replace(":- p", ":-   p"))
    (folder / "program.txt").write_text("(f[X] == sum_(Y, for_each=Z)) <= p(X, Y, Z, lambda: 1)\n")
    assert run(*command)[0] == code


def commands():
    for name in command_list.COMMANDS:
        app = typer.Typer()
        app.command(name)(declared_for_typer(command_list.load(name)))
        yield typer.main.get_command(app)


OTHER_WORDS = {
    "--output": "--into", "--out": "--into", "--to": "--into", "--dest": "--into",
    "--top": "--limit", "--first": "--limit", "--max": "--max-answers", "--timeout": "--seconds", "--time": "--seconds",
    "--param": "--set", "--parameter": "--set", "--jobs": "--workers", "--processes": "--workers",
}  # fmt: skip


def test_an_option_word_has_one_meaning_in_all_commands():
    meanings = {"--seconds": {"S"}, "--memory": {"MB"}, "--limit": {"N"}, "--max-answers": {"N"}, "--workers": {"N"},
                "--set": {"NAME=VALUE"}, "--json": {None}, "--csv": {None}}  # fmt: skip
    seen = set()
    for command in commands():
        for option in command.params:
            for name in option.opts:
                assert name not in OTHER_WORDS, f"{command.name} {name}: it is {OTHER_WORDS[name]} elsewhere"
                if name in meanings:
                    seen.add(name)
                    assert option.metavar in meanings[name], f"{command.name} {name}"
    assert seen == meanings.keys()
