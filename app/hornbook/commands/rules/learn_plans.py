"""The command `hornbook rules learn-plans`: plans from lines of play or from positions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.option_groups import LearningLimitOptions
from hornbook.commands.options import option
from hornbook.commands.rules.learning.options import LearningFileOptions
from hornbook.compiler.learn.learning import examples_of, read_examples
from hornbook.games.plan_lessons import learn_plans_from
from hornbook.games.plan_lines import learn_plans_of
from hornbook.games.planning import PlanningKnowledge, planning_knowledge
from hornbook.inputs.domains import NoDomainError
from hornbook.inputs.opening_store import open_theory
from hornbook.inputs.rule_destination import rule_destination
from hornbook.inputs.store_names import store_named
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.termination import termination_interrupts


def learn_plans(
    theory: options.Theory,
    *,
    learning: LearningFileOptions,
    lines: Annotated[
        list[str] | None,
        option(
            "--line",
            "LINE",
            "A line of own moves, `EXAMPLE: GAME :- ACTION, ACTION, …`; several may be given.",
        ),
    ] = None,
    bounds: LearningLimitOptions,
    json_output: options.Json = False,
) -> None:
    """Learn plans from lines of play or problems.

    With --line, the moves begin in the state of an example, and one rule is learned for each number of
    remaining moves.

    Without --line, each position of --problems (also .epd) has a line of play, or a search finds one. If
    planning does not reach the result of the line, the line is explained. The explanation gives plans, and
    goals for which later positions give plans. The exit code is 1 if some problem has no line or was given
    up.
    """
    files = learning.files(theory)
    budget = bounds.budget()
    if not lines:
        place = _place(files, learning.into)
        learn_plans_from(_known(theory), files, place, budget, json_output=json_output)
        return
    where = rule_destination(theory, learning.into, reporting=not json_output, again=False)
    with termination_interrupts(), where as (known, home):
        examples = [e for file in files for e in read_examples(file, known)] or list(examples_of(known))
        learn_plans_of(known, examples, lines, home, budget.limits, json_output=json_output)


def _known(theory: str) -> PlanningKnowledge:
    """Return the knowledge for planning in a theory's game. Raise BadParameter if it has none."""
    try:
        return planning_knowledge(open_theory(theory, unchanged=True))
    except NoDomainError as problem:
        raise ArgumentError(str(problem), "THEORY") from None


def _place(files: Sequence[Path], into: Path | None) -> Path:
    """Return the file for plans from problems. Raise BadParameter if there are no problems, or no file."""
    if not files:
        raise ArgumentError("give a line of moves (--line), or files of problems", "--problems")
    if into is None or store_named(into) is not None:
        raise ArgumentError("plans from problems are written to a file of rules", "--into")
    return into
