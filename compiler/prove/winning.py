"""Positions to be won: each is proved won move by move, and every proof on the way gives a rule.

A position is won for the friend to play by a move after which it is still won; it is still won where it is won
again after each reply. What a learned rule answers is not proved again. So depth is built on depth: a rule rests
on rules for the positions one move later, which it reads at the moment after.

The play itself (what a move leads to, which moves are worth trying) comes from outside; nothing of it is believed:
rules come from proofs by the theory, and the checker certifies each.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Protocol

from hornbook.compiler.checker.certificate import CaseProof, Certificate, Opening, Step
from hornbook.compiler.checker.checker import Lemma, RejectedError, verify
from hornbook.compiler.generalise.askable import askable
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.generalise.explanation import Explanation
from hornbook.compiler.generalise.generalisation import NotOperationalError, generalise_things
from hornbook.compiler.generalise.regression import regress, tidied
from hornbook.compiler.generalise.simplification import folded
from hornbook.compiler.match.position import About, Matcher, Standing
from hornbook.compiler.prove.opponent import UnansweredError, answers
from hornbook.compiler.prove.passes import LikelyPass, a_pass, likely_passes
from hornbook.compiler.prove.preference import Preferring
from hornbook.compiler.prove.second_player_win import SECOND_PLAYER_WIN, WON, second_player_win
from hornbook.compiler.prove.weakening import without_weaker
from hornbook.kb.ast.declarations import Replies
from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.substitution import at_moment, statement_at
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget
from hornbook.kb.lower.faults import KnowledgeBaseError
from hornbook.kb.text.counts import counted

MAX_CONDITIONS = 120
"""Rules that ask for more cost more to match than they save (Minton 1988), and are not kept."""
MAX_REASONS = 12
"""So many obstacles, one after the other, are named as the reason why nothing was proved."""
MAX_READINGS = 4
"""How many ways in which a position is answered are tried to rest a rule on."""


class Play(Protocol):
    """What a game's positions are to the prover: any hashable thing."""

    @property
    def focus_predicate(self) -> str:
        """The static predicate that says what a reading of a position is about."""

    def facts(self, state: Any, game: Atom, about: About | None) -> Iterable[GroundFact | Part]:
        """The primitive facts of a position, by themselves or in parts, of which other positions may have the same; where
        not all is to be read, it says what a reading is about.
        """

    def after(self, state: Any, action: GroundFact) -> Any | None:
        """The position after an action, or None where the rules forbid it."""

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom | None:
        """What the game is about after an action; None where it is lost by it."""

    def attempts(self, state: Any, game: Atom, moves: int) -> Iterable[GroundFact]:
        """The friend's actions that may win within so many of his moves, the best first."""

    def wider(self, state: Any, game: Atom, about: About) -> Iterable[About]:
        """What a reading may be about where its moves are about this: first no more, then what may help it."""

    def replies(self, state: Any, game: Atom, about: About) -> Iterable[GroundFact]:
        """The opponent's actions, legal or not, about things of those."""


@dataclass(frozen=True, slots=True)
class Proved:
    """A rule that a proof gave, and its certificate."""

    rule: Rule
    certificate: Certificate


_Asked = tuple[Hashable, Atom, bool]
"""A position, a game, and whether the friend plays first."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A reason why a proof failed; it continues with the obstacle of the position in `then`."""

    said: str
    then: _Asked | None = None


_NO_MOVES_LEFT = Obstacle("no rule answers, and no moves are left")


class Prover:
    """Proves positions of one theory won, and learns. `named` gives a rule that a proof gave its name before it is certified,
    or None where another rule says as much, and nothing is to be proved; `admit` is given each certified rule, and may
    give it another name.

    The theory may be a part of a `whole`: then that is what rules are certified for, since other parts may say more of the
    same relations. `claims` are rules of the theory at whose word a position counts as won, and `things` are what a rule has one name
    for each, however often a proof speaks of it, beside what a reading is about.

    Each position that is matched or read is a step of the budget, and so is what is asked of it; a proof that needs more
    ends with a SpentError, and what was learned by then stays.
    """

    def __init__(
        self,
        theory: Theory,
        play: Play,
        admit: Callable[[Proved], Proved],
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
        self.stand = Standing(self.symbolic)
        self.matcher = Matcher(theory, play.focus_predicate, limits)
        for claim in claims:
            self.matcher.add(claim)
        self.things = things
        self.lemmas: dict[str, Lemma] = {}
        self.refused: list[str] = []
        self._standing = frozenset(
            rule.head.game.predicate
            for rule in theory.rules
            if isinstance(rule.head, GameStatement) and rule.head.value == SECOND_PLAYER_WIN
        )
        self._likely: dict[str, tuple[LikelyPass, ...]] = {}
        self._aside: Standing | None = None
        """Positions as they are looked at for passes alone, so that this changes nothing of what proofs find."""
        self._failed: dict[_Asked, int] = {}
        self._obstacles: dict[_Asked, Obstacle] = {}

    # Positions

    def won(self, state: Any, game: Atom, moves: int) -> list[About]:
        """What rules speak of by which the game is won for a friend who plays first, within so many of his moves.

        There is nothing where no such rule was known or could be learned.
        """
        known = self._matched(state, game, WON)
        if known or moves == 0 or self._failed.get((state, game, True), 0) >= moves:
            return known
        if self._learn_evident(state, game) or self._learn_at_once(state, game):
            return self._matched(state, game, WON)
        obstacles = []
        for action in self.play.attempts(state, game, moves):
            after, then = self.play.after(state, action), self.play.followed(state, game, action)
            found = [] if after is None or then is None else self.second_player_win(after, then, moves - 1)
            for about in self._wider(state, game, found):
                if self._learn_won(state, game, action, about):
                    return self._matched(state, game, WON)
            obstacles.append(self._obstacle_after(action, after, then, is_won=bool(found)))
        nothing = Obstacle(f"the domain names no move that may win within {counted(moves, 'move')}")
        self._failed[state, game, True] = moves
        self._obstacles[state, game, True] = obstacles[0] if obstacles else nothing
        return []

    def second_player_win(self, state: Any, game: Atom, moves: int) -> list[About]:
        """The same of a friend who plays second."""
        known = self._matched(state, game, SECOND_PLAYER_WIN)
        if not known and game.predicate in self._standing and self._learn_standing(state, game):
            known = self._matched(state, game, SECOND_PLAYER_WIN)
        if known or moves == 0 or self._failed.get((state, game, False), 0) >= moves:
            return known
        if self.theory.replies_of(game.predicate) is None:
            said = f"the theory has no `replies` to `{game.predicate}`, so no proof can cover them"
            self._obstacles[state, game, False] = Obstacle(said)
            return []
        # Where the opponent can pass, the friend must also win by playing first. Where he cannot, the duty to move may be
        # what he loses by.
        start = self.won(state, game, moves) if self._likely_passes(game) else []
        if not start:
            passing = self._pass(state, game)
            start = [frozenset()] if passing is None else []
            if passing is not None:
                said = f"the opponent may pass by `{_shown(passing)}`"
                self._obstacles[state, game, False] = Obstacle(said, (state, game, True))
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
        """The reason why nothing was proved of a position, with the moves that lead to it."""
        said: list[str] = []
        key: _Asked | None = (state, game, first)
        while key is not None and len(said) < MAX_REASONS:
            obstacle = self._obstacles.get(key, _NO_MOVES_LEFT)
            said.append(obstacle.said)
            key = obstacle.then
        return ": ".join(said)

    def _obstacle_after(
        self, action: GroundFact, after: Any | None, then: Atom | None, *, is_won: bool
    ) -> Obstacle:
        """The reason why an action gave no proof of a win."""
        shown = f"`{_shown(action)}`"
        if after is None:
            return Obstacle(f"{shown} is illegal")
        if then is None:
            return Obstacle(f"{shown} loses the game")
        if is_won:
            return Obstacle(f"{shown} wins in play, but {self._refusal}")
        return Obstacle(f"after {shown}", (after, then, False))

    @property
    def _refusal(self) -> str:
        """The reason why the last proof gave no rule."""
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
        """A reply that the opponent can make and that leaves the position as it is; None without such a reply."""
        likely = self._likely_passes(game)
        if not likely:
            return None
        if self._aside is None:
            self._aside = Standing(KnowledgeBase(self.theory, limits=self.budget.limits))
        self.budget.spend()
        try:
            with self.budget.bounding():
                self._aside.at(self.play.facts(state, game, _things(game)))
        except KnowledgeBaseError:
            return None
        return a_pass(self._aside.base, self._replies(game), game, likely, self.budget)

    def _likely_passes(self, game: Atom) -> tuple[LikelyPass, ...]:
        if game.predicate not in self._likely:
            self._likely[game.predicate] = likely_passes(self.theory, self._replies(game))
        return self._likely[game.predicate]

    def _replies(self, game: Atom) -> Replies:
        declared = self.theory.replies_of(game.predicate)
        assert declared is not None
        return declared

    def _wider(self, state: Any, game: Atom, found: Sequence[About]) -> Iterator[About]:
        """What a proof may speak of: what one of the rules found speaks of, then more than that."""
        for about in found[:MAX_READINGS]:
            yield from self.play.wider(state, game, about)

    def _answered(self, state: Any, game: Atom, moves: int, about: About) -> About | None:
        """That and what is spoken of where the game is won again after each reply about it, if it always is."""
        looked: set[GroundFact] = set()
        while waiting := [reply for reply in self.play.replies(state, game, about) if reply not in looked]:
            for reply in waiting:
                looked.add(reply)
                after = self.play.after(state, reply)
                if after is None:
                    continue
                then = self.play.followed(state, game, reply)
                found = [] if then is None else self.won(after, then, moves)
                if not found:
                    said = f"the reply `{_shown(reply)}` has no answer"
                    below = None if then is None else (after, then, True)
                    self._obstacles[state, game, False] = Obstacle(said, below)
                    return None
                about |= min(found, key=lambda below: len(below - about))
        return about

    def _matched(self, state: Any, game: Atom, value: Constant) -> list[About]:
        """What the rules that answer speak of, in each way in which they do."""
        self.budget.spend()
        with self.budget.bounding():
            found = self.matcher.matches(self.play.facts(state, game, None), game, value)
        spoken = (m.about if m.conclusion.by is None else m.about | _things(m.conclusion.by) for m in found)
        return list(dict.fromkeys(spoken))

    # Rules

    def _learn_won(self, state: Any, game: Atom, action: GroundFact, about: About) -> bool:
        """Learns by what move the game is won; whether that could be proved of these things."""
        by = Atom(action.relation, tuple(map(Constant, action.values)))
        goal = GameStatement(game, by, WON)
        with self._position(state, game, about | _things(game) | _things(by), [action]) as base:
            if base is None or not base.holds(goal):
                return self._refuse(goal, "not derived")
            found = self._explanation(base, goal)
        return self._learn(found)

    def _learn_at_once(self, state: Any, game: Atom) -> bool:
        """Learns an action by which the game is won at once."""
        return any(
            self._learn_won(state, game, action, _things(game))
            for action in self.play.attempts(state, game, 1)
        )

    def _learn_evident(self, state: Any, game: Atom) -> bool:
        """Learns what the theory says of the position by itself."""
        with self._position(state, game, _things(game), []) as base:
            found = [] if base is None else list(self._evident(base, game))
        return any(self._learn(explanation) for explanation in found[:1])

    def _learn_standing(self, state: Any, game: Atom) -> bool:
        """Learns that the theory itself says, of the position as it stands, that the opponent may play first."""
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
                for goal in base.statements(relation.relation, "before"):
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
        """Learns what an explanation says, which may be of a position alone, with no action: then at any moment."""
        vocabulary = askable(self.theory)
        try:
            generalised = generalise_things(found, vocabulary, self._focus_set())
            learned = tidied(folded(regress(generalised, vocabulary, "learned")))
            rule = learned.rule
            if at_any_moment:
                head = statement_at(rule.head, None, vocabulary)
                rule = replace(rule, head=head, body=tuple(at_moment(c, None, vocabulary) for c in rule.body))
            return self._certify(rule, learned.steps)
        except (NotOperationalError, RejectedError) as problem:
            assert isinstance(found.goal, GameStatement)
            return self._refuse(found.goal, str(problem))

    def _learn_second_player_win(self, state: Any, game: Atom, about: About) -> bool:
        """Learns that the game is won against every reply; whether that could be proved of these things."""
        goal = GameStatement(game, None, SECOND_PLAYER_WIN)
        replies = self._replies(game)
        try:
            with self._position(state, game, about | _things(game), []) as base:
                if base is None:
                    return self._refuse(goal, "contradiction")
                found = answers(base, replies, game, self.budget)
            still = second_player_win(
                found, replies, game, askable(self.theory), self._focus_set(), "learned"
            )
            return self._certify(still.rule, still.steps, still.replies, still.open)
        except (KnowledgeBaseError, NotOperationalError, RejectedError, UnansweredError) as problem:
            return self._refuse(goal, f"{type(problem).__name__}: {problem}")

    def _focus_set(self) -> frozenset[Constant]:
        """What the reading of the position at which the theory stands is about."""
        facts = (fact for part in self.stand.parts for fact in part.facts())
        spoken = (fact for fact in facts if fact.relation == self.play.focus_predicate)
        return self.things | {Constant(value) for fact in spoken for value in fact.values}

    def _certify(
        self,
        rule: Rule,
        steps: Sequence[Step],
        replies: Sequence[CaseProof] = (),
        opening: Opening | None = None,
    ) -> bool:
        """Admits a rule that the checker finds to follow. Raises RejectedError where it does not."""
        rule, given = without_weaker(rule, self.theory)
        if len(rule.body) > MAX_CONDITIONS:
            raise NotOperationalError(f"the rule would ask for {len(rule.body)} conditions")
        known = self.named(rule)
        if known is None:
            return True
        certificate = certificate_of(known, (*given, *steps), self.whole, self.lemmas, replies, opening)
        verify(known, certificate, self.whole, self.lemmas)
        entry = self.admit(Proved(known, certificate))
        if entry.rule.name in self.lemmas:
            # A rule that is there already says as much.
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
        self, state: Any, game: Atom, about: About, actions: Sequence[GroundFact]
    ) -> Iterator[KnowledgeBase | None]:
        """The theory on a position of which a reading is about some things; None where it contradicts itself."""
        self.budget.spend()
        try:
            with self.budget.bounding():
                self.stand.at(self.play.facts(state, game, about))
        except KnowledgeBaseError:
            yield None
            return
        self.symbolic.push()
        try:
            yield self.symbolic if self._fits(actions) else None
        finally:
            self.symbolic.pop()

    def _fits(self, actions: Sequence[GroundFact]) -> bool:
        """Adds the actions to the position, unless they contradict it."""
        try:
            with self.budget.bounding():
                self.symbolic.add(actions)
        except KnowledgeBaseError:
            return False
        return True


def _shown(action: GroundFact) -> str:
    return print_condition(Atom(action.relation, tuple(map(Constant, action.values))))


def _things(atom: Atom) -> About:
    """The things that a game or an action is about."""
    return frozenset(t.value for t in atom.terms if isinstance(t, Constant) and isinstance(t.value, str))
