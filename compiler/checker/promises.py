"""What a proof takes for granted of a theory beyond the clauses that it names, in a form to be compared.

Whether a relation rests on the action that is taken depends on every rule that concludes it, and through what those
ask for on others: a clause more may change it, though no proof names that clause. Always true: where the form is what it
was, and so is everything that a certificate names, the checker finds in the theory what it found then. So whatever the
checker reads of rules that a proof need not name stands in `promises`.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from hornbook.compiler.checker.constraints import constraints
from hornbook.compiler.checker.form import (
    Form,
    form_of_condition,
    form_of_predicate,
    form_of_replies,
    form_of_sort,
    text_of,
    text_of_rule,
)
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import All, Condition, CountIn, GameStatement, Rule, Statement, Tense, statements
from hornbook.kb.ast.theory import Theory, Vocabulary, counts_of

CHECKER = "5"
"""The version of the checker: it is raised whenever a certificate that was accepted may be refused."""

Place = tuple[str, Tense | None]
"""A predicate and the moment at which it is read."""
_KEPT = 4
"""So many theories are remembered with what they promise: the same few are asked for again and again."""


@dataclass(frozen=True, slots=True)
class _Promised:
    theory: Theory
    actions: Mapping[Place, frozenset[str]]
    concluded: frozenset[Place]
    meaning: str


_known: list[_Promised] = []


def promises(theory: Theory, predicates: Iterable[Predicate]) -> Form:
    """What the theory says of how these predicates come about: at each moment, whether rules conclude them, whether their
    keys and counts may be relied on (in given states and in reached ones), and on which actions they rest.
    """
    found, known = _promised(theory), constraints(theory)
    relied_on = [known.given.keys, known.given.closed, known.reached.keys, known.reached.closed]
    places = {place for predicate in predicates for place in _places(predicate, None)}
    return [
        [
            name,
            moment,
            (name, moment) in found.concluded,
            [(name, moment) in holding for holding in relied_on],
            sorted(found.actions.get((name, moment), ())),
        ]
        for name, moment in sorted(places, key=lambda place: (place[0], place[1] or ""))
    ]


def rests_on_action(condition: Condition, theory: Theory) -> bool:
    """Whether a condition may be true before an action because of the action that is taken then; one on a closed set also
    where its count may be.
    """
    names = {_name(statement) for statement in statements((condition,))}
    if isinstance(condition, All | CountIn):
        counters = counts_of(theory.vocabulary)
        names |= {counters[name].name for name in names if name in counters}
    actions = _promised(theory).actions
    return any(actions.get((name, "before")) for name in names)


def meaning(theory: Theory) -> str:
    """The digest of all that a theory says, however it is written: its rules, facts, declarations and replies."""
    return _promised(theory).meaning


def _promised(theory: Theory) -> _Promised:
    # A theory never changes, and comparing two of them by content would cost as much as reading them.
    for each in _known:
        if each.theory is theory:
            return each
    heads: dict[Place, set[Place]] = defaultdict(set)
    for rule in theory.rules:
        for above, below in _edges(rule, theory.vocabulary):
            heads[above].add(below)
    actions = {place: _actions(place, heads, theory.vocabulary) for place in heads}
    found = _Promised(theory, actions, frozenset(heads), _meaning(theory))
    _known[:] = [*_known, found][-_KEPT:]
    return found


def _edges(rule: Rule, words: Vocabulary) -> Iterator[tuple[Place, Place]]:
    """What each conclusion rests on; a rule without a tense word is read at either moment."""
    counters = counts_of(words)
    said = [(s, _places(words.predicates[_name(s)], s.tense)) for s in (rule.head, *statements(rule.body))]
    # What is said of a closed set rests on its count too.
    said += [(s, _places(counters[s.relation], s.tense)) for s, _ in said[1:] if s.relation in counters]
    timeless = not any(statement.tense for statement, _ in said)
    (_, heads), *conditions = said
    for head in heads:
        yield head, head
        for _, places in conditions:
            yield from ((head, place) for place in places if not timeless or place[1] in (head[1], None))


def _places(predicate: Predicate, tense: Tense | None) -> tuple[Place, ...]:
    if not predicate.has_tense:
        return ((predicate.name, None),)
    return (
        ((predicate.name, "before"), (predicate.name, "after"))
        if tense is None
        else ((predicate.name, tense),)
    )


def _actions(place: Place, heads: Mapping[Place, set[Place]], words: Vocabulary) -> frozenset[str]:
    """The actions that a conclusion rests on, through any rules."""
    seen, todo = {place}, [place]
    while todo:
        new = heads.get(todo.pop(), set()) - seen
        seen |= new
        todo += new
    return frozenset(name for name, _ in seen if words.predicates[name].kind == "action")


def _name(statement: Statement) -> str:
    return statement.game.predicate if isinstance(statement, GameStatement) else statement.predicate


def _meaning(theory: Theory) -> str:
    words = theory.vocabulary
    said = [
        sorted(text_of(form_of_sort(sort)) for sort in words.sorts.values()),
        sorted(text_of([form_of_predicate(p), p.operational]) for p in words.predicates.values()),
        sorted(map(text_of_rule, theory.rules)),
        sorted(text_of(form_of_condition(fact)) for fact in theory.facts),
        sorted(text_of(form_of_replies(replies)) for replies in theory.replies),
    ]
    return hashlib.sha256(text_of(said).encode("utf-8", "surrogatepass")).hexdigest()
