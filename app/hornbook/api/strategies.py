"""Strategies from Python: the goal value that a role of a game can guarantee, and the moves for it."""

from __future__ import annotations

from pathlib import Path

from hornbook.games import strategy_pictures as pictures
from hornbook.games.strategy_page import strategy_page
from hornbook.kb.lower.budget import Budget
from hornbook.kb.sources.deprecations import renamed_members, renamed_parameters
from hornbook.kb.sources.shadowing import must_be_no_theory
from hornbook.kb.text.writing import write_text
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.conditional.guarantee import guarantee
from hornbook.planner.conditional.solving import MEGABYTES, SECONDS
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.strategies.check import Mistake, check_refutation, check_strategy
from hornbook.planner.strategies.files import write_strategy
from hornbook.planner.strategies.refutation import Refutation
from hornbook.planner.strategies.strategy import RoleStrategy as Graph
from hornbook.planner.strategies.strategy import StrategyNode

SEARCH_LIMITS = Limits(seconds=SECONDS, bytes=MEGABYTES * 2**20)
"""The default limits of `find_strategy`."""


class NoStrategyError(HornbookError):
    """No strategy guarantees the requested value.

    Attributes:
        bounds: The proved interval of the value that the role can guarantee.
        refutation: The strategy of the others that limits the role to the upper bound, if it was requested
          and exists.
    """

    def __init__(self, message: str, bounds: tuple[int, int], refutation: Refutation | None = None) -> None:
        super().__init__(message)
        self.bounds = bounds
        self.refutation = refutation


class NotDecidedError(NoStrategyError):
    """A limit was reached before the decision; `bounds` is the interval proved until then."""


@renamed_members
@dataclass(frozen=True, slots=True)
class Strategy:
    """The moves of a role in every state that can arise, whatever the others do; made by `find_strategy`."""

    game: Game
    graph: Graph
    """The strategy as a graph of states, moves and replies."""
    bounds: tuple[int, int]
    """The value that the role can guarantee: a proved lower and upper bound."""
    refutation: Refutation | None = None
    """The strategy of the others that limits the role to the upper bound, if it was requested and exists."""

    @property
    def role(self) -> str:
        return self.graph.role

    @property
    def value(self) -> int:
        """The goal value that the role reaches at least."""
        return self.graph.value

    @property
    def initial(self) -> State:
        """The initial state of the strategy."""
        return self.graph.nodes[0].state

    def node(self, state: State) -> StrategyNode:
        """Return the node of a state. Raises KeyError if the state does not arise under the strategy."""
        found = next((node for node in self.graph.nodes if node.state == state), None)
        if found is None:
            raise KeyError("the state does not arise where the role follows the strategy")
        return found

    def move(self, state: State) -> Ground | None:
        """Return the role's move in a state, or None at the end of the game.

        Raises KeyError as `node` does.
        """
        return self.node(state).move

    def check(self) -> tuple[Mistake, ...]:
        """Return the mistakes in the strategy and, if there is one, in the refutation.

        The result is empty unless Hornbook has a bug. The check shares no code with the search.
        """
        wrong = check_strategy(self.game, self.graph, self.initial)
        if self.refutation is not None:
            wrong += check_refutation(self.game, self.refutation, self.initial)
        return wrong

    def save(self, path: Path) -> None:
        """Write the file that `hornbook game verify` reads.

        Raises:
            OSError: If the file cannot be written.
            TheoryError: If the name is that of a theory, code or proofs.
        """
        must_be_no_theory(path)
        write_strategy(path, self.graph)

    def to_svg(self) -> str:
        """Return the strategy as an SVG picture. Raises HornbookError if it has too many nodes."""
        return pictures.svg(self.graph)

    def to_mermaid(self) -> str:
        """Return the strategy as a Mermaid flowchart. Raises HornbookError as `svg` does."""
        return pictures.mermaid(self.graph)

    def save_page(self, path: Path) -> None:
        """Write an HTML page that unfolds the strategy reply by reply. Raises as `write` does."""
        must_be_no_theory(path)
        write_text(path, strategy_page(self.graph))


@renamed_parameters
def find_strategy(
    game: Game,
    role: str | None = None,
    *,
    at_least: int | None = None,
    state: State | None = None,
    limits: Limits = SEARCH_LIMITS,
    refuted: bool = False,
) -> Strategy:
    """Return a strategy that guarantees a role the largest value that it can reach, or the value `at_least`.

    All other roles, including `random`, play against it and reply to its moves.

    Args:
        game: The game.
        role: The role; it may be omitted in a game with one role.
        at_least: The value to guarantee, from 1 on.
        state: The first state of the strategy, by default the initial state of the game.
        limits: The limits on seconds, nodes and bytes, by default 60 seconds and 4000 MB.
        refuted: Whether to compute the strategy of the others too. It proves the upper bound, unless the
          rules of the game imply that bound.

    Raises:
        NoStrategyError: If no strategy guarantees the value.
        NotDecidedError: If a limit was reached first.
        ValueError: If the game does not have the role or never reaches the state.
    """
    if role is None and len(game.roles) == 1:
        role = game.roles[0]
    if role not in game.roles:
        raise ValueError(f"`role` is one of {', '.join(game.roles)}, not {role!r}")
    if at_least is not None and at_least < 1:
        raise ValueError(f"`at_least` is a goal from 1 on, not {at_least}")
    start = game.initial if state is None else state
    found = guarantee(game, role, start, at_least, Budget.of(limits), refuted=refuted)
    lower, upper = found.bounds
    if found.answer == "none":
        goal = "more than 0" if at_least is None else str(at_least)
        message = f"no strategy guarantees {role} {goal}: {upper} at most"
        raise NoStrategyError(message, found.bounds, found.refutation)
    if found.answer == "open" or found.strategy is None:
        raise NotDecidedError(
            (
                f"not decided what {role} can guarantee: from {lower} to {upper}; allow more `seconds`,"
                " `nodes` or `bytes` (`limits`)"
            ),
            found.bounds,
            found.refutation,
        )
    return Strategy(game, found.strategy, found.bounds, found.refutation)
