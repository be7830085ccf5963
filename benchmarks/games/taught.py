"""Learning of a game translated from its sheet from a few solved positions.

A lesson is a won position that the rules learned so far do not answer. The rules are checked in all states:
every answer is compared with exhaustive search of the sheet.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import process_time

from benchmarks.study import Study, options
from hornbook.planner.translation.folder import write_folder
from oracles.gdl.taught_games import all_states, judged, learned_from_lessons


def main() -> int:
    parser = options(__doc__, seed=1, lessons=12, moves=2)
    parser.add_argument("--sheet", type=Path, required=True)
    given = parser.parse_args()
    study = Study(__file__, given)
    with tempfile.TemporaryDirectory() as place:
        write_folder(given.sheet, Path(place) / "game")
        of = learned_from_lessons(Path(place) / "game", given.lessons, given.seed, given.moves)
        found = judged(of, all_states(of.domain))
    by_moves = Counter(lesson.moves for lesson in of.lessons)
    lessons = ", ".join(f"{count} won in {moves}" for moves, count in sorted(by_moves.items()))
    body = [
        (
            f"{given.sheet.stem}: {len(of.lessons)} lessons ({lessons}), {of.proved} proved; {len(of.rules)} "
            "rules"
        ),
        f"{found.states} states, {len(found.wrong)} answers wrong",
        f"won by who is to move: {found.won_first}, answered {found.first}",
        f"won by who is not to move: {found.won_second}, answered {found.second}",
        f"processor time: {process_time():.0f} seconds",
        "",
    ]
    return study.finish("\n".join(body), [str(each) for each in found.wrong])


if __name__ == "__main__":
    sys.exit(main())
