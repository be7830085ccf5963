"""The command `hornbook game strategy`: the goal that a role can guarantee, and a strategy for it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.games.sheet.positions import From, Played, Sheet, reached
from hornbook.commands.options import option
from hornbook.games import strategy_pictures as pictures
from hornbook.games.strategy_page import strategy_page
from hornbook.kb.lower.budget import Budget
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import require_writable, write_texts
from hornbook.planner.conditional.guarantee import guarantee
from hornbook.planner.conditional.solving import Solution
from hornbook.planner.gdl.examples import sheet_called
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import text_of
from hornbook.planner.machines.worths import greatest_worth
from hornbook.planner.strategies.files import lines_of_strategy
from hornbook.planner.strategies.sizes import tree_size
from hornbook.planner.strategies.strategy import RoleStrategy
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_json, print_line

Role = Annotated[
    str | None, option("--role", "ROLE", "The role of the strategy; optional if there is only one.")
]
AtLeast = Annotated[
    int | None, option("--at-least", "N", "Look for a strategy that reaches this goal.", min=1)
]
Nodes = Annotated[int | None, option("--nodes", "N", "Give up after N states.", min=1)]
Into = Annotated[Path | None, option("--into", "FILE", "Write the strategy to a file.")]
RefutationFile = Annotated[
    Path | None,
    option("--refutation", "FILE", "Write the strategy of the others that prevents a higher goal."),
]

Svg = Annotated[Path | None, option("--svg", "FILE", "Draw the strategy into a file.")]
Mermaid = Annotated[Path | None, option("--mermaid", "FILE", "Write the strategy as a Mermaid flowchart.")]
Html = Annotated[Path | None, option("--html", "FILE", "Write a page that opens the replies one by one.")]


def strategy(
    sheet: Sheet,
    role: Role = None,
    at_least: AtLeast = None,
    state: From = None,
    moves: Played = None,
    seconds: options.SearchSeconds = options.SEARCH_SECONDS,
    nodes: Nodes = None,
    memory: options.SearchMemory = options.SEARCH_MEGABYTES,
    into: Into = None,
    refutation: RefutationFile = None,
    svg: Svg = None,
    mermaid: Mermaid = None,
    html: Html = None,
    json_output: options.Json = False,
) -> None:
    """Find the goal that a role can guarantee.

    The role reaches this goal against all moves of the others. In simultaneous moves, the others are assumed
    to know the role's move, and `random` is assumed to play against it. The exit code is 1 if there is no
    such strategy, or if it was not decided within the limits.
    """
    game = Game.read_kif(sheet_called(sheet))
    name = _role(game, role)
    start = reached(game, state, moves)
    for path in (into, refutation, svg, mermaid, html):
        if path is not None:
            require_writable(path)
    budget = Budget(seconds=seconds, steps=nodes, megabytes=memory)
    solution = _solve(game, name, start, at_least, budget, refuted=refutation is not None)
    found = solution.strategy
    files = [] if found is None else _files(found, into, svg, mermaid, html)
    if refutation is not None and solution.refutation is not None:
        files.append((refutation, lines_of_strategy(solution.refutation)))
    write_texts(files)
    if json_output:
        print_json(_as_json(name, solution))
    else:
        for line in _text(game, name, solution, at_least):
            print_line(line)
        if refutation is not None:
            print_line(_about_refutation(game, name, solution))
        if solution.answer == "none":
            for line in _stuck(game, start):
                print_line(line)
    if solution.answer != "found":
        raise ReportedError(1)


def _role(game: Game, role: str | None) -> str:
    if role is None and len(game.roles) == 1:
        return game.roles[0]
    if role is None:
        raise ArgumentError(f"name the role of the strategy: {', '.join(game.roles)}", "--role")
    if role.lower() not in game.roles:
        hint = did_you_mean(role.lower(), game.roles) or f"the roles are {', '.join(game.roles)}"
        raise ArgumentError(f"no role is called `{role}`; {hint}", "--role")
    return role.lower()


def _solve(
    game: Game, role: str, start: State, at_least: int | None, budget: Budget, *, refuted: bool
) -> Solution:
    """Search until there is an answer, a limit is reached, or the user interrupts it."""
    with progress("states", budget.steps) as update:

        def tell(states: int, least: int, most: int) -> None:
            update(completed=states, remark=f"guaranteed: {least} to {most}")

        try:
            return guarantee(game, role, start, at_least, budget, tell, refuted=refuted)
        except ValueError as problem:
            raise ArgumentError(str(problem), "--state") from None


def _files(
    found: RoleStrategy, into: Path | None, svg: Path | None, mermaid: Path | None, html: Path | None
) -> list[tuple[Path, str | Iterable[str]]]:
    """Return the files that show a strategy."""
    files: list[tuple[Path, str | Iterable[str]]] = []
    if into is not None:
        files.append((into, lines_of_strategy(found)))
    if svg is not None:
        files.append((svg, pictures.svg(found)))
    if mermaid is not None:
        files.append((mermaid, pictures.mermaid(found)))
    if html is not None:
        files.append((html, strategy_page(found)))
    return files


def _text(game: Game, role: str, solution: Solution, at_least: int | None) -> list[str]:
    lower, upper = solution.bounds
    others = ", ".join(name for name in game.roles if name != role)
    looked = f"{counted(f'{solution.nodes:,}', 'state')} looked at"
    interval = f"{lower}" if lower == upper else f"from {lower} to {upper}"
    lines = []
    if solution.answer == "found":
        assert solution.strategy is not None
        more = "; no more is possible" if solution.strategy.value == upper else ""
        whatever = f", whatever {others} may do" if others else ""
        lines.append(f"{role} can guarantee {solution.strategy.value}{whatever}{more}")
    elif solution.answer == "none":
        goal = "more than 0" if at_least is None else f"{at_least}"
        lines.append(f"no strategy exists that guarantees {role} {goal}; proved: {interval}")
    elif solution.strategy is None and lower > 0:
        lines.append(f"no time was left to make a strategy; proved of what {role} can guarantee: {interval}")
    else:
        lines.append(f"not decided what {role} can guarantee; proved: {interval}")
    lines += [] if solution.strategy is None else _about(role, solution.strategy)
    return [*lines, f"  {looked}"]


def _about(role: str, strategy: RoleStrategy) -> list[str]:
    root = strategy.nodes[0]
    nodes, lines_of_play = tree_size(strategy)
    size = counted(f"{len(strategy.nodes):,}", "node")
    lines = [f"  strategy for {strategy.value}: {size}, as a tree {nodes:,}, with {_lines(lines_of_play)}"]
    if root.move is None:
        return [*lines, "  the game is over"]
    over = counted(root.rank, "move")
    return [f"  {role} begins with {text_of(root.move)}; over after {over} at most", *lines]


def _about_refutation(game: Game, role: str, solution: Solution) -> str:
    """Return a line about the written refutation, or about the reason why there is none."""
    upper, found = solution.bounds[1], solution.refutation
    if found is not None:
        size = counted(f"{len(found.nodes):,}", "node")
        return f"  how {', '.join(found.others)} can hold {role} to {upper}: {size}"
    if len(game.roles) == 1:
        reason = (
            "no opponent moves; the upper bound is proved by all states that were looked at, or by the rules"
        )
    elif upper >= greatest_worth(game.program, role):
        reason = f"no rule of the sheet gives {role} more than {upper}"
    else:
        reason = "no smaller bound is proved, or the time is over"
    return f"  no refutation is written: {reason}"


def _stuck(game: Game, start: State) -> list[str]:
    """Return a line for each role without a legal move in a first state that is not terminal."""
    if game.terminal(start):
        return []
    return [
        f"  {role} has no legal move to begin with, and the game is not over"
        for role, moves in game.legal(start).items()
        if not moves
    ]


def _lines(number: int) -> str:
    return counted(f"{number:,}", "line of play", "lines of play")


def _as_json(role: str, solution: Solution) -> dict[str, object]:
    found = solution.strategy
    report: dict[str, object] = {
        "answer": solution.answer,
        "role": role,
        "bounds": list(solution.bounds),
        "states": solution.nodes,
        "strategy": None,
        "refutation": None,
    }
    if solution.refutation is not None:
        report["refutation"] = {"most": solution.refutation.most, "nodes": len(solution.refutation.nodes)}
    if found is not None:
        nodes, lines_of_play = tree_size(found)
        move = found.nodes[0].move
        report["strategy"] = {
            "value": found.value,
            "move": None if move is None else text_of(move),
            "moves": found.nodes[0].rank,
            "nodes": len(found.nodes),
            "tree": nodes,
            "lines": lines_of_play,
        }
    return report
