"""Parsing of input: the kind of request and whether it is complete. Nothing is checked here.

The text of a request keeps its lines and columns, so messages refer to the right position.
"""

from __future__ import annotations

import re
from typing import Literal

from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.text.scanner import Token, scan
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError

Takes = Literal["nothing", "statement", "word", "file"]
"""The argument of a command."""


@dataclass(frozen=True, slots=True)
class PromptCommand:
    """A command: its argument, its syntax, and a summary. A `bare` command needs no colon."""

    takes: Takes
    shown: str
    summary: str
    bare: bool = True


COMMANDS = {
    "why": PromptCommand("statement", "why FACT", "prove a fact, or the first answer to a pattern"),
    "why not": PromptCommand("statement", "why not FACT", "show the missing conditions of a fact"),
    "what if": PromptCommand(
        "statement", "what if FACTS", "assume an action or other facts, without those after `absent`; show"
        " changes and consequences; with `: QUERY`, answer it then; `what if after …` tries every action, and"
        " `ACTION then ACTION` takes one after the other"
    ),
    "retract": PromptCommand("statement", "retract FACT", "remove a given fact"),
    "learn": PromptCommand(
        "statement", "learn [GOAL]", "learn a rule from the current facts; from other facts with"
        " `from FACTS`, or from an example of the theory by its name"
    ),
    "keep": PromptCommand("nothing", ":keep", "admit the rule learned last", bare=False),
    "save": PromptCommand(
        "file", ":save [RULES.horn]", "write the admitted learned rules with their proofs; with a store,"
        " and no file, save facts and rules in it"
    ),
    "write": PromptCommand("file", ":write FILE.horn", "write the added facts and rules", bare=False),
    "load": PromptCommand(
        "file", ":load FILE", "add facts and rules (.horn), a table (PREDICATE=FILE), a folder of tables,"
        " a database, learned rules, or a state",
        bare=False,
    ),
    "state": PromptCommand("word", ":state [PREDICATE]", "show the given facts", bare=False),
    "theory": PromptCommand("word", ":theory [THEORY]", "show declarations, or open another theory", bare=False),  # noqa: E501 - one row of a table
    "rules": PromptCommand("word", ":rules [NAME]", "show the added rules, or the rules of a name", bare=False),  # noqa: E501 - one row of a table
    "undo": PromptCommand("nothing", ":undo", "undo the last change", bare=False),
    "help": PromptCommand("nothing", ":help", "show this list"),
    "quit": PromptCommand("nothing", ":quit", "leave (so does Ctrl-D)"),
}  # fmt: skip
"""Every command by its name, in the order of the help."""

_WORDS = {**dict.fromkeys(COMMANDS), "why-not": None, "what-if": None, "exit": None}
_COMMAND = re.compile(
    r"\s*(?P<colon>:?)(?P<name>" + "|".join(sorted(_WORDS, key=len, reverse=True)).replace(" ", r"\s+") + r")"
    r"(?P<end>\s*+(?:\.\s*+)?$|\s+(?![:,(=<>!]|is\b|by\b))"
)
_UNKNOWN = re.compile(r"\s*:\s*(?P<name>[^\W\d][\w-]*)")


@dataclass(frozen=True, slots=True)
class Request:
    """A parsed input. `name` is the name of a command, or `ask`, `add` or `nothing`.

    `typed` is the input, and `text` is the input with blanks in place of the command.
    """

    name: str
    text: str
    typed: str

    @property
    def argument(self) -> str:
        """The text without surrounding blanks and without a final period."""
        return self.text.strip().removesuffix(".").rstrip()


class UnknownCommandError(HornbookError):
    """A word after a colon is not a command."""


def read(typed: str) -> Request:
    """Parse an input. Raises UnknownCommandError."""
    command = _command(typed)
    if command is not None:
        name, end = command
        return Request(name, blank(typed[:end]) + typed[end:], typed)
    unknown = _UNKNOWN.match(typed)
    if unknown is not None:
        name = unknown["name"]
        matching = [command for command in COMMANDS if command.startswith(name)]
        if len(matching) == 1:
            return read(f"{typed[: unknown.start('name')]}{matching[0]}{typed[unknown.end('name') :]}")
        hint = did_you_mean(name, _WORDS) or "`:help` lists the commands"
        raise UnknownCommandError(f"there is no command `:{name}`; {hint}")
    clauses = list(scan(typed, []))
    if not clauses:
        return Request("nothing", typed, typed)
    asks = clauses[0][0].type == "ASK" or not (clauses[-1][-1].type == "DOT" or _needs_period(clauses[-1]))
    return Request("ask" if asks else "add", typed, typed)


def _command(typed: str) -> tuple[str, int] | None:
    """Return the command at the beginning of a text, and its end position."""
    found = _COMMAND.match(typed)
    if found is None:
        return None
    name = re.sub(r"[-\s]+", " ", found["name"])
    name = "quit" if name == "exit" else name
    return (name, found.end("name")) if found["colon"] or COMMANDS[name].bare else None


def halves(text: str, mark: str) -> tuple[str, str | None]:
    """Split a text at its first token of a type outside of parentheses. Each half keeps its columns."""
    depth = 0
    for token in (token for clause in scan(text, []) for token in clause):
        depth += (token.type == "LPAR") - (token.type == "RPAR")
        if token.type == mark and depth == 0:
            start = sum(len(line) + 1 for line in text.split("\n")[: token.line - 1]) + token.column - 1
            end = start + len(token.text)
            return text[:start], blank(text[:end]) + text[end:]
    return text, None


def blank(text: str) -> str:
    """Return the text with every character except line ends replaced by a blank."""
    return re.sub(r"[^\n]", " ", text)


def is_complete(typed: str) -> bool:
    """Return whether no more lines are needed. An empty last line ends every request."""
    if re.search(r"\n[ \t]*\n?\Z", typed) or not typed.strip():
        return True
    previous, _, line = typed.rpartition("\n")
    if previous and breaks_off(line):
        return True
    command = _command(typed)
    if command is not None:
        name, end = command
        if COMMANDS[name].takes != "statement":
            return True
        return not typed[end:].strip() or not _is_open(typed[end:])
    return _UNKNOWN.match(typed) is not None or not _is_open(typed)


def breaks_off(line: str) -> bool:
    """Return whether a line is a command with its colon, which ends an unfinished request."""
    return line.lstrip().startswith(":") and _command(line) is not None


_OPEN = frozenset([
    "IF", "COMMA", "COLON", "SEMICOLON", "EQUAL", "COMPARE", "PLUS", "MINUS", "STAR",
    "DIVIDE", "VBAR", "ARROW", "ASK", "TENSE", "ABSENT", "WHERE", "BUT", "OR",
])  # fmt: skip
"""Tokens that cannot end a clause."""
_DECLARING = frozenset(
    ["KIND", "THEORY", "IMPORT", "SORT", "FRAME", "PERSISTS", "REPLIES", "EXAMPLE", "EXPECT", "LEMMA"]
)


def _is_open(text: str) -> bool:
    """Return whether a text is unfinished: in a parenthesis, after a comma, or without a rule's period."""
    clauses = list(scan(text, []))
    if not clauses or clauses[-1][-1].type == "DOT":
        return False
    last = clauses[-1]
    if any(token.type == "BAD" for token in last):
        # Report an invalid token at once.
        return False
    depth = sum((token.type == "LPAR") - (token.type == "RPAR") for token in last)
    return depth > 0 or last[-1].type in _OPEN or (last[0].type != "ASK" and _needs_period(last))


def _needs_period(tokens: list[Token]) -> bool:
    """Return whether the tokens begin a rule or a declaration, which end with a period."""
    labelled = len(tokens) > 1 and tokens[0].type not in ("ASK", "ALL") and tokens[1].type == "COLON"
    declares = tokens[0].type in _DECLARING and len(tokens) > 1 and tokens[1].type not in ("LPAR", "EQUAL")
    return labelled or declares or any(token.type == "IF" for token in tokens)
