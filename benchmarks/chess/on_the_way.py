"""Rules from intermediate positions of proofs (`hornbook learn endings`): correctness and savings.

Positions of king and pawn against king are drawn at random. All conclusions of the learned rules are compared
with the table, with either side to move. For positions that are won with White to move and not decided at
once by a rule of the theory, proofs are searched without and with the learned rules. The exit code is 1 if a
rule contradicts the table.

The rules of `benchmarks/results/chess-on-the-way.txt` are those that
`hornbook learn endings --problems lessons.epd --into r.horn` learns from these positions:

    8/1p6/5k2/P1P5/8/8/8/2K5 w - -
    8/8/8/3k4/8/3K4/3P4/8 w - -
    8/8/4k3/8/5K2/4P3/8/8 w - -

Usage:

    python benchmarks/chess/on_the_way.py RULES.horn [--positions 2000] [--proofs 60] [--nodes 2000]
        [--seed 1] [--output benchmarks/results/chess-on-the-way.txt]
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

from benchmarks import study
from hornbook.games.planning import planning_knowledge
from hornbook.inputs.theories import load
from hornbook.play.kep.proof import MatchedRules, check, claims_of
from hornbook.play.kep.proving import BestFirstProver
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.position import ChessPosition
from oracles.chess.kpk_table import DRAWN, ILLEGAL, PAWN_SQUARES, kpk_table


def boards(random: Random) -> tuple[chess.Board, bool]:
    """Return a legal position, and whether White wins."""
    table = kpk_table()
    while True:
        pawn, king, other = random.choice(PAWN_SQUARES), random.randrange(64), random.randrange(64)
        to_move = random.random() < 0.5
        plane = (table.white_to_move if to_move else table.black_to_move)[pawn]
        if (plies := int(plane[king, other])) != ILLEGAL:
            board = chess.Board(None)
            board.set_piece_at(pawn, chess.Piece(chess.PAWN, chess.WHITE))
            board.set_piece_at(king, chess.Piece(chess.KING, chess.WHITE))
            board.set_piece_at(other, chess.Piece(chess.KING, chess.BLACK))
            board.turn = to_move
            return board, plies != DRAWN


def main(arguments: list[str] | None = None) -> int:
    parser = study.options(__doc__, positions=2_000, proofs=60, nodes=2_000, seed=1)
    parser.add_argument("rules", type=Path, help="learned rules")
    options = parser.parse_args(arguments)
    this = study.Study(__file__, options)
    known = planning_knowledge(load("chess"), rules=options.rules)
    plain, random = planning_knowledge(load("chess")), Random(f"{options.seed} on the way")
    theirs = claims_of(known.claims_theory)
    learned = [rule for rule in known.rules if rule not in theirs]
    game = known.planning.game
    learned_only = MatchedRules.of(game, known.claims_theory, learned, ("win",), known.domain.focus_predicate)
    claims, wrong, new, hard = Counter[str](), list[str](), 0, list[ChessPosition]()
    for _ in range(options.positions):
        board, won = boards(random)
        state = parse_fen(board.fen())
        rule, given = learned_only.says(state, "white"), plain.wins.says(state, "white")
        if rule is not None:
            claims[rule] += 1
            new += given is None
            wrong += [] if won else [f"{board.fen()}: {rule}"]
        if won and given is None and len(hard) < options.proofs:
            hard.append(state)
    lines = [
        f"{len(learned)} learned rules, with {', '.join(str(len(rule.body)) for rule in learned)} conditions",
        (
            f"{options.positions} positions: they speak of {claims.total()}, of {new} where the theory "
            f"does not; {len(wrong)} wrong"
        ),
        *(f"  {rule}: {number}" for rule, number in claims.most_common()),
        (
            f"{len(hard)} positions that are won and that the theory does not decide at once, "
            f"{options.nodes} nodes at most"
        ),
    ]
    for name, one in (("without", plain), ("with", known)):
        nodes = proved = walked = 0
        seconds = 0.0
        for state in hard:
            prover = BestFirstProver(game, "white", one.wins, one.holds, {}, options.nodes)
            taken, proof = study.timed(prover.proof, state)
            seconds, nodes = seconds + taken, nodes + prover.nodes
            if proof is not None:
                proved, walked = proved + 1, walked + check(proof, game, one.wins)
        lines.append(
            f"{name:8} {proved} proved, {nodes} nodes, {walked} in proofs, {seconds:.1f} seconds of the "
            "processor"
        )
    return this.finish("\n".join(lines), wrong, [f"chess {chess.__version__}"])


if __name__ == "__main__":
    raise SystemExit(main())
