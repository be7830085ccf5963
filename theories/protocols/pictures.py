"""Pictures of states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from hornbook.kb.ast.terms import Condition, GameStatement
from hornbook.kb.explain.descriptions import Words
from hornbook.theories.boards import grid as pictures
from hornbook.theories.boards.places import Box
from hornbook.theories.protocols.missing_member import missing


class Pictures(Protocol):
    """Pictures of states, by default of a grid."""

    def grid(self, state: Any) -> Iterable[Iterable[tuple[str, str]]]:
        """Return a state as rows of places from the top, each place as its name and content."""
        missing(self, Pictures.grid)

    def picture(self, state: Any, title: str) -> str:
        """Return a state as SVG."""
        return pictures.svg(self.grid(state), title)

    def places(self, state: Any) -> Mapping[str, Box]:
        """Return the boxes of a state's named places in its picture; by default those of the grid."""
        return pictures.boxes(self.grid(state))

    def marked_picture(
        self, state: Any, conclusion: GameStatement, met: Iterable[Condition], title: str, words: Words
    ) -> str:
        """Return the picture of a state with marks on the places that a rule mentions, in the theory's words.

        The argument `met` contains the rule's body under the substitution of the match.
        """
        return pictures.svg(self.grid(state), title, conclusion, met, words)
