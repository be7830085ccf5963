"""The command `hornbook game verify`: a check of a strategy or a refutation without its search."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.games.sheet.positions import From, Played, Sheet, reached
from hornbook.commands.options import argument
from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.planner.gdl.examples import sheet_called
from hornbook.planner.gdl.game import Game
from hornbook.planner.strategies.check import Mistake, check_refutation, check_strategy
from hornbook.planner.strategies.files import read_strategy
from hornbook.planner.strategies.json_lines import LINE_OF_NODE_0
from hornbook.planner.strategies.refutation import Refutation
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import print_json, print_line


def verify(
    sheet: Sheet,
    file: Annotated[
        Path, argument("STRATEGY", "The file, as `hornbook game strategy --into` or `--refutation` wrote it.")
    ],
    state: From = None,
    moves: Played = None,
    json_output: options.Json = False,
) -> None:
    """Check that a strategy guarantees its goal, or that a refutation prevents more. The search that made it
    is not used.

    The strategy must begin in the initial state of the game, or in the state of --state and --moves.
    """
    game = Game.read_kif(sheet_called(sheet))
    given = None if state is None and moves is None else reached(game, state, moves)
    strategy = read_strategy(file)
    with progress("nodes", len(strategy.nodes)) as update:
        if isinstance(strategy, Refutation):
            claim = {"most": strategy.most}
            mistakes = check_refutation(game, strategy, given, lambda number: update(completed=number))
        else:
            claim = {"value": strategy.value}
            mistakes = check_strategy(game, strategy, given, lambda number: update(completed=number))
    if json_output:
        found = [{"line": _line(each), "node": each.node, "message": each.message} for each in mistakes]
        report = {
            "role": strategy.role,
            **claim,
            "nodes": len(strategy.nodes),
            "mistakes": found,
        }
        print_json(report)
    elif mistakes:
        for each in mistakes:
            node = "" if each.node is None else f"node {each.node}: "
            print_line(f"{shown(file)}:{_line(each)}: {node}{each.message}")
        print_line(f"refused: {counted(len(mistakes), 'mistake')}")
    else:
        size = counted(f"{len(strategy.nodes):,}", "node")
        says = (
            f"is held to {strategy.most}"
            if isinstance(strategy, Refutation)
            else f"is guaranteed {strategy.value}"
        )
        print_line(f"{shown(file)}: right: {strategy.role} {says}; {size}")
    if mistakes:
        raise ReportedError(1)


def _line(mistake: Mistake) -> int:
    """Return the line of a mistake in the file. A mistake of the whole strategy is on the first line."""
    return 1 if mistake.node is None else mistake.node + LINE_OF_NODE_0
