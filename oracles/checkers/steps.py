"""Positions of checkers to compare its theory, its Python play and its native step (oracles/games/steps.py).

The module also generates captures by the rule book: captured pieces stay on the board until the move ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from random import Random

from hornbook.theories.checkers.domain import DOMAIN
from hornbook.theories.checkers.states import rules
from hornbook.theories.checkers.states.position import (
    EMPTY,
    MEN,
    SQUARES,
    CheckersPosition,
    Player,
    last_row,
    owner,
    place,
    row_and_column,
    start,
)
from oracles.games import steps
from oracles.games.steps import StepsTally

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
"""Predicates that rules conclude of any position, both before and after an action."""
LONGEST = 150


def played(random: Random) -> Iterator[CheckersPosition]:
    """Yield the positions of one random game, with those in the middle of captures."""
    state = start()
    for _ in range(LONGEST):
        yield state
        found = list(DOMAIN.actions(state))
        if not found:
            return
        state = DOMAIN.after(state, random.choice(found))


def strewn(random: Random) -> CheckersPosition:
    """Return a position with randomly placed pieces, and with more kings and captures than positions of
    games.
    """
    number = random.randint(2, 20)
    cells = [EMPTY] * SQUARES
    for at in random.sample(range(SQUARES), number):
        piece = random.choice("bBwW")
        cells[at] = piece
    for side in ("bB", "wW"):
        occupied = [at for at, cell in enumerate(cells) if cell in side]
        for at in occupied[12:]:
            cells[at] = EMPTY
    return _crowned(random.choice(("black", "white")), cells)


def endings(black: int, white: int) -> Iterator[CheckersPosition]:
    """Yield every position with the given numbers of men or kings of each side, for each side to move."""
    for blacks in combinations(range(SQUARES), black):
        rest = [at for at in range(SQUARES) if at not in blacks]
        for whites in combinations(rest, white):
            for kinds in product(*(["bB"] * black + ["wW"] * white)):
                cells = [EMPTY] * SQUARES
                for at, kind in zip((*blacks, *whites), kinds, strict=True):
                    cells[at] = kind
                for player in ("black", "white"):
                    position = CheckersPosition(player, "".join(cells))
                    if position == _crowned(player, cells):
                        yield position


def _crowned(player: Player, cells: list[str]) -> CheckersPosition:
    """Return the position with kings on the squares where men cannot stand."""
    kings = {at: MEN[side] for side in MEN for at in last_row(side)}
    return CheckersPosition(
        player, "".join(c.upper() if kings.get(at) == c else c for at, c in enumerate(cells))
    )


def captures_by_the_book(position: CheckersPosition) -> Iterator[tuple[tuple[int, ...], str]]:
    """Yield the captures of a turn as squares, with the board after each.

    No piece is jumped twice, and all captured pieces leave the board at the end.
    """
    from_ = rules.pieces_of(position, position.to_move) if position.going is None else [position.going]
    for at in from_:
        yield from _captures(position, position.cells[at], (at,), frozenset())


def _captures(
    position: CheckersPosition, piece: str, path: tuple[int, ...], taken: frozenset[int]
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


def _removed(position: CheckersPosition, piece: str, path: tuple[int, ...], taken: frozenset[int]) -> str:
    cells = list(position.cells)
    for at in (path[0], *taken):
        cells[at] = EMPTY
    cells[path[-1]] = piece
    return "".join(cells)


def compare_native(states: Iterable[CheckersPosition], tally: StepsTally) -> None:
    """Compare the Python play, the native step, and captures by the rule book."""
    for state in states:
        captures = {path: after.cells for path, after in rules.turns(state) if rules.jumps(state)}
        tally.expect(DOMAIN.write(state), "captures", captures, dict(captures_by_the_book(state)))
        steps.compare_native(DOMAIN, [state], tally, lambda lost: -1 if lost.to_move == "black" else 1)


def theory() -> steps.ComparedTheory:
    return steps.ComparedTheory(
        "checkers", DOMAIN, steps.named(step="may_step", jump="may_jump"), "lost", CONCLUDED
    )
