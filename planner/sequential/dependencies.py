"""The dependencies of a game, and its clock and irrelevant fluents.

Nodes are relations of flat rules, or atoms of a ground program; the following holds for both. A node *reads*
another one if a rule for it, or for a node that it reads, has the other as a condition, present or absent. No
rule concludes `does` and `true`, so reading ends there.

A fluent is *relevant* if it is read by the end, by a goal, by a legal move, or by the next value of a
relevant fluent. All others are *idle*: removing them from every state changes no query.

A fluent is *autonomous* if its next value reads no move, and only autonomous fluents. After d moves all these
fluents together are the same in every state, whichever moves were made. The proof is by induction on d: there
is one first state, and their next values are a function of these fluents alone.

The *clock* consists of the relevant autonomous fluents, without those that a legal move reads, or the next
value of a fluent outside the clock. The *board* consists of all other relevant fluents. Then

1. the clock after d moves is a function of d. This function may read fluents of the board, if these are
   autonomous.
   For example, a second counter begins when a first one has ended, and legal moves read the first one;
2. the legal moves, and the board after a move, are functions of the board and the move, since neither reads
   the clock;
3. whether a state is terminal, and its value, is a function of the board and d.

So a state after d moves is determined by its board and d. The boards after d moves follow from those after d
- 1 moves, whatever the clock. Layers of boards need nothing else
(planner/core/sequential/layered_search.hpp).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from hornbook.matcher.program.dataclass import dataclass

Node = TypeVar("Node", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Dependencies(Generic[Node]):
    """The dependencies of a game.

    The field `conditions` maps each node to the conditions of its rules, and `coming` each fluent to the node
    for its next value. The nodes in `ends` are those for the end and the goals; `legal` and `moves` are those
    for legal moves and for moves made.
    """

    conditions: Mapping[Node, Iterable[Node]]
    coming: Mapping[Node, Node]
    ends: frozenset[Node]
    legal: frozenset[Node]
    moves: frozenset[Node]


@dataclass(frozen=True, slots=True)
class Parts(Generic[Node]):
    """The fluents of a clock, the fluents that determine its next phase, and those that no query reads.

    `driving` contains the clock. It may also contain fluents of the board.
    """

    clock: frozenset[Node]
    driving: frozenset[Node]
    idle: frozenset[Node]


def parts(game: Dependencies[Node]) -> Parts[Node]:
    """Return the fluents of a game, divided into these parts."""
    relevant = _fluents_behind(game, game.ends | game.legal)
    driven = _nodes_reading_moves(game)
    running = relevant - driven
    others = [game.coming[fluent] for fluent in relevant - running]
    board = _fluents_behind(game, [*game.legal, *others])
    clock = running - board
    driving = _fluents_behind(game, clock)
    return Parts(frozenset(clock), frozenset(driving), frozenset(game.coming.keys() - relevant))


def read_by(conditions: Mapping[Node, Iterable[Node]], nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield the nodes, and all that they read, each once."""
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
    """Return the fluents that nodes read, and those that determine the next values of these."""
    step: dict[Node, Iterable[Node]] = {**game.conditions}
    step.update((fluent, (node,)) for fluent, node in game.coming.items())
    return {node for node in read_by(step, nodes) if node in game.coming}


def _nodes_reading_moves(game: Dependencies[Node]) -> set[Node]:
    """Return the nodes that read moves, directly or through fluents."""
    readers: dict[Node, list[Node]] = {}
    for node, conditions in game.conditions.items():
        for condition in conditions:
            readers.setdefault(condition, []).append(node)
    for fluent, node in game.coming.items():
        readers.setdefault(node, []).append(fluent)
    return set(read_by(readers, game.moves))
