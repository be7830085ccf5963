"""The usage and the options of commands as Markdown, from the program itself.

A section of the reference names its commands in a comment, `<!-- options: query -->`. The site shows the
usage and the options in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from hornbook.application import build

_PLACE = re.compile(r"<!-- options: (.+?) -->")


def places(page: str) -> Iterator[str]:
    """Yield the names of the commands whose options a page shows."""
    for place in _PLACE.finditer(page):
        yield from place[1].split(", ")


def with_options(page: str) -> str:
    """Return a page with the usage and the options of its commands in their places."""
    return _PLACE.sub(lambda place: "\n\n".join(map(described, place[1].split(", "))), page)


def described(name: str) -> str:
    """Return the usage, the description, the arguments and the options of a command."""
    command, context = _command(name)
    lines = ["```text", f"hornbook {name} {' '.join(command.collect_usage_pieces(context))}", "```", ""]
    lines += [command.help or "", ""]
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if record is not None and "--help" not in parameter.opts:
            lines += [f"`{record[0]}`", f": {' '.join(record[1].split())}", ""]
    return "\n".join(lines).rstrip()


def _command(name: str) -> tuple[Any, Any]:
    """Return a command and the context in which it formats its help."""
    command: Any = typer.main.get_command(build(name.split()))
    context: Any = command.make_context("hornbook", ["--help"], resilient_parsing=True)
    for word in name.split():
        command = command.commands[word]
        context = type(context)(command, parent=context, info_name=word)
    return command, context
