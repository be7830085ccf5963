"""The texts of a problem: a theory with its static facts and its goal, and its first state as facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod

from hornbook.kb.ast.notation import print_term
from hornbook.kb.ast.terms import Constant, Span
from hornbook.kb.format.formatter import format_text
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.planner.pddl.syntax import PlanningProblem
from hornbook.planner.pddl_theories.conditions import simplified
from hornbook.planner.pddl_theories.theory_text import DomainTheory, type_facts
from hornbook.planner.pddl_theories.wording import NO, YES, FactText, VariableNames, written_rule
from hornbook.planner.tasks.ground_task import Step

MOST_FACTS = 200_000
"""The maximal number of facts of a first state."""
GOAL = "goal"


def problem_text(
    both: PlanningProblem, theory: DomainTheory, name: str, domain: str, file: str, plan: Sequence[str]
) -> str:
    """Return the theory of a problem, which imports that of its domain. `plan` are actions that reach the
    goal; an example with them is for learning.
    """
    facts = [*type_facts(both.domain, both.problem.objects, theory.names), *_facts(both, theory, static=True)]
    lines = [
        f"% Made of a problem in PDDL by `hornbook game import`: {file}.",
        f"theory {name}.",
        f"import {domain}.",
        "",
        *facts,
        "",
        f"derived {GOAL}.",
        f"{GOAL}: {written_rule(FactText('', GOAL, ()), _goal(both, theory, file))}.",
    ]
    if plan:
        state = ", ".join(each.rstrip(".") for each in _facts(both, theory, static=False))
        lines += ["", f"example plan: {', '.join(filter(None, (state, ' then '.join(plan))))}."]
        lines.append(f"expect plan: after {GOAL}.")
        for literal in dict.fromkeys(both.problem.goal):
            if literal.predicate in both.domain.changing():
                after = theory.wording.literal(literal, "after ")
                lines.append(f"expect plan: {VariableNames(()).written(after)}.")
    return format_text("\n".join(lines) + "\n")


def state_text(both: PlanningProblem, theory: DomainTheory, file: str) -> str:
    """Return the facts of the first state."""
    heading = f"% The first state of a problem in PDDL: {file}."
    return "\n".join((heading, *_facts(both, theory, static=False))) + "\n"


def _goal(both: PlanningProblem, theory: DomainTheory, file: str) -> Sequence[FactText]:
    conditions = simplified(both.problem.goal)
    if conditions is None:
        span = next((each.span for each in both.problem.goal), Span(file, 1, 1, 1, 1))
        help_ = "delete one of its contradictory conditions"
        raise TheoryError([error("HB110", "no state satisfies the goal", span, help_)], {})
    return theory.wording.conditions(conditions, "")  # type: ignore[return-value]


def _facts(both: PlanningProblem, theory: DomainTheory, *, static: bool) -> Iterator[str]:
    """Yield the static facts, or the facts of the first state, by predicates."""
    changing = both.domain.changing()
    stated: dict[str, dict[tuple[str, ...], None]] = {name: {} for name in theory.names.predicates}
    for each in both.problem.initial:
        if each.positive and each.predicate in stated:
            stated[each.predicate].setdefault(each.terms)
    for name, rows in stated.items():
        if (name not in changing) != static:
            continue
        for row in _possible(both, name) if name in theory.two_valued else rows:
            value = "" if name not in theory.two_valued else YES if row in rows else NO
            terms = map(Constant, (*row, *([value] if value else [])))
            yield f"{_fact(theory.names.predicates[name], terms)}."


def _possible(both: PlanningProblem, name: str) -> Iterator[tuple[str, ...]]:
    """Yield the arguments that a predicate may have."""
    signature = both.domain.predicates[name]
    columns = [both.of_types(parameter.types) for parameter in signature.parameters]
    if prod(map(len, columns)) > MOST_FACTS:
        message = f"`{name}` may hold or not of more than {MOST_FACTS:,} combinations of objects"
        help_ = "take a problem with fewer objects"
        raise TheoryError([error("HB110", message, signature.span, help_)], {})
    return product(*columns)


def plan_actions(steps: Iterable[Step], theory: DomainTheory) -> tuple[str, ...]:
    """Return the actions of a plan of the problem as facts of the theory."""
    return tuple(_fact(theory.names.actions[name], map(Constant, arguments)) for name, *arguments in steps)


def _fact(predicate: str, terms: Iterable[Constant]) -> str:
    columns = ", ".join(map(print_term, terms))
    return f"{predicate}({columns})" if columns else predicate
