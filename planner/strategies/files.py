"""Strategies as files: JSON lines, the first about the whole, then a line for each node, the first node first.

    {"strategy": 1, "roles": ["first", "second"], "role": "first", "value": 100, "nodes": 3}
    {"node": 0, "state": ["(has a 1)", "(turn first)"], "value": 100, "rank": 1, "move": "(leave a 0)",
     "replies": [{"moves": ["noop"], "to": 1}]}
    {"node": 1, "state": ["(has a 0)", "(turn second)"], "value": 100, "rank": 0}

Terms are written in KIF. Where the game is over, a node has no `move` and no `replies`; `moves` are those of the other
roles, in the order of `roles`. Reading says nothing about whether the strategy is right: `check.py` does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.kb.text.writing import write_text
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.gdl.ground import Ground, ground_of, text_of
from hornbook.planner.gdl.kif import read
from hornbook.planner.strategies.strategy import Node, Reply, Strategy

VERSION = 1
LINE_OF_NODE_0 = 2
_WAY_OUT = "write the file anew with `hornbook strategy GAME --role ROLE --into FILE`"
_MOST_LINE = 16 * 1024 * 1024


class StrategyFileError(HornbookError, ValueError):
    """A file that holds no strategy; the message says where, and what to do."""


def write_strategy(path: Path, strategy: Strategy) -> None:
    """Writes the file whole or not at all. Raises WritingError where it cannot be written."""
    write_text(path, lines_of_strategy(strategy))


def lines_of_strategy(strategy: Strategy) -> Iterator[str]:
    """The lines of the file, each with its end."""
    head = {
        "strategy": VERSION,
        "roles": list(strategy.roles),
        "role": strategy.role,
        "value": strategy.value,
        "nodes": len(strategy.nodes),
    }
    yield json.dumps(head, ensure_ascii=False) + "\n"
    for number, node in enumerate(strategy.nodes):
        yield json.dumps(_as_json(number, node), ensure_ascii=False) + "\n"


def _as_json(number: int, node: Node) -> dict[str, object]:
    line: dict[str, object] = {
        "node": number,
        "state": sorted(map(text_of, node.state)),
        "value": node.value,
        "rank": node.rank,
    }
    if node.move is not None:
        line["move"] = text_of(node.move)
        line["replies"] = [
            {"moves": list(map(text_of, reply.moves)), "to": reply.to} for reply in node.replies
        ]
    return line


def read_strategy(path: Path) -> Strategy:
    """The strategy of a file. Raises StrategyFileError."""
    name = shown(path)
    try:
        with path.open("rb") as file:
            return _Reading(name).strategy(_lines(name, file))
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise StrategyFileError(f"{on_one_line(name)}: the file cannot be read: {reason}") from None
    except ValueError as problem:
        if isinstance(problem, StrategyFileError):
            raise
        raise StrategyFileError(f"{on_one_line(name)}: the file cannot be read: {problem}") from None


def _lines(name: str, file: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(file, 1):
        if len(line) > _MOST_LINE:
            raise StrategyFileError(f"{on_one_line(name)}:{number}: the line is too long; {_WAY_OUT}")
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise StrategyFileError(
                f"{on_one_line(name)}:{number}: the line is not UTF-8; save the file as UTF-8"
            ) from None


class _Reading:
    """Reads lines, knows where it is, and each term once."""

    def __init__(self, name: str) -> None:
        self._name = on_one_line(name)
        self._line = 1
        self._terms: dict[str, Ground] = {}

    def strategy(self, lines: Iterator[str]) -> Strategy:
        head = self._object(next(lines, ""))
        if self._integer(head, "strategy", 0) != VERSION:
            raise self._wrong(f"`strategy` is the version of the format, and only {VERSION} is known")
        roles = tuple(self._words(head, "roles"))
        role = self._word(head, "role")
        if role not in roles or len(set(roles)) != len(roles):
            raise self._wrong("`role` is not one of `roles`, or one of these is named twice")
        size = self._integer(head, "nodes", 1)
        nodes: list[Node] = []
        for self._line, line in enumerate(lines, LINE_OF_NODE_0):
            nodes.append(self._node(self._object(line), len(nodes), size, len(roles) - 1))
        if len(nodes) != size:
            raise self._wrong(f"the first line says {counted(size, 'node')}, and the file has {len(nodes)}")
        if self._integer(head, "value", 0, 100) != nodes[0].value:
            self._line = 1
            raise self._wrong("`value` is not the value of the first node")
        return Strategy(roles, role, tuple(nodes))

    def _node(self, line: dict[str, Any], number: int, size: int, others: int) -> Node:
        if number >= size:
            raise self._wrong(f"the first line says {counted(size, 'node')}, and there are more")
        if self._integer(line, "node", 0) != number:
            raise self._wrong(f"the nodes are not in order: node {number} is wanted here")
        state = frozenset(map(self._term, self._words(line, "state")))
        value, rank = self._integer(line, "value", 0, 100), self._integer(line, "rank", 0)
        if "move" not in line:
            if "replies" in line:
                raise self._wrong("`replies` without a `move`")
            return Node(state, value, rank)
        replies = line.get("replies")
        if not isinstance(replies, list) or not all(isinstance(reply, dict) for reply in replies):
            raise self._wrong("`replies` is not a list of objects with `moves` and `to`")
        found = tuple(self._reply(reply, size, others) for reply in replies)
        return Node(state, value, rank, self._term(self._word(line, "move")), found)

    def _reply(self, reply: dict[str, Any], size: int, others: int) -> Reply:
        moves = tuple(map(self._term, self._words(reply, "moves")))
        if len(moves) != others:
            raise self._wrong(
                f"a reply has {counted(others, 'move')}, one of each other role, not {len(moves)}"
            )
        return Reply(moves, self._integer(reply, "to", 0, size - 1))

    def _object(self, text: str) -> dict[str, Any]:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise self._wrong("the line is not JSON") from None
        if not isinstance(found, dict):
            raise self._wrong("the line is not an object of JSON")
        return found

    def _integer(self, line: dict[str, Any], key: str, least: int, most: int | None = None) -> int:
        found = line.get(key)
        if not isinstance(found, int) or isinstance(found, bool) or found < least:
            raise self._wrong(f"`{key}` is not an integer from {least}")
        if most is not None and found > most:
            raise self._wrong(f"`{key}` is not an integer from {least} to {most}")
        return found

    def _word(self, line: dict[str, Any], key: str) -> str:
        found = line.get(key)
        if not isinstance(found, str):
            raise self._wrong(f"`{key}` is not a text")
        return found

    def _words(self, line: dict[str, Any], key: str) -> list[str]:
        found = line.get(key)
        if not isinstance(found, list) or not all(isinstance(word, str) for word in found):
            raise self._wrong(f"`{key}` is not a list of texts")
        return found

    def _term(self, text: str) -> Ground:
        found = self._terms.get(text)
        if found is None:
            expressions, mistakes = read(text, self._name)
            term = ground_of(expressions[0]) if len(expressions) == 1 and not mistakes else None
            if term is None:
                raise self._wrong(f"`{on_one_line(text[:80])}` is not one term without variables")
            self._terms[text] = found = term
        return found

    def _wrong(self, message: str) -> StrategyFileError:
        return StrategyFileError(f"{self._name}:{self._line}: {message}; {_WAY_OUT}")
