"""Games that commands play from beginning to end: the native step of a domain, a search, and learned rules.

The module also has the options that select a search and limit its budget for a move.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from hornbook.commands import options
from hornbook.commands.options import option
from hornbook.inputs.native_games import NativeGame, native_game
from hornbook.inputs.opening_store import with_rules
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.native import Native, NoSearchError, require_search
from hornbook.play.thinking.statistics import Statistics, read_statistics
from hornbook.play.whole.thinking import Advice, Guide, SearchArguments, SearchPlayer
from hornbook.terminal.failure import ArgumentError

if TYPE_CHECKING:
    from hornbook.api.learned_rules import LearnedRules
    from hornbook.theories.domain import Domain

GAME = "A game that ships, the theory of one, or a game in GDL: a file in KIF, or one that ships."
"""The help of the argument that names a game."""
SEARCH = "deepening"
"""The default search algorithm."""
USES = ("leaves", "order")
"""The possible uses of rules in a search: as values of leaves, and for the order of moves."""
USE = ("leaves",)
"""The default uses of rules in a search."""
SAMPLED = ("uct", "uct-rave")
"""The searches that evaluate a position by random games."""
BY_STATISTICS = ("mgss", "multi-prob-cut")
"""The searches that need statistics of the game."""
SEARCHES = ("deepening", "ordered-alpha-beta", "alpha-beta", "best-first", *BY_STATISTICS, *SAMPLED)
FIXED_DEPTH = ("ordered-alpha-beta", "alpha-beta")
"""The searches that need a depth."""
PRICE = 0.1
"""The cost of a node for MGSS*, in mean gains of an expansion. It is low, so that more of the budget is used.
"""
Seconds = Annotated[float, option("--seconds", "S", "Seconds of processor time for a move.", min=0.001)]
Nodes = Annotated[int | None, option("--nodes", "N", "The limit of nodes for a move.", min=1)]
Depth = Annotated[int | None, option("--depth", "N", "The limit of the search depth in moves.", min=1)]
SearchName = Annotated[str, option("--algorithm", "NAME", f"The search algorithm: {', '.join(SEARCHES)}.")]

StatisticsFile = Annotated[
    Path | None,
    option(
        "--statistics",
        "FILE",
        f"A file written by `hornbook search statistics`; {' and '.join(BY_STATISTICS)} need it.",
    ),
]


@dataclass(frozen=True, slots=True)
class WholeGame:
    """A playable game of two players or of a single player."""

    played: NativeGame
    """The theory, its domain and its native step."""
    rules: LearnedRules | None
    """The rules of the file, including those that do not guide the search."""
    advice: Advice | None
    """The rule conclusions, for all players of the game. Players should use it one after another, as it
    caches.
    """

    statistics: Statistics | None = None
    """The statistics that some searches need."""

    @property
    def name(self) -> str:
        return self.played.name

    @property
    def domain(self) -> Domain:
        return self.played.domain

    @property
    def native(self) -> Native:
        return self.played.native

    @property
    def has_one_player(self) -> bool:
        """Whether the game has a single player."""
        return self.native.PLAYERS == 1

    def player(
        self, search: str = SEARCH, use: Sequence[str] = USE, *, megabytes: int | None = None
    ) -> SearchPlayer:
        """Return a new player with its own transposition table of at most `megabytes`.

        The player uses the rules, if there are any, in the ways that `use` names (see `USES`).

        Raises BadParameter for an unknown search, or one that does not suit this game.
        """
        if search not in SEARCHES:
            raise ArgumentError(
                f"`{search}` is not a search algorithm; the algorithms are {', '.join(SEARCHES)}",
                "--algorithm",
            )
        try:
            require_search(self.native, search)
        except NoSearchError as problem:
            raise ArgumentError(str(problem), "--algorithm") from None
        by_statistics = search in BY_STATISTICS
        if by_statistics and self.statistics is None:
            raise ArgumentError(
                f"`{search}` needs statistics of the game, which `hornbook search statistics` gathers",
                "--statistics",
            )
        if self.advice is None:
            given = (
                self.statistics.as_given(price=PRICE) if by_statistics and self.statistics is not None else {}
            )
            try:
                return SearchPlayer(self.native, self.native.search(search, given, megabytes=megabytes))
            except ValueError as problem:
                raise ArgumentError(str(problem), "--algorithm") from None
        if by_statistics or search in SAMPLED:
            raise ArgumentError(f"no rules guide `{search}`", "--algorithm")
        used = {each: each in use for each in USES}
        guided = self.native.guided(search, **used, megabytes=megabytes)
        return SearchPlayer(self.native, guided, Guide(guided, self.advice))


@dataclass(frozen=True, slots=True)
class PlayerOptions:
    """The search that plays a game, its rules, and its budget for a move."""

    rules: options.Rules = None
    search: SearchName = SEARCH
    statistics: StatisticsFile = None
    seconds: Seconds = 1.0
    nodes: Nodes = None
    depth: Depth = None

    def game(self, theory: str, *, one_player: bool = False) -> WholeGame:
        return whole_game(theory, self.rules, one_player=one_player, statistics=self.statistics)

    def budget(self) -> SearchArguments:
        return budget_of(self.search, self.seconds, self.nodes, self.depth)


def budget_of(search: str, seconds: float | None, nodes: int | None, depth: int | None) -> SearchArguments:
    """Return the budget of a move; an omitted quantity is unlimited.

    Raises BadParameter if the search needs a depth and none is given.
    """
    if search in FIXED_DEPTH and depth is None:
        raise ArgumentError(f"`{search}` searches to a fixed depth: give the depth", "--depth")
    given = SearchArguments()
    if seconds is not None:
        given["seconds"] = seconds
    if nodes is not None:
        given["nodes"] = nodes
    if depth is not None:
        given["depth"] = depth
    return given


def whole_game(
    theory: str,
    rules: Path | None = None,
    *,
    rank: int | None = None,
    one_player: bool = False,
    statistics: Path | None = None,
) -> WholeGame:
    """Return the game of a theory.

    It is guided by the certified rules of a file, if given, up to the proof rank `rank`. Raises as
    `native_game` and `read_statistics` do.
    """
    played = native_game(theory, one_player=one_player)
    known = (
        None
        if statistics is None or played.native.PLAYERS == 1
        else read_statistics(statistics, played.name, played.native.CONDITIONS)
    )
    if rules is None:
        return WholeGame(played, None, None, known)
    from hornbook.api.learned_rules import LearnedRules  # noqa: PLC0415 - slow to import
    from hornbook.commands.games.whole.advice import RuleAdvice  # noqa: PLC0415 - slow to import
    from hornbook.compiler.match.position import SharedRules  # noqa: PLC0415 - the same
    from hornbook.compiler.match.ready_cache import matching_key  # noqa: PLC0415 - the same

    opened = with_rules(theory, rules)
    learned = LearnedRules(opened.theory, opened.base, names=opened.active)
    guiding = [
        entry
        for entry in learned.base
        if entry.is_certified
        and entry.rule.name in opened.active
        and (rank is None or (entry.certificate is not None and entry.certificate.rank <= rank))
    ]
    if not guiding or not hasattr(played.native, "guided"):
        return WholeGame(played, learned, None, known)
    shared = SharedRules(key=matching_key(guiding, learned.theory))
    advice = RuleAdvice(learned.theory, played.domain, [entry.answering for entry in guiding], shared)
    advice.make_ready(played.native)
    return WholeGame(played, learned, advice, known)
