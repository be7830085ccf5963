"""Parsing of the proofs that `hornbook search plan` writes: JSON lines, first a header, then one per
position.

Parsing checks neither the proof nor the validity of positions and moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hornbook.games.planned_files import VERSION
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.strategies.json_lines import StrategyLineReader, read_lines

_WAY_OUT = "write the file anew with `hornbook search plan THEORY STATE --into FILE`"


@dataclass(frozen=True, slots=True)
class WrittenNode:
    """A position with its rank, and either the rule that decides it or moves with node numbers."""

    state: str
    rank: int
    rule: str | None
    moves: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class WrittenProof:
    """The claim of a file that a player wins or holds a game of a theory, with its proof."""

    theory: str
    player: str
    says: str
    rules: str | None
    """The rules of the proof, or None if the file does not name them."""
    nodes: tuple[WrittenNode, ...]

    @property
    def holds(self) -> bool:
        """Whether the claim is only that the player does not lose."""
        return self.says == "holds"


def read_proof(path: Path) -> WrittenProof:
    """Return the proof in a file. Raises StrategyFileError."""
    return read_lines(path, _WAY_OUT, _proof)


def _proof(reading: StrategyLineReader, lines: Iterator[str]) -> WrittenProof:
    head = reading.object(next(lines, ""))
    reading.version(head, VERSION)
    if "theory" not in head and "roles" in head:
        raise reading.wrong("this is a strategy of a game in GDL, which is checked with that game")
    theory, player, says = (reading.word(head, key) for key in ("theory", "player", "says"))
    if says not in {"wins", "holds"}:
        raise reading.wrong("`says` is neither `wins` nor `holds`")
    size = reading.integer(head, "nodes", 1)
    rules = reading.word(head, "rules") if "rules" in head else None
    return WrittenProof(
        theory, player, says, rules, reading.nodes(lines, size, lambda line: _node(reading, line, size))
    )


def _node(reading: StrategyLineReader, line: dict[str, Any], size: int) -> WrittenNode:
    state, rank = reading.word(line, "state"), reading.integer(line, "rank", 0)
    if ("rule" in line) == ("moves" in line):
        raise reading.wrong("a node has either a `rule` or `moves`")
    if "rule" in line:
        return WrittenNode(state, rank, reading.word(line, "rule"), ())
    moves = reading.objects(line, "moves", "`move` and `to`")
    found = ((reading.word(move, "move"), reading.integer(move, "to", 0, size - 1)) for move in moves)
    return WrittenNode(state, rank, None, tuple(found))
