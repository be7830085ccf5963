"""Games for searches: the step of a theory's domain or of a game in GDL, and positions for it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from hornbook.inputs.domains import domain_argument, domain_of
from hornbook.inputs.opening_store import open_theory
from hornbook.inputs.states import reader_for
from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.adapters import Adapter, state_of_file
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.gdl.examples import is_sheet, sheet_called
from hornbook.play.native import Native, NativeState, NoNativeError, has_native_files, native_of
from hornbook.play.paths import native_of_one
from hornbook.play.whole.played import PlayedGame
from hornbook.play.whole.solving import PathSolver
from hornbook.play.whole.thinking import SearchArguments, Thought
from hornbook.terminal.failure import ArgumentError
from hornbook.theories.domain import Domain

if TYPE_CHECKING:
    from hornbook.planner.gdl.game import Game

START = "start"
"""The name of the example with the first state of a theory without a domain."""
_WHAT = (
    "how its games are played, and it declares no predicate that `allows` an action, by which its rules are"
    " played"
)
_FILE = re.compile(r"(.*[/\\])?\w[\w-]*\.[A-Za-z]{2,5}", re.ASCII)
"""Pattern of file names. A text of a position may match it, such as `x ..b/x.bb`, so it is read first."""


class NoPositionError(HornbookError):
    """The native implementation of a game cannot play a position of its theory. The message says why."""


class Solver(Protocol):
    """A player of games of one player."""

    def think(self, game: PlayedGame, budget: SearchArguments) -> Thought:
        """Return the best way to the end that is found within a budget. Raises NoWayError."""


@dataclass(frozen=True, slots=True)
class NativeGame:
    """A game with its domain, its step for searches, and the reader of its positions."""

    name: str
    domain: Domain
    native: Native
    reader: Adapter

    def start(self) -> str:
        """Return the initial position in the notation of the native implementation."""
        return self.domain.write_line(self.domain.starts()[0])

    def position(self, file_or_text: str) -> NativeState:
        """Return the position in a file, or in a text with the content of such a file.

        Raises NoPositionError, and the exceptions of the adapter.
        """
        path = Path(file_or_text)
        try:
            if _is_file(path):
                state = state_of_file(self.reader, path)
            else:
                state = self.reader.read(file_or_text, "<text>")
        except TheoryError:
            if _FILE.fullmatch(file_or_text) and not _is_file(path):
                raise ArgumentError(f"there is no file `{file_or_text}`", argument="--position") from None
            raise
        line = self.domain.write_line(state)
        try:
            return self.native.State(line)
        except ValueError as problem:
            raise NoPositionError(
                f"the native step of `{self.name}` cannot play this position: {problem}"
            ) from None

    def solver(self) -> Solver:
        """Return the player of a game of one player."""
        try:
            return PathSolver(native_of_one(self.domain))
        except NoNativeError:
            from hornbook.play.machines.sheet_rules import SheetRules  # noqa: PLC0415 - slow to import
            from hornbook.play.whole.planned import PlanSolver  # noqa: PLC0415 - the same

            if not isinstance(self.domain, SheetRules):
                raise
            return PlanSolver(self.domain.machine)


def native_game(name: str, *, one_player: bool = False) -> NativeGame:
    """Return the game of a theory, or a game in GDL, by its name.

    It has two players or, with `one_player`, possibly only one. A domain without a native step that names its
    decisive games is played and searched in Python. Raises ArgumentError if the theory has no domain, the
    game has another number of players, or its roles do not take turns. Raises NoNativeError if nothing plays
    it, and TheoryError for a theory or sheet with errors.
    """
    found = _of_sheet(Path(name)) if is_sheet(name) else _of_theory(name)
    if found.native.PLAYERS != 2 and not (one_player and found.native.PLAYERS == 1):
        raise ArgumentError(
            f"`{found.name}` is not a game of two players; `hornbook play` solves games of one player",
            argument="GAME",
        )
    return found


def _of_sheet(path: Path) -> NativeGame:
    from hornbook.planner.gdl.game import Game  # noqa: PLC0415 - slow to import

    return _of_game(path.stem, Game.read_kif(sheet_called(path)), None)


def _of_game(name: str, game: Game, reader: Adapter | None) -> NativeGame:
    """Return a game in GDL; `reader` is that of the theory that was made of it, if there is one."""
    from hornbook.play.machines.machine_games import sheet_game  # noqa: PLC0415 - slow to import
    from hornbook.play.machines.turns import NoTurnsError  # noqa: PLC0415 - the same

    try:
        rules, step = sheet_game(game, reader)
    except NoTurnsError as problem:
        raise ArgumentError(str(problem), argument="GAME") from None
    return NativeGame(name, rules, step, rules.reader)


def _of_theory(name: str) -> NativeGame:
    theory = open_theory(name, unchanged=True)
    if domain_of(theory) is None and any(each.allows for each in theory.vocabulary.predicates.values()):
        return _of_rules(theory)
    domain = domain_argument(theory, _WHAT)
    reader = reader_for(theory)
    try:
        return NativeGame(theory.name, domain, native_of(domain), reader)
    except NoNativeError as problem:
        if has_native_files(domain):
            raise NoNativeError(f"{problem}; searches need it") from None
    from hornbook.play.machines.machine_games import domain_step, sheet_of  # noqa: PLC0415 - slow to import

    sheet = sheet_of(domain)
    if sheet is not None:
        return _of_game(theory.name, sheet, reader)
    if not domain.decisive:
        raise NoNativeError(
            f"`{theory.name}` has no compiled `_native` (native/module.cpp), and its domain names no"
            " `decisive` games, by which searches in Python know who has won; write for instance\n"
            '  decisive = frozenset({"win"})'
        )
    return NativeGame(theory.name, domain, domain_step(domain), reader)


def _of_rules(theory: Theory) -> NativeGame:
    """Return the game of a theory that is played by its rules, from its example `start` or its first one."""
    from hornbook.kb.base.examples import example_sequence  # noqa: PLC0415 - slow to import
    from hornbook.planner.theory_games.refused import NoGameError  # noqa: PLC0415 - the same
    from hornbook.play.machines.machine_games import theory_game  # noqa: PLC0415 - the same
    from hornbook.play.machines.turns import NoTurnsError  # noqa: PLC0415 - the same

    starts = [example for example in theory.examples if example.name == START] or theory.examples[:1]
    if not starts:
        raise ArgumentError(
            f"`{theory.name}` has no example, so the beginning is unknown; write for instance\n"
            f"  example {START}: to_move(white).",
            argument="GAME",
        )
    try:
        rules, step = theory_game(theory, example_sequence(theory, starts[0])[0])
    except (NoGameError, NoTurnsError) as problem:
        raise ArgumentError(str(problem), argument="GAME") from None
    return NativeGame(theory.name, rules, step, rules.reader)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # the text is too long for a file name
        return False
