"""A strategy as a graph to draw.

There is a box for each node, with the replies that lead to it, the state, and the role's move.
"""

from __future__ import annotations

import networkx as nx

from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.gdl.ground import text_of
from hornbook.planner.strategies.board import lines_of_state
from hornbook.planner.strategies.strategy import JointReply, RoleStrategy, StrategyNode
from hornbook.render import drawing

MOST_IN_MERMAID = 60
MOST_IN_SVG = 2000
_MOST_REPLIES = 3
"""The number of different replies shown above a state."""


class StrategyTooLargeToDrawError(HornbookError, ValueError):
    """A strategy has too many nodes for a picture; a page can be opened node by node instead."""


def svg(strategy: RoleStrategy) -> str:
    """Return the strategy as a standalone picture. Raises StrategyTooLargeToDrawError."""
    _must_be_at_most(strategy, MOST_IN_SVG, "SVG")
    return drawing.svg(strategy_graph(strategy))


def mermaid(strategy: RoleStrategy) -> str:
    """Return the strategy as a Mermaid flowchart. Raises StrategyTooLargeToDrawError."""
    _must_be_at_most(strategy, MOST_IN_MERMAID, "Mermaid")
    return drawing.mermaid(strategy_graph(strategy))


def strategy_graph(strategy: RoleStrategy) -> nx.DiGraph[int]:
    """Return the graph of the nodes, with attributes `label` and `kind`.

    The kind is `goal` if the game is over, `given` for the first node, and otherwise `derived`.
    """
    graph: nx.DiGraph[int] = nx.DiGraph()
    replies = replies_to(strategy)
    for number, node in enumerate(strategy.nodes):
        kind = "goal" if node.move is None else "given" if number == 0 else "derived"
        above = replies[number][:_MOST_REPLIES]
        more = [f"… {len(replies[number]) - len(above)} more"] if len(replies[number]) > len(above) else []
        lines = [*above, *more, *lines_of_state(node.state), what_follows(strategy, node)]
        graph.add_node(number, label="\n".join(lines), kind=kind)
    for number, node in enumerate(strategy.nodes):
        graph.add_edges_from(((number, reply.to) for reply in node.replies), style="solid")
    return graph


def replies_to(strategy: RoleStrategy) -> list[list[str]]:
    """Return for each node the preceding replies of the others, if they had a choice."""
    found: list[dict[str, None]] = [{} for _ in strategy.nodes]
    for node in strategy.nodes:
        if len(node.replies) > 1:
            for reply in node.replies:
                found[reply.to][reply_text(strategy, reply)] = None
    return [list(each) for each in found]


def reply_text(strategy: RoleStrategy, reply: JointReply) -> str:
    """Return the text of a reply of the others."""
    moves = zip(strategy.others, reply.moves, strict=True)
    return ", ".join(f"{role} {text_of(move)}" for role, move in moves)


def what_follows(strategy: RoleStrategy, node: StrategyNode) -> str:
    """Return the text of the role's move, or of the value of the end."""
    return (
        f"over: {strategy.role} {node.value}"
        if node.move is None
        else f"→ {strategy.role} {text_of(node.move)}"
    )


def _must_be_at_most(strategy: RoleStrategy, most: int, what: str) -> None:
    if len(strategy.nodes) > most:
        raise StrategyTooLargeToDrawError(
            f"the strategy has {len(strategy.nodes):,} nodes, and {what} shows {most:,} at most; "
            "make a page of it, with `--html`"
        )
