"""`hornbook allocate learn`: a classifier of positions that are worth a deeper search."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from hornbook import __version__
from hornbook.commands.thinking.think import Game
from hornbook.inputs import options
from hornbook.inputs.native_games import native_game
from hornbook.inputs.opening_store import with_rules
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import must_have_place
from hornbook.play.allocation.files import Written, write_classifier
from hornbook.play.allocation.learning import RECIPES, learned, lessons
from hornbook.play.allocation.native import Allocation, allocation_of
from hornbook.play.allocation.rules import Conditions, conditions_of


def learn(
    game: Game,
    into: Annotated[
        Path,
        typer.Option(
            "--into", metavar="FILE", help="The file to write or replace, as JSON.", show_default=False
        ),
    ],
    recipe: Annotated[str, typer.Option(metavar="NAME", help=f"How: {', '.join(RECIPES)}.")] = "found",
    boards: Annotated[
        int, typer.Option(metavar="N", help="Positions to learn from.", min=100, max=1_000_000)
    ] = 20_000,
    refill: Annotated[
        int, typer.Option(metavar="N", help="Others, for the leaves.", min=100, max=1_000_000)
    ] = 20_000,
    least: Annotated[int, typer.Option(metavar="N", help="No leaf has fewer positions.", min=1)] = 100,
    rules: options.Rules = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the positions.", min=0)] = 1,
) -> None:
    """Learn from games of their own before which moves a deeper search is worth it.

    The same seed gives the same file.
    """
    if recipe not in RECIPES:
        raise typer.BadParameter(f"`{recipe}` is none of {', '.join(RECIPES)}", param_hint="--recipe")
    if recipe == "rules" and rules is None:
        raise typer.BadParameter("it goes by rules: give --rules", param_hint="--recipe")
    played = native_game(game)
    native = allocation_of(played.domain)
    must_have_place(into)
    setting = native.Setting()
    conditions = {} if rules is None else _conditions(native, game, rules, played.start())
    taught = lessons(native, played.start(), setting, boards, refill, seed)
    sizes = {"least": least, "sample": 10_000, "seed": seed}
    found = learned(native, RECIPES[recipe], taught, setting, **sizes, rules=conditions)
    tree = found.classifier
    words = ["hornbook", "allocate", "learn", game, "--recipe", recipe, "--boards", str(boards)]
    words += ["--refill", str(refill), "--least", str(least), "--seed", str(seed)]
    words += [] if rules is None else ["--rules", str(rules)]
    plies = (setting.moves, setting.searches, setting.shallow, setting.deep)
    written = Written(
        played.theory.name,
        shlex.join(words),
        __version__,
        *plies,
        RECIPES[recipe].decides,
        taught.asked,
        taught.ends,
        tuple(tree.patterns),
        found.rules,
        tuple(tree.rows),
    )
    write_classifier(written, into)
    leaves = sum(row[0] < 0 for row in tree.rows)
    positive = sum(kind for kind, _ in taught.boards.worth()) / boards
    typer.echo(
        f"{counted(leaves, 'leaf', 'leaves')} in {into}, from {counted(boards, 'position')}, {positive:.0%} of which a"
        " deeper search could play better"
    )


def _conditions(native: Allocation, game: str, rules: Path, typical: str) -> Conditions:
    """What certified rules are tested by. Raises NoFeatureError, and what reading rules raises."""
    from hornbook.api.learned_rules import LearnedRules  # noqa: PLC0415 - slow to import

    opened = with_rules(game, rules)
    certified = LearnedRules(opened.theory, opened.base, asked=opened.asked).certified
    return conditions_of(native, certified, typical)
