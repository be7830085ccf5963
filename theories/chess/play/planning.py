"""Chess as a game for planners: states, legal moves, null moves, goals, and goal values of moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.chess.play import outlook, question
from hornbook.theories.chess.states.attacked import in_check
from hornbook.theories.chess.states.position import OTHER, ChessPosition
from hornbook.theories.chess.states.rules import legal_moves

PROMOTE, KING, PAWN = 200, 10_000, 20
"""Values of promoting a pawn, of taking the king (by mate; a king is never captured), and of taking a pawn.
"""
OF_MEN = ("mate", "crown", "take")
"""Goals about a side, or about a man wherever it goes.

All others begin with their friend, and are about squares.
"""


class ChessPlanning:
    """Interface of chess for planners (Tadepalli 1989, section 3.2); a state has no move counters."""

    def to_move(self, state: ChessPosition) -> str:
        return state.to_move

    def opponent(self, player: str) -> str:
        return OTHER["white" if player == "white" else "black"]

    def parts(self, state: ChessPosition) -> Sequence[Part]:
        return question.parts(state)

    def actions(self, state: ChessPosition) -> Sequence[GroundFact]:
        return _actions(state)

    def after(self, state: ChessPosition, action: GroundFact) -> ChessPosition:
        return question.after(state, action)

    def passed(self, state: ChessPosition) -> ChessPosition | None:
        if in_check(state):
            return None
        return replace(state, to_move=OTHER[state.to_move], passed=None)

    def beaten(self, state: ChessPosition) -> bool:
        return in_check(state)

    def goals(self, state: ChessPosition) -> Sequence[Atom]:
        return question.games(state)

    def friend(self, state: ChessPosition, goal: Atom) -> str:
        if not self.stays(goal):
            return question.friend_of(state, goal)
        who = goal.terms[0]
        assert isinstance(who, Constant)
        return str(who.value)

    def followed(self, state: ChessPosition, goal: Atom, action: GroundFact) -> Atom | None:
        return goal if self.stays(goal) else question.followed(state, goal, action)

    def stays(self, goal: Atom) -> bool:
        return goal.predicate not in OF_MEN

    def promise(self, state: ChessPosition, action: GroundFact) -> int:
        move = question.move_of(action)
        in_passing = state.men[move.start] in "Pp" and move.to == state.passed
        earned = PROMOTE if move.promotion else 0
        earned += PAWN if in_passing or state.men[move.to] in "Pp" else 0
        after = question.after(state, action)
        return earned + (KING if in_check(after) and not _actions(after) else 0)

    def outlook(self, state: ChessPosition, player: str) -> int:
        return outlook.outlook(state) if player == "white" else -outlook.outlook(state)

    def appeal(self, state: ChessPosition, action: GroundFact) -> int:
        return outlook.appeal(state, question.move_of(action))


@lru_cache(maxsize=100_000)
def _actions(state: ChessPosition) -> tuple[GroundFact, ...]:
    return tuple(map(question.action_of, legal_moves(state)))
