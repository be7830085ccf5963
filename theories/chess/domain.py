"""Chess as a domain: the games of mating, of taking a man and of promoting a pawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import Atom, Condition, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.explain.descriptions import Words
from hornbook.kb.load.adapters import text_of
from hornbook.kb.sources.files import read_text
from hornbook.theories.boards.places import Box
from hornbook.theories.chess import adapter
from hornbook.theories.chess.pictures.marked_board import marked_svg
from hornbook.theories.chess.pictures.marks import marked
from hornbook.theories.chess.pictures.svg import boxes
from hornbook.theories.chess.play import question, tactics
from hornbook.theories.chess.play.pgn import NULL, print_game, print_pgn
from hornbook.theories.chess.play.planning import ChessPlanning
from hornbook.theories.chess.problems import problem, score
from hornbook.theories.chess.problems.lessons import game_of_problem, moves_of, position_of
from hornbook.theories.chess.problems.problem import ChessProblem
from hornbook.theories.chess.states.attacked import in_check
from hornbook.theories.chess.states.diagram import print_diagram
from hornbook.theories.chess.states.epd import parse_epd
from hornbook.theories.chess.states.fen import parse_fen, print_fen
from hornbook.theories.chess.states.notation import NotationError, parse_move, parse_san, print_san, print_uci
from hornbook.theories.chess.states.pgn import BEGINNING, is_pgn, parse_pgn, passed
from hornbook.theories.chess.states.position import EMPTY, NAMES, PLAYERS, ChessPosition, Player, square
from hornbook.theories.chess.states.rules import legal_moves
from hornbook.theories.domain import Domain, FileState, ProverGuidance, RuleQuery, RuleSource
from hornbook.theories.problems import ProblemQuery, ProblemScore, ProofTask
from hornbook.theories.protocols.planning import Planning, Turn

_HERE = Path(__file__).parent
_COMBINATIONS = _HERE / "ahead" / "combinations.horn"


class Chess(Domain):
    """Domain of chess, with games about men and mate. Passing is illegal."""

    adapter = adapter
    states = ChessPosition
    focus_predicate = question.focus_predicate
    decisive = frozenset({"mate"})
    has_short_rules = False
    gains = _HERE / "balance.horn"
    ways = (_HERE / "plans" / "ways.horn",)
    sources = (
        RuleSource(_HERE / "chess.horn", _HERE / "problems" / "learned.horn"),
        RuleSource(_COMBINATIONS),
        *(RuleSource(_COMBINATIONS, _HERE / "ahead" / f"{name}.horn") for name in ("forced", "threats")),
        RuleSource(_HERE / "ahead" / "against_replies.horn", _HERE / "ahead" / "learned.horn"),
        RuleSource(_HERE / "endings" / "endings.horn"),
    )

    def parts(self, state: ChessPosition) -> Sequence[Part]:
        return question.parts(state)

    def actions(self, state: ChessPosition) -> Iterable[GroundFact]:
        return question.actions(state)

    def after(self, state: ChessPosition, action: GroundFact) -> ChessPosition:
        return question.after(state, action)

    def moves(self, state: ChessPosition) -> Iterable[GroundFact]:
        return question.moves(state)

    def to_move(self, state: ChessPosition) -> Player:
        return state.to_move

    def write(self, state: ChessPosition) -> str:
        return print_diagram(state)

    def starts(self) -> Sequence[ChessPosition]:
        return [parse_fen(BEGINNING)]

    def games(self, state: ChessPosition) -> Sequence[Atom]:
        return question.games(state)

    def question(self, state: ChessPosition, game: Atom) -> RuleQuery:
        """Return the query for one game.

        Raise PositionError if the game names a square that does not exist.
        """
        for term in game.terms:
            assert isinstance(term, Constant)
            if term.value not in PLAYERS:
                square(str(term.value))
        return super().question(state, game)

    def friend(self, state: ChessPosition, game: Atom) -> str:
        return question.friend_of(state, game)

    def followed(self, state: ChessPosition, game: Atom, action: GroundFact) -> Atom | None:
        return question.followed(state, game, action)

    def is_planned(self, state: ChessPosition) -> bool:
        """Return whether only kings and pawns are left; the plans do not cover other men."""
        return set(state.men) <= {EMPTY, *"KkPp"}

    def balance(self, state: ChessPosition, player: str | int) -> int:
        return question.balance(state, player)

    def play(self, game: str) -> ProverGuidance | None:
        return tactics

    def knows(self, keys: Mapping[str, Any]) -> bool:
        return "fen" in keys

    def read_problems(self, path: Path) -> Sequence[ChessProblem]:
        return problem.parse_problems(read_text(path), str(path))

    def shipped(self) -> Path:
        return problem.shipped("learn")

    def lessons(self, path: Path, theory: Theory) -> list[ProofTask]:
        """Return the won problems with few enough moves to learn from, those with the fewest moves first."""
        found = []
        for each in self.read_problems(path):
            moves, game = moves_of(each), game_of_problem(each)
            if moves is not None and moves <= tactics.MOST_MOVES[game.predicate]:
                found.append(ProofTask(each.id, position_of(each), game, moves))
        return sorted(found, key=lambda lesson: lesson.moves)

    def query_of(self, problem: ChessProblem) -> ProblemQuery:
        return ProblemQuery(problem.id, position_of(problem), game_of_problem(problem))

    def score(self, problems_file: Path, answers: Path) -> ProblemScore:
        return score.scored(self.read_problems(problems_file), answers)

    def planning(self) -> Planning:
        """Return the description of endgame plans: pawns are promoted and captured, and distances
        decide the result.
        """
        return Planning(
            ChessPlanning(),
            goals=_HERE / "parts" / "gains.horn",
            plans=_HERE / "plans" / "pawns.horn",
            claims=_HERE / "endings" / "endings.horn",
            wins=("win",),
            holds=("win", "hold"),
            expectation=100,
            side="side",
            acts="before at({0}, ?o, _)",
        )

    def situations(self, path: Path) -> Sequence[FileState]:
        """Return the positions of all lines of an EPD file, else the position of a file or FEN.

        Move counters are ignored.
        """
        if path.suffix == ".epd":
            return [
                FileState(
                    line.name,
                    _uncounted(line.position),
                    tuple(map(question.action_of, line.best)),
                    tuple(map(question.action_of, line.moves)),
                )
                for line in parse_epd(text_of(adapter, path), str(path))
            ]
        return [replace(each, state=_uncounted(each.state)) for each in super().situations(path)]

    def write_line(self, state: ChessPosition) -> str:
        return print_fen(state)

    def write_play(self, play: Turn, name: str) -> str:
        return print_pgn(play, {"Event": name})

    def write_move(self, state: ChessPosition, action: GroundFact) -> str:
        return print_uci(question.move_of(action))

    def drawn(self, states: Sequence[str]) -> str | None:
        """Return the reason for a draw: also insufficient material, and fifty moves without a
        capture or pawn move.
        """
        men = states[-1].partition(" ")[0]
        left = sorted(man.lower() for man in men if man.isalpha() and man not in "Kk")
        if left in ([], ["b"], ["n"]):
            return "nobody has enough men to mate"
        return "fifty moves without progress" if _is_quiet(states) else super().drawn(states)

    def typed(self, text: str, move: str) -> str | None:
        try:
            return print_uci(parse_move(parse_fen(text), move))
        except NotationError:
            return None

    def refused(self, text: str, move: str) -> str | None:
        position = parse_fen(text)
        if move[:2] in NAMES:
            there = [
                print_san(position, each) for each in legal_moves(position) if NAMES[each.start] == move[:2]
            ]
            return (
                f"from {move[:2]} there are {', '.join(there)}"
                if there
                else f"nothing can move from {move[:2]}"
            )
        try:
            parse_san(position, move)
        except NotationError as problem:
            reason = str(problem)
            return None if "not legal" in reason else reason
        return None

    def shown(self, text: str) -> str:
        return print_diagram(parse_fen(text)).rstrip("\n")

    def record(self, beginning: str, moves: Sequence[str], result: str) -> str:
        return print_game(parse_fen(beginning), moves, result)

    def recorded(self, text: str, file: str) -> tuple[str, Sequence[str]]:
        if not is_pgn(text):
            return print_fen(adapter.read(text, file)), []
        game = parse_pgn(text, file)
        return print_fen(game.beginning), [NULL if move is None else print_uci(move) for move in game.moves]

    def turned(self, text: str) -> str | None:
        """Return the position after a null move, or None if the player to move is in check
        and cannot make one.
        """
        position = parse_fen(text)
        return None if in_check(position) else print_fen(passed(position))

    def picture(self, state: ChessPosition, title: str) -> str:
        return marked_svg(state, (), f"{title}: {state.to_move} to move")

    def places(self, state: ChessPosition) -> Mapping[str, Box]:
        return boxes()

    def marked_picture(
        self,
        state: ChessPosition,
        conclusion: GameStatement,
        met: Iterable[Condition],
        title: str,
        words: Words,
    ) -> str:
        move = None if conclusion.by is None else conclusion.by.terms[:2]
        squares = [str(term.value) for term in move or () if isinstance(term, Constant)]
        arrow = (squares[0], squares[1]) if len(squares) == 2 else None
        return marked_svg(state, marked(state, conclusion.game, conclusion.by, met, words), title, arrow)


_QUIET = 100
"""Number of plies without progress after which a game is a draw."""


def _is_quiet(states: Sequence[str]) -> bool:
    """Return whether the last `_QUIET` plies had no capture and no pawn move."""

    def progress(text: str) -> tuple[int, str]:
        men = parse_fen(text).men
        return len(men) - men.count(EMPTY), "".join(man if man in "Pp" else EMPTY for man in men)

    return len(states) > _QUIET and progress(states[-1]) == progress(states[-1 - _QUIET])


def _uncounted(state: ChessPosition) -> ChessPosition:
    """Return the position as `question.after` leaves it, independent of its history."""
    return replace(state, quiet_plies=0, number=1)


DOMAIN = Chess()
