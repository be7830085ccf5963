"""The adapter: it converts files of the domain to facts of the theory.

The theory needs this file only if facts come from other sources than `.horn` files or tables. It gives the
facts of a state. It never gives their consequences or the effects of an action, which the rules derive.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hornbook.kb.ast.terms import Span
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.text.lines import lines_of

EMITS = frozenset({"member", "place", "lend", "give_back"})
"""The predicates for which this adapter gives facts."""

LINES = ("members", "shelf", "lent")


@dataclass(frozen=True)
class Library:
    """A state: the members who may borrow, and the place of each book."""

    members: tuple[str, ...]
    shelf: tuple[str, ...]
    lent: tuple[str, ...]


def read(text: str, name: str) -> Library:
    """Return the state in a file: one line each for members, shelf and lent, such as `members: ann bob`.

    Raises TheoryError, which shows the line, if the text has another form.
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
    """Yield the facts of a state."""
    for reader in state.members:
        yield GroundFact("member", (reader,))
    for book in state.shelf:
        yield GroundFact("place", (book, "shelf"))
    for book in state.lent:
        yield GroundFact("place", (book, "lent"))


def actions(state: Library) -> Iterator[GroundFact]:
    """Yield the actions that are possible or can be tried in a state."""
    for book in state.shelf:
        for reader in state.members:
            yield GroundFact("lend", (reader, book))
    for book in state.lent:
        yield GroundFact("give_back", (book,))
