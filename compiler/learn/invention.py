"""Learning with predicate invention: from examples of wins to predicates for the state after a move, and
their rules.

First, the friend's moves that win at once give predicates and rules. Then positions that he wins by the
second of two moves are considered. If the replies belong to a closed set, one predicate states that the game
is won after one of them. Another one states that it is won after all of them (`all ?s in step(?q, ?s): …`). A
lemma derives the win against any such reply from the second predicate. A rule that the game is won although
the opponent plays first is then proved against his replies as usual (compiler/prove/opponent.py). Its
conditions are regressed through the friend's first move in turn.

Invariants: each theory here extends the previous one by definitions and by lemmas that the checker accepted.
Every rule of the base is certified.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar

from hornbook.compiler.checker.certificate import (
    CASE_MARK,
    CaseProof,
    Inversion,
    Leaf,
    Opening,
    ProofStep,
    steps_of,
    within,
)
from hornbook.compiler.checker.checker import Lemma, RejectedError, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.generalise.cheapest import cheapest_explanation
from hornbook.compiler.generalise.explanation import Explanation
from hornbook.compiler.generalise.operational import operational_vocabulary
from hornbook.compiler.learn.driver import RuleAdmission, drive
from hornbook.compiler.learn.invented_predicates import InventedPredicate, PredicateInvention
from hornbook.compiler.learn.learner import solve
from hornbook.compiler.learn.learning import Example
from hornbook.compiler.learn.lessons import Problem, RuleLearner
from hornbook.compiler.match.position import IncrementalState
from hornbook.compiler.prove.winning import ProverMoves
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base
from hornbook.kb.ast.declarations import Predicate, ReplyCase, SortName
from hornbook.kb.ast.substitution import apply_to_condition, rename_rule, statement_at
from hornbook.kb.ast.terms import (
    WON,
    All,
    Atom,
    Condition,
    Constant,
    GameStatement,
    Rule,
    Statement,
    Variable,
    condition_variables,
    predicate_of,
    statements,
)
from hornbook.kb.ast.theory import GroundFact, Theory, counts_of
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import Query
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass

MOST_THROUGH = 3
"""The maximum number of clauses unfolded in the search for a closed set that contains a reply."""


@dataclass(frozen=True, slots=True)
class InventionResult:
    """A theory with invented predicates and lemmas, and the rules certified from it.

    `taught` has the names of the examples that gave something to learn.
    """

    theory: Theory
    base: RuleBase
    taught: frozenset[str] = frozenset()


def invent_predicates(theory: Theory, play: ProverMoves, lessons: Sequence[Problem]) -> InventionResult:
    """Return what lessons teach: wins at once, and wins by the second of two moves after a reply from a
    closed set.

    Raise RejectedError if the checker rejects the results.
    """
    learner = _InventionLearner(theory)
    learner.learn_wins_in_one(play, (lesson for lesson in lessons if lesson.moves == 1))
    learner.learn_wins_in_two(play, [lesson for lesson in lessons if lesson.moves == 2])
    return learner.known()


def invent_predicates_from_examples(
    theory: Theory, examples: Iterable[Example], limits: Limits | None = None
) -> InventionResult:
    """Return what examples with one action each teach about values of games and about facts after the action.

    Raise RejectedError if the checker rejects the results, and KnowledgeBaseError if an example exceeds the
    limits.
    """
    learner = _InventionLearner(theory)
    rules = RuleAdmission(theory, RuleBase(theory.name))
    steps = drive(_InventionFromExamples(learner.invention, theory, limits), examples, rules)
    taught = frozenset(step.task.name for step in steps if step.outcome.is_taught)
    learner.invention.use_theory(theory)
    return replace(learner.known(), taught=taught)


class Positions:
    """A theory with rules, evaluated in one position after another."""

    def __init__(self, known: InventionResult, play: ProverMoves) -> None:
        self.base = KnowledgeBase(known.theory, derivations="all")
        add_proved_rules(self.base, [entry.rule for entry in known.base])
        self.state, self.play, self.operational = (
            IncrementalState(self.base),
            play,
            operational_vocabulary(known.theory),
        )

    @contextmanager
    def after(self, action: GroundFact) -> Iterator[bool]:
        """Add an action to the present position for the duration of the context.

        Yield whether it is consistent.
        """
        self.base.push()
        try:
            self.base.add([action])
            yield True
        except KnowledgeBaseError:
            yield False
        finally:
            self.base.pop()

    def explanation(self, action: GroundFact, goal: Statement) -> Explanation | None:
        """Return the explanation of a goal that an action achieves; None if it does not achieve it."""
        with self.after(action) as fits:
            if not fits or not self.base.holds(goal):
                return None
            return cheapest_explanation(self.base, goal, self.operational)

    def learn_win(self, invention: PredicateInvention, game: Atom, action: GroundFact) -> bool:
        """Learn that an action wins a game. Return whether it does."""
        found = self.explanation(action, GameStatement(game, spell(action), WON))
        if found is not None:
            invention.learn(found, spell(action))
        return found is not None


def spell(action: GroundFact) -> Atom:
    return Atom(action.relation, tuple(map(Constant, action.values)))


@dataclass(frozen=True, slots=True)
class _ToProve:
    """A rule to prove, and the parts of its certificate."""

    rule: Rule
    steps: Sequence[ProofStep] = ()
    replies: Sequence[CaseProof] = ()
    opening: Opening | None = None
    cases: CaseProof | None = None

    def dependencies(self) -> set[str]:
        proofs = (*within(self.steps), *self.replies, *(() if self.cases is None else (self.cases,)))
        return {step.rule for step in (*self.steps, *(s for proof in proofs for s in steps_of(proof)))}


@dataclass(frozen=True, slots=True)
class _AllRepliesPredicate:
    """A predicate that a game is won after every reply from a closed set, with its clause and its proved
    lemma.
    """

    predicate: Predicate
    clause: Rule
    lemma: _ToProve


@dataclass(frozen=True, slots=True)
class InventionOutcome:
    """The outcome of one example or problem: whether it gave something to learn."""

    is_taught: bool
    entries: ClassVar[tuple[RuleEntry, ...]] = ()
    """None: rules are certified at the end, since each task may extend the theory by predicates."""


@dataclass(frozen=True, slots=True)
class _InventionFromExamples:
    """Learning from examples with one action each."""

    invention: PredicateInvention
    theory: Theory
    limits: Limits | None

    def learn_from(self, task: Example, rules: RuleAdmission) -> InventionOutcome:
        """Learn the effects of an example's action."""
        words = self.theory.vocabulary.predicates
        actions = [fact for fact in task.facts if words[fact.relation].kind == "action"]
        if len(actions) != 1:
            return InventionOutcome(is_taught=False)
        is_taught = False
        solved = solve(self.theory, task.facts, all_proofs=True, limits=self.limits)
        for goal in task.goals or solved.goals:
            is_of_action = goal.tense == "after" or (isinstance(goal, GameStatement) and goal.by is not None)
            if is_of_action and solved.base.holds(goal):
                why = cheapest_explanation(solved.base, goal, operational_vocabulary(self.theory, goal))
                self.invention.learn(why, spell(actions[0]))
                is_taught = True
        return InventionOutcome(is_taught)


@dataclass(frozen=True, slots=True)
class _InventionFromWins:
    """Learning from problems that are won by one move."""

    invention: PredicateInvention
    positions: Positions

    def learn_from(self, task: Problem, rules: RuleAdmission) -> InventionOutcome:
        """Learn each move that wins at once."""
        play, is_taught = self.positions.play, False
        self.positions.state.at(play.facts(task.state, task.game, None))
        for action in play.attempts(task.state, task.game, 1):
            is_taught |= self.positions.learn_win(self.invention, task.game, action)
        return InventionOutcome(is_taught)


class _InventionLearner:
    """The state of learning for one theory."""

    def __init__(self, theory: Theory) -> None:
        self.given = theory
        self.invention = PredicateInvention(theory)
        self.of_all: dict[str, _AllRepliesPredicate] = {}
        self.against_replies: list[_ToProve] = []

    def known(self) -> InventionResult:
        """Return the theory with all invented predicates and all learned rules, certified in order."""
        theory = self.invention.defined()
        waiting = [_ToProve(lemma, cases=proof) for lemma, proof in self.invention.lemmas()]
        waiting += [_ToProve(found.rule, found.steps) for found in self.invention.rules]
        waiting += [*(each.lemma for each in self.of_all.values()), *self.against_replies]
        lemmas: dict[str, Lemma] = {}
        entries: list[RuleEntry] = []
        available = {rule.name for rule in theory.rules}
        while waiting:
            ready = [each for each in waiting if each.dependencies() <= available]
            assert ready, "what a proof rests on was learned before it"
            for each in ready:
                proof = each.steps, theory, lemmas, each.replies, each.opening, each.cases
                certificate = certificate_of(each.rule, *proof)
                verify(each.rule, certificate, theory, lemmas)
                entries.append(RuleEntry(each.rule, certificate, None))
                lemmas[each.rule.name] = Lemma.of(each.rule, certificate)
                available.add(each.rule.name)
            waiting = [each for each in waiting if each.rule.name not in available]
        return InventionResult(theory, rule_base(theory.name, entries))

    def learn_wins_in_one(self, play: ProverMoves, lessons: Iterable[Problem]) -> None:
        """Learn wins by one move."""
        strategy = _InventionFromWins(self.invention, Positions(self.known(), play))
        list(drive(strategy, lessons, RuleAdmission(self.given, RuleBase(self.given.name))))
        self.invention.use_theory(self.given)

    def learn_wins_in_two(self, play: ProverMoves, lessons: Sequence[Problem]) -> None:
        """Learn wins by the second of two moves."""
        tries = list(first_moves(play, lessons))
        answered = list(self._answered(play, tries))
        self.invention.use_theory(self.given)
        self.invention.use_theory(self._with_all())
        self._against_replies(play, answered)
        positions = Positions(self.known(), play)
        for state, game, action, _, _ in tries:
            positions.state.at(play.facts(state, game, None))
            positions.learn_win(self.invention, game, action)
        self.invention.use_theory(self.invention.theory)

    def _answered(self, play: ProverMoves, tries: Iterable[First]) -> Iterator[First]:
        """Yield the moves after which each reply from a closed set has an answer, and learn predicates for
        that.
        """
        positions = Positions(self.known(), play)
        for one in tries:
            _, _, _, state, game = one
            declared = self.given.replies_of(game.predicate)
            positions.state.at(play.facts(state, game, None))
            for case in () if declared is None else declared.cases:
                closed = closed_set(case, self.given)
                if declared is None or closed is None:
                    continue
                terms = dict(zip(declared.game.terms, game.terms, strict=True))
                actions = list(members(positions.base, case, closed, terms))
                goal = GameStatement(replace(game, tense="after"), None, WON)
                found = []
                for action in actions:
                    why = positions.explanation(action, goal)
                    if why is None:
                        break
                    found.append(why)
                if actions and len(found) == len(actions):
                    for why, action in zip(found, actions, strict=True):
                        self.invention.learn(why, spell(action))
                    yield one

    def _with_all(self) -> Theory:
        """Return the given theory with predicates that a game is won after all replies from a closed set."""
        for declared in self.given.replies:
            for case in declared.cases:
                closed = closed_set(case, self.given)
                for kind, word in self.invention.words.items() if closed is not None else ():
                    about = kind.predicate, kind.action, kind.value
                    if word.clauses and about == (declared.game.predicate, case.action.predicate, WON):
                        assert closed is not None
                        made = _of_all(declared.game, case, closed, word, self.given)
                        self.of_all.setdefault(made.predicate.name, made)
        words, found = self.given.vocabulary, self.of_all.values()
        more = {each.predicate.name: each.predicate for each in found}
        return replace(
            self.given,
            vocabulary=replace(words, predicates={**words.predicates, **more}),
            rules=(*self.given.rules, *(each.clause for each in found)),
        )

    def _against_replies(self, play: ProverMoves, answered: Iterable[First]) -> None:
        """Learn rules that a game is won although the opponent plays first."""
        known = self.known()
        learner = RuleLearner(known.theory, play, known.base)
        for number, (_, _, _, state, game) in enumerate(answered):
            list(learner.learn([Problem(f"after-{number}", "", state, game, 0, 1)]))
        for entry in learner.base:
            found = entry.certificate
            if entry.rule.name not in known.base.entries and found is not None:
                proof = found.steps, found.replies, found.open, found.cases
                self.against_replies.append(_ToProve(entry.rule, *proof))


# Two moves

First = tuple[Any, Atom, GroundFact, Any, Atom]
"""A position and its game, a move that may win by the second one, and the position and the game after it."""


def first_moves(play: ProverMoves, lessons: Iterable[Problem]) -> Iterator[First]:
    for lesson in lessons:
        for action in play.attempts(lesson.state, lesson.game, 2):
            after, next_game = (
                play.after(lesson.state, action),
                play.followed(lesson.state, lesson.game, action),
            )
            if after is not None and next_game is not None:
                yield lesson.state, lesson.game, action, after, next_game


# Closed sets of replies


@dataclass(frozen=True, slots=True)
class _Closed:
    """A closed set that contains a variable of a reply.

    `through` has the conditions that imply the membership, each through the only clause that concludes it.
    """

    member: Atom
    variable: Variable
    through: tuple[Atom, ...] = ()


def closed_set(case: ReplyCase, theory: Theory) -> _Closed | None:
    """Return the first closed set that contains a variable of the reply by its conditions, directly or
    unfolded.
    """
    counters = counts_of(theory.vocabulary)
    todo: list[tuple[Atom, tuple[Atom, ...]]] = [(c, ()) for c in case.conditions if isinstance(c, Atom)]
    while todo:
        condition, through = todo.pop(0)
        counter = counters.get(condition.predicate)
        if counter is not None and len(counter.columns) == len(condition.terms):
            *key, last = condition.terms
            if isinstance(last, Variable) and last in case.action.terms and last not in key:
                return _Closed(condition, last, through)
        rules = [r for r in theory.rules if predicate_of(r.head) == condition.predicate]
        if (
            len(through) < MOST_THROUGH
            and len(rules) == 1
            and not any(s.tense for s in (rules[0].head, *statements(rules[0].body)))
        ):
            number = 2 + len(through)
            own = rename_rule(rules[0], lambda name, mark=f"{CASE_MARK}{number}": f"{name}{mark}")  # type: ignore[misc]
            given = {
                v.name: term
                for v, term in zip(own.head.terms, condition.terms, strict=True)
                if isinstance(v, Variable)
            }
            below = (apply_to_condition(c, given) for c in own.body if isinstance(c, Atom))
            todo += [(each, (*through, condition)) for each in below]
    return None


def members(
    base: KnowledgeBase, case: ReplyCase, closed: _Closed, game: dict[Any, Any]
) -> Iterator[GroundFact]:
    """Yield the replies for all members of the closed set, including impossible ones."""
    independent = [c for c in case.conditions if closed.variable not in condition_variables(c)]
    given = {v.name: term for v, term in game.items()}
    query = Query(tuple(apply_to_condition(c, given) for c in (*independent, closed.member)), case.span)
    found = base.engine.query(query)
    for row in found.rows:
        values = {
            **given,
            **{name: Constant(value) for name, value in zip(found.variables, row, strict=True)},
        }
        terms = [values.get(t.name) if isinstance(t, Variable) else t for t in case.action.terms]
        plain = tuple(term.value for term in terms if isinstance(term, Constant))
        if len(plain) == len(terms):
            yield GroundFact(case.action.predicate, plain)


def _of_all(
    game: Atom, case: ReplyCase, closed: _Closed, word: InventedPredicate, theory: Theory
) -> _AllRepliesPredicate:
    """Return the predicate that a game is won after all replies from a closed set, and its lemma for each
    reply.
    """
    variable = closed.variable
    taken, condition = word.lemma.body
    assert isinstance(taken, Atom)
    assert isinstance(condition, Atom)
    terms = {
        one.name: other
        for one, other in zip(
            (*word.lemma.head.terms[:-1], *taken.terms), (*game.terms, *case.action.terms), strict=True
        )
        if isinstance(one, Variable)
    }
    inner = apply_to_condition(replace(condition, tense=None), terms)
    outer = [c for c in case.conditions if variable not in condition_variables(c)]
    head_variables = dict.fromkeys(v for c in (game, *outer) for v in condition_variables(c))
    name = f"{condition.predicate}_of_all"
    columns = tuple(_sort(v, (game, *outer), theory) for v in head_variables)
    predicate = Predicate("derived", name, columns, operational=True)
    head = Atom(name, tuple(head_variables), None)
    clause = Rule(head, (*outer, All((variable,), closed.member, (inner,))), f"{name}_1")
    words = theory.vocabulary
    before = [statement_at(c, "before", words) if isinstance(c, Statement) else c for c in case.conditions]
    rule = Rule(
        word.lemma.head.with_terms((*game.terms, word.lemma.head.terms[-1])),
        (case.action, *before, replace(head, tense="before")),
        f"foreseen_{name}",
    )
    proof: CaseProof = Leaf((ProofStep(word.lemma.name, None, tuple(sorted(terms.items()))),))
    for through in reversed((head, *closed.through)):
        proof = Inversion(through, "before", (proof,))
    return _AllRepliesPredicate(predicate, clause, _ToProve(rule, cases=proof))


def _sort(variable: Variable, conditions: Iterable[Condition], theory: Theory) -> SortName:
    for statement in statements(conditions):
        if isinstance(statement, Atom):
            for term, column in zip(
                statement.terms, theory.vocabulary.predicates[statement.predicate].columns, strict=True
            ):
                if term == variable:
                    return column
    raise RejectedError(f"the sort of `{variable.name}` is not determined")
