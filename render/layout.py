"""A layered layout of a directed graph: the positions of its boxes and the routes of its edges.

Nodes are placed in rows so that edges lead downwards. An edge that closes a cycle leads upwards. Within a
row, nodes are ordered to reduce crossings and placed as near to their neighbours as their widths allow. The
same graph always gets the same layout.

Source: The barycentre method of Sugiyama, Tagawa and Toda (1981).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from itertools import pairwise
from statistics import fmean
from typing import Any, Generic, TypeVar

import networkx as nx

from hornbook.matcher.program.dataclass import dataclass

N = TypeVar("N", bound=Hashable)
Point = tuple[float, float]

GAP = 28.0
"""The distance between two boxes of a row, in pixels."""
_SWEEPS = 12
_ASIDE = 7.0


@dataclass(frozen=True, slots=True)
class GraphLayout(Generic[N]):
    """Centres of the nodes, and the points of each edge from its source to its target."""

    centres: Mapping[N, Point]
    routes: Mapping[tuple[N, N], tuple[Point, ...]]
    width: float
    rows: int


@dataclass(frozen=True, slots=True)
class _Bend:
    """The point at which an edge over several rows crosses one of them."""

    source: Any
    target: Any
    row: int


def layout(graph: nx.DiGraph[N], widths: Mapping[N, float], row_height: float) -> GraphLayout[N]:
    """Return the layout of a graph whose nodes have these widths, with rows `row_height` apart."""
    downwards: list[tuple[N, N]] = _downwards(graph)
    row_of = _rows(graph, downwards)
    chains = {edge: _chain(edge, row_of) for edge in downwards}
    rows = _initial_order(graph, row_of, chains.values())
    above, below = _neighbours(chains.values())
    _reduce_crossings(rows, above, below)
    # A bend takes no space, but keeps a small distance from the adjacent boxes.
    xs = _positions(rows, above, below, {**dict.fromkeys(above | below, 0.0), **widths})
    centres = {node: (xs[node], (row + 0.5) * row_height) for row, nodes in enumerate(rows) for node in nodes}
    routes: dict[tuple[N, N], tuple[Point, ...]] = {}
    for source, target in graph.edges:
        chain = chains.get((source, target)) or chains.get((target, source), [source, target])
        # Two edges between the same boxes are drawn side by side.
        aside = 0.0
        if source != target and graph.has_edge(target, source):
            aside = -_ASIDE if chain[0] == source else _ASIDE
        points = tuple((centres[place][0] + aside, centres[place][1]) for place in chain)
        routes[source, target] = points if chain[0] == source else points[::-1]
    width = max((x + widths.get(place, 0.0) / 2 for place, x in xs.items()), default=0.0)
    return GraphLayout({node: centres[node] for node in graph}, routes, width, len(rows))


def _downwards(graph: nx.DiGraph[N]) -> list[tuple[N, N]]:
    """Return the edges without loops. Edges that close a cycle are reversed, so the result is acyclic."""
    finished: set[N] = set()
    open_: dict[N, None] = {}
    turned: set[tuple[N, N]] = set()
    for start in graph:
        if start in finished:
            continue
        open_[start] = None
        stack = [(start, iter(graph.successors(start)))]
        while stack:
            node, successors = stack[-1]
            following = next(successors, None)
            if following is None:
                stack.pop()
                del open_[node]
                finished.add(node)
            elif following in open_:
                turned.add((node, following))
            elif following not in finished:
                open_[following] = None
                stack.append((following, iter(graph.successors(following))))
    edges = ((t, s) if (s, t) in turned else (s, t) for s, t in graph.edges if s != t)
    return list(dict.fromkeys(edges))


def _rows(graph: nx.DiGraph[N], downwards: list[tuple[N, N]]) -> dict[N, int]:
    """Return the row of each node: below all its predecessors. A source is placed just above its
    successors.
    """
    order: nx.DiGraph[N] = nx.DiGraph()
    order.add_nodes_from(graph)
    order.add_edges_from(downwards)
    row: dict[N, int] = {}
    sorted_nodes = list(nx.topological_sort(order))
    for node in sorted_nodes:
        row[node] = max((row[p] + 1 for p in order.predecessors(node)), default=0)
    for node in sorted_nodes:
        if order.in_degree(node) == 0 and order.out_degree(node) > 0:
            row[node] = min(row[s] for s in order.successors(node)) - 1
    return row


def _chain(edge: tuple[N, N], row_of: Mapping[N, int]) -> list[Any]:
    source, target = edge
    bends = [_Bend(source, target, row) for row in range(row_of[source] + 1, row_of[target])]
    return [source, *bends, target]


def _initial_order(
    graph: nx.DiGraph[N], row_of: Mapping[N, int], chains: Iterable[list[Any]]
) -> list[list[Any]]:
    rows: list[list[Any]] = [[] for _ in range(max(row_of.values(), default=-1) + 1)]
    # Depth first, so that related nodes start side by side.
    for node in nx.dfs_preorder_nodes(graph.to_undirected(as_view=True)):
        rows[row_of[node]].append(node)
    for chain in chains:
        for bend in chain[1:-1]:
            rows[bend.row].append(bend)
    return rows


def _neighbours(chains: Iterable[list[Any]]) -> tuple[dict[Any, list[Any]], dict[Any, list[Any]]]:
    """Return the neighbours of each place in the row above, and those in the row below."""
    above: dict[Any, list[Any]] = {}
    below: dict[Any, list[Any]] = {}
    for chain in chains:
        for upper, lower in pairwise(chain):
            below.setdefault(upper, []).append(lower)
            above.setdefault(lower, []).append(upper)
    return above, below


def _reduce_crossings(
    rows: list[list[Any]], above: Mapping[Any, list[Any]], below: Mapping[Any, list[Any]]
) -> None:
    """Sort each row by the mean place of its neighbours, in sweeps down and up, and keep the best order."""
    best, fewest = [list(row) for row in rows], _crossings(rows, below)
    for sweep in range(_SWEEPS):
        going_down = sweep % 2 == 0
        joined = above if going_down else below
        for index in range(1, len(rows)) if going_down else range(len(rows) - 2, -1, -1):
            place = {node: i for i, node in enumerate(rows[index - 1 if going_down else index + 1])}
            own = {node: float(i) for i, node in enumerate(rows[index])}
            for node in rows[index]:
                if joined.get(node):
                    own[node] = fmean(place[n] for n in joined[node])
            rows[index].sort(key=own.__getitem__)
        count = _crossings(rows, below)
        if count < fewest:
            best, fewest = [list(row) for row in rows], count
        if fewest == 0:
            break
    rows[:] = best


def _crossings(rows: list[list[Any]], below: Mapping[Any, list[Any]]) -> int:
    """Return the number of crossing pairs of edges between adjacent rows (with a Fenwick tree, in O(n log
    n)).
    """
    total = 0
    for upper, lower in pairwise(rows):
        place = {node: i for i, node in enumerate(lower)}
        tree = [0] * (len(lower) + 1)
        inserted = 0
        for node in upper:
            targets = sorted(place[n] for n in below.get(node, ()))
            for target in targets:
                index, not_right = target + 1, 0
                while index:
                    not_right += tree[index]
                    index &= index - 1
                total += inserted - not_right
            for target in targets:
                index = target + 1
                while index < len(tree):
                    tree[index] += 1
                    index += index & -index
                inserted += 1
    return total


def _positions(
    rows: list[list[Any]],
    above: Mapping[Any, list[Any]],
    below: Mapping[Any, list[Any]],
    widths: Mapping[Any, float],
) -> dict[Any, float]:
    """Return the centre of each place, as near to the mean of its neighbours as the order of its
    row allows.
    """
    xs: dict[Any, float] = {}
    for row in rows:
        x = 0.0
        for node in row:
            xs[node] = x + widths.get(node, 0.0) / 2
            x += widths.get(node, 0.0) + GAP
    for sweep in range(_SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            preferred = []
            for node in row:
                joined = [*above.get(node, ()), *below.get(node, ())]
                preferred.append(fmean(xs[n] for n in joined) if joined else xs[node])
            xs.update(zip(row, _spread(preferred, [widths.get(node, 0.0) for node in row]), strict=True))
    left = min((xs[node] - widths.get(node, 0.0) / 2 for row in rows for node in row), default=0.0)
    return {node: x - left for node, x in xs.items()}


def _spread(preferred: list[float], widths: list[float]) -> list[float]:
    """Return the centres nearest to the preferred ones (least squares) that keep their order and do not
    overlap.

    This is isotonic regression by pooling adjacent violators, after the widths of the boxes are subtracted.
    """
    offsets = [0.0]
    for one, other in pairwise(widths):
        offsets.append(offsets[-1] + (one + other) / 2 + GAP)
    blocks: list[tuple[float, int]] = []
    for want, offset in zip(preferred, offsets, strict=True):
        mean, size = want - offset, 1
        while blocks and blocks[-1][0] > mean:
            other_mean, other_size = blocks.pop()
            mean = (mean * size + other_mean * other_size) / (size + other_size)
            size += other_size
        blocks.append((mean, size))
    starts = [mean for mean, size in blocks for _ in range(size)]
    return [start + offset for start, offset in zip(starts, offsets, strict=True)]
