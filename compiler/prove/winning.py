"""Proofs that positions are won, move by move; every proof on the way gives a rule.

A position is won for the friend to play if some move leads to a second-player win. A position is a
second-player win if it is won again after each reply. Positions answered by a learned rule are not proved
again. A rule thus depends on rules for the positions one move later, which it evaluates at the moment after
the action.

Move generation and move order come from the `ProverMoves` object, which is not trusted: rules come from
proofs by the theory, and the checker certifies each.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Protocol

from hornbook.compiler.checker.certificate import CaseProof, Certificate, Opening, ProofStep
from hornbook.compiler.checker.checker import Lemma, RejectedError, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.generalise.explanation import Explanation
from hornbook.compiler.generalise.generalisation import NotOperationalError, generalise_things
from hornbook.compiler.generalise.operational import operational_vocabulary
from hornbook.compiler.generalise.regression import normalised, regress
from hornbook.compiler.generalise.simplification import condensed
from hornbook.compiler.match.position import FocusSet, IncrementalState, RuleMatcher
from hornbook.compiler.prove.opponent import UnansweredError, answers
from hornbook.compiler.prove.passes import LikelyPass, likely_passes, playable_pass
from hornbook.compiler.prove.preference import Preferring
from hornbook.compiler.prove.second_player_win import second_player_win
from hornbook.compiler.prove.weakening import without_weaker
from hornbook.kb.ast.declarations import Replies
from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.substitution import at_moment, statement_at
from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, WON, Atom, Constant, GameStatement, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass

MAX_CONDITIONS = 120
"""The maximum number of conditions.

Larger rules cost more to match than they save (Minton 1988) and are not stored.
"""
MAX_REASONS = 12
"""The maximum number of successive obstacles named as the reason for a failed proof."""
MAX_READINGS = 4
"""The maximum number of focus sets of a position's answers tried for a rule."""


class ProverMoves(Protocol):
    """The moves and positions of a game, as the prover needs them; a position is any hashable object."""

    @property
    def focus_predicate(self) -> str:
        """Return the static predicate that contains the focus set of a position."""

    def facts(self, state: Any, game: Atom, about: FocusSet | None) -> Iterable[GroundFact | Part]:
        """Return the primitive facts of a position, one by one or in parts that other positions may share.

        With a focus set `about`, only the facts relevant to it and the focus set itself are returned.
        """

    def after(self, state: Any, action: GroundFact) -> Any | None:
        """Return the position after an action, or None if the rules forbid it."""

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom | None:
        """Return the game after an action; None if the action loses it."""

    def attempts(self, state: Any, game: Atom, moves: int) -> Iterable[GroundFact]:
        """Return the friend's actions that may win within `moves` of his moves, best first."""

    def wider(self, state: Any, game: Atom, about: FocusSet) -> Iterable[FocusSet]:
        """Return focus sets that contain the given one, from the set itself to sets with supporting
        objects.
        """

    def replies(self, state: Any, game: Atom, about: FocusSet) -> Iterable[GroundFact]:
        """Return the opponent's actions, legal or not, on objects of the focus set."""


@dataclass(frozen=True, slots=True)
class ProvedRule:
    """A rule from a proof, and its certificate."""

    rule: Rule
    certificate: Certificate


_Goal = tuple[Hashable, Atom, bool]
"""A position, a game, and whether the friend plays first."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A reason why a proof failed; `then` is the position of the next obstacle."""

    message: str
    then: _Goal | None = None


_NO_MOVES_LEFT = Obstacle("no rule answers, and no moves are left")


class WinProver:
    """A prover of wins in positions of one theory, which learns rules from its proofs.

    Args:
        theory: The theory of the positions, which may be a part of `whole`.
        admit: Receives each certified rule and may rename it.
        whole: The theory for certification. Its other parts may conclude more facts of the same relations.
        named: Gives a new rule its name before it is certified. It returns None if another rule is as
            general, and then nothing is proved.
        claims: Rules of the theory whose conclusions count as wins without a proof.
        things: Constants that become one variable each in a rule, in addition to the focus set.

    Each position matched or loaded, and each query, is charged to the budget. If it is exhausted, the proof
    ends with a SpentError, and the rules learned so far remain.
    """

    def __init__(
        self,
        theory: Theory,
        play: ProverMoves,
        admit: Callable[[ProvedRule], ProvedRule],
        budget: Budget | None = None,
        whole: Theory | None = None,
        named: Callable[[Rule], Rule | None] = lambda rule: rule,
        claims: Sequence[Rule] = (),
        things: frozenset[Constant] = frozenset(),
    ) -> None:
        self.budget = budget or Budget()
        self.theory = theory
        self.whole = whole or theory
        self.play = play
        self.admit = admit
        self.named = named
        limits = self.budget.limits
        self.symbolic = KnowledgeBase(theory, derivations="all", limits=limits)
        self.position = IncrementalState(self.symbolic)
        self.matcher = RuleMatcher(theory, play.focus_predicate, limits)
        for claim in claims:
            self.matcher.add(claim)
        self.things = things
        self.lemmas: dict[str, Lemma] = {}
        self.refused: list[str] = []
        self._games_won_directly = frozenset(
            rule.head.game.predicate
            for rule in theory.rules
            if isinstance(rule.head, GameStatement) and rule.head.value == SECOND_PLAYER_WIN
        )
        self._likely: dict[str, tuple[LikelyPass, ...]] = {}
        self._pass_state: IncrementalState | None = None
        """A separate state for tests of passes, so that these do not change what proofs find."""
        self._failed: dict[_Goal, int] = {}
        self._obstacles: dict[_Goal, Obstacle] = {}
        self._answers: dict[tuple[Hashable, Atom, Constant], tuple[int, list[FocusSet]]] = {}
        """The focus sets of a position's answers, with the number of rules when they were found."""
        self._refused_sets: dict[tuple[Hashable, Atom, FocusSet], tuple[int, str]] = {}
        """The number of rules, and the reason, when a focus set of a second-player win last gave no rule."""

    @property
    def queried(self) -> list[tuple[Any, Atom]]:
        """The positions and games about which the rules were queried, without repetitions."""
        return list(dict.fromkeys((state, game) for state, game, _ in self._answers))

    # Positions

    def won(self, state: Any, game: Atom, moves: int) -> list[FocusSet]:
        """Return the focus sets of rules that prove a win within `moves` moves of the friend, if he plays
        first.

        The list is empty if no such rule is known or can be learned.
        """
        known = self._matched(state, game, WON)
        if known or moves == 0 or self._failed.get((state, game, True), 0) >= moves:
            return known
        if self._learn_evident(state, game) or self._learn_at_once(state, game):
            return self._matched(state, game, WON)
        obstacles = []
        for action in self.play.attempts(state, game, moves):
            after, next_game = self.play.after(state, action), self.play.followed(state, game, action)
            found = (
                []
                if after is None or next_game is None
                else self.second_player_win(after, next_game, moves - 1)
            )
            for about in self._wider(state, game, found):
                if self._learn_won(state, game, action, about):
                    return self._matched(state, game, WON)
            obstacles.append(self._obstacle_after(action, after, next_game, is_won=bool(found)))
        nothing = Obstacle(f"the domain names no move that may win within {counted(moves, 'move')}")
        self._failed[state, game, True] = moves
        self._obstacles[state, game, True] = obstacles[0] if obstacles else nothing
        return []

    def second_player_win(self, state: Any, game: Atom, moves: int) -> list[FocusSet]:
        """Return the focus sets of rules that prove a win within `moves` moves of the friend, if he plays
        second.
        """
        known = self._matched(state, game, SECOND_PLAYER_WIN)
        if not known and game.predicate in self._games_won_directly and self._learn_direct_win(state, game):
            known = self._matched(state, game, SECOND_PLAYER_WIN)
        if known or moves == 0 or self._failed.get((state, game, False), 0) >= moves:
            return known
        if self.theory.replies_of(game.predicate) is None:
            message = f"the theory has no `replies` to `{game.predicate}`, so no proof can cover them"
            self._obstacles[state, game, False] = Obstacle(message)
            return []
        # If the opponent can pass, the friend must also win by playing first. Otherwise the obligation to
        # move may be why he loses.
        start = self.won(state, game, moves) if self._likely_passes(game) else []
        if not start:
            pass_action = self._pass(state, game)
            start = [frozenset()] if pass_action is None else []
            if pass_action is not None:
                message = f"the opponent may pass by `{_shown(pass_action)}`"
                self._obstacles[state, game, False] = Obstacle(message, (state, game, True))
        for about in self._wider(state, game, start):
            answered = self._answered(state, game, moves, about)
            if answered is not None:
                if self._learn_second_player_win(state, game, answered):
                    return self._matched(state, game, SECOND_PLAYER_WIN)
                self._obstacles[state, game, False] = Obstacle(
                    f"every reply is answered in play, but {self._refusal}"
                )
        self._failed[state, game, False] = moves
        return []

    def reason(self, state: Any, game: Atom, *, first: bool) -> str:
        """Return the reason why nothing was proved about a position, with the moves that lead to it."""
        messages: list[str] = []
        key: _Goal | None = (state, game, first)
        while key is not None and len(messages) < MAX_REASONS:
            obstacle = self._obstacles.get(key, _NO_MOVES_LEFT)
            messages.append(obstacle.message)
            key = obstacle.then
        return ": ".join(messages)

    def _obstacle_after(
        self, action: GroundFact, after: Any | None, next_game: Atom | None, *, is_won: bool
    ) -> Obstacle:
        """Return the reason why an action gave no proof of a win."""
        shown = f"`{_shown(action)}`"
        if after is None:
            return Obstacle(f"{shown} is illegal")
        if next_game is None:
            return Obstacle(f"{shown} loses the game")
        if is_won:
            return Obstacle(f"{shown} wins in play, but {self._refusal}")
        return Obstacle(f"after {shown}", (after, next_game, False))

    @property
    def _refusal(self) -> str:
        """Return the reason why the last proof gave no rule."""
        goal, _, reason = (
            self.refused[-1].partition(": ") if self.refused else ("", "", "the proof gives no rule")
        )
        kind, _, detail = reason.partition(": ")
        match kind:
            case "not derived":
                return f"the theory does not derive `{goal}`"
            case "UnansweredError":
                return f"the theory derives no win after `{detail}`"
            case _:
                return detail if kind.endswith("Error") else reason

    def _pass(self, state: Any, game: Atom) -> GroundFact | None:
        """Return a reply that the opponent can make and that leaves the position unchanged.

        Return None if there is none.
        """
        likely = self._likely_passes(game)
        if not likely:
            return None
        if self._pass_state is None:
            self._pass_state = IncrementalState(KnowledgeBase(self.theory, limits=self.budget.limits))
        self.budget.spend()
        try:
            with self.budget.bounding():
                self._pass_state.at(self.play.facts(state, game, _things(game)))
        except KnowledgeBaseError:
            return None
        return playable_pass(self._pass_state.base, self._replies(game), game, likely, self.budget)

    def _likely_passes(self, game: Atom) -> tuple[LikelyPass, ...]:
        if game.predicate not in self._likely:
            self._likely[game.predicate] = likely_passes(self.theory, self._replies(game))
        return self._likely[game.predicate]

    def _replies(self, game: Atom) -> Replies:
        declared = self.theory.replies_of(game.predicate)
        assert declared is not None
        return declared

    def _wider(self, state: Any, game: Atom, found: Sequence[FocusSet]) -> Iterator[FocusSet]:
        """Yield focus sets for a proof: those of the rules found, then larger ones."""
        for about in found[:MAX_READINGS]:
            yield from self.play.wider(state, game, about)

    def _answered(self, state: Any, game: Atom, moves: int, about: FocusSet) -> FocusSet | None:
        """Return the focus set extended until the game is won after each reply on its objects.

        Return None if a reply is unanswered.
        """
        looked: set[GroundFact] = set()
        while waiting := [reply for reply in self.play.replies(state, game, about) if reply not in looked]:
            for reply in waiting:
                looked.add(reply)
                after = self.play.after(state, reply)
                if after is None:
                    continue
                next_game = self.play.followed(state, game, reply)
                found = [] if next_game is None else self.won(after, next_game, moves)
                if not found:
                    message = f"the reply `{_shown(reply)}` has no answer"
                    below = None if next_game is None else (after, next_game, True)
                    self._obstacles[state, game, False] = Obstacle(message, below)
                    return None
                about |= min(found, key=lambda below: len(below - about))
        return about

    def _matched(self, state: Any, game: Atom, value: Constant) -> list[FocusSet]:
        """Return the focus sets of all answers by rules."""
        self.budget.spend()
        key = state, game, value
        rules, known = self._answers.get(key, (-1, []))
        if rules == len(self.lemmas):
            return known
        with self.budget.bounding():
            found = self.matcher.matches(self.play.facts(state, game, None), game, value)
        focus_sets = (
            m.about if m.conclusion.by is None else m.about | _things(m.conclusion.by) for m in found
        )
        answers_by_rules = list(dict.fromkeys(focus_sets))
        self._answers[key] = len(self.lemmas), answers_by_rules
        return answers_by_rules

    # Rules

    def _learn_won(self, state: Any, game: Atom, action: GroundFact, about: FocusSet) -> bool:
        """Learn the winning move; return whether that could be proved for the focus set."""
        by = Atom(action.relation, tuple(map(Constant, action.values)))
        goal = GameStatement(game, by, WON)
        with self._position(state, game, about | _things(game) | _things(by), [action]) as base:
            if base is None or not base.holds(goal):
                return self._refuse(goal, "not derived")
            found = self._explanation(base, goal)
        return self._learn(found)

    def _learn_at_once(self, state: Any, game: Atom) -> bool:
        """Learn an action that wins the game at once."""
        return any(
            self._learn_won(state, game, action, _things(game))
            for action in self.play.attempts(state, game, 1)
        )

    def _learn_evident(self, state: Any, game: Atom) -> bool:
        """Learn a win that the theory states directly for the position."""
        with self._position(state, game, _things(game), []) as base:
            found = [] if base is None else list(self._evident(base, game))
        return any(self._learn(explanation) for explanation in found[:1])

    def _learn_direct_win(self, state: Any, game: Atom) -> bool:
        """Learn a second-player win that the theory states directly for the position."""
        goal = GameStatement(game, None, SECOND_PLAYER_WIN)
        for about in self.play.wider(state, game, _things(game)):
            with self._position(state, game, about, []) as base:
                if base is None or not base.holds(goal):
                    continue
                found = self._explanation(base, goal)
            if self._learn(found, at_any_moment=True):
                return True
        return False

    def _evident(self, base: KnowledgeBase, game: Atom) -> Iterator[Explanation]:
        for relation in base.relations():
            if isinstance(relation, GameStatement) and relation.by is not None and relation.tense == "before":
                for goal in base.engine.statements(relation.relation, "before"):
                    assert isinstance(goal, GameStatement)
                    if (
                        goal.game.predicate == game.predicate
                        and goal.game.terms == game.terms
                        and goal.value == WON
                    ):
                        yield self._explanation(base, goal)

    def _explanation(self, base: KnowledgeBase, goal: GameStatement) -> Explanation:
        return Preferring(base).explanation(goal)

    def _learn(self, found: Explanation, *, at_any_moment: bool = False) -> bool:
        """Learn a rule from an explanation.

        With `at_any_moment`, an explanation without an action gives a timeless rule.
        """
        vocabulary = operational_vocabulary(self.theory)
        try:
            generalised = generalise_things(found, vocabulary, self._focus_set())
            learned = normalised(condensed(regress(generalised, vocabulary, "learned")))
            rule = learned.rule
            if at_any_moment:
                head = statement_at(rule.head, None, vocabulary)
                rule = replace(rule, head=head, body=tuple(at_moment(c, None, vocabulary) for c in rule.body))
            return self._certify(rule, learned.steps)
        except (NotOperationalError, RejectedError) as problem:
            assert isinstance(found.goal, GameStatement)
            return self._refuse(found.goal, str(problem))

    def _learn_second_player_win(self, state: Any, game: Atom, about: FocusSet) -> bool:
        """Learn that the game is won against every reply.

        Return whether that could be proved for the focus set.
        """
        goal = GameStatement(game, None, SECOND_PLAYER_WIN)
        about |= _things(game)
        rules, reason = self._refused_sets.get((state, game, about), (-1, ""))
        if rules == len(self.lemmas):
            # Without a new rule, the proof fails in the same way.
            return self._refuse(goal, reason)
        refusal = self._second_player_win_refusal(state, game, about)
        if refusal is None:
            return True
        self._refused_sets[state, game, about] = len(self.lemmas), refusal
        return self._refuse(goal, refusal)

    def _second_player_win_refusal(self, state: Any, game: Atom, about: FocusSet) -> str | None:
        """Learn a second-player win. Return the reason if it gave no rule."""
        replies = self._replies(game)
        try:
            with self._position(state, game, about, []) as base:
                if base is None:
                    return "contradiction"
                found = answers(base, replies, game, self.budget)
            win = second_player_win(
                found, replies, game, operational_vocabulary(self.theory), self._focus_set(), "learned"
            )
            self._certify(win.rule, win.steps, win.replies, win.open)
        except (KnowledgeBaseError, NotOperationalError, RejectedError, UnansweredError) as problem:
            return f"{type(problem).__name__}: {problem}"
        return None

    def _focus_set(self) -> frozenset[Constant]:
        """Return the focus set of the loaded position, with the prover's own constants."""
        rows = (
            row
            for part in self.position.parts
            for (relation, _), found in part.rows().items()
            if relation == self.play.focus_predicate
            for row in found
        )
        return self.things | {Constant(value) for row in rows for value in row}

    def _certify(
        self,
        rule: Rule,
        steps: Sequence[ProofStep],
        replies: Sequence[CaseProof] = (),
        opening: Opening | None = None,
    ) -> bool:
        """Admit a rule that the checker accepts. Raise RejectedError if it does not."""
        rule, given = without_weaker(rule, self.theory)
        if len(rule.body) > MAX_CONDITIONS:
            raise NotOperationalError(
                f"the rule would have {len(rule.body)} conditions, more than {MAX_CONDITIONS}"
            )
        known = self.named(rule)
        if known is None:
            return True
        certificate = certificate_of(known, (*given, *steps), self.whole, self.lemmas, replies, opening)
        verify(known, certificate, self.whole, self.lemmas)
        entry = self.admit(ProvedRule(known, certificate))
        if entry.rule.name in self.lemmas:
            # An existing rule is as general.
            return True
        self.matcher.add(entry.rule)
        add_proved_rules(self.symbolic, [entry.rule])
        self.lemmas[entry.rule.name] = Lemma.of(entry.rule, entry.certificate)
        return True

    def _refuse(self, goal: GameStatement, reason: str) -> bool:
        self.refused.append(f"{print_condition(goal)}: {reason}")
        return False

    @contextmanager
    def _position(
        self, state: Any, game: Atom, about: FocusSet, actions: Sequence[GroundFact]
    ) -> Iterator[KnowledgeBase | None]:
        """Yield the theory in a position restricted to a focus set; None if the position is contradictory."""
        self.budget.spend()
        try:
            with self.budget.bounding():
                self.position.at(self.play.facts(state, game, about))
        except KnowledgeBaseError:
            yield None
            return
        self.symbolic.push()
        try:
            yield self.symbolic if self._fits(actions) else None
        finally:
            self.symbolic.pop()

    def _fits(self, actions: Sequence[GroundFact]) -> bool:
        """Add the actions to the position; return whether that is consistent."""
        try:
            with self.budget.bounding():
                self.symbolic.add(actions)
        except KnowledgeBaseError:
            return False
        return True


def _shown(action: GroundFact) -> str:
    return print_condition(Atom(action.relation, tuple(map(Constant, action.values))))


def _things(atom: Atom) -> FocusSet:
    """Return the constants in a game or an action."""
    return frozenset(t.value for t in atom.terms if isinstance(t, Constant) and isinstance(t.value, str))
