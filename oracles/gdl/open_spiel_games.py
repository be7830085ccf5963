"""Games of OpenSpiel that are also sheets in GDL. The first role of a sheet is OpenSpiel's player 0."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbook.planner.gdl.ground import Ground
from hornbook.planner.machines.machine import GameMachine
from oracles.gdl.connect_four import connect_four

BOARDS = Path(__file__).parent / "boards"


def drop_of(text: str) -> Ground:
    return ("drop", str(int(text[1]) + 1))


def step_of(text: str) -> Ground:
    (x, y), (u, z) = square_of(text[:2]), square_of(text[2:4])
    return ("move", x, y, u, z)


def disc_of(text: str) -> Ground:
    return "pass" if text == "pass" else ("put", *square_of(text))


def square_of(text: str) -> tuple[str, str]:
    return str("abcdefgh".index(text[0]) + 1), text[1]


@dataclass(frozen=True, slots=True)
class Contest:
    """The name of the game, the sheet, and the move of the sheet for OpenSpiel's text of a move."""

    name: str
    sheet: str
    move_of: Callable[[str], Ground]


CONTESTS = (
    Contest("connect_four", connect_four(7, 6), drop_of),
    Contest("breakthrough", (BOARDS / "breakthrough.kif").read_text(encoding="utf-8"), step_of),
    Contest("othello", (BOARDS / "othello.kif").read_text(encoding="utf-8"), disc_of),
)


def legal_in(contest: Contest, machine: GameMachine, state: Any) -> dict[int, int]:
    """Return OpenSpiel's legal actions in one of its states, by the numbers of the sheet's moves."""
    player = state.current_player()
    found = {}
    for action in state.legal_actions():
        number = machine.number(player, contest.move_of(state.action_to_string(player, action)))
        assert number is not None
        found[number] = action
    return found


def joint_of(machine: GameMachine, player: int, legal: dict[int, int], action: int) -> list[int]:
    """Return the joint move of the sheet for an action in the state that the machine looks at."""
    joint = [machine.core.legal(role)[0] for role in range(2)]
    joint[player] = next(number for number, each in legal.items() if each == action)
    return joint
