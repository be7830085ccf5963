"""Writes hornbook(1), the man page that is installed with Hornbook: `python packaging/man_page.py`.

The commands come from the command line; the rest is written here. A test compares the page.
"""

from __future__ import annotations

from pathlib import Path

from hornbook import __version__
from hornbook.command_list import COMMANDS, GROUPS

PAGE = Path(__file__).with_name("hornbook.1")
HEAD = r"""
.SH NAME
hornbook \- write what you know of a domain as Horn clauses; check it, query it, ask why, and learn rules from examples
.SH SYNOPSIS
.B hornbook
.I COMMAND
.RI [ OPTION " .\|.\|.]"
.RI [ ARGUMENT " .\|.\|.]"
.br
.B hornbook
.I COMMAND
.B \-\-help
.SH DESCRIPTION
A theory says in Horn clauses how a domain works: Go, chess, the management of a firm, or one of your own.
.B hornbook
finds mistakes in theories, answers questions about states, and proves its answers.
From one worked example it learns a general rule, with a certificate that the rule follows from the theory.
Thousands of such rules are matched at once.
.PP
A THEORY on the command line is one that ships, such as
.BR go ", " chess " or " firm ,
or a file, a folder or a store.
.SH COMMANDS
Each command says with
.B \-\-help
which arguments and options it has.
"""
TAIL = r"""
.SH OPTIONS
.TP
.B \-\-version
Show the version and exit.
.TP
.BR \-h ", " \-\-help
Show the help and exit; after a command, that of the command.
.TP
.B \-\-install\-completion
Complete commands, options and theories in the current shell (bash, zsh, fish or PowerShell) from now on.
.TP
.B \-\-show\-completion
Print what that would add to the shell's files.
.SH EXIT STATUS
.TP
.B 0
Success.
.TP
.B 1
Something is wrong with the input, a check failed, or the fact in question does not hold.
.TP
.B 2
The command line is wrong.
.TP
.B 70
An internal error of Hornbook.
.TP
.B 130
Interrupted from the keyboard.
.SH ENVIRONMENT
.TP
.B HORNBOOK_CACHE
The folder of the cache.
.TP
.B HORNBOOK_ENGINE
.B compiled
(the default) or, in a checkout,
.BR plain ,
a slower engine that shares no matching code with it.
.TP
.B HORNBOOK_NO_ADAPTERS
If set, no code that stands beside a theory is run.
.TP
.B HORNBOOK_TRACEBACK
If set, Python shows where an internal error arose.
.TP
.B NO_COLOR
If set, nothing is coloured.
.SH FILES
.TP
.I ~/.cache/hornbook
The folder of the cache, if HORNBOOK_CACHE is not set.
.SH EXAMPLES
.nf
.B hornbook new shop && hornbook check shop && hornbook test shop
.B hornbook query family \(aqgrandparent(?who, ?of)\(aq
.B hornbook learn paper \-\-into rules.horn && hornbook rules verify rules.horn \-\-theory paper
.fi
"""


def page() -> str:
    """Return the man page."""
    parts = [f'.TH HORNBOOK 1 "" "Hornbook {__version__}" "User Commands"', HEAD.strip()]
    for group, title in {"": "Commands for every theory", **GROUPS}.items():
        parts.append(f".SS {_escaped(title)}")
        for name, command in COMMANDS.items():
            if name.rpartition(" ")[0] == group:
                parts += [".TP", f".B {_escaped(name)}", _escaped(command.summary)]
    return "\n".join([*parts, TAIL.strip(), ""])


def _escaped(text: str) -> str:
    return text.replace("\\", r"\e").replace("-", r"\-").replace("`", r"\(ga").replace("'", r"\(aq")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
