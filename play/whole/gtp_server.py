"""The Go Text Protocol, version 2 (Farnebäck 2002), for any game of two players with a native step.

Moves are written in upper case, and read in either case. In Go, a controller may set up any position: each
side may be named for a move at any time, and moves may follow two passes. In other games a side may be named
out of turn if the domain knows such a state (`turned`), or if the other side has to pass. Times are
wall-clock seconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from itertools import islice
from math import inf, isfinite
from pathlib import Path
from time import monotonic

from hornbook.kb.load.adapters import text_of
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.native import NativeState
from hornbook.play.whole.clock import GameClock, Watch
from hornbook.play.whole.played import TURN, PlayedGame, chosen_move
from hornbook.play.whole.thinking import SearchArguments, SearchPlayer
from hornbook.theories.protocols.optional import StoneBoard
from hornbook.theories.protocols.whole_games import WholeGames

_PLAIN = re.compile(r"[0-9.eE+-]+")
"""The characters of numbers. Python accepts others too, such as `1_000`."""
PASS = "pass"  # noqa: S105 - a move
COLOURS = frozenset(("black", "white"))
"""The colours of the protocol."""


class GtpError(HornbookError):
    """The answer to a command that fails."""


@dataclass(slots=True)
class GtpServer:
    """A player at a board, with the clocks of both sides."""

    player: SearchPlayer
    table: WholeGames
    version: str
    budget: SearchArguments
    start: str = ""
    """The empty board, with its komi."""
    history: list[PlayedGame] = field(default_factory=list)
    """The game after each move, which `undo` restores."""
    komi_given: float | None = None
    uncounted: float = 0.0
    """The part of the komi that states cannot count, in the unit of outcomes."""
    control: GameClock | None = None
    """The initial clock of each game; None without a limit."""
    clocks: dict[str, GameClock] = field(default_factory=dict)
    watch: Watch = field(default_factory=Watch)
    took: float = 0.0
    """The wall-clock seconds of the last decision."""
    is_done: bool = False

    def __post_init__(self) -> None:
        self.start = self.start or self.table.beginnings()[0]
        self._begin(self.start)

    @property
    def game(self) -> PlayedGame:
        return self.history[-1]

    def _begin(self, text: str) -> None:
        self.history = [PlayedGame.start(self.player.native, self.table, text)]

    def answer(self, line: str) -> str | None:
        """Return the answer to a line, without the empty line after it, or None if there is no command."""
        # Control characters are no part of a command; some programs end lines with two of them.
        text = "".join(each for each in line if each >= " " or each == "\t")
        words = text.partition("#")[0].split()
        number = words.pop(0) if words and words[0].isascii() and words[0].isdecimal() else ""
        if not words:
            return None
        name = words.pop(0)
        if name not in COMMANDS:
            return f"?{number} unknown command"
        try:
            return f"={number} {COMMANDS[name](self, words)}".rstrip()
        except GtpError as problem:
            return f"?{number} {problem}"

    # The commands

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
        if self.komi_given is not None:
            self.start = self._with_komi(found, self.komi_given)
        self._begin(self.start)
        return ""

    def clear_board(self, words: list[str]) -> str:
        self._begin(self.start)
        self._set_clocks(self.control)
        return ""

    def _set_clocks(self, control: GameClock | None) -> None:
        self.control = control
        self.clocks = {} if control is None else dict.fromkeys("bw", control)

    def komi(self, words: list[str]) -> str:
        komi = _number(words, 0)
        self.start = self._with_komi(self.start, komi)
        self.komi_given = komi
        again: dict[NativeState, NativeState] = {}
        for game in self.history:
            for state in game.states:
                if state not in again:
                    again[state] = self.player.native.State(self._with_komi(str(state), komi))
        self.history = [
            PlayedGame(game.native, game.rules, tuple(map(again.__getitem__, game.states)), game.moves)
            for game in self.history
        ]
        return ""

    def _with_komi(self, text: str, komi: float) -> str:
        if not isinstance(self.table, StoneBoard):
            raise GtpError("this game has no komi")
        changed, self.uncounted = self.table.with_komi(text, komi)
        return changed

    def fixed_handicap(self, words: list[str]) -> str:
        return self._place_handicap(self._handicap(words, free=False))

    def place_free_handicap(self, words: list[str]) -> str:
        return self._place_handicap(self._handicap(words, free=True))

    def set_free_handicap(self, words: list[str]) -> str:
        self._place_handicap([word.lower() for word in words])
        return ""

    def _handicap(self, words: list[str], *, free: bool) -> Sequence[str]:
        stones = _whole(words, 0)
        points = self._empty_board().handicap(self.start, stones, free=free)
        if points is None:
            raise GtpError("invalid number of stones")
        return points

    def _empty_board(self) -> StoneBoard:
        if not isinstance(self.table, StoneBoard) or self.table.has_stones(str(self.game.state)):
            raise GtpError("board not empty")
        return self.table

    def _place_handicap(self, points: Sequence[str]) -> str:
        text = self._empty_board().with_handicap(self.start, points)
        if text is None:
            raise GtpError("bad vertex list")
        self._begin(text)
        return " ".join(point.upper() for point in points)

    def loadsgf(self, words: list[str]) -> str:
        if not words:
            raise GtpError("syntax error: a file is expected")
        path, before = Path(words[0]), _whole(words, 1) if len(words) > 1 else None
        try:
            beginning, moves = self.table.recorded(text_of(self.table.adapter, path), str(path))
            game = PlayedGame.start(self.player.native, self.table, beginning)
            found = [game]
            for move in moves:
                if before is not None and len(game.moves) >= before - 1:
                    break
                game = game.turned() if move == TURN else game.after(move)
                found.append(game)
        except TheoryError as problem:
            (first, *_) = problem.diagnostics
            place = f"{first.span.file}:{first.span.line}:{first.span.column}"
            raise GtpError(f"cannot load file: {place}: {first.message}") from None
        except ValueError as problem:
            raise GtpError(f"cannot load file: {problem}") from None
        self._loaded(beginning, found)
        return ""

    def _loaded(self, beginning: str, found: list[PlayedGame]) -> None:
        """Adopt a game with the size of its board and its komi."""
        if isinstance(self.table, StoneBoard):
            self.start, self.komi_given = self.table.emptied(beginning)
        else:
            self.start, self.komi_given = self.table.beginnings()[0], None
        self.uncounted = 0.0
        # A turn is not a separate move: `undo` removes it with the move after it.
        self.history = [
            game
            for game, after in zip(found, [*found[1:], None], strict=True)
            if after is None or len(after.moves) > len(game.moves)
        ]

    def play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise GtpError("syntax error: a colour and a move are expected")
        game = self._turn_of(_colour(words))
        move = chosen_move(words[1], game.state.moves())
        if move is None:
            raise GtpError("illegal move")
        self.history.append(game.after(move))
        return ""

    def genmove(self, words: list[str]) -> str:
        side = _colour(words)
        game = self._turn_of(side)
        if game.state.is_over:
            # A program that continues to ask can only receive a pass.
            return PASS
        began, clock = monotonic(), self.clocks.get(side)
        move = self.watch.thought(self.player, game, self.budget, clock).move
        self.took = monotonic() - began
        if clock is not None:  # a controller that set a clock need not send the time left before each move
            self.clocks[side] = clock.spent(self.took)
        self.history.append(game.after(move))
        return _written(move)

    def reg_genmove(self, words: list[str]) -> str:
        game = self._turn_of(_colour(words))
        if game.state.is_over:
            return PASS
        return _written(self.player.think(game, self.budget).move)

    def undo(self, words: list[str]) -> str:
        if len(self.history) < 2:
            raise GtpError("cannot undo")
        self.history.pop()
        return ""

    def time_settings(self, words: list[str]) -> str:
        main, more, stones = _number(words, 0), _number(words, 1), _whole(words, 2)
        if min(main, more, stones) < 0:
            raise GtpError("syntax error: no time is less than nothing")
        if more > 0 and stones == 0:
            self._set_clocks(None)  # the protocol defines this as no limit
            return ""
        self._set_clocks(
            GameClock(main, more, stones)
            if main > 0 or stones == 0
            else GameClock(more, more, stones, stones)
        )
        return ""

    def time_left(self, words: list[str]) -> str:
        side, left, stones = _colour(words), _number(words, 1), _whole(words, 2)
        known = self.clocks.get(side, GameClock(left))
        if known.to_go == stones and not left.is_integer():  # whole seconds are too coarse to measure a delay
            self.watch.charged(self.took + known.left - left)
        self.clocks[side] = known.with_time_left(max(0.0, left), max(0, stones))
        return ""

    def final_score(self, words: list[str]) -> str:
        game = self.game
        for _ in "bw":
            if not game.state.is_over and PASS in game.state.moves():
                game = game.after(PASS)
        ending = game.ending
        if ending is None or ending.margin is None:
            raise GtpError("cannot score")
        margin = ending.margin - self.uncounted
        if margin == 0:
            return "0"
        mover = colour_of(game).upper()
        other = {"B": "W", "W": "B"}[mover]
        first, second = (mover, other) if game.state.to_move == 0 else (other, mover)
        return f"{first if margin > 0 else second}+{self.table.margin(margin)}"

    def final_status_list(self, words: list[str]) -> str:
        """Return all stones as alive, in agreement with `final_score`."""
        if words[:1] not in (["alive"], ["dead"], ["seki"]):
            raise GtpError("syntax error: a status is alive, dead or seki")
        if words[0] != "alive" or not isinstance(self.table, StoneBoard):
            return ""
        groups = self.table.groups(str(self.game.state))
        return "\n".join(" ".join(point.upper() for point in group) for group in groups)

    def showboard(self, words: list[str]) -> str:
        return "\n" + self.table.shown(str(self.game.state))

    def _turn_of(self, colour: str) -> PlayedGame:
        """Return the game with a side to move; the history is unchanged.

        Raises GtpError if that side cannot move.
        """
        game = self.game
        try:
            if colour_of(game) != colour:
                return game.turned()
            return game.turned().turned() if game.state.is_over else game
        except ValueError as problem:
            if colour_of(game) == colour or game.state.is_over:
                return game
            if game.state.moves() == [PASS]:
                return game.after(PASS)
            raise GtpError(str(problem)) from None


def colour_of(game: PlayedGame, place: int = -1) -> str:
    """Return the colour of the player to move in a state of a game, `b` or `w`.

    If the players have other names than the two colours, the one who begins is `b`.
    """
    state = game.states[place]
    after = (state.after(move) for move in state.moves()[:1])
    others = (each for each in (*game.states, *after) if each.to_move != state.to_move)
    names = [game.rules.mover(str(each)).lower() for each in (state, *islice(others, 1))]
    return names[0][0] if {*names} <= COLOURS else "bw"[state.to_move]


def _written(move: str) -> str:
    return move.upper() if move != PASS else PASS


def _colour(words: list[str]) -> str:
    if not words:
        raise GtpError("syntax error: a colour is expected")
    if words[0].lower() not in (*COLOURS, "b", "w"):
        raise GtpError("syntax error: a colour is b, w, black or white")
    return words[0][0].lower()


def _number(words: list[str], place: int) -> float:
    try:
        found = float(words[place]) if _PLAIN.fullmatch(words[place]) else inf
    except (IndexError, ValueError):
        found = inf
    if not isfinite(found):
        raise GtpError("syntax error: a number is expected")
    return found


def _whole(words: list[str], place: int) -> int:
    found = _number(words, place)
    if not found.is_integer():
        raise GtpError("syntax error: a whole number is expected")
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
    "fixed_handicap": GtpServer.fixed_handicap,
    "place_free_handicap": GtpServer.place_free_handicap,
    "set_free_handicap": GtpServer.set_free_handicap,
    "loadsgf": GtpServer.loadsgf,
    "play": GtpServer.play,
    "genmove": GtpServer.genmove,
    "reg_genmove": GtpServer.reg_genmove,
    "undo": GtpServer.undo,
    "time_settings": GtpServer.time_settings,
    "time_left": GtpServer.time_left,
    "final_score": GtpServer.final_score,
    "final_status_list": GtpServer.final_status_list,
    "showboard": GtpServer.showboard,
}


def answers(server: GtpServer, lines: Iterable[str]) -> Iterator[str]:
    """Yield the answers to lines, each to be followed by an empty line, until the command `quit`."""
    for line in lines:
        answer = server.answer(line)
        if answer is not None:
            yield answer
        if server.is_done:
            return
