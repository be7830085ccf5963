"""Which states are boards that learned rules are asked about, in one match, and how they are drawn: a table by their kind.

The states of each game are known to a module with the functions of `Boards`; it is imported when such a state comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast, overload

from hornbook.kb.ast.terms import Atom, Condition
from hornbook.kb.ast.theory import Theory
from hornbook.matcher.program.hornbook_error import HornbookError

if TYPE_CHECKING:  # who only reads a state does not load what matches rules
    from hornbook.compiler.match.position import Conclusion, Parts

_MODULES = {
    "hornbook.theories.go.board.Board": "hornbook.inputs.go_boards",
    "hornbook.theories.chess.position.Position": "hornbook.inputs.chess_boards",
}


class NoPictureError(HornbookError):
    """Something was to be drawn, or matched as a board, that is none."""


class Boards(Protocol):
    """What a game's boards are to who asks rules about them."""

    @property
    def spoken_of(self) -> str:
        """The static predicate by which rules say what they speak of."""

    def questions(self, state: Any, theory: Theory) -> Iterator[tuple[Parts, list[Atom]]]:
        """All that can be asked of a board: its facts in parts, with games; once for each way in which it is read."""

    def picture(self, state: Any, title: str) -> str: ...

    def marked_picture(self, state: Any, said: Conclusion, met: Iterable[Condition], title: str) -> str:
        """The board with the points marked that a rule speaks of, whose conditions are met so."""


@overload
def boards_of(state: Any) -> Boards: ...
@overload
def boards_of(state: Any, default: None) -> Boards | None: ...
def boards_of(state: Any, default: Literal["raise"] | None = "raise") -> Boards | None:
    """Who knows a state. Raises NoPictureError where nobody does, or gives the default."""
    kind = type(state)
    module = _MODULES.get(f"{kind.__module__}.{kind.__qualname__}")
    if module is not None:
        return cast(Boards, import_module(module))
    if default is None:
        return None
    raise NoPictureError(
        f"a {kind.__qualname__} is no board of Go or chess, so it is neither matched nor drawn"
    )
