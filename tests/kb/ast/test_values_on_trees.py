"""Tests that the values concluded for explicit games are right for every choice of their hidden parts.

A random game is solved twice. The first solution uses the values of its parts, with I for hidden parts. The
second one is exact: it plays the game with every hidden part replaced by every kind of game. All exact
solutions must agree with every value that the first solution states. If no move is hidden, the first solution
must also state every value that all exact solutions share.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product

import pytest

from hornbook.kb.ast.values import (
    Side,
    Value,
    combine,
    common,
    fall,
    of_moves,
    of_one_move,
    regress,
    rise,
    says_no_more,
)


@dataclass(frozen=True, slots=True)
class Game:
    """A decided game, a hidden game, or a game with moves; `more` means that some moves are unknown."""

    decided: Value | None = None
    friend: tuple[Game, ...] = ()
    opponent: tuple[Game, ...] = ()
    hidden: bool = False
    more: bool = False

    def moves(self, side: Side) -> tuple[Game, ...]:
        return self.friend if side == "friend" else self.opponent


WON, LOST = Game(Value("G")), Game(Value("P"))
FUZZY, ZERO = Game(None, (WON,), (LOST,)), Game(None, (LOST,), (WON,))
KINDS = (WON, LOST, FUZZY, ZERO)
"""One game of each of Conway's outcome classes."""
OTHER: dict[Side, Side] = {"friend": "opponent", "opponent": "friend"}


# Exact solution by playing


def wins(game: Game, mover: Side) -> bool:
    """Return whether the friend wins if the sides alternate."""
    if game.decided is not None:
        return game.decided == "G"
    outcomes = [wins(after, OTHER[mover]) for after in game.moves(mover)]
    return any(outcomes) if mover == "friend" else all(outcomes)


def wins_in_order(game: Game, order: Sequence[Side]) -> bool:
    """Return whether the friend wins if these sides move first and the sides alternate after that."""
    if game.decided is not None:
        return game.decided == "G"
    first, rest = order[0], order[1:]
    outcomes = [
        wins_in_order(after, rest) if rest else wins(after, OTHER[first]) for after in game.moves(first)
    ]
    return any(outcomes) if first == "friend" else all(outcomes)


def exact(game: Game, plies: int) -> Value:
    sides: tuple[Side, Side] = ("friend", "opponent")
    orders = product(sides, repeat=plies)
    return Value("".join("G" if wins_in_order(game, order) else "P" for order in orders))


def completions(game: Game) -> Iterator[Game]:
    """Yield the game with every hidden part and every unknown move replaced by every kind of game."""
    if game.hidden:
        yield from KINDS
    elif game.decided is not None:
        yield game
    else:
        unknown: tuple[Game | None, ...] = (None, *KINDS) if game.more else (None,)
        parts = [[*completions(part)] for part in (*game.friend, *game.opponent)]
        for chosen in product(*parts, unknown, unknown):
            friend, opponent = chosen[: len(game.friend)], chosen[len(game.friend) : -2]
            yield Game(
                None,
                tuple(m for m in (*friend, chosen[-2]) if m is not None),
                tuple(m for m in (*opponent, chosen[-1]) if m is not None),
            )


# Solution from the values of the parts


def concluded(game: Game) -> Value:
    """Return the value of J1 of a game."""
    if game.hidden:
        return Value("II")
    if game.decided is not None:
        return rise(game.decided)
    return fall(concluded_two(game))


def concluded_two(game: Game) -> Value:
    """Return the value of J2 of a game with moves."""
    halves: list[Value] = []
    for side in OTHER:
        halves.append(of_moves(map(concluded, game.moves(side)), side, complete=not game.more))
    return combine(*halves)


# Random games


def random_game(dice: random.Random, depth: int) -> Game:
    if depth == 0 or dice.random() < 0.15:
        return dice.choice((WON, LOST))
    return Game(
        None,
        tuple(random_game(dice, depth - 1) for _ in range(dice.randint(1, 2))),
        tuple(random_game(dice, depth - 1) for _ in range(dice.randint(1, 2))),
    )


def hide(game: Game, dice: random.Random, budget: list[int], more: bool) -> Game:
    """Hide some parts and mark some lists of moves as incomplete until the budget is used up."""
    if budget[0] > 0 and dice.random() < 0.25:
        budget[0] -= 1
        return Game(hidden=True)
    if game.decided is not None:
        return game
    some = more and budget[0] > 1 and dice.random() < 0.2
    budget[0] -= 2 * some
    return replace(
        game,
        friend=tuple(hide(part, dice, budget, more) for part in game.friend),
        opponent=tuple(hide(part, dice, budget, more) for part in game.opponent),
        more=some,
    )


def games(seed: int, count: int, *, more: bool) -> Iterator[Game]:
    """Yield games that have moves, with up to four hidden parts or moves."""
    dice = random.Random(seed)
    given = 0
    while given < count:
        game = hide(random_game(dice, 3), dice, [dice.randint(0, 4)], more)
        if game.friend:
            given += 1
            yield game


def test_the_kinds_are_the_four_outcome_classes():
    assert [exact(game, 1) for game in KINDS] == ["GG", "PP", "GP", "PG"]
    # In J2 too, every component takes both values. So a hidden game can have any value.
    assert all({exact(game, 2)[i] for game in KINDS} == {"G", "P"} for i in range(4))


@pytest.mark.parametrize("seed", range(4))
def test_what_is_concluded_is_right_for_all_completions(seed):
    output = 0
    for game in games(seed, 60, more=True):
        one, two = concluded(game), concluded_two(game)
        output += sum(letter != "I" for letter in two)
        for full in completions(game):
            assert says_no_more(one, exact(full, 1)), game
            assert says_no_more(two, exact(full, 2)), game
    assert output > 40


@pytest.mark.parametrize("seed", range(4))
def test_what_is_right_for_all_completions_is_concluded(seed):
    for game in games(seed, 60, more=False):
        ones = [exact(full, 1) for full in completions(game)]
        assert concluded(game) == reduce(common, ones), game


def test_what_one_move_achieves_is_right_of_the_game_before_it():
    checked = 0
    for game in games(7, 80, more=True):
        sides: tuple[Side, Side] = ("friend", "opponent")
        pieces = [regress(concluded(after), side) for side in sides for after in game.moves(side)]
        whole = combine(*map(of_one_move, pieces))
        checked += whole != "IIII"
        assert says_no_more(whole, concluded_two(game))
        for full in completions(game):
            assert says_no_more(whole, exact(full, 2)), game
    assert checked > 20


def test_solved_without_hiding_the_value_is_the_exact_one():
    dice = random.Random(3)
    for _ in range(200):
        game = random_game(dice, 4)
        if game.friend:
            assert concluded(game) == exact(game, 1) == fall(exact(game, 2))
            assert concluded_two(game) == exact(game, 2)
