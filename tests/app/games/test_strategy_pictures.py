"""Tests of states drawn as boards, and of strategies drawn as pictures and pages."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from hornbook.games.strategy_page import DEEPEST, strategy_page
from hornbook.games.strategy_pictures import (
    MOST_IN_MERMAID,
    StrategyTooLargeToDrawError,
    mermaid,
    strategy_graph,
    svg,
)
from hornbook.planner.gdl.game import Game
from hornbook.planner.strategies.board import lines_of_state
from hornbook.planner.strategies.sizes import tree_size
from hornbook.planner.strategies.strategy import JointReply, RoleStrategy, StrategyNode
from oracles.gdl.own_sheets import SHEETS
from oracles.gdl.plain_minimax import plain_strategy


def cells(*rows: str, name: str = "cell") -> frozenset:
    """Return terms for the cells of a board, beginning with the top row."""
    return frozenset(
        (name, str(x), str(len(rows) - y), {"x": "xmark", "o": "omark", "-": "blank"}[letter])
        for y, row in enumerate(rows)
        for x, letter in enumerate(row, 1)
        if letter != " "
    )


def test_a_board_is_drawn_with_its_first_row_below():
    assert lines_of_state(cells("x-o", "-x-") | {("turn", "ann")}) == ["x · o", "· x ·", "(turn ann)"]
    assert lines_of_state(cells("x o", "-x-")) == ["x   o", "· x ·"]


def test_values_with_the_same_letter_are_written_out():
    state = frozenset(("at", str(x), str(y), "red" if x == y else "rose") for x in (1, 2) for y in (9, 10))
    assert lines_of_state(state) == ["r r", "r r"]
    state = frozenset(("at", str(x), str(y), "red" if x == y else "rose") for x in (1, 2) for y in (1, 2))
    assert lines_of_state(state) == ["rose red ", "red  rose"]


@pytest.mark.parametrize(
    "state",
    [
        frozenset({("heap", "a", "3"), "start"}),
        cells("x", "o"),
        frozenset({*cells("xo", "ox"), ("cell", "1", "1", "blank")}),
        frozenset({("cell", "1", "1", "x"), ("cell", "5", "7", "x"), ("cell", "3", "9", "x")}),
        frozenset({("cell", ("f", "1"), "1", "x"), ("cell", "2", "1", "x"), ("cell", "2", "2", "x")}),
    ],
)
def test_what_is_no_board_is_a_list(state):
    output = " ".join(lines_of_state(state))
    assert output.startswith(("(", "start"))
    assert output.count("(") >= len(state) - 1


@pytest.fixture(scope="module")
def strategy() -> RoleStrategy:
    game = Game(SHEETS["graph"].read_text(encoding="utf-8"))
    found = plain_strategy(game, "north", 20)
    assert found is not None
    return found


def test_every_node_is_in_the_graph_with_its_move(strategy):
    graph = strategy_graph(strategy)
    assert set(graph) == set(range(len(strategy.nodes)))
    assert set(graph.edges) == {(n, r.to) for n, node in enumerate(strategy.nodes) for r in node.replies}
    for number, node in enumerate(strategy.nodes):
        last = graph.nodes[number]["label"].split("\n")[-1]
        assert last.startswith("over: north 20" if node.move is None else "→ north ")


def test_svg(strategy):
    drawn = ElementTree.fromstring(svg(strategy))
    boxes = list(drawn.iter("{http://www.w3.org/2000/svg}g"))
    assert len(boxes) == len(strategy.nodes)


def test_mermaid_is_for_small_ones(strategy):
    few = RoleStrategy(
        ("a",),
        "a",
        (StrategyNode(frozenset(), 1, 1, "go", (JointReply((), 1),)), StrategyNode(frozenset({"x"}), 1, 0)),
    )
    assert mermaid(few).startswith('flowchart TD\n  n0("→ a go")\n  n1("x<br>over: a 1")\n  n0 --> n1\n')
    many = RoleStrategy(("a",), "a", (StrategyNode(frozenset(), 1, 0),) * (MOST_IN_MERMAID + 1))
    with pytest.raises(
        StrategyTooLargeToDrawError,
        match="61 nodes, and Mermaid shows 60 at most; make a page of it, with `--html`",
    ):
        mermaid(many)


def test_a_page_shows_each_node_once_and_refers_to_it_elsewhere(strategy):
    page = "".join(strategy_page(strategy))
    shown = re.findall(r'<details id="n(\d+)"', page)
    assert sorted(map(int, shown)) == list(range(len(strategy.nodes)))
    edges = sum(len(node.replies) for node in strategy.nodes)
    assert len(re.findall(r'href="#n\d+"', page)) == edges - (len(strategy.nodes) - 1)
    assert page.count("<details") == page.count("</details>")
    assert "<script" not in page


def test_a_long_strategy_is_not_nested_too_deep():
    size = 5 * DEEPEST
    nodes = [
        StrategyNode(frozenset({("at", str(n))}), 1, size - n, "go", (JointReply((), n + 1),))
        for n in range(size)
    ]
    page = "".join(
        strategy_page(RoleStrategy(("<a>",), "<a>", (*nodes, StrategyNode(frozenset({"end"}), 1, 0))))
    )
    deepest = depth = 0
    for tag in re.findall(r"</?details", page):
        depth += 1 if tag == "<details" else -1
        deepest = max(deepest, depth)
    assert depth == 0
    assert deepest == DEEPEST
    assert len(re.findall('<details id="n', page)) == size + 1
    assert "<a>" not in page


def test_the_size_of_a_tree_counts_what_is_merged_as_often_as_play_comes_to_it():
    end = StrategyNode(frozenset({"end"}), 1, 0)
    middle = StrategyNode(frozenset({"middle"}), 1, 1, "go", (JointReply(("x",), 2), JointReply(("y",), 2)))
    root = StrategyNode(frozenset(), 1, 2, "go", (JointReply(("x",), 1), JointReply(("y",), 1)))
    assert tree_size(RoleStrategy(("a", "b"), "a", (root, middle, end))) == (7, 4)
