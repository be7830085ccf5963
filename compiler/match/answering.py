"""Answering by rules alone: one match of a position says what rules conclude; a chain of matches looks further.

In a chain, a level is one more move of the friend: after a move that is tried, either a rule says that the game is
still won, or a rule that wins if the opponent passes says which replies can matter, and each of these is answered
by a match again, a level less deep. Other replies leave the facts that the rule rests on as they are, so it still
answers. There is no other search, and leaves are matches.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from hornbook.compiler.match.position import Conclusion, Matcher, Parts
from hornbook.kb.ast.terms import Atom, Constant, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.lower.budget import Budget

WON = Constant("GI")
SECOND_PLAYER_WIN = Constant("IG")

Ground = frozenset[int]


class Question(Protocol):
    """What a game's positions are to who answers; a ground is what conclusions rest on, in places of a position."""

    @property
    def focus_predicate(self) -> str: ...

    def defender_of(self, state: Any, game: Atom) -> str | int: ...

    def parts(self, state: Any, defender: str | int) -> Parts: ...

    def after(self, state: Any, action: GroundFact) -> Any | None: ...

    def over(self, state: Any, game: Atom) -> bool: ...

    def attempts(self, state: Any, game: Atom) -> Iterable[GroundFact]: ...

    def replies(self, state: Any, game: Atom, ground: Ground) -> Iterable[GroundFact]: ...

    def ground(self, state: Any, premises: Iterable[GroundFact]) -> Ground: ...

    def firm_ground(self, state: Any, game: Atom, points: Ground) -> Ground: ...

    def ground_of_move(self, state: Any, action: GroundFact) -> Ground: ...


@dataclass(frozen=True, slots=True)
class Won:
    """Why a game is won: the friend's first move (None where the opponent plays first), the rule at the first leaf.

    A reply off `ground` changes nothing of the reasons here and now; one off `firm` nothing of them, and nothing that
    further moves would make of it.
    """

    move: Atom | None
    rule: str
    ground: Ground
    firm: Ground


class Answerer:
    """Asks rules about positions of one theory; `matched` counts the positions that were matched.

    Each position that is matched is a step of the budget; whoever asks when it is spent gets a SpentError. Of a position
    no more is kept than why it is won.
    """

    def __init__(
        self, theory: Theory, rules: Iterable[Rule], question: Question, budget: Budget | None = None
    ) -> None:
        self.question = question
        self.budget = budget or Budget()
        self.matcher = Matcher(theory, question.focus_predicate, self.budget.limits)
        for rule in rules:
            self.matcher.add(rule)
        self.matched = 0
        self._known: dict[tuple[Hashable, Atom], dict[Constant, Won]] = {}
        self._tried: dict[tuple[Hashable, Atom, int], Won | None] = {}
        self._refuting: dict[tuple[Atom, int], GroundFact] = {}

    def forget(self) -> None:
        """Forgets the positions so far, and counts from zero; the budget begins anew."""
        self._known.clear()
        self._tried.clear()
        self._refuting.clear()
        self.matched = 0
        self.budget.renew()

    def won(self, state: Any, game: Atom, levels: int = 0) -> Won | None:
        """Why the friend wins who plays first, with so many levels at most."""
        found = self.says(state, game, WON)
        for deep in range(1, levels + 1) if found is None else ():
            if (state, game, deep) not in self._tried:
                self._tried[state, game, deep] = self._by_a_move(state, game, deep)
            found = self._tried[state, game, deep]
            if found is not None:
                break
        return found

    def _by_a_move(self, state: Any, game: Atom, levels: int) -> Won | None:
        """The first move after which the game is still won."""
        for action in self.question.attempts(state, game):
            after = self.question.after(state, action)
            if after is None or self.question.over(after, game):
                continue
            still = self.second_player_win(after, game, levels - 1)
            if still is not None:
                here = self.question.ground_of_move(state, action) | still.firm
                firm = self.question.firm_ground(state, game, here)
                move = Atom(action.relation, tuple(map(Constant, action.values)))
                return Won(move, still.rule, firm, firm)
        return None

    def second_player_win(self, state: Any, game: Atom, levels: int = 0) -> Won | None:
        """Why the friend wins although the opponent plays first: a rule says so, or each reply that can matter is
        answered, with so many levels at most.
        """
        found = self.says(state, game, SECOND_PLAYER_WIN)
        if found is not None:
            return found
        refuting = self._refuting.get((game, levels))
        if refuting is not None and not self._answers(state, game, refuting, levels):
            return None
        passed = self.won(state, game, levels)
        if passed is None:
            return None
        firm = passed.firm
        for reply in self.question.replies(state, game, passed.ground):
            after = self.question.after(state, reply)
            if after is None:
                firm |= self.question.ground_of_move(state, reply)
                continue
            below = self.won(after, game, levels)
            if below is None:
                self._refuting[game, levels] = reply
                return None
            firm |= self.question.ground_of_move(state, reply) | below.firm
        firm = self.question.firm_ground(state, game, firm)
        return Won(None, passed.rule, firm, firm)

    def _answers(self, state: Any, game: Atom, reply: GroundFact, levels: int) -> bool:
        """Whether a reply to another move, which had no answer there, has one here or is none."""
        after = self.question.after(state, reply)
        return after is None or self.won(after, game, levels) is not None

    def says(self, state: Any, game: Atom, value: Constant) -> Won | None:
        """What the first rule says that concludes a value of the game, in one match."""
        known = self._known.get((state, game))
        if known is None:
            self.budget.spend()
            self.matched += 1
            known = self._known[state, game] = self._said(state, game)
        return known.get(value)

    def _said(self, state: Any, game: Atom) -> dict[Constant, Won]:
        parts = self.question.parts(state, self.question.defender_of(state, game))
        with self.budget.bounding():
            first = self.matcher.first(parts, game)
        return {value: self._reasons(state, game, said) for value, said in first.items()}

    def _reasons(self, state: Any, game: Atom, conclusion: Conclusion) -> Won:
        by = conclusion.statement.by
        ground = self.question.ground(state, conclusion.premises)
        if by is not None:
            values = tuple(t.value for t in by.terms if isinstance(t, Constant))
            ground |= self.question.ground_of_move(state, GroundFact(by.predicate, values))
        return Won(by, conclusion.rule, ground, self.question.firm_ground(state, game, ground))
