"""A decision: the move that a search of any name finds best within a budget, what it spent, and why it stopped."""

from __future__ import annotations

from dataclasses import dataclass

from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.native import Native, State
from hornbook.play.thinking.proved import AFTER, Proofs, known
from hornbook.play.thinking.statistics import Statistics


@dataclass(frozen=True, slots=True)
class Algorithm:
    """What a search asks for."""

    says: str
    with_statistics: bool = False
    with_limit: bool = False
    """Nodes or seconds; others may be bounded by a depth alone."""

    with_rules: bool = True
    """Whether it asks what rules prove."""

    plies: int = 1
    """After how many the errors are by which it goes, if by any."""


ALGORITHMS = {
    "alpha-beta": Algorithm("alpha-beta to a depth, moves as they are listed", with_rules=False),
    "ordered-alpha-beta": Algorithm("the same, moves by the evaluations after them", with_rules=False),
    "deepening": Algorithm("alpha-beta by iterative deepening with a table of states"),
    "multi-prob-cut": Algorithm(
        "the same, cut where a shallow search makes a deep one needless (Buro)", True
    ),
    "recursive": Algorithm(
        "calls itself as deep as it is worth it (Russell and Wefald)", True, with_limit=True, with_rules=False
    ),
    "iterative-expansion": Algorithm(
        "the same, with limits of nodes", True, with_limit=True, with_rules=False
    ),
    "best-first": Algorithm("best-first minimax (Korf and Chickering)", with_limit=True),
    "bpip": Algorithm("BPIP: the most relevant leaves first (Baum and Smith)", True, with_limit=True),
    "mgss": Algorithm(
        "MGSS*: each expansion by what it is worth (Russell and Wefald)", True, with_limit=True, plies=4
    ),
    "uct": Algorithm(
        "UCT: games played to their ends by chance (Kocsis and Szepesvári)", with_limit=True, with_rules=False
    ),
    "uct-voi": Algorithm(
        "the same, at the root by the value of information (Hay and others)",
        with_limit=True,
        with_rules=False,
    ),
    "uct-rave": Algorithm(
        "UCT with RAVE: moves judged by later ones too (Gelly and Silver)", with_limit=True, with_rules=False
    ),
}
"""Every search by its name."""
DEEPEST = 1000
"""Moves; a game may allow less."""


class BudgetError(HornbookError):
    """A budget, or what a search rests on, is missing; the message says which."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent on one decision: the search stops at the first of these."""

    nodes: int | None = None
    """Expansions and evaluations together."""

    seconds: float | None = None
    """Of the processor."""

    depth: int | None = None
    """Moves."""


@dataclass(frozen=True, slots=True)
class Spent:
    expansions: int
    evaluations: int
    seconds: float
    """Of the processor."""

    asked: int = 0
    """States about which rules were asked."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a search: an expansion of a tree that is kept, or one more depth."""

    nodes: int
    """Spent with it."""

    line: tuple[str, ...]
    """To what was expanded, or that is expected by this depth."""

    value: int
    gain: float
    """That was expected of it, where steps are weighed."""

    price: float
    """What the gain was held against."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a search found."""

    move: str | None
    """None where the game is over, or where nothing was decided within the budget."""

    value: int
    """Expected for who is to move, in 1 / EVALUATION_UNIT of the game's own unit."""

    spent: Spent
    depth: int
    why: str
    """Why the search stopped."""

    line: tuple[str, ...]
    """The moves that are expected, from this one on."""

    steps: tuple[Step, ...] = ()


def decide(
    native: Native,
    position: State,
    budget: Budget,
    *,
    algorithm: str = "deepening",
    statistics: Statistics | None = None,
    proofs: Proofs | None = None,
    only: bool = False,
    trace: bool = False,
) -> Decision:
    """The decision of a search about a position. With `trace` it has the steps.

    What `proofs` say of who wins bounds the values of the states that they are asked about; with `only`, where they name a move that wins
    no other is searched.
    Raises BudgetError where there is no such search, or where it needs statistics or a limit that was not given.
    """
    asked = ALGORITHMS.get(algorithm)
    if asked is None:
        raise BudgetError(f"no search is called `{algorithm}`; there are {', '.join(ALGORITHMS)}")
    if native.PLAYERS != 2:
        raise BudgetError("these searches are for games of two players")
    if asked.with_statistics and statistics is None:
        raise BudgetError(
            f"`{algorithm}` rests on statistics of the game: `hornbook search statistics` gathers them"
        )
    if budget.nodes is None and budget.seconds is None and (asked.with_limit or budget.depth is None):
        needed = "nodes or seconds" if asked.with_limit else "nodes, seconds or depth"
        raise BudgetError(f"`{algorithm}` needs a limit of {needed}")
    depth = budget.depth
    if algorithm in ("alpha-beta", "ordered-alpha-beta") and depth is None:
        raise BudgetError(f"`{algorithm}` searches to a depth, which is not given; `deepening` needs none")
    if proofs is not None and not asked.with_rules:
        raise BudgetError(f"`{algorithm}` asks no rules about states")
    given = {} if statistics is None else statistics.as_given(plies=asked.plies)
    try:
        search = native.search(
            algorithm, given, None if proofs is None else known(native, proofs), AFTER, only=only
        )
        found = search(position, nodes=budget.nodes, seconds=budget.seconds, depth=depth, trace=trace)
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
            Step(nodes, tuple(line), value, gain, price) for nodes, line, value, gain, price in found["steps"]
        ),
    )
