"""The parts of a theory that a proof depends on besides the clauses that it names, in a form that can be compared.

Whether a relation depends on the action that is taken is decided by every rule that concludes it, and by the rules that
conclude their conditions. A new clause may change it, although no proof names that clause. The same is true of the keys and
counts of concluded relations. The form (`promises`) shows which certificates an edit affects. It does not contain everything
that proofs of keys look at, so a certificate is replayed even if its form is unchanged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from hornbook.compiler.checker.form import (
    Form,
    digest_of_text,
    text_of_rule,
)
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.once_per_theory import once_per_theory
from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    All,
    Atom,
    Condition,
    CountIn,
    Rule,
    Statement,
    Tense,
    predicate_of,
    statements,
)
from hornbook.kb.ast.theory import Theory, Vocabulary, counts_of

CHECKER = "8"
"""The version of the checker: it is raised whenever a certificate that was accepted may be refused."""

Place = tuple[str, Tense | None]
"""A relation and the moment at which it is read; null for what never changes."""


@dataclass(frozen=True, slots=True)
class Promised:
    """Properties of a whole theory: the actions that each place depends on, the rules that conclude there, the static facts and
    the predicates that count sets.

    `summed` are the places whose absence rules test, or that they sum up, each with what may make more of it in another
    world of the same state: games, actions, what is meta, and what comes after an action. `shaky` are the places that rest
    on the absence of such. `unsteady` are the relations that a pass may change.
    `so_next` are observed relations, not fluents, of which all that is before the next action is so in the state that is given then,
    since whatever they rest on is.
    """

    actions: Mapping[Place, frozenset[str]]
    summed: Mapping[Place, frozenset[str]]
    shaky: frozenset[Place]
    unsteady: frozenset[str]
    so_next: frozenset[str]
    concluding: Mapping[Place, tuple[Rule, ...]]
    facts: frozenset[Statement]
    counters: Mapping[str, Predicate]


@once_per_theory
def promised(theory: Theory) -> Promised:
    words = theory.vocabulary
    heads: dict[Place, set[Place]] = defaultdict(set)
    concluding: dict[Place, list[Rule]] = defaultdict(list)
    for rule in theory.rules:
        for above, below in _edges(rule, words):
            heads[above].add(below)
        for place in _places(words.predicates[predicate_of(rule.head)], rule.head.tense):
            if isinstance(rule.head, Atom):
                concluding[place].append(rule)
    actions = {place: _actions(place, heads, words) for place in heads}
    lasting = (
        f for f in theory.facts if isinstance(f, Atom) and words.predicates[f.predicate].kind == "static"
    )
    rules = {place: tuple(found) for place, found in concluding.items()}
    summed, shaky = _summed(theory, heads)
    return Promised(
        actions,
        summed,
        shaky,
        _unsteady(theory),
        _so_next(theory, heads),
        rules,
        frozenset(lasting),
        counts_of(words),
    )


@dataclass(frozen=True, slots=True)
class Usable:
    """At which places a proof may use keys and counts: where the theory gives them or says that they are observed, and where
    they are proved. `reached`: in every state that actions lead to, and not in given ones alone. `supposed` are the relations
    of which facts after the action need not be observed in the next state.
    """

    theory: Theory
    keys: frozenset[Place] = frozenset()
    counts: frozenset[Place] = frozenset()
    reached: bool = False
    supposed: frozenset[str] = frozenset()

    @property
    def facts(self) -> frozenset[Statement]:
        """What the theory states of what never changes."""
        return promised(self.theory).facts

    @property
    def counters(self) -> Mapping[str, Predicate]:
        """For each predicate whose sets are closed, the one that counts them."""
        return promised(self.theory).counters

    def key(self, place: Place) -> int | None:
        """How many columns determine the others at a place; None where that may not be used."""
        declared = self.theory.vocabulary.predicates.get(place[0])
        if declared is None or declared.kind == "meta":
            return None
        if declared.kind == "action":
            return 0  # one action is taken
        return declared.key if self._at_each(place, self._keyed) else None

    def closed(self, place: Place) -> bool:
        """Whether sets at a place have no more members than their counts say."""
        return place[0] in self.counters and self._at_each(place, self._counted)

    def _at_each(self, place: Place, holds: Callable[[Place], bool]) -> bool:
        """What is before an action in a reached state is what was after another: so it must hold at both."""
        name, moment = place
        if not self.reached or moment is None:
            return holds(place)
        return holds((name, "before")) and holds((name, "after"))

    def _keyed(self, place: Place) -> bool:
        name, moment = place
        if place in self.keys:
            return True
        if moment == "after":
            return self._is_observed(name) and self._keyed((name, "before"))
        return not self.concluding(place)

    def _counted(self, place: Place) -> bool:
        name, moment = place
        member, counter = self.theory.vocabulary.predicates[name], self.counters[name]
        if member.has_tense != counter.has_tense:
            return False
        if place in self.counts:
            return True
        if moment == "after":
            both = self._is_observed(name) and self._is_observed(counter.name)
            return both and self._counted((name, "before"))
        return not self.concluding(place) and not self.concluding((counter.name, moment))

    def _is_observed(self, name: str) -> bool:
        """Whether what is concluded after the action is true of the state that is given next."""
        return self.theory.vocabulary.predicates[name].observed and name not in self.supposed

    def concluding(self, place: Place) -> tuple[Rule, ...]:
        """The theory's rules that conclude at a place."""
        return promised(self.theory).concluding.get(place, ())

    @property
    def places(self) -> Iterable[Place]:
        """Those at which rules conclude."""
        return promised(self.theory).concluding

    def may_be_given(self, place: Place) -> bool:
        """Whether facts of a place may come with the state, besides those that rules conclude there."""
        name, moment = place
        if moment == "after":
            return False
        if self.theory.vocabulary.predicates[name].kind in ("static", "fluent"):
            return True
        return self.reached and self._is_left(name) and name not in promised(self.theory).so_next

    def is_anew(self, name: str) -> bool:
        """Whether what is left of a derived predicate from the last action for the next one is what its rules conclude of the rest
        that is left: they speak of no moment and of no action.
        """
        words = self.theory.vocabulary.predicates
        return words[name].kind == "derived" and not any(
            statement.tense is not None
            or (isinstance(statement, Atom) and words[statement.predicate].kind == "action")
            for moment in ("before", "after")
            for rule in self.concluding((name, moment))
            for statement in (rule.head, *statements(rule.body))
        )

    def _is_left(self, name: str) -> bool:
        """Whether some of it may be left of an action for the next one, which rules need not conclude anew."""
        return any(rule.head.tense == "after" for rule in self.concluding((name, "after")))


def concluding_where_proved(theory: Theory, proved: Iterable[Place]) -> tuple[Rule, ...]:
    """The rules that a proof of keys and counts at these places looks at: those that conclude there, or how many there are."""
    concluding = promised(theory).concluding
    return tuple(
        rule for place in _sorted(_with_counters(theory, proved)) for rule in concluding.get(place, ())
    )


def _with_counters(theory: Theory, proved: Iterable[Place]) -> set[Place]:
    places, counters = set(proved), promised(theory).counters
    return places | {(counters[name].name, moment) for name, moment in places if name in counters}


def promises(theory: Theory, predicates: Iterable[Predicate], proved: Iterable[Place] = ()) -> Form:
    """What the theory says of how these predicates come about: at each moment, whether rules conclude them, and on which
    actions they rest; of the places whose keys or counts are proved, which rules conclude there.
    """
    found = promised(theory)
    places = {place for predicate in predicates for place in _places(predicate, None)}
    return [
        [
            [name, moment, (name, moment) in found.actions, sorted(found.actions.get((name, moment), ()))]
            for name, moment in _sorted(places)
        ],
        [
            [
                name,
                moment,
                [digest_of_text(text_of_rule(r)) for r in found.concluding.get((name, moment), ())],
            ]
            for name, moment in _sorted(_with_counters(theory, proved))
        ],
        *([summed] if (summed := _summed_among(found, places)) else []),
    ]


def _summed_among(found: Promised, places: Iterable[Place]) -> Form:
    """Of the places that are summed up, or shaky, what may make more of them."""
    return [
        [name, moment, sorted(found.summed.get((name, moment), ())), (name, moment) in found.shaky]
        for name, moment in _sorted({p for p in places if p in found.summed or p in found.shaky})
    ]


def _sorted(places: Iterable[Place]) -> list[Place]:
    return sorted(places, key=lambda place: (place[0], place[1] or ""))


def unsteady(theory: Theory) -> frozenset[str]:
    """The relations of which a pass may change something: the values of games and all that rests on them, the fluents that change
    with the turn and what is concluded from such at one moment, and the sets and counts of such.
    """
    return promised(theory).unsteady


def _unsteady(theory: Theory) -> frozenset[str]:
    words = theory.vocabulary
    games: set[str] = set()
    at_any: dict[str, set[str]] = defaultdict(set)
    at_one_moment: dict[str, set[str]] = defaultdict(set)
    for counter in counts_of(words).values():
        if counter.counts is not None:
            for above in (at_any, at_one_moment):
                above[counter.counts.name].add(counter.name)
                above[counter.name].add(counter.counts.name)
    for rule in theory.rules:
        for statement in statements(rule.body):
            games |= {s.relation for s in (rule.head, statement) if not isinstance(s, Atom)}
            at_any[statement.relation].add(rule.head.relation)
            if statement.tense == rule.head.tense:
                at_one_moment[statement.relation].add(rule.head.relation)
    # What a plan is taken for is so at one moment, and what follows from it, by statements on games, at the other one too.
    valued = _closure(games, at_any)
    turning = {name for name, predicate in words.predicates.items() if predicate.turn is not None}
    return frozenset(_closure(valued | turning, at_one_moment))


def _so_next(theory: Theory, heads: Mapping[Place, set[Place]]) -> frozenset[str]:
    words = theory.vocabulary.predicates
    left = {rule.head.relation for rule in theory.rules if rule.head.tense == "after"}

    def is_so(name: str) -> bool:
        kind = words[name].kind
        return kind == "static" or words[name].observed or (kind == "derived" and name not in left)

    observed = (name for name, p in words.items() if p.kind == "derived" and p.observed)
    return frozenset(name for name in observed if all(is_so(n) for n, _ in _below((name, "before"), heads)))


def _closure(first: Iterable[str], above: Mapping[str, set[str]]) -> set[str]:
    """Those, and all that rests on them."""
    found = set(first)
    todo = list(found)
    while todo:
        new = above.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def rests_on_action(condition: Condition, theory: Theory) -> bool:
    """Whether a condition may be true before an action because of the action that is taken then, or because nothing is known of
    another one; one on a closed set also where its count may be.
    """
    names = {predicate_of(statement) for statement in statements((condition,))}
    if isinstance(condition, All | CountIn):
        counters = promised(theory).counters
        names |= {counters[name].name for name in names if name in counters}
    found = promised(theory)
    if found.shaky and any(
        place in found.shaky for name in names for place in ((name, "before"), (name, None))
    ):
        return True
    return any(found.actions.get((name, "before")) for name in names)


def place_of(statement: Statement, moment: Tense | None, words: Vocabulary) -> Place:
    """Where a statement is read: at its own word, else at the given moment; what never changes at none."""
    if isinstance(statement, Atom) and not words.predicates[statement.predicate].has_tense:
        return statement.relation, None
    return statement.relation, statement.tense or moment or "before"


def _edges(rule: Rule, words: Vocabulary) -> Iterator[tuple[Place, Place]]:
    """What each conclusion rests on; a rule without a tense word is read at either moment."""
    counters = counts_of(words)
    said = [
        (s, _places(words.predicates[predicate_of(s)], s.tense)) for s in (rule.head, *statements(rule.body))
    ]
    # What is said of a closed set rests on its count too.
    said += [(s, _places(counters[s.relation], s.tense)) for s, _ in said[1:] if s.relation in counters]
    timeless = not any(statement.tense for statement, _ in said)
    (_, heads), *conditions = said
    for head in heads:
        yield head, head
        for _, places in conditions:
            yield from ((head, place) for place in places if not timeless or place[1] in (head[1], None))


def _summed(
    theory: Theory, heads: Mapping[Place, set[Place]]
) -> tuple[dict[Place, frozenset[str]], frozenset[Place]]:
    """The places that rules sum up whose conclusions are not meta, with what may make more of each; and those that rest on one of which
    there may be more.
    """
    words = theory.vocabulary
    summed: dict[Place, frozenset[str]] = {}
    shaky: set[Place] = set()
    for rule in theory.rules:
        if words.predicates[predicate_of(rule.head)].kind == "meta":
            continue
        inside = {
            p for s in summarised(rule.body) for p in _places(words.predicates[predicate_of(s)], s.tense)
        }
        for place in inside - summed.keys():
            summed[place] = frozenset(
                name if moment != "after" else f"after {name}"
                for name, moment in _below(place, heads)
                if moment == "after" or words.predicates[name].kind in ("game", "action", "meta")
            )
        said = (rule.head, *statements(rule.body))
        timeless = not any(statement.tense for statement in said)
        for head in _places(words.predicates[predicate_of(rule.head)], rule.head.tense):
            if any(summed[p] for p in inside if not timeless or p[1] in (head[1], None)):
                shaky.add(head)
    if shaky:
        shaky |= {place for place in heads if _below(place, heads) & shaky}
    return summed, frozenset(shaky)


def summarised(conditions: Iterable[Condition]) -> Iterator[Statement]:
    """The statements that stand in absences and aggregates."""
    for condition in conditions:
        if isinstance(condition, Absent | Aggregate):
            yield from statements((condition,))
        elif isinstance(condition, All):
            yield from summarised(condition.conditions)


def unsure(statement: Statement, theory: Theory) -> str | None:
    """Why it is not certain in every world of a state what there is of a statement, read before the action; None where it is."""
    found, place = promised(theory), place_of(statement, "before", theory.vocabulary)
    if place not in found.summed:
        return "no rule of the theory asks for that"
    return f"more of it may come from {min(found.summed[place])}" if found.summed[place] else None


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
    return frozenset(name for name, _ in _below(place, heads) if words.predicates[name].kind == "action")


def _below(place: Place, heads: Mapping[Place, set[Place]]) -> set[Place]:
    """The places that a conclusion rests on, through any rules, and its own."""
    seen, todo = {place}, [place]
    while todo:
        new = heads.get(todo.pop(), set()) - seen
        seen |= new
        todo += new
    return seen
