"""The command `hornbook game plan`: a plan of a problem in PDDL."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import argument, flag, option
from hornbook.kb.lower.budget import Budget
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import require_writable, write_texts
from hornbook.planner.pddl.examples import pddl_called
from hornbook.planner.pddl.reading import read_problem
from hornbook.planner.pddl.syntax import PlanningProblem
from hornbook.planner.tasks.plan_files import lines_of_plan, text_of_step
from hornbook.planner.tasks.planning import ADMISSIBLE, HEURISTICS, Method, TaskProgress, plan_problem
from hornbook.planner.tasks.task_grounding import TaskTooLarge
from hornbook.planner.tasks.task_plan import TaskResult
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_json, print_line, warn

Domain = Annotated[Path, argument("DOMAIN", "A domain in PDDL, or the name of one that ships.")]
Problem = Annotated[
    Path, argument("PROBLEM", "A problem of the domain in PDDL, or the name of one that ships.")
]


def plan(
    domain: Domain,
    problem: Problem,
    optimal: Annotated[bool, flag("--optimal", "Search for a plan that is proved to be cheapest.")] = False,
    first_plan: Annotated[bool, flag("--first-plan", "End with the first plan.")] = False,
    heuristic: Annotated[
        str | None, option("--heuristic", "NAME", f"The heuristic: {', '.join(HEURISTICS)}.")
    ] = None,
    seconds: options.SearchSeconds = options.SEARCH_SECONDS,
    memory: options.SearchMemory = options.SEARCH_MEGABYTES,
    into: Annotated[Path | None, option("--into", "FILE", "Write the plan to a file.")] = None,
    json_output: options.Json = False,
) -> None:
    """Find a plan of a problem in PDDL.

    A greedy search finds a first plan. Further searches find cheaper ones, until one is proved to be
    cheapest or the time is over. With --optimal, the only search is A*. The heuristics are `ff`, `add`,
    `max`, `lmcut` and `blind`; the last three are admissible, so they prove plans optimal. The exit code is
    1 if no plan is found, or with --optimal if the plan is not proved to be cheapest.
    """
    method = _method(heuristic, optimal=optimal, first=first_plan)
    if into is not None:
        require_writable(into)
    both = read_problem(pddl_called(domain), pddl_called(problem))
    result = _plan(both, Budget(seconds=seconds, megabytes=memory), method)
    if into is not None and result.best is not None:
        lines = lines_of_plan(result.best.steps, result.best.cost, minimises_cost=both.problem.minimises_cost)
        write_texts([(into, lines)])
    if json_output:
        print_json(_as_json(result))
    else:
        for line in _text(both, result, into):
            print_line(line)
    if result.best is None or (optimal and result.verdict != "optimal"):
        raise ReportedError(1)


def _method(heuristic: str | None, *, optimal: bool, first: bool) -> Method:
    if heuristic is not None and heuristic not in HEURISTICS:
        hint = did_you_mean(heuristic, HEURISTICS) or f"the heuristics are {', '.join(HEURISTICS)}"
        raise ArgumentError(f"no heuristic is called `{heuristic}`; {hint}", "--heuristic")
    method = Method(heuristic, optimal=optimal, first=first)
    if optimal and method.name not in ADMISSIBLE:
        names = ", ".join(ADMISSIBLE)
        raise ArgumentError(f"`{heuristic}` proves no plan optimal; use one of {names}", "--heuristic")
    return method


def _plan(both: PlanningProblem, budget: Budget, method: Method) -> TaskResult:
    """Search until there is a result, a limit is reached, or the user interrupts it."""
    with progress("states", None) as update:

        def tell(state: TaskProgress) -> None:
            found = "no plan yet" if state.best is None else f"best cost: {state.best}"
            update(completed=state.evaluated, remark=f"{found}, at least {state.bound}")

        try:
            return plan_problem(both, budget, method, tell)
        except TaskTooLarge as problem:
            warn(f"error: {problem}")
            raise ReportedError(1) from None


def _text(both: PlanningProblem, result: TaskResult, into: Path | None) -> list[str]:
    looked = f"  {counted(f'{result.evaluated:,}', 'state')} evaluated, {_operators(result)}"
    best = result.best
    if best is None:
        if result.verdict == "unsolvable":
            return ["no plan exists; proved", looked]
        return [f"no plan was found within the limits ({result.stopped})", looked]
    lines = [text_of_step(step) for step in best.steps] if into is None else []
    actions = counted(f"{len(best.steps):,}", "action")
    cost = f", cost {best.cost:,}" if both.problem.minimises_cost else ""
    if result.verdict == "optimal":
        quality = (
            "no plan is cheaper; proved" if both.problem.minimises_cost else "no plan is shorter; proved"
        )
    else:
        quality = f"a cheaper plan may exist; no plan costs less than {result.bound:,}"
    written = "" if into is None else f", written to {shown(into)}"
    return [*lines, f"a plan of {actions}{cost}{written}; {quality}", looked]


def _operators(result: TaskResult) -> str:
    return counted(f"{result.operators:,}", "ground action")


def _as_json(result: TaskResult) -> dict[str, object]:
    best = result.best
    return {
        "answer": result.verdict,
        "plan": None if best is None else [text_of_step(step) for step in best.steps],
        "cost": None if best is None else best.cost,
        "bound": result.bound,
        "stopped": result.stopped,
        "plans": [{"cost": each.cost, "seconds": round(each.seconds, 4)} for each in result.plans],
        "states": result.evaluated,
        "operators": result.operators,
        "grounding_seconds": round(result.grounding_seconds, 4),
        "seconds": round(result.seconds, 4),
    }
