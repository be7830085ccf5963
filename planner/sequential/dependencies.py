"""What rests on what in a game, and what of a state is a clock or asked for by nothing.

Nodes are relations of flat rules, or atoms of a ground program: what follows holds for both. A node *reads* another one
if a rule for it, or for a node that it reads, has the other as a condition, present or absent; `does` and `true` are
concluded by no rule, so reading ends there.

A fluent is *relevant* if the end, a worth or a legal move reads it, or what comes next of a relevant fluent does. All
others are *idle*: to leave them out of every state changes nothing that is asked.

A fluent *runs by itself* if what comes next of it reads no move, and only fluents that run by themselves. So these
fluents together are in every state after d moves the same, whichever moves they were: by induction on d, since the first
state is one, and what comes next of them is a function of them alone.

The *clock* are the relevant fluents that run by themselves, without those that a legal move reads, or what comes next of
a fluent outside the clock. The *board* is all else that is relevant. Then

1. what the clock shows after d moves is a function of d. This function may read fluents of the board, if these run by
   themselves. For example, a second counter begins when a first one has ended, and legal moves read the first one;
2. what is legal, and the board after a move, are functions of the board and the move, since neither reads the clock;
3. whether a state is terminal and what it is worth is a function of the board and d.

So a state after d moves is its board and d, and the boards that d moves lead to follow from those that d - 1 moves lead
to, whatever the clock shows. This is all that layers of boards rest on (planner/core/sequential/layered_search.hpp).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Dependencies(Generic[Node]):
    """`conditions` has for each node those of its rules; `coming` for each fluent the node that says that it comes next.

    `ends` are what the end and the worths are read from, `legal` and `moves` what may be done and is done.
    """

    conditions: Mapping[Node, Iterable[Node]]
    coming: Mapping[Node, Node]
    ends: frozenset[Node]
    legal: frozenset[Node]
    moves: frozenset[Node]


@dataclass(frozen=True, slots=True)
class Parts(Generic[Node]):
    """The fluents of a clock, the fluents that determine what the clock shows next, and those that nothing asks for.

    `driving` contains the clock. It may contain fluents of the board, too.
    """

    clock: frozenset[Node]
    driving: frozenset[Node]
    idle: frozenset[Node]


def parts(game: Dependencies[Node]) -> Parts[Node]:
    """Takes the fluents of a game apart."""
    relevant = _fluents_behind(game, game.ends | game.legal)
    driven = _driven(game)
    running = relevant - driven
    others = [game.coming[fluent] for fluent in relevant - running]
    board = _fluents_behind(game, [*game.legal, *others])
    clock = running - board
    driving = _fluents_behind(game, clock)
    return Parts(frozenset(clock), frozenset(driving), frozenset(game.coming.keys() - relevant))


def read_by(conditions: Mapping[Node, Iterable[Node]], nodes: Iterable[Node]) -> Iterator[Node]:
    """The nodes, and all that they read, each once."""
    found = set(nodes)
    todo = list(found)
    while todo:
        node = todo.pop()
        yield node
        for condition in conditions.get(node, ()):
            if condition not in found:
                found.add(condition)
                todo.append(condition)


def _fluents_behind(game: Dependencies[Node], nodes: Iterable[Node]) -> set[Node]:
    """The fluents that nodes read, and those that these need to come next."""
    step: dict[Node, Iterable[Node]] = {**game.conditions}
    step.update((fluent, (node,)) for fluent, node in game.coming.items())
    return {node for node in read_by(step, nodes) if node in game.coming}


def _driven(game: Dependencies[Node]) -> set[Node]:
    """What reads moves, or fluents that moves drive."""
    readers: dict[Node, list[Node]] = {}
    for node, conditions in game.conditions.items():
        for condition in conditions:
            readers.setdefault(condition, []).append(node)
    for fluent, node in game.coming.items():
        readers.setdefault(node, []).append(fluent)
    return set(read_by(readers, game.moves))
