"""Go as the commands know it: blocks to be captured or saved, on boards where either side may play first, or pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from hornbook.kb.ast.terms import Atom, Condition, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.explain.words import Words
from hornbook.kb.text.lines import lines_of
from hornbook.theories.boards.places import Box
from hornbook.theories.domain import Asking, Domain, Play, Question
from hornbook.theories.go import adapter
from hornbook.theories.go.pictures.marked_board import boxes, marked_svg
from hornbook.theories.go.pictures.marks import marked
from hornbook.theories.go.play import question
from hornbook.theories.go.problems import files
from hornbook.theories.go.problems.answers import answer_line
from hornbook.theories.go.problems.lessons import game_of, lessons_of, saving_of
from hornbook.theories.go.problems.problem import Problem
from hornbook.theories.go.states.board import PLAYERS, Board, BoardError, Colour
from hornbook.theories.go.states.diagram import parse_diagram, print_diagram
from hornbook.theories.go.states.sgf import parse_game, print_game
from hornbook.theories.problems import Asked, Lesson, Score, Solved, Wanted

SIZES = (5, 6, 7, 9)
"""The boards of random games."""
_PLAYS = {"take": "play.tactics", "save": "play.eyes"}
"""Who plays a game, by its module."""


def _with_reader(module: str) -> Any:
    """A module that searches: who only asks rules does not load it."""
    return import_module(f"hornbook.theories.go.{module}")


class Go(Domain):
    """Captures, and blocks that two eyes save."""

    adapter = adapter
    states = Board
    focus_predicate = question.focus_predicate
    passing = question
    proves_by_part = True
    later = {"save": "blocks that two eyes save"}  # noqa: RUF012 - never changed
    lasting = frozenset({"save"})
    suffixes = (".jsonl", ".sgf")
    values = ("GG", "GP", "GI", "PP", "unknown")

    def write(self, state: Board) -> str:
        return print_diagram(state)

    def after(self, state: Board, action: GroundFact) -> Board | None:
        """After a move the opponent is to play, and after a pass too."""
        player, *point = map(str, action.values)
        other = next(p for p in PLAYERS if p != player)
        return question.after(state, action, other) if point else replace(state, ko=None, to_play=other)

    def played(self, state: Board, action: GroundFact) -> Board | None:
        """After a move or a pass of either player, whoever is to play."""
        match action:
            case GroundFact("move", (player, str(point))) if player in PLAYERS and state.has(point):
                return self.after(state, action)
            case GroundFact("pass", (player,)) if player in PLAYERS:
                return self.after(state, action)
        return None

    def random_game(self, random: Random) -> list[Board]:
        games = _with_reader("problems.making.games")
        size, choose = random.choice(SIZES), random.choice((games.random_move, games.noisy_move))
        return list(games.game(size, random, choose))

    def questions(self, state: Board, theory: Theory) -> Iterator[Question]:
        """The games about each player's blocks: what is true of a board is said for one defender at a time."""
        named = [replies.game.predicate for replies in theory.replies]
        for defender in PLAYERS:
            yield Question(question.parts(state, defender), question.games(state, defender, named))

    def question(self, state: Board, game: Atom) -> Question:
        return Question(question.parts(state, question.defender_of(state, game)), [game])

    def play(self, game: str) -> Play | None:
        found: Play | None = _with_reader(_PLAYS[game]) if game in _PLAYS else None
        return found

    def judge(self, state: Board, said: GameStatement, moves: int, asking: Asking) -> bool | None:
        """By the reader of captures; that a block is safe, by all play of a few moves and some of many."""
        judge = _with_reader("play.judge")
        is_safe = said.game.predicate == "save"
        found: bool | None = (
            judge.is_safe(state, said, asking) if is_safe else judge.captures(state, said, moves)
        )
        return found

    def knows(self, keys: Mapping[str, Any]) -> bool:
        return "target" in keys and "black" in keys

    def read_problems(self, path: Path) -> Sequence[Problem]:
        return files.read_problems(path)

    def write_problems(self, found: Sequence[Problem], path: Path) -> None:
        files.write_problems(found, path)

    def shipped(self) -> Path:
        return files.shipped("hundred")

    def make_problems(self, wanted: Wanted) -> Iterator[Problem]:
        generator = _with_reader("problems.making.generator")
        plan = generator.Plan(wanted.number, wanted.seed, engine=wanted.engine, sources=wanted.sources)
        sizes, depths = wanted.sizes or plan.sizes, wanted.depths or plan.depths
        yield from generator.generate(replace(plan, sizes=sizes, depths=depths), wanted.workers)

    def lessons(self, path: Path, theory: Theory) -> list[Lesson]:
        """The problems that are captures, then those whose blocks two eyes save, where the theory speaks of that."""
        found = self.read_problems(path)
        if theory.replies_of("save") is None:
            return lessons_of(found)
        return [*lessons_of(found), *_with_reader("problems.saving").saving_lessons(found)]

    def asked(self, problem: Problem) -> Asked:
        return Asked(problem.id, problem.board, game_of(problem), saving_of(problem))

    def answer(self, problem: Problem, solved: Solved, levels: int) -> str:
        first, saving = solved.first, solved.safe or solved.saved
        return answer_line(
            problem,
            move=None if first is None else first.move,
            second_player_win=solved.second is not None,
            rule=None if first is None else first.rule,
            matched=solved.matched if levels else None,
            value=solved.value,
            saved_by=None if solved.saved is None else solved.saved.move,
            saving_rule=None if saving is None else saving.rule,
            stopped=solved.stopped,
        )

    def score(self, problems_file: Path, answers: Path) -> Score:
        found: Score = _with_reader("problems.score").scored(self.read_problems(problems_file), answers)
        return found

    def beginnings(self) -> Sequence[str]:
        return [_empty(size) for size in (9, 13, 19)]

    def beginning(self, size: int) -> str | None:
        return _empty(size) if 1 < size < 20 else None

    def with_komi(self, text: str, komi: float) -> str | None:
        return f"komi: {komi:g}\n{_without(text, 'komi')}"

    def gtp_setup(self, text: str) -> list[str]:
        return [f"boardsize {self.position(text).rows}", f"komi {_komi(text)}", "clear_board"]

    def mover(self, text: str) -> str:
        return str(self.position(text).to_play)

    def margin(self, outcome: int) -> str:
        return f"{abs(outcome) / 2:g}"

    def position(self, text: str) -> Board:
        """Boards know no komi, and not who passed."""
        return parse_diagram(_without(text, "komi", "passes"), "<state>")

    def shown(self, text: str) -> str:
        return text.rstrip("\n")

    def record(self, beginning: str, moves: Sequence[str], result: str) -> str:
        said = {"1-0": "B+", "0-1": "W+", "1/2-1/2": "0"}.get(result)
        return print_game(self.position(beginning), moves, _komi(beginning), said)

    def recorded(self, text: str, file: str) -> tuple[str, Sequence[str]]:
        board, moves, komi = parse_game(text, file)
        return f"komi: {komi:g}\n{print_diagram(board)}", moves

    def refused(self, text: str, move: str) -> str | None:
        board = self.position(text)
        try:
            point = board.point(move.lower())
        except BoardError:
            return None
        if board.colours[point] != "empty":
            return "a stone stands there already"
        return "the ko forbids it" if point == board.ko else "it would be suicide"

    def closes(self, text: str, said: GameStatement) -> tuple[int, str | None] | None:
        """Captures: who takes a block is not its owner."""
        board, (block,) = self.position(text), said.game.terms
        assert isinstance(block, Constant)
        if said.game.predicate != "take" or said.value not in (Constant("GI"), Constant("IG")):
            return None
        owner = board.colours[board.point(str(block.value))]
        if owner == "empty" or (said.by is None) is not (said.value == Constant("IG")):
            return None
        if said.by is None:
            return PLAYERS.index("white" if owner == "black" else "black"), None
        point = said.by.terms[-1]
        assert isinstance(point, Constant)
        return PLAYERS.index("white" if owner == "black" else "black"), str(point.value)

    def come_true(self, text: str, said: GameStatement) -> str | None:
        """The block is gone."""
        board, (block,) = self.position(text), said.game.terms
        assert isinstance(block, Constant)
        stone = board.point(str(block.value))
        if board.colours[stone] == "empty":
            return None
        stones = next(each.stones for each in board.blocks if stone in each.stones)
        left: list[Colour] = list(board.colours)
        for point in stones:
            left[point] = "empty"
        turn = board.to_play
        assert turn is not None
        to_play = turn if said.by is None else PLAYERS[1 - PLAYERS.index(turn)]
        komi = [f"{line}\n" for line in lines_of(text) if line.startswith("komi:")]
        return "".join(komi) + print_diagram(Board(board.rows, board.columns, tuple(left), None, to_play))

    def picture(self, state: Board, title: str) -> str:
        return marked_svg(state, (), title)

    def places(self, state: Board) -> Mapping[str, Box]:
        return boxes(state)

    def marked_picture(
        self, state: Board, said: GameStatement, met: Iterable[Condition], title: str, words: Words
    ) -> str:
        return marked_svg(state, marked(state, said.game, said.by, met, words), title)


def _empty(size: int) -> str:
    nothing: Colour = "empty"
    return print_diagram(Board(size, size, (nothing,) * size**2, None, "black"))


def _komi(text: str) -> str:
    return next((line.split()[1] for line in lines_of(text) if line.startswith("komi:")), "7.5")


def _without(text: str, *headings: str) -> str:
    return "".join(f"{line}\n" for line in lines_of(text) if not line.startswith(headings))


DOMAIN = Go()
