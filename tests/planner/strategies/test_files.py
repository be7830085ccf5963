"""Tests of strategy files: they survive a round trip, and errors in bad files are reported by line."""

from __future__ import annotations

import json

import pytest

from hornbook.planner.gdl.game import Game
from hornbook.planner.strategies.files import read_strategy, write_strategy
from hornbook.planner.strategies.json_lines import StrategyFileError
from hornbook.planner.strategies.refutation import Refutation, RefutationAnswer, RefutationNode
from oracles.gdl.own_sheets import SHEETS
from oracles.gdl.plain_minimax import plain_strategy


@pytest.fixture
def written(tmp_path):
    game = Game(SHEETS["maze"].read_text(encoding="utf-8"))
    strategy = plain_strategy(game, game.roles[0], 1)
    path = tmp_path / "plan.jsonl"
    write_strategy(path, strategy)
    return path, strategy


def test_what_is_written_is_read(written):
    path, strategy = written
    assert read_strategy(path) == strategy


@pytest.fixture
def refutation() -> Refutation:
    nodes = (
        RefutationNode(
            frozenset({("heap", "1")}),
            (RefutationAnswer("noop", (("take", "1"), "noop"), 1), RefutationAnswer("wait", ("a", "b"), 0)),
        ),
        RefutationNode(frozenset({("heap", "0")})),
    )
    return Refutation(("ann", "ben", "cid"), "ben", 30, nodes)


def test_a_refutation_that_is_written_is_read(tmp_path, refutation):
    write_strategy(tmp_path / "most.jsonl", refutation)
    assert read_strategy(tmp_path / "most.jsonl") == refutation


@pytest.mark.parametrize(
    ("line", "key", "value", "reason"),
    [
        (1, "most", -1, "`most` is not an integer from 0"),
        (2, "answers", [5], "`answers` is not a list of objects with `move`, `moves` and `to`"),
        (2, "answers", [{"moves": ["a", "b"], "to": 0}], "`move` is not a text"),
        (
            2,
            "answers",
            [{"move": "m", "moves": ["a"], "to": 0}],
            "a reply has 2 moves, one of each other role, not 1",
        ),
        (3, "answers", [{"move": "m", "moves": ["a", "b"], "to": 2}], "`to` is not an integer from 0 to 1"),
    ],
)
def test_what_is_wrong_with_a_refutation(tmp_path, refutation, line, key, value, reason):
    path = tmp_path / "most.jsonl"
    write_strategy(path, refutation)
    lines = path.read_text(encoding="utf-8").split("\n")
    lines[line - 1] = changed(json.loads(lines[line - 1]), key, value)
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(StrategyFileError, match=f":{line}: {reason}"):
        read_strategy(path)


def changed(line: dict, key: str, value: object) -> str:
    return json.dumps({**line, key: value})


@pytest.mark.parametrize(
    ("line", "key", "value", "reason"),
    [
        (1, "strategy", 2, "`strategy` is the version of the format, and only 1 is known"),
        (1, "role", "nobody", "`role` is not one of `roles`"),
        (1, "nodes", 99, "the first line says 99 nodes, and the file has "),
        (1, "value", 7, "`value` is not the value of the first node"),
        (2, "node", 3, "the nodes are not in order: node 0 is expected here"),
        (2, "node", True, "`node` is not an integer from 0"),
        (2, "value", -1, "`value` is not an integer from 0"),
        (2, "rank", -1, "`rank` is not an integer from 0"),
        (2, "state", "(at 1 1)", "`state` is not a list of texts"),
        (2, "state", ["(at ?x 1)"], "`(at ?x 1)` is not one term without variables"),
        (2, "state", ["(at 1", "a"], "`(at 1` is not one term without variables"),
        (2, "move", 5, "`move` is not a text"),
        (2, "replies", [5], "`replies` is not a list of objects with `moves` and `to`"),
        (2, "replies", [{"moves": ["a"], "to": 1}], "a reply has 0 moves, one of each other role, not 1"),
        (2, "replies", [{"moves": [], "to": 999}], "`to` is not an integer from 0 to "),
    ],
)
def test_what_is_wrong_is_reported_with_its_line(written, line, key, value, reason):
    path, _ = written
    lines = path.read_text(encoding="utf-8").split("\n")
    lines[line - 1] = changed(json.loads(lines[line - 1]), key, value)
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(StrategyFileError) as caught:
        read_strategy(path)
    message = str(caught.value)
    assert reason in message
    reported = len(lines) - 1 if key == "nodes" else line
    assert message.startswith(f"{path}:{reported}: ")
    assert "write the file anew" in message


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", ":1: the line is not JSON"),
        (b"5\n", ":1: the line is not an object of JSON"),
        (b"\xff\xfe\n", ":1: the line is not UTF-8"),
        (b"[" * 100_000, ":1: the line is not JSON"),
        ((b'{"strategy": 1, "roles": ["a"], "role": "a", "value": 5, "nodes": 2}\n'
         b'{"node": 0, "state": [], "value": 5, "rank": 0}\n'), ":2: the first line says 2 nodes, and the file has 1"),
        ((b'{"strategy": 1, "roles": ["a"], "role": "a", "value": 5, "nodes": 1}\n'
         b'{"node": 0, "state": [], "value": 5, "rank": 0, "replies": []}\n'), ":2: `replies` without a `move`"),
    ],
)  # fmt: skip
def test_what_is_no_strategy(tmp_path, text, reason):
    path = tmp_path / "no.jsonl"
    path.write_bytes(text)
    with pytest.raises(StrategyFileError) as caught:
        read_strategy(path)
    assert reason in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(StrategyFileError, match="cannot be read: no such file"):
        read_strategy(tmp_path / "none.jsonl")


def test_nothing_half_written(tmp_path, written):
    path, strategy = written
    with pytest.raises(OSError, match="no such folder"):
        write_strategy(tmp_path / "missing" / "plan.jsonl", strategy)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
