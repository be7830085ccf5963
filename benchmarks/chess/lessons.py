"""Plans learned lesson by lesson, and what planning with them comes to (Tadepalli 1989, section 4, Tables 5 and 6).

The positions of an EPD file are shuffled; as many as `--lessons` are lessons, the others are tested after 0 lessons, a third, two
thirds and all. The teacher is Stockfish against itself, but that a pawn of the side that plans goes wherever that keeps the win; its line ends where
it earns what is expected. Plans are
learned by `planner/kep/lessons.py` and all proved; what closes a proof are the theory's rules of pawn endings, learned by
nobody. `wrong` are first moves that throw a won game away. Exit code 1 where a certified verdict is not confirmed.

    python benchmarks/chess/lessons.py --epd FILE.epd [--lessons 19] [--seed 1] [--expectation 100] [--complexity 3] [--nodes 1000]
        [--output benchmarks/results/chess-lessons.txt]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess
import chess.engine

from benchmarks import study
from benchmarks.chess.abe import read_epd
from benchmarks.chess.planning import LOOKS, Row, knowledge, row
from hornbook.compiler.rules.admission import RuleBase
from hornbook.kb.load.loader import load
from hornbook.planner.kep.kep import Bounds
from hornbook.planner.kep.lessons import Lesson, School, studied
from hornbook.theories.chess import adapter
from hornbook.theories.chess.play import question
from hornbook.theories.chess.play.planning import ChessPlanning
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.notation import parse_uci
from oracles.chess.ending_judge import EndingJudge, ending_judge

GAINS = Path(adapter.__file__).parent / "parts" / "gains.horn"
THOUGHT, PLIES = 20_000, 40
"""Positions that the teacher looks at before each move, and the longest line."""
PLANNED = 2_000
"""States of the planner's tree in a lesson."""


def school() -> School:
    return School(ChessPlanning(), load(GAINS), lambda state: list(adapter.facts(state)))


def taught(name: str, board: chess.Board, known: School, expected: int, teacher: EndingJudge) -> Lesson:
    """The teacher's line, until it earns what is expected, or is too long."""
    start = state = replace(parse_fen(board.fen(en_passant="fen")), quiet_plies=0, number=1)
    now, lesson = board.copy(), Lesson(name, start, ())
    while len(lesson.actions) < PLIES and any(now.legal_moves):
        move = push(now, teacher) if now.turn is board.turn else None
        if move is None:
            move = teacher.engine.play(now, chess.engine.Limit(nodes=THOUGHT), game=object()).move
        assert move is not None
        action = question.action_of(parse_uci(state, move.uci()))
        lesson = replace(lesson, actions=(*lesson.actions, action))
        now.push(move)
        state = known.game.after(state, action)
        if known.earned(lesson, "white" if board.turn else "black") >= expected:
            break
    return lesson


def push(board: chess.Board, teacher: EndingJudge) -> chess.Move | None:
    """A move of a pawn that keeps the win: a queen first, then the pawn that is farthest."""
    pawns = [m for m in board.legal_moves if board.piece_type_at(m.from_square) == chess.PAWN]
    pawns = [m for m in pawns if m.promotion in (None, chess.QUEEN)]
    forward = 1 if board.turn else -1
    pawns.sort(key=lambda m: (m.promotion is None, -forward * chess.square_rank(m.to_square), m.uci()))
    return next((move for move in pawns if teacher.keeps(board, move)), None)


def line(lessons: int, base: RuleBase, rows: Sequence[Row]) -> str:
    """What the tested positions come to after so many lessons."""
    won = [each for each in rows if each.won]
    results = [each.result for each in rows]
    return (
        f"{lessons:>7}{len(base):>7}{sum(each.move is not None for each in won):>7}"
        f"{sum(each.keeps is False for each in won):>7}{sum(each.result.verdict == 'won' for each in won):>7}"
        f"{sum(each.planned for each in results):>9}{sum(each.proved for each in results):>9}"
        f"{sum(each.matches for each in results):>9}{sum(each.seconds for each in rows):>9.2f}"
    )


def main(arguments: list[str] | None = None) -> int:
    parser = study.options(__doc__, lessons=19, seed=1, expectation=100, complexity=3, nodes=1_000)
    parser.add_argument("--epd", type=Path, required=True, help="the positions")
    asked = parser.parse_args(arguments)
    this = study.Study(__file__, asked)
    given = (asked.expectation, asked.complexity, Bounds(20_000, asked.nodes))
    positions = read_epd(asked.epd)
    Random(f"{asked.seed} lessons").shuffle(positions)
    lessons, tests = positions[: asked.lessons], positions[asked.lessons :]
    stops = {0, asked.lessons // 3, 2 * asked.lessons // 3, len(lessons)}
    lines, wrong, learning = list[str](), list[str](), 0.0
    at, base, known = school(), RuleBase("gains"), knowledge()
    with ending_judge(LOOKS) as judge:
        for number in range(len(lessons) + 1):
            if number in stops:
                with_these = replace(known, plans=at.plans(base))
                rows = [row(name, board, with_these, given, judge) for name, board in tests]
                lines.append(line(number, base, rows))
                wrong += [f"{e.name}: {e.result.verdict}, {e.move}" for e in rows if e.is_wrong]
                won = sum(each.won for each in rows)
            if number < len(lessons):
                name, board = lessons[number]
                lesson = taught(name, board, at, asked.expectation, judge)
                player = "white" if board.turn else "black"
                seconds, base = study.timed(studied, at, lesson, base, player, asked.complexity, PLANNED)
                learning += seconds
        engine = judge.engine.id["name"]
    heading = f"{'lessons':>7}{'plans':>7}{'moves':>7}{'wrong':>7}{'proved':>7}{'planned':>9}{'proof':>9}{'matches':>9}{'seconds':>9}"
    head = f"{len(lessons)} lessons, {len(tests)} positions tested, of which {won} are won; {learning:.1f} seconds of the processor to learn"
    names = [f"  {entry.rule.name}" for entry in base]
    text = "\n".join([head, heading, *lines, "", "learned, all proved:", *names])
    return this.finish(text, wrong, [f"chess {chess.__version__}", engine])


if __name__ == "__main__":
    raise SystemExit(main())
