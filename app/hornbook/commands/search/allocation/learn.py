"""The command `hornbook search learn-allocation`: a classifier of positions in which a deeper search pays
off.
"""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from hornbook import __version__
from hornbook.commands.options import option
from hornbook.commands.search.best_move import Game
from hornbook.inputs.native_games import NativeGame, native_game
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import require_writable
from hornbook.play.allocation.files import POLICY, StoredClassifier, write_classifier
from hornbook.play.allocation.learning import RECIPES, learn_classifier, training_boards
from hornbook.play.allocation.native import AllocationSetting, allocation_of
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_line


def learn(
    game: Game,
    into: Annotated[
        Path, option("--into", "FILE", "The file to write or replace, as JSON.", show_default=False)
    ],
    recipe: Annotated[
        str, option("--recipe", "NAME", f"The learning method: {', '.join((*RECIPES, POLICY))}.")
    ] = "found",
    boards: Annotated[
        int, option("--boards", "N", "Positions to learn from.", min=100, max=1_000_000)
    ] = 20_000,
    refill: Annotated[
        int, option("--refill", "N", "Further positions, for the leaves.", min=100, max=1_000_000)
    ] = 20_000,
    games: Annotated[
        int, option("--games", "N", "The number of games for learning a policy.", min=100, max=1_000_000)
    ] = 10_000,
    price: Annotated[
        float, option("--price", "P", "The price of a node for a policy, in millionths of a game.", min=0)
    ] = 10.0,
    least: Annotated[
        int | None,
        option(
            "--least",
            "N",
            "The least number of positions of a leaf; 100 by default, and a hundredth of all for a policy.",
            min=1,
        ),
    ] = None,
    seed: Annotated[int, option("--seed", "N", "The seed of the positions.", min=0)] = 1,
) -> None:
    """Learn before which moves a deeper search pays off.

    A policy is learned from the results of games in which a random choice selects the moves with a deep
    search. The policy searches deeply if the expected benefit exceeds the cost of the nodes, for any number
    of moves. The same seed gives the same file.
    """
    if recipe not in (*RECIPES, POLICY):
        raise ArgumentError(f"`{recipe}` is none of {', '.join((*RECIPES, POLICY))}", "--recipe")
    played = native_game(game)
    require_writable(into)
    words = ["hornbook", "search", "learn-allocation", game, "--recipe", recipe]
    if recipe == POLICY:
        words += ["--games", str(games), "--price", f"{price:g}"]
        classifier, description = _policy(played, games, price / 1e6, least, seed)
    else:
        words += ["--boards", str(boards), "--refill", str(refill)]
        classifier, description = _classifier(played, recipe, (boards, refill), least or 100, seed)
    words += [] if least is None else ["--least", str(least)]
    words += ["--seed", str(seed)]
    write_classifier(replace(classifier, command=shlex.join(words)), into)
    leaves = sum(row[0] < 0 for row in classifier.nodes)
    print_line(f"{counted(leaves, 'leaf', 'leaves')} in {into}, from {description}")


def _classifier(
    played: NativeGame,
    recipe: str,
    positions: tuple[int, int],
    least: int,
    seed: int,
) -> tuple[StoredClassifier, str]:
    """Return the classifier that a recipe learns, and a description of its input.

    It learns from `positions[0]` positions, and fills the leaves from `positions[1]` others.
    """
    native = allocation_of(played.domain)
    setting = native.Setting()
    taught = training_boards(native, played.start(), setting, *positions, seed)
    sizes = {"least": least, "sample": 10_000, "seed": seed}
    found = learn_classifier(native, RECIPES[recipe], taught, setting, **sizes)
    positive = sum(kind for kind, _ in taught.boards.worth()) / len(taught.boards)
    written = StoredClassifier(
        played.name,
        "",
        __version__,
        *_plies(setting),
        RECIPES[recipe].decides,
        taught.choice_share,
        taught.ends,
        tuple(found.patterns),
        tuple(found.rows),
    )
    return (
        written,
        f"{counted(positions[0], 'position')}, {positive:.0%} of which a deeper search could play better",
    )


def _policy(
    played: NativeGame, games: int, price: float, least: int | None, seed: int
) -> tuple[StoredClassifier, str]:
    """Return the policy learned from the results of `games` games, and a description of its input."""
    native = allocation_of(played.domain)
    moves = native.Setting().moves
    setting = native.Setting(searches=moves)
    explored = native.explore(played.start(), setting, None, games, seed)
    rows = explored.policy(price, least or len(explored) // 100).rows
    written = StoredClassifier(
        played.name, "", __version__, *_plies(setting), POLICY, 1.0, 0.0, (), tuple(rows)
    )
    return written, f"{counted(len(explored), 'decision')} of {counted(games, 'game')}"


def _plies(setting: AllocationSetting) -> tuple[int, int, int, int]:
    return setting.moves, setting.searches, setting.shallow, setting.deep
