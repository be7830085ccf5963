"""Pictures of directed graphs: DOT for Graphviz, Mermaid for web pages, and SVG without other programs.

Attributes of nodes and edges control the picture:

- `label`: The text of a node, with line breaks. The default is the name of the node.
- `kind`: The kind of a node (given, goal, rule, …), which determines its look.
- `href`: The target of a link, for SVG.
- `style`: `solid` or `dashed`, for an edge.

Invariants: The same graph, built in the same order, always gives the same text. Every label is escaped.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable
from itertools import pairwise
from typing import Any, Literal, TypeVar

import networkx as nx

from hornbook.kb.text.escaping import flowchart, graphviz, markup, visible
from hornbook.matcher.program.dataclass import dataclass
from hornbook.render.layout import Point, layout

N = TypeVar("N", bound=Hashable)
Shape = Literal["box", "round", "hexagon"]


@dataclass(frozen=True, slots=True)
class _NodeStyle:
    shape: Shape
    fill: str
    line: str


_PLAIN = _NodeStyle("round", "#f4f4f5", "#71717a")
_NODE_STYLES = {
    # Steps of a proof
    "given": _NodeStyle("round", "#e0f2fe", "#0369a1"),
    "derived": _NodeStyle("round", "#f4f4f5", "#52525b"),
    "goal": _NodeStyle("round", "#dcfce7", "#15803d"),
    "condition": _NodeStyle("box", "#fefce8", "#a16207"),
    # Predicates and rules of a theory
    "static": _NodeStyle("round", "#e0f2fe", "#0369a1"),
    "fluent": _NodeStyle("round", "#ccfbf1", "#0f766e"),
    "action": _NodeStyle("hexagon", "#ffedd5", "#c2410c"),
    "game": _NodeStyle("round", "#dcfce7", "#15803d"),
    "meta": _NodeStyle("round", "#ede9fe", "#6d28d9"),
    "rule": _NodeStyle("box", "#fefce8", "#a16207"),
    "unreachable": _NodeStyle("box", "#fee2e2", "#b91c1c"),
}
_FONT = 12
_LETTER = 7.3
"""An upper estimate for the width of a letter of the font below, in pixels."""
_LINE = 16
_PADDING = 12
_MARGIN = 16
_BETWEEN = 44
"""The height between two rows of boxes."""
_LETTERS = f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="{_FONT}"'
_ARROW = (
    '<defs><marker id="hornbook-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#52525b"/></marker></defs>'
)


def dot(graph: nx.DiGraph[N]) -> str:
    """Return the graph in the language of Graphviz."""
    names = {node: f"n{i}" for i, node in enumerate(graph)}
    shapes = {"box": "box", "round": 'box, style="rounded,filled"', "hexagon": "hexagon"}
    nodes = '  node [fontname="monospace", fontsize=11, style=filled]'
    lines = ["digraph {", nodes, "  edge [arrowsize=0.7]"]
    for node in graph:
        look = _node_style(graph, node)
        label = graphviz(_label(graph, node))
        colours = f'fillcolor="{look.fill}", color="{look.line}"'
        lines.append(f'  {names[node]} [label="{label}", shape={shapes[look.shape]}, {colours}]')
    for source, target in graph.edges:
        style = " [style=dashed]" if _dashed(graph, source, target) else ""
        lines.append(f"  {names[source]} -> {names[target]}{style}")
    return "\n".join([*lines, "}", ""])


def mermaid(graph: nx.DiGraph[N]) -> str:
    """Return the graph as a Mermaid flowchart."""
    names = {node: f"n{i}" for i, node in enumerate(graph)}
    brackets = {"box": ("[", "]"), "round": ("(", ")"), "hexagon": ("{{", "}}")}
    lines = ["flowchart TD"]
    kinds: dict[str, list[str]] = {}
    for node in graph:
        left, right = brackets[_node_style(graph, node).shape]
        label = flowchart(_label(graph, node))
        lines.append(f'  {names[node]}{left}"{label}"{right}')
        kinds.setdefault(_kind(graph, node), []).append(names[node])
    for source, target in graph.edges:
        arrow = "-.->" if _dashed(graph, source, target) else "-->"
        lines.append(f"  {names[source]} {arrow} {names[target]}")
    for i, (kind, members) in enumerate(kinds.items()):
        look = _NODE_STYLES.get(kind, _PLAIN)
        lines.append(f"  classDef k{i} fill:{look.fill},stroke:{look.line},color:#18181b")
        lines.append(f"  class {','.join(members)} k{i}")
    return "\n".join([*lines, ""])


def svg(graph: nx.DiGraph[N]) -> str:
    """Return the graph as a self-contained SVG document, laid out in rows."""
    labels = {node: _label(graph, node).split("\n") for node in graph}
    widths = {node: max(map(_text_width, lines)) + 2 * _PADDING for node, lines in labels.items()}
    height = max((len(lines) for lines in labels.values()), default=1) * _LINE + _PADDING
    placed = layout(graph, widths, float(height + _BETWEEN))
    # A loop extends to the right of its box.
    loops = 30 if any(source == target for source, target in graph.edges) else 0
    full_width = placed.width + 2 * _MARGIN + loops
    full_height = max(placed.rows * (height + _BETWEEN) - _BETWEEN, 0) + 2 * _MARGIN
    up = _MARGIN - _BETWEEN / 2
    size = f'width="{full_width:.0f}" height="{full_height:.0f}"'
    view = f'viewBox="0 0 {full_width:.1f} {full_height:.1f}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} {_LETTERS}>',
        _ARROW,
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for (source, target), route in placed.routes.items():
        points = [(x + _MARGIN, y + up) for x, y in route]
        shape = _loop(points[0], widths[source]) if source == target else _curve(points, height)
        dashes = ' stroke-dasharray="5 4"' if _dashed(graph, source, target) else ""
        lines.append(
            f'<path d="{shape}" fill="none" stroke="#52525b"{dashes} marker-end="url(#hornbook-arrow)"/>'
        )
    for node, (x, y) in placed.centres.items():
        box = _box(_kind(graph, node), labels[node], (x + _MARGIN, y + up), widths[node], height)
        href = graph.nodes[node].get("href")
        lines += box if href is None else [f'<a href="{markup(href)}">', *box, "</a>"]
    return "\n".join([*lines, "</svg>", ""])


def _box(kind: str, label: list[str], centre: Point, width: float, height: float) -> list[str]:
    look = _NODE_STYLES.get(kind, _PLAIN)
    x, y = centre
    left, top = x - width / 2, y - height / 2
    ink = f'fill="{look.fill}" stroke="{look.line}"'
    if look.shape == "hexagon":
        corners = [(left, y), (left + 9, top), (left + width - 9, top), (left + width, y)]
        corners += [(left + width - 9, top + height), (left + 9, top + height)]
        outline = f'<polygon points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in corners)}" {ink}/>'
    else:
        radius = 8 if look.shape == "round" else 0
        size = f'width="{width:.1f}" height="{height:.1f}" rx="{radius}"'
        outline = f'<rect x="{left:.1f}" y="{top:.1f}" {size} {ink}/>'
    first = y - (len(label) - 1) * _LINE / 2 + _FONT / 3
    texts = [
        f'<text x="{x:.1f}" y="{first + i * _LINE:.1f}" text-anchor="middle" fill="#18181b" '
        f'xml:space="preserve">{markup(line)}</text>'
        for i, line in enumerate(label)
    ]
    return [f'<g class="{markup(kind)}">', outline, *texts, "</g>"]


def _curve(points: list[Point], height: float) -> str:
    """Return a path from the border of the first box to that of the last, vertical at each point
    in between.
    """
    down = 1 if points[-1][1] > points[0][1] else -1
    (x, y), (end_x, end_y) = points[0], points[-1]
    stops = [(x, y + down * height / 2)]
    for bend_x, bend_y in points[1:-1]:
        # Straight past the boxes of the crossed row.
        stops += [(bend_x, bend_y - down * height / 2), (bend_x, bend_y + down * height / 2)]
    stops.append((end_x, end_y - down * height / 2))
    shape = f"M{stops[0][0]:.1f} {stops[0][1]:.1f}"
    for (from_x, from_y), (to_x, to_y) in pairwise(stops):
        middle = (from_y + to_y) / 2
        shape += f" C{from_x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}"
    return shape


def _loop(centre: Point, width: float) -> str:
    x, y = centre[0] + width / 2, centre[1]
    return f"M{x:.1f} {y - 6:.1f} C{x + 28:.1f} {y - 18:.1f} {x + 28:.1f} {y + 18:.1f} {x:.1f} {y + 6:.1f}"


def _text_width(text: str) -> float:
    return sum(_LETTER * (2 if unicodedata.east_asian_width(letter) in "WF" else 1) for letter in text)


def _node_style(graph: nx.DiGraph[N], node: N) -> _NodeStyle:
    return _NODE_STYLES.get(_kind(graph, node), _PLAIN)


def _kind(graph: nx.DiGraph[N], node: N) -> str:
    attributes: dict[str, Any] = graph.nodes[node]
    return str(attributes.get("kind", ""))


def _label(graph: nx.DiGraph[N], node: N) -> str:
    """Return the label with invisible characters shown. Its lines are separated by line feeds."""
    attributes: dict[str, Any] = graph.nodes[node]
    return visible(str(attributes.get("label", node)))


def _dashed(graph: nx.DiGraph[N], source: N, target: N) -> bool:
    attributes: dict[str, Any] = graph.edges[source, target]
    return attributes.get("style") == "dashed"
