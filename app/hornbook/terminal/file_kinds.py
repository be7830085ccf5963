"""Files of the wrong kind: a command that gets a theory, a game in GDL or a file in PDDL that it cannot use
names the command that can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, Literal

from hornbook.kb.text.escaping import on_one_line
from hornbook.terminal.failure import ArgumentError

Kind = Literal["theory", "game", "pddl"]
_KINDS: dict[Kind, str] = {"theory": "a theory", "game": "a game in GDL", "pddl": "a file in PDDL"}
_PARAMETERS = {
    "theory": "THEORY",
    "theories": "FILE",
    "files": "FILE",
    "game": "GAME",
    "sheet": "GAME",
    "sheets": "GAME",
    "domain": "DOMAIN",
}
"""The parameters of commands that name theories and games, with their names in `--help`."""
_BY_SUFFIX: dict[str, Kind] = {".pddl": "pddl", ".horn": "theory"}
BOTH = ("play", "search best-move", "search gtp", "search uci", "search tournament")
"""The commands that take theories and games in GDL."""
PDDL: dict[str, tuple[Kind, ...]] = {
    "game plan": ("pddl",),
    "game verify": ("game", "pddl"),
    "game import": ("game", "pddl"),
}
"""The commands that take domains in PDDL, with all kinds that they take."""
_INSTEAD: dict[Kind, dict[str, str]] = {
    "game": {
        "check": "game check",
        "query": "game query",
        "why": "game why",
        "why-not": "game why",
        "game plan": "game strategy",
        "search plan": "game strategy",
        "search verify": "game verify",
    },
    "theory": {
        "game check": "check",
        "game query": "query",
        "game why": "why",
        "game play": "play",
        "game strategy": "search plan",
        "game plan": "search plan",
        "game verify": "search verify",
    },
    "pddl": {"game strategy": "game plan", "search plan": "game plan", "search verify": "game verify"},
}
"""For each kind, the commands that do not take it, with the commands that do the same for it."""


def with_right_files(name: str, command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the command of this name with a check of the kinds of its files, which raises ArgumentError."""

    @wraps(command)
    def run(*given: Any, **named: Any) -> Any:
        for parameter, value in named.items():
            if parameter in _PARAMETERS:
                for each in _names(value):
                    _must_be_usable(name, each, _PARAMETERS[parameter])
        return command(*given, **named)

    return run


def _names(value: Any) -> Iterable[str]:
    """Return the names of files in the value of a parameter."""
    if isinstance(value, str | Path):
        return (str(value),)
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def _must_be_usable(command: str, name: str, argument: str) -> None:
    expected = _kinds_for(command)
    found = _kind_of(name, expected)
    if found is None or found in expected:
        return
    others = " nor ".join(_KINDS[each] for each in expected)
    instead = _INSTEAD[found].get(command)
    way_out = "" if instead is None else f"; use `hornbook {instead}`"
    if found != "theory" and instead is None:
        way_out = "; `hornbook game import` makes a theory of it"
    raise ArgumentError(
        f"`{on_one_line(name)}` is {_KINDS[found]}, and not {others}{way_out}", argument=argument
    )


def _kinds_for(command: str) -> tuple[Kind, ...]:
    """Return the kinds of files that a command takes."""
    if command in BOTH:
        return "theory", "game"
    if command in PDDL:
        return PDDL[command]
    return ("game",) if command.startswith("game ") else ("theory",)


def _kind_of(name: str, expected: tuple[Kind, ...]) -> Kind | None:
    """Return the kind of a named file, or None if it is unknown or may be an expected one."""
    suffix = Path(name).suffix.lower()
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    if "theory" not in expected:
        from hornbook.kb.sources.locate import is_theory  # noqa: PLC0415 - few commands need it

        if is_theory(name):
            return "theory"
    if "game" in expected:
        return None
    from hornbook.planner.gdl.examples import is_sheet  # noqa: PLC0415 - loaded only for the other commands

    return "game" if is_sheet(name) else None
