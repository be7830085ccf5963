"""Problems of chess: take a piece, mate, promote a pawn. Sets of them as files, and scoring.

`learn.jsonl` is the set to learn from, `held_out.jsonl` the one to answer: of the same kinds, from other games. Both are
made by `benchmarks/chess/problems.py`.
"""

from hornbook.theories.chess.problems.problem import MOTIFS, Problem, parse_problems, print_problems, shipped
from hornbook.theories.chess.problems.score import Answer, Judgement, judge_all, tally

__all__ = [
    "MOTIFS",
    "Answer",
    "Judgement",
    "Problem",
    "judge_all",
    "parse_problems",
    "print_problems",
    "shipped",
    "tally",
]
