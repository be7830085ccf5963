"""Whether the mates that rules of the theory `tactics` conclude in one match are so, and how many of those in two moves they see.

    python benchmarks/chess/mates.py RULES.horn [--positions 500] [--seed 1] [--output benchmarks/results/chess-mates-audit.txt]

Half of the positions come from random play, half from random play with a queen and a rook more for who is to move, so that mates are many. What is
concluded on the mate by who is to move is held against the library `chess`, which looks at every move and every reply. *There* are all first moves that
mate at once or in two, promotions too. Exit code 1 where a conclusion is wrong.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

from benchmarks import study
from benchmarks.chess.best_moves import move_of
from hornbook.api.learned_rules import read_rules
from oracles.chess.mating import forcing_position, mating_moves
from oracles.chess.positions import played


def main() -> int:
    parser = study.options(__doc__, positions=500, seed=1)
    parser.add_argument("rules", type=Path)
    this = study.Study(__file__, parser.parse_args())
    rules, random = read_rules(this.given.rules, "tactics"), Random(this.given.seed)
    half = this.given.positions // 2
    boards = [*played("random play", random, half), *(forcing_position(random) for _ in range(half))]
    count: Counter[str] = Counter()
    wrong: list[str] = []
    for board in boards:
        now, soon = mating_moves(board, 1), mating_moves(board, 2)
        game = f"mate({chess.COLOR_NAMES[not board.turn]})"
        found = {
            (move_of(answer.move).uci(), answer.rule)
            for answer in rules.match(board.fen(en_passant="fen"))
            if answer.game == game and answer.value == "GI" and answer.move is not None
        }
        seen = {move for move, _ in found}
        count["there at once"] += len(now)
        count["seen at once"] += len(now & seen)
        count["there in two"] += len(soon - now)
        count["seen in two"] += len((soon - now) & seen)
        count["conclusions"] += len(found)
        wrong += [
            f"wrong: {board.fen()}: {move} by {rule}" for move, rule in sorted(found) if move not in soon
        ]
    lines = [f"{len(boards)} positions", *(f"{name:16}{number:>8}" for name, number in count.items())]
    lines += [f"{len(wrong)} of the conclusions are wrong", *wrong]
    return this.finish("\n".join(lines) + "\n", wrong, [f"chess {chess.__version__}"])


if __name__ == "__main__":
    raise SystemExit(main())
