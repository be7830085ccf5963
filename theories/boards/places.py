"""Boxes of the places of a board in its picture, and pictures whose places are links."""

from __future__ import annotations

from collections.abc import Mapping

from hornbook.kb.text.dataclass import dataclass
from hornbook.kb.text.escaping import markup


@dataclass(frozen=True, slots=True)
class Box:
    """Box of a place in a picture: its corner and its size."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class PlaceLink:
    """Link on a place: its target, its title, and its CSS class."""

    href: str
    called: str
    kind: str


def with_links(svg: str, boxes: Mapping[str, Box], ways: Mapping[str, PlaceLink]) -> str:
    """Return a picture with links on some of its places, in their order. Other places are unchanged."""
    linked = []
    for name, box in boxes.items():
        way = ways.get(name)
        if way is not None:
            size = f'x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}"'
            linked.append(
                f'<a class="{way.kind}" href="{markup(way.href)}" aria-label="{markup(way.called)}">'
                f'<rect {size} fill="#15803d" fill-opacity="0.12"/></a>'
            )
    body, end, _ = svg.rpartition("</svg>")
    return "\n".join([body.rstrip("\n"), *linked, f"{end}\n"])
