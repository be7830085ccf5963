"""States of games in GDL as text: a grid for facts about the cells of a board, and lines for all others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from textwrap import wrap

from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground, order_of, text_of

WIDTH = 100
CELL = "cell"
"""The usual name of the facts about cells: `(cell X Y CONTENT)`."""
EMPTY = "."
BLANKS = frozenset(("blank", "empty"))
"""The usual contents of a cell without a piece. The word `b` is one too if most cells have it at first."""


def picture_lines(state: State, initial: State) -> list[str]:
    """Return a state as lines: its grid of cells, if it has one, and its other terms.

    The first word of a cell is its row, the second its column. Cells of the initial state without a content
    in this state are empty.
    """
    grid = grid_lines(state, initial)
    return [*grid, *term_lines(term for term in state if not (grid and _cell(term)))]


def grid_lines(state: State, initial: State) -> list[str]:
    """Return the cells of a state as a grid with the names of rows and columns; none without cells."""
    contents = dict(filter(None, map(_cell, state)))
    if not contents or len(contents) < sum(_cell(term) is not None for term in state):
        return []
    first = dict(filter(None, map(_cell, initial)))
    blanks = BLANKS | ({"b"} if 2 * [*first.values()].count("b") > len(first) else set())
    places = contents.keys() | first.keys()
    rows = sorted({row for row, _ in places}, key=order_of)
    columns = sorted({column for _, column in places}, key=order_of)
    table = [["", *columns]]
    for row in rows:
        found = (contents.get((row, column), EMPTY) for column in columns)
        table.append([row, *(EMPTY if content in blanks else content for content in found)])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        " ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip()
        for line in table
    ]


def _cell(term: Ground) -> tuple[tuple[str, str], str] | None:
    """Return the row, the column and the content of a fact about a cell, or None for another term."""
    match term:
        case (str(name), str(row), str(column), str(content)) if name == CELL:
            return (row, column), content
    return None


def term_lines(terms: Collection[Ground] | Iterator[Ground]) -> list[str]:
    """Return terms as wrapped lines, grouped by name."""
    texts = (
        (term if isinstance(term, str) else str(term[0]), text_of(term))
        for term in sorted(terms, key=order_of)
    )
    return lines_of_texts(texts)


def lines_of_texts(texts: Iterable[tuple[str, str]]) -> list[str]:
    """Return texts as wrapped lines, grouped by the names before them."""
    names: dict[str, list[str]] = {}
    for name, text in texts:
        names.setdefault(name, []).append(text)
    found: list[str] = []
    for written in names.values():
        # Do not break lines within a term.
        joined = " ".join(term.replace(" ", "\0") for term in written)
        found += [f"  {line}".replace("\0", " ") for line in wrap(joined, WIDTH, break_long_words=False)]
    return found
