"""Matches of UCT on sheets in GDL against the UCT of OpenSpiel, which has its own C++ code of the same games.

Both players have the same processor time for each move, one thread, and no time to think for the opponent. A
search gets the number of random games that its last search would have played in that time. OpenSpiel's
player has the settings of its example program: `uct_c` 2, one random game for each evaluation, and the
solver. It forgets its tree after each move. Games begin with `--random` random moves, and each beginning is
played with both sides. In every state, the legal moves of the sheet must be those of OpenSpiel.

Before the matches, it measures random games of UCT per second on the first state: of one thread, in processor
time, and of two threads, by the clock.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any, Protocol

import numpy as np
import pyspiel

from benchmarks.study import Study, options
from hornbook.planner import _core
from hornbook.planner.gdl.game import Game
from hornbook.planner.machines.choice import machine_of
from hornbook.planner.machines.machine import GameMachine
from oracles.gdl.open_spiel_games import CONTESTS, Contest, joint_of, legal_in

MEGABYTES = 256
MANY = 2**62
FIRST_GAMES = 500
"""The number of random games of a player's first search, whose result does not count."""


class Speed:
    """The number of random games for a time, by the speed of the last search."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._rate = seconds, 0.0
        self.games, self.spent, self.moves = 0, 0.0, 0

    def measured(self, search: Callable[[int], tuple[int, int]]) -> int:
        """Call a search with a number of games, and return its move.

        The search returns the move and the number of games played. A search that needs little time ended
        with a proof, so it says nothing about the speed.
        """
        if not self._rate:
            began = time.process_time()
            search(FIRST_GAMES)
            self._rate = FIRST_GAMES / (time.process_time() - began)
        began = time.process_time()
        move, games = search(max(10, round(self._rate * self._seconds)))
        spent = time.process_time() - began
        self.moves += 1
        if spent > self._seconds / 4:
            self.games, self.spent = self.games + games, self.spent + spent
            self._rate = games / spent
        return move

    def __str__(self) -> str:
        return (
            f"{1000 * self.spent / self.moves:.1f} ms for each move, {self.games / self.spent:,.0f} games/s"
        )


class Side(Protocol):
    def choose(self, state: Any, words: list[int], legal: dict[int, int]) -> int:
        """Return OpenSpiel's number of a move. `legal` has it for each number of the sheet."""


class HornbookSide:
    def __init__(self, machine: GameMachine, speed: Speed, seed: int, *, rave: bool) -> None:
        self._search = _core.TreeSearch(machine.core, rave=rave, seed=seed, megabytes=MEGABYTES)
        self._speed = speed

    def choose(self, state: Any, words: list[int], legal: dict[int, int]) -> int:
        def search(games: int) -> tuple[int, int]:
            found = self._search.run(words, state.current_player(), seconds=1e9, playouts=games, threads=1)
            return found.move, found.playouts

        return legal[self._speed.measured(search)]


class OpenSpielSide:
    def __init__(self, game: Any, speed: Speed, seed: int) -> None:
        self._game, self._speed, self._seed = game, speed, seed

    def choose(self, state: Any, words: list[int], legal: dict[int, int]) -> int:
        def search(games: int) -> tuple[int, int]:
            self._seed += 1
            evaluator = pyspiel.RandomRolloutEvaluator(1, self._seed)
            bot = pyspiel.MCTSBot(self._game, evaluator, 2.0, games, MEGABYTES, True, self._seed, False)
            return bot.step(state), games

        return self._speed.measured(search)


def played(
    contest: Contest, machine: GameMachine, sides: tuple[Side, Side], opening: str, plies: int
) -> float:
    """Return the result of the first side in OpenSpiel's game, from -1 to 1."""
    random = Random(opening)
    state, words = pyspiel.load_game(contest.name).new_initial_state(), machine.core.initial()
    while not state.is_terminal():
        player = state.current_player()
        legal = legal_in(contest, machine, state)
        machine.core.look(words)
        assert sorted(legal) == machine.core.legal(player)
        assert not machine.core.terminal()
        if state.move_number() < plies:
            action = random.choice(state.legal_actions())
        else:
            action = sides[player].choose(state, words, legal)
        machine.core.look(words)
        words = machine.core.next(joint_of(machine, player, legal, action))
        state.apply_action(action)
    machine.core.look(words)
    assert machine.core.terminal()
    result = state.returns()[0]
    assert machine.core.goal(0) == 50 + 50 * np.sign(result)
    return float(np.sign(result))


def match(contest: Contest, games: int, seed: int, seconds: float, plies: int, *, rave: bool) -> str:
    machine, game = machine_of(Game(contest.sheet)), pyspiel.load_game(contest.name)
    own, other = Speed(seconds), Speed(seconds)
    points = [0, 0, 0]  # won, drawn and lost
    for number in range(games):
        sides: tuple[Side, Side] = (
            HornbookSide(machine, own, seed + number, rave=rave),
            OpenSpielSide(game, other, 1000 * (seed + number)),
        )
        first = number % 2 == 0
        order = sides if first else (sides[1], sides[0])
        worth = played(contest, machine, order, f"{seed} {number // 2}", plies)
        points[1 - round(worth if first else -worth)] += 1
        print(contest.name, number + 1, points, file=sys.stderr, flush=True)
    won, drawn, lost = points
    share = (won + drawn / 2) / games
    margin = 1.96 * (((won + drawn / 4) / games - share**2) / games) ** 0.5
    result = (
        f"{contest.name}: {100 * share:.1f} % ± {100 * margin:.1f} of {games} games "
        f"({won} won, {drawn} drawn, {lost} lost)"
    )
    return "\n".join([result, f"  UCT on the sheet: {own}", f"  OpenSpiel: {other}"])


def speed_of(contest: Contest, seed: int, *, rave: bool) -> str:
    machine = machine_of(Game(contest.sheet))
    rates = []
    for threads, clock in ((1, time.process_time), (2, time.perf_counter)):
        search = _core.TreeSearch(machine.core, rave=rave, seed=seed, megabytes=4 * MEGABYTES)
        began = clock()
        found = search.run(machine.core.initial(), 0, seconds=3, playouts=MANY, threads=threads)
        rates.append(found.playouts / (clock() - began))
    return f"{contest.name:<14}{rates[0]:>12,.0f}{rates[1]:>12,.0f}"


def main() -> int:
    parser = options(__doc__, games=200, milliseconds=50.0, random=2, seed=1)
    parser.add_argument("--contest", choices=[each.name for each in CONTESTS])
    parser.add_argument("--rave", action="store_true")
    given = parser.parse_args()
    study = Study(__file__, given)
    contests = [each for each in CONTESTS if given.contest in (None, each.name)]
    body = [f"{'games/s':<14}{'one, cpu':>12}{'two, clock':>12}"]
    body += [speed_of(each, given.seed, rave=given.rave) for each in contests]
    for each in contests:
        found = match(each, given.games, given.seed, given.milliseconds / 1000, given.random, rave=given.rave)
        body += ["", found]
        study.write("\n".join([*body, ""]), [f"OpenSpiel {pyspiel.__version__}"])
    return study.finish("\n".join([*body, ""]), [], [f"OpenSpiel {pyspiel.__version__}"])


if __name__ == "__main__":
    sys.exit(main())
