"""Replaced spellings of commands and options, which still work for one release.

The command line is rewritten before it is parsed, so no command knows an old spelling.
"""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.command_list import COMMANDS, GROUPS

OLD_COMMANDS = {
    ("demo",): ("problems", "demo"),
    ("template",): ("theory", "template"),
    ("foretell",): ("theory", "regress"),
    ("graph",): ("theory", "graph"),
    ("run",): ("theory", "run"),
    ("lsp",): ("theory", "lsp"),
    ("explain-rule",): ("rules", "explain"),
    ("advise",): ("firm", "advise"),
    ("report",): ("firm", "report"),
    ("match",): ("rules", "match"),
    ("solve",): ("problems", "solve"),
    ("prove",): ("rules", "prove"),
    ("verify",): ("rules", "verify"),
    ("trust",): ("rules", "trust"),
    ("compile",): ("rules", "compile"),
    ("kb",): ("store",),
    ("prune",): ("rules", "prune"),
    ("restore",): ("rules", "restore"),
    ("audit",): ("problems", "audit"),
    ("problems",): ("problems", "generate"),
    ("score",): ("problems", "grade"),
    ("bench",): ("theory", "bench"),
    ("plan",): ("theory", "network"),
    ("profile",): ("theory", "profile"),
    ("gtp",): ("search", "gtp"),
    ("uci",): ("search", "uci"),
    ("tournament",): ("search", "tournament"),
    ("strategy",): ("game", "strategy"),
    ("strategy-check",): ("game", "verify"),
    ("think",): ("search", "best-move"),
    ("gather",): ("search", "statistics"),
    ("allocate", "learn"): ("search", "learn-allocation"),
    ("allocate", "play"): ("search", "play-allocation"),
    ("allocate", "table"): ("search", "table-allocation"),
    ("allocate",): ("search",),
    ("import-gdl",): ("game", "import"),
    ("import-pydatalog",): ("theory", "import-pydatalog"),
}
"""Old names of commands, with the new ones."""
OLD_OPTIONS = {
    "--most": "--max-answers",
    "--most-facts": "--max-facts",
    "--most-bytes": "--max-bytes",
    "--part": "--chunk-size",
    "--on": "--backend",
    "--drain": "--grace",
}
"""Old names of options, with the new ones. No option of any command has an old name."""
_LEARNING = {"--again": "relearn", "--plans": "learn-plans", "--words": "invent"}
"""Old options of `learn`, with the commands of `rules` that replace them."""
_PLANNING = {"strategy": ("search", "plan"), "strategy-check": ("search", "verify")}
"""Old commands for a game in GDL or a theory, with the new commands for a theory."""


def modern(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return a command line in the current spelling, and a note for each old spelling in it."""
    before = [*arguments]
    if not before or before[0].startswith("-"):
        return before, []
    name, *rest = before
    names: tuple[str, ...] = (name,)
    notes: list[str] = []
    if name in GROUPS and _names_command(name, rest):
        pass
    elif name == "learn" and (
        option := next((each for each in rest if each.partition("=")[0] in _LEARNING), None)
    ):
        names, rest = ("rules", _LEARNING[option.partition("=")[0]]), _without(option, rest)
        notes.append(_note(f"learn {option.partition('=')[0]}", " ".join(names)))
    else:
        old = (name, *rest[:1]) if (name, *rest[:1]) in OLD_COMMANDS else (name,)
        if old in OLD_COMMANDS:
            rest = rest[len(old) - 1 :]
            names = _planning(name, rest) if name in _PLANNING else OLD_COMMANDS[old]
            notes.append(_note(" ".join(old), " ".join(names)))
    found, option_notes = _options(rest)
    return [*names, *found], [*notes, *option_notes]


def _names_command(group: str, rest: Sequence[str]) -> bool:
    """Return whether the words after a group belong to it. `problems THEORY` is an old command."""
    if group != "problems" or not rest or rest[0].startswith("-") or f"problems {rest[0]}" in COMMANDS:
        return True
    from hornbook.kb.sources.locate import is_theory  # noqa: PLC0415 - old spellings alone need it

    return not is_theory(rest[0])


def _planning(name: str, rest: Sequence[str]) -> tuple[str, ...]:
    """Return the new command: for a theory if the old command line names one, otherwise for a game."""
    from hornbook.kb.sources.locate import is_theory  # noqa: PLC0415 - old spellings alone need it

    named = next((each for each in rest if not each.startswith("-")), "")
    return _PLANNING[name] if is_theory(named) else OLD_COMMANDS[(name,)]


def _without(option: str, rest: Sequence[str]) -> list[str]:
    """Return the arguments of `learn` as the command that replaces `option` takes them."""
    name, _, value = option.partition("=")
    if name != "--plans":
        return [each for each in rest if each != option]
    if value:
        return [f"--line={each.partition('=')[2]}" if each.startswith("--plans=") else each for each in rest]
    following = [*rest, "--"][1:]
    return [
        "--line" if each == "--plans" else each
        for each, then in zip(rest, following, strict=True)
        if each != "--plans" or not then.startswith("-")
    ]


def _options(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return arguments with current option names, and a note for each old name."""
    found: list[str] = []
    notes: list[str] = []
    for position, each in enumerate(arguments):
        if each == "--":
            return [*found, *arguments[position:]], notes
        name, equals, value = each.partition("=")
        new = OLD_OPTIONS.get(name)
        found.append(each if new is None else f"{new}{equals}{value}")
        notes += [] if new is None else [f"note: `{name}` is now `{new}`; the old name works for one release"]
    return found, notes


def _note(old: str, new: str) -> str:
    return f"note: `hornbook {old}` is now `hornbook {new}`; the old spelling works for one release"
