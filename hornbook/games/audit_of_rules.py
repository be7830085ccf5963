"""The audit of rules for Go: what they conclude of positions, held against the exhaustive reader.

Positions are boards of random games, or those of problems; of every block on them each conclusion of each rule is
judged, to the depth that the rule's own proof has; that a block is saved has no depth, and is held against all play of a
few moves and some of many. Work is cut into parts that follow from the seed and the part's
number, so the result does not depend on the number of processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from random import Random
from typing import Literal

from hornbook.compiler.match.answering import STILL_WON
from hornbook.compiler.match.position import Matcher
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.reach import friend_moves
from hornbook.kb.ast.terms import Atom, Constant, GameStatement
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.theories.go import question
from hornbook.theories.go.board import PLAYERS, Board, Player
from hornbook.theories.go.problems.games import game, noisy_move, random_move
from hornbook.theories.go.reader import (
    IllegalMoveError,
    TooManyNodes,
    captured_within,
    legal_moves,
    opponent,
    play,
)

PART = 20
"""Positions that one process judges before it reports."""
MOST_NODES = 5_000_000
SIZES = (5, 6, 7, 9)
SAFE = 0
"""The depth under which blocks are counted that are said to be safe."""
ATTACK = 5
"""So many moves of the attacker are all tried on a block that is said to be safe."""
PLIES = 20
"""So many more are tried at random, while its owner plays by the rules."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A conclusion that the reader refutes."""

    board: Board
    rule: str
    said: str


@dataclass(slots=True)
class Tally:
    """What was judged: conclusions by depth in plies, those too hard to judge, and those that are wrong."""

    positions: int = 0
    right: Counter[int] = field(default_factory=Counter)
    undecided: Counter[int] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)
    fired: set[str] = field(default_factory=set)
    stopped: Counter[str] = field(default_factory=Counter)
    """How often which bound was passed while one player's blocks were matched: of these nothing is judged."""

    def add(self, other: Tally) -> None:
        self.positions += other.positions
        self.right += other.right
        self.undecided += other.undecided
        self.wrong += other.wrong
        self.fired |= other.fired
        self.stopped += other.stopped


@dataclass(frozen=True, slots=True)
class Audit:
    """What is audited: a theory's rules, random positions from a seed, and boards besides.

    Of the rule base those in `asked` are audited; on the others proofs may rest. Each match has so many seconds and
    megabytes; the search that judges it has bounds of its own.
    """

    theory: Theory
    rules: RuleBase
    asked: frozenset[str]
    positions: int
    seed: int
    boards: tuple[Board, ...] = ()
    seconds: float | None = None
    megabytes: int | None = None

    def parts(self) -> int:
        return -(-(self.positions + len(self.boards)) // PART)

    def of_part(self, number: int) -> Iterator[Board]:
        """The boards of a part: those given first, then random ones."""
        first = number * PART
        last = min(first + PART, self.positions + len(self.boards))
        yield from self.boards[first:last]
        random = Random(f"{self.seed} {number}")  # noqa: S311 - positions are no secrets
        left = last - max(first, min(last, len(self.boards)))
        while left > 0:
            boards = list(game(random.choice(SIZES), random, random.choice((random_move, noisy_move))))
            for board in random.sample(boards, min(4, left, len(boards))):
                left -= 1
                yield board


class Auditor:
    """The rules of one rule base, ready to be matched and judged."""

    def __init__(self, audit: Audit) -> None:
        theory, base = audit.theory, audit.rules
        self.audit = audit
        self.moves = friend_moves(base)
        self.games = [replies.game.predicate for replies in theory.replies]
        self.budget = Budget(seconds=audit.seconds, megabytes=audit.megabytes)
        self.matcher = Matcher(theory, question.spoken_of, self.budget.limits)
        for entry in base:
            if entry.is_certified and entry.rule.name in audit.asked:
                self.matcher.add(entry.rule)

    def part(self, number: int) -> Tally:
        tally = Tally()
        for board in self.audit.of_part(number):
            tally.positions += 1
            for defender in PLAYERS:
                try:
                    with self.budget.bounding():
                        self._judge(board, defender, tally)
                except SpentError as spent:
                    tally.stopped[str(spent)] += 1
        return tally

    def _judge(self, board: Board, defender: Player, tally: Tally) -> None:
        games = question.games(board, defender, self.games)
        said = self.matcher.said(question.parts(board, defender), games)
        known: dict[tuple[GameStatement, int], bool | None] = {}
        for rule, statement in sorted(said, key=lambda pair: (pair[0], print_condition(pair[1]))):
            moves = self.moves[rule]
            is_safe = statement.game.predicate == "save"
            depth = SAFE if is_safe else 2 * moves - (statement.value != STILL_WON)
            if (statement, moves) not in known:
                judge = self._judged_safe if is_safe else judged
                known[statement, moves] = judge(board, defender, statement, moves)
            verdict = known[statement, moves]
            tally.fired.add(rule)
            if verdict is None:
                tally.undecided[depth] += 1
            elif verdict:
                tally.right[depth] += 1
            else:
                tally.wrong.append(Wrong(board, rule, print_condition(said_plainly(statement))))

    def _judged_safe(self, board: Board, owner: Player, statement: GameStatement, moves: int) -> bool | None:
        """Whether nothing takes a block that a rule saves: neither all play of a few moves, nor some of many."""
        target = _point(board, statement.game.terms[0])
        after = board
        try:
            if statement.by is not None:
                passes = statement.by.predicate == "pass"
                after = play(board, owner, None if passes else _point(board, statement.by.terms[-1]))
            if captured_within(after, target, ATTACK, nodes=MOST_NODES):
                return False
        except IllegalMoveError:
            return False
        except TooManyNodes:
            return None
        return outlasts(after, target, self._saving_move, Random(print_condition(statement)))  # noqa: S311

    def _saving_move(self, board: Board, target: int) -> int | Literal["nothing"] | None:
        """What the rules play to save a block, None for a pass; that nothing is said is said by a word."""
        owner = board.colours[target]
        parts, game = question.parts(board, owner), Atom("save", (Constant(board.name(target)),))
        said = {statement for _, statement in self.matcher.said(parts, [game])}
        said = {s for s in said if s.game.terms == game.terms}
        moves = sorted((s.by for s in said if s.by is not None), key=str)
        # Where it is saved though the attacker plays first, he may be left to play again.
        if any(by.predicate == "pass" for by in moves) or any(s.value == STILL_WON for s in said):
            return None
        return _point(board, moves[0].terms[-1]) if moves else "nothing"


Saving = Callable[[Board, int], "int | Literal['nothing'] | None"]


def outlasts(board: Board, target: int, saving: Saving, random: Random) -> bool:
    """Whether a block is there after long play, where the attacker plays anything and the owner what saves it."""
    owner = board.colours[target]
    assert owner != "empty"
    for _ in range(PLIES):
        points = [*legal_moves(board, opponent(owner))]
        board = play(board, opponent(owner), random.choice(points) if points else None)
        if board.colours[target] != owner:
            return False
        move = saving(board, target)
        if move == "nothing":
            return False
        board = play(board, owner, move)
    return True


def said_plainly(statement: GameStatement) -> GameStatement:
    """The statement without the moment that it is of."""
    return replace(statement, game=replace(statement.game, tense=None))


def judged(board: Board, defender: Player, statement: GameStatement, moves: int) -> bool | None:
    """Whether so many moves of the attacker do what a rule says; None where that is too hard to find out."""
    target = _point(board, statement.game.terms[0])
    try:
        if statement.value == STILL_WON:
            return captured_within(board, target, moves, first=defender, nodes=MOST_NODES)
        if statement.by is None:
            return captured_within(board, target, moves, nodes=MOST_NODES)
        after = play(board, opponent(defender), _point(board, statement.by.terms[-1]))
        if after.colours[target] == "empty":
            return True
        return moves > 1 and captured_within(after, target, moves - 1, first=defender, nodes=MOST_NODES)
    except IllegalMoveError:
        return False
    except TooManyNodes:
        return None


def _point(board: Board, term: object) -> int:
    assert isinstance(term, Constant)
    return board.point(str(term.value))


_auditors: list[Auditor] = []
"""The one of this process, where several share the work."""


def _begin(audit: Audit) -> None:
    _auditors.append(Auditor(audit))


def _part(number: int) -> Tally:
    return _auditors[0].part(number)


def audited(audit: Audit, jobs: int = 1) -> Iterator[Tally]:
    """What each part came to, in order."""
    numbers: Sequence[int] = range(audit.parts())
    if jobs == 1:
        yield from map(Auditor(audit).part, numbers)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (audit,)) as pool:
        yield from pool.map(_part, numbers)
