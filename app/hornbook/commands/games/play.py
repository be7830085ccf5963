"""The command `hornbook play`: a game in the terminal, against the search, between two persons, or alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from hornbook.commands.games.whole.game import GAME, PlayerOptions, WholeGame
from hornbook.commands.options import argument, flag, option
from hornbook.inputs.native_games import Solver
from hornbook.kb.ast.terms import Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.load.adapters import text_of
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import visible
from hornbook.kb.text.writing import write_text
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.whole.clock import stopping
from hornbook.play.whole.played import Ending, PlayedGame, chosen_move
from hornbook.play.whole.solving import NoWayError
from hornbook.play.whole.thinking import SearchArguments, SearchPlayer, Thought
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_line, warn
from hornbook.theories.protocols.optional import SearchRules

if TYPE_CHECKING:
    from hornbook.api.answers import Answer

BOTH = "both"
HELP = "a move, or: moves, hint, why, undo, board, save FILE, resign, quit"
PLIES_TO_OTHER = 100
"""The number of moves after which the other player is taken to have none."""
SHOWN = 3
"""The maximum number of rule answers shown as hints."""


def play(
    game: Annotated[str, argument("GAME", GAME)],
    side: Annotated[
        str | None,
        option(
            "--side",
            "SIDE",
            "The side that you play, such as white; by default the one that begins. `both`: two persons.",
        ),
    ] = None,
    size: Annotated[
        int | None,
        option("--size", "N", "The number of rows of the board; the game's usual one by default.", min=1),
    ] = None,
    position: Annotated[str | None, option("--position", "FILE|TEXT", "Begin in this state instead.")] = None,
    resume: Annotated[Path | None, option("--resume", "FILE", "Continue a saved game.")] = None,
    *,
    player: PlayerOptions,
    save: Annotated[
        Path | None,
        option(
            "--save",
            "FILE",
            "Save the game when it ends, or you quit or press Ctrl-C: chess as PGN, Go as SGF,"
            " checkers as PDN.",
        ),
    ] = None,
    echo: Annotated[bool, flag("--echo", "Also print the input.", hidden=True)] = False,
) -> None:
    """Play a game, or solve a puzzle, in the terminal.

    Moves are typed in the notation of the game (chess reads `Nf3` and `g1f3`). With learned rules, `hint`
    shows their conclusions about the position and `why` also the proofs. Without rules, `hint` shows the move
    of the search. Lines can also come from a pipe; the exit code is then 1 if one of them was wrong.
    """
    known = player.game(game, one_player=True)
    if resume is None:
        started = PlayedGame.start(known.native, known.domain, _beginning(known, size, position))
    elif size is None and position is None:
        started = _resumed(known, resume)
    else:
        raise ArgumentError("a saved game has its own initial position", "--resume")
    session = GameSession(
        known,
        known.played.solver() if known.has_one_player else known.player(player.search),
        player.budget(),
        started,
        _person(known, started, side),
    )
    try:
        code = session.run(_lines(echo=echo))
    except KeyboardInterrupt:
        print_line("")
        if save is None and session.game.moves:
            print_line(visible_lines(session.record()))
        raise
    finally:
        if save is not None:
            session.save(save)
    if code and not sys.stdin.isatty():
        raise ReportedError(code)


def _beginning(known: WholeGame, size: int | None, position: str | None) -> str:
    domain = known.domain
    if position is not None:
        return str(known.played.position(position))
    text = domain.beginnings()[0] if size is None else domain.beginning(size)
    if text is None:
        raise ArgumentError(f"no board of `{known.name}` has {counted(size or 0, 'row')}", "--size")
    return text


def _resumed(known: WholeGame, path: Path) -> PlayedGame:
    """Return the game in a file. Raises BadParameter, and the exceptions of its parser."""
    beginning, moves = known.domain.recorded(text_of(known.domain.adapter, path), str(path))
    try:
        return PlayedGame.start(known.native, known.domain, beginning).resumed(moves)
    except ValueError as problem:
        raise ArgumentError(f"{path}: {problem}", "--resume") from None


def _person(known: WholeGame, game: PlayedGame, side: str | None) -> str | None:
    """Return the side that a person plays, or None for both. Raises BadParameter."""
    names = [known.domain.mover(str(game.state))]
    later = game.state
    for _ in range(PLIES_TO_OTHER):
        if later.is_over or len(names) > 1:
            break
        later = later.after(later.moves()[0])
        names = list(dict.fromkeys([*names, known.domain.mover(str(later))]))
    if side is None:
        return names[0]
    if side == BOTH:
        return None
    if side not in names:
        raise ArgumentError(f"`{side}` is not a side; the sides are {', '.join((*names, BOTH))}", "--side")
    return side


def _lines(*, echo: bool) -> Iterator[str]:
    """Yield the input lines; with `echo`, print them as at a prompt."""
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        if echo:
            print_line(f"> {visible(line.strip())}")
        yield line.strip()


@dataclass(slots=True)
class GameSession:
    """A game in progress. `person` is the side whose moves are typed, or None for both."""

    known: WholeGame
    player: SearchPlayer | Solver
    budget: SearchArguments
    game: PlayedGame
    person: str | None
    ended: Ending | None = None
    wrong: bool = False

    def run(self, lines: Iterator[str]) -> int:
        """Play until the game or the input ends, and return the exit code."""
        self.show()
        while self.ending is None:
            if self.person is not None and self.mover != self.person:
                self.answer()
                continue
            self.ask()
            line = next(lines, None)
            if line is None or line == "quit":
                break
            if line:
                self.do(line)
        if self.ending is not None and self.known.has_one_player:
            print_line(f"{self.ending.why}, after {counted(len(self.game.moves), 'move')}")
        elif self.ending is not None:
            margin = self.ending.margin
            by = f", by {self.known.domain.margin(margin)}" if margin else ""
            print_line(f"{self.ending.result}: {self.ending.why}{by}")
        return int(self.wrong)

    @property
    def ending(self) -> Ending | None:
        return self.ended or self.game.ending

    @property
    def mover(self) -> str:
        return self.known.domain.mover(str(self.game.state))

    def show(self) -> None:
        print_line(visible_lines(self.known.domain.shown(str(self.game.state))))

    def ask(self) -> None:
        if sys.stdin.isatty():
            print_line(f"{self.mover}> ", end="")

    def answer(self) -> None:
        """Play the search's move."""
        mover, found = self.mover, self.think()
        self.game = self.game.after(found.move)
        print_line(f"{mover} plays {found.move} (looked {counted(found.depth, 'move')} ahead)")
        for each in found.rules:
            print_line(f"  {each}")
        self.show()

    def think(self) -> Thought:
        """Return the move of the search. Raises NoWayError.

        The search runs in another thread, so Ctrl-C reaches this thread at once and then stops the search.
        """
        if not isinstance(self.player, SearchPlayer):
            return self.player.think(self.game, self.budget)
        stop = self.player.native.Stop()
        player = stopping(self.player, stop)
        with ThreadPoolExecutor(1) as executor:
            found = executor.submit(player.think, self.game, self.budget)
            try:
                return found.result()
            except KeyboardInterrupt:
                stop.set()
                raise

    def do(self, line: str) -> None:
        """Execute one typed line."""
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: print_line(HELP),
            "moves": lambda _: print_line(" ".join(self.game.state.moves())),
            "board": lambda _: self.show(),
            "hint": lambda _: self.hint(proofs=False),
            "why": lambda _: self.hint(proofs=True),
            "undo": lambda _: self.undo(),
            "resign": lambda _: self.resign(),
            "save": self.save_as,
        }
        move = chosen_move(line, self.game.state.moves()) or self.known.domain.typed(
            str(self.game.state), line
        )
        if move is not None:
            self.game = self.game.after(move)
            if self.ending is not None or self.person in (None, self.mover):
                self.show()
        elif word in commands:
            commands[word](rest.strip())
        else:
            why = self.known.domain.refused(str(self.game.state), line)
            reason = "" if why is None else f": {visible(why)}"
            self.refuse(
                f"`{visible(line)}` is no legal move{reason}; `moves` lists them, `help` the commands"
            )

    def refuse(self, message: str) -> None:
        self.wrong = True
        warn(message)

    def _closes(self, answer: Answer) -> tuple[int, str | None] | None:
        domain = self.known.domain
        if not isinstance(domain, SearchRules):
            return None
        return domain.closes(str(self.game.state), answer.conclusion.of_game)

    def hint(self, *, proofs: bool) -> None:
        """Show the rule conclusions that help the player to move, and the move of the search."""
        legal = set(self.game.state.moves())
        shown = 0
        for answer in () if self.known.rules is None else self.known.rules.match(self.position()):
            closes = self._closes(answer)
            mine = (
                closes is not None
                and closes[0] == self.game.mover
                and (closes[1] is None or closes[1] in legal)
            )
            if (mine or (closes is None and self.names_a_move(answer))) and shown < SHOWN:
                print_line(str(answer))
                if proofs:
                    print_line(answer.why())
                shown += 1
        if not shown:
            print_line(
                "no rule recommends a move here"
                if self.known.rules is not None
                else "no rules were given (--rules)"
            )
        try:
            found = self.think()
        except NoWayError as problem:
            print_line(str(problem))
            return
        print_line(f"the search plays {found.move}, and expects {' '.join(found.line)}")

    def names_a_move(self, answer: Answer) -> bool:
        """Return whether an answer names a legal move of the player to move."""
        by = answer.conclusion.of_game.by
        if by is None:
            return False
        values = tuple(term.value for term in by.terms if isinstance(term, Constant))
        return GroundFact(by.predicate, values) in self.known.domain.actions(self.position())

    def position(self) -> Any:
        return self.known.domain.position(str(self.game.state))

    def undo(self) -> None:
        """Take back the last move of the person."""
        game = self.game
        try:
            game = game.back()
            while self.person is not None and self.known.domain.mover(str(game.state)) != self.person:
                game = game.back()
        except ValueError as problem:
            self.refuse(str(problem))
            return
        self.game = game
        self.show()

    def resign(self) -> None:
        self.ended = Ending(float(self.game.mover), f"{self.mover} resigned")

    def save_as(self, name: str) -> None:
        if not name:
            self.refuse("`save` needs the name of a file")
            return
        try:
            self.save(Path(name))
        except OSError as problem:
            self.refuse(f"{visible(name)}: {problem.strerror}")

    def record(self) -> str:
        """Return the game in the usual notation for records."""
        result = "*" if self.ending is None else self.ending.result
        return self.known.domain.record(str(self.game.states[0]), list(self.game.recorded()), result)

    def save(self, path: Path) -> None:
        write_text(path, self.record())
        print_line(f"{counted(len(self.game.moves), 'move')} in {visible(str(path))}")


def visible_lines(text: str) -> str:
    """Return a text of several lines with its control characters escaped."""
    return "\n".join(map(visible, text.split("\n")))
