"""Strategies from Python: what a role of a game can guarantee, and what it does for that."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hornbook.kb.sources.shadowing import must_be_no_theory
from hornbook.kb.text.writing import write_text
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.conditional.guarantee import guarantee
from hornbook.planner.conditional.solving import MEGABYTES, SECONDS, Limits
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.strategies import pictures
from hornbook.planner.strategies.check import Mistake, check_refutation, check_strategy
from hornbook.planner.strategies.files import write_strategy
from hornbook.planner.strategies.page import strategy_page
from hornbook.planner.strategies.refutation import Refutation
from hornbook.planner.strategies.strategy import Node
from hornbook.planner.strategies.strategy import Strategy as Graph


class NoStrategyError(HornbookError):
    """No strategy guarantees what was asked for. `bounds` is the interval that is proved for what the role can guarantee.

    `refutation` is how the others keep the role to the upper bound, where it was asked for and there is one.
    """

    def __init__(self, message: str, bounds: tuple[int, int], refutation: Refutation | None = None) -> None:
        super().__init__(message)
        self.bounds = bounds
        self.refutation = refutation


class NotDecidedError(NoStrategyError):
    """A limit was reached before it was decided; `bounds` is what is proved by then."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """What a role does in each state that can arise, whatever the others do; made by `strategy`."""

    game: Game
    graph: Graph
    """The nodes: states, moves and replies."""
    bounds: tuple[int, int]
    """The role can guarantee the first, and no more than the second."""
    refutation: Refutation | None = None
    """Where it was asked for and there is one: how the others keep the role to the upper bound."""

    @property
    def role(self) -> str:
        return self.graph.role

    @property
    def value(self) -> int:
        """The goal that the role reaches at least."""
        return self.graph.value

    @property
    def begins(self) -> State:
        """The state in which the strategy begins."""
        return self.graph.nodes[0].state

    def node(self, state: State) -> Node:
        """The node of a state. Raises KeyError for one that does not arise where the role follows the strategy."""
        found = next((node for node in self.graph.nodes if node.state == state), None)
        if found is None:
            raise KeyError("the state does not arise where the role follows the strategy")
        return found

    def move(self, state: State) -> Ground | None:
        """What the role does in a state, or None where the game is over. Raises KeyError as `node` does."""
        return self.node(state).move

    def check(self) -> tuple[Mistake, ...]:
        """What is wrong with the strategy, and with the refutation if there is one: nothing, or it is a mistake of Hornbook.

        Uses nothing of what found them.
        """
        wrong = check_strategy(self.game, self.graph, self.begins)
        if self.refutation is not None:
            wrong += check_refutation(self.game, self.refutation, self.begins)
        return wrong

    def write(self, path: Path) -> None:
        """Write the file that `hornbook game verify` reads. Raises OSError if it cannot be written, TheoryError if the name
        is one of a theory, code or proofs.
        """
        must_be_no_theory(path)
        write_strategy(path, self.graph)

    def svg(self) -> str:
        """A picture. Raises HornbookError where the strategy has too many nodes for one."""
        return pictures.svg(self.graph)

    def mermaid(self) -> str:
        """A Mermaid flowchart. Raises HornbookError as `svg` does."""
        return pictures.mermaid(self.graph)

    def write_page(self, path: Path) -> None:
        """Write a page of HTML on which it can be opened, reply by reply. Raises as `write` does."""
        must_be_no_theory(path)
        write_text(path, strategy_page(self.graph))


def strategy(
    game: Game,
    role: str | None = None,
    *,
    at_least: int | None = None,
    state: State | None = None,
    seconds: float = SECONDS,
    nodes: int | None = None,
    megabytes: int = MEGABYTES,
    refuted: bool = False,
) -> Strategy:
    """The strategy by which a role guarantees the most that it can, or `at_least` so much, from a state or the first one.

    All other roles play against it, `random` too, and reply to its moves. `role` can be left out in a game for one. Raises
    NoStrategyError where there is none, NotDecidedError where `seconds`, `nodes` (states looked at) or `megabytes` were not
    enough, and ValueError for a role that the game does not have or a state that it never makes. With `refuted`, the others'
    strategy is made too, which proves that no more than the upper bound is possible, unless the rules say so by themselves.
    """
    if role is None and len(game.roles) == 1:
        role = game.roles[0]
    if role not in game.roles:
        raise ValueError(f"`role` is one of {', '.join(game.roles)}, not {role!r}")
    if at_least is not None and at_least < 1:
        raise ValueError(f"`at_least` is a goal from 1 on, not {at_least}")
    start = game.initial if state is None else state
    limits = Limits(seconds, nodes, megabytes)
    found = guarantee(game, role, start, at_least, limits, refuted=refuted)
    lower, upper = found.bounds
    if found.answer == "none":
        asked = "more than 0" if at_least is None else str(at_least)
        message = f"no strategy guarantees {role} {asked}: {upper} at most"
        raise NoStrategyError(message, found.bounds, found.refutation)
    if found.answer == "open" or found.strategy is None:
        raise NotDecidedError(
            f"not decided what {role} can guarantee: from {lower} to {upper}; allow more `seconds`, `nodes` or `megabytes`",
            found.bounds,
            found.refutation,
        )
    return Strategy(game, found.strategy, found.bounds, found.refutation)
