"""The Universal Chess Interface, for any game of two players with a native step.

Source: Huber and Meyer-Kahlen 2000. The command `position fen` takes a state in the text form of the game's
native step, on one line. A search runs concurrently with the reading of lines, so that `stop` can end it.
Unknown commands are ignored, as the protocol requires. For a command that cannot be executed, an `info
string` gives the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import field
from threading import Event
from time import monotonic

from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.native import SearchStop
from hornbook.play.whole.clock import LEAST, GameClock, Watch
from hornbook.play.whole.played import PlayedGame
from hornbook.play.whole.thinking import SearchArguments, SearchPlayer, Thought
from hornbook.theories.protocols.whole_games import WholeGames

NONE = "0000"
_NUMBERS = ("movetime", "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate")
_GO = (*_NUMBERS, "infinite", "ponder", "searchmoves")
HASH = 8
"""The default size of the table of states in megabytes."""
MOST_HASH = 1024
MOST_LINES = 256
MOST = 2**31 - 1
"""The largest number that is distinguished from larger ones."""


@dataclass(slots=True)
class Reporter:
    """The lines that a search has reported, in the form of `info`."""

    say: Callable[[str], None]
    game: PlayedGame
    began: float
    are_several: bool
    mates: dict[str, int] = field(default_factory=dict)
    """For each first move, the least depth at which the game was decided."""
    lines: list[tuple[int, list[str]]] = field(default_factory=list)
    """The lines of the last report with their values, best first."""

    def report(self, depth: int, nodes: int, lines: Sequence[tuple[int, list[str]]]) -> None:
        """Send one `info` for each line of a completed depth, best first."""
        took = monotonic() - self.began
        for number, (value, line) in enumerate(lines, 1):
            several = f"multipv {number} " if self.are_several else ""
            rate = f" nps {round(nodes / took)}" if took > 0 else ""
            self.say(
                f"info depth {depth} {several}score {self._score(depth, value, line)} nodes {nodes}{rate}"
                f" time {round(1000 * took)} pv {' '.join(line)}"
            )
        self.lines = list(lines)

    def report_choice(self, found: Thought) -> None:
        """Report the lines again if the decision is another move, with its line first.

        No two lines have the same first move.
        """
        if self.lines and self.lines[0][1][0] == found.move:
            return
        chosen = [line for _, line in self.lines if line[0] == found.move]
        others = [line for line in self.lines if line[1][0] != found.move]
        lines = [(found.value, chosen[0] if chosen else list(found.line)), *others]
        self.report(max(1, found.depth), found.nodes, lines[: max(1, len(self.lines))])

    def _score(self, depth: int, value: int, line: Sequence[str]) -> str:
        """Return the value, or the number of the winner's moves until the end if the value is extreme."""
        least, greatest = self.game.native.RANGE
        if value not in (least, greatest):
            return f"cp {value}"
        state = self.game.state
        for move in line:
            state = state.after(move)
        plies = len(line) if state.is_over else depth
        plies = self.mates.setdefault(line[0], plies)
        return f"mate {'-' if value == least else ''}{(plies + 1) // 2}"


@dataclass(slots=True)
class UciServer:
    """A player, its game, and the running search.

    `make` makes a player with a table of the given megabytes, and `say` takes each line of output.
    """

    make: Callable[[int], SearchPlayer]
    rules: WholeGames
    version: str
    budget: SearchArguments
    say: Callable[[str], None]
    player: SearchPlayer = field(init=False)
    game: PlayedGame = field(init=False)
    executor: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    thinking: Future[None] | None = None
    stop: SearchStop | None = None
    ended: Event = field(default_factory=Event)
    is_bounded: bool = True
    hit: float = LEAST
    """The seconds for thinking after `ponderhit`."""
    lines: int = 1
    megabytes: int = HASH
    watch: Watch = field(default_factory=Watch)
    due: dict[int, float] = field(default_factory=dict)
    """For each number of moves, the time that the mover's clock would show without further delay."""

    def __post_init__(self) -> None:
        self.player = self.make(self.megabytes)
        self.game = PlayedGame.start(self.player.native, self.rules)

    def serve(self, lines: Iterable[str]) -> None:
        """Execute the commands until `quit` or the end of the input; then end the running search."""
        try:
            for line in lines:
                words = line.split()
                if words[:1] == ["quit"]:
                    break
                if words:
                    self._do(words)
            else:
                self._settle()
        finally:
            self._end()
            self.executor.shutdown()

    def _do(self, words: list[str]) -> None:
        match words:
            case ["uci", *_]:
                self.say(f"id name Hornbook {self.version}")
                self.say("id author the makers of Hornbook")
                self.say(
                    "option name UCI_EngineAbout type string default a search that learned rules can guide"
                )
                self.say("option name Ponder type check default false")
                if self.player.gives_lines:
                    self.say(f"option name Hash type spin default {HASH} min 1 max {MOST_HASH}")
                    self.say("option name Clear Hash type button")
                    self.say(f"option name MultiPV type spin default 1 min 1 max {MOST_LINES}")
                self.say("uciok")
            case ["isready", *_]:
                self.say("readyok")
            case ["ucinewgame", *_]:
                self._settle()
                self.due = {}
                self.player = self.make(self.megabytes)
                self.game = PlayedGame.start(self.player.native, self.rules)
            case ["setoption", "name", *rest]:
                self._settle()
                self._set_option(rest)
            case ["position", *rest]:
                self._settle()
                self._position(rest)
            case ["go", *rest]:
                self._settle()
                self._go(rest)
            case ["stop", *_]:
                self._end()
            case ["ponderhit", *_]:
                self._ponderhit()
            case _:
                pass

    def _set_option(self, words: list[str]) -> None:
        place = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[:place]).lower(), " ".join(words[place + 1 :])
        if not self.player.gives_lines:
            return
        if name == "multipv":
            self.lines = self._whole("MultiPV", value, MOST_LINES) or self.lines
        elif name == "clear hash":
            self._make(self.megabytes)
        elif name == "hash" and (megabytes := self._whole("Hash", value, MOST_HASH)) is not None:
            self._make(megabytes)

    def _make(self, megabytes: int) -> None:
        """Make the player with a table of the given megabytes.

        The current player is kept if memory is insufficient.
        """
        try:
            self.player = self.make(megabytes)
        except MemoryError:
            self.say(f"info string there is no memory for a table of {megabytes} MB; the table is as before")
            return
        self.megabytes = megabytes

    def _whole(self, name: str, value: str, most: int) -> int | None:
        """Return the value of an option.

        If it is no number in the range, send an `info string` and return None.
        """
        if value.isascii() and value.isdecimal() and 1 <= _number(value) <= most:
            return _number(value)
        self.say(f"info string {name} is a number from 1 to {most}, not `{value}`")
        return None

    def _position(self, words: list[str]) -> None:
        place = words.index("moves") if "moves" in words else len(words)
        try:
            match words[:place]:
                case ["startpos"]:
                    text = None
                case ["fen", *fields] if fields:
                    text = " ".join(fields)
                case _:
                    raise ValueError("a position is `startpos` or `fen` with a state, then `moves`")
            game = PlayedGame.start(self.player.native, self.rules, text)
            for move in words[place + 1 :]:
                game = game.after(move)
        except ValueError as problem:
            self.say(f"info string {problem}; the previous position is kept")
            return
        self.game = game

    def _parsed(self, words: list[str]) -> tuple[dict[str, int], list[str]]:
        """Return the numbers and the first moves of `go`. An `info string` reports invalid words."""
        numbers: dict[str, int] = {}
        moves: list[str] = []
        name = ""
        for word in words:
            if word in _GO:
                name = word
            elif name == "searchmoves":
                moves.append(word)
            elif name in _NUMBERS and word.lstrip("-").isdecimal() and word.isascii():
                numbers[name] = _number(word)
                name = ""
            else:
                self.say(f"info string `{word}` is not understood after `go {name}`".rstrip())
        legal = set(self.game.state.moves())
        for move in moves:
            if move not in legal:
                self.say(f"info string searchmoves: `{move}` is no legal move")
        return numbers, [move for move in dict.fromkeys(moves) if move in legal]

    def _go(self, words: list[str]) -> None:
        numbers, only = self._parsed(words)
        budget = SearchArguments(**self.budget)
        self.is_bounded = not {"infinite", "ponder"} & set(words)
        if not self.is_bounded:
            budget = SearchArguments()
            if "depth" in self.budget and not self.player.gives_lines:
                budget["depth"] = self.budget["depth"]  # the search needs a depth limit
        if "depth" in numbers:
            budget["depth"] = max(1, numbers["depth"])
        if "mate" in numbers:
            budget["depth"] = min(MOST, max(1, 2 * numbers["mate"] - 1))
        if "nodes" in numbers:
            budget["nodes"] = max(1, numbers["nodes"])
        if numbers.keys() & {"depth", "nodes", "mate"} or not self.is_bounded:
            budget.pop("seconds", None)
        if only:
            budget["only"] = only
        if self.lines > 1:
            budget["lines"] = self.lines
        clock = self._clock(numbers)
        if clock is not None:
            budget.pop("seconds", None)
        if not self.is_bounded:
            seconds = self.budget.get("seconds", LEAST)
            self.hit = seconds if clock is None else clock.for_a_move(self.watch.late)
            clock = None
        self.stop = budget["stop"] = self.player.native.Stop()
        self.ended = Event()
        self.thinking = self.executor.submit(self._think, self.game, budget, clock, self.ended)

    def _clock(self, numbers: dict[str, int]) -> GameClock | None:
        side = "wb"[self.game.mover]
        if "movetime" in numbers:
            return GameClock(max(0, numbers["movetime"]) / 1000, period=1, to_go=1)
        if f"{side}time" not in numbers:
            return None
        more, moves = max(0, numbers.get(f"{side}inc", 0)) / 1000, max(0, numbers.get("movestogo", 0))
        left = max(0, numbers[f"{side}time"]) / 1000
        ply = len(self.game.moves)
        if ply - 2 in self.due:
            self.watch.charged(self.due[ply - 2] - left)
        self.due = {ply - 1: self.due.get(ply - 1, 0.0), ply: left + more} if moves == 0 else {}
        return GameClock(left, period=moves, to_go=moves) if moves else GameClock(left, more)

    def _think(
        self, game: PlayedGame, budget: SearchArguments, clock: GameClock | None, ended: Event
    ) -> None:
        if game.state.is_over:
            if not self.is_bounded:
                ended.wait()
            is_lost = game.state.evaluation == game.native.RANGE[0]
            self.say(f"info depth 0 score {'mate 0' if is_lost else f'cp {game.state.evaluation}'}")
            self.say(f"bestmove {NONE}")
            return
        reporter = Reporter(self.say, game, monotonic(), self.lines > 1)
        budget["report"] = reporter.report
        try:
            found = self.watch.thought(self.player, game, budget, clock)
        except ValueError as problem:  # for example, a depth that the search cannot reach
            self.say(f"info string {problem}")
            found = self.player.think(game, SearchArguments(depth=1, only=budget.get("only", ())))
        if not self.is_bounded:
            ended.wait()  # the protocol forbids an answer before `stop` or `ponderhit`
        self._answer(found, reporter)

    def _answer(self, found: Thought, reporter: Reporter) -> None:
        reporter.report_choice(found)  # decided in the middle of a depth, or to avoid a repetition
        for each in found.rules:
            self.say(f"info string {each}")
        expected = f" ponder {found.line[1]}" if len(found.line) > 1 else ""
        self.say(f"bestmove {found.move}{expected}")

    def _ponderhit(self) -> None:
        """Start the clock: the expected move was made."""
        if self.stop is not None and not self.is_bounded:
            self.watch.alarm.set(self.hit, self.stop)
            self.ended.set()
            self.is_bounded = True

    def _settle(self) -> None:
        """Wait for the running search, so that a script receives its answer.

        A search without a limit is stopped.
        """
        if self.thinking is not None and self.is_bounded:
            self.thinking.result()
        self._end()

    def _end(self) -> None:
        """End the running search after its answer."""
        if self.stop is not None:
            self.stop.set()
        self.ended.set()
        if self.thinking is not None:
            self.thinking.result()
        self.thinking = self.stop = None


def _number(word: str) -> int:
    """Return a whole number in decimal digits, limited in magnitude to the greatest one."""
    digits = word.lstrip("-")
    size = MOST if len(digits.lstrip("0")) > len(str(MOST)) else min(int(digits[-len(str(MOST)) :]), MOST)
    return -size if word.startswith("-") else size
