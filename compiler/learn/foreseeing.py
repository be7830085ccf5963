"""Learning with foresight: from examples of wins to the words for what holds after a move, and rules that ask for them.

First the friend's moves that win at once give words and rules. Then, where he wins by the second of two moves, each reply that
a closed set has gives what it comes to: a word for that the game is won after it, another for that it is so after all of them
(`all ?s in step(?q, ?s): …`), and a lemma by which a win against any such reply follows. A rule that the game is won although the
opponent plays first is then proved against his replies as ever (compiler/prove/opponent.py), and what it asks for is foreseen
through the friend's first move in its turn.

Always true: each theory here extends the one before by definitions and by lemmas that the checker accepted, and every rule of
the base is certified.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from hornbook.compiler.checker.certificate import (
    CASE_MARK,
    CaseProof,
    Inversion,
    Leaf,
    Opening,
    Step,
    steps_of,
    within,
)
from hornbook.compiler.checker.checker import Lemma, RejectedError, verify
from hornbook.compiler.generalise.askable import askable
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.generalise.explanation import Explanation
from hornbook.compiler.generalise.least import least_explanation
from hornbook.compiler.learn.foresight import Foreseen, Foresight
from hornbook.compiler.learn.learner import solve
from hornbook.compiler.learn.learning import Example
from hornbook.compiler.learn.lessons import Lesson, Pupil
from hornbook.compiler.match.position import Standing
from hornbook.compiler.prove.winning import Play
from hornbook.compiler.rules.admission import Entry, RuleBase, rule_base
from hornbook.kb.ast.declarations import Predicate, ReplyCase, SortName
from hornbook.kb.ast.substitution import apply_to_condition, rename_rule, statement_at
from hornbook.kb.ast.terms import (
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
from hornbook.kb.lower.faults import KnowledgeBaseError
from hornbook.kb.parse.syntax import Query
from hornbook.matcher.program.coded import Limits

WON = Constant("GI")
MOST_THROUGH = 3
"""Through how many clauses a closed set is looked for that a reply is a member of."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A theory with words and lemmas, and the rules that are certified from it. `taught` names the examples that showed something."""

    theory: Theory
    base: RuleBase
    taught: frozenset[str] = frozenset()


def foresee(theory: Theory, play: Play, lessons: Sequence[Lesson]) -> Learned:
    """What lessons teach: of wins at once, and of wins by the second of two moves after a reply of a closed set.

    Raises RejectedError where the checker refuses what they showed.
    """
    school = _School(theory)
    school.at_once(play, (lesson for lesson in lessons if lesson.moves == 1))
    school.by_two(play, [lesson for lesson in lessons if lesson.moves == 2])
    return school.known()


def foresee_in(theory: Theory, examples: Iterable[Example], limits: Limits | None = None) -> Learned:
    """What examples with one action each teach: of the values of games, and of what holds after the action.

    Raises RejectedError where the checker refuses what they showed, KnowledgeBaseError where an example passes the limits.
    """
    school = _School(theory)
    taught = frozenset(example.name for example in examples if school.example(example, limits))
    school.foresight.look_again(theory)
    return replace(school.known(), taught=taught)


class Positions:
    """A theory and rules on one position after another."""

    def __init__(self, known: Learned, play: Play) -> None:
        self.base = KnowledgeBase(known.theory, derivations="all")
        add_proved_rules(self.base, [entry.rule for entry in known.base])
        self.stand, self.play, self.asked = Standing(self.base), play, askable(known.theory)

    @contextmanager
    def after(self, action: GroundFact) -> Iterator[bool]:
        """Whether an action fits the position at which this stands, where it is taken."""
        self.base.push()
        try:
            self.base.add([action])
            yield True
        except KnowledgeBaseError:
            yield False
        finally:
            self.base.pop()

    def explanation(self, action: GroundFact, goal: Statement) -> Explanation | None:
        """Why an action achieves something, if it does."""
        with self.after(action) as fits:
            if not fits or not self.base.holds(goal):
                return None
            return least_explanation(self.base, goal, self.asked)


def spell(action: GroundFact) -> Atom:
    """Return a ground action as a condition."""
    return Atom(action.relation, tuple(map(Constant, action.values)))


@dataclass(frozen=True, slots=True)
class _ToProve:
    """A rule, and what its certificate is made of."""

    rule: Rule
    steps: Sequence[Step] = ()
    replies: Sequence[CaseProof] = ()
    opening: Opening | None = None
    cases: CaseProof | None = None

    def rests_on(self) -> set[str]:
        proofs = (*within(self.steps), *self.replies, *(() if self.cases is None else (self.cases,)))
        return {step.rule for step in (*self.steps, *(s for proof in proofs for s in steps_of(proof)))}


@dataclass(frozen=True, slots=True)
class _OfAll:
    """A word for that a game is won after every reply of a closed set, with its clause, its lemma and the proof of that."""

    predicate: Predicate
    clause: Rule
    lemma: _ToProve


class _School:
    """What is learned of one theory, step by step."""

    def __init__(self, theory: Theory) -> None:
        self.given = theory
        self.foresight = Foresight(theory)
        self.of_all: dict[str, _OfAll] = {}
        self.against_replies: list[_ToProve] = []

    def known(self) -> Learned:
        """The theory with all words, and all that is learned, certified from it in order."""
        theory = self.foresight.defined()
        waiting = [_ToProve(lemma, cases=proof) for lemma, proof in self.foresight.lemmas()]
        waiting += [_ToProve(found.rule, found.steps) for found in self.foresight.rules]
        waiting += [*(each.lemma for each in self.of_all.values()), *self.against_replies]
        lemmas: dict[str, Lemma] = {}
        entries: list[Entry] = []
        there = {rule.name for rule in theory.rules}
        while waiting:
            ready = [each for each in waiting if each.rests_on() <= there]
            assert ready, "what a proof rests on was learned before it"
            for each in ready:
                proof = each.steps, theory, lemmas, each.replies, each.opening, each.cases
                certificate = certificate_of(each.rule, *proof)
                verify(each.rule, certificate, theory, lemmas)
                entries.append(Entry(each.rule, certificate, None))
                lemmas[each.rule.name] = Lemma.of(each.rule, certificate)
                there.add(each.rule.name)
            waiting = [each for each in waiting if each.rule.name not in there]
        return Learned(theory, rule_base(theory.name, entries))

    def example(self, example: Example, limits: Limits | None) -> bool:
        """Learn what the action of an example achieves. Return whether it achieves anything."""
        words = self.given.vocabulary.predicates
        actions = [fact for fact in example.facts if words[fact.relation].kind == "action"]
        if len(actions) != 1:
            return False
        is_taught = False
        solved = solve(self.given, example.facts, all_proofs=True, limits=limits)
        for goal in example.goals or solved.goals:
            is_of_action = goal.tense == "after" or (isinstance(goal, GameStatement) and goal.by is not None)
            if is_of_action and solved.base.holds(goal):
                why = least_explanation(solved.base, goal, askable(self.given, goal))
                self.foresight.learn(why, spell(actions[0]))
                is_taught = True
        return is_taught

    def at_once(self, play: Play, lessons: Iterable[Lesson]) -> None:
        """What is achieved by one move."""
        positions = Positions(self.known(), play)
        for lesson in lessons:
            positions.stand.at(play.facts(lesson.state, lesson.game, None))
            for action in play.attempts(lesson.state, lesson.game, 1):
                found = positions.explanation(action, GameStatement(lesson.game, spell(action), WON))
                if found is not None:
                    self.foresight.learn(found, spell(action))
        self.foresight.look_again(self.given)

    def by_two(self, play: Play, lessons: Sequence[Lesson]) -> None:
        """What is achieved by the second of two moves."""
        tries = list(first_moves(play, lessons))
        answered = list(self._answered(play, tries))
        self.foresight.look_again(self.given)
        self.foresight.look_again(self._with_all())
        self._against_replies(play, answered)
        positions = Positions(self.known(), play)
        for state, game, action, _, _ in tries:
            positions.stand.at(play.facts(state, game, None))
            found = positions.explanation(action, GameStatement(game, spell(action), WON))
            if found is not None:
                self.foresight.learn(found, spell(action))
        self.foresight.look_again(self.foresight.theory)

    def _answered(self, play: Play, tries: Iterable[First]) -> Iterator[First]:
        """The moves after which each reply of a closed set has an answer; the words for that are learned."""
        positions = Positions(self.known(), play)
        for one in tries:
            _, _, _, state, game = one
            declared = self.given.replies_of(game.predicate)
            positions.stand.at(play.facts(state, game, None))
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
                        self.foresight.learn(why, spell(action))
                    yield one

    def _with_all(self) -> Theory:
        """The given theory with the words for that a game is won after all replies of a closed set."""
        for declared in self.given.replies:
            for case in declared.cases:
                closed = closed_set(case, self.given)
                for kind, word in self.foresight.words.items() if closed is not None else ():
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

    def _against_replies(self, play: Play, answered: Iterable[First]) -> None:
        """The rules that a game is won although the opponent plays first."""
        known = self.known()
        pupil = Pupil(known.theory, play, known.base)
        for number, (_, _, _, state, game) in enumerate(answered):
            list(pupil.learn([Lesson(f"after-{number}", "", state, game, 0, 1)]))
        for entry in pupil.base:
            found = entry.certificate
            if entry.rule.name not in known.base.entries and found is not None:
                proof = found.steps, found.replies, found.open, found.cases
                self.against_replies.append(_ToProve(entry.rule, *proof))


# Two moves

First = tuple[Any, Atom, GroundFact, Any, Atom]
"""A position and its game, a move that may win by the second one, and the position and the game after it."""


def first_moves(play: Play, lessons: Iterable[Lesson]) -> Iterator[First]:
    for lesson in lessons:
        for action in play.attempts(lesson.state, lesson.game, 2):
            after, then = play.after(lesson.state, action), play.followed(lesson.state, lesson.game, action)
            if after is not None and then is not None:
                yield lesson.state, lesson.game, action, after, then


# Closed sets of replies


@dataclass(frozen=True, slots=True)
class _Closed:
    """A closed set of which a variable of a reply is a member, and the conditions of the reply that say so, each through the one
    clause that concludes it.
    """

    member: Atom
    variable: Variable
    through: tuple[Atom, ...] = ()


def closed_set(case: ReplyCase, theory: Theory) -> _Closed | None:
    """The first closed set of which a variable of the reply is a member by its conditions, or by what they stand for."""
    counters = counts_of(theory.vocabulary)
    todo: list[tuple[Atom, tuple[Atom, ...]]] = [(c, ()) for c in case.conditions if isinstance(c, Atom)]
    while todo:
        condition, through = todo.pop(0)
        *key, last = condition.terms
        counter = counters.get(condition.predicate)
        counted = counter is not None and len(counter.columns) == len(condition.terms)
        if counted and isinstance(last, Variable) and last in case.action.terms and last not in key:
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
    """The replies of every member of the closed set, those too that nobody can play."""
    asked = [c for c in case.conditions if closed.variable not in condition_variables(c)]
    given = {v.name: term for v, term in game.items()}
    query = Query(tuple(apply_to_condition(c, given) for c in (*asked, closed.member)), case.span)
    found = base.ask(query)
    for row in found.rows:
        values = {
            **given,
            **{name: Constant(value) for name, value in zip(found.variables, row, strict=True)},
        }
        terms = [values.get(t.name) if isinstance(t, Variable) else t for t in case.action.terms]
        plain = tuple(term.value for term in terms if isinstance(term, Constant))
        if len(plain) == len(terms):
            yield GroundFact(case.action.predicate, plain)


def _of_all(game: Atom, case: ReplyCase, closed: _Closed, word: Foreseen, theory: Theory) -> _OfAll:
    """The word for that a game is won after all replies of a closed set, and the lemma that it then is after each."""
    variable = closed.variable
    taken, asked = word.lemma.body
    assert isinstance(taken, Atom)
    assert isinstance(asked, Atom)
    terms = {
        one.name: other
        for one, other in zip(
            (*word.lemma.head.terms[:-1], *taken.terms), (*game.terms, *case.action.terms), strict=True
        )
        if isinstance(one, Variable)
    }
    inner = apply_to_condition(replace(asked, tense=None), terms)
    outer = [c for c in case.conditions if variable not in condition_variables(c)]
    said = dict.fromkeys(v for c in (game, *outer) for v in condition_variables(c))
    name = f"{asked.predicate}_of_all"
    columns = tuple(_sort(v, (game, *outer), theory) for v in said)
    predicate = Predicate("derived", name, columns, operational=True)
    head = Atom(name, tuple(said), None)
    clause = Rule(head, (*outer, All((variable,), closed.member, (inner,))), f"{name}_1")
    words = theory.vocabulary
    before = [statement_at(c, "before", words) if isinstance(c, Statement) else c for c in case.conditions]
    rule = Rule(
        word.lemma.head.with_terms((*game.terms, word.lemma.head.terms[-1])),
        (case.action, *before, replace(head, tense="before")),
        f"foreseen_{name}",
    )
    proof: CaseProof = Leaf((Step(word.lemma.name, None, tuple(sorted(terms.items()))),))
    for through in reversed((head, *closed.through)):
        proof = Inversion(through, "before", (proof,))
    return _OfAll(predicate, clause, _ToProve(rule, cases=proof))


def _sort(variable: Variable, conditions: Iterable[Condition], theory: Theory) -> SortName:
    for statement in statements(conditions):
        if isinstance(statement, Atom):
            for term, column in zip(
                statement.terms, theory.vocabulary.predicates[statement.predicate].columns, strict=True
            ):
                if term == variable:
                    return column
    raise RejectedError(f"nothing says of what sort `{variable.name}` is")
