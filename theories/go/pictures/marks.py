"""Which points of a board a rule speaks of, and as what: target, move, liberties, walls, guards.

`marked` is given a rule's conditions as they are met on a board, and shares them out: every point has one mark at most,
and every condition stands with one mark. Conditions that say only which things are meant (`named`, `player`, that
two things differ) are left out. Words are the theory's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from hornbook.kb.ast.terms import Atom, Condition, Constant
from hornbook.kb.explain.words import Words
from hornbook.theories.boards import marks
from hornbook.theories.boards.marks import Mark, Role
from hornbook.theories.go.states.board import Block, Board

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
"""Every role, in the order of the legend."""
_MEANT = frozenset({"named", "player", "opponent", "level", "defender", "colour"})
"""Predicates that say only which things a rule is about."""
_OF_GAME = {"take": "target", "save": "saved", "connect": "joined"}
"""The role of the blocks that a game is about."""
_OF_WALLS = "firm"
_OF_GUARDS = "guard"


def says_what_is_meant(condition: Condition) -> bool:
    """Whether a condition says only which things a rule is about, or that they differ, and nothing of how they stand."""
    return marks.says_what_is_meant(condition, _MEANT)


def marked(
    board: Board, game: Atom, move: Atom | None, conditions: Iterable[Condition], words: Words
) -> list[Mark]:
    """The marks of a rule that concludes of a game and a move, in the order of ROLES.

    `conditions` are the rule's, without variables but for those of closed sets.
    """
    marking = _Marking(board, game, move)
    asked = [c for c in conditions if isinstance(c, Atom) and not says_what_is_meant(c) and _is_ground(c)]
    marking.share_out(asked)
    return marking.marks(asked, words)


def _is_ground(condition: Atom) -> bool:
    return all(isinstance(term, Constant) for term in condition.terms)


def _words(condition: Atom) -> list[str]:
    return [str(term.value) for term in condition.terms if isinstance(term, Constant)]


class _Marking:
    """The roles of a board's points while conditions are shared out; the first role of a point stays."""

    def __init__(self, board: Board, game: Atom, move: Atom | None) -> None:
        self.board = board
        self.of_point: dict[int, Block] = {s: block for block in board.blocks for s in block.stones}
        self.roles: dict[int, str] = {}
        self.target, *others = (self.of_point[board.point(word)] for word in _words(game))
        for block in (self.target, *others):
            self._give(_OF_GAME[game.predicate], block.stones)
        # Who saves a block may pass.
        if move is not None and move.predicate != "pass":
            self._give("move", [board.point(_words(move)[-1])])

    def _give(self, role: str, points: Iterable[int]) -> None:
        for point in points:
            self.roles.setdefault(point, role)

    def share_out(self, conditions: list[Atom]) -> None:
        """Gives every point that conditions speak of its role."""
        spoken = {point for condition in conditions for point in self._points(condition)}
        empty = {point for point in spoken if self.board.colours[point] == "empty"}
        self._give("liberty", sorted(empty & self.target.liberties))
        self._give("escape", sorted(empty))
        for condition in conditions:
            if condition.predicate.startswith(_OF_WALLS):
                self._give("wall", self._beside(self.target.stones))
        for condition in conditions:
            if condition.predicate.startswith(_OF_GUARDS):
                self._give("guard", self._beside({next(self._points(condition))}))
        for point in sorted(spoken - empty):
            self._give("other", self.of_point[point].stones)

    def _points(self, condition: Atom) -> Iterator[int]:
        """The points that a condition names, in its order; a number or a colour is none."""
        for word in _words(condition):
            if word[0].isalpha() and word[-1].isdigit():
                yield self.board.point(word)

    def _beside(self, points: Iterable[int]) -> list[int]:
        """The attacker's blocks beside points."""
        near = {beside for point in points for beside in self.board.neighbours(point)} & self.of_point.keys()
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
        """The role with which a condition stands: that of the point that it says most of."""
        if condition.predicate.startswith(_OF_WALLS):
            return "wall"
        if condition.predicate.startswith(_OF_GUARDS):
            return "guard"
        points = list(self._points(condition))
        if not points:
            return "other"
        of = points[-1] if condition.predicate in ("liberty", "beside") else points[0]
        return self.roles[of]
