"""Plans as files in the format of the International Planning Competition.

    (move rooma roomb)
    (drop ball1 roomb left)
    ; cost = 2 (unit cost)

Each line has an action and its arguments; a line may also have several. A semicolon begins a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from hornbook.kb.sources.files import read_text, shown
from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.tasks.ground_task import Step

_ACTION = re.compile(r"\(\s*([^\s()][^()]*)\)")


class PlanFileError(HornbookError, ValueError):
    """A plan file with a line that has no action in parentheses, or that is no plan of its problem."""


@dataclass(frozen=True, slots=True)
class PlanLine:
    """An action of a plan file, and its line, from 1."""

    line: int
    step: Step


def text_of_step(step: Step) -> str:
    """Return an action with its arguments in parentheses."""
    return f"({' '.join(step)})"


def lines_of_plan(steps: Iterable[Step], cost: int, *, minimises_cost: bool) -> Iterator[str]:
    """Yield the lines of a plan file, each with its line end.

    The last line tells whether the cost is the total cost of the problem's metric, or the number of actions.
    """
    for step in steps:
        yield f"{text_of_step(step)}\n"
    yield f"; cost = {cost} ({'general cost' if minimises_cost else 'unit cost'})\n"


def read_plan(path: Path) -> tuple[PlanLine, ...]:
    """Return the actions of a plan file, in lower case. Raises PlanFileError, and errors of reading files."""
    found: list[PlanLine] = []
    for number, text in enumerate(lines_of(read_text(path, shown(path))), start=1):
        line = text.partition(";")[0].strip()
        if _ACTION.sub("", line).strip():
            where = f"{shown(path)}:{number}"
            raise PlanFileError(f"{where}: expected an action such as `(move a b)`, found `{line[:80]}`")
        found += (PlanLine(number, tuple(words.lower().split())) for words in _ACTION.findall(line))
    return tuple(found)
