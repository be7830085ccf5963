"""A ground task: a planning problem as operators without variables, in the form that searches use."""

from __future__ import annotations

from array import array

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner._core import Task

Step = tuple[str, ...]
"""An action of a plan: its name and its arguments."""
_CELL = 8
"""The number of bytes of a cell."""


@dataclass(frozen=True, slots=True)
class Instances:
    """The instances of an action: rows of its arguments, as numbers of objects in 64 bits."""

    action: str
    width: int
    count: int
    cells: bytes

    def step(self, row: int, objects: tuple[str, ...]) -> Step:
        """Return the instance in a row."""
        size = self.width * _CELL
        cells = array("q", self.cells[row * size : (row + 1) * size])
        return self.action, *(objects[cell] for cell in cells)


@dataclass(frozen=True, slots=True)
class GroundTask:
    """A ground task. The number of an operator in `core` is its index.

    Invariants: A sequence of operators from the first state of `core` to its goal is a plan of the problem,
    with the same cost. For every plan of the problem there is such a sequence that costs no more.
    """

    core: Task
    objects: tuple[str, ...]
    actions: tuple[Instances, ...]
    places: array[int]
    """For each operator the index of its action and its row there, one after the other."""

    def step(self, operator: int) -> Step:
        """Return the action of an operator."""
        action, row = self.places[2 * operator : 2 * operator + 2]
        return self.actions[action].step(row, self.objects)
