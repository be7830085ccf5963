"""Plans learned lesson by lesson, and planning with them (Tadepalli 1989, section 4, Tables 5 and 6).

The positions of an EPD file are put into `--orders` seeded orders. The first `--lessons` positions of each
are lessons. The others are tested after 0 lessons, a third, two thirds and all, and after a second pass
through all; a position that mirrors a lesson is not tested.

The teacher is Stockfish against itself, except that a pawn of the planning side advances whenever that keeps
the win. Its line ends when it earns the expectation. Plans and goals are learned by `play/kep/lessons.py`,
and all are proved. The theory's rules of pawn endings, which are not learned, close a proof.

A first move is wrong if the position is won and there is no move, or one that loses the win. An evaluation is
wrong if planning claims the expectation and the judge does not find a won game, or vice versa. The exit code
is 1 if a certified verdict is not confirmed.

Usage:

    python benchmarks/chess/lessons.py --epd FILE.epd [--orders 5] [--lessons 19] [--seed 1]
        [--expectation 100] [--complexity 3] [--planned 1000] [--nodes 1000] [--abe 50000]
        [--output benchmarks/results/chess-lessons.txt]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess
import chess.engine

from benchmarks import study
from benchmarks.chess.abe import read_epd
from benchmarks.chess.planning import LOOKS, PlanningRow, knowledge, row
from hornbook.inputs.theories import load
from hornbook.play.kep.goals import Actor
from hornbook.play.kep.kep import KepBounds, Knowledge
from hornbook.play.kep.lessons import (
    PlanLearner,
    PlanLearningSetting,
    PlanLesson,
    learn_from_lesson,
    value_of_line,
)
from hornbook.play.kep.planning import Planner, Plans
from hornbook.play.kep.replies import proofs
from hornbook.play.kep.tree import PlanningTree
from hornbook.theories.chess import adapter
from hornbook.theories.chess.play import question
from hornbook.theories.chess.play.planning import ChessPlanning
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.notation import parse_uci
from hornbook.theories.chess.states.position import ChessPosition
from oracles.chess import abe
from oracles.chess.ending_judge import EndingJudge, ending_judge

GAINS = Path(adapter.__file__).parent / "parts" / "gains.horn"
ACTOR = Actor("side", "before at({0}, ?o, _)")
THOUGHT, PLIES, DEEPEST = 20_000, 40, 25
"""The teacher's positions per move, the longest line, and the greatest tree height for ABE."""
PLANNED, ANSWERED = 200, 200
"""States of the planner's tree in a lesson, and of the proof that determines the answered replies."""
PAPER = """the paper's own figures, on 8 positions of its own (Tadepalli 1989, Tables 5 and 6)
lessons              0       6      12      19    2x19     ABE
nodes in sum         -      83   2,343   5,280   3,606  >250,377
o-plans              0       8      17      25      30
wrong first moves    8       2       0       0       0
wrong evaluations    8       5       5       3       3"""
Named = tuple[str, chess.Board]


@dataclass(slots=True)
class Checkpoint:
    """Knowledge after some lessons of one order, and the results of the tested positions with it."""

    name: str
    learner: PlanLearner
    rows: list[PlanningRow]
    expectation: int

    def counts(self) -> list[float]:
        """Return counts for the tables.

        They are o-plans, goals, wrong first moves, moves that lose a win, wrong evaluations, certified
        verdicts, nodes, matches and seconds.
        """
        won = [each for each in self.rows if each.won]
        results = [each.result for each in self.rows]
        return [
            len(self.learner.base),
            len(self.learner.goals),
            sum(not each.keeps for each in won),
            sum(each.keeps is False for each in won),
            sum((each.result.value >= self.expectation) is not each.won for each in self.rows),
            sum(each.result.verdict == "won" for each in won),
            sum(each.planned for each in results),
            sum(each.proved for each in results),
            sum(each.matches for each in results),
            sum(each.seconds for each in self.rows),
        ]


@dataclass(slots=True)
class LessonTeacher:
    """Lines of play for lessons, each computed once."""

    judge: EndingJudge
    expectation: int
    lines: dict[str, PlanLesson] = field(default_factory=dict)

    def lesson(self, name: str, board: chess.Board) -> PlanLesson:
        if name not in self.lines:
            self.lines[name] = self._taught(name, board)
        return self.lines[name]

    def _taught(self, name: str, board: chess.Board) -> PlanLesson:
        """Return the teacher's line, until it earns the expectation or is too long."""
        start = state = of(board)
        game, player = ChessPlanning(), side(board)
        now, lesson = board.copy(), PlanLesson(name, start, ())
        while len(lesson.actions) < PLIES and any(now.legal_moves):
            move = push(now, self.judge) if now.turn is board.turn else None
            if move is None:
                limit = chess.engine.Limit(nodes=THOUGHT)
                move = self.judge.engine.play(now, limit, game=object()).move
            assert move is not None
            action = question.action_of(parse_uci(state, move.uci()))
            lesson = replace(lesson, actions=(*lesson.actions, action))
            now.push(move)
            state = game.after(state, action)
            if value_of_line(game, lesson, player) >= self.expectation:
                break
        return lesson


def of(board: chess.Board) -> ChessPosition:
    return replace(parse_fen(board.fen(en_passant="fen")), quiet_plies=0, number=1)


def side(board: chess.Board) -> str:
    return "white" if board.turn else "black"


def push(board: chess.Board, judge: EndingJudge) -> chess.Move | None:
    """Return a pawn move that keeps the win: a promotion to a queen first, then the most advanced pawn."""
    pawns = [m for m in board.legal_moves if board.piece_type_at(m.from_square) == chess.PAWN]
    pawns = [m for m in pawns if m.promotion in (None, chess.QUEEN)]
    forward = 1 if board.turn else -1
    pawns.sort(key=lambda m: (m.promotion is None, -forward * chess.square_rank(m.to_square), m.uci()))
    return next((move for move in pawns if judge.keeps(board, move)), None)


def new_source(known: Knowledge) -> PlanLearningSetting:
    answers = proofs(known.wins, known.holds, ANSWERED)
    return PlanLearningSetting(
        ChessPlanning(), load(GAINS), lambda state: list(adapter.facts(state)), ACTOR, answers
    )


def mirrored(board: chess.Board) -> str:
    """Return a key that a position shares with its mirror images, left to right or side to side."""
    both = [board, board.mirror()]
    both += [each.transform(chess.flip_horizontal) for each in both]
    return min(f"{each.board_fen()} {each.turn}" for each in both)


def split(positions: Sequence[Named], seed: str, lessons: int) -> tuple[list[Named], list[Named]]:
    """Return the lessons in a seeded order, and the tested positions, which mirror no lesson."""
    order = list(positions)
    Random(seed).shuffle(order)
    taught = {mirrored(board) for _, board in order[:lessons]}
    return order[:lessons], [each for each in order[lessons:] if mirrored(each[1]) not in taught]


def stops_of(
    order: tuple[list[Named], list[Named]],
    known: Knowledge,
    given: tuple[int, int, KepBounds],
    teacher: LessonTeacher,
    learning: list[float],
) -> Iterator[Checkpoint]:
    """Yield the results of one order of lessons; the seconds of each lesson are added to `learning`."""
    lessons, tests = order
    learner = PlanLearner.new(new_source(known))
    number = len(lessons)
    stops = {
        0: "0",
        number // 3: str(number // 3),
        2 * number // 3: str(2 * number // 3),
        number: str(number),
    }
    stops[2 * number] = f"2x{number}"
    for done in range(2 * number + 1):
        if done in stops:
            plans = replace(known, plans=learner.plans())
            rows = [row(*each, plans, given, teacher.judge) for each in tests]
            print(f"after {stops[done]} lessons", file=sys.stderr, flush=True)
            yield Checkpoint(stops[done], learner, rows, given[0])
        if done < 2 * number:
            name, board = lessons[done % number]
            lesson = teacher.lesson(name, board)
            seconds, learner = study.timed(learn_from_lesson, learner, lesson, side(board), given[1], PLANNED)
            learning.append(seconds)


@dataclass(frozen=True, slots=True)
class Searched:
    """Nodes of ABE's strengths for a position, at the height of the tree that earns the expectation."""

    plies: int | None
    answers: tuple[abe.AbeAnswer, ...] = ()

    @property
    def cells(self) -> str:
        shown = [f"{'>' if a.spent else ''}{a.nodes:,}" for a in self.answers] or ["-"] * len(abe.AbeStrength)
        return f"{self.plies or '-'!s:>7}" + "".join(f"{each:>9}" for each in shown)


def searched(board: chess.Board, expectation: int, most: int) -> Searched:
    plies = abe.height(board, expectation, DEEPEST, most)
    if plies is None:
        return Searched(None)
    return Searched(plies, tuple(abe.search(board, expectation, plies, s, most) for s in abe.AbeStrength))


def table_5(stops: Sequence[Checkpoint], with_abe: dict[str, Searched]) -> Iterator[str]:
    """Yield the planner's nodes for each tested position, generated or matched, and ABE's nodes."""
    heads = "".join(f"{each.name:>7}" for each in stops)
    yield f"{'position':12}{heads}{'height':>9}{'plain':>9}{'ordered':>9}{'full':>9}"
    for place, first in enumerate(stops[0].rows):
        rows = [stop.rows[place].result for stop in stops]
        cells = "".join(f"{each.planned + each.matches:>7}" for each in rows)
        yield f"{first.name:12}{cells}  {with_abe[first.name].cells}"


def table_6(orders: Sequence[Sequence[Checkpoint]]) -> Iterator[str]:
    """Yield the totals of all orders; plans and goals are averages."""
    heads = ["lessons", "plans", "goals", "wrong", "lost", "eval", "proved", "planned", "proof", "matches"]
    yield "".join(f"{head:>9}" for head in [*heads, "seconds"])
    for stops in zip(*orders, strict=True):
        columns = list(zip(*(stop.counts() for stop in stops), strict=True))
        means = [sum(each) / len(stops) for each in columns[:2]]
        sums = [sum(each) for each in columns[2:-1]]
        yield (
            f"{stops[0].name:>9}{means[0]:>9.1f}{means[1]:>9.1f}"
            + "".join(f"{each:>9}" for each in sums)
            + f"{sum(columns[-1]):>9.1f}"
        )


def compared(
    stops: Sequence[Checkpoint], boards: dict[str, chess.Board], complexity: int, most: int
) -> Iterator[str]:
    """Yield the results of the planner alone with the last plans of each order, with and
    without relevance zones.
    """
    yield f"{'':12}{'nodes':>9}{'matches':>9}{'earned':>9}{'seconds':>9}"
    for relevant in (True, False):
        nodes = matches = reached = 0
        began = time.process_time()
        for stop in stops:
            plans: Plans = stop.learner.plans() if relevant else stop.learner.plans().matcher
            for each in stop.rows:
                board = boards[each.name]
                tree = PlanningTree(ChessPlanning(), side(board), of(board))
                planner = Planner(tree.game, plans, tree, most)
                reached += planner.run(stop.expectation, complexity)
                nodes, matches = nodes + tree.nodes, matches + planner.matches
        seconds = time.process_time() - began
        yield f"{'relevant' if relevant else 'all plans':12}{nodes:>9}{matches:>9}{reached:>9}{seconds:>9.1f}"


def main(arguments: list[str] | None = None) -> int:
    parser = study.options(
        __doc__,
        orders=5,
        lessons=19,
        seed=1,
        expectation=100,
        complexity=3,
        planned=1_000,
        nodes=1_000,
        abe=50_000,
    )
    parser.add_argument("--epd", type=Path, required=True, help="the positions")
    options = parser.parse_args(arguments)
    this = study.Study(__file__, options)
    given = (
        options.expectation,
        options.complexity,
        KepBounds(planned=options.planned, proved=options.nodes),
    )
    positions = read_epd(options.epd)
    boards, known, learning = dict(positions), knowledge(), list[float]()
    lines, orders = list[str](), list[list[Checkpoint]]()
    with_abe = {name: searched(board, options.expectation, options.abe) for name, board in positions}
    with ending_judge(LOOKS) as judge:
        teacher = LessonTeacher(judge, options.expectation)
        for number in range(options.orders):
            order = split(positions, f"{options.seed + number} lessons", options.lessons)
            orders.append(list(stops_of(order, known, given, teacher, learning)))
            lines += [f"order {number + 1}: nodes of the planner (ABE's beside)"]
            lines += [*table_5(orders[-1], with_abe), ""]
            print(
                "\n".join(lines[-len(orders[-1][0].rows) - 3 :]), *table_6(orders), sep="\n", file=sys.stderr
            )
        engine = judge.engine.id["name"]
    last = [stops[-1] for stops in orders]
    rows = [each for stop in last for each in stop.rows]
    won = [each for each in rows if each.won]
    chance = sum(each.chance or 0 for each in won) / max(len(won), 1)
    head = [
        (
            f"{options.orders} orders of {options.lessons} lessons; {len(rows)} positions tested, of which "
            f"{len(won)} are won"
        ),
        f"a random first move keeps {chance:.0%} of the wins",
        f"{sum(learning):.1f} seconds of the processor to learn in {len(learning)} lessons",
        "",
        "all orders (plans and goals on the average, all else in sum)",
        *table_6(orders),
        "",
        PAPER,
        "",
        "relevance, after all lessons: the planner alone",
        *compared(last, boards, options.complexity, options.planned),
        "",
    ]
    names = sorted(
        {f"  {name}" for stop in last for name in (*stop.learner.goals, *stop.learner.base.entries)}
    )
    wrong = [
        f"{each.name} after {stop.name}: {each.result.verdict}, {each.move}"
        for stops in orders
        for stop in stops
        for each in stop.rows
        if each.is_wrong
    ]
    text = "\n".join([*head, *lines, "learned, the plans all proved:", *names])
    return this.finish(text, wrong, [f"chess {chess.__version__}", engine])


if __name__ == "__main__":
    raise SystemExit(main())
