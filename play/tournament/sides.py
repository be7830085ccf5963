"""The players of a tournament: the project's searches, and programs that speak GTP or UCI.

At each turn a player receives the whole game and the clocks, if there are any, and returns its move. This
module measures the time of the decision, in wall-clock and processor seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field
from typing import Protocol

from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.tournament.process import PlayerProcess, PlayerProgramError
from hornbook.play.whole.clock import Control, GameClock, Watch
from hornbook.play.whole.played import PlayedGame
from hornbook.play.whole.thinking import SearchArguments, SearchPlayer

GREETING = 60.0
"""The seconds within which a program must have started."""
SLACK = 5.0
"""The additional seconds after which a program that does not answer is aborted."""


Clocks = tuple[GameClock, GameClock]
"""The clocks of players 0 and 1."""


class ResignedError(HornbookError):
    """A player resigns."""


class TournamentPlayer(Protocol):
    """A player of a tournament."""

    name: str

    def begin(self, game: PlayedGame) -> None:
        """Start a new game, which may already have some moves."""

    def move(self, game: PlayedGame, clocks: Clocks | None) -> tuple[str, float]:
        """Return the move in a game that goes on, and its wall-clock seconds.

        Raises PlayerProgramError, ResignedError.
        """

    @property
    def processor_seconds(self) -> float | None:
        """Return the processor seconds since the player was made."""

    def close(self) -> None: ...


@dataclass(slots=True)
class Ours:
    """A search of the project, in this process. `took` is its processor seconds so far."""

    name: str
    make: Callable[[], SearchPlayer]
    budget: SearchArguments
    player: SearchPlayer | None = None
    watch: Watch = field(default_factory=Watch)
    took: float = 0.0

    def begin(self, game: PlayedGame) -> None:
        self.player = self.make()

    def move(self, game: PlayedGame, clocks: Clocks | None) -> tuple[str, float]:
        assert self.player is not None
        began, began_by_clock = time.process_time(), time.monotonic()
        found = self.watch.thought(self.player, game, self.budget, clocks and clocks[game.mover])
        self.took += time.process_time() - began
        return found.move, time.monotonic() - began_by_clock

    @property
    def processor_seconds(self) -> float:
        return self.took

    def close(self) -> None:
        pass


@dataclass(slots=True)
class Gtp:
    """A program that speaks GTP and receives the remaining time, if it is limited.

    The protocol counts whole seconds. The commands of `setup` begin a game, and `colour` gives the player of
    a move by its number. The field `sent` has the moves of the game that the program knows.
    """

    name: str
    process: PlayerProcess
    setup: Callable[[PlayedGame], list[str]]
    colour: Callable[[PlayedGame, int], str]
    control: Control | None
    sent: tuple[str, ...] = ()

    def begin(self, game: PlayedGame) -> None:
        for command in self.setup(game):
            self._ask(command, GREETING)
        if self.control is not None:
            seconds, moves = max(1, round(self.control.seconds)), self.control.moves
            self._ask(f"time_settings {f'0 {seconds} {moves}' if moves else f'{seconds} 0 0'}", GREETING)
        self.sent = ()

    def move(self, game: PlayedGame, clocks: Clocks | None) -> tuple[str, float]:
        for place in range(len(self.sent), len(game.moves)):
            self._ask(f"play {self.colour(game, place)} {game.moves[place]}", GREETING)
        mover = self.colour(game, len(game.moves))
        limit = GREETING if self.control is None else self.control.seconds + SLACK
        if clocks is not None:
            clock = clocks[game.mover]
            limit = clock.allowed + SLACK
            self._ask(f"time_left {mover} {int(clock.left)} {clock.to_go}", GREETING)
        began = time.monotonic()
        text, came = self._request(f"genmove {mover}", limit)
        answer = text.lower()
        if answer == "resign":
            raise ResignedError
        move = next((each for each in game.state.moves() if each.lower() == answer), answer)
        self.sent = (*game.moves, move)
        return move, came - began

    def _ask(self, command: str, seconds: float) -> None:
        self._request(command, seconds)

    def _request(self, command: str, seconds: float) -> tuple[str, float]:
        """Return the first line of the answer to a command without its mark `=`, and its time of arrival."""
        self.process.say(command)
        until = time.monotonic() + seconds
        lines: list[str] = []
        while True:
            line, came = self.process.hear(until)
            if not line.strip() and lines:
                break
            if line.strip() and (lines or line[0] in "=?"):
                lines.append(line)
        if lines[0][0] == "?":
            raise PlayerProgramError(f"`{self.process.command}` refuses `{command}`: {lines[0][1:].strip()}")
        return lines[0][1:].strip(), came

    @property
    def processor_seconds(self) -> float | None:
        return self.process.processor_seconds

    def close(self) -> None:
        self.process.close()


@dataclass(slots=True)
class Uci:
    """A program that speaks UCI.

    The `options` are set at the start. Without clocks, each move may take `seconds`. The words `limits` are
    added to each command `go`.
    """

    name: str
    process: PlayerProcess
    options: tuple[tuple[str, str], ...]
    limits: str
    seconds: float | None
    greeted: bool = False

    def begin(self, game: PlayedGame) -> None:
        if not self.greeted:
            self._until("uci", "uciok", GREETING)
            for name, value in self.options:
                self.process.say(f"setoption name {name} value {value}")
            self.greeted = True
        self.process.say("ucinewgame")
        self._until("isready", "readyok", GREETING)

    def move(self, game: PlayedGame, clocks: Clocks | None) -> tuple[str, float]:
        first = str(game.states[0])
        start = "startpos" if first == game.rules.beginnings()[0] else f"fen {first}"
        moves = f" moves {' '.join(game.moves)}" if game.moves else ""
        self.process.say(f"position {start}{moves}")
        limit = GREETING if self.seconds is None else self.seconds + SLACK
        words = [] if self.seconds is None else [f"movetime {_milliseconds(self.seconds)}"]
        if clocks is not None:
            limit = clocks[game.mover].allowed + SLACK
            words = [_clock_words(clocks, game.mover)]
        began = time.monotonic()
        line, came = self._until(" ".join(["go", *words, self.limits]).rstrip(), "bestmove", limit)
        answer = line.split()
        return answer[1] if len(answer) > 1 else "", came - began

    def _until(self, command: str, word: str, seconds: float) -> tuple[str, float]:
        """Send a command; return the first line that begins with a word, and its time of arrival."""
        self.process.say(command)
        until = time.monotonic() + seconds
        while True:
            line, came = self.process.hear(until)
            if line.split()[:1] == [word]:
                return line, came

    @property
    def processor_seconds(self) -> float | None:
        return self.process.processor_seconds

    def close(self) -> None:
        with suppress(PlayerProgramError):
            self.process.say("quit")
        self.process.close()


def _milliseconds(seconds: float) -> int:
    return max(1, int(1000 * seconds))


def _clock_words(clocks: Clocks, mover: int) -> str:
    """Return the clocks in the form of UCI; player 0 is white."""
    words = []
    for side, clock in zip("wb", clocks, strict=True):
        words.append(f"{side}time {_milliseconds(clock.left)}")
        if clock.more and not clock.period:
            words.append(f"{side}inc {_milliseconds(clock.more)}")
    if clocks[mover].to_go:
        words.append(f"movestogo {clocks[mover].to_go}")
    return " ".join(words)
