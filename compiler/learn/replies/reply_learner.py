"""Learning from positions that a game is won against every reply, from rules about single moves.

If the conditions after a move are regressed along the example, an explanation of a win after two moves fits
only its own position. Here each predicate on which a win depends is regressed as a whole
(`compiler/learn/regression/theory_regression.py`). The regressed predicates are operational, so an
explanation ends in them. The steps are those of retrograde analysis:

1. positions won at once give rules for a single move;
2. the conditions of these rules are regressed through a reply, and each reply in the example positions gives
   a clause of the predicate that the game is won after it;
3. the closed sets of the replies give a predicate that the game is won after all of them, and with it, the
   rule that the game is won although the opponent plays first;
4. that predicate is regressed through the first move, and the example positions give the rules for it.

Invariants: each lemma and each rule has a certificate that the checker accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.checker import verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.generalise.cheapest import cheapest_explanation
from hornbook.compiler.generalise.generalisation import NotOperationalError, generalise_things
from hornbook.compiler.generalise.operational import operational_vocabulary
from hornbook.compiler.generalise.regression import normalised, regress
from hornbook.compiler.generalise.simplification import condensed
from hornbook.compiler.learn.invention import InventionResult
from hornbook.compiler.learn.lessons import Problem, RuleLearner, without_special_cases
from hornbook.compiler.learn.replies.proved_theory import ProvedTheory
from hornbook.compiler.learn.replies.reply_predicates import (
    after_every_reply,
    after_reply,
    closed_replies,
)
from hornbook.compiler.match.position import FocusSet, IncrementalState
from hornbook.compiler.prove.winning import ProverMoves
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base
from hornbook.compiler.rules.subsumption import subsumes
from hornbook.kb.ast.declarations import Replies, ReplyCase
from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.substitution import apply_to_condition, at_moment
from hornbook.kb.ast.terms import (
    SECOND_PLAYER_WIN,
    WON,
    Atom,
    Condition,
    Constant,
    GameStatement,
    Rule,
    Variable,
    condition_variables,
    statements,
)
from hornbook.kb.ast.theory import GroundFact, Theory, Vocabulary
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import Query


def learn_against_replies(theory: Theory, play: ProverMoves, lessons: Sequence[Problem]) -> InventionResult:
    """Return what positions that are won in one or two moves teach.

    The result has the theory with invented and regressed predicates, and a base with their lemmas and the
    rules for the games of the lessons. Raise RejectedError if the checker rejects the results.
    """
    return _ReplyLearner(theory, play, lessons).learned()


Try = tuple[GroundFact, Any, Atom]
"""A move that may win by the second one, and the position with its game after it."""


class _ReplyLearner:
    """The state of learning from some positions."""

    def __init__(self, theory: Theory, play: ProverMoves, lessons: Sequence[Problem]) -> None:
        self.proved = ProvedTheory(theory)
        self.words = theory.vocabulary
        self.lessons = lessons
        self.games = _concluded_games(theory)
        self.play = _OfConcludedGames(play, {inner: outer for outer, inner in self.games.items()})
        self.won_after: dict[tuple[str, str], list[Rule]] = {}
        """The rules that a game is won after a reply, by the game and the action."""

    def learned(self) -> InventionResult:
        """Return what the lessons teach."""
        for declared in self.proved.given.replies:
            self.proved.conditions |= {
                case.unless.relation for case in declared.cases if case.unless is not None
            }
        for action, names in self._results().items():
            self.proved.regress(names, action)
        self._learn_at_once()
        for declared, openings in self._learn_replies():
            self._define(declared, openings)
        return InventionResult(self.proved.defined, self._with_rules())

    def _inner(self, lesson: Problem) -> Problem:
        game = lesson.game
        return replace(lesson, game=replace(game, predicate=self.games.get(game.predicate, game.predicate)))

    def _results(self) -> dict[str, set[str]]:
        """Return by action the predicates after it on which a win depends.

        A predicate with a clause that cannot be regressed is left out. Another clause of the game may not
        need it.
        """
        games = {
            name for each in self.lessons for name in (each.game.predicate, self._inner(each).game.predicate)
        }
        found: dict[str, set[str]] = {}
        for rule in self.proved.given.rules:
            head = rule.head
            if isinstance(head, GameStatement) and head.by is not None and head.game.predicate in games:
                action = head.by.predicate
                for each in statements(rule.body):
                    if isinstance(each, Atom) and each.tense == "after":
                        found.setdefault(action, set()).add(each.relation)
        return {
            action: {name for name in names if self.proved.is_regressed(name, action)}
            for action, names in found.items()
        }

    def _learn_at_once(self) -> None:
        """Learn from positions that are won by one move; the rules become lemmas."""
        learner = self._rule_learner(self.play, RuleBase(self.proved.given.name))
        list(learner.learn(self._inner(each) for each in self.lessons if each.moves == 1))
        names = {entry.rule.name: f"at_once_{entry.rule.label}" for entry in learner.base}
        for entry in learner.base:
            rule = replace(entry.rule, label=names[entry.rule.name], lemma=True)
            self.proved.add(rule, self._certificate(entry, rule, names))
        needed = {s.relation for entry in learner.base for s in statements(entry.rule.body)}
        for action in self._reply_actions():
            self.proved.regress(needed, action)

    def _rule_learner(self, play: ProverMoves, base: RuleBase) -> RuleLearner:
        return RuleLearner(self.proved.symbolic, play, base, whole=self.proved.theory)

    @cached_property
    def _tries(self) -> Sequence[Try]:
        found = []
        for lesson in (self._inner(each) for each in self.lessons if each.moves == 2):
            for action in self.play.attempts(lesson.state, lesson.game, 2):
                after = self.play.after(lesson.state, action)
                game = self.play.followed(lesson.state, lesson.game, action)
                if after is not None and game is not None:
                    found.append((action, after, game))
        return found

    def _reply_actions(self) -> dict[str, None]:
        """Return the actions of the replies in the example positions."""
        return dict.fromkeys(
            reply.relation
            for _, after, game in self._tries
            for reply in self.play.replies(after, game, frozenset())
        )

    # Replies

    def _learn_replies(self) -> list[tuple[Replies, list[Rule]]]:
        """Learn why a game is won after each reply in the example positions.

        Return the declared replies of the games, each with the rules for a reply that is always open.
        """
        positions = _Positions(self.proved.symbolic)
        found: dict[str, tuple[Replies, list[Rule]]] = {}
        for _, after, game in self._tries:
            declared = self.proved.given.replies_of(game.predicate)
            if declared is None:
                continue
            positions.state.at(self.play.facts(after, game, None))
            for case in declared.cases:
                for action in positions.members(declared, case, game):
                    rule = positions.rule(action, game)
                    if rule is None:
                        continue
                    if not closed_replies(declared, case, self.words).sets:
                        _add(found.setdefault(game.predicate, (declared, []))[1], rule)
                    else:
                        _add(self.won_after.setdefault((game.predicate, action.relation), []), rule)
        return list(found.values())

    def _define(self, declared: Replies, openings: Sequence[Rule]) -> None:
        """Define that a game is won after every reply, and prove that it is then won."""
        game = declared.game.predicate
        every: list[str] = []
        for case in declared.cases:
            closed = closed_replies(declared, case, self.words)
            if not closed.sets:
                continue
            wins = self.won_after.get((game, case.action.predicate))
            if not wins:
                return
            one = after_reply(game, wins, self.proved.theory)
            binding = list(_binding(openings[0], closed.game.terms, self.words))
            for made in chain((one,), after_every_reply(closed, one, binding, self.words)):
                self.proved.define([made.predicate], made.clauses)
                if self.proved.prove([made.lemma]):
                    return
            every.append(made.predicate.name)
        needed = set(every)
        about = {s.relation for case in declared.cases for s in statements(case.conditions)}
        for number, opening in enumerate(openings, 1):
            terms = opening.head.terms[:-1]
            rest = [at_moment(c, None, self.words) for c in opening.body if not _is_action(c, self.words)]
            head = GameStatement(Atom(game, terms), None, SECOND_PLAYER_WIN)
            body = (*rest, *(Atom(name, terms) for name in every))
            rule = Rule(head, body, f"{game}_is_ig_{number}", lemma=True)
            if not self.proved.prove([rule], about):
                needed |= {s.relation for s in statements(body)}
        for action in dict.fromkeys(action.relation for action, _, _ in self._tries):
            self.proved.regress(needed, action)

    # First moves

    def _with_rules(self) -> RuleBase:
        """Return the lemmas, and the rules for the games of the lessons."""
        base = RuleBase(self.proved.given.name)
        for moves in (1, 2):
            learner = self._rule_learner(_WithinMoves(self.play, moves), base)
            list(learner.learn(replace(each, moves=1) for each in self.lessons if each.moves == moves))
            base = learner.base
        learned = map(self._certified, without_special_cases(base))
        return rule_base(self.proved.given.name, (*self.proved.base, *learned))

    def _certified(self, entry: RuleEntry) -> RuleEntry:
        """Return a rule with a certificate from the definitions and the lemmas of the base."""
        return RuleEntry(entry.rule, self._certificate(entry, entry.rule, {}), entry.provenance)

    def _certificate(self, entry: RuleEntry, rule: Rule, names: Mapping[str, str]) -> Certificate:
        """Return a certificate of a learned rule under another label; `names` has labels of other rules."""
        found, theory, lemmas = entry.certificate, self.proved.defined, self.proved.lemmas
        assert found is not None
        steps = [replace(step, rule=names.get(step.rule, step.rule)) for step in found.steps]
        certificate = certificate_of(rule, steps, theory, lemmas, found.replies, found.open, found.cases)
        verify(rule, certificate, theory, lemmas)
        return certificate


class _Positions:
    """A theory in one position after another, with explanations of what a reply leads to."""

    def __init__(self, theory: Theory) -> None:
        self.base = KnowledgeBase(theory, derivations="all")
        self.state = IncrementalState(self.base)
        self.vocabulary = operational_vocabulary(theory)

    def members(self, declared: Replies, case: ReplyCase, game: Atom) -> list[GroundFact]:
        """Return the replies of an alternative by its closed sets, including those that are impossible.

        For an alternative without a closed set, return its replies.
        """
        conditions: Sequence[Condition] = case.conditions
        closed = closed_replies(declared, case, self.base.theory.vocabulary)
        terms = {
            one.name: other
            for one, other in zip(declared.game.terms, game.terms, strict=True)
            if isinstance(one, Variable)
        }
        if closed.sets:
            bound = {term for condition in closed.conditions for term in condition.terms}
            conditions = [
                *closed.conditions,
                *(c for c in case.conditions if isinstance(c, Atom) and _adds(c, case.action, bound)),
            ]
        query = Query(tuple(apply_to_condition(c, terms) for c in conditions), case.span)
        found = self.base.engine.query(query)
        actions = []
        for row in found.rows:
            values = {**terms, **dict(zip(found.variables, map(Constant, row), strict=True))}
            plain = [values[t.name].value for t in case.action.terms if isinstance(t, Variable)]  # type: ignore[union-attr]
            actions.append(GroundFact(case.action.predicate, tuple(plain)))
        return actions

    def rule(self, action: GroundFact, game: Atom) -> Rule | None:
        """Return the rule from the explanation that a game is won after a reply; None if there is none."""
        goal = GameStatement(replace(game, tense="after"), None, WON)
        self.base.push()
        try:
            self.base.add([action])
            if not self.base.holds(goal):
                return None
            why = cheapest_explanation(self.base, goal, self.vocabulary)
            general = generalise_things(why, self.vocabulary, frozenset())
            return normalised(condensed(regress(general, self.vocabulary, "learned"))).rule
        except (KnowledgeBaseError, NotOperationalError):
            return None
        finally:
            self.base.pop()


def _adds(condition: Atom, action: Atom, bound: set[Any]) -> bool:
    """Return whether a condition binds an argument of an action that closed sets do not."""
    return any(term in action.terms and term not in bound for term in condition.terms)


def _add(rules: list[Rule], rule: Rule) -> None:
    """Add a rule, unless another is as general; remove those that it subsumes."""
    if not any(subsumes(each, rule) for each in rules):
        rules[:] = [*(each for each in rules if not subsumes(rule, each)), rule]


def _binding(opening: Rule, terms: Sequence[Variable | Constant], words: Vocabulary) -> Iterator[Atom]:
    """Yield the conditions of a rule about these arguments of its game, those on fluents first."""
    named = {
        old.name: new
        for old, new in zip(opening.head.terms, terms, strict=False)
        if isinstance(old, Variable)
    }
    for kind in ("fluent", "static"):
        for condition in opening.body:
            if isinstance(condition, Atom) and words.predicates[condition.predicate].kind == kind:
                others = {v.name: Variable(f"{v.name}0") for v in condition_variables(condition)}
                yield apply_to_condition(at_moment(condition, None, words), {**others, **named})


def _is_action(condition: Condition, words: Vocabulary) -> bool:
    return isinstance(condition, Atom) and words.predicates[condition.predicate].kind == "action"


def _concluded_games(theory: Theory) -> dict[str, str]:
    """Return for each game that another game concludes move by move the name of that game."""
    found = {}
    for rule in theory.rules:
        head = rule.head
        if (
            isinstance(head, GameStatement)
            and len(rule.body) == 1
            and isinstance(rule.body[0], GameStatement)
        ):
            inner = rule.body[0]
            if head.by is not None and inner.by == head.by and inner.game.terms == head.game.terms:
                found[head.game.predicate] = inner.game.predicate
    return found


class _OfConcludedGames:
    """The moves of a domain, for games that it knows by the name of the games that they conclude."""

    def __init__(self, play: ProverMoves, names: dict[str, str]) -> None:
        self._play, self._names = play, names

    @property
    def focus_predicate(self) -> str:
        return self._play.focus_predicate

    def _known(self, game: Atom) -> Atom:
        return replace(game, predicate=self._names.get(game.predicate, game.predicate))

    def facts(self, state: Any, game: Atom, about: FocusSet | None) -> Iterable[GroundFact | Part]:
        return self._play.facts(state, self._known(game), about)

    def after(self, state: Any, action: GroundFact) -> Any | None:
        return self._play.after(state, action)

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom | None:
        found = self._play.followed(state, self._known(game), action)
        return found and replace(found, predicate=game.predicate)

    def attempts(self, state: Any, game: Atom, moves: int) -> Iterable[GroundFact]:
        return self._play.attempts(state, self._known(game), moves)

    def wider(self, state: Any, game: Atom, about: FocusSet) -> Iterable[FocusSet]:
        return self._play.wider(state, self._known(game), about)

    def replies(self, state: Any, game: Atom, about: FocusSet) -> Iterable[GroundFact]:
        return self._play.replies(state, self._known(game), about)


class _WithinMoves(_OfConcludedGames):
    """The moves of a domain; tried are those that may win within a number of moves."""

    def __init__(self, play: ProverMoves, moves: int) -> None:
        super().__init__(play, {})
        self._moves = moves

    def attempts(self, state: Any, game: Atom, moves: int) -> Iterable[GroundFact]:
        return super().attempts(state, game, self._moves)
