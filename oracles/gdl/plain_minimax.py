"""The guaranteed value of a role by its definition: a slow implementation to compare with the planners for
several roles.

The role moves first, and the others reply simultaneously. A state is worth n if the role has a move after
which each reply leads to a state whose worth n was found before. So an infinite play is worth nothing, and
neither is an end without exactly one goal.
"""

from __future__ import annotations

from itertools import product

from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.strategies.strategy import JointReply, RoleStrategy, StrategyNode

NOTHING = -1
"""The value of a state whose end is not forced or has no goal."""
Steps = dict[Ground, dict[tuple[Ground, ...], State]]
"""The successors for each move of the role and each reply of the others."""


def whole_game(game: Game, role: str, start: State) -> dict[State, Steps | int]:
    """Return each reachable state with its successors, or with the goal if it is terminal."""
    found: dict[State, Steps | int] = {}
    waiting = [start]
    others = [name for name in game.roles if name != role]
    while waiting:
        state = waiting.pop()
        if state in found:
            continue
        if game.terminal(state):
            goals = game.goal(state)[role]
            found[state] = goals[0] if len(goals) == 1 else NOTHING
            continue
        legal = game.legal(state)
        steps: Steps = {}
        for move in legal[role]:
            replies = list(product(*(legal[name] for name in others)))
            if replies:
                steps[move] = {
                    reply: game.next(state, {role: move, **dict(zip(others, reply, strict=True))})
                    for reply in replies
                }
        found[state] = steps
        waiting += [after for replies in steps.values() for after in replies.values()]
    return found


def forced(states: dict[State, Steps | int], least: int) -> dict[State, tuple[int, Ground | None]]:
    """Return the states that guarantee `least`, each with the number of moves and the first move."""
    found: dict[State, tuple[int, Ground | None]] = {
        state: (0, None) for state, here in states.items() if isinstance(here, int) and here >= least
    }
    for rank in range(1, len(states) + 1):
        new = {
            state: (rank, move)
            for state, here in states.items()
            if state not in found and not isinstance(here, int)
            for move, replies in here.items()
            if all(after in found for after in replies.values())
        }
        if not new:
            break
        found |= new
    return found


def guaranteed(game: Game, role: str, start: State | None = None) -> int:
    """Return the greatest value that the role can guarantee, or NOTHING."""
    start = game.initial if start is None else start
    states = whole_game(game, role, start)
    goals = {here for here in states.values() if isinstance(here, int) and here != NOTHING}
    return max((goal for goal in goals if start in forced(states, goal)), default=NOTHING)


def plain_strategy(game: Game, role: str, least: int) -> RoleStrategy | None:
    """Return a strategy that guarantees `least` from the first state, or None if there is none."""
    states = whole_game(game, role, game.initial)
    wins = forced(states, least)
    if game.initial not in wins:
        return None
    order: dict[State, None] = {game.initial: None}
    waiting = [game.initial]
    while waiting:
        here, (_, move) = states[state := waiting.pop()], wins[state]
        if move is not None:
            assert not isinstance(here, int)
            new = [after for after in here[move].values() if after not in order]
            order |= dict.fromkeys(new)
            waiting += new
    number = {state: place for place, state in enumerate(order)}
    nodes = []
    for state in order:
        here, (rank, move) = states[state], wins[state]
        replies: tuple[JointReply, ...] = ()
        if move is not None:
            assert not isinstance(here, int)
            replies = tuple(JointReply(moves, number[after]) for moves, after in here[move].items())
        nodes.append(StrategyNode(state, least, rank, move, replies))
    return RoleStrategy(game.roles, role, tuple(nodes))
