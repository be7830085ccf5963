"""The command `hornbook game verify`: a check of a strategy, a refutation or a plan without its search."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.games.sheet.positions import From, Played, reached
from hornbook.commands.options import argument
from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.planner.gdl.examples import sheet_called
from hornbook.planner.gdl.game import Game
from hornbook.planner.pddl.examples import is_pddl, pddl_called
from hornbook.planner.pddl.reading import read_problem
from hornbook.planner.strategies.check import Mistake, check_refutation, check_strategy
from hornbook.planner.strategies.files import read_strategy
from hornbook.planner.strategies.json_lines import LINE_OF_NODE_0
from hornbook.planner.strategies.refutation import Refutation
from hornbook.planner.tasks.plan_check import check_plan, line_of_mistake
from hornbook.planner.tasks.plan_files import read_plan
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_json, print_line


def verify(
    sheet: Annotated[
        Path, argument("GAME", "A file in KIF, a domain in PDDL, or the name of one of these that ships.")
    ],
    file: Annotated[
        Path,
        argument(
            "FILE",
            "The file, as `hornbook game strategy --into` or `--refutation` wrote it; or a problem in PDDL.",
        ),
    ],
    plan: Annotated[
        Path | None, argument("[PLAN]", "The plan of a problem, as `hornbook game plan --into` wrote it.")
    ] = None,
    *,
    state: From = None,
    moves: Played = None,
    json_output: options.Json = False,
) -> None:
    """Check a strategy or a plan.

    A strategy must guarantee its goal, a refutation prevent more, and a plan reach the goal of a problem in
    PDDL. The search that made it is not used.

    The strategy must begin in the initial state of the game, or in the state of --state and --moves. The exit
    code is 1 if the file has a mistake.
    """
    domain = pddl_called(sheet)
    if is_pddl(domain):
        if plan is None:
            raise ArgumentError("a domain in PDDL is followed by a problem and its plan", "PLAN")
        if state is not None or moves is not None:
            raise ArgumentError("a plan begins in the first state of its problem", "--state")
        _verify_plan(domain, pddl_called(file), plan, json_output=json_output)
        return
    if plan is not None:
        raise ArgumentError("only a domain in PDDL is followed by a problem and its plan", "PLAN")
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


def _verify_plan(domain: Path, problem: Path, file: Path, *, json_output: bool) -> None:
    both, lines = read_problem(domain, problem), read_plan(file)
    checked = check_plan(both, [each.step for each in lines])
    place = line_of_mistake(lines, checked)
    if json_output:
        mistake = None if checked.mistake is None else {"line": place, "message": checked.mistake}
        print_json({"actions": len(lines), "cost": checked.cost, "mistake": mistake})
    elif checked.mistake is not None:
        print_line(f"{shown(file)}:{place}: {checked.mistake}")
        print_line("refused: 1 mistake")
    else:
        actions = counted(f"{len(lines):,}", "action")
        cost = f", cost {checked.cost:,}" if both.problem.minimises_cost else ""
        print_line(f"{shown(file)}: right: the goal holds after {actions}{cost}")
    if checked.mistake is not None:
        raise ReportedError(1)


def _line(mistake: Mistake) -> int:
    """Return the line of a mistake in the file. A mistake of the whole strategy is on the first line."""
    return 1 if mistake.node is None else mistake.node + LINE_OF_NODE_0
