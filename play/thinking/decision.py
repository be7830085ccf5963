"""A decision: the best move of a search within a budget, its cost, and the reason for stopping."""

from __future__ import annotations

from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.native import Native, NativeState, NoSearchError, require_search
from hornbook.play.thinking.proved import AFTER, Proofs, known
from hornbook.play.thinking.statistics import Statistics


@dataclass(frozen=True, slots=True)
class Algorithm:
    """The requirements of a search."""

    says: str
    with_statistics: bool = False
    with_limit: bool = False
    """Whether it needs a limit of nodes or seconds; other searches may have only a depth limit."""

    with_rules: bool = True
    """Whether it uses conclusions of rules."""

    plies: int = 1
    """The number of plies of the error statistics that it uses, if any."""


ALGORITHMS = {
    "alpha-beta": Algorithm("alpha-beta to a depth, moves as they are listed", with_rules=False),
    "ordered-alpha-beta": Algorithm("the same, moves by the evaluations after them", with_rules=False),
    "deepening": Algorithm("alpha-beta by iterative deepening with a table of states"),
    "multi-prob-cut": Algorithm(
        "the same, cut where a shallow search makes a deep one needless (Buro)", True
    ),
    "best-first": Algorithm("best-first minimax (Korf and Chickering)", with_limit=True),
    "mgss": Algorithm(
        "MGSS*: each expansion by its expected worth (Russell and Wefald)", True, with_limit=True, plies=4
    ),
    "uct": Algorithm(
        "UCT: games played to their ends by chance (Kocsis and Szepesvári)", with_limit=True, with_rules=False
    ),
    "uct-rave": Algorithm(
        "UCT with RAVE: moves judged by later ones too (Gelly and Silver)", with_limit=True, with_rules=False
    ),
}
"""Every search by its name."""
DEEPEST = 1000
"""The maximal depth in moves; a game may allow less."""


class BudgetError(HornbookError):
    """A budget or required statistics are missing; the message says which."""


@dataclass(frozen=True, slots=True)
class Spent:
    expansions: int
    evaluations: int
    seconds: float
    """Processor seconds."""

    asked: int = 0
    """The number of states for which rules were queried."""


@dataclass(frozen=True, slots=True)
class SearchStep:
    """One step of a search: an expansion of a stored tree, or a further depth."""

    nodes: int
    """The number of nodes spent in the step."""

    line: tuple[str, ...]
    """The line to the expanded state, or the principal variation at this depth."""

    value: int
    gain: float
    """The expected gain, if steps are weighed."""

    price: float
    """The price that the gain was compared with."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The result of a search."""

    move: str | None
    """None if the game is over, or if nothing was decided within the budget."""

    value: int
    """The expected value for the player to move, in 1 / EVALUATION_UNIT of the game's own unit."""

    spent: Spent
    depth: int
    why: str
    """The reason why the search stopped."""

    line: tuple[str, ...]
    """The principal variation, beginning with this move."""

    steps: tuple[SearchStep, ...] = ()


def decide(
    native: Native,
    position: NativeState,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    depth: int | None = None,
    algorithm: str = "deepening",
    statistics: Statistics | None = None,
    proofs: Proofs | None = None,
    trace: bool = False,
) -> Decision:
    """Return the decision of a search in a position, with its steps if `trace` is set.

    The search stops at the first limit reached: `nodes` (expansions and evaluations together), processor
    `seconds`, or a `depth` in moves. `proofs` bound the values of the states for which they are queried.

    Raises BudgetError if the search does not exist, or if it needs statistics or a limit that was not given.
    """
    requirements = ALGORITHMS.get(algorithm)
    if requirements is None:
        raise BudgetError(f"no search is called `{algorithm}`; there are {', '.join(ALGORITHMS)}")
    if native.PLAYERS != 2:
        raise BudgetError("these searches are for games of two players")
    try:
        require_search(native, algorithm)
    except NoSearchError as problem:
        raise BudgetError(str(problem)) from None
    if requirements.with_statistics and statistics is None:
        raise BudgetError(
            f"`{algorithm}` needs statistics of the game: `hornbook search statistics` gathers them"
        )
    if nodes is None and seconds is None and (requirements.with_limit or depth is None):
        needed = "nodes or seconds" if requirements.with_limit else "nodes, seconds or depth"
        raise BudgetError(f"`{algorithm}` needs a limit of {needed}")
    if algorithm in ("alpha-beta", "ordered-alpha-beta") and depth is None:
        raise BudgetError(f"`{algorithm}` searches to a depth, which is not given; `deepening` needs none")
    if proofs is not None and not requirements.with_rules:
        raise BudgetError(f"`{algorithm}` asks no rules about states")
    given = {} if statistics is None else statistics.as_given(plies=requirements.plies)
    try:
        search = native.search(algorithm, given, None if proofs is None else known(native, proofs), AFTER)
        found = search(position, nodes=nodes, seconds=seconds, depth=depth, trace=trace)
    except ValueError as problem:
        raise BudgetError(str(problem)) from None
    return Decision(
        found["move"],
        found["value"],
        Spent(found["expansions"], found["evaluations"], found["seconds"], found["asked"]),
        found["depth"],
        found["why"],
        tuple(found["line"]),
        tuple(
            SearchStep(spent, tuple(line), value, gain, price)
            for spent, line, value, gain, price in found["steps"]
        ),
    )
