"""Comparison of a translated game with its sheet: in each state the moves, the end, the worth and the
successors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import process_time

from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import text_of
from hornbook.planner.translation.sheet_domain import SheetGame


@dataclass(frozen=True, slots=True)
class Agreement:
    states: int
    difference: str | None = None
    """The first difference."""


def agreement(folder: Path, random: Random, states: int, seconds: float = 1e9) -> Agreement:
    """Compare the theory in a folder with the sheet next to it, on states of random games."""
    (path,) = folder.glob("*.horn")
    sheet = SheetGame(folder, f"{path.stem}.kif")
    base = KnowledgeBase(load(path), derivations="none")
    compared, end = 0, process_time() + seconds
    for state in _states(sheet, random, states):
        difference = _difference(base, sheet, state, random)
        if difference is not None:
            return Agreement(compared, f"{difference} in {sheet.write(state)}")
        compared += 1
        if process_time() > end:
            break
    return Agreement(compared)


def same_game(
    original: Game, sheet: SheetGame, random: Random, states: int, seconds: float = 1e9
) -> Agreement:
    """Compare a sheet with its sequential form, where roles choose one after another, on states of random
    games.

    After all roles have chosen, the true facts of the original game must be those of the sequential one
    without the facts added by the translation.
    """
    game, compared, end = sheet.game, 0, process_time() + seconds
    known = {shapes[0][0] for name, shapes in original.program.numbers if name == "true" and shapes[0]}
    while compared < states:
        here, there = original.initial, game.initial
        while compared < states:
            if {term for term in there if isinstance(term, str) or term[0] in known} != here:
                return Agreement(compared, f"next: {here ^ there}")
            if original.terminal(here) != game.terminal(there) or original.goal(here) != game.goal(there):
                return Agreement(compared, f"terminal or goal in {here}")
            compared += 1
            legal = original.legal(here)
            if original.terminal(here) or not all(legal.values()) or process_time() > end:
                break
            moves = {role: random.choice(found) for role, found in legal.items()}
            for role in original.roles:
                if (
                    sheet.to_move(there) != role
                    or game.terminal(there)
                    or game.legal(there)[role] != legal[role]
                ):
                    return Agreement(compared, f"legal: {game.legal(there)} in {there}")
                there = game.next(there, {**sheet.idle, role: moves[role]})
            here = original.next(here, moves)
        if process_time() > end:
            break
    return Agreement(compared)


def _states(sheet: SheetGame, random: Random, number: int) -> Iterator[State]:
    """Yield different states while games have new ones, then repeated states."""
    game, seen, idle = sheet.game, set[State](), 0
    given = 0
    while given < number:
        state, new = game.initial, 0
        for _ in range(400):
            if state not in seen or idle > 20:
                seen.add(state)
                new += 1
                given += 1
                yield state
                if given == number:
                    return
            actions = sheet.legal(state)
            if not actions:
                break
            after = sheet.step(state, random.choice(actions))
            assert after is not None
            state = after
        idle = 0 if new else idle + 1


def _difference(base: KnowledgeBase, sheet: SheetGame, state: State, random: Random) -> str | None:
    game, over = sheet.game, sheet.game.terminal(state)
    base.push()
    try:
        base.add(sheet.facts(state))
        if bool(_facts(base, "terminal")) != over:
            return "terminal"
        goals = {(role, n) for role, worths in game.goal(state).items() for n in worths}
        # A sheet may define goals for terms that are no roles, such as an empty cell in a row; they are
        # ignored.
        concluded = {fact.values for fact in _facts(base, "goal") if fact.values[0] in game.roles}
        if concluded != goals:
            return f"goal: {goals}, not {concluded}"
        expected = set(sheet.legal(state))
        found = {
            GroundFact(name, fact.values)
            for name in sheet.shapes_by_action
            for fact in _facts(base, f"may_{name}")
        }
        if found != expected:
            return f"legal: {found ^ expected}"
        if over:
            return None
        mover = sheet.to_move(state)
        for role, moves in game.legal(state).items():
            if role != mover and moves != (sheet.idle[role],):
                return f"{role} does not wait: {[*map(text_of, moves)]}"
        if not expected:
            return None
        action = random.choice(sorted(expected, key=str))
        base.add([action])
        after = sheet.step(state, action)
        assert after is not None
        names = {fluent.name for fluent in sheet.fluents.values()} | {"going"}
        come = {
            fact._replace(tense=None) for name in names for fact in base.facts(name) if fact.tense == "after"
        }
        if come != set(sheet.facts(after)):
            return f"next by {action}: {come ^ set(sheet.facts(after))}"
        return None
    finally:
        base.pop()


def _facts(base: KnowledgeBase, name: str) -> list[GroundFact]:
    if name not in base.theory.vocabulary.predicates:
        return []
    return [fact for fact in base.facts(name) if fact.tense != "after"]
