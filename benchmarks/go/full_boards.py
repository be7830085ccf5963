"""Answers of rules on full boards of 19 × 19 from engine games: attacks that work according to the engine.

GNU Go plays both sides at level 0, after ten random moves, with some random moves later. On every twentieth
board from the sixtieth on, each block with two to four liberties is queried unless it was already in the same
state. An attack works if GNU Go's reading finds it without a ko. Rules answer in one match, then in chains of
up to `--levels` levels. An answer is right if exhaustive search captures by its move within the moves that
its proof needs, and wrong if it does not. It is undecided if that is too hard. The column `moves` is the
number that the search itself needs to capture.

Usage:

    python benchmarks/go/full_boards.py RULES.horn … [--games 5] [--seed 1] [--levels 2] [--output FILE]
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import mean

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, timed
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.reach import friend_moves
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import WON, Atom, GameStatement
from hornbook.play.answering.answering import Answerer
from hornbook.play.answering.plays import WithPasses
from hornbook.theories.domain import game
from hornbook.theories.go.play import chaining
from hornbook.theories.go.play.judge import captures
from hornbook.theories.go.problems.making.games import random_move
from hornbook.theories.go.reader import CaptureSearch, TooManyNodes, legal_moves, opponent, play
from hornbook.theories.go.states.board import Colour, GoBoard, Player
from oracles.go.gnugo_client import GnuGo

SIZE, MOVES, FIRST, EVERY = 19, 240, 60, 20
BEGINNING, NOISE = 10, 0.03
"""Number of random moves at the beginning, and share of random moves later."""
LIBERTIES = range(2, 5)
MOST_MOVES, MOST_NODES = 5, 300_000
"""Maximal number of moves of a capture in the search, and maximal number of its positions."""


@dataclass(frozen=True, slots=True)
class Attack:
    """Block that the engine can capture; `moves` is the number that the search needs, if it is decided."""

    board: GoBoard
    about: Atom
    moves: int | None


def main() -> int:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rules", type=Path, nargs="+")
    for name, default in (("games", 5), ("seed", 1), ("levels", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--output", type=Path)
    this = Study(__file__, parser.parse_args())
    given, theory = this.given, load("go")
    with GnuGo() as engine:
        attacks = [found for number in range(given.games) for found in of_a_game(engine, given.seed, number)]
    lines, wrong = [f"{len(attacks)} attacks\n"], []
    for file in given.rules:
        base = rulebase.read(file, theory)
        rules = [e.rule for e in base if e.is_certified and e.rule.head.relation.startswith("take")]
        answerer = Answerer(theory, rules, WithPasses(chaining))
        needs = friend_moves(base)
        for levels in (0, given.levels):
            outcomes, seconds = outcomes_of(answerer, needs, attacks, levels)
            wrong += [attack for attack, outcome in zip(attacks, outcomes, strict=True) if outcome == "wrong"]
            way = f"a chain of {levels} levels" if levels else "one match"
            lines += [
                f"{file.name}, {len(rules)} rules, {way}; {1e3 * seconds:.1f} ms of the processor an answer"
            ]
            lines += [table(attacks, outcomes)]
    return this.finish("\n".join(lines), wrong)


def outcomes_of(
    answerer: Answerer, needs: Mapping[str, int], attacks: Sequence[Attack], levels: int
) -> tuple[list[str], float]:
    """Return the outcomes of the rules' answers, and the mean of their seconds, without
    caching between queries.
    """
    outcomes, times = [], []
    for attack in attacks:
        answerer.forget()
        took, won = timed(answerer.won, attack.board, attack.about, levels)
        times.append(took)
        if won is None:
            outcomes.append("unknown")
            continue
        moves = max(needs.values()) + levels if levels else needs[won.rule]
        true = captures(attack.board, GameStatement(attack.about, won.move, WON), moves)
        outcomes.append("undecided" if true is None else "right" if true else "wrong")
    return outcomes, mean(times)


def of_a_game(engine: GnuGo, seed: int, number: int) -> Iterator[Attack]:
    """Yield the working attacks on some boards of one game of the engine with itself."""
    random = Random(f"{seed} {number}")
    engine.clear(SIZE)
    engine.ask(f"set_random_seed {seed + number}")
    empty: Colour = "empty"
    board = GoBoard(SIZE, SIZE, (empty,) * SIZE**2)
    player: Player = "black"
    last: int | None = None
    seen: set[object] = set()
    for move in range(1, MOVES + 1):
        last = _next(engine, board, player, last, random, early=move <= BEGINNING)
        board, player = play(board, player, last), opponent(player)
        if move >= FIRST and move % EVERY == 0:
            yield from _attacks(engine, board, seen)


def _next(
    engine: GnuGo, board: GoBoard, player: Player, last: int | None, random: Random, *, early: bool
) -> int | None:
    legal = legal_moves(board, player)
    if legal and (early or random.random() < NOISE):
        point = random_move(board, player, legal, last, random)
        assert point is not None
        engine.play(player, board.name(point))
        return point
    answer = engine.ask(f"genmove {player}").lower()
    return None if answer in ("pass", "resign") else board.point(answer)


def _attacks(engine: GnuGo, board: GoBoard, seen: set[object]) -> Iterator[Attack]:
    for block in board.blocks:
        if len(block.liberties) in LIBERTIES and (block.stones, block.liberties) not in seen:
            seen.add((block.stones, block.liberties))
            stone = min(block.stones)
            if engine.ask(f"attack {board.name(stone)}").split()[0] == "1":
                attacker: Player = "white" if block.colour == "black" else "black"
                free = replace(board, ko=None, to_play=attacker)
                yield Attack(free, game("take", board.name(stone)), needed(free, stone))


def needed(board: GoBoard, stone: int) -> int | None:
    """Return the number of the attacker's moves, if the search decides it."""
    try:
        return CaptureSearch(board, stone, nodes=MOST_NODES).moves_needed(MOST_MOVES)
    except TooManyNodes:
        return None


def table(attacks: Sequence[Attack], outcomes: Sequence[str]) -> str:
    names = ("right", "unknown", "undecided", "wrong")
    found: dict[int | None, Counter[str]] = {}
    for attack, outcome in zip(attacks, outcomes, strict=True):
        found.setdefault(attack.moves, Counter())[outcome] += 1
    rows = [(str(moves or "more"), found[moves]) for moves in sorted(found, key=lambda m: m or 99)]
    rows.append(("all", Counter(outcomes)))
    lines = [f"{'moves':>6}{'of':>6}" + "".join(f"{name:>11}" for name in names)]
    lines += [
        f"{label:>6}{counts.total():>6}" + "".join(f"{counts[name]:>11}" for name in names)
        for label, counts in rows
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
