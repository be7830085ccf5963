"""The checker of strategies and refutations: it tests every node with the slow reference and trusts nothing.

It shares no code with the planners that make strategies: it queries the game itself for the legal moves,
successors, ends and goals. A strategy without mistakes guarantees its value to its role, whatever the others
do. From the state of node 0, the game is over after at most `rank` moves, with a goal of at least `value`. A
refutation without mistakes keeps its role at `most`, whatever it does. From the state of node 0, the game
ends with a goal of at most `most`, or without exactly one goal, or never.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground, text_of
from hornbook.planner.strategies.refutation import Refutation, RefutationNode
from hornbook.planner.strategies.strategy import RoleStrategy, StrategyNode

MOST_SHOWN = 20
"""The number of mistakes that are reported for one strategy."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake in a node; None if it concerns the whole strategy."""

    node: int | None
    message: str


def check_strategy(
    game: Game,
    strategy: RoleStrategy,
    begins: State | None = None,
    checked: Callable[[int], None] = lambda _: None,
) -> tuple[Mistake, ...]:
    """Return the first mistakes of a strategy that begins in a state.

    The default is the first state of the game. The callback `checked` gets the number of checked nodes after
    each node.
    """
    return _checked(game, strategy, begins, checked, lambda node: _wrong(game, strategy, node))


def check_refutation(
    game: Game,
    refutation: Refutation,
    begins: State | None = None,
    checked: Callable[[int], None] = lambda _: None,
) -> tuple[Mistake, ...]:
    """Return the first mistakes of a refutation, as for a strategy."""
    return _checked(game, refutation, begins, checked, lambda node: _wrong_answers(game, refutation, node))


def _checked(
    game: Game,
    whole: RoleStrategy | Refutation,
    begins: State | None,
    checked: Callable[[int], None],
    wrong: Callable[[Any], Iterator[str]],
) -> tuple[Mistake, ...]:
    if whole.roles != game.roles:
        stated, there = ", ".join(whole.roles), ", ".join(game.roles)
        return (Mistake(None, f"the strategy is for the roles {stated}, and the game has {there}"),)
    mistakes: list[Mistake] = []
    if whole.nodes[0].state != (game.initial if begins is None else begins):
        where = "the game" if begins is None else "the state that is given"
        mistakes.append(Mistake(0, f"the strategy does not begin where {where} does"))
    for number, node in enumerate(whole.nodes):
        for message in wrong(node):
            mistakes.append(Mistake(number, message))
            if len(mistakes) == MOST_SHOWN:
                return tuple(mistakes)
        checked(number + 1)
    return tuple(mistakes)


def _wrong(game: Game, strategy: RoleStrategy, node: StrategyNode) -> Iterator[str]:
    if node.rank < 0:
        yield f"the rank {node.rank} is below 0"
    if game.terminal(node.state):
        yield from _wrong_end(game, strategy, node)
    elif node.move is None:
        yield "the game is not over, and the node has no move"
    else:
        yield from _wrong_move(game, strategy, node, node.move)


def _wrong_end(game: Game, strategy: RoleStrategy, node: StrategyNode) -> Iterator[str]:
    if node.move is not None:
        yield f"the game is over, and {strategy.role} does `{text_of(node.move)}`"
    goals = game.goal(node.state)[strategy.role]
    if len(goals) != 1:
        found = f"has the goals {', '.join(map(str, goals))}" if goals else "has no goal"
        yield f"the game is over, and {strategy.role} {found}"
    elif goals[0] < node.value:
        yield f"the goal of {strategy.role} is {goals[0]}, and the node guarantees {node.value}"


def _wrong_move(game: Game, strategy: RoleStrategy, node: StrategyNode, move: Ground) -> Iterator[str]:
    legal = game.legal(node.state)
    if move not in legal[strategy.role]:
        yield f"`{text_of(move)}` is not legal for {strategy.role}"
        return
    others = strategy.others
    stuck = [role for role in others if not legal[role]]
    if stuck:
        yield f"{stuck[0]} has no legal move, so that the game goes nowhere"
    possible = set(product(*(legal[role] for role in others)))
    answered: set[tuple[Ground, ...]] = set()
    for reply in node.replies:
        text = ", ".join(map(text_of, reply.moves)) or "nothing"
        if reply.moves in answered:
            yield f"two replies are the same: {text}"
        elif reply.moves not in possible:
            yield f"the reply {text} is not legal for {', '.join(others)}"
        elif not 0 <= reply.to < len(strategy.nodes):
            yield f"the reply {text} leads to node {reply.to}, which is not there"
        else:
            done = {strategy.role: move, **dict(zip(others, reply.moves, strict=True))}
            after, follows = strategy.nodes[reply.to], game.next(node.state, done)
            if after.state != follows:
                yield f"after the reply {text} comes another state than that of node {reply.to}"
            if after.rank >= node.rank:
                yield f"the rank does not fall: {node.rank} here, {after.rank} at node {reply.to}"
            if after.value < node.value:
                yield f"{node.value} is guaranteed here, and {after.value} at node {reply.to}"
        answered.add(reply.moves)
    missing = possible - answered
    if missing:
        first = min(missing, key=str)
        yield f"no answer to {', '.join(map(text_of, first)) or 'nothing'} of {', '.join(others) or 'nobody'}"


def _wrong_answers(game: Game, refutation: Refutation, node: RefutationNode) -> Iterator[str]:
    if game.terminal(node.state):
        if node.answers:
            yield f"the game is over, and there are answers to {refutation.role}"
        goals = game.goal(node.state)[refutation.role]
        # No goal, or several, count as 0.
        if len(goals) == 1 and goals[0] > refutation.most:
            yield f"the goal of {refutation.role} is {goals[0]}, and {refutation.most} is to be the most"
        return
    legal = game.legal(node.state)
    others = refutation.others
    possible = set(product(*(legal[role] for role in others)))
    # If another role has no move, the game does not continue, whatever this role does.
    required = set(legal[refutation.role]) if possible else set()
    answered: set[Ground] = set()
    for answer in node.answers:
        move = text_of(answer.move)
        text = ", ".join(map(text_of, answer.replies)) or "nothing"
        if answer.move in answered:
            yield f"two answers to {move}"
        elif answer.move not in required:
            yield f"`{move}` is not legal for {refutation.role}"
        elif answer.replies not in possible:
            yield f"the reply {text} to {move} is not legal for {', '.join(others)}"
        elif not 0 <= answer.to < len(refutation.nodes):
            yield f"the reply {text} to {move} leads to node {answer.to}, which is not there"
        else:
            done = {refutation.role: answer.move, **dict(zip(others, answer.replies, strict=True))}
            if refutation.nodes[answer.to].state != game.next(node.state, done):
                yield f"after the reply {text} to {move} comes another state than that of node {answer.to}"
        answered.add(answer.move)
    missing = required - answered
    if missing:
        yield f"no answer to {text_of(min(missing, key=str))} of {refutation.role}"
