"""Commands that compare allocations of search: `hornbook search play-allocation` and `table-allocation`.

Each allocation plays against a player that never searches deeper.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from hornbook.commands import options
from hornbook.commands.options import argument, option
from hornbook.commands.search.best_move import Game
from hornbook.inputs.native_games import NativeGame, native_game
from hornbook.kb.sources.files import read_text
from hornbook.play.allocation.files import read_classifier
from hornbook.play.allocation.learning import score
from hornbook.play.allocation.native import AllocationTally, allocation_of
from hornbook.terminal.messages import print_line

PLAIN = ("never", "random", "always", "oracle")
Games = Annotated[int, option("--games", "N", "The number of games.", min=1, max=100_000)]
Seed = Annotated[int, option("--seed", "N", "The seed of the games.", min=0)]
Which = Annotated[str, argument("STRATEGY", f"{', '.join(PLAIN)}, or a file of `search learn-allocation`.")]


def play(
    game: Game, strategy: Which, games: Games = 1000, seed: Seed = 1, json_output: options.Json = False
) -> None:
    """Play games with a learned allocation of search.

    A win counts 1 and a draw a half; the error is the standard error.
    """
    played = native_game(game)
    found = _record(strategy, _strategy(played, strategy)(games, seed))
    print_line(json.dumps(found) if json_output else f"{_HEAD}\n{_line(found)}")


def table(
    game: Game,
    files: Annotated[list[Path] | None, argument("[FILE]...", "Files of `search learn-allocation`.")] = None,
    games: Games = 1000,
    seed: Seed = 1,
    json_output: options.Json = False,
) -> None:
    """Compare allocations of search in a table: plain strategies, and learned ones from files."""
    played = native_game(game)
    names = [*PLAIN, *map(str, files or ())]
    strategies = [(name, _strategy(played, name)) for name in names]
    if not json_output:
        print_line(_HEAD)
    for name, play_games in strategies:
        found = _record(name, play_games(games, seed))
        print_line(json.dumps(found) if json_output else _line(found))


def _strategy(played: NativeGame, name: str) -> Callable[[int, int], AllocationTally]:
    """Return a function that plays games with a strategy.

    Raises ClassifierError, and the exceptions of reading a file.
    """
    native, start = allocation_of(played.domain), played.start()
    if name in PLAIN:
        return lambda games, seed: native.play(start, native.Setting(), name, 0.0, games, seed)
    written = read_classifier(Path(name), read_text(Path(name)), played.name)
    setting, found = written.setting(native), written.strategy(native)
    return lambda games, seed: native.play(start, setting, found, games, seed)


_HEAD = f"{'strategy':<24}{'won':>7}{'lost':>7}{'drawn':>7}{'score':>8}{'error':>8}{'deep':>7}{'nodes':>10}"


def _record(name: str, tally: AllocationTally) -> dict[str, Any]:
    found = score(tally)
    nodes = tally.shallow_nodes + tally.deep_nodes + tally.deciding_nodes
    return {
        "strategy": name,
        "won": tally.won,
        "lost": tally.lost,
        "drawn": tally.drawn,
        "score": round(found.quality, 4),
        "error": round(found.error, 4),
        "deep": round(tally.deep / found.games, 2),
        "nodes": round(nodes / found.games),
    }


def _line(found: dict[str, Any]) -> str:
    return (
        f"{found['strategy']:<24}{found['won']:>7}{found['lost']:>7}{found['drawn']:>7}{found['score']:>8.3f}"
        f"{found['error']:>8.3f}{found['deep']:>7.2f}{found['nodes']:>10,}"
    )
