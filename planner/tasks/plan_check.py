"""The check of a plan by the definition of PDDL, on the syntax tree.

It uses no ground task and no search, so that a mistake there is found. A state is a set of atoms. Every
action of a plan is instantiated and applied alone.

Source: Fox and Long, PDDL2.1, JAIR 20 (2003), level 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path

from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.pddl.syntax import (
    EQUALITY,
    FunctionTerm,
    PddlAction,
    PddlEffect,
    PddlLiteral,
    PlanningProblem,
)
from hornbook.planner.tasks.ground_task import Step
from hornbook.planner.tasks.plan_files import PlanFileError, PlanLine, read_plan

PlanAtom = tuple[str, ...]
"""A predicate and its arguments."""
PlanState = frozenset[PlanAtom]
Binding = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CheckedPlan:
    """The result of a check: the cost of the actions, or the first mistake.

    `place` is the index of the action with the mistake, or the number of actions if the goal does not hold.
    """

    cost: int
    mistake: str | None = None
    place: int | None = None


def initial_state(both: PlanningProblem) -> PlanState:
    """Return the first state of a problem."""
    return frozenset((each.predicate, *each.terms) for each in both.problem.initial if each.positive)


def holds(literals: Iterable[PddlLiteral], binding: Binding, state: PlanState) -> bool:
    """Return whether all literals hold in a state."""
    return first_false(literals, binding, state) is None


def first_false(
    literals: Iterable[PddlLiteral], binding: Binding, state: PlanState
) -> tuple[PlanAtom, bool] | None:
    """Return the first literal that does not hold, as an atom and whether it must be true."""
    for literal in literals:
        atom = _atom(literal, binding)
        is_true = atom[1] == atom[2] if literal.predicate == EQUALITY else atom in state
        if is_true != literal.positive:
            return atom, literal.positive
    return None


def after_action(both: PlanningProblem, action: PddlAction, binding: Binding, state: PlanState) -> PlanState:
    """Return the state after an action that is applicable."""
    deleted: set[PlanAtom] = set()
    added: set[PlanAtom] = set()
    for effect in action.effects:
        for inner in _bindings(both, effect, binding):
            if holds(effect.conditions, inner, state):
                (added if effect.literal.positive else deleted).add(_atom(effect.literal, inner))
    return (state - deleted) | added


def cost_of(both: PlanningProblem, action: PddlAction, binding: Binding) -> int | None:
    """Return the cost of an action, or None if the problem gives none: then it is not applicable."""
    if not both.problem.minimises_cost:
        return 1
    cost = action.cost
    if not isinstance(cost, FunctionTerm):
        return cost or 0
    terms = tuple(binding.get(term, term) for term in cost.terms)
    return both.problem.values.get(FunctionTerm(cost.function, terms))


def check_plan(both: PlanningProblem, steps: Sequence[Step]) -> CheckedPlan:
    """Return the cost of a plan, or its first mistake. Each step is the name of an action with arguments."""
    actions = {action.name: action for action in both.domain.actions}
    types = {each.name: each.types for each in both.objects}
    state, total = initial_state(both), 0
    for place, (name, *arguments) in enumerate(steps):
        action = actions.get(name)
        if action is None:
            return CheckedPlan(total, f"the domain has no action `{name}`", place)
        mistake = _unfit_arguments(both, action, arguments, types)
        if mistake is not None:
            return CheckedPlan(total, mistake, place)
        binding = {each.name: value for each, value in zip(action.parameters, arguments, strict=True)}
        false = first_false(action.precondition, binding, state)
        if false is not None:
            return CheckedPlan(total, f"`{name}` is not applicable: {_message(false)}", place)
        cost = cost_of(both, action, binding)
        if cost is None:
            return CheckedPlan(total, f"`{name}` has no cost for these arguments", place)
        state, total = after_action(both, action, binding, state), total + cost
    false = first_false(both.problem.goal, {}, state)
    if false is not None:
        return CheckedPlan(total, f"the goal does not hold: {_message(false)}", len(steps))
    return CheckedPlan(total)


def line_of_mistake(lines: Sequence[PlanLine], checked: CheckedPlan) -> int:
    """Return the line of a plan's mistake. If the goal does not hold, it is the line of the last action."""
    if checked.place is None or not lines:
        return 1
    return lines[min(checked.place, len(lines) - 1)].line


def steps_of_plan(both: PlanningProblem, path: Path) -> tuple[Step, ...]:
    """Return the actions of a plan file. Raises PlanFileError if it is no plan of the problem."""
    lines = read_plan(path)
    steps = tuple(each.step for each in lines)
    checked = check_plan(both, steps)
    if checked.mistake is not None:
        raise PlanFileError(f"{shown(path)}:{line_of_mistake(lines, checked)}: {checked.mistake}")
    return steps


def _unfit_arguments(
    both: PlanningProblem, action: PddlAction, arguments: Sequence[str], types: Mapping[str, tuple[str, ...]]
) -> str | None:
    if len(arguments) != len(action.parameters):
        right = counted(len(action.parameters), "argument")
        return f"`{action.name}` has {right}, and not {len(arguments)}"
    for parameter, argument in zip(action.parameters, arguments, strict=True):
        if argument not in types:
            return f"the problem has no object `{argument}`"
        if not both.domain.fits(types[argument], parameter.types):
            return f"`{argument}` is not of type `{' or '.join(parameter.types)}` (`{parameter.name}`)"
    return None


def _bindings(both: PlanningProblem, effect: PddlEffect, outer: Binding) -> Iterable[Binding]:
    """Yield the binding of an action with each choice for the parameters of an effect."""
    names = [each.name for each in effect.parameters]
    for values in product(*(both.of_types(each.types) for each in effect.parameters)):
        yield {**outer, **dict(zip(names, values, strict=True))}


def _atom(literal: PddlLiteral, binding: Binding) -> PlanAtom:
    return literal.predicate, *(binding.get(term, term) for term in literal.terms)


def _message(literal: tuple[PlanAtom, bool]) -> str:
    atom, must_be_true = literal
    return f"({' '.join(atom)}) is {'false' if must_be_true else 'true'}"
