"""Parts of an audit of chess rules: the results of one part, and the file that stores them.

A part follows from the seed and its number. So an interrupted run can continue, in any number of processes.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import chess
import chess.polyglot

import hornbook
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from oracles.chess.positions import Source, engine, played
from oracles.chess.rules_run import Auditor, ChessClaim, ChessRulesTally
from oracles.chess.stockfish import Stockfish, stockfish, with_rules_of


@dataclass(frozen=True, slots=True)
class Job:
    """A part that is to be judged."""

    rules: Path
    seed: int
    number: int
    positions: int
    sample: int
    source: Source


@dataclass(slots=True)
class AuditPart:
    """The results of a part: its tally, Stockfish's verdicts, and the hashes of its positions."""

    number: int
    source: str
    tally: ChessRulesTally
    agreed: Counter[tuple[str, int]] = field(default_factory=Counter)
    doubted: list[str] = field(default_factory=list)
    hashes: list[int] = field(default_factory=list)
    seconds: float = 0.0
    stockfish: str = ""


@cache
def auditor(rules: Path) -> Auditor:
    """Return the rules of a file, which each process reads once.

    Raise ValueError if none of them is certified.
    """
    theory = load("chess")
    found = Auditor(theory, rulebase.read(rules, theory))
    if not found.moves:
        raise ValueError(f"no rule of {rules} is certified: run `hornbook rules verify`")
    return found


def judged(job: Job) -> AuditPart:
    began = time.process_time()
    random = Random(f"{job.seed}.{job.number} chess rules")
    part = AuditPart(job.number, job.source, ChessRulesTally())
    right: list[ChessClaim] = []
    with ExitStack() as started:
        player = started.enter_context(engine()) if job.source == "engine play" else None
        for board in played(job.source, random, job.positions, player):
            right += auditor(job.rules).judge(board, part.tally)
            part.hashes.append(chess.polyglot.zobrist_hash(board))
    if job.sample:
        with stockfish() as second:
            part.stockfish = second.name
            for claim in sampled(random, right, job.sample):
                compare(second, claim, part)
    part.seconds = time.process_time() - began
    return part


def sampled(random: Random, claims: list[ChessClaim], number: int) -> Iterator[ChessClaim]:
    """Yield some of the claims, spread evenly over games and depths."""
    kinds: dict[tuple[str, int], list[ChessClaim]] = defaultdict(list)
    for claim in random.sample(claims, len(claims)):
        kinds[claim.game, claim.plies].append(claim)
    left = number
    while left and kinds:
        for kind in sorted(kinds)[:left]:
            yield kinds[kind].pop()
            left -= 1
            if not kinds[kind]:
                del kinds[kind]


def compare(second: Stockfish, claim: ChessClaim, part: AuditPart) -> None:
    """Judge a claim by Stockfish's rules, and a mate also by its search."""
    board = with_rules_of(second, chess.Board(claim.fen))
    agrees = claim.holds(board)
    if agrees and claim.game == "mate" and claim.by is not None:
        agrees = second.mates(board, chess.Move.from_uci(claim.by), claim.moves)
    if agrees:
        part.agreed[claim.game, claim.plies] += 1
    else:
        part.doubted.append(f"{claim.fen}: {claim.statement}")


# Stored results


def heading(rules: Path, seed: int) -> dict[str, Any]:
    """Return the data that all parts of one run share."""
    theory = "".join(text for _, text in sorted(auditor(rules).matcher.theory.sources.items()))
    return {
        "rules": hashlib.sha256(rules.read_bytes()).hexdigest(),
        "theory": hashlib.sha256(theory.encode()).hexdigest(),
        "seed": seed,
        "hornbook": hornbook.__version__,
        "chess": chess.__version__,
    }


def written(part: AuditPart) -> str:
    tally = part.tally
    return json.dumps(
        {
            "part": part.number,
            "source": part.source,
            "positions": tally.positions,
            "right": [[*kind, number] for kind, number in sorted(tally.right.items())],
            "fired": tally.fired,
            "wrong": tally.wrong,
            "agreed": [[*kind, number] for kind, number in sorted(part.agreed.items())],
            "doubted": part.doubted,
            "seconds": part.seconds,
            "stockfish": part.stockfish,
            "hashes": part.hashes,
        }
    )


def read_part(line: str) -> AuditPart:
    keys = json.loads(line)
    right, agreed = (
        Counter({(game, plies): number for game, plies, number in keys[name]}) for name in ("right", "agreed")
    )
    tally = ChessRulesTally(keys["positions"], right, keys["wrong"], Counter(keys["fired"]))
    return AuditPart(
        keys["part"],
        keys["source"],
        tally,
        agreed,
        keys["doubted"],
        keys["hashes"],
        keys["seconds"],
        keys["stockfish"],
    )


def done_before(work: Path, heading: dict[str, Any]) -> dict[int, AuditPart]:
    """Return the parts in a work file, by number.

    A truncated line is ignored.

    Raise ValueError if they belong to another run.
    """
    if not work.exists() or not work.stat().st_size:
        work.write_text(json.dumps(heading) + "\n", encoding="utf-8")
        return {}
    first, *lines = work.read_text(encoding="utf-8").splitlines(keepends=True)
    if first != json.dumps(heading) + "\n":
        raise ValueError(f"{work} is of other rules, another theory, seed or version: name another file")
    whole = [line for line in lines if line.endswith("\n")]
    if len(whole) < len(lines):
        work.write_text("".join((first, *whole)), encoding="utf-8")
    return {part.number: part for part in map(read_part, whole)}
