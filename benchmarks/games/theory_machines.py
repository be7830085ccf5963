"""Speed of random games of theories that are played by their rules, and of their knowledge bases.

    python benchmarks/games/theory_machines.py

A state consists of the test for the end, the legal actions, and a random action with the next state. Rates
are states per second of processor time: the median of `--runs` runs of `--seconds` each. `made` are the
seconds of processor time from the theory to its machine. The machines are compared with the knowledge bases
in `tests/planner/theory_games/`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import hornbook.commands.theories as commands
import oracles.games
from benchmarks.study import Study, options
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.examples import example_sequence
from hornbook.kb.load.adapters import reader_of
from hornbook.kb.load.loader import load
from hornbook.planner.theory_games.theory_game import deciding_game, game_of, network_of
from oracles.games.theory_play import TheoryPlay, allowing

MOST_PLIES = 1_000
HEXAPAWN = Path(commands.__file__).parent / "skeleton_game" / "skeleton.horn"
BOARDS = ("white bbb/.../www", "white bbbb/..../wwww", "white bbbbbbbb/......../......../......../wwwwwwww")


def theories() -> Iterator[tuple[str, Theory, Sequence[GroundFact]]]:
    """Yield the theories with their names and first states."""
    theory = allowing(load(HEXAPAWN), "legal", "move")
    adapter = reader_of(theory)
    assert adapter is not None
    for board in BOARDS:
        rows = board.split()[1].split("/")
        name = f"Hexapawn {len(rows[0])} × {len(rows)}"
        yield name, theory, list(adapter.facts(adapter.read(board, "<board>")))
    for name in ("isola", "nim"):
        theory = load(Path(oracles.games.__file__).parent / "theories" / f"{name}.horn")
        yield theory.name.capitalize(), theory, example_sequence(theory, theory.examples[0])[0]


def rate_of_knowledge_base(theory: Theory, facts: Sequence[GroundFact], seed: int, seconds: float) -> float:
    """Return the states per second of the processor that a knowledge base visits in random games."""
    random, states, began = Random(seed), 0, time.process_time()
    while time.process_time() - began < seconds:
        play = TheoryPlay(theory, facts, deciding_game(theory).name)
        while not play.is_over and time.process_time() - began < seconds:
            states += 1
            actions = sorted(action for each in play.legal.values() for action in each)
            play.take(play.fact(random.choice(actions)))
    return states / (time.process_time() - began)


def main() -> int:
    given = options(__doc__, seconds=1.0, runs=5, seed=1).parse_args()
    study = Study(__file__, given)
    lines = [f"{'game':<16}{'made s':>8}{'nodes':>8}{'states/s':>12}{'knowledge base/s':>18}"]
    for name, theory, facts in theories():
        began = time.process_time()
        machine = network_of(game_of(theory, facts)).core
        made = time.process_time() - began
        rates = []
        for run in range(given.runs):
            began = time.process_time()
            played = machine.playouts(given.seed + run, 2**62, given.seconds, MOST_PLIES)
            rates.append(played.states / (time.process_time() - began))
        slow = rate_of_knowledge_base(theory, facts, given.seed, given.seconds)
        lines.append(f"{name:<16}{made:>8.2f}{machine.nodes:>8,}{median(rates):>12,.0f}{slow:>18,.0f}")
        print(lines[-1], file=sys.stderr, flush=True)
    return study.finish("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
