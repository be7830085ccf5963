"""Marks on a board: the places that a rule mentions, their roles, the conditions on them, and their legend.

The domain chooses the role of a place.

Invariants: a place has at most one mark, and a condition belongs to one mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap

from hornbook.kb.ast.terms import All, Atom, Comparison, Condition
from hornbook.kb.text.dataclass import dataclass
from hornbook.theories.boards.frame import LINE, PictureFrame

LEGEND = 470
_LETTERS = 60
"""Number of letters in a line of a legend of this width."""
_TOP = 16
_TITLE = "#18181b"


@dataclass(frozen=True, slots=True)
class Role:
    """Role of a mark: its description in a legend, its colour, and its letter if it has one."""

    meaning: str
    colour: str
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """Places that a rule mentions in one role, by name in the order of the board, and the conditions on them
    in words.
    """

    name: str
    role: Role
    places: tuple[str, ...]
    asks: tuple[str, ...]

    def legend(self) -> list[str]:
        """Return the role and its places, then the conditions."""
        lead = f"{self.role.letter}  " if self.role.letter else ""
        where = f": {' '.join(self.places)}" if self.places else ", already marked" if lead else ""
        return [
            f"{lead}{self.role.meaning}{where}",
            *(f"{' ' * len(lead)}  {condition}" for condition in self.asks),
        ]


def only_names_things(condition: Condition, meant: frozenset[str]) -> bool:
    """Return whether a condition only names the things that a rule is about, or says that they differ.

    The predicates `meant` have no other content.
    """
    match condition:
        case Atom(predicate=predicate):
            return predicate in meant
        case Comparison(operator=operator):
            return operator == "!="
        case All(conditions=inner):
            return all(only_names_things(each, meant) for each in inner)
        case _:
            return False


def in_order(
    roles: Mapping[str, Role],
    of_place: Mapping[str, str],
    places: Iterable[str],
    conditions: Iterable[tuple[str, str]],
) -> list[Mark]:
    """Return the non-empty marks in the order of roles.

    The marks follow from the role of each place and from the conditions on each role.
    """
    asks: dict[str, dict[str, None]] = {name: {} for name in roles}
    for name, condition in conditions:
        asks[name][condition] = None
    where: dict[str, list[str]] = {name: [] for name in roles}
    for place in places:
        if place in of_place:
            where[of_place[place]].append(place)
    found = (Mark(name, role, tuple(where[name]), tuple(asks[name])) for name, role in roles.items())
    return [mark for mark in found if mark.places or mark.asks]


def legend(marks: Iterable[Mark]) -> list[str]:
    """Return the legend lines of all marks."""
    return [line for mark in marks for line in mark.legend()]


def board_with_legend(
    title: str, marks: Iterable[Mark], drawn: Iterable[str], *, left: int, width: int, height: int
) -> str:
    """Return a picture of a board with its legend at `left`, if anything is marked."""
    marks = list(marks)
    texts = [(_TITLE, line) for line in wrap(title, _LETTERS)] + [*_coloured(marks)] if marks else []
    frame = PictureFrame(
        left + LEGEND if marks else width, max(height, 2 * _TOP + len(texts) * LINE), left, _TOP
    )
    return frame.document(title, drawn, texts)


def _coloured(marks: Iterable[Mark]) -> Iterator[tuple[str, str]]:
    for mark in marks:
        for number, text in enumerate(mark.legend()):
            # Marks without a letter are rings.
            lead = "" if mark.role.letter else "○ " if number == 0 and mark.places else "  "
            hanging = " " * (len(text) - len(text.lstrip()) + 3) if mark.role.letter else " " * 6
            for line in wrap(text, _LETTERS, initial_indent=lead, subsequent_indent=hanging):
                yield mark.role.colour, line
