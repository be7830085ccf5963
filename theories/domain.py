"""Interface of a domain: one class whose instance answers every query of the commands.

A domain has the modules `NAME/adapter.py` and `NAME/domain.py`, whose `DOMAIN` is an instance of a subclass
of `Domain`. Commands use only that instance, so a new domain needs no change elsewhere. A state is any
hashable value that the adapter reads. Members that a domain leaves out have a default, or the command that
needs one names it:

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

This much is enough for `learn --problems`, `solve`, `match`, `score`, `audit`, `problems` and `profile`. The
trusted part does not depend on a domain: rules come from proofs by the theory, and the checker certifies each
rule.

The friend of a game is the player for whom it is won; the other player is the opponent.
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
from warnings import warn

from hornbook.kb.ast.parts import Part, cached_part, rows_of_facts
from hornbook.kb.ast.terms import Atom, Condition, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.explain.descriptions import Words
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.adapters import state_of_file
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.files import read_text
from hornbook.theories import problems, search
from hornbook.theories.boards import grid as pictures
from hornbook.theories.boards.line_records import line_record
from hornbook.theories.boards.places import Box
from hornbook.theories.missing_member import MissingMemberError
from hornbook.theories.problems import ProblemQuery, ProblemRequest, ProblemScore, ProblemSolution, ProofTask

if TYPE_CHECKING:  # avoids loading the planner in programs that only read a state
    from hornbook.planner.kep.game import PlanningGame
    from hornbook.planner.kep.lines import Turn

FocusSet = frozenset[str | int]
"""Focus set of a body: the things of a state that it mentions."""
ConclusionsOf = Callable[[Any, Atom], Iterable[GameStatement]]
"""Function that returns the conclusions of learned rules about a game in a state."""
LONGEST = 200
"""Maximal number of actions of a random game."""


def game(name: str, *things: str | int) -> Atom:
    """Return a game, such as `last(ann)`, which one side wants to reach and the other to prevent."""
    return Atom(name, tuple(map(Constant, things)))


@dataclass(frozen=True, slots=True)
class RuleQuery:
    """Query to the rules: the facts of a state in parts, and the games to decide."""

    parts: Sequence[Part]
    games: Sequence[Atom]


class ProverGuidance(Protocol):
    """Guidance for the prover: which proofs that a game is won it should try. Guidance is not trusted."""

    @property
    def focus_predicate(self) -> str:
        """Static predicate that names the focus set of a body."""

    def facts(self, state: Any, game: Atom, about: FocusSet | None) -> Iterable[GroundFact | Part]: ...

    def after(self, state: Any, action: GroundFact) -> Any | None: ...

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom | None: ...

    def attempts(self, state: Any, game: Atom, moves: int) -> Iterable[GroundFact]: ...

    def wider(self, state: Any, game: Atom, about: FocusSet) -> Iterable[FocusSet]: ...

    def replies(self, state: Any, game: Atom, about: FocusSet) -> Iterable[GroundFact]: ...


@dataclass(frozen=True, slots=True)
class Planning:
    """Description of the plans of a game for two players who move in turn.

    Plans are learned in the games of the theory `goals`; `plans` holds the shipped ones. The rules of the
    theory `claims` conclude that a side has won (games `wins`) or has not lost (games `holds`). The planner
    looks for plans whose goal value is at least `expectation`. Players have the sort `side`. `acts` is a
    condition of `goals` on ?o, the acting player, and on `{0}`, the action's first argument: `before at({0},
    ?o, _)`.
    """

    game: PlanningGame
    goals: Path
    plans: Path
    claims: Path
    wins: tuple[str, ...]
    holds: tuple[str, ...]
    expectation: int
    side: str
    acts: str


@dataclass(frozen=True, slots=True)
class FileState:
    """State of a file, with its best actions and a line of play if the file gives them.

    The line starts at the state and contains the actions of both sides in turn.
    """

    name: str
    state: Any
    best: tuple[GroundFact, ...] = ()
    line: tuple[GroundFact, ...] = ()


class Domain:
    """Base class of domains.

    Most members have a default; the others raise NotSaidError, which names the member to write.
    """

    adapter: ModuleType
    states: type = object
    """Class of the states that the adapter reads. Commands use the domain only for instances of it."""
    focus_predicate = "named"

    # States

    def facts(
        self, state: Any, game: Atom | None = None, about: FocusSet | None = None
    ) -> Iterable[GroundFact]:
        """Return the facts of a state, by default the adapter's."""
        found: Iterable[GroundFact] = self.adapter.facts(state)
        return found

    def parts(self, state: Any) -> Sequence[Part]:
        """Return the facts of a state as pairwise disjoint parts."""
        return [cached_part(rows_of_facts, fact) for fact in dict.fromkeys(self.facts(state))]

    def actions(self, state: Any) -> Iterable[GroundFact]:
        """Return the legal actions of the player to move, by default the adapter's."""
        found: Iterable[GroundFact] = self.adapter.actions(state)
        return found

    def after(self, state: Any, action: GroundFact) -> Any | None:
        """Return the state after an action, or None if it is illegal; by default the adapter's `step`."""
        return self.adapter.step(state, action)

    def played(self, state: Any, action: GroundFact) -> Any | None:
        """Return the state after an arbitrary action, or None if the action is illegal or belongs to another
        state.
        """
        return self.after(state, action) if action in self.actions(state) else None

    def turns(self, state: Any) -> Iterable[tuple[str, Any]]:
        """Yield the moves of a whole turn as a native step plays them, each as text with the state after it.

        By default a turn is one action. In games where a player may have to move on, a turn is several
        actions.
        """
        for action in self.actions(state):
            yield self.write_move(state, action), self.after(state, action)

    def to_move(self, state: Any) -> str | int:
        """Return the player to move."""
        self.not_said("to_move")

    def write(self, state: Any) -> str:
        """Return a state as text that the adapter reads."""
        self.not_said("write")

    def starts(self) -> Sequence[Any]:
        """Return the initial states."""
        self.not_said("starts")

    def random_game(self, random: Random) -> list[Any]:
        """Return the states of one random game."""
        states = [random.choice(self.starts())]
        while len(states) < LONGEST and (actions := list(self.actions(states[-1]))):
            states.append(self.after(states[-1], random.choice(actions)))
        return states

    # Games

    def games(self, state: Any) -> Sequence[Atom]:
        """Return all games that can be queried in a state."""
        self.not_said("games")

    def own_games(self, state: Any) -> Sequence[Atom]:
        """Return the games that the player to move may win. Chains of matches look further in these games."""
        mover = self.to_move(state)
        return [game for game in self.games(state) if self.friend(state, game) == mover]

    def friend(self, state: Any, game: Atom) -> str | int:
        """Return the friend of a game, by default its first argument: ann in `last(ann)`."""
        return first_argument(game)

    def outcome(self, state: Any, game: Atom) -> bool | None:
        """Return True if the friend has won a game, False if it is lost, None while play goes on."""
        self.not_said("outcome")

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom | None:
        """Return the game after an action that does not end it, or None if the action loses the game."""
        return game

    def questions(self, state: Any, theory: Theory) -> Iterator[RuleQuery]:
        """Yield all queries to the rules about a state. A game may need several queries."""
        yield RuleQuery(self.parts(state), self.games(state))

    def question(self, state: Any, game: Atom) -> RuleQuery:
        """Return the query for one game of a state."""
        return RuleQuery(self.parts(state), [game])

    # Guidance

    def play(self, game: str) -> ProverGuidance | None:
        """Return the guidance of the prover for a game, or None if there is none; by default the domain,
        which searches.
        """
        return self

    def attempts(self, state: Any, game: Atom, moves: int) -> Iterable[GroundFact]:
        """Return the friend's candidate actions for a win within `moves` of the friend's moves, the best
        first.

        By default these are the actions that do win by search.
        """
        return search.winning(self, state, game, moves)

    def replies(self, state: Any, game: Atom, about: FocusSet) -> Iterable[GroundFact]:
        """Return the opponent's actions that concern the focus set `about`; by default all actions."""
        return () if self.to_move(state) == self.friend(state, game) else self.actions(state)

    def wider(self, state: Any, game: Atom, about: FocusSet) -> Iterable[FocusSet]:
        """Yield focus sets for a body that mentions `about`: first the same set, then larger sets that may
        help.
        """
        yield about

    def moves(self, state: Any) -> Iterable[GroundFact]:
        """Return the legal actions as chains of matches try them, the most forcing first."""
        return self.actions(state)

    passing: Any = None
    """Premises of conclusions in games with passes, as `hornbook.compiler.match.plays.Question`."""
    proves_by_part = False
    """Whether proofs of a game use only the file that defines its replies."""
    later: Mapping[str, str] = {}
    """Games that are learned after the others by separate rules, with the names of their lessons."""

    decisive: frozenset[str] = frozenset()
    """Games whose winner has won as a whole, by at least one unit of the outcome."""
    gains: Path | None = None
    """Theory that gives a lower bound on the gain of a concluded action.

    The bound is the last argument of its game `gain`; its rules may use learned rules. Without this theory a
    game gains the `worth` that the domain's theory declares for it.
    """

    ways: tuple[Path, ...] = ()
    """Plans in the games of `planning`, besides the shipped plans, that propose moves when no gain is shown.
    """

    def is_planned(self, state: Any) -> bool:
        """Return whether plans apply to a state: they can move every piece in it."""
        return True

    def balance(self, state: Any, player: str | int) -> int | None:
        """Return the lead of a player over the others in the unit of `gains`, or None if the domain does not
        count it.
        """
        return None

    # Judgement

    def judge(self, state: Any, conclusion: GameStatement, moves: int, asking: ConclusionsOf) -> bool | None:
        """Return whether a conclusion is true within `moves` moves of the friend, or None if that is too hard
        to decide.

        The default is an exhaustive search, which shares no code with the theory. `asking` queries the rules
        themselves.
        """
        return search.is_true(self, state, conclusion, moves)

    lasting: frozenset[str] = frozenset()
    """Games whose conclusions have no depth, because the win may take as long as play lasts."""

    # Problems

    suffixes: tuple[str, ...] = (".jsonl",)
    """Suffixes of the names of problem files."""
    values: tuple[str, ...] = ()
    """Values that `solve` counts, in this order; by default the values that occur."""

    def knows(self, keys: Mapping[str, Any]) -> bool:
        """Return whether a problem file belongs to this domain, given the keys of its first line of JSON."""
        return False

    def read_problems(self, path: Path) -> Sequence[Any]:
        """Return the problems of a file. Raise TheoryError if it is malformed."""
        return problems.parse(read_text(path), str(path), self.adapter)

    def write_problems(self, found: Sequence[Any], path: Path) -> None:
        """Write a file of problems atomically."""
        problems.write(found, path)

    def shipped(self) -> Path:
        """Return the path of the shipped problems for learning."""
        self.not_said("shipped")

    def make_problems(self, request: ProblemRequest) -> Iterator[Any]:
        """Yield new problems from a seed; by default states of random games whose first moves are judged by
        search.
        """
        return problems.make(self, request)

    def lessons(self, path: Path, theory: Theory) -> list[ProofTask]:
        """Return the lessons of a problem file in learning order."""
        found = (p.lesson for p in self.read_problems(path) if p.won)
        return sorted(found, key=lambda lesson: lesson.moves)

    def asked(self, problem: Any) -> ProblemQuery:
        """Return the query of a problem."""
        found: ProblemQuery = problem.asked
        return found

    def answer(self, problem: Any, solved: ProblemSolution, levels: int) -> str:
        """Return the rules' answer to a problem, as a line of JSON that `score` reads."""
        return problems.answer(self.asked(problem), solved, self.write_move)

    def score(self, problems_file: Path, answers: Path) -> ProblemScore:
        """Return the score of a file of answers."""
        return problems.score(self.read_problems(problems_file), read_text(answers), str(answers))

    # Pictures

    def grid(self, state: Any) -> Iterable[Iterable[tuple[str, str]]]:
        """Return a state as rows of places from the top, each place as its name and content."""
        self.not_said("grid")

    def picture(self, state: Any, title: str) -> str:
        """Return a state as SVG."""
        return pictures.svg(self.grid(state), title)

    def places(self, state: Any) -> Mapping[str, Box]:
        """Return the boxes of a state's named places in its picture; by default those of the grid."""
        return pictures.boxes(self.grid(state))

    def marked_picture(
        self, state: Any, conclusion: GameStatement, met: Iterable[Condition], title: str, words: Words
    ) -> str:
        """Return the picture of a state with marks on the places that a rule mentions, in the theory's words.

        The argument `met` contains the rule's body under the substitution of the match.
        """
        return pictures.svg(self.grid(state), title, conclusion, met, words)

    # For planners and players

    def planning(self) -> Planning:
        """Return the description of the plans of this domain."""
        self.not_said("planning")

    def situations(self, path: Path) -> Sequence[FileState]:
        """Return the states of a file; by default the one that the adapter reads.

        `path` may also be a text.
        """
        return [FileState(str(path), state_of_file(self.adapter, path))]

    def write_line(self, state: Any) -> str:
        """Return a state as one line for the adapter and the native step; by default as `write` does."""
        return self.write(state)

    def write_play(self, play: Turn, name: str) -> str:
        """Return lines of play in a common file format. The first turn has no action."""
        self.not_said("write_play")

    def evaluation(self, state: Any) -> int:
        """Return the static evaluation of a state for the player to move; higher is better."""
        self.not_said("evaluation")

    def write_move(self, state: Any, action: GroundFact) -> str:
        """Return an action in the usual notation; by default in the syntax of theories."""
        return print_condition(Atom(action.relation, tuple(map(Constant, action.values))))

    def read_move(self, state: Any, text: str) -> GroundFact | None:
        """Return the legal action with this notation, or None."""
        return next((each for each in self.actions(state) if self.write_move(state, each) == text), None)

    # Whole games

    def beginnings(self) -> Sequence[str]:
        """Return the initial states of whole games as the native step reads them, the usual one first."""
        return [self.write_line(state) for state in self.starts()]

    def position(self, text: str) -> Any:
        """Return the state of a text that the native step wrote."""
        return self.adapter.read(text, "<state>")

    def beginning(self, size: int) -> str | None:
        """Return the initial state on a board of `size` rows, or None if there is no such board."""
        for text in self.beginnings():
            try:
                if len(list(self.grid(self.position(text)))) == size:
                    return text
            except MissingMemberError:
                return None
        return None

    def with_komi(self, text: str, komi: float) -> tuple[str, float] | None:
        """Return a state of a whole game with `komi` points for the second player, or None if
        the game has no komi.

        The second component is the part of the komi that the state cannot count, in the unit of outcomes.
        """
        return None

    def emptied(self, text: str) -> tuple[str, float | None]:
        """Return the initial state on a board like that of a state, and the komi there.

        By default this is the usual initial state, and None.
        """
        return self.beginnings()[0], None

    def handicap(self, text: str, stones: int, *, free: bool) -> Sequence[str] | None:
        """Return the points of `stones` handicap stones on an empty board, or None if there are none.

        The stones have fixed places, or `free` ones.
        """
        return None

    def with_handicap(self, text: str, points: Sequence[str]) -> str | None:
        """Return an empty board with handicap stones on points, or None if these points are not possible."""
        return None

    def has_stones(self, text: str) -> bool:
        """Return whether a board has stones that rule out handicap stones; by default True."""
        return True

    def groups(self, text: str) -> Sequence[Sequence[str]]:
        """Return the stones that are counted as alive, by groups."""
        return ()

    def gtp_setup(self, text: str) -> list[str]:
        """Return the commands that set up a program that speaks GTP before a game."""
        return ["clear_board"]

    def mover(self, text: str) -> str:
        """Return the player to move in a state of a whole game."""
        return str(self.to_move(self.position(text)))

    def typed(self, text: str, move: str) -> str | None:
        """Return the legal move that a person typed in abbreviated form, or None.

        By default only the full notation is accepted.
        """
        return None

    def refused(self, text: str, move: str) -> str | None:
        """Return the reason why a typed move is illegal, or None if there is nothing more to say."""
        return None

    def margin(self, outcome: float) -> str:
        """Return the margin of a win in the usual words."""
        return f"{abs(outcome):.10g}"

    def drawn(self, states: Sequence[str]) -> str | None:
        """Return the reason why a game with this history of states is a draw, or None if play goes on."""
        return "the same position for the third time" if states.count(states[-1]) > 2 else None

    def shown(self, text: str) -> str:
        """Return a state of a whole game for a terminal: its grid, or the text if there is no grid."""
        try:
            return f"to move: {self.mover(text)}\n{pictures.text(self.grid(self.position(text)))}"
        except MissingMemberError:
            return text.rstrip("\n")

    def record(self, beginning: str, moves: Sequence[str], result: str) -> str:
        """Return a whole game in a common file format; by default one line each for the initial state, moves
        and result.

        For the move `--` see `turned`.
        """
        return f"{beginning.rstrip()}\n{' '.join(moves)}\n{result}\n"

    def recorded(self, text: str, file: str) -> tuple[str, Sequence[str]]:
        """Return the initial state and the moves of a game written by `record`, without checking legality.

        A file with only a state, such as a diagram, is a game without moves. Raises TheoryError.
        """
        record = line_record(text, file)
        if record is not None:
            with suppress(TheoryError):
                self.position(record.beginning)
                return record.beginning, [move for move, _ in record.moves]
        return self.write_line(self.adapter.read(text, file)), []

    def turned(self, text: str) -> str | None:
        """Return the same state of a whole game with the other player to move, or None if there is none.

        Records contain such turns, and so do programs that set up positions move by move. The moves of a
        record show one as `--`.
        """
        return None

    def closes(self, text: str, conclusion: GameStatement) -> tuple[int, str | None] | None:
        """Return the player of a conclusion and the first move for it, or None if searches cannot use it (the
        default).

        The first move is None if the other side may move first.
        """
        return None

    def guiding(self, state: Any, theory: Theory) -> Iterator[RuleQuery]:
        """Yield the queries to the rules for a search: of all queries those whose conclusions it may use."""
        yield from self.questions(state, theory)

    def proved(self, text: str, conclusion: GameStatement, premises: Iterable[GroundFact]) -> str | None:
        """Return a conclusion that `closes` accepts, with its premises, as the native step's guided searches
        read it.

        Returns None if the searches cannot use it.
        """
        return None

    # Years of a firm

    def read_year(self, folder: Path) -> Sequence[Any]:
        """Return the months of a year that is stored in a folder, for `report`."""
        self.not_said("read_year")

    def not_said(self, name: str) -> NoReturn:
        """Raise NotSaidError with the member to write."""
        member = getattr(Domain, name)
        what = " ".join((inspect.getdoc(member) or "").split("\n\n")[0].split())
        place = inspect.getsourcefile(type(self)) or type(self).__module__
        raise MissingMemberError(
            f"{place}: `{type(self).__name__}` has no `{name}`; write\n"
            f"  def {name}{inspect.signature(member)}:\n"
            f'    """{what}"""'
        )


def first_argument(game: Atom) -> str | int:
    """Return the first argument of a game."""
    term = game.terms[0]
    assert isinstance(term, Constant)
    return term.value


_OLD_NAMES = {
    "About": "FocusSet",
    "Asking": "ConclusionsOf",
    "Play": "ProverGuidance",
    "Question": "RuleQuery",
    "Situation": "FileState",
    "thing": "first_argument",
}
"""Names that this module had before, which work for one release."""


def __getattr__(name: str) -> Any:
    if name in _OLD_NAMES:
        warn(f"`{name}` is now `{_OLD_NAMES[name]}`", DeprecationWarning, stacklevel=2)
        return globals()[_OLD_NAMES[name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
