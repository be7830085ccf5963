"""Checkers four times: by the theory, by plain play, by the native step, and captures as the book of rules has them, where captured
pieces stay on the board until the move ends. In each position the legal moves, the end and the outcome are compared, and the
position after each move; by the theory, after one action of each position.

Of the theory everything is compared that its rules conclude after the action: it must be what they conclude of the next position
by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, product
from random import Random

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load
from hornbook.play.native import native_of
from hornbook.theories.checkers import adapter
from hornbook.theories.checkers.domain import DOMAIN
from hornbook.theories.checkers.states import rules
from hornbook.theories.checkers.states.position import (
    EMPTY,
    MEN,
    SQUARES,
    Player,
    Position,
    last_row,
    owner,
    place,
    row_and_column,
    start,
)

FLUENTS = ("piece", "holds", "empty", "pieces", "to_move", "going")
CONCLUDED = (
    "may_step",
    "may_jump",
    "lost",
    "leap",
    "no_leap",
    "settled",
    "calm",
    "walk",
    "no_walk",
    "rooted",
)
"""What rules conclude of any position, after an action as before it."""
Facts = frozenset[tuple[str | int, ...]]
LONGEST = 150


@dataclass(slots=True)
class Tally:
    """What was compared, and what is different, in words."""

    positions: int = 0
    moves: int = 0
    captures: int = 0
    ends: int = 0
    actions: int = 0
    concluded: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.positions += other.positions
        self.moves += other.moves
        self.captures += other.captures
        self.ends += other.ends
        self.actions += other.actions
        self.concluded += other.concluded
        self.wrong += other.wrong


def played(random: Random) -> Iterator[Position]:
    """The positions of one random game, those within captures too."""
    state = start()
    for _ in range(LONGEST):
        yield state
        found = list(DOMAIN.actions(state))
        if not found:
            return
        state = DOMAIN.after(state, random.choice(found))


def strewn(random: Random) -> Position:
    """A position with pieces on squares at random, so with more kings and captures than games have."""
    number = random.randint(2, 20)
    cells = [EMPTY] * SQUARES
    for at in random.sample(range(SQUARES), number):
        piece = random.choice("bBwW")
        cells[at] = piece
    for side in ("bB", "wW"):
        held = [at for at, cell in enumerate(cells) if cell in side]
        for at in held[12:]:
            cells[at] = EMPTY
    return _crowned(random.choice(("black", "white")), cells)


def endings(black: int, white: int) -> Iterator[Position]:
    """Every position with so many pieces of each side, men and kings, whoever is to move."""
    for blacks in combinations(range(SQUARES), black):
        rest = [at for at in range(SQUARES) if at not in blacks]
        for whites in combinations(rest, white):
            for kinds in product(*(["bB"] * black + ["wW"] * white)):
                cells = [EMPTY] * SQUARES
                for at, kind in zip((*blacks, *whites), kinds, strict=True):
                    cells[at] = kind
                for player in ("black", "white"):
                    position = Position(player, "".join(cells))
                    if position == _crowned(player, cells):
                        yield position


def _crowned(player: Player, cells: list[str]) -> Position:
    """The position, with kings where men cannot stand."""
    kings = {at: MEN[side] for side in MEN for at in last_row(side)}
    return Position(player, "".join(c.upper() if kings.get(at) == c else c for at, c in enumerate(cells)))


def captures_by_the_book(position: Position) -> Iterator[tuple[tuple[int, ...], str]]:
    """The captures of a turn as squares, with the board after each: no piece is jumped twice, and all captured leave at the end."""
    from_ = rules.held(position, position.to_move) if position.going is None else [position.going]
    for at in from_:
        yield from _captures(position, position.cells[at], (at,), frozenset())


def _captures(
    position: Position, piece: str, path: tuple[int, ...], taken: frozenset[int]
) -> Iterator[tuple[tuple[int, ...], str]]:
    row, column = row_and_column(path[-1])
    ways = {"b": (1,), "w": (-1,)}.get(piece, (-1, 1))
    ended = True
    for down, right in product(ways, (-1, 1)):
        over, to = place(row + down, column + right), place(row + 2 * down, column + 2 * right)
        if over is None or to is None or over in taken:
            continue
        free = position.cells[to] == EMPTY or to == path[0]
        if not free or owner(position.cells[over]) != position.opponent:
            continue
        ended = False
        if piece in "bw" and to in last_row(position.to_move):
            yield (*path, to), _removed(position, piece.upper(), (*path, to), taken | {over})
        else:
            yield from _captures(position, piece, (*path, to), taken | {over})
    if ended and taken:
        yield path, _removed(position, piece, path, taken)


def _removed(position: Position, piece: str, path: tuple[int, ...], taken: frozenset[int]) -> str:
    cells = list(position.cells)
    for at in (path[0], *taken):
        cells[at] = EMPTY
    cells[path[-1]] = piece
    return "".join(cells)


def compare_native(states: Iterable[Position], tally: Tally) -> None:
    """Plain play, the native step, and captures by the book."""
    native = native_of(DOMAIN)
    for state in states:
        tally.positions += 1
        bits = native.State(DOMAIN.write(state))
        turns = dict(DOMAIN.turns(state))
        tally.moves += len(turns)
        captures = {path: after.cells for path, after in rules.turns(state) if rules.jumps(state)}
        tally.captures += len(captures)
        _expect(tally, state, "captures", captures, dict(captures_by_the_book(state)))
        _expect(tally, state, "written", str(bits), DOMAIN.write(state))
        _expect(tally, state, "to move", bits.to_move, ("black", "white").index(state.to_move))
        listed = bits.moves()
        _expect(tally, state, "moves", sorted(listed), sorted(turns))
        _expect(tally, state, "counted", bits.perft(1), max(1, len(turns)))
        _expect(tally, state, "over", bits.is_over, not turns)
        if not turns:
            tally.ends += 1
            _expect(tally, state, "outcome", bits.outcome, -1 if state.to_move == "black" else 1)
        for move in sorted(turns.keys() & set(listed)):
            found = bits.after(move)
            _expect(tally, state, move, str(found), DOMAIN.write(turns[move]))
            _expect(tally, state, f"{move}, hash", hash(found), hash(native.State(DOMAIN.write(turns[move]))))


class Theory:
    """The theory on the board."""

    def __init__(self) -> None:
        self.base = KnowledgeBase(load("checkers"))
        self.base.add(adapter.board())

    def compare(self, state: Position, random: Random, tally: Tally, *, whole: bool) -> None:
        """A position, and one of its actions; `whole` is with all that rules conclude after it, and not fluents alone."""
        tally.positions += 1
        legal = list(DOMAIN.actions(state))
        base = self.base
        base.push()
        base.add(adapter.position_facts(state))
        said = {
            GroundFact(kind, values)
            for kind in ("step", "jump")
            for values in self._facts(f"may_{kind}", "before")
        }
        tally.moves += len(legal)
        tally.captures += sum(action.relation == "jump" for action in legal)
        _expect(tally, state, "legal", said, set(legal))
        _expect(tally, state, "lost", bool(self._facts("lost", "before")), not legal)
        if legal:
            action = random.choice(legal)
            base.add([action])
            tally.actions += 1
            self._compare_after(state, action, tally, whole=whole)
        else:
            tally.ends += 1
        base.pop()

    def _compare_after(self, state: Position, action: GroundFact, tally: Tally, *, whole: bool) -> None:
        then = DOMAIN.after(state, action)
        follows = tuple(adapter.position_facts(then))
        for name in FLUENTS:
            found = self._facts(name, "after")
            tally.concluded[name] += len(found)
            true = frozenset(fact.values for fact in follows if fact.relation == name)
            _expect(tally, state, f"{action}: {name}", found, true)
        if not whole:
            return
        concluded = {name: self._facts(name, "after") for name in CONCLUDED}
        self.base.push()
        self.base.retract([action, *adapter.position_facts(state)])
        self.base.add(follows)
        for name, found in concluded.items():
            tally.concluded[name] += len(found)
            _expect(tally, state, f"{action}: {name}", found, self._facts(name, "before"))
        self.base.pop()

    def _facts(self, name: str, moment: str) -> Facts:
        return frozenset(fact.values for fact in self.base.facts(name, moment))


def _expect(tally: Tally, state: Position, what: str, found: object, expected: object) -> None:
    if found != expected:
        tally.wrong.append(f"{DOMAIN.write(state)}: {what}: {found}, not {expected}")
