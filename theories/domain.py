"""What a domain tells the rest, beside its theory and its adapter: one class, of which a domain says what it can.

`NAME/domain.py` stands beside `NAME/adapter.py`, and its `DOMAIN` is an instance of a class made of `Domain`. Every command
asks that instance and nothing else, so a new domain needs no change anywhere. A state is whatever the adapter
reads, and hashable. What is left out has a default, or is named by the command that needs it:

    from hornbook.theories.domain import Domain, game
    from . import adapter

    class Nim(Domain):
        adapter = adapter                                # read, facts, actions, step

        def to_move(self, state): return state.player
        def games(self, state): return [game("last", "ann"), game("last", "bob")]
        def outcome(self, state, game): ...              # True, False, or None while it goes on
        def starts(self): return [adapter.read("ann: 3 2 1", "the beginning")]
        def write(self, state): ...                      # what `adapter.read` reads

    DOMAIN = Nim()

That is enough for `learn --problems`, `solve`, `match`, `score`, `audit`, `problems` and `profile`. Nothing here is believed:
rules come from proofs by the theory, and the checker certifies each.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from hornbook.kb.ast.parts import Part, alone, kept
from hornbook.kb.ast.terms import Atom, Condition, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.explain.words import Words
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.adapters import state_of_file
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.files import read_text
from hornbook.theories import problems, search
from hornbook.theories.boards import grid as pictures
from hornbook.theories.boards.line_records import line_record
from hornbook.theories.boards.places import Box
from hornbook.theories.not_said import NotSaidError
from hornbook.theories.problems import Asked, Lesson, Score, Solved, Wanted

if TYPE_CHECKING:  # what only reads a state loads no planner
    from hornbook.planner.kep.game import Game
    from hornbook.planner.kep.lines import Turn

About = frozenset[str | int]
"""The things of a state that a reading is about."""
Asking = Callable[[Any, Atom], Iterable[GameStatement]]
"""What learned rules say of a game in a state."""
LONGEST = 200
"""So many actions of a game that is played at random."""


def game(name: str, *things: str | int) -> Atom:
    """A game, such as `last(ann)`: what one side wants to reach and the other to prevent."""
    return Atom(name, tuple(map(Constant, things)))


@dataclass(frozen=True, slots=True)
class Question:
    """What rules are asked at once: a state's facts in parts, and games."""

    parts: Sequence[Part]
    games: Sequence[Atom]


class Play(Protocol):
    """Guidance: where the prover looks for proofs that a game is won. Says no more than what may be tried."""

    @property
    def focus_predicate(self) -> str:
        """The static predicate that says what a reading of a state is about."""

    def facts(self, state: Any, game: Atom, about: About | None) -> Iterable[GroundFact | Part]: ...

    def after(self, state: Any, action: GroundFact) -> Any | None: ...

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom | None: ...

    def attempts(self, state: Any, game: Atom, moves: int) -> Iterable[GroundFact]: ...

    def wider(self, state: Any, game: Atom, about: About) -> Iterable[About]: ...

    def replies(self, state: Any, game: Atom, about: About) -> Iterable[GroundFact]: ...


@dataclass(frozen=True, slots=True)
class Planning:
    """What plans are made of in a game for two who move in turn.

    `goals` is the theory in whose games plans are learned, `plans` those that ship. `claims` is the theory whose rules say of a
    side that it has won, in the games `wins`, or has not lost, in the games `holds`. A plan is looked for that earns
    `expectation`, in what goals promise. Players are of the sort `side`, and `acts` is a condition of `goals` on ?o, who acts, and `{0}`,
    the action's first argument: `before at({0}, ?o, _)`.
    """

    game: Game
    goals: Path
    plans: Path
    claims: Path
    wins: tuple[str, ...]
    holds: tuple[str, ...]
    expectation: int
    side: str
    acts: str


@dataclass(frozen=True, slots=True)
class Situation:
    """A state of a file, with the actions that the file says are best, and a line of play from there, of both sides in turn; none
    where it says nothing of them.
    """

    name: str
    state: Any
    best: tuple[GroundFact, ...] = ()
    line: tuple[GroundFact, ...] = ()


class Domain:
    """What a domain says. Of most things there is a default; of the others NotSaidError names what to write."""

    adapter: ModuleType
    states: type = object
    """What the adapter makes of a file; of nothing else is anything asked."""
    focus_predicate = "named"

    # States

    def facts(self, state: Any, game: Atom | None = None, about: About | None = None) -> Iterable[GroundFact]:
        """The facts of a state, by default the adapter's."""
        found: Iterable[GroundFact] = self.adapter.facts(state)
        return found

    def parts(self, state: Any) -> Sequence[Part]:
        """The facts in parts, of which no two have a fact in common."""
        return [kept(alone, fact) for fact in dict.fromkeys(self.facts(state))]

    def actions(self, state: Any) -> Iterable[GroundFact]:
        """The legal actions of who is to move, by default the adapter's."""
        found: Iterable[GroundFact] = self.adapter.actions(state)
        return found

    def after(self, state: Any, action: GroundFact) -> Any | None:
        """The state after an action, None where it is illegal; by default the adapter's `step`."""
        return self.adapter.step(state, action)

    def played(self, state: Any, action: GroundFact) -> Any | None:
        """The state after an action that anybody may name, None where it is none of this state's or illegal."""
        return self.after(state, action) if action in self.actions(state) else None

    def turns(self, state: Any) -> Iterable[tuple[str, Any]]:
        """The moves of a whole turn, as a native step plays them: each as it is written, with the state after it.

        By default each action is one; where who has moved may have to go on, a turn is several actions.
        """
        for action in self.actions(state):
            yield self.write_move(state, action), self.after(state, action)

    def to_move(self, state: Any) -> str | int:
        """Who is to move."""
        self.not_said("to_move")

    def write(self, state: Any) -> str:
        """A state as text, such as the adapter reads."""
        self.not_said("write")

    def starts(self) -> Sequence[Any]:
        """The states at which play begins."""
        self.not_said("starts")

    def random_game(self, random: Random) -> list[Any]:
        """The states of one game that is played at random."""
        states = [random.choice(self.starts())]
        while len(states) < LONGEST and (actions := list(self.actions(states[-1]))):
            states.append(self.after(states[-1], random.choice(actions)))
        return states

    # Games

    def games(self, state: Any) -> Sequence[Atom]:
        """Every game that can be asked about in a state."""
        self.not_said("games")

    def own_games(self, state: Any) -> Sequence[Atom]:
        """The games that who is to move may win, in which chains of matches look further."""
        mover = self.to_move(state)
        return [game for game in self.games(state) if self.friend(state, game) == mover]

    def friend(self, state: Any, game: Atom) -> str | int:
        """Who wants to win a game; by default it is what the game is about: ann in `last(ann)`."""
        return thing(game)

    def outcome(self, state: Any, game: Atom) -> bool | None:
        """Whether its friend has won a game (True) or lost it (False); None while play goes on."""
        self.not_said("outcome")

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom | None:
        """What a game is about after an action that does not end it; None where it is lost by it."""
        return game

    def questions(self, state: Any, theory: Theory) -> Iterator[Question]:
        """All that rules can be asked about a state, where a game may have to be asked about in several ways."""
        yield Question(self.parts(state), self.games(state))

    def question(self, state: Any, game: Atom) -> Question:
        """One game of a state."""
        return Question(self.parts(state), [game])

    # Guidance

    def play(self, game: str) -> Play | None:
        """Who plays a game for the prover, None where nobody does; by default the domain, by search."""
        return self

    def attempts(self, state: Any, game: Atom, moves: int) -> Iterable[GroundFact]:
        """The friend's actions that may win within so many of his moves, the best first; by default those that do."""
        return search.winning(self, state, game, moves)

    def replies(self, state: Any, game: Atom, about: About) -> Iterable[GroundFact]:
        """The opponent's actions that concern such things; by default all that there are."""
        return () if self.to_move(state) == self.friend(state, game) else self.actions(state)

    def wider(self, state: Any, game: Atom, about: About) -> Iterable[About]:
        """What a reading may be about where its moves are about this: first no more, then what may help it."""
        yield about

    def moves(self, state: Any) -> Iterable[GroundFact]:
        """The legal actions as chains of matches try them, the most forcing first."""
        return self.actions(state)

    passing: Any = None
    """Of games in which one may pass: what conclusions rest on, as `hornbook.compiler.match.plays.PassGame`."""
    proves_by_part = False
    """Whether proofs of a game use the file alone that says its replies."""
    later: Mapping[str, str] = {}
    """Games that are learned after the others, by rules of their own, and what their lessons are called."""

    decisive: frozenset[str] = frozenset()
    """Games of which whoever wins one has won as a whole, by a unit of the outcome or more."""
    gains: Path | None = None
    """The theory that says what a concluded action gains at least, by its game `gain`, of which the last argument is the amount;
    its rules may rest on learned ones. Without it a game gains the `worth` that the domain's theory declares for it.
    """

    ways: tuple[Path, ...] = ()
    """Plans in the games of what `planning` says, beside those that ship for planners, that say where to go when nothing is shown to gain."""

    def is_planned(self, state: Any) -> bool:
        """Whether plans say where to go in a state: nothing stands there that they do not move."""
        return True

    def balance(self, state: Any, player: str | int) -> int | None:
        """What a player has more than the others, counted as `gains` counts; None where that is not counted."""
        return None

    # Judgement

    def judge(self, state: Any, said: GameStatement, moves: int, asking: Asking) -> bool | None:
        """Whether a conclusion is true, within so many moves of the friend: by default by exhaustive search, which
        shares nothing with the theory. None where that is too hard; `asking` asks the rules themselves.
        """
        return search.is_true(self, state, said, moves)

    lasting: frozenset[str] = frozenset()
    """Games that are won for as long as play may last, so that a conclusion has no depth."""

    # Problems

    suffixes: tuple[str, ...] = (".jsonl",)
    """What the names of files with problems end in."""
    values: tuple[str, ...] = ()
    """The values that `solve` counts, in this order; by default those that occur."""

    def knows(self, keys: Mapping[str, Any]) -> bool:
        """Whether a file of problems is this domain's, by the keys of its first line of JSON."""
        return False

    def read_problems(self, path: Path) -> Sequence[Any]:
        """The problems of a file. Raises TheoryError where it is wrong."""
        return problems.parse(read_text(path), str(path), self.adapter)

    def write_problems(self, found: Sequence[Any], path: Path) -> None:
        """Writes a file of problems, whole or not at all."""
        problems.write(found, path)

    def shipped(self) -> Path:
        """The problems beside the domain from which rules are learned."""
        self.not_said("shipped")

    def make_problems(self, wanted: Wanted) -> Iterator[Any]:
        """New problems from a seed; by default states of random games, with every first move judged by search."""
        return problems.make(self, wanted)

    def lessons(self, path: Path, theory: Theory) -> list[Lesson]:
        """The problems of a file from which there is something to learn, in that order."""
        found = (p.lesson for p in self.read_problems(path) if p.won)
        return sorted(found, key=lambda lesson: lesson.moves)

    def asked(self, problem: Any) -> Asked:
        """What a problem asks."""
        found: Asked = problem.asked
        return found

    def answer(self, problem: Any, solved: Solved, levels: int) -> str:
        """What rules said of a problem, as a line of JSON that `score` reads."""
        return problems.answer(self.asked(problem), solved, self.write_move)

    def score(self, problems_file: Path, answers: Path) -> Score:
        """How well problems were answered."""
        return problems.score(self.read_problems(problems_file), read_text(answers), str(answers))

    # Pictures

    def grid(self, state: Any) -> Iterable[Iterable[tuple[str, str]]]:
        """A state as rows of places, each with its name and what stands there, top row first."""
        self.not_said("grid")

    def picture(self, state: Any, title: str) -> str:
        """A state as SVG."""
        return pictures.svg(self.grid(state), title)

    def places(self, state: Any) -> Mapping[str, Box]:
        """Where the places of a state, by their names, stand in its picture; by default those of the grid."""
        return pictures.boxes(self.grid(state))

    def marked_picture(
        self, state: Any, said: GameStatement, met: Iterable[Condition], title: str, words: Words
    ) -> str:
        """The same with the places marked that a rule speaks of, whose conditions are met so, in the theory's words."""
        return pictures.svg(self.grid(state), title, said, met, words)

    # For planners and players

    def planning(self) -> Planning:
        """What plans are made of."""
        self.not_said("planning")

    def situations(self, path: Path) -> Sequence[Situation]:
        """The states that a file has; by default the one that the adapter reads, of which the path may be a text."""
        return [Situation(str(path), state_of_file(self.adapter, path))]

    def write_line(self, state: Any) -> str:
        """A state as short text, as the adapter and the native step read it; by default as `write` does."""
        return self.write(state)

    def write_play(self, play: Turn, name: str) -> str:
        """Lines of play as people keep them; the first turn has no action."""
        self.not_said("write_play")

    def evaluation(self, state: Any) -> int:
        """A number for a state, more where it is better for who is to move."""
        self.not_said("evaluation")

    def write_move(self, state: Any, action: GroundFact) -> str:
        """An action as people write it; by default as the theory does."""
        return print_condition(Atom(action.relation, tuple(map(Constant, action.values))))

    def read_move(self, state: Any, text: str) -> GroundFact | None:
        """The legal action that is written so, if there is one."""
        return next((each for each in self.actions(state) if self.write_move(state, each) == text), None)

    # Whole games

    def beginnings(self) -> Sequence[str]:
        """The states in which whole games begin, the usual one first, as the native step reads them."""
        return [self.write_line(state) for state in self.starts()]

    def position(self, text: str) -> Any:
        """The state of a text that the native step wrote."""
        return self.adapter.read(text, "<state>")

    def beginning(self, size: int) -> str | None:
        """The state in which a game begins on a board of so many rows; None where there is no such board."""
        for text in self.beginnings():
            try:
                if len(list(self.grid(self.position(text)))) == size:
                    return text
            except NotSaidError:
                return None
        return None

    def with_komi(self, text: str, komi: float) -> tuple[str, float] | None:
        """A state of a whole game where the second player is given so many points, with the part of them that the state cannot
        count, in the unit of outcomes; None where nobody is given points.
        """
        return None

    def emptied(self, text: str) -> tuple[str, float | None]:
        """The beginning of a game on a board such as that of a state, with the points that the second player is given there; by
        default the usual one, and None.
        """
        return self.beginnings()[0], None

    def handicap(self, text: str, stones: int, *, free: bool) -> Sequence[str] | None:
        """The points on which so many handicap stones stand on an empty board, at fixed places or `free` ones; None where there are none."""
        return None

    def with_handicap(self, text: str, points: Sequence[str]) -> str | None:
        """An empty board with handicap stones on points; None where they cannot stand there."""
        return None

    def has_stones(self, text: str) -> bool:
        """Whether a board is not as empty as handicap stones need it; by default it never is."""
        return True

    def groups(self, text: str) -> Sequence[Sequence[str]]:
        """The stones that are counted as alive, by groups."""
        return ()

    def gtp_setup(self, text: str) -> list[str]:
        """What a program that speaks GTP is told before a game from a beginning."""
        return ["clear_board"]

    def mover(self, text: str) -> str:
        """Who is to move in a state of a whole game."""
        return str(self.to_move(self.position(text)))

    def typed(self, text: str, move: str) -> str | None:
        """The legal move of a state of a whole game that a person types so; None by default, where it is only read as it is written."""
        return None

    def refused(self, text: str, move: str) -> str | None:
        """Why what a person typed is no legal move, where there is something to say of it beside that."""
        return None

    def margin(self, outcome: float) -> str:
        """By how much a game was won, as people say it."""
        return f"{abs(outcome):.10g}"

    def drawn(self, states: Sequence[str]) -> str | None:
        """Why a game that came through these states is a draw although it might go on, None where it is none."""
        return "the same position for the third time" if states.count(states[-1]) > 2 else None

    def shown(self, text: str) -> str:
        """A state of a whole game as a terminal shows it; by default its grid, or the text itself without one."""
        try:
            return f"to move: {self.mover(text)}\n{pictures.text(self.grid(self.position(text)))}"
        except NotSaidError:
            return text.rstrip("\n")

    def record(self, beginning: str, moves: Sequence[str], result: str) -> str:
        """A whole game as people keep it; by default where it began, its moves and its result, a line each. For `--` see `turned`."""
        return f"{beginning.rstrip()}\n{' '.join(moves)}\n{result}\n"

    def recorded(self, text: str, file: str) -> tuple[str, Sequence[str]]:
        """The state in which a game of `record` began, and its moves, the legality of which is not looked at. Raises TheoryError.

        A file with a state alone, such as a diagram, is a game without moves.
        """
        record = line_record(text, file)
        if record is not None:
            with suppress(TheoryError):
                self.position(record.beginning)
                return record.beginning, [move for move, _ in record.moves]
        return self.write_line(self.adapter.read(text, file)), []

    def turned(self, text: str) -> str | None:
        """The state of a whole game in which the other player is to move, and nothing else has changed; None where there is none.

        Records have such turns, and programs that set up positions move by move. In the moves of a record, one is written `--`.
        """
        return None

    def closes(self, text: str, said: GameStatement) -> tuple[int, str | None] | None:
        """Whose a conclusion about a state is, and the first move for it, none where the other side may move first; None where
        searches have nothing of it, which is the default.
        """
        return None

    def guiding(self, state: Any, theory: Theory) -> Iterator[Question]:
        """What rules are asked about a state for a search: of all questions those of which it may have something."""
        yield from self.questions(state, theory)

    def proved(self, text: str, said: GameStatement, premises: Iterable[GroundFact]) -> str | None:
        """A conclusion that `closes` knows with what it rests on, as the native step's guided searches read it; None where they have nothing of it."""
        return None

    # Years of a firm

    def read_year(self, folder: Path) -> Sequence[Any]:
        """The months of a year that was kept in a folder, for `report`."""
        self.not_said("read_year")

    def not_said(self, name: str) -> NoReturn:
        """Raises NotSaidError with what is to be written for a name."""
        wanted = getattr(Domain, name)
        what = " ".join((inspect.getdoc(wanted) or "").split("\n\n")[0].split())
        place = inspect.getsourcefile(type(self)) or type(self).__module__
        raise NotSaidError(
            f"{place}: `{type(self).__name__}` has no `{name}`; write\n"
            f"  def {name}{inspect.signature(wanted)}:\n"
            f'    """{what}"""'
        )


def thing(game: Atom) -> str | int:
    """What a game is about, its first argument."""
    term = game.terms[0]
    assert isinstance(term, Constant)
    return term.value
