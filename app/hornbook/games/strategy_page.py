"""A strategy as a page that opens reply by reply: nested `<details>`, without scripts.

Each node is placed below the first node that leads to it; other occurrences link to it. Nodes that are nested
too deeply for browsers get separate sections. All content is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.games.strategy_pictures import reply_text, what_follows
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import NO_SCRIPTS, markup
from hornbook.planner.strategies.board import lines_of_state
from hornbook.planner.strategies.strategy import RoleStrategy

DEEPEST = 40
"""The maximal nesting depth of nodes."""
NEAR = 2
"""Nodes above this depth are initially open."""
_STYLE = """\
body { font: 14px/1.5 system-ui, sans-serif; color: #18181b; }
details { margin: 0 0 0 1.2em; }
summary { cursor: pointer; }
pre { font-family: ui-monospace, Menlo, Consolas, monospace; background: #f4f4f5; padding: .3em .6em; \
display: inline-block;
  margin: .2em 0 .2em 1.2em; border-radius: 3px; }
small { color: #52525b; }
:target > summary { outline: 2px solid #a16207; }
"""


def strategy_page(strategy: RoleStrategy) -> Iterator[str]:
    """Yield the lines of a complete document, each with its line end."""
    title = f"{markup(strategy.role)} reaches {strategy.value} at least"
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f"{NO_SCRIPTS}\n<title>{title}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n"
    yield f"<h1>{title}</h1>\n<p>{counted(f'{len(strategy.nodes):,}', 'node')}</p>\n"
    yield from _sections(strategy)
    yield "</body>\n</html>\n"


def _sections(strategy: RoleStrategy) -> Iterator[str]:
    shown = {0}
    waiting = [0]
    for number in waiting:
        near = NEAR if number == 0 else 1
        yield from _section(strategy, number, near, shown, waiting)


def _section(
    strategy: RoleStrategy, first: int, near: int, shown: set[int], waiting: list[int]
) -> Iterator[str]:
    """Yield a node with its successors. Nodes that are too deep are appended to `waiting` for a section."""
    yield from _details_start(strategy, first, "", is_open=True)
    # The replies of the nodes that are open, by depth.
    open_nodes = [iter(strategy.nodes[first].replies)]
    has_choice = [len(strategy.nodes[first].replies) > 1]
    while open_nodes:
        reply = next(open_nodes[-1], None)
        if reply is None:
            open_nodes.pop()
            has_choice.pop()
            yield "</details>\n"
            continue
        words = f"{markup(reply_text(strategy, reply))}: " if has_choice[-1] else ""
        if reply.to in shown:
            yield f'<p><small>{words}<a href="#n{reply.to}">node {reply.to}</a></small></p>\n'
            continue
        shown.add(reply.to)
        if len(open_nodes) == DEEPEST:
            waiting.append(reply.to)
            yield f'<p><small>{words}<a href="#n{reply.to}">node {reply.to}</a>, below</small></p>\n'
            continue
        yield from _details_start(strategy, reply.to, words, is_open=len(open_nodes) < near)
        open_nodes.append(iter(strategy.nodes[reply.to].replies))
        has_choice.append(len(strategy.nodes[reply.to].replies) > 1)


def _details_start(strategy: RoleStrategy, number: int, words: str, *, is_open: bool) -> Iterator[str]:
    node = strategy.nodes[number]
    over = f", over after {counted(node.rank, 'move')} at most" if node.rank else ""
    attribute = ' open=""' if is_open else ""
    yield (
        f'<details id="n{number}"{attribute}><summary>{words}<b>{markup(what_follows(strategy, node))}</b> '
        f"<small>node {number}: {node.value} at least{over}</small></summary>\n"
    )
    yield f"<pre>{markup(chr(10).join(lines_of_state(node.state)))}</pre>\n"
