"""Strategies and refutations as JSON lines: one for the whole, then one for each node.

    {"strategy": 1, "roles": ["first", "second"], "role": "first", "value": 100, "nodes": 3}
    {"node": 0, "state": ["(has a 1)", "(turn first)"], "value": 100, "rank": 1, "move": "(leave a 0)",
     "replies": [{"moves": ["noop"], "to": 1}]}
    {"node": 1, "state": ["(has a 0)", "(turn second)"], "value": 100, "rank": 0}

A refutation has `most` in place of `value`, and its nodes have answers to each move of the role:

    {"strategy": 1, "roles": ["first", "second"], "role": "second", "most": 0, "nodes": 3}
    {"node": 0, "state": ["(has a 1)", "(turn first)"],
     "answers": [{"move": "noop", "moves": ["(leave a 0)"], "to": 1}]}

Terms are written in KIF. A terminal node has no `move` and no `replies`, and no `answers`. The values of
`moves` are those of the other roles, in the order of `roles`. Reading a file does not check the strategy:
`check.py` does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.kb.text.writing import write_text
from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground, ground_of, text_of
from hornbook.planner.gdl.kif import read
from hornbook.planner.strategies.json_lines import StrategyLineReader, read_lines
from hornbook.planner.strategies.refutation import Refutation, RefutationAnswer, RefutationNode
from hornbook.planner.strategies.strategy import JointReply, RoleStrategy, StrategyNode

VERSION = 1
_WAY_OUT = "write the file anew with `hornbook game strategy GAME --role ROLE --into FILE`"


def write_strategy(path: Path, strategy: RoleStrategy | Refutation) -> None:
    """Write the file completely or not at all. Raises WritingError if it cannot be written."""
    write_text(path, lines_of_strategy(strategy))


def lines_of_strategy(strategy: RoleStrategy | Refutation) -> Iterator[str]:
    """Yield the lines of the file, each with its line end."""
    claim = {"value": strategy.value} if isinstance(strategy, RoleStrategy) else {"most": strategy.most}
    head = {
        "strategy": VERSION,
        "roles": list(strategy.roles),
        "role": strategy.role,
        **claim,
        "nodes": len(strategy.nodes),
    }
    yield json.dumps(head, ensure_ascii=False) + "\n"
    nodes: Sequence[StrategyNode | RefutationNode] = strategy.nodes
    for number, node in enumerate(nodes):
        line = {"node": number, "state": sorted(map(text_of, node.state)), **_as_json(node)}
        yield json.dumps(line, ensure_ascii=False) + "\n"


def _as_json(node: StrategyNode | RefutationNode) -> dict[str, object]:
    """Return the JSON object of a node, without its state."""
    if isinstance(node, RefutationNode):
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


def read_strategy(path: Path) -> RoleStrategy | Refutation:
    """Return the strategy or the refutation of a file. Raises StrategyFileError."""
    return read_lines(path, _WAY_OUT, lambda reading, lines: _Strategies(reading).strategy(lines))


class _Strategies:
    """A reader of strategies that parses each term once."""

    def __init__(self, reading: StrategyLineReader) -> None:
        self._reading = reading
        self._terms: dict[str, Ground] = {}

    def strategy(self, lines: Iterator[str]) -> RoleStrategy | Refutation:
        reading = self._reading
        head = reading.object(next(lines, ""))
        reading.version(head, VERSION)
        roles = tuple(reading.words(head, "roles"))
        role = reading.word(head, "role")
        if role not in roles or len(set(roles)) != len(roles):
            raise reading.wrong("`role` is not one of `roles`, or one of these is named twice")
        size, others = reading.integer(head, "nodes", 1), len(roles) - 1
        if "most" in head:
            most = reading.integer(head, "most", 0)
            refuted = reading.nodes(lines, size, lambda line: self._refutation_node(line, size, others))
            return Refutation(roles, role, most, refuted)
        nodes = reading.nodes(lines, size, lambda line: self._node(line, size, others))
        if reading.integer(head, "value", 0) != nodes[0].value:
            reading.line = 1
            raise reading.wrong("`value` is not the value of the first node")
        return RoleStrategy(roles, role, nodes)

    def _state(self, line: dict[str, Any]) -> State:
        return frozenset(map(self._term, self._reading.words(line, "state")))

    def _refutation_node(self, line: dict[str, Any], size: int, others: int) -> RefutationNode:
        reading, state = self._reading, self._state(line)
        answers = reading.objects(line, "answers", "`move`, `moves` and `to`") if "answers" in line else []
        found = (
            RefutationAnswer(self._term(reading.word(answer, "move")), *self._reply(answer, size, others))
            for answer in answers
        )
        return RefutationNode(state, tuple(found))

    def _node(self, line: dict[str, Any], size: int, others: int) -> StrategyNode:
        reading, state = self._reading, self._state(line)
        value, rank = reading.integer(line, "value", 0), reading.integer(line, "rank", 0)
        if "move" not in line:
            if "replies" in line:
                raise reading.wrong("`replies` without a `move`")
            return StrategyNode(state, value, rank)
        replies = reading.objects(line, "replies", "`moves` and `to`")
        found = tuple(JointReply(*self._reply(reply, size, others)) for reply in replies)
        return StrategyNode(state, value, rank, self._term(reading.word(line, "move")), found)

    def _reply(self, reply: dict[str, Any], size: int, others: int) -> tuple[tuple[Ground, ...], int]:
        reading = self._reading
        moves = tuple(map(self._term, reading.words(reply, "moves")))
        if len(moves) != others:
            raise reading.wrong(
                f"a reply has {counted(others, 'move')}, one of each other role, not {len(moves)}"
            )
        return moves, reading.integer(reply, "to", 0, size - 1)

    def _term(self, text: str) -> Ground:
        found = self._terms.get(text)
        if found is None:
            expressions, mistakes = read(text, "")
            term = ground_of(expressions[0]) if len(expressions) == 1 and not mistakes else None
            if term is None:
                raise self._reading.wrong(f"`{on_one_line(text[:80])}` is not one term without variables")
            self._terms[text] = found = term
        return found
