"""Connect four on boards of any size, as a sheet."""

from __future__ import annotations

from itertools import product

_RULES = """
(role first) (role second) (other first second) (other second first)
(init (turn first))
(<= (filled ?x ?y) (true (cell ?x ?y ?who)))
(<= (open ?x) (column ?x) (not (full ?x)))
(<= some_open (open ?x))
(<= (legal ?who (drop ?x)) (true (turn ?who)) (open ?x))
(<= (legal ?who noop) (role ?who) (not (true (turn ?who))))
(<= (next (cell ?x 1 ?who)) (does ?who (drop ?x)) (not (filled ?x 1)))
(<= (next (cell ?x ?y ?who)) (does ?who (drop ?x)) (above ?z ?y) (filled ?x ?z) (not (filled ?x ?y)))
(<= (next (cell ?x ?y ?who)) (true (cell ?x ?y ?who)))
(<= (next (turn ?who)) (true (turn ?before)) (other ?before ?who))
(<= terminal (line ?who))
(<= terminal (not some_open))
(<= decided (line ?who))
(<= (goal ?who 100) (line ?who))
(<= (goal ?who 0) (other ?who ?rival) (line ?rival))
(<= (goal ?who 50) (role ?who) (not decided))
"""


def connect_four(width: int, height: int) -> str:
    """Return the text of the sheet: the first four in a line earns 100; a full board earns both 50."""
    lines = [_RULES]
    lines += [f"(column {x})" for x in range(1, width + 1)]
    lines += [f"(above {y} {y + 1})" for y in range(1, height)]
    lines += [f"(<= (full {x}) (filled {x} {height}))" for x in range(1, width + 1)]
    for x, y, (across, up) in product(
        range(1, width + 1), range(1, height + 1), [(1, 0), (0, 1), (1, 1), (1, -1)]
    ):
        cells = [(x + across * step, y + up * step) for step in range(4)]
        if all(1 <= column <= width and 1 <= row <= height for column, row in cells):
            true = " ".join(f"(true (cell {column} {row} ?who))" for column, row in cells)
            lines.append(f"(<= (line ?who) (role ?who) {true})")
    return "\n".join([*lines, ""])
