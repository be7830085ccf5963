"""Board on which links select places: a place links to its only action or to the next choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from markupsafe import Markup

from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.boards.places import Box, PlaceLink, with_links
from hornbook.web.explore.rendering import drawn_markup


@dataclass(frozen=True, slots=True)
class LinkedMove:
    """A legal move: its notation, the places that it names in order, and its link."""

    called: str
    places: tuple[str, ...]
    href: str


@dataclass(frozen=True, slots=True)
class LinkedBoard:
    """A picture with links on its places, the `chosen` places, and the `moves` that begin with these."""

    picture: Markup
    chosen: tuple[str, ...]
    moves: tuple[LinkedMove, ...]


def board(
    svg: str,
    boxes: Mapping[str, Box],
    moves: Iterable[LinkedMove],
    chosen: Sequence[str],
    to_choice: Callable[[Sequence[str]], str],
) -> LinkedBoard:
    """Return the board.

    `to_choice` returns the link for other chosen places. Places that begin no move are ignored.
    """
    all_moves = tuple(moves)
    fitting = _beginning(all_moves, chosen)
    if not fitting:
        chosen, fitting = (), all_moves
    ways: dict[str, PlaceLink] = {}
    for name in boxes:
        further = _beginning(fitting, (*chosen, name))
        if len(further) == 1 and len(further[0].places) == len(chosen) + 1:
            ways[name] = PlaceLink(further[0].href, further[0].called, "to" if chosen else "from")
        elif further:
            says = f"{' '.join((*chosen, name))}: {len(further)} moves"
            ways[name] = PlaceLink(to_choice((*chosen, name)), says, "to" if chosen else "from")
    for name in chosen:
        ways.setdefault(name, PlaceLink(to_choice(()), f"{name}: choose another place", "chosen"))
    return LinkedBoard(drawn_markup(with_links(svg, boxes, ways)), tuple(chosen), fitting)


def _beginning(moves: Iterable[LinkedMove], places: Sequence[str]) -> tuple[LinkedMove, ...]:
    return tuple(move for move in moves if move.places[: len(places)] == tuple(places))
