"""Comparison of the theory of chess with the library `chess`: legal moves, attacks, and facts after a move.

Positions come from random games; some continue from positions with few men. In each, all attacks and legal
moves of *either* side that the theory derives must equal those of the library. Then some legal moves of
either side and an illegal one are tried. No fact derived after a move may be false (`false` stays empty), and
as many true facts as possible should be derived (`missing` counts the others by relation and kind of move).
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

import chess

from hornbook.kb.ast.terms import Tense
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.frames import breaches
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.matcher.program.coded import Fact
from hornbook.theories.chess import adapter
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.position import KINDS, NAMES
from oracles.sums import Sums

Values = tuple[str | int, ...]
Cells = tuple[int, ...]
Truth = dict[str, set[Values]]

GIVEN = ("at", "king", "castling", "en_passant", "to_move", "men")
JUDGED = (
    "man", "clear", "attacks", "attacked", "unattacked", "check", "calm", "only", "legal", "promotable",
    "illegal",
    "mated", "stalemated",
)  # fmt: skip
"""Derived relations for which the library gives all true facts."""
RELATIONS = (*GIVEN, *JUDGED)
DONE = (
    "moved", "went", "stepped", "castled", "leaves", "sealed", "caught", "compelled", "owner", "checked",
    "take is",
    "trod", "pushed", "strode", "crown is", "untakeable",
)  # fmt: skip
"""Conclusions about moves, which hold in no position or are judged elsewhere: see
`oracles/chess/rules_run.py`.
"""
WORDS = (*NAMES, "none", "empty", "kept", "lost", "open", "shut", *KINDS.values())
SIDES = {"white": chess.WHITE, "black": chess.BLACK}
PERFT = {
    "start": (chess.STARTING_FEN, (20, 400, 8902)),
    "Kiwipete": (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", (48, 2039, 97862)
    ),
    "position 3": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2812)),
    "position 4": (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", (6, 264, 9467)
    ),
    "position 5": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1486, 62379)),
    "position 6": (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", (46, 2079, 89890)
    ),
}  # fmt: skip
"""Published positions with their numbers of lines of one, two and three moves."""
STARTS = (
    chess.STARTING_FEN,
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/2p3p1/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/1k6/8/3q4/8/2N1B3/1K2P3/8 w - - 0 1",
    "3k4/8/8/8/8/8/4P3/3K4 w - - 0 1",
)
"""Initial positions of games, chosen to make all kinds of moves frequent."""


LINES: list[tuple[int, Values]] = [
    (chess.between(a, b), (NAMES[a], NAMES[b]))
    for a in chess.SQUARES
    for b in chess.SQUARES
    if a != b and chess.ray(a, b)
]
"""The squares between two squares of a line, which must be empty."""
NEIGHBOURS: set[Values] = {
    (NAMES[a], NAMES[b]) for a in chess.SQUARES for b in chess.SQUARES if chess.square_distance(a, b) == 1
}


class Bases(NamedTuple):
    """Two knowledge bases with the facts of the board and no position: for positions with a move, and
    without.
    """

    base: KnowledgeBase
    twin: KnowledgeBase


def bases(theory: Theory | str) -> Bases:
    found = Bases(KnowledgeBase(theory, derivations="none"), KnowledgeBase(theory, derivations="none"))
    for base in found:
        base.add(adapter.board())
        base.push()
        base.add(adapter.position_facts(parse_fen(chess.STARTING_FEN)))
        base.pop()
    # Equal words have equal codes in both.
    one, other = (base.engine.coding.cell for base in found)
    assert all(one(name, "word") == other(name, "word") for name in WORDS)
    return found


@dataclass
class ChessTheoryTally(Sums):
    """The results of a run."""

    positions: int = 0
    concluded: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    true: Counter[str] = field(default_factory=Counter)
    missing: Counter[tuple[str, str]] = field(default_factory=Counter)
    """True after-facts that were not derived, by relation and kind of move."""
    false: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """False statements about the position itself, and true ones that are missing."""
    not_framed: list[str] = field(default_factory=list)
    before: float = 0.0
    after: float = 0.0
    """Processor seconds for the positions and for the moves."""


def run(bases: Bases, seed: str, positions: int, moves: int = 3) -> ChessTheoryTally:
    """Try `positions` positions. The bases are unchanged afterwards."""
    random, tally = Random(seed), ChessTheoryTally()
    while tally.positions < positions:
        for board in game(random):
            if tally.positions < positions:
                try_position(bases, board, random, tally, moves)
    return tally


def lines(bases: Bases, board: chess.Board, depth: int, wrong: list[str]) -> int:
    """Return the number of lines of `depth` legal moves that the theory derives.

    Add its errors to `wrong`.
    """
    base = bases.base
    base.push()
    base.add(adapter.position_facts(parse_fen(board.fen(en_passant="fen"))))
    side = next(name for name, colour in SIDES.items() if colour == board.turn)
    found = {
        (*fact.values[1:], kind)
        for relation, kinds in (("legal", ("",)), ("promotable", "qrbn"))
        for fact in base.facts(relation, "before")
        if fact.values[0] == side
        for kind in kinds
    }
    base.pop()
    names = {f"{start}{to}{kind}" for start, to, kind in found}
    if names != {move.uci() for move in board.legal_moves}:
        wrong.append(board.fen())
    if depth == 1:
        return len(names)
    number = 0
    for move in list(board.legal_moves):
        board.push(move)
        number += lines(bases, board, depth - 1, wrong)
        board.pop()
    return number


def game(random: Random) -> Iterator[chess.Board]:
    """Yield some positions of a random game; positions with rare kinds of legal moves are preferred."""
    board = chess.Board(random.choice(STARTS))
    for _ in range(random.randrange(1, 120)):
        legal = list(board.legal_moves)
        rare = any(board.is_en_passant(m) or board.is_castling(m) or m.promotion for m in legal)
        if not legal or board.is_check() or random.random() < (1 / 5 if rare else 1 / 12):
            yield board.copy(stack=False)
        if not legal:
            return
        board.push(random.choice(legal))


def try_position(
    bases: Bases, board: chess.Board, random: Random, tally: ChessTheoryTally, moves: int
) -> None:
    base = bases.base
    tally.positions += 1
    given = list(adapter.position_facts(parse_fen(board.fen(en_passant="fen"))))
    base.push()
    began = time.process_time()
    base.add(given)
    tally.before += time.process_time() - began
    true = truth(board)
    for relation in JUDGED:
        different = rows(base, relation, "before") ^ coded(base, true[relation])
        tally.wrong += shown(base, relation, different, f"on {board.fen()}")
    mover = board if board.is_check() or random.random() < 2 / 3 else turned(board)
    chosen = [move for move in mover.legal_moves if move.to_square != board.king(not mover.turn)]
    random.shuffle(chosen)
    for move in of_each_kind(mover, chosen)[:moves]:
        after = mover.copy(stack=False)
        after.push(move)
        try_move(bases, (mover, action(move), kind_of(mover, move)), after, tally)
    if random.random() < 1 / 4:
        legal = {(move.from_square, move.to_square) for move in chosen}
        start, to = random.randrange(64), random.randrange(64)
        if (start, to) not in legal:
            unmoved = GroundFact("move", (NAMES[start], NAMES[to]))
            if board.color_at(start) == mover.turn:
                try_move(bases, (mover, unmoved, "illegal"), None, tally)
    base.pop()


def of_each_kind(board: chess.Board, moves: list[chess.Move]) -> list[chess.Move]:
    """Return the moves in another order: one of each kind, a second of each, and so on."""
    places = Counter[str]()
    found = []
    for move in moves:
        kind = kind_of(board, move)
        places[kind] += 1
        found.append((places[kind], move))
    return [move for _, move in sorted(found, key=lambda numbered: numbered[0])]


def try_move(
    bases: Bases,
    case: tuple[chess.Board, GroundFact, str],
    after: chess.Board | None,
    tally: ChessTheoryTally,
) -> None:
    base = bases.base
    board, taken, kind = case
    tally.kinds[kind] += 1
    true: Truth = defaultdict(set, {"clear": NEIGHBOURS})
    given: list[GroundFact] = []
    if after is not None:
        given = list(adapter.position_facts(parse_fen(after.fen(en_passant="fen"))))
        true = truth(after)
        for fact in given:
            true[fact.relation].add(fact.values)
    where = f"after {taken.relation}{taken.values} on {board.fen()}"
    base.push()
    began = time.process_time()
    base.add([taken])
    tally.after += time.process_time() - began
    for relation in RELATIONS:
        derived, expected = rows(base, relation, "after"), coded(base, true[relation])
        tally.concluded += len(derived)
        tally.true[relation] += len(expected)
        tally.missing[relation, kind] += len(expected - derived)
        tally.false += shown(base, relation, derived - expected, where)
    if after is not None:
        tally.not_framed += [f"{breach} {where}" for breach in breaches(base, given)]
        tally.false += _otherwise(bases, given, where)
    base.pop()


def _otherwise(bases: Bases, given: list[GroundFact], where: str) -> list[str]:
    """Return the facts of other relations that are derived after a move but do not hold in that position."""
    others = {s.relation for s in bases.base.relations() if s.tense == "after"} - {*RELATIONS, *DONE}
    bases.twin.push()
    bases.twin.add(given)
    false = []
    for relation in sorted(others):
        more = rows(bases.base, relation, "after") - rows(bases.twin, relation, "before")
        false += shown(bases.base, relation, more, where)
    bases.twin.pop()
    return false


def rows(base: KnowledgeBase, relation: str, tense: Tense) -> set[Cells]:
    """Return all rows of a relation in the engine's encoding; decoding would dominate the running time."""
    return set(raw_engine(base).facts(base.engine.coding.predicate_id(relation, tense)))


def coded(base: KnowledgeBase, values: set[Values]) -> set[Cells]:
    cell = base.engine.coding.cell
    return {
        tuple([cell(value, "integer" if isinstance(value, int) else "word") for value in row])
        for row in values
    }


def shown(base: KnowledgeBase, relation: str, found: set[Cells], where: str) -> list[str]:
    coding = base.engine.coding
    number = coding.predicate_id(relation, "after")
    return sorted(f"{relation}{coding.ground(Fact(number, cells)).values} {where}" for cells in found)


def action(move: chess.Move) -> GroundFact:
    start, to = NAMES[move.from_square], NAMES[move.to_square]
    if move.promotion:
        return GroundFact("promote", (start, to, chess.piece_name(move.promotion)))
    return GroundFact("move", (start, to))


def kind_of(board: chess.Board, move: chess.Move) -> str:
    """Return the kind of a move."""
    if board.is_castling(move):
        return "castling"
    if board.is_en_passant(move):
        return "in passing"
    takes = "takes" if board.is_capture(move) else "goes"
    if move.promotion:
        return f"promotes and {takes}"
    kind = chess.piece_name(board.piece_type_at(move.from_square) or chess.PAWN)
    if kind == "pawn" and abs(move.from_square - move.to_square) == 16:
        return "pawn goes two steps"
    return f"{kind} {takes}"


# True facts


def truth(board: chess.Board) -> Truth:
    """Return all true facts of a position, by relation, according to the library."""
    true: Truth = defaultdict(set)
    true["clear"] = {pair for between, pair in LINES if not between & board.occupied}
    for a in chess.SQUARES:
        _of_square(board, a, true)
    for name, side in SIDES.items():
        _of_side(board if side == board.turn else turned(board), name, true)
    return true


def turned(board: chess.Board) -> chess.Board:
    """Return the position with the other side to move."""
    found = board.copy(stack=False)
    found.turn, found.ep_square = not board.turn, None
    return found


def _of_square(board: chess.Board, place: int, true: Truth) -> None:
    name = NAMES[place]
    true["attacks"] |= {(name, NAMES[other]) for other in board.attacks(place)}
    for side, colour in SIDES.items():
        attackers = board.attackers(colour, place)
        true["attacked" if attackers else "unattacked"].add((side, name))
        if len(attackers) == 1:
            true["only"].add((NAMES[next(iter(attackers))], name))
        if board.color_at(place) == colour:
            true["man"].add((side, name))


def _of_side(board: chess.Board, name: str, true: Truth) -> None:
    king = board.king(board.turn)
    other = board.king(not board.turn)
    assert king is not None
    legal = [move for move in board.legal_moves if move.to_square != other]
    squares = {(NAMES[move.from_square], NAMES[move.to_square]) for move in legal}
    promoting = {(NAMES[move.from_square], NAMES[move.to_square]) for move in legal if move.promotion}
    true["legal"] |= {(name, *move) for move in squares - promoting}
    true["promotable"] |= {(name, *move) for move in promoting}
    for place in chess.SquareSet(board.occupied_co[board.turn]):
        kind = KINDS[chess.piece_symbol(board.piece_type_at(place) or 1)]
        reach = {(NAMES[place], to) for to in adapter._range(name, kind, NAMES[place])}
        true["illegal"] |= {(name, *move) for move in reach - squares}
    checks = board.attackers(not board.turn, king)
    true["check"] |= {(name, NAMES[place]) for place in checks}
    if not checks:
        true["calm"].add((name,))
    if not legal:
        true["mated" if checks else "stalemated"].add((name,))
