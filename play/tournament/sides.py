"""The players of a tournament, whichever they are: searches of ours, and programs that speak GTP or UCI.

A player is told the whole game each time and says its move. How long it thought is measured here, by the clock and by the processor.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.tournament.process import EngineError, Process
from hornbook.play.whole.played import Played
from hornbook.play.whole.thinking import Budget, Player

GREETING = 60.0
"""Seconds in which a program must have started."""
SLACK = 5.0
"""Seconds more than it may think after which a program that does not answer is given up."""


class ResignedError(HornbookError):
    """A player gives the game up."""


class Side(Protocol):
    """A player."""

    name: str

    def begin(self, game: Played) -> None:
        """A new game, of which some moves may have been made."""

    def move(self, game: Played) -> str:
        """The move in a game that goes on. Raises EngineError, ResignedError."""

    @property
    def processor_seconds(self) -> float | None:
        """What it took of the processor since it was made."""

    def close(self) -> None: ...


@dataclass(slots=True)
class Ours:
    """A search of ours, in this process."""

    name: str
    make: Callable[[], Player]
    budget: Budget
    player: Player | None = None
    took: float = 0.0

    def begin(self, game: Played) -> None:
        self.player = self.make()

    def move(self, game: Played) -> str:
        assert self.player is not None
        began = time.process_time()
        found = self.player.think(game, self.budget)
        self.took += time.process_time() - began
        return found.move

    @property
    def processor_seconds(self) -> float:
        return self.took

    def close(self) -> None:
        pass


@dataclass(slots=True)
class Gtp:
    """A program that speaks GTP; it is told to take so many seconds for each move, if any."""

    name: str
    process: Process
    setup: Callable[[Played], list[str]]
    colour: Callable[[Played, int], str]
    seconds: float | None
    told: tuple[str, ...] = ()

    def begin(self, game: Played) -> None:
        for command in self.setup(game):
            self._ask(command, GREETING)
        if self.seconds is not None:
            self._ask(f"time_settings 0 {max(1, round(self.seconds))} 1", GREETING)
        self.told = ()

    def move(self, game: Played) -> str:
        for place in range(len(self.told), len(game.moves)):
            self._ask(f"play {self.colour(game, place)} {game.moves[place]}", GREETING)
        limit = GREETING if self.seconds is None else self.seconds + SLACK
        said = self._ask(f"genmove {self.colour(game, len(game.moves))}", limit).lower()
        if said == "resign":
            raise ResignedError
        move = next((each for each in game.state.moves() if each.lower() == said), said)
        self.told = (*game.moves, move)
        return move

    def _ask(self, command: str, seconds: float) -> str:
        self.process.say(command)
        until = time.monotonic() + seconds
        lines: list[str] = []
        while True:
            line = self.process.hear(until)
            if not line.strip() and lines:
                break
            if line.strip() and (lines or line[0] in "=?"):
                lines.append(line)
        if lines[0][0] == "?":
            raise EngineError(f"`{self.process.command}` refuses `{command}`: {lines[0][1:].strip()}")
        return lines[0][1:].strip()

    @property
    def processor_seconds(self) -> float | None:
        return self.process.processor_seconds

    def close(self) -> None:
        self.process.close()


@dataclass(slots=True)
class Uci:
    """A program that speaks UCI; `options` are set when it starts, and `go` says what it may take for a move."""

    name: str
    process: Process
    options: tuple[tuple[str, str], ...]
    go: str
    seconds: float | None
    greeted: bool = False

    def begin(self, game: Played) -> None:
        if not self.greeted:
            self._until("uci", "uciok", GREETING)
            for name, value in self.options:
                self.process.say(f"setoption name {name} value {value}")
            self.greeted = True
        self.process.say("ucinewgame")
        self._until("isready", "readyok", GREETING)

    def move(self, game: Played) -> str:
        begun = str(game.states[0])
        start = "startpos" if begun == game.rules.beginnings()[0] else f"fen {begun}"
        moves = f" moves {' '.join(game.moves)}" if game.moves else ""
        self.process.say(f"position {start}{moves}")
        limit = GREETING if self.seconds is None else self.seconds + SLACK
        said = self._until(f"go {self.go}", "bestmove", limit).split()
        return said[1] if len(said) > 1 else ""

    def _until(self, command: str, word: str, seconds: float) -> str:
        self.process.say(command)
        until = time.monotonic() + seconds
        while True:
            line = self.process.hear(until)
            if line.split()[:1] == [word]:
                return line

    @property
    def processor_seconds(self) -> float | None:
        return self.process.processor_seconds

    def close(self) -> None:
        with suppress(EngineError):
            self.process.say("quit")
        self.process.close()
