"""The comparison of a theory of a domain with the interpreter, on random walks."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.changes.succession import facts_after
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load
from hornbook.planner.pddl_theories.folder import DomainFolder
from hornbook.planner.translation.folder import write_files
from oracles.pddl.interpreter import State, Step, Task, applicable, holds, successor, task

FACTS_OF_CHANGES = 6
"""The maximal number of actions whose next states are compared in one state."""


def difference(folder: DomainFolder, domain: str, problem: str, where: Path, random: Random) -> str:
    """Return the first difference on a random walk of at most 6 steps, or an empty text.

    The names of the domain are its names in the theory, with `_` for `-`.
    """
    write_files(folder.files, where)
    made = task(domain, problem)
    theory = load(where / folder.problem)
    state = made.initial
    base = KnowledgeBase(theory)
    base.add_text((where / folder.state).read_text(encoding="utf-8"))
    for _ in range(6):
        possible = set(applicable(made, state))
        derived = {
            (name, *map(str, fact.values))
            for name in made.actions
            for fact in base.facts(f"may_{name.replace('-', '_')}", "before")
        }
        if derived != possible:
            return f"in {sorted(state)}: applicable {sorted(possible ^ derived)} in one of the two only"
        goal = any(True for _ in base.facts("goal", "before"))
        if goal != holds(made, made.goal, state, {}):
            return f"in {sorted(state)}: the goal"
        if _shown(base.given(), made) != state & _changing(made, state):
            return f"the state {sorted(state)} is given as {base.given()}"
        found = _compared(base, made, state, possible, random)
        if found:
            return found
        if not possible:
            break
        step = random.choice(sorted(possible))
        action = _action(step)
        base.add([action])
        fluents = facts_after(base)
        statics = {n for n, predicate in theory.vocabulary.predicates.items() if predicate.kind == "static"}
        base.exchange([fact for fact in base.given() if fact.relation not in statics], fluents)
        state, _ = successor(made, state, step)
    return ""


def _compared(base: KnowledgeBase, made: Task, state: State, possible: set[Step], random: Random) -> str:
    """Return a difference in the next states of some applicable and inapplicable actions."""
    objects = [name for name, _ in made.objects]
    every = [
        (action.name, *row)
        for action in made.actions.values()
        for row in product(objects, repeat=len(action.parameters))
    ]
    declared = base.theory.vocabulary.predicates  # an action that no state makes applicable is not declared
    others = [step for step in every if step not in possible and step[0].replace("-", "_") in declared]
    chosen = random.sample(sorted(possible), min(len(possible), FACTS_OF_CHANGES))
    for step in [*chosen, *random.sample(others, min(len(others), 2))]:
        action = _action(step)
        base.push()
        base.add([action])
        after = facts_after(base)
        base.pop()
        if step not in possible:
            if after:
                return f"in {sorted(state)}: {step} is not applicable, and {after} follows"
            continue
        next_state, _ = successor(made, state, step)
        if _shown(after, made) != next_state & _changing(made, next_state):
            return f"in {sorted(state)}: {step} leads to {sorted(next_state)}, not to {after}"
        if not _is_complete(after, base):
            return f"in {sorted(state)}: after {step} some absences are missing in {after}"
    return ""


def _action(step: Step) -> GroundFact:
    return GroundFact(step[0].replace("-", "_"), step[1:])


def _shown(facts: list[GroundFact], made: Task) -> State:
    """Return the atoms of fluents that facts of the theory express."""
    names = {name.replace("-", "_"): name for name in _fluents(made)}
    found = set()
    for fact in facts:
        if fact.relation in names and fact.values[-1:] != ("no",):
            row = fact.values[:-1] if fact.values[-1:] == ("yes",) else fact.values
            found.add((names[fact.relation], *map(str, row)))
    return frozenset(found)


def _is_complete(after: list[GroundFact], base: KnowledgeBase) -> bool:
    """Return whether each two-valued fluent has as many facts after an action as before."""
    valued = [fact for fact in base.given() if fact.values[-1:] in (("yes",), ("no",))]
    return len(valued) == sum(fact.values[-1:] in (("yes",), ("no",)) for fact in after)


def _fluents(made: Task) -> set[str]:
    found: set[str] = set()

    def note(effect: object) -> None:
        if not isinstance(effect, list) or not effect:
            return
        head, *rest = effect
        if head == "and":
            for each in rest:
                note(each)
        elif head in ("when", "forall"):
            note(rest[1])
        elif head == "not":
            note(rest[0])
        elif head != "increase":
            found.add(head)

    for action in made.actions.values():
        note(action.effect)
    return found


def _changing(made: Task, state: State) -> State:
    fluents = _fluents(made)
    return frozenset(atom for atom in state if atom[0] in fluents)
