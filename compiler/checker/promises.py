"""What a proof takes for granted of a theory beyond the clauses that it names, as text to be compared.

Whether a relation rests on the action that is taken depends on every rule that concludes it, and through what those
ask for on others: a clause more may change it, though no proof names that clause. Always true: where the text is what it
was, and so is everything that a certificate names, the checker finds in the theory what it found then. So whatever the
checker reads of rules that a proof need not name stands in `promises`.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from hornbook.compiler.checker.constraints import constraints
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import All, Condition, CountIn, GameStatement, Rule, Statement, Tense, statements
from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.kb.format.printer import print_clause, print_condition, print_rule
from hornbook.kb.parse.vocabulary import counts_of

CHECKER = "4"
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
    askable: Vocabulary


_known: list[_Promised] = []


def promises(theory: Theory, predicates: Iterable[Predicate]) -> str:
    """What the theory says of how these predicates come about: whether rules conclude them, on which actions they
    rest, and whether their keys and counts may be relied on, at each moment.
    """
    found, known = _promised(theory), constraints(theory)
    relied_on = [known.given.keys, known.given.closed, known.reached.keys, known.reached.closed]
    lines = []
    for predicate in predicates:
        for place in _places(predicate, None):
            concluded = "concluded" if place in found.concluded else "given"
            rests = sorted(found.actions.get(place, ()))
            holds = "".join("yn"[place not in places] for places in relied_on)
            lines.append(" ".join([str(place[1]), place[0], concluded, holds, *rests]))
    return "\n".join(sorted(lines))


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


def askable(theory: Theory) -> Vocabulary:
    """The vocabulary for learning, in which no predicate is operational that may rest on an action: a rule that names its
    action cannot ask for it, so what it rests on is asked instead.
    """
    return _promised(theory).askable


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
    resting = {name for (name, moment), on in actions.items() if on and moment == "before"}
    found = _Promised(
        theory, actions, frozenset(heads), _meaning(theory), _without_operational(theory.vocabulary, resting)
    )
    _known[:] = [*_known, found][-_KEPT:]
    return found


def _without_operational(words: Vocabulary, names: Iterable[str]) -> Vocabulary:
    predicates = dict(words.predicates)
    for name in names:
        predicates[name] = replace(predicates[name], operational=False)
    return replace(words, predicates=predicates)


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
        sorted(map(print_clause, words.sorts.values())),
        sorted(map(print_clause, words.predicates.values())),
        sorted(map(print_rule, theory.rules)),
        sorted(map(print_condition, theory.facts)),
        sorted(map(print_clause, theory.replies)),
    ]
    return hashlib.sha256("\n".join(line for part in said for line in part).encode()).hexdigest()
