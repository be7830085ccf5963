"""Go as a domain: blocks to be captured or saved, where either side may play first, or pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from math import floor
from pathlib import Path
from random import Random
from typing import Any

from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, WON, Atom, Condition, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.explain.descriptions import Words
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.text.lines import lines_of
from hornbook.theories.boards.places import Box
from hornbook.theories.domain import ConclusionsOf, Domain, ProverGuidance, RuleQuery, RuleSource
from hornbook.theories.go import adapter
from hornbook.theories.go.pictures.marked_board import boxes, marked_svg
from hornbook.theories.go.pictures.marks import marked
from hornbook.theories.go.play import chaining, columns, question
from hornbook.theories.go.problems import files
from hornbook.theories.go.problems.answers import answer_line
from hornbook.theories.go.problems.lessons import against_of, game_of, lessons_of
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.go.states import handicap
from hornbook.theories.go.states.board import PLAYERS, BoardError, Colour, GoBoard, Player
from hornbook.theories.go.states.diagram import parse_diagram, print_diagram
from hornbook.theories.go.states.game_record import MOST_KOMI, parse_game, print_game
from hornbook.theories.problems import ProblemQuery, ProblemRequest, ProblemScore, ProblemSolution, ProofTask
from hornbook.theories.protocols.columns import ColumnBlock

_HERE = Path(__file__).parent
SIZES = (5, 6, 7, 9)
"""Board sizes of random games."""
_PLAYS = {"take": "play.tactics", "save": "play.eyes", "outlast": "play.outlasting"}
"""Modules that guide the prover, by game."""


def _with_reader(module: str) -> Any:
    """Return a module that searches; importing it lazily keeps it out of programs that only query rules."""
    return import_module(f"hornbook.theories.go.{module}")


class Go(Domain):
    """Domain of Go: captures, blocks that two eyes save, and blocks that outlast an attack."""

    adapter = adapter
    states = GoBoard
    focus_predicate = question.focus_predicate
    passing = chaining
    proves_by_part = True
    later = {  # noqa: RUF012 - never changed
        "save": "blocks that two eyes save",
        "outlast": f"blocks that outlast {question.OUTLASTED} moves",
    }
    has_short_rules = False
    lasting = frozenset({"save"})
    gains = _HERE / "capture" / "balance.horn"
    sources = (
        RuleSource(_HERE / "go.horn", _HERE / "problems" / "learned.horn"),
        RuleSource(_HERE / "go.horn"),
        RuleSource(_HERE / "connection" / "connection.horn"),
    )
    suffixes = (".jsonl", ".sgf")
    values = ("GG", "GP", "GI", "PP", "unknown")

    def write(self, state: GoBoard) -> str:
        return print_diagram(state)

    def after(self, state: GoBoard, action: GroundFact) -> GoBoard | None:
        """Return the board after a move or a pass, with the opponent to play."""
        player, *point = map(str, action.values)
        other = next(p for p in PLAYERS if p != player)
        return question.after(state, action, other) if point else replace(state, ko=None, to_play=other)

    def played(self, state: GoBoard, action: GroundFact) -> GoBoard | None:
        """Return the board after a move or a pass of either player, regardless of the player to move."""
        match action:
            case GroundFact("move", (player, str(point))) if player in PLAYERS and state.has(point):
                return self.after(state, action)
            case GroundFact("pass", (player,)) if player in PLAYERS:
                return self.after(state, action)
        return None

    def random_game(self, random: Random) -> list[GoBoard]:
        games = _with_reader("problems.making.games")
        size, choose = random.choice(SIZES), random.choice((games.random_move, games.noisy_move))
        return list(games.game(size, random, choose))

    def questions(self, state: GoBoard, theory: Theory) -> Iterator[RuleQuery]:
        """Yield the games about each player's blocks. Each query concerns one defender."""
        named = [replies.game.predicate for replies in theory.replies]
        for defender in PLAYERS:
            parts = question.parts(state, defender, named)
            yield RuleQuery(parts, question.games(state, defender, named))

    def own_games(self, state: GoBoard) -> Sequence[Atom]:
        """Yield the games about each player's blocks. Each query concerns one defender."""
        others = [defender for defender in PLAYERS if defender != state.to_play]
        return [game for defender in others for game in question.games(state, defender)]

    def guiding(self, state: GoBoard, theory: Theory) -> Iterator[RuleQuery]:
        """Yield the games about blocks with few liberties.

        Searches cannot use conclusions about other blocks.
        """
        few = {
            state.name(min(block.stones)) for block in state.blocks if len(block.liberties) <= question.WEAK
        }
        for each in self.questions(state, theory):
            yield replace(each, games=[game for game in each.games if str(_point(game)) in few])

    def question(self, state: Any, game: Atom) -> RuleQuery:
        if not isinstance(state, GoBoard):
            return RuleQuery(list(_with_reader(_PLAYS[game.predicate]).facts(state, game)), [game])
        defender = question.defender_of(state, game)
        return RuleQuery(question.parts(state, defender, [game.predicate]), [game])

    def compact_texts(self, texts: Sequence[str]) -> Sequence[Any | None]:
        return columns.compact_texts(texts)

    def compact_state(self, state: GoBoard) -> Any:
        return columns.compact_state(state)

    def column_queries(
        self, state: Any, game: Atom | None, theory: Theory
    ) -> Sequence[columns.GoQuery] | None:
        return columns.queries(state, game, theory)

    def column_block(self, queries: Sequence[columns.GoQuery], cell: Callable[[str], int]) -> ColumnBlock:
        return columns.block(queries, cell)

    def play(self, game: str) -> ProverGuidance | None:
        found: ProverGuidance | None = _with_reader(_PLAYS[game]) if game in _PLAYS else None
        return found

    def judge(
        self, state: GoBoard, conclusion: GameStatement, moves: int, asking: ConclusionsOf
    ) -> bool | None:
        """Judge captures and outlasting by the exhaustive reader, and safety by all play of a few moves and
        sampled play of many.
        """
        judge = _with_reader("play.judge")
        found: bool | None
        match conclusion.game.predicate:
            case "save":
                found = judge.is_safe(state, conclusion, asking)
            case "outlast":
                found = judge.stays(state, conclusion)
            case _:
                found = judge.captures(state, conclusion, moves)
        return found

    def knows(self, keys: Mapping[str, Any]) -> bool:
        return "target" in keys and "black" in keys

    def read_problems(self, path: Path) -> Sequence[CaptureProblem]:
        return files.read_problems(path)

    def write_problems(self, found: Sequence[CaptureProblem], path: Path) -> None:
        files.write_problems(found, path)

    def shipped(self) -> Path:
        return files.shipped("hundred")

    def make_problems(self, request: ProblemRequest) -> Iterator[CaptureProblem]:
        generator = _with_reader("problems.making.generator")
        plan = generator.GenerationPlan(
            request.number, request.seed, engine=request.engine, sources=request.sources
        )
        sizes, depths = request.sizes or plan.sizes, request.depths or plan.depths
        yield from generator.generate(replace(plan, sizes=sizes, depths=depths), request.workers)

    def lessons(self, path: Path, theory: Theory) -> list[ProofTask]:
        """Return the lessons in captures, then those in saving blocks and in outlasting, if the theory treats
        them.
        """
        found = self.read_problems(path)
        lessons = [] if theory.replies_of("take") is None else lessons_of(found)
        if theory.replies_of("save") is not None:
            lessons += _with_reader("problems.saving").saving_lessons(found)
        if theory.replies_of("outlast") is not None:
            lessons += _with_reader("problems.outlasting").outlasting_lessons(found)
        return lessons

    def query_of(self, problem: CaptureProblem) -> ProblemQuery:
        return ProblemQuery(problem.id, problem.board, game_of(problem), against_of(problem))

    def answer(self, problem: CaptureProblem, solved: ProblemSolution, levels: int) -> str:
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

    def score(self, problems_file: Path, answers: Path) -> ProblemScore:
        found: ProblemScore = _with_reader("problems.score").scored(
            self.read_problems(problems_file), answers
        )
        return found

    def beginnings(self) -> Sequence[str]:
        return [_empty(size) for size in (9, 13, 19)]

    def beginning(self, size: int) -> str | None:
        return _empty(size) if 1 < size < 20 else None

    def with_komi(self, text: str, komi: float) -> tuple[str, float]:
        """Round komi to half points. Any komi between two whole numbers decides games like the half point."""
        half = komi if komi.is_integer() else floor(komi) + 0.5
        counted = max(-MOST_KOMI, min(MOST_KOMI, half))
        return f"komi: {counted:g}\n{_without(text, 'komi')}", 2 * (komi - counted)

    def emptied(self, text: str) -> tuple[str, float]:
        komi = float(_komi(text))
        return self.with_komi(_empty(self.position(text).rows), komi)[0], komi

    def handicap(self, text: str, stones: int, *, free: bool) -> Sequence[str] | None:
        board = self.position(text)
        return handicap.free_points(board, stones) if free else handicap.fixed_points(board, stones)

    def with_handicap(self, text: str, points: Sequence[str]) -> str | None:
        board = handicap.placed(self.position(text), points)
        return None if board is None else f"komi: {_komi(text)}\n{print_diagram(board)}"

    def has_stones(self, text: str) -> bool:
        return bool(self.position(text).blocks)

    def groups(self, text: str) -> Sequence[Sequence[str]]:
        board = self.position(text)
        return [[board.name(point) for point in sorted(block.stones)] for block in board.blocks]

    def gtp_setup(self, text: str) -> list[str]:
        return [f"boardsize {self.position(text).rows}", f"komi {_komi(text)}", "clear_board"]

    def mover(self, text: str) -> str:
        return str(self.position(text).to_play)

    def margin(self, outcome: float) -> str:
        return f"{abs(outcome) / 2:.10g}"

    def position(self, text: str) -> GoBoard:
        """Return the board of a state. Boards have neither komi nor passes."""
        return _position(text)

    def shown(self, text: str) -> str:
        return text.rstrip("\n")

    def record(self, beginning: str, moves: Sequence[str], result: str) -> str:
        score = {"1-0": "B+", "0-1": "W+", "1/2-1/2": "0"}.get(result)
        return print_game(self.position(beginning), moves, _komi(beginning), score)

    def recorded(self, text: str, file: str) -> tuple[str, Sequence[str]]:
        board, moves, komi = parse_game(text, file)
        return f"komi: {komi:g}\n{print_diagram(board)}", moves

    def turned(self, text: str) -> str:
        """Return the state with the turn given to the other side.

        A ko ban is lifted, and play goes on after two passes.
        """
        board, passes = self.position(text), _heading(text, "passes", "0")
        passed = "" if passes == "0" else "passes: 1\n"
        turned = replace(board, ko=None, to_play=_other(board.to_play))
        return f"komi: {_komi(text)}\n{passed}{print_diagram(turned)}"

    def refused(self, text: str, move: str) -> str | None:
        board = self.position(text)
        try:
            point = board.point(move.lower())
        except BoardError:
            return None
        if board.colours[point] != "empty":
            return "a stone stands there already"
        return "the ko forbids it" if point == board.ko else "it would be suicide"

    def closes(self, text: str, conclusion: GameStatement) -> tuple[int, str | None] | None:
        """Return the owner of a conclusion: the attacker for captures, the block's owner for saved blocks."""
        board, (block,) = self.position(text), conclusion.game.terms
        assert isinstance(block, Constant)
        if conclusion.value not in (WON, SECOND_PLAYER_WIN):
            return None
        owner = board.colours[board.point(str(block.value))]
        if owner == "empty" or (conclusion.by is None) is not (conclusion.value == SECOND_PLAYER_WIN):
            return None
        is_taken = conclusion.game.predicate == "take"
        player = PLAYERS.index(owner)
        return (1 - player if is_taken else player), (None if conclusion.by is None else _move(conclusion.by))

    def proved(self, text: str, conclusion: GameStatement, premises: Iterable[GroundFact]) -> str | None:
        """Return a conclusion as `lost d4 by e5 on c3 c4 …`.

        The points are those whose colours prove it. The conclusion is usable as long as ko
        forbids none of them.
        """
        closes = self.closes(text, conclusion)
        if closes is None:
            return None
        board, premises, (block,) = self.position(text), tuple(premises), conclusion.game.terms
        assert isinstance(block, Constant)
        if any(fact.relation == "ko" and "banned" in fact.values for fact in premises):
            return None  # a ban is gone after the next move
        stone = board.point(str(block.value))
        if closes[1] and any(stone in each.stones and len(each.liberties) == 1 for each in board.blocks):
            return None  # searches find immediate captures and missing defences without help
        by, compact = closes[1], chaining.compact(board)
        ground = chaining.ground(compact, premises)
        if conclusion.by is not None:
            ground |= chaining.ground_of_move(compact, ground_fact(conclusion.by))
        fate = "lost" if conclusion.game.predicate == "take" else "safe"
        first = "" if by is None else f" by {by}"
        return f"{fate} {block.value}{first} on {' '.join(map(board.name, sorted(ground)))}"

    def picture(self, state: GoBoard, title: str) -> str:
        return marked_svg(state, (), title)

    def places(self, state: GoBoard) -> Mapping[str, Box]:
        return boxes(state)

    def marked_picture(
        self, state: GoBoard, conclusion: GameStatement, met: Iterable[Condition], title: str, words: Words
    ) -> str:
        return marked_svg(state, marked(state, conclusion.game, conclusion.by, met, words), title)


@lru_cache(maxsize=16)
def _position(text: str) -> GoBoard:
    return parse_diagram(_without(text, "komi", "passes"), "<state>")


def _empty(size: int) -> str:
    nothing: Colour = "empty"
    return print_diagram(GoBoard(size, size, (nothing,) * size**2, None, "black"))


def _point(named: Atom) -> str | int:
    """Return the point of a game or of an action."""
    point = named.terms[-1]
    assert isinstance(point, Constant)
    return point.value


def _move(action: Atom) -> str:
    """Return a move or a pass as the native step writes it."""
    return "pass" if action.predicate == "pass" else str(_point(action))


def _other(player: Player | None) -> Player:
    return "white" if player == "black" else "black"


def _komi(text: str) -> str:
    return _heading(text, "komi", "7.5")


def _heading(text: str, name: str, otherwise: str) -> str:
    return next((line.split()[1] for line in lines_of(text) if line.startswith(f"{name}:")), otherwise)


def _without(text: str, *headings: str) -> str:
    return "".join(f"{line}\n" for line in lines_of(text) if not line.startswith(headings))


DOMAIN = Go()
