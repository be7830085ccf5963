"""Upper bounds on goal values, from the rules of a sheet alone."""

from __future__ import annotations

from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.ground import worth_of


def greatest_worth(program: CodedGame, role: str) -> int:
    """Return an upper bound on the value of any state for the role."""
    worths = {0}
    for rule in program.origins:
        name, columns = rule.head.relation[0], rule.head.columns
        if name.split(" ")[0] == "goal" and not (isinstance(columns[0], str) and columns[0] != role):
            worth = columns[-1]
            # The value of a variable is a word of the sheet.
            words = (worth,) if isinstance(worth, str) else program.words
            worths.update(number for word in words if (number := worth_of(word)) is not None)
    return max(worths)
