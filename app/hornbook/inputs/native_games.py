"""Games for searches: the native implementation of a theory's domain, and positions for it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

from hornbook.inputs.domains import domain_argument
from hornbook.inputs.opening_store import open_theory
from hornbook.inputs.states import read_state
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.native import Native, NativeState, NoNativeError, native_of
from hornbook.play.python_step import has_native_files, python_step
from hornbook.terminal.failure import ArgumentError
from hornbook.theories.domain import Domain

_FILE = re.compile(r"(.*[/\\])?\w[\w-]*\.[A-Za-z]{2,5}", re.ASCII)
"""Pattern of file names. A text of a position may match it, such as `x ..b/x.bb`, so it is read first."""


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
        try:
            state = read_state(self.theory, path if _is_file(path) else file_or_text)
        except TheoryError:
            if _FILE.fullmatch(file_or_text) and not _is_file(path):
                raise ArgumentError(f"there is no file `{file_or_text}`", argument="--position") from None
            raise
        line = self.domain.write_line(state.value)
        try:
            return self.native.State(line)
        except ValueError as problem:
            raise NoPositionError(
                f"the native step of `{self.theory.name}` cannot play this position: {problem}"
            ) from None


def native_game(name: str, *, one_player: bool = False) -> NativeGame:
    """Return the game of a named theory. It has two players or, with `one_player`, possibly only one.

    A domain without a native step that names its decisive games is played and searched in Python. Raises
    ArgumentError if the theory has no domain or the game another number of players, and NoNativeError if
    nothing plays it.
    """
    theory = open_theory(name, unchanged=True)
    domain = domain_argument(theory, "how its games are played")
    native = _step(theory, domain)
    if native.PLAYERS != 2 and not (one_player and native.PLAYERS == 1):
        raise ArgumentError(
            f"`{theory.name}` is not a game of two players; `hornbook play` solves games of one player",
            argument="GAME",
        )
    return NativeGame(theory, domain, native)


def _step(theory: Theory, domain: Domain) -> Native:
    """Return the native step of a domain, or one in Python if it has none and names decisive games."""
    try:
        return native_of(domain)
    except NoNativeError as problem:
        step = python_step(domain)
        if step is not None:
            # Its searches take only its own states, and no caller mixes the states of two steps.
            return cast("Native", step)
        if has_native_files(domain):
            raise NoNativeError(f"{problem}; searches need it") from None
        raise NoNativeError(
            f"`{theory.name}` has no compiled `_native` (native/module.cpp), and its domain names no"
            " `decisive` games, by which searches in Python know who has won; write for instance\n"
            '  decisive = frozenset({"win"})'
        ) from None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # the text is too long for a file name
        return False
