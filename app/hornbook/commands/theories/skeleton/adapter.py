"""From files of the domain to facts of the theory.

The theory needs this file only where facts do not stand in `.horn` files or tables. It gives the facts of a
state as it stands, and never what follows from them or what an action would do: that is for the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hornbook.kb.ast.terms import Span
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.text.lines import lines_of

EMITS = frozenset({"member", "place", "lend", "give_back"})
"""The predicates that this adapter gives facts of."""

LINES = ("members", "shelf", "lent")


@dataclass(frozen=True)
class Library:
    """A state: who may borrow, and where each book is."""

    members: tuple[str, ...]
    shelf: tuple[str, ...]
    lent: tuple[str, ...]


def read(text: str, name: str) -> Library:
    """The state that a file holds: a line each for members, shelf and lent, such as `members: ann bob`.

    Raises TheoryError, which shows the line, where the text says something else.
    """
    found: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(lines_of(text), 1):
        key, colon, words = line.partition(":")
        if not line.strip():
            continue
        if not colon or key not in LINES or key in found:
            place = Span(name, number, 1, number, len(line) + 1)
            expected = f"one line each that begins with {', '.join(f'`{word}:`' for word in LINES)}"
            raise TheoryError([error("HB005", "this line is not understood", place, expected)], {name: text})
        found[key] = tuple(words.split())
    return Library(*(found.get(key, ()) for key in LINES))


def facts(state: Library) -> Iterator[GroundFact]:
    """The facts of a state."""
    for reader in state.members:
        yield GroundFact("member", (reader,))
    for book in state.shelf:
        yield GroundFact("place", (book, "shelf"))
    for book in state.lent:
        yield GroundFact("place", (book, "lent"))


def actions(state: Library) -> Iterator[GroundFact]:
    """The actions that can be taken or tried in a state."""
    for book in state.shelf:
        for reader in state.members:
            yield GroundFact("lend", (reader, book))
    for book in state.lent:
        yield GroundFact("give_back", (book,))
