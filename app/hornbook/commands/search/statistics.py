"""The command `hornbook search statistics`: changes of values with the search depth, as statistics for
searches.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

from hornbook import __version__
from hornbook.commands.options import option
from hornbook.commands.search.best_move import Game
from hornbook.commands.search.errors_chart import errors_chart
from hornbook.inputs.native_games import native_game
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import require_writable, write_text
from hornbook.play.thinking.gathering import gather as gather_statistics
from hornbook.play.thinking.statistics import write_statistics
from hornbook.terminal.coloured import progress
from hornbook.terminal.messages import print_line

LEAST = 100
"""The minimum number of positions for meaningful statistics."""


def statistics(
    game: Game,
    positions: Annotated[
        int, option("--positions", "N", "The number of positions.", min=LEAST, show_default=False)
    ],
    into: Annotated[
        Path, option("--into", "FILE", "The file to write or replace, as JSON.", show_default=False)
    ],
    depth: Annotated[
        int, option("--depth", "N", "The depth of the comparison, in one position of ten.", min=1, max=10)
    ] = 6,
    svg: Annotated[Path | None, option("--svg", "FILE", "Draw the errors.")] = None,
    seed: Annotated[int, option("--seed", "N", "The seed of the positions.")] = 1,
) -> None:
    """Measure how values change with search depth, from 1 to 4 plies, and how well they predict deep
    searches.

    The positions come from games of a shallow search with some random moves. The same seed gives the same
    statistics.
    """
    played = native_game(game)
    for file in (into, svg):
        if file is not None:
            require_writable(file)
    words = [
        "hornbook",
        "search",
        "statistics",
        game,
        "--positions",
        str(positions),
        "--depth",
        str(depth),
        "--seed",
        str(seed),
    ]
    with progress("positions", positions) as update_progress:
        found = gather_statistics(
            played.native,
            played.start(),
            played.name,
            positions,
            seed,
            depth=depth,
            command=shlex.join(words),
            version=__version__,
            update_progress=lambda: update_progress(advance=1),
        )
    write_text(into, write_statistics(found))
    if svg is not None:
        write_text(svg, errors_chart(found) + "\n")
    first = found.errors[0]
    print_line(
        f"{counted(positions, 'position')} in {into}: errors after 1 to {len(found.errors)} plies"
        f" in {counted(len(first.groups), 'group')} after one,"
        f" kurtosis {first.kurtosis:g} (normal: 3); {counted(len(found.cuts), 'pair')} of depths"
    )
