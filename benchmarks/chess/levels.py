"""Time of chains of one level, with games queried one by one and together.

Both ways must find the same won games. The benchmark also measures the cost for a single game when the others
are queried too, and the time to compute the gains of moves, as in `match --best`.

The positions are the first `--most` of each `lichess_THEME_*.csv` in a folder
(`id, fen, solution_uci, rating`). Each is queried both ways, one after the other, about every game of the
player to move, and about mate alone. Seconds are processor time; the first five positions warm up.

Usage:

    python benchmarks/chess/levels.py RULES.horn FOLDER [--most 40] [--levels 1]
        [--output benchmarks/results/chess-levels.txt]
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import study
from hornbook.api.best_moves import BestMoves
from hornbook.api.chains import Chains
from hornbook.api.learned_rules import read_rules
from hornbook.kb.ast.terms import Atom
from hornbook.play.answering.answering import Answerer, MatchedWin
from hornbook.play.answering.plays import ByTurns
from hornbook.theories.chess.domain import DOMAIN
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.position import ChessPosition

WARMING = 5
WAYS = {"game by game": False, "together": True}
GAINS = "what moves gain"
ONE_GAME = {way: f"mate, {'with all' if one else 'alone'}" for way, one in WAYS.items()}


def main() -> int:
    parser = study.options(__doc__, most=40, levels=1)
    parser.add_argument("rules", type=Path)
    parser.add_argument("folder", type=Path)
    this = study.Study(__file__, parser.parse_args())
    rules = read_rules(this.given.rules, "chess")
    answerers = {
        way: Answerer(rules.theory, rules.certified, ByTurns(DOMAIN, together=one))
        for way, one in WAYS.items()
    }
    chains = Chains(rules.theory, rules.certified, BestMoves(rules.theory, rules.certified).gains)
    seconds: dict[str, list[float]] = {way: [] for way in (*WAYS, *ONE_GAME.values(), GAINS)}
    matched: dict[str, list[int]] = {way: [] for way in (*WAYS, *ONE_GAME.values(), GAINS)}
    rows = [
        (file.stem.split("_")[1], row)
        for file in sorted(this.given.folder.glob("lichess_*.csv"))
        for row in list(csv.DictReader(file.open(encoding="utf-8")))[: this.given.most]
    ]
    wrong, right, won = [], 0, 0
    for _, row in rows:
        state = parse_fen(row["fen"])
        games = DOMAIN.own_games(state)
        mate = [game for game in games if game.predicate == "mate"]
        answers_of_all, mate_only = [], []
        for queried, ways, answers in (
            (games, {way: way for way in WAYS}, answers_of_all),
            (mate, ONE_GAME, mate_only),
        ):
            for way, answerer in answerers.items():
                took, found = study.timed(won_of, answerer, state, queried, this.given.levels)
                seconds[ways[way]].append(took)
                matched[ways[way]].append(answerer.matched)
                answers.append(found)
        took, _ = study.timed(chains.won, state, this.given.levels)
        seconds[GAINS].append(took)
        matched[GAINS].append(chains.matched)
        if answers_of_all[0] != answers_of_all[1] or mate_only[0] != mate_only[1]:
            wrong.append(row["fen"])
        start, to = row["solution_uci"][:2], row["solution_uci"][2:4]
        moves = [
            tuple(str(term.value) for term in each.move.terms[:2]) for each in answers_of_all[1].values()
        ]  # type: ignore[union-attr]
        won += bool(moves)
        right += (start, to) in moves
    lines = [f"{'each position':16}{'ms, median':>12}{'ms, mean':>10}{'matches, median':>17}{'mean':>8}"]
    for way in seconds:
        spent, queried = [1000 * each for each in seconds[way][WARMING:]], matched[way][WARMING:]
        lines.append(
            f"{way:16}{median(spent):>12.1f}{mean(spent):>10.1f}{median(queried):>17g}{mean(queried):>8.1f}"
        )
    lines.append(
        f"\n{len(rows)} positions, {won} with a game that is won, {right} of these by the solution's first "
        "move"
    )
    lines.append(f"{len(wrong)} positions of which the two ways say not the same")
    return this.finish("\n".join(lines) + "\n", wrong)


def won_of(
    answerer: Answerer, state: ChessPosition, games: Sequence[Atom], levels: int
) -> dict[Atom, MatchedWin]:
    """Return the games that are won, and the reasons."""
    answerer.forget()
    return {game: won for game in games if (won := answerer.won(state, game, levels)) is not None}


if __name__ == "__main__":
    sys.exit(main())
