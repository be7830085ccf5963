"""Diagrams of boards: headings, rows of characters, and coordinates, each with its position in the file.

A row has one character for each place of the board. Optional are spaces within rows, numbers of rows (on
either side, counted from the bottom), letters of columns, blank lines, comments after `%`, and headings (`to
move: black`). If present, they must be correct. Every mistake is an error (HB005) at its position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from hornbook.kb.text.dataclass import dataclass
from hornbook.kb.text.lines import lines_of
from hornbook.theories.places import SourcePlace

_HEADING = re.compile(r"\s*+(?P<key>[a-z][a-z ]*+)\s*+:\s*+(?P<value>\S*+)\s*+", re.IGNORECASE)
_ROW = re.compile(r"\s*+(?P<left>\d++)?+(?P<cells>\D*+)(?P<right>\d++)?+\s*+")


@dataclass(frozen=True, slots=True)
class DiagramLayout:
    """Layout of the diagrams of a game, and the name of a row; `about_…` are hints for errors."""

    row: str
    characters: str
    headings: tuple[str, ...]
    about_rows: str
    about_headings: str


@dataclass(frozen=True, slots=True)
class DiagramRow:
    """Characters of a row from the left, and its row numbers."""

    cells: str
    place: SourcePlace
    numbers: tuple[tuple[str, SourcePlace], ...]


@dataclass(frozen=True, slots=True)
class Diagram:
    """Parsed diagram: its rows from the top, its headings, and lines of column letters."""

    layout: DiagramLayout
    whole: SourcePlace
    headings: Mapping[str, tuple[str, SourcePlace]]
    rows: tuple[DiagramRow, ...]
    letters: tuple[tuple[str, SourcePlace], ...]

    @property
    def last(self) -> SourcePlace:
        """Last line of the diagram."""
        return replace(self.whole, line=max(1, len(lines_of(self.whole.text))))

    def player(self, heading: str) -> str | None:
        """Return the player of a heading, or None if the heading is missing."""
        value, place = self.headings.get(heading, (None, self.whole))
        if value is not None and value.lower() not in ("white", "black"):
            place.fail(f"`{value}` is not a player", self.layout.about_headings)
        return None if value is None else value.lower()

    def check_coordinates(self, columns: Sequence[str]) -> None:
        """Raise TheoryError if a row number or the column letters are wrong."""
        for index, row in enumerate(self.rows):
            expected = len(self.rows) - index
            for number, place in row.numbers:
                if number.lstrip("0") != str(expected):
                    hint = f"{self.layout.row}s are numbered from the bottom, from 1"
                    place.fail(f"{self.layout.row} {expected} is numbered {number}", hint)
        for letters, place in self.letters:
            if "".join(letters.lower().split()) != "".join(columns):
                hint = f"they are {' '.join(columns)}, or may be left out"
                place.fail("these are not the letters of the columns", hint)


def read(text: str, file: str, layout: DiagramLayout) -> Diagram:
    """Parse a diagram. Raise TheoryError (HB005)."""
    headings, rows, letters = {}, [], []
    for number, written in enumerate(lines_of(text), 1):
        line = written.split("%", 1)[0].rstrip()
        place = SourcePlace(file, text, number, 1, len(line))
        found = _HEADING.fullmatch(line)
        if found is not None:
            key, value = found["key"].rstrip(), found["value"]
            if key.lower() not in layout.headings:
                at = SourcePlace(file, text, number, found.start("key") + 1, len(key))
                at.fail(f"unknown heading `{key}`", layout.about_headings)
            headings[key.lower()] = (
                value,
                SourcePlace(file, text, number, found.start("value") + 1, len(value)),
            )
        elif line.strip()[:1] in ("a", "A"):
            letters.append((line, place))
        elif line.strip():
            rows.append(_row(line, place, layout))
    return Diagram(layout, SourcePlace(file, text, 1), headings, tuple(rows), tuple(letters))


def _row(line: str, place: SourcePlace, layout: DiagramLayout) -> DiagramRow:
    def at(column: int, length: int) -> SourcePlace:
        return SourcePlace(place.file, place.text, place.line, column + 1, length)

    found = _ROW.fullmatch(line)
    if found is None:
        place.fail(f"this is not a {layout.row} of a board", layout.about_rows)
    for column, character in enumerate(found["cells"], found.start("cells")):
        if not character.isspace() and character not in layout.characters:
            at(column, 1).fail(f"unexpected character `{character}`", layout.about_rows)
    numbers = [
        (found[side], at(found.start(side), len(found[side]))) for side in ("left", "right") if found[side]
    ]
    return DiagramRow("".join(found["cells"].split()), place, tuple(numbers))


def printed(headings: Iterable[str], rows: Sequence[Sequence[str]], columns: Sequence[str]) -> str:
    """Return a diagram with its headings, column letters, and rows from the top with their numbers."""
    width, margin = max(map(len, columns)), len(str(len(rows)))
    lines = [*headings, " " * (margin + 1) + " ".join(name.rjust(width) for name in columns)]
    for index, row in enumerate(rows):
        lines.append(f"{len(rows) - index:{margin}} " + " ".join(cell.rjust(width) for cell in row))
    return "\n".join(lines) + "\n"
