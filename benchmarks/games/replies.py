"""Rules about wins in one and two moves, learned from games translated from their sheets.

A win reaches the greatest goal. Positions that are won in one or two moves teach (`compiler/learn/replies`).
The output for each game has the rules with the median number of their conditions, and the answered problems
among others of the same kind. Each answer in these problems and in states of random games is compared with
search. Each certificate is checked again. If a game has few positions of a kind, one half are lessons.

Usage:

    python benchmarks/games/replies.py [--lessons 24] [--problems 20] [--states 20] [--seed 1]
        [--sheets hexapawn noughts_and_crosses …] [--output benchmarks/results/games-replies.txt]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, options
from hornbook.planner.translation.folder import write_folder
from oracles.gdl.learned_replies import MOVES, Answers, learned_replies, states_of_games
from oracles.gdl.own_sheets import BOARDS, SHEETS

GAMES = ("hexapawn", "noughts_and_crosses", "connect_four", "isola", "breakthrough")


def main() -> int:
    parser = options(__doc__, seed=1, lessons=24, problems=20, states=20)
    parser.add_argument("--sheets", nargs="+", default=list(GAMES), choices=GAMES)
    study = Study(__file__, parser.parse_args())
    wrong: list[object] = []
    body = ""
    for name in study.given.sheets:
        body += "\n".join((*_lines(name, study, wrong), "", ""))
        study.write(body)
    return study.finish(body, wrong)


def _lines(name: str, study: Study, wrong: list[object]) -> Iterator[str]:
    """Yield lines about a game; the wrong answers are added to `wrong`."""
    given = study.given
    with tempfile.TemporaryDirectory() as place:
        write_folder({**SHEETS, **BOARDS}[name], Path(place) / name)
        of = learned_replies(Path(place) / name, given.lessons, given.problems, given.seed)
        of.verified()
        yield (
            f"{name}: {len(of.lessons)} lessons; {len(of.rules)} rules, median {of.conditions:g} conditions;"
            f" {len(of.result.base) - len(of.rules)} lemmas; {of.seconds:.0f} processor seconds"
        )
        began, answers = process_time(), Answers(of)
        for moves in MOVES:
            problems = of.problems[moves]
            yield f"won in {moves}: {answers.answered(problems)} of {len(problems)} answered"
        states = [each.state for moves in MOVES for each in of.problems[moves]]
        states += states_of_games(of.domain, given.states, given.seed)
        found = list(answers.wrong(states))
        wrong += found
        yield f"{len(states)} states: {len(found)} answers wrong"
        yield f"matching and search: {process_time() - began:.0f} processor seconds"


if __name__ == "__main__":
    sys.exit(main())
