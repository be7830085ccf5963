"""The size of a strategy as a tree, without merged nodes."""

from __future__ import annotations

from hornbook.planner.strategies.strategy import RoleStrategy


def tree_size(strategy: RoleStrategy) -> tuple[int, int]:
    """Return the number of nodes of the strategy as a tree, and of its lines of play.

    A node counts once for each path to it.
    """
    nodes, lines = [1] * len(strategy.nodes), [1] * len(strategy.nodes)
    for number in sorted(range(len(strategy.nodes)), key=lambda each: strategy.nodes[each].rank):
        replies = strategy.nodes[number].replies
        if replies:
            nodes[number] = 1 + sum(nodes[reply.to] for reply in replies)
            lines[number] = sum(lines[reply.to] for reply in replies)
    return nodes[0], lines[0]
