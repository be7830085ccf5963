"""The Go Text Protocol, version 2 (Farnebäck 2002), for any game of two players with a native step.

Moves are written in capital letters, and read in either. Who is named and is not to move first has the other one pass, where the game
has passes. Times are in seconds of the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import inf, isfinite
from time import monotonic
from typing import Protocol

from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.whole.clock import Clock, Watch
from hornbook.play.whole.played import Played, Rules
from hornbook.play.whole.thinking import Budget, Player

PASS = "pass"  # noqa: S105 - a move


class Table(Rules, Protocol):
    """What the domain of a game says beside its rules."""

    def beginning(self, size: int) -> str | None: ...

    def with_komi(self, text: str, komi: float) -> str | None: ...

    def mover(self, text: str) -> str: ...

    def margin(self, outcome: int) -> str: ...

    def shown(self, text: str) -> str: ...


class GtpError(HornbookError):
    """What a command is answered that fails."""


@dataclass(slots=True)
class GtpServer:
    """A player at a board, and what its clock says."""

    player: Player
    table: Table
    version: str
    budget: Budget
    start: str = ""
    game: Played = field(init=False)
    clocks: dict[str, Clock] = field(default_factory=dict)
    watch: Watch = field(default_factory=Watch)
    took: float = 0.0
    """Seconds of the clock that the last decision took."""
    is_done: bool = False

    def __post_init__(self) -> None:
        self.start = self.start or self.table.beginnings()[0]
        self.game = self._begun()

    def _begun(self) -> Played:
        return Played.begun(self.player.native, self.table, self.start)

    def answer(self, line: str) -> str | None:
        """The answer to a line, without the empty line after it; None where there is nothing to answer."""
        # Control characters are no part of a command; some programs end lines with two of them.
        text = "".join(each for each in line if each >= " " or each == "\t")
        words = text.partition("#")[0].split()
        number = words.pop(0) if words and words[0].isdecimal() else ""
        if not words:
            return None
        name = words.pop(0)
        if name not in COMMANDS:
            return f"?{number} unknown command"
        try:
            return f"={number} {COMMANDS[name](self, words)}".rstrip()
        except GtpError as problem:
            return f"?{number} {problem}"

    # What the commands do

    def known_command(self, words: list[str]) -> str:
        return str(bool(words) and words[0] in COMMANDS).lower()

    def quit(self, words: list[str]) -> str:
        self.is_done = True
        return ""

    def boardsize(self, words: list[str]) -> str:
        found = self.table.beginning(_whole(words, 0))
        if found is None:
            raise GtpError("unacceptable size")
        self.start = found
        self.game = self._begun()
        return ""

    def clear_board(self, words: list[str]) -> str:
        self.game = self._begun()
        self.clocks = {}
        return ""

    def komi(self, words: list[str]) -> str:
        komi = _number(words, 0)
        found = self.table.with_komi(self.start, komi)
        if found is None:
            raise GtpError("nobody is given points in this game")
        try:
            begun = Played.begun(self.player.native, self.table, found)
        except ValueError as problem:
            raise GtpError(str(problem)) from None
        self.start = found
        for move in self.game.moves:
            begun = begun.after(move)
        self.game = begun
        return ""

    def play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise GtpError("syntax error: a colour and a move are wanted")
        self._turn_to(_colour(words))
        legal = {move.lower(): move for move in self.game.state.moves()}
        move = legal.get(words[1].lower())
        if move is None:
            raise GtpError("illegal move")
        self.game = self.game.after(move)
        return ""

    def genmove(self, words: list[str]) -> str:
        self._turn_to(_colour(words))
        if self.game.state.is_over:
            # To a program that asks on, all that is left is to pass.
            return PASS
        side, began = self._mover(), monotonic()
        clock = self.clocks.get(side)
        move = self.watch.thought(self.player, self.game, self.budget, clock).move
        self.took = monotonic() - began
        if clock is not None:  # who sets a clock need not say each time what is left
            self.clocks[side] = clock.spent(self.took)
        self.game = self.game.after(move)
        return move.upper() if move != PASS else PASS

    def undo(self, words: list[str]) -> str:
        try:
            self.game = self.game.back()
        except ValueError:
            raise GtpError("cannot undo") from None
        return ""

    def time_settings(self, words: list[str]) -> str:
        main, more, stones = _number(words, 0), _number(words, 1), _whole(words, 2)
        if min(main, more, stones) < 0:
            raise GtpError("syntax error: no time is less than nothing")
        if more > 0 and stones == 0:
            self.clocks = {}  # the protocol's way to say that there is no limit
            return ""
        begun = Clock(main, more, stones) if main > 0 or stones == 0 else Clock(more, more, stones, stones)
        self.clocks = dict.fromkeys("bw", begun)
        return ""

    def time_left(self, words: list[str]) -> str:
        side, left, stones = _colour(words), _number(words, 1), _whole(words, 2)
        known = self.clocks.get(side, Clock(left))
        if known.to_go == stones and not left.is_integer():  # by whole seconds nothing is seen
            self.watch.charged(self.took + known.left - left)
        self.clocks[side] = known.said(max(0.0, left), max(0, stones))
        return ""

    def final_score(self, words: list[str]) -> str:
        game = self.game
        while not game.state.is_over and PASS in game.state.moves():
            game = game.after(PASS)
        ending = game.ending
        if ending is None or ending.margin is None:
            raise GtpError("the game is not over")
        if ending.margin == 0:
            return "0"
        sides = [self.table.mover(str(state))[:1].upper() for state in game.states[:2]]
        first = sides[0] if game.states[0].to_move == 0 or len(sides) < 2 else sides[1]
        other = {"B": "W", "W": "B"}.get(first, "2")
        return f"{first if ending.margin > 0 else other}+{self.table.margin(ending.margin)}"

    def showboard(self, words: list[str]) -> str:
        return "\n" + self.table.shown(str(self.game.state))

    def _mover(self) -> str:
        return self.table.mover(str(self.game.state))[:1].lower()

    def _turn_to(self, colour: str) -> None:
        if colour != self._mover() and not self.game.state.is_over:
            if PASS not in self.game.state.moves():
                raise GtpError(f"it is the other player's turn ({self.table.mover(str(self.game.state))})")
            self.game = self.game.after(PASS)


def _colour(words: list[str]) -> str:
    if not words:
        raise GtpError("syntax error: a colour is wanted")
    if words[0].lower() not in ("b", "w", "black", "white"):
        raise GtpError("syntax error: a colour is b, w, black or white")
    return words[0][0].lower()


def _number(words: list[str], place: int) -> float:
    try:
        found = float(words[place])
    except (IndexError, ValueError):
        found = inf
    if not isfinite(found):
        raise GtpError("syntax error: a number is wanted")
    return found


def _whole(words: list[str], place: int) -> int:
    found = _number(words, place)
    if not found.is_integer():
        raise GtpError("syntax error: a whole number is wanted")
    return int(found)


Command = Callable[[GtpServer, list[str]], str]
COMMANDS: dict[str, Command] = {
    "protocol_version": lambda _server, _words: "2",
    "name": lambda _server, _words: "Hornbook",
    "version": lambda server, _words: server.version,
    "known_command": GtpServer.known_command,
    "list_commands": lambda _server, _words: "\n".join(COMMANDS),
    "quit": GtpServer.quit,
    "boardsize": GtpServer.boardsize,
    "clear_board": GtpServer.clear_board,
    "komi": GtpServer.komi,
    "play": GtpServer.play,
    "genmove": GtpServer.genmove,
    "undo": GtpServer.undo,
    "time_settings": GtpServer.time_settings,
    "time_left": GtpServer.time_left,
    "final_score": GtpServer.final_score,
    "showboard": GtpServer.showboard,
}


def answers(server: GtpServer, lines: Iterable[str]) -> Iterator[str]:
    """The answers to lines, each to be followed by an empty line, until one says to quit."""
    for line in lines:
        said = server.answer(line)
        if said is not None:
            yield said
        if server.is_done:
            return
