"""Values of searches and proved rules in one table, each against plain search, with equal processor time.

The plain search is alpha-beta by iterative deepening with a table. The first opponent is the matcher alone.
It plays a move that a rule names, preferably a winning one, else the best by looking one move ahead (in Go,
in the rules' view). The next opponents are the same search with rules as leaves, which bound the values of
states or give lost blocks in Go. The last is MGSS*, without and with rules.

Each player has `--seconds` of processor time for a move, including matching; unused or excess time is carried
over to later moves. Openings are played twice, with sides swapped. Every game is stored in `--into` when it
ends, so that an interrupted run continues. The folder `--learned` has the rules of each game,
GAME-rules.horn, from `hornbook learn`; `--game` names games, such as `othello,chess`, and `--row` one player.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isinf
from pathlib import Path
from random import Random
from typing import Any, Unpack

from benchmarks.study import Study, options
from hornbook.api.learned_rules import LearnedRules, read_rules
from hornbook.api.proving import RuleProofs
from hornbook.commands.games.whole.game import WholeGame, whole_game
from hornbook.inputs.opening_store import open_theory
from hornbook.inputs.states import State as Position
from hornbook.kb.ast.terms import WON, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.play.native import Known, NativeState, Search
from hornbook.play.thinking.gathering import gather
from hornbook.play.thinking.proved import AFTER, SelectiveProofs, known
from hornbook.play.thinking.statistics import Statistics, read_statistics, write_statistics
from hornbook.play.tournament.recorded_games import (
    GameRecord,
    append_game,
    openings,
    pairs,
    play_remaining_games,
    read_games,
)
from hornbook.play.tournament.sides import Clocks, TournamentPlayer
from hornbook.play.tournament.strength import elo, strength
from hornbook.play.whole.played import PlayedGame
from hornbook.play.whole.thinking import SearchArguments, SearchPlayer

GAMES = {"othello": (8, 120), "checkers": (4, 200), "chess": (4, 200), "abalone": (6, 200), "go": (4, 160)}
"""Random moves of an opening, and number of moves after which a game is a draw."""
PRICE = 0.1
"""Price of a node, in mean gains of an expansion: low, so that MGSS* uses about all its time."""
BANKED = 10
"""Number of moves over which unused time is spent."""
LEARNED = 10
"""Number of random games for learning where rules apply."""
RANK = 2
"""Maximal rank of such rules that are queried; others cost more than they gain."""
Decide = Callable[[PlayedGame, float], str]
"""Function that returns a move within a limit of processor seconds."""


def counting(known: Known, times: Counter[str]) -> Known:
    """Return the same function, counting its calls, its successes and its time."""

    def ask(state: NativeState) -> tuple[int | None, int | None, str | None]:
        began = time.process_time()
        found = known(state)
        times["microseconds"] += round(1e6 * (time.process_time() - began))
        times["asked"] += 1
        times["said"] += found != (None, None, None)
        return found

    return ask


@dataclass(slots=True)
class Thinker:
    """Player with equal processor time for each move."""

    name: str
    make: Callable[[], Decide]
    seconds: float
    decide: Decide | None = None
    banked: float = 0.0
    took: float = 0.0

    def begin(self, game: PlayedGame) -> None:
        self.decide, self.banked = self.make(), 0.0

    def move(self, game: PlayedGame, clocks: Clocks | None) -> tuple[str, float]:
        assert self.decide is not None
        if len(game.state.moves()) == 1:
            return game.state.moves()[0], 0.0
        began = time.process_time()
        move = self.decide(game, max(self.seconds / 5, self.seconds + self.banked / BANKED))
        took = time.process_time() - began
        self.took += took
        self.banked += self.seconds - took
        return move, took

    @property
    def processor_seconds(self) -> float:
        return self.took

    def close(self) -> None:
        pass


def searching(search: Search, *, weighs: bool = False) -> Decide:
    """Return a player by native search. A search that weighs its steps may take twice the time of a move."""

    def decide(game: PlayedGame, seconds: float) -> str:
        if weighs:
            found = search(game.state, seconds=2 * seconds, share=0.5)
        else:
            found = search(game.state, seconds=seconds)
        return found["move"] or game.state.moves()[0]

    return decide


def guided(player: SearchPlayer, **limits: Unpack[SearchArguments]) -> Decide:
    """Return a player by a whole-game player that rules guide."""
    return lambda game, seconds: player.think(game, SearchArguments(seconds=seconds, **limits)).move


def matching(whole: WholeGame, rules: LearnedRules, counts: Counter[str]) -> Decide:
    """Return a player by rules alone.

    It plays a move that rules conclude for the player to move, preferably a decisive one, else
    the best by one move.
    """
    domain, matcher, theory = whole.domain, rules.matcher(), open_theory(whole.played.name)
    one = whole.native.search("ordered-alpha-beta", {})
    matcher.set(whole.domain.starts()[0])
    matcher.answers()  # prepare the engine

    def decide(game: PlayedGame, seconds: float) -> str:
        text = str(game.state)
        position = domain.position(text)
        matcher.set(Position(theory, "state", position, domain.adapter))
        mover, legal, named = domain.to_move(position), game.state.moves(), []
        for answer in matcher.answers():
            statement = answer.conclusion.statement
            if (
                statement.by is None
                or statement.value != WON
                or domain.friend(position, statement.game) != mover
            ):
                continue
            values = tuple(term.value for term in statement.by.terms if isinstance(term, Constant))
            move = domain.write_move(position, GroundFact(statement.by.predicate, values))
            if move in legal:
                named.append((statement.game.predicate not in domain.decisive, legal.index(move)))
        counts["asked"] += 1
        counts["said"] += bool(named)
        return legal[min(named)[1]] if named else one(game.state, depth=1)["move"] or legal[0]

    return decide


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """Player, with the counts of its queries to rules; a new player of the same kind for each game."""

    name: str
    make: Callable[[], Decide]
    asking: Counter[str] | None = None


def rows(
    whole: WholeGame, rules: LearnedRules | None, guide: WholeGame | None, statistics: Statistics
) -> list[PlayerRow]:
    """Return the available rows for a game."""
    native, given = whole.native, statistics.as_given(price=PRICE)
    found = [PlayerRow("MGSS*", lambda: searching(native.search("mgss", given), weighs=True))]
    if guide is not None and guide.advice is not None:
        found += [
            PlayerRow("rules alone", lambda: guided(guide.player(), depth=1)),
            PlayerRow("rules as leaves", lambda: guided(guide.player())),
        ]
    if rules is None or guide is not None:
        return found
    counted: Counter[str] = Counter()
    matcher = matching(whole, rules, counted)
    found.append(PlayerRow("rules alone", lambda: matcher, counted))
    proofs = RuleProofs(whole.played, rules)
    proofs(native.State(whole.domain.beginnings()[0]))  # prepare the engine
    where = SelectiveProofs(proofs)
    for seed in range(LEARNED):  # where rules apply
        for state in at_random(whole, Random(seed)):
            where(state)
    counters = [Counter[str]() for _ in range(2)]
    leaves, in_mgss = (counting(known(native, where), each) for each in counters)

    def guided_by_leaves() -> Decide:
        return searching(native.search("deepening", {}, leaves, AFTER))

    def weighing() -> Decide:
        return searching(native.search("mgss", given, in_mgss, AFTER), weighs=True)

    return [
        *found,
        PlayerRow("rules as leaves", guided_by_leaves, counters[0]),
        PlayerRow("MGSS* with rules", weighing, counters[1]),
    ]


def at_random(whole: WholeGame, random: Random) -> Iterator[NativeState]:
    """Yield the states of a random game."""
    state = whole.native.State(whole.domain.beginnings()[0])
    for _ in range(GAMES[whole.name][1]):
        if state.is_over:
            return
        yield state
        state = state.after(random.choice(state.moves()))


def statistics_of(whole: WholeGame, path: Path, positions: int, seed: int) -> Statistics:
    """Return the statistics, gathered once."""
    if not path.exists():
        start = whole.domain.beginnings()[0]
        found = gather(whole.native, start, whole.name, positions, seed, depth=4)
        path.write_text(write_statistics(found), encoding="utf-8")
    return read_statistics(path, whole.name, whole.native.CONDITIONS)


def games_of(
    row: PlayerRow, whole: WholeGame, game: str, given: Any
) -> tuple[list[GameRecord], Counter[str]]:
    """Return the games of a row, stored and new ones, and the counts of queries to rules."""
    plies, longest = GAMES[game]
    start = PlayedGame.start(whole.native, whole.domain)
    what = {"game": game, "row": row.name, "seed": given.seed, "seconds": given.seconds, "plies": longest}
    path = given.into / f"{game}-{row.name.replace(' ', '-').replace('*', '')}.jsonl"
    done = read_games(path, what)

    def make() -> tuple[TournamentPlayer, TournamentPlayer]:
        opponent = Thinker("alone", lambda: searching(whole.native.search("deepening", {})), given.seconds)
        return Thinker(row.name, row.make, given.seconds), opponent

    beginnings = openings(start, given.games // 2, plies, given.seed)
    for each in play_remaining_games(start, make, beginnings, given.games, longest, tuple(done)):
        append_game(path, each)
        done.append(each)
        if row.asking is not None:
            counted = counts(path)
            counted.update(row.asking)
            counted["games"] += 1
            path.with_suffix(".asked.json").write_text(json.dumps(counted), encoding="utf-8")
            row.asking.clear()
    return done, counts(path)


def counts(path: Path) -> Counter[str]:
    """Return the counts of queries to rules in the stored games, their games, and their microseconds."""
    stored = path.with_suffix(".asked.json")
    return Counter(json.loads(stored.read_text(encoding="utf-8")) if stored.exists() else {})


def shown(row: PlayerRow, games: Sequence[GameRecord], counted: Counter[str]) -> str:
    means = pairs(games)
    if not means:
        return f"  {row.name:<24}{len(games):>5}  too few games"
    found = strength(means)
    one, other = (sum(game.processor[side] or 0.0 for game in games) for side in (0, 1))
    cells = ""
    if counted:
        cells = f"{counted['asked'] / counted['games']:>8.0f}{counted['said'] / counted['games']:>7.1f}"
        cells += (
            f"{counted['microseconds'] / 1000 / max(1, counted['asked']):>8.1f}"
            if counted["microseconds"]
            else ""
        )
    return (
        f"  {row.name:<24}{len(games):>5}{found.score:>7.3f}{points(found.score):>7}"
        f"{points(found.low) + ' to ' + points(found.high):>16}{one / other:>7.2f}×{cells}"
    )


def points(share: float) -> str:
    found = elo(share) + 0.0
    return ("−∞" if found < 0 else "+∞") if isinf(found) else f"{found:+.0f}".replace("-", "−")


def main() -> int:
    parser = options(__doc__, games=60, seconds=0.02, positions=2_000, seed=1)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--learned", type=Path, required=True)
    parser.add_argument("--game", default=",".join(GAMES))
    parser.add_argument("--row")
    study = Study(__file__, parser.parse_args())
    given = study.given
    lines: list[str] = []
    for game in given.game.split(","):
        whole = whole_game(game)
        statistics = statistics_of(whole, given.into / f"{game}.json", given.positions, given.seed)
        path = given.learned / f"{game}-rules.horn"
        rules, guide = None, None
        if path.exists():
            rules = read_rules(path, open_theory(whole.played.name))
            guide = None if whole.domain.decisive else whole_game(game, path, rank=RANK)
        lines += ["", f"{game}, {0 if rules is None else len(rules.certified):,} rules"]
        print(lines[-1], flush=True)
        for row in rows(whole, rules, guide, statistics):
            if given.row in (None, row.name):
                lines.append(shown(row, *games_of(row, whole, game, given)))
                print(lines[-1], flush=True)
    head = (
        f"  {'against the search alone':<24}{'games':>5}{'score':>7}{'Elo':>7}{'with 95 %':>16}{'CPU':>8}"
        f"{'asked':>8}{'said':>7}{'ms':>8}"
    )
    tail = [
        "",
        (
            "CPU: the row's processor time by that of the search alone, over whole games. Asked: about how "
            "many states rules were asked in a game;"
        ),
        (
            "said: of how many they said something; ms: how long one answer took. What comes before "
            "all games is not counted."
        ),
    ]
    return study.finish("\n".join([head, *lines, *tail]) + "\n")


if __name__ == "__main__":
    sys.exit(main())
