"""Reasons why predicate invention found no rule for a problem or an example.

The messages call the predicates of a theory its words. A reason names what comes first: the problem is too
long, the theory derives no win, or the explanation of a win gives no rule.
"""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.compiler.learn.invention import (
    First,
    InventionResult,
    Positions,
    closed_set,
    first_moves,
    members,
    spell,
)
from hornbook.compiler.learn.learning import Example
from hornbook.compiler.learn.lessons import Problem
from hornbook.compiler.prove.winning import ProverMoves
from hornbook.kb.ast.terms import WON, Atom, GameStatement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.text.counts import counted

MAX_MOVES = 2
"""The number of moves of the longest win from which predicates are invented."""
_NO_RULE = "is derived, but what its proof asks for gives no rule"


class InventionFailures:
    """The reasons for the problems of one game, after learning.

    `given` is the theory before learning, and `learned` the result of learning.
    """

    def __init__(self, given: Theory, learned: InventionResult, play: ProverMoves) -> None:
        self._given = given
        self._play = play
        self._positions = Positions(learned, play)

    def reason(self, lesson: Problem) -> str:
        """Return the reason why a problem has no rule."""
        if lesson.moves > MAX_MOVES:
            return (
                f"it takes {counted(lesson.moves, 'move')}, and words are"
                f" invented for wins within {MAX_MOVES} moves"
            )
        try:
            attempts = list(self._play.attempts(lesson.state, lesson.game, lesson.moves))
            if not attempts:
                return f"the domain names no move that may win within {counted(lesson.moves, 'move')}"
            if lesson.moves == MAX_MOVES:
                return self._reason_of_two_moves(lesson)
            self._positions.state.at(self._play.facts(lesson.state, lesson.game, None))
            return self._reason_of_one_move(lesson.game, attempts)
        except KnowledgeBaseError as problem:
            return f"the theory does not fit its position: {problem}"

    def _reason_of_one_move(self, game: Atom, attempts: Sequence[GroundFact]) -> str:
        """Return the reason for a problem with one move, from the first attempt that comes furthest."""
        won = [self._is_derived(action, GameStatement(game, spell(action), WON)) for action in attempts]
        if True in won:
            return f"the win by `{_shown(attempts[won.index(True)])}` {_NO_RULE}"
        goal = print_condition(GameStatement(game, None, WON))
        others = f", nor after {counted(len(attempts) - 1, 'other move')}" if len(attempts) > 1 else ""
        if False in won:
            return f"after `{_shown(attempts[won.index(False)])}` the theory does not derive `{goal}`{others}"
        return f"the theory allows `{_shown(attempts[0])}` at no such position{others}"

    def _reason_of_two_moves(self, lesson: Problem) -> str:
        """Return the reason for a problem with two moves, from the first move that comes furthest."""
        declared = self._given.replies_of(lesson.game.predicate)
        if declared is None:
            return f"the theory has no `replies` to `{lesson.game.predicate}`"
        if all(closed_set(case, self._given) is None for case in declared.cases):
            return (
                f"no reply to `{lesson.game.predicate}` is about a member of a closed set,"
                " which a predicate `counts`"
            )
        tries = list(first_moves(self._play, [lesson]))
        if not tries:
            return "after each of its first moves the game is over"
        reasons = [self._progress(one) for one in tries]
        return max(reasons)[1]

    def _progress(self, one: First) -> tuple[int, str]:
        """Return how far a first move came, and what failed after it.

        The number is 0 if no reply belongs to a closed set, 1 if a reply has no answer that wins, and 2 if
        all have.
        """
        _, _, action, state, game = one
        declared = self._given.replies_of(game.predicate)
        assert declared is not None
        self._positions.state.at(self._play.facts(state, game, None))
        reached, after = (0, "no reply of a closed set is possible"), f"after `{_shown(action)}`"
        terms = dict(zip(declared.game.terms, game.terms, strict=True))
        for case in declared.cases:
            closed = closed_set(case, self._given)
            if closed is None:
                continue
            replies = list(members(self._positions.base, case, closed, terms))
            goal = GameStatement(Atom(game.predicate, game.terms, "after"), None, WON)
            answered = [self._is_derived(reply, goal) is True for reply in replies]
            if replies and all(answered):
                return 2, f"{after}: a win against each reply {_NO_RULE}"
            if replies:
                unanswered = _shown(replies[answered.index(False)])
                reached = 1, f"the theory derives no win after the reply `{unanswered}`"
        return reached[0], f"{after}: {reached[1]}"

    def _is_derived(self, action: GroundFact, goal: GameStatement) -> bool | None:
        """Return whether a goal follows after an action; None if the action contradicts the position."""
        with self._positions.after(action) as fits:
            return self._positions.base.holds(goal) if fits else None


def reason_of_example(example: Example, theory: Theory) -> str:
    """Return the reason why an example has no rule."""
    words = theory.vocabulary.predicates
    actions = [fact for fact in example.facts if words[fact.relation].kind == "action"]
    if len(actions) != 1:
        return f"it has {counted(len(actions), 'action')}, and words are invented from examples with one"
    if example.goals:
        goals = ", ".join(f"`{print_condition(goal)}`" for goal in example.goals)
        return (
            f"the theory derives nothing of {goals} from `{_shown(actions[0])}`, or what it"
            " asks for gives no rule"
        )
    return f"nothing that follows from `{_shown(actions[0])}` gives a rule"


def _shown(action: GroundFact) -> str:
    return print_condition(spell(action))
