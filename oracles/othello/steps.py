"""Positions of Othello to compare its theory, Python play and native step (oracles/games/steps.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.othello import adapter
from hornbook.theories.othello.domain import DOMAIN
from hornbook.theories.othello.states import rules
from hornbook.theories.othello.states.position import OthelloPosition, start
from oracles.games import steps
from oracles.games.steps import Ask, StepsTally

CONCLUDED = (
    "gains",
    "flipped",
    "outflanks",
    "barren",
    "barred",
    "spares",
    "mobile",
    "stuck",
    "safe",
    "anchored",
)
"""Predicates that rules conclude of any position.

After a move they may conclude fewer facts, but no others.
"""


def positions(size: int, random: Random) -> Iterator[OthelloPosition]:
    """Yield the positions of one random game."""
    state: OthelloPosition | None = start(size)
    while state is not None:
        yield state
        found = list(DOMAIN.actions(state))
        state = DOMAIN.after(state, random.choice(found)) if found else None


def reachable(size: int) -> Iterator[OthelloPosition]:
    """Yield every position that play can reach, each once."""
    waiting = [start(size)]
    seen = set(waiting)
    while waiting:
        state = waiting.pop()
        yield state
        new = {DOMAIN.after(state, action) for action in DOMAIN.actions(state)} - seen
        seen |= new
        waiting += sorted(new, key=str)


def compare_native(states: Iterable[OthelloPosition], tally: StepsTally) -> None:
    """Compare the Python play with the native step."""
    steps.compare_native(DOMAIN, states, tally, lambda state: rules.difference(state, "black"))


def theory(size: int) -> steps.ComparedTheory:
    """Return the theory on boards of one size."""

    def legal(ask: Ask) -> set[GroundFact]:
        puts = steps.named(put="legal")(ask)
        return puts | {GroundFact("pass", (adapter.board_name(size),)) for _ in ask("passing")}

    return steps.ComparedTheory("othello", DOMAIN, legal, "over", CONCLUDED, less=True)
