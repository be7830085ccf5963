"""Points of a board that a rule mentions, and their roles: target, move, liberties, walls, guards.

The function `marked` takes a rule's conditions under the substitution of a match on a board and distributes
them. Every point has at most one mark, and every condition belongs to one mark. Conditions that only name the
things involved (`named`, `player`, disequalities) are left out. The legend uses the theory's words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from hornbook.kb.ast.terms import Atom, Condition, Constant
from hornbook.kb.explain.descriptions import Words
from hornbook.theories.boards import marks
from hornbook.theories.boards.marks import Mark, Role
from hornbook.theories.go.states.board import Block, GoBoard

ROLES: Mapping[str, Role] = {
    "target": Role("the block to capture", "#b91c1c", "t"),
    "saved": Role("the block to save", "#b91c1c", "t"),
    "joined": Role("the blocks to connect", "#b91c1c", "t"),
    "move": Role("the move", "#15803d", "m"),
    "liberty": Role("its liberties", "#1d4ed8", "l"),
    "escape": Role("empty points beside", "#0e7490", "e"),
    "wall": Role("the walls around it", "#a16207", "w"),
    "guard": Role("the guards of these points", "#7e22ce", "g"),
    "other": Role("other stones", "#52525b", "o"),
}
"""All roles, in the order of the legend."""
_MEANT = frozenset({"named", "player", "opponent", "level", "defender", "colour"})
"""Predicates that only name the things that a rule is about."""
_OF_GAME = {"take": "target", "save": "saved", "connect": "joined"}
"""Roles of the blocks of each game."""
_OF_WALLS = "firm"
_OF_GUARDS = "guard"


def says_what_is_meant(condition: Condition) -> bool:
    """Return whether a condition only names things or says that they differ, without describing the board."""
    return marks.only_names_things(condition, _MEANT)


def marked(
    board: GoBoard, game: Atom, move: Atom | None, conditions: Iterable[Condition], words: Words
) -> list[Mark]:
    """Return the marks of a rule with a game and a move in its head, in the order of ROLES.

    The argument `conditions` contains its body, without variables except those of closed sets.
    """
    marking = _Marking(board, game, move)
    relevant = [c for c in conditions if isinstance(c, Atom) and not says_what_is_meant(c) and _is_ground(c)]
    marking.share_out(relevant)
    return marking.marks(relevant, words)


def _is_ground(condition: Atom) -> bool:
    return all(isinstance(term, Constant) for term in condition.terms)


def _words(condition: Atom) -> list[str]:
    return [str(term.value) for term in condition.terms if isinstance(term, Constant)]


class _Marking:
    """Roles of a board's points while conditions are distributed; the first role of a point stays."""

    def __init__(self, board: GoBoard, game: Atom, move: Atom | None) -> None:
        self.board = board
        self.of_point: dict[int, Block] = {s: block for block in board.blocks for s in block.stones}
        self.roles: dict[int, str] = {}
        self.target, *others = (self.of_point[board.point(word)] for word in _words(game))
        for block in (self.target, *others):
            self._give(_OF_GAME[game.predicate], block.stones)
        # A player who saves a block may pass.
        if move is not None and move.predicate != "pass":
            self._give("move", [board.point(_words(move)[-1])])

    def _give(self, role: str, points: Iterable[int]) -> None:
        for point in points:
            self.roles.setdefault(point, role)

    def share_out(self, conditions: list[Atom]) -> None:
        """Assign a role to every point in the conditions."""
        mentioned = {point for condition in conditions for point in self._points(condition)}
        empty = {point for point in mentioned if self.board.colours[point] == "empty"}
        self._give("liberty", sorted(empty & self.target.liberties))
        self._give("escape", sorted(empty))
        for condition in conditions:
            if condition.predicate.startswith(_OF_WALLS):
                self._give("wall", self._adjacent(self.target.stones))
        for condition in conditions:
            if condition.predicate.startswith(_OF_GUARDS):
                self._give("guard", self._adjacent({next(self._points(condition))}))
        for point in sorted(mentioned - empty):
            self._give("other", self.of_point[point].stones)

    def _points(self, condition: Atom) -> Iterator[int]:
        """Yield the points in a condition in order, without numbers and colours."""
        for word in _words(condition):
            if word[0].isalpha() and word[-1].isdigit():
                yield self.board.point(word)

    def _adjacent(self, points: Iterable[int]) -> list[int]:
        """Return stones of the attacker's blocks next to points."""
        near = {
            neighbour for point in points for neighbour in self.board.neighbours(point)
        } & self.of_point.keys()
        found = {
            s for p in near for s in self.of_point[p].stones if self.of_point[p].colour != self.target.colour
        }
        return sorted(found)

    def marks(self, conditions: list[Atom], words: Words) -> list[Mark]:
        name = self.board.name
        of_place = {name(point): role for point, role in sorted(self.roles.items())}
        says = ((self._role_of(c), words.say(c).replace(" 1 liberties", " 1 liberty")) for c in conditions)
        return marks.in_order(ROLES, of_place, of_place, says)

    def _role_of(self, condition: Atom) -> str:
        """Return the role of a condition: the role of its main point."""
        if condition.predicate.startswith(_OF_WALLS):
            return "wall"
        if condition.predicate.startswith(_OF_GUARDS):
            return "guard"
        points = list(self._points(condition))
        if not points:
            return "other"
        of = points[-1] if condition.predicate in ("liberty", "beside") else points[0]
        return self.roles[of]
