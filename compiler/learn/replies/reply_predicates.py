"""Predicates that a game is won after a reply, and after every reply of an alternative, with their lemmas.

The replies of an alternative are enumerated by the closed sets among its conditions, one inside the other: in
chess each square, and for the man there each square of its range. For each set, from the innermost outwards,
a predicate states that the game is won after every reply in it. It has these clauses:

- One is for an object that fulfils the conditions. The game is won after each member of the set inside it.
- There is one for each value that a condition with a key requires. It is for an object with another value.
  No reply of the alternative uses such an object.

A lemma derives the win after an arbitrary reply from the predicate of the outermost set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from hornbook.compiler.learn.invented_predicates import argument_names
from hornbook.kb.ast.declarations import Predicate, Replies, ReplyCase
from hornbook.kb.ast.substitution import apply_to_condition, at_moment
from hornbook.kb.ast.terms import (
    WON,
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    GameStatement,
    Rule,
    Term,
    Variable,
    condition_variables,
)
from hornbook.kb.ast.theory import Theory, Vocabulary, counts_of
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PredicateWithLemma:
    """A predicate with its clauses and the lemma about it."""

    predicate: Predicate
    clauses: tuple[Rule, ...]
    lemma: Rule


@dataclass(frozen=True, slots=True)
class ClosedReplies:
    """The replies of an alternative as members of closed sets, one inside the other.

    Attributes:
        game: The game, with a variable for each argument.
        outer: The conditions about the game alone.
        sets: The closed sets, from the outermost inwards.
    """

    game: Atom
    case: ReplyCase
    outer: tuple[Atom, ...]
    sets: tuple[_ClosedSet, ...]

    @property
    def conditions(self) -> tuple[Atom, ...]:
        """Return the conditions that enumerate the replies; the others of the alternative exclude some."""
        return (*self.outer, *(each for one in self.sets for each in (*one.values, one.member)))


@dataclass(frozen=True, slots=True)
class _ClosedSet:
    """A closed set that contains a variable of the reply.

    The conditions in `values` come before it; the game and the sets outside determine their keys.
    """

    member: Atom
    counter: Predicate
    variable: Variable
    values: tuple[Atom, ...]


def closed_replies(replies: Replies, case: ReplyCase, words: Vocabulary) -> ClosedReplies:
    """Return the closed sets of an alternative's replies."""
    game = replies.game.with_terms(
        tuple(
            Variable(f"game{place}") if not isinstance(term, Variable) or term.is_wildcard else term
            for place, term in enumerate(replies.game.terms)
        )
    )
    counters = counts_of(words)
    action = {term for term in case.action.terms if isinstance(term, Variable)}
    known: set[Term] = {*game.terms}
    outer: list[Atom] = []
    sets: list[_ClosedSet] = []
    waiting: list[Atom] = []
    for condition in case.conditions:
        if not isinstance(condition, Atom):
            continue
        place = words.predicates[condition.predicate].key
        if not action.intersection(condition.terms):
            outer.append(condition)
            known |= {*condition.terms}
            continue
        *key, last = condition.terms
        if condition.predicate in counters and isinstance(last, Variable) and last in action - known:
            if not _are_known(key, known):
                continue
            sets.append(_ClosedSet(condition, counters[condition.predicate], last, tuple(waiting)))
            waiting = []
        elif place is not None and _are_known(condition.terms[:place], known):
            waiting.append(condition)
        else:
            continue
        known |= {*condition.terms}
    return ClosedReplies(game, case, tuple(outer), tuple(sets))


def _are_known(terms: Sequence[Term], known: Collection[Term]) -> bool:
    return all(isinstance(term, Constant) or term in known for term in terms)


def after_reply(game: str, wins: Sequence[Rule], theory: Theory) -> PredicateWithLemma:
    """Return the predicate that a game is won after an action, from rules with that conclusion.

    Each rule is `after GAME is GI :- ACTION, before …`; all are about the same action. The predicate has the
    arguments of the game, and those arguments of the action that a rule mentions elsewhere.
    """
    words = theory.vocabulary
    subject = words.predicates[game].columns
    actions = [_action(rule, words) for rule in wins]
    action = words.predicates[actions[0].predicate]
    used = [
        place
        for place in range(action.arity)
        if any(_is_bound(taken.terms[place], rule) for rule, taken in zip(wins, actions, strict=True))
    ]
    name = f"{game}_after_{action.name}"
    clauses = []
    for number, (rule, taken) in enumerate(zip(wins, actions, strict=True), 1):
        terms = (*rule.head.terms[: len(subject)], *(taken.terms[place] for place in used))
        body = tuple(at_moment(c, None, words) for c in rule.body if c != taken)
        clauses.append(Rule(Atom(name, terms), body, f"{name}_case_{number}"))
    about = tuple(Variable(f"x{number}") for number in range(len(subject)))
    arguments = tuple(map(Variable, argument_names(theory)[action.name]))
    condition = Atom(name, (*about, *(arguments[place] for place in used)), "before")
    lemma = Rule(
        GameStatement(Atom(game, about, "after"), None, WON),
        (Atom(action.name, arguments), condition),
        f"{name}_comes_true",
        lemma=True,
    )
    columns = (*subject, *(action.columns[place] for place in used))
    return PredicateWithLemma(Predicate("derived", name, columns, demanded=True), tuple(clauses), lemma)


def _action(rule: Rule, words: Vocabulary) -> Atom:
    return next(
        c for c in rule.body if isinstance(c, Atom) and words.predicates[c.predicate].kind == "action"
    )


def _is_bound(term: Term, rule: Rule) -> bool:
    """Return whether an argument of the action is a constant, or occurs in the rule again."""
    others = [*rule.head.terms, *(v for c in rule.body for v in condition_variables(c))]
    return isinstance(term, Constant) or others.count(term) > 1


def after_every_reply(
    closed: ClosedReplies, one: PredicateWithLemma, binding: Sequence[Atom], words: Vocabulary
) -> Iterator[PredicateWithLemma]:
    """Yield the predicates that a game is won after every reply of an alternative, the innermost first.

    The conditions in `binding` hold whenever the game is in question; they bind its arguments. Membership of
    the outer sets binds the arguments of the reply.
    """
    game, case = closed.game, closed.case
    taken, condition = one.lemma.body
    assert isinstance(taken, Atom)
    assert isinstance(condition, Atom)
    named = {
        old.name: new
        for old, new in zip(
            (*one.lemma.head.terms[: len(game.terms)], *taken.terms),
            (*game.terms, *case.action.terms),
            strict=True,
        )
        if isinstance(old, Variable)
    }
    inner = apply_to_condition(replace(condition, tense=None), named)
    sorts = dict(
        zip(
            (*case.action.terms, *game.terms),
            (*words.predicates[case.action.predicate].columns, *words.predicates[game.predicate].columns),
            strict=True,
        )
    )
    for number in reversed(range(len(closed.sets))):
        step, outside = closed.sets[number], closed.sets[:number]
        name = f"{game.predicate}_after_every_{case.action.predicate}" + (f"_{number}" if number else "")
        head = Atom(name, (*game.terms, *(each.variable for each in outside)))
        context = (*closed.outer, *(value for each in outside for value in each.values))
        size = Atom(step.counter.name, (*step.member.terms[:-1], Variable("_size")))
        bodies: list[tuple[Condition, ...]] = [
            (*context, *step.values, size, All((step.variable,), step.member, (inner,)))
        ]
        known = {*game.terms, *(term for c in context for term in c.terms)}
        bodies += [(*context, *other) for other in _other_values(step.values, known, words)]
        binds = [*binding, *(each.member for each in outside)]
        clauses = tuple(
            Rule(head, _safe(body, head, binds), f"{name}_case_{place}")
            for place, body in enumerate(bodies, 1)
        )
        before = tuple(at_moment(c, "before", words) for c in case.conditions)
        lemma = Rule(
            GameStatement(Atom(game.predicate, game.terms, "after"), None, WON),
            (case.action, *before, Atom(name, head.terms, "before")),
            f"{name}_comes_true",
            lemma=True,
        )
        columns = tuple(sorts[term] for term in head.terms)
        yield PredicateWithLemma(Predicate("derived", name, columns, demanded=True), clauses, lemma)
        inner = head


def _other_values(
    values: Sequence[Atom], known: Collection[Term], words: Vocabulary
) -> Iterator[tuple[Condition, ...]]:
    """Yield for each value that a key must have the conditions that it has another one."""
    for value in values:
        key = words.predicates[value.predicate].key or 0
        for place, term in enumerate(value.terms[key:], key):
            if isinstance(term, Constant) or term in known:
                other = Variable("other")
                terms = tuple(
                    each if n < key else other if n == place else Variable(f"_other{n}")
                    for n, each in enumerate(value.terms)
                )
                yield (value.with_terms(terms), Comparison("!=", other, term))


def _safe(body: Sequence[Condition], head: Atom, binding: Sequence[Atom]) -> tuple[Condition, ...]:
    """Return a body with the first of the binding conditions for each argument that it does not bind."""
    found: list[Condition] = []
    for term in head.terms:
        bound = {v for c in (*found, *body) if isinstance(c, Atom) for v in condition_variables(c)}
        if term not in bound:
            found += [c for c in binding if term in c.terms][:1]
    return tuple(dict.fromkeys((*found, *body)))
