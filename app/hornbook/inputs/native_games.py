"""Games for searches: the native implementation of a theory's domain, and positions for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from hornbook.inputs.domains import domain_argument
from hornbook.inputs.opening_store import open_theory
from hornbook.inputs.states import read_state
from hornbook.kb.ast.theory import Theory
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.native import Native, NativeState, NoNativeError, native_of
from hornbook.terminal.failure import ArgumentError
from hornbook.theories.domain import Domain

_FILE = re.compile(r"(.*[/\\])?\w[\w-]*\.[A-Za-z]{2,5}", re.ASCII)
"""Pattern of file names. It matches no text of a position."""


class NoPositionError(HornbookError):
    """The native implementation of a game cannot play a position of its theory. The message says why."""


@dataclass(frozen=True, slots=True)
class NativeGame:
    """A game with its theory, its domain and its native implementation."""

    theory: Theory
    domain: Domain
    native: Native

    def start(self) -> str:
        """Return the initial position in the notation of the native implementation."""
        return self.domain.write_line(self.domain.starts()[0])

    def position(self, file_or_text: str) -> NativeState:
        """Return the position in a file, or in a text with the content of such a file.

        Raises NoPositionError, and the exceptions of the adapter.
        """
        path = Path(file_or_text)
        if _FILE.fullmatch(file_or_text) and not _is_file(path):
            raise ArgumentError(f"there is no file `{file_or_text}`", argument="--position")
        state = read_state(self.theory, path if _is_file(path) else file_or_text)
        line = self.domain.write_line(state.value)
        try:
            return self.native.State(line)
        except ValueError as problem:
            raise NoPositionError(
                f"the native step of `{self.theory.name}` cannot play this position: {problem}"
            ) from None


def native_game(name: str, *, one_player: bool = False) -> NativeGame:
    """Return the game of a named theory. It has two players or, with `one_player`, possibly only one.

    Raises ArgumentError if the theory has no domain or the game another number of players, and NoNativeError
    if it has no native implementation.
    """
    theory = open_theory(name, unchanged=True)
    domain = domain_argument(theory, "how its games are played")
    try:
        native = native_of(domain)
    except NoNativeError as problem:
        raise NoNativeError(
            f"{problem}; searches need it: docs/how-to/own-game.md describes how a game provides one"
        ) from None
    if native.PLAYERS != 2 and not (one_player and native.PLAYERS == 1):
        raise ArgumentError(
            f"`{theory.name}` is not a game of two players; `hornbook play` solves games of one player",
            argument="GAME",
        )
    return NativeGame(theory, domain, native)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # the text is too long for a file name
        return False
