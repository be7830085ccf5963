from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import networkx as nx
import pytest

from hornbook.render.drawing import dot, mermaid, svg
from hornbook.render.layout import GAP, layout

SPACE = "{http://www.w3.org/2000/svg}"


def random_graph(seed: int) -> nx.DiGraph[int]:
    choose = random.Random(seed)
    graph: nx.DiGraph[int] = nx.DiGraph()
    size = choose.randint(0, 25)
    for node in range(size):
        graph.add_node(
            node, label=f"fact({'x' * choose.randint(0, 20)})", kind=choose.choice(["given", "rule"])
        )
    for _ in range(choose.randint(0, 2 * size) if size else 0):
        graph.add_edge(choose.randrange(size), choose.randrange(size))
    return graph


@pytest.mark.parametrize("seed", range(60))
def test_no_two_boxes_overlap_and_every_edge_reaches_both_ends(seed):
    graph = random_graph(seed)
    widths = {node: 20.0 + 10 * (node % 7) for node in graph}
    placed = layout(graph, widths, 80.0)
    boxes = [(y, x - widths[n] / 2, x + widths[n] / 2) for n, (x, y) in placed.centres.items()]
    assert len(boxes) == len(graph)
    for y, left, right in boxes:
        assert left >= -0.01
        assert right <= placed.width + 0.01
        next_to = sorted(other for other in boxes if other[0] == y and other[1] > left)
        assert not next_to or next_to[0][1] - right >= GAP - 0.01
    assert set(placed.routes) == set(graph.edges)
    for (source, target), route in placed.routes.items():
        assert route[0][1] == placed.centres[source][1]
        assert route[-1][1] == placed.centres[target][1]
        assert all(-8 <= x <= placed.width + 8 for x, _ in route)


def test_edges_lead_downwards_except_those_that_close_a_circle():
    graph: nx.DiGraph[str] = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a"), ("a", "c")])
    rows = {node: y for node, (_, y) in layout(graph, dict.fromkeys(graph, 10.0), 10.0).centres.items()}
    assert rows["a"] < rows["b"] < rows["c"]


def test_edges_that_need_not_cross_do_not_cross():
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(["a", "b", "c", "z", "y", "x"])
    graph.add_edges_from([("a", "x"), ("b", "y"), ("c", "z"), ("a", "y"), ("b", "z")])
    centres = layout(graph, dict.fromkeys(graph, 10.0), 10.0).centres
    order = sorted("xyz", key=lambda node: centres[node])
    above = sorted("abc", key=lambda node: centres[node])
    assert (above, order) in ((list("abc"), list("xyz")), (list("cba"), list("zyx")))


def test_two_edges_between_the_same_boxes_are_drawn_apart():
    routes = layout(nx.DiGraph([("a", "b"), ("b", "a")]), {"a": 40.0, "b": 40.0}, 50.0).routes
    assert routes["a", "b"] != routes["b", "a"][::-1]


@pytest.mark.parametrize("seed", range(20))
def test_svg_is_well_formed_and_draws_every_node_and_edge(seed):
    graph = random_graph(seed)
    root = ElementTree.fromstring(svg(graph))
    groups = root.findall(f"{SPACE}g")
    assert ["".join(group.itertext()).strip() for group in groups] == [
        graph.nodes[node]["label"] for node in graph
    ]
    assert len(root.findall(f"{SPACE}path")) == graph.number_of_edges()


def test_a_loop_is_drawn_next_to_its_box():
    root = ElementTree.fromstring(svg(nx.DiGraph([("a", "a")])))
    path, box = root.find(f"{SPACE}path"), root.find(f"{SPACE}g/{SPACE}rect")
    assert path is not None
    assert box is not None
    right = float(box.attrib["x"]) + float(box.attrib["width"])
    assert f"M{right:.1f} " in path.attrib["d"]


NASTY = 'a "quoted" <b> & \\ `c` ]]> #1; \x00\ud800 名前\nsecond line'


def nasty() -> nx.DiGraph[str]:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_node("n", label=NASTY, kind='no "such" <kind>')
    graph.add_edge("n", "m", style="dashed")
    return graph


def test_svg_labels_are_escaped():
    text = svg(nasty())
    text.encode("utf-8")
    root = ElementTree.fromstring(text)
    assert [t.text for t in root.iter(f"{SPACE}text")] == [
        'a "quoted" <b> & \\ `c` ]]> #1; \\u0000\\ud800 名前',
        "second line",
        "m",
    ]
    assert "stroke-dasharray" in text


def test_dot_labels_are_escaped():
    assert 'label="a \\"quoted\\" <b> & \\\\ `c` ]]> #1; ' in dot(nasty())
    assert "n0 -> n1 [style=dashed]" in dot(nasty())
    assert dot(nasty()).count("\n") == 7
    dot(nasty()).encode("utf-8")


def test_mermaid_labels_are_escaped():
    line = mermaid(nasty()).splitlines()[1]
    assert re.fullmatch(r'  n0\("[^"<>&`\\]*<br>second line"\)', line)
    assert "a #34;quoted#34; #60;b#62; #38; #92; #96;c#96; ]]#62; #35;1#59;" in line
    assert "n0 -.-> n1" in mermaid(nasty())


def test_an_empty_graph_gives_empty_pictures():
    empty: nx.DiGraph[str] = nx.DiGraph()
    ElementTree.fromstring(svg(empty))
    assert mermaid(empty) == "flowchart TD\n"
    assert dot(empty).startswith("digraph {")


def test_the_same_graph_gives_the_same_picture():
    assert svg(random_graph(3)) == svg(random_graph(3))
