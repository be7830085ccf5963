"""An interpreter of PDDL 2.1, level 1, and a validator of plans, written from the definition.

It shares nothing with `planner/pddl`: texts become nested lists, and every formula is evaluated on them
directly, without compilation. A state is a set of atoms; all objects are enumerated for each variable.

Source: M. Fox and D. Long, *PDDL2.1: an extension to PDDL for expressing temporal planning domains*, Journal
of Artificial Intelligence Research 20, 2003.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

Atom = tuple[str, ...]
State = frozenset[Atom]
Step = tuple[str, ...]
"""An action and its objects."""


def parsed(text: str) -> list[Any]:
    """Return the outermost expressions of a text: words in lower case, and lists."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r"[()]|[^\s();]+", re.sub(r";.*", "", text).lower()):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    assert len(stack) == 1, "a parenthesis is not closed"
    return stack[0]


def typed(items: list[Any]) -> list[tuple[str, set[str]]]:
    """Return the names of a list with their types."""
    found: list[tuple[str, set[str]]] = []
    names: list[str] = []
    rest = list(items)
    while rest:
        word = rest.pop(0)
        if word == "-":
            kind = rest.pop(0)
            kinds = set(kind[1:]) if isinstance(kind, list) else {kind}
            found += [(name, kinds) for name in names]
            names = []
        else:
            names.append(word)
    return found + [(name, {"object"}) for name in names]


@dataclass
class Action:
    name: str
    parameters: list[tuple[str, set[str]]]
    precondition: Any
    effect: Any


@dataclass
class Task:
    """A problem with its domain."""

    supertypes: dict[str, set[str]] = field(default_factory=dict)
    objects: list[tuple[str, set[str]]] = field(default_factory=list)
    actions: dict[str, Action] = field(default_factory=dict)
    initial: State = frozenset()
    values: dict[Atom, float] = field(default_factory=dict)
    goal: Any = ()

    def above(self, kind: str) -> set[str]:
        found, todo = {"object"}, [kind]
        while todo:
            each = todo.pop()
            if each not in found:
                found.add(each)
                todo += self.supertypes.get(each, ())
        return found

    def of(self, kinds: set[str]) -> list[str]:
        """Return the objects whose types are all below some of these types."""
        return [name for name, own in self.objects if all(self.above(kind) & kinds for kind in own)]


def task(domain: str, problem: str) -> Task:
    """Return the task of two texts, which have no mistakes."""
    made = Task()
    for section in parsed(domain)[0][2:]:
        match section[0]:
            case ":types":
                for name, above in typed(section[1:]):
                    made.supertypes.setdefault(name, set()).update(above)
            case ":constants":
                made.objects += typed(section[1:])
            case ":action":
                parts = dict(zip(section[2::2], section[3::2], strict=True))
                made.actions[section[1]] = Action(
                    section[1],
                    typed(parts.get(":parameters", [])),
                    parts.get(":precondition", ["and"]),
                    parts[":effect"],
                )
    for section in parsed(problem)[0][2:]:
        match section[0]:
            case ":objects":
                made.objects += typed(section[1:])
            case ":init":
                facts = [each for each in section[1:] if each[0] not in ("=", "not")]
                made.initial = frozenset(tuple(each) for each in facts)
                made.values = {
                    tuple(each[1]): float(each[2]) for each in section[1:] if each[0] == "=" and each[1]
                }
            case ":goal":
                made.goal = section[1]
    return made


def holds(made: Task, formula: Any, state: State, values: dict[str, str]) -> bool:
    """Return whether a formula holds in a state, for these values of variables."""
    if not formula:
        return True
    head, *rest = formula
    if head == "and":
        return all(holds(made, each, state, values) for each in rest)
    if head == "not":
        return not holds(made, rest[0], state, values)
    if head == "=":
        left, right = (values.get(term, term) for term in rest)
        return left == right
    return (head, *(values.get(term, term) for term in rest)) in state


def assignments(made: Task, names: list[tuple[str, set[str]]]) -> Iterator[dict[str, str]]:
    for objects in product(*(made.of(kinds) for _, kinds in names)):
        yield dict(zip((name for name, _ in names), objects, strict=True))


def applicable(made: Task, state: State) -> list[Step]:
    """Return every applicable action."""
    return [
        (action.name, *values.values())
        for action in made.actions.values()
        for values in assignments(made, action.parameters)
        if holds(made, action.precondition, state, values)
    ]


def is_applicable(made: Task, state: State, step: Step) -> bool:
    action = made.actions.get(step[0])
    if action is None or len(step) != len(action.parameters) + 1:
        return False
    if any(
        thing not in made.of(kinds) for thing, (_, kinds) in zip(step[1:], action.parameters, strict=True)
    ):
        return False
    values = {name: thing for thing, (name, _) in zip(step[1:], action.parameters, strict=True)}
    return holds(made, action.precondition, state, values)


def successor(made: Task, state: State, step: Step) -> tuple[State, float]:
    """Return the state after an applicable action, and its cost."""
    action = made.actions[step[0]]
    values = {name: thing for thing, (name, _) in zip(step[1:], action.parameters, strict=True)}
    added: set[Atom] = set()
    deleted: set[Atom] = set()
    cost = 0.0

    def apply(effect: Any, values: dict[str, str]) -> None:
        nonlocal cost
        if not effect:
            return
        head, *rest = effect
        match head:
            case "and":
                for each in rest:
                    apply(each, values)
            case "when":
                if holds(made, rest[0], state, values):
                    apply(rest[1], values)
            case "forall":
                for more in assignments(made, typed(rest[0])):
                    apply(rest[1], values | more)
            case "not":
                deleted.add(ground(rest[0], values))
            case "increase":
                cost += made.values[ground(rest[1], values)] if isinstance(rest[1], list) else float(rest[1])
            case _:
                added.add(ground(effect, values))

    apply(action.effect, values)
    return frozenset((state - deleted) | added), cost


def ground(atom: list[str], values: dict[str, str]) -> Atom:
    return (atom[0], *(values.get(term, term) for term in atom[1:]))


@dataclass(frozen=True)
class PlanVerdict:
    """Whether a plan reaches the goal, with its cost, or the reason why it does not."""

    valid: bool
    reason: str
    steps: int
    cost: float


def validate(domain_text: str, problem_text: str, plan_text: str) -> PlanVerdict:
    """Return the verdict on a plan, which has a line `(ACTION OBJECT …)` for each step."""
    made = task(domain_text, problem_text)
    state, cost = made.initial, 0.0
    plan = [tuple(each) for each in parsed(plan_text)]
    for number, step in enumerate(plan, 1):
        if not is_applicable(made, state, step):
            return PlanVerdict(
                False, f"step {number} is not applicable: ({' '.join(step)})", number - 1, cost
            )
        state, more = successor(made, state, step)
        cost += more
    reached = holds(made, made.goal, state, {})
    return PlanVerdict(reached, "" if reached else "the goal does not hold at the end", len(plan), cost)
