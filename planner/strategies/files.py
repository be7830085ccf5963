"""Strategies and refutations as files: JSON lines, the first about the whole, then one for each node, the first node first.

    {"strategy": 1, "roles": ["first", "second"], "role": "first", "value": 100, "nodes": 3}
    {"node": 0, "state": ["(has a 1)", "(turn first)"], "value": 100, "rank": 1, "move": "(leave a 0)",
     "replies": [{"moves": ["noop"], "to": 1}]}
    {"node": 1, "state": ["(has a 0)", "(turn second)"], "value": 100, "rank": 0}

A refutation has `most` in place of `value`, and its nodes have answers to each move of the role:

    {"strategy": 1, "roles": ["first", "second"], "role": "second", "most": 0, "nodes": 3}
    {"node": 0, "state": ["(has a 1)", "(turn first)"], "answers": [{"move": "noop", "moves": ["(leave a 0)"], "to": 1}]}

Terms are written in KIF. Where the game is over, a node has no `move` and no `replies`, and no `answers`; `moves` are those of
the other roles, in the order of `roles`. Reading says nothing about whether the strategy is right: `check.py` does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.kb.text.writing import write_text
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground, ground_of, text_of
from hornbook.planner.gdl.kif import read
from hornbook.planner.strategies.refutation import Answer, Held, Refutation
from hornbook.planner.strategies.strategy import Node, Reply, Strategy

VERSION = 1
Read = TypeVar("Read")
LINE_OF_NODE_0 = 2
_WAY_OUT = "write the file anew with `hornbook strategy GAME --role ROLE --into FILE`"
_MOST_LINE = 16 * 1024 * 1024


class StrategyFileError(HornbookError, ValueError):
    """A file that holds no strategy; the message says where, and what to do."""


def write_strategy(path: Path, strategy: Strategy | Refutation) -> None:
    """Writes the file whole or not at all. Raises WritingError where it cannot be written."""
    write_text(path, lines_of_strategy(strategy))


def lines_of_strategy(strategy: Strategy | Refutation) -> Iterator[str]:
    """The lines of the file, each with its end."""
    claim = {"value": strategy.value} if isinstance(strategy, Strategy) else {"most": strategy.most}
    head = {
        "strategy": VERSION,
        "roles": list(strategy.roles),
        "role": strategy.role,
        **claim,
        "nodes": len(strategy.nodes),
    }
    yield json.dumps(head, ensure_ascii=False) + "\n"
    nodes: Sequence[Node | Held] = strategy.nodes
    for number, node in enumerate(nodes):
        line = {"node": number, "state": sorted(map(text_of, node.state)), **_as_json(node)}
        yield json.dumps(line, ensure_ascii=False) + "\n"


def _as_json(node: Node | Held) -> dict[str, object]:
    """What a node says of its state."""
    if isinstance(node, Held):
        answers = [
            {"move": text_of(answer.move), "moves": list(map(text_of, answer.replies)), "to": answer.to}
            for answer in node.answers
        ]
        return {"answers": answers} if answers else {}
    line: dict[str, object] = {"value": node.value, "rank": node.rank}
    if node.move is not None:
        line["move"] = text_of(node.move)
        line["replies"] = [
            {"moves": list(map(text_of, reply.moves)), "to": reply.to} for reply in node.replies
        ]
    return line


def read_strategy(path: Path) -> Strategy | Refutation:
    """The strategy or the refutation of a file. Raises StrategyFileError."""
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

    def strategy(self, lines: Iterator[str]) -> Strategy | Refutation:
        head = self._object(next(lines, ""))
        if self._integer(head, "strategy", 0) != VERSION:
            raise self._wrong(f"`strategy` is the version of the format, and only {VERSION} is known")
        roles = tuple(self._words(head, "roles"))
        role = self._word(head, "role")
        if role not in roles or len(set(roles)) != len(roles):
            raise self._wrong("`role` is not one of `roles`, or one of these is named twice")
        size, others = self._integer(head, "nodes", 1), len(roles) - 1
        if "most" in head:
            most = self._integer(head, "most", 0)
            return Refutation(roles, role, most, self._nodes(lines, size, others, self._held))
        nodes = self._nodes(lines, size, others, self._node)
        if self._integer(head, "value", 0) != nodes[0].value:
            self._line = 1
            raise self._wrong("`value` is not the value of the first node")
        return Strategy(roles, role, nodes)

    def _nodes(
        self,
        lines: Iterator[str],
        size: int,
        others: int,
        read: Callable[[State, dict[str, Any], int, int], Read],
    ) -> tuple[Read, ...]:
        nodes: list[Read] = []
        for self._line, text in enumerate(lines, LINE_OF_NODE_0):
            line = self._object(text)
            if len(nodes) >= size:
                raise self._wrong(f"the first line says {counted(size, 'node')}, and there are more")
            if self._integer(line, "node", 0) != len(nodes):
                raise self._wrong(f"the nodes are not in order: node {len(nodes)} is wanted here")
            state = frozenset(map(self._term, self._words(line, "state")))
            nodes.append(read(state, line, size, others))
        if len(nodes) != size:
            raise self._wrong(f"the first line says {counted(size, 'node')}, and the file has {len(nodes)}")
        return tuple(nodes)

    def _held(self, state: State, line: dict[str, Any], size: int, others: int) -> Held:
        answers = self._objects(line, "answers", "`move`, `moves` and `to`") if "answers" in line else []
        found = (
            Answer(self._term(self._word(answer, "move")), *self._reply(answer, size, others))
            for answer in answers
        )
        return Held(state, tuple(found))

    def _node(self, state: State, line: dict[str, Any], size: int, others: int) -> Node:
        value, rank = self._integer(line, "value", 0), self._integer(line, "rank", 0)
        if "move" not in line:
            if "replies" in line:
                raise self._wrong("`replies` without a `move`")
            return Node(state, value, rank)
        replies = self._objects(line, "replies", "`moves` and `to`")
        found = tuple(Reply(*self._reply(reply, size, others)) for reply in replies)
        return Node(state, value, rank, self._term(self._word(line, "move")), found)

    def _objects(self, line: dict[str, Any], key: str, parts: str) -> list[dict[str, Any]]:
        found = line.get(key)
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            raise self._wrong(f"`{key}` is not a list of objects with {parts}")
        return found

    def _reply(self, reply: dict[str, Any], size: int, others: int) -> tuple[tuple[Ground, ...], int]:
        moves = tuple(map(self._term, self._words(reply, "moves")))
        if len(moves) != others:
            raise self._wrong(
                f"a reply has {counted(others, 'move')}, one of each other role, not {len(moves)}"
            )
        return moves, self._integer(reply, "to", 0, size - 1)

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
