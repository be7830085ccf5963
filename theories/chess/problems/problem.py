"""Chess problems: a position, a goal of the side to move, and the known solution, as JSON lines.

The side to move is the *friend*. The goals are `take` the enemy's piece on `target`, `mate`, and `promote`
the pawn on `target` to a queen or a rook that is not captured at once. The proved result is `value`, with the
friend moving first, then with the opponent moving first. Its letters are `G` won within the horizon, `P` not
won with any horizon (king and pawn against king only), `I` neither. `II` thus means that no win was found,
not that there is none. Moves are UCI (`e7e8q`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, get_args

from hornbook.kb.text.dataclass import dataclass
from hornbook.theories.protocols.json_lines import JsonLine, by_id

GoalKind = Literal["take", "mate", "promote"]
Value = Literal["GG", "GI", "GP", "IG", "II", "PG", "PP"]
Motif = Literal[
    "hanging",
    "fork",
    "skewer",
    "pin",
    "discovered",
    "guard",
    "trapped",
    "mate1",
    "mate2",
    "back-rank",
    "promotion",
    "kpk",
    "nothing",
]
MOTIFS: tuple[Motif, ...] = get_args(Motif)
"""Motifs of problems: a piece that is simply taken, five ways to attack a piece that is then lost, removal of
a guard, and others.
"""
_SQUARE = re.compile(r"[a-h][1-8]")
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")


@dataclass(frozen=True, slots=True)
class ChessProblem:
    """Chess problem with its solution.

    The number of plies, including the friend's first and last move, is `depth`, or None if nothing is won.
    All first moves that win within `horizon` plies (with motif `kpk`: at all) are `winning_moves`, those of
    least depth `best_moves`. For motifs that take, `gain` is the number of pawns that a best move wins
    against every reply, captures minus losses. With motif `nothing`, `looks_like` is the motif of a refuted
    move. Raises ValueError if the fields are inconsistent.
    """

    id: str
    fen: str
    motif: Motif
    goal: GoalKind
    target: str | None
    side: Literal["white", "black"]
    value: Value
    depth: int | None
    horizon: int
    winning_moves: tuple[str, ...]
    best_moves: tuple[str, ...]
    gain: int | None = None
    looks_like: Motif | None = None

    def __post_init__(self) -> None:
        for name, value, known in (
            ("motif", self.motif, MOTIFS),
            ("motif", self.looks_like or self.motif, MOTIFS),
            ("goal", self.goal, get_args(GoalKind)),
            ("value", self.value, get_args(Value)),
        ):
            if value not in known:
                raise ValueError(f"`{value}` is not a {name}: they are {', '.join(known)}")
        if (self.target is None) != (self.goal == "mate"):
            raise ValueError("to take or to promote needs a target, and mate has none")
        if self.target is not None and not _SQUARE.fullmatch(self.target):
            raise ValueError(f"`{self.target}` is not a square")
        for move in (*self.winning_moves, *self.best_moves):
            if not _MOVE.fullmatch(move):
                raise ValueError(f"`{move}` is not a move: write e2e4, or e7e8q")
        if {"w": "white", "b": "black"}.get(([*self.fen.split(), "", ""])[1]) != self.side:
            raise ValueError("the friend is the side to move of the position")
        if (self.value[0] == "G") != (self.depth is not None and bool(self.best_moves)):
            raise ValueError("a problem that is won has a depth and best moves, and no other has")
        if not set(self.best_moves) <= set(self.winning_moves):
            raise ValueError("the best moves are among the winning moves")


def print_problems(problems: Iterable[ChessProblem]) -> str:
    """Return the problems, one per line, without empty keys."""
    lines = []
    for problem in problems:
        keys = {key: value for key, value in asdict(problem).items() if value is not None}
        lines.append(json.dumps(keys | {"depth": problem.depth, "target": problem.target}))
    return "".join(f"{line}\n" for line in lines)


def parse_problems(text: str, file: str = "<problems>") -> list[ChessProblem]:
    """Return the problems of a text, one JSON object per line.

    Raise TheoryError (HB005) at the position of an error.
    """
    return list(by_id(text, file, _problem).values())


_KEYS: dict[str, type] = {
    **dict.fromkeys(("id", "fen", "motif", "goal", "side", "value"), str),
    "horizon": int,
    **dict.fromkeys(("winning_moves", "best_moves"), list),
}
_OPTIONAL: dict[str, type] = {"target": str, "depth": int, "gain": int, "looks_like": str}


def _problem(line: JsonLine) -> ChessProblem:
    keys: dict[str, Any] = {
        key: line.get(key, kind, needed=key in _KEYS) for key, kind in (_KEYS | _OPTIONAL).items()
    }
    keys |= {key: tuple(map(str, keys[key])) for key in ("winning_moves", "best_moves")}
    try:
        return ChessProblem(**keys)
    except ValueError as wrong:
        line.fail(None, str(wrong))


def shipped(name: str) -> Path:
    """Return the path of a shipped set of problems: `learn` or `held_out`."""
    return Path(__file__).parent / f"{name}.jsonl"
