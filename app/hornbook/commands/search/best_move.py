"""The command `hornbook search best-move`: a decision within a budget, and its cost."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from hornbook.commands import options
from hornbook.commands.games.whole.game import GAME
from hornbook.commands.options import argument, option
from hornbook.inputs.native_games import NativeGame, native_game
from hornbook.inputs.opening_store import with_rules
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import write_text
from hornbook.play.thinking.decision import ALGORITHMS, DEEPEST, BudgetError, Decision, decide
from hornbook.play.thinking.proved import Proofs, SelectiveProofs
from hornbook.play.thinking.statistics import read_statistics
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_line

if TYPE_CHECKING:
    from hornbook.play.native import NativeState

Game = Annotated[str, argument("GAME", GAME)]


def best_move(
    game: Game,
    position: Annotated[
        str, option("--position", "FILE|TEXT", "The position to decide on.", show_default=False)
    ],
    algorithm: Annotated[
        str, option("--algorithm", "NAME", f"The search algorithm: {', '.join(ALGORITHMS)}.")
    ] = "deepening",
    nodes: Annotated[
        int | None, option("--nodes", "N", "The limit of expansions and evaluations.", min=1, max=10**18)
    ] = None,
    seconds: Annotated[
        float | None, option("--seconds", "S", "The limit of processor time in seconds.", min=0.001)
    ] = None,
    depth: Annotated[
        int | None, option("--depth", "N", "The limit of the search depth in moves.", min=1, max=DEEPEST)
    ] = None,
    statistics: Annotated[
        Path | None,
        option(
            "--statistics",
            "FILE",
            "A file written by `hornbook search statistics`, for searches that use statistics.",
        ),
    ] = None,
    rules: options.Rules = None,
    trace: Annotated[
        Path | None, option("--trace", "FILE", "Write each step into a file, as JSON lines.")
    ] = None,
    json_output: options.Json = False,
) -> None:
    """Choose a move within a budget, and show the cost and why the search stopped.

    Values are for the player to move, in the game's own unit. With rules that conclude wins, a move that is
    proved to win is chosen, and the search queries the rules in positions that it searches intensively. The
    exit code is 1 if nothing was decided within the budget.
    """
    played = native_game(game)
    proofs = None if rules is None else _proofs(played, game, rules)
    known = None if statistics is None else read_statistics(statistics, played.name, played.native.CONDITIONS)
    at = played.position(position)
    try:
        decision = decide(
            played.native,
            at,
            nodes=nodes,
            seconds=seconds,
            depth=depth,
            algorithm=algorithm,
            statistics=known,
            proofs=None if proofs is None else SelectiveProofs(proofs),
            trace=trace is not None,
        )
    except BudgetError as problem:
        raise ArgumentError(str(problem), "--algorithm") from None
    unit = played.native.EVALUATION_UNIT
    if trace is not None:
        lines = [json.dumps(asdict(step) | {"value": step.value / unit}) for step in decision.steps]
        write_text(trace, "".join(f"{line}\n" for line in lines))
    if json_output:
        report = asdict(decision) | {"algorithm": algorithm, "value": decision.value / unit}
        del report["steps"]
        print_line(json.dumps(report))
    else:
        print_line(_text(decision, unit, _conclusion(decision, at, proofs)))
    if decision.move is None and not at.is_over:
        raise ReportedError(1)


def _proofs(played: NativeGame, game: str, rules: Path) -> Proofs:
    from hornbook.api.learned_rules import LearnedRules  # noqa: PLC0415 - slow to import
    from hornbook.api.proving import RuleProofs  # noqa: PLC0415 - slow to import

    opened = with_rules(game, rules)
    return RuleProofs(played, LearnedRules(opened.theory, opened.base, names=opened.active))


def _conclusion(decision: Decision, at: NativeState, proofs: Proofs | None) -> str:
    """Return the rule conclusion for a proved move."""
    won = proofs(at) if proofs is not None and decision.why == "proved" else None
    return "" if won is None else f"\n{won.description}"


def _text(decision: Decision, unit: int, proved: str = "") -> str:
    spent = decision.spent
    took = (
        f"{counted(spent.expansions, 'expansion')}, {counted(spent.evaluations, 'evaluation')},"
        f" {spent.seconds:.3f} s; depth {decision.depth}; stopped: {decision.why}{proved}"
    )
    if decision.move is None:
        over = decision.why == "the game is over"
        return f"{'the game is over' if over else 'no move was decided on within the budget'}\n{took}"
    return f"{decision.move}  {decision.value / unit:+g}\nexpected: {' '.join(decision.line)}\n{took}"
