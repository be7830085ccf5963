"""The Universal Chess Interface (Huber and Meyer-Kahlen 2000), for any game of two players with a native step.

`position fen` takes a state as the game's native step reads it, on one line. A search runs beside the lines that are read, so that
`stop` ends it. What is not understood is not answered, as the protocol says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Event

from hornbook.play.native import Stop
from hornbook.play.whole.clock import LEAST, Clock, Watch
from hornbook.play.whole.played import Played, Rules
from hornbook.play.whole.thinking import Budget, Player, Thought

NONE = "0000"
_NUMBERS = ("movetime", "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes")


@dataclass(slots=True)
class UciServer:
    """A player, the game that it was told, and the search that is under way. `say` takes each line that is answered."""

    make: Callable[[], Player]
    rules: Rules
    version: str
    budget: Budget
    say: Callable[[str], None]
    player: Player = field(init=False)
    game: Played = field(init=False)
    beside: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    thinking: Future[None] | None = None
    stop: Stop | None = None
    ended: Event = field(default_factory=Event)
    is_bounded: bool = True
    hit: float = LEAST
    """Seconds that are left to think after `ponderhit`."""
    watch: Watch = field(default_factory=Watch)
    due: dict[int, float] = field(default_factory=dict)
    """By the number of moves that were made then, what would be left on the clock of who moves if no more time had passed."""

    def __post_init__(self) -> None:
        self.player = self.make()
        self.game = Played.begun(self.player.native, self.rules)

    def serve(self, lines: Iterable[str]) -> None:
        """Does what lines say, until one says to quit or there are no more; then the search that is under way is ended."""
        for line in lines:
            words = line.split()
            if not words:
                continue
            if words[0] == "quit":
                break
            self._do(words)
        else:
            # Who pipes commands in and asks for nothing more wants the answer; only a search without end is stopped.
            if self.thinking is not None and self.is_bounded:
                self.thinking.result()
        self._end()
        self.beside.shutdown()

    def _do(self, words: list[str]) -> None:
        match words:
            case ["uci", *_]:
                self.say(f"id name Hornbook {self.version}")
                self.say("id author the makers of Hornbook")
                self.say(
                    "option name UCI_EngineAbout type string default a search that learned rules can guide"
                )
                self.say("option name Ponder type check default false")
                self.say("uciok")
            case ["isready", *_]:
                self.say("readyok")
            case ["ucinewgame", *_]:
                self._end()
                self.due = {}
                self.player = self.make()
                self.game = Played.begun(self.player.native, self.rules)
            case ["position", *rest]:
                self._end()
                self._position(rest)
            case ["go", *rest]:
                self._end()
                self._go(rest)
            case ["stop", *_]:
                self._end()
            case ["ponderhit", *_]:
                self._ponderhit()
            case _:
                pass

    def _position(self, words: list[str]) -> None:
        place = words.index("moves") if "moves" in words else len(words)
        try:
            text = " ".join(words[1:place]) if words[:1] == ["fen"] else None
            game = Played.begun(self.player.native, self.rules, text)
            for move in words[place + 1 :]:
                game = game.after(move)
        except ValueError as problem:
            self.say(f"info string {problem}; the position before is kept")
            return
        self.game = game

    def _go(self, words: list[str]) -> None:
        asked = {}
        for name, value in pairwise(words):
            if name in _NUMBERS and value.lstrip("-").isdigit():
                asked[name] = int(value)
        budget = Budget(**self.budget)
        self.is_bounded = not {"infinite", "ponder"} & set(words)
        if not self.is_bounded:
            budget = Budget()
        if "depth" in asked:
            budget["depth"] = max(1, asked["depth"])
        if "nodes" in asked:
            budget["nodes"] = max(1, asked["nodes"])
        if asked.keys() & {"depth", "nodes"} or not self.is_bounded:
            budget.pop("seconds", None)
        side = "wb"[self.game.mover]
        clock = None
        if "movetime" in asked:
            clock = Clock(max(0, asked["movetime"]) / 1000, period=1, to_go=1)
        elif f"{side}time" in asked:
            more, moves = max(0, asked.get(f"{side}inc", 0)) / 1000, max(0, asked.get("movestogo", 0))
            left = max(0, asked[f"{side}time"]) / 1000
            clock = Clock(left, period=moves, to_go=moves) if moves else Clock(left, more)
            ply = len(self.game.moves)
            if ply - 2 in self.due:
                self.watch.charged(self.due[ply - 2] - left)
            self.due = {ply - 1: self.due.get(ply - 1, 0.0), ply: left + more} if moves == 0 else {}
        if clock is not None:
            budget.pop("seconds", None)
        if not self.is_bounded:
            seconds = self.budget.get("seconds", LEAST)
            self.hit = seconds if clock is None else clock.for_a_move(self.watch.late)
            clock = None
        self.stop = budget["stop"] = self.player.native.Stop()
        self.ended = Event()
        self.thinking = self.beside.submit(self._think, self.game, budget, clock, self.ended)

    def _think(self, game: Played, budget: Budget, clock: Clock | None, ended: Event) -> None:
        if game.state.is_over:
            self.say(f"bestmove {NONE}")
            return
        found = self.watch.thought(self.player, game, budget, clock)
        if not self.is_bounded:
            ended.wait()  # the protocol wants no answer before `stop` or `ponderhit`
        milliseconds = round(1000 * found.seconds)
        self.say(
            f"info depth {found.depth} score {self._score(found)} nodes {found.nodes} time {milliseconds}"
            f" pv {' '.join(found.line)}"
        )
        for each in found.rules:
            self.say(f"info string {each}")
        expected = f" ponder {found.line[1]}" if len(found.line) > 1 else ""
        self.say(f"bestmove {found.move}{expected}")

    def _score(self, found: Thought) -> str:
        """The value, or in how many moves of who wins the game ends where nothing is better or worse."""
        least, greatest = self.player.native.RANGE
        moves = (len(found.line) + 1) // 2
        if found.value == greatest:
            return f"mate {moves}"
        return f"mate -{moves}" if found.value == least else f"cp {found.value}"

    def _ponderhit(self) -> None:
        """The move that was expected was made: from now on the clock runs."""
        if self.stop is not None and not self.is_bounded:
            self.watch.alarm.set(self.hit, self.stop)
            self.ended.set()
            self.is_bounded = True

    def _end(self) -> None:
        """Ends the search that is under way, whose answer is said."""
        if self.stop is not None:
            self.stop.set()
        self.ended.set()
        if self.thinking is not None:
            self.thinking.result()
        self.thinking = self.stop = None
