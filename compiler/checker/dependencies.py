"""Dependencies of a proof on parts of the theory that it does not name, in a form that can be compared.

Whether a relation depends on the action taken is determined by every rule that concludes it, and by the rules
that conclude the conditions of these. A new clause may change it, although no proof names that clause. The
same is true of the keys and counts of concluded relations. The form (`dependency_form`) shows which
certificates an edit affects. It does not contain everything that proofs of keys inspect, so a certificate is
replayed even if its form is unchanged.
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
"""The version of the checker; it is raised whenever a certificate that was accepted may be refused."""

TimedPredicate = tuple[str, Tense | None]
"""A timed predicate: a relation and the moment at which it is read, or null for a relation that never
changes.
"""


@dataclass(frozen=True, slots=True)
class TheoryDependencies:
    """The dependency analysis of a theory.

    Attributes:
        actions: The actions on which each timed predicate depends.
        summed: Timed predicates that occur in absences or aggregates. Each is mapped to what may add facts to
            it in another world of the same state: games, actions, meta predicates and facts after an action.
        non_monotonic: The non-monotonic timed predicates, which depend on the absence of such facts.
        turn_dependent: The turn-dependent relations, which a pass may change.
        stable_next: Observed derived relations whose facts before the next action all hold in the state given
            then, because everything on which they depend holds there.
        concluding: The rules that conclude each timed predicate.
        facts: The static facts.
        counters: The predicates that count sets, by counted predicate.
    """

    actions: Mapping[TimedPredicate, frozenset[str]]
    summed: Mapping[TimedPredicate, frozenset[str]]
    non_monotonic: frozenset[TimedPredicate]
    turn_dependent: frozenset[str]
    stable_next: frozenset[str]
    concluding: Mapping[TimedPredicate, tuple[Rule, ...]]
    facts: frozenset[Statement]
    counters: Mapping[str, Predicate]


@once_per_theory
def dependencies(theory: Theory) -> TheoryDependencies:
    words = theory.vocabulary
    heads: dict[TimedPredicate, set[TimedPredicate]] = defaultdict(set)
    concluding: dict[TimedPredicate, list[Rule]] = defaultdict(list)
    for rule in theory.rules:
        for above, below in _edges(rule, words):
            heads[above].add(below)
        for place in _places(words.predicates[predicate_of(rule.head)], rule.head.tense):
            if isinstance(rule.head, Atom):
                concluding[place].append(rule)
    actions = {place: _actions(place, heads, words) for place in heads}
    static_facts = (
        f for f in theory.facts if isinstance(f, Atom) and words.predicates[f.predicate].kind == "static"
    )
    rules = {place: tuple(found) for place, found in concluding.items()}
    summed, non_monotonic = _summed(theory, heads)
    return TheoryDependencies(
        actions,
        summed,
        non_monotonic,
        _turn_dependent(theory),
        _stable_next(theory, heads),
        rules,
        frozenset(static_facts),
        counts_of(words),
    )


@dataclass(frozen=True, slots=True)
class IntegrityAssumptions:
    """The integrity assumptions of a proof: the timed predicates whose keys and counts it may use.

    A key or count may be used if the theory declares it for given or observed facts, or if it is proved.

    Attributes:
        reached: True if the assumptions must hold in every reachable state, and not only in given ones.
        supposed: The relations whose facts after the action need not be observed in the next state.
    """

    theory: Theory
    keys: frozenset[TimedPredicate] = frozenset()
    counts: frozenset[TimedPredicate] = frozenset()
    reached: bool = False
    supposed: frozenset[str] = frozenset()

    @property
    def facts(self) -> frozenset[Statement]:
        """Return the static facts that the theory states."""
        return dependencies(self.theory).facts

    @property
    def counters(self) -> Mapping[str, Predicate]:
        """Return the counting predicate of each predicate whose sets are closed."""
        return dependencies(self.theory).counters

    def key(self, place: TimedPredicate) -> int | None:
        """Return the number of columns that determine the others; None if no key may be used."""
        declared = self.theory.vocabulary.predicates.get(place[0])
        if declared is None or declared.kind == "meta":
            return None
        if declared.kind == "action":
            return 0  # exactly one action is taken
        return declared.key if self._at_each(place, self._keyed) else None

    def closed(self, place: TimedPredicate) -> bool:
        """Return whether the sets of a timed predicate have no more members than their counts state."""
        return place[0] in self.counters and self._at_each(place, self._counted)

    def _at_each(self, place: TimedPredicate, holds: Callable[[TimedPredicate], bool]) -> bool:
        """Return whether a property holds of a timed predicate, in reachable states both before and after an
        action.

        In a reachable state, facts before an action may be facts after the previous one.
        """
        name, moment = place
        if not self.reached or moment is None:
            return holds(place)
        return holds((name, "before")) and holds((name, "after"))

    def _keyed(self, place: TimedPredicate) -> bool:
        name, moment = place
        if place in self.keys:
            return True
        if moment == "after":
            return self._is_observed(name) and self._keyed((name, "before"))
        return not self.concluding(place)

    def _counted(self, place: TimedPredicate) -> bool:
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
        """Return whether facts concluded after the action hold in the next given state."""
        return self.theory.vocabulary.predicates[name].observed and name not in self.supposed

    def concluding(self, place: TimedPredicate) -> tuple[Rule, ...]:
        """Return the theory's rules that conclude a timed predicate."""
        return dependencies(self.theory).concluding.get(place, ())

    @property
    def places(self) -> Iterable[TimedPredicate]:
        """Return the timed predicates that rules conclude."""
        return dependencies(self.theory).concluding

    def may_be_given(self, place: TimedPredicate) -> bool:
        """Return whether the state may contain facts of a timed predicate that no rule concludes there."""
        name, moment = place
        if moment == "after":
            return False
        if self.theory.vocabulary.predicates[name].kind in ("static", "fluent"):
            return True
        return self.reached and self._may_be_left(name) and name not in dependencies(self.theory).stable_next

    def is_derived_again(self, name: str) -> bool:
        """Return whether rules derive all facts of a relation again from what the last action leaves.

        This requires a derived predicate whose rules mention no moment and no action.
        """
        words = self.theory.vocabulary.predicates
        return words[name].kind == "derived" and not any(
            statement.tense is not None
            or (isinstance(statement, Atom) and words[statement.predicate].kind == "action")
            for moment in ("before", "after")
            for rule in self.concluding((name, moment))
            for statement in (rule.head, *statements(rule.body))
        )

    def _may_be_left(self, name: str) -> bool:
        """Return whether an action may leave facts of a relation that rules need not derive again."""
        return any(rule.head.tense == "after" for rule in self.concluding((name, "after")))


def concluding_where_proved(theory: Theory, proved: Iterable[TimedPredicate]) -> tuple[Rule, ...]:
    """Return the rules that a proof of keys and counts inspects: those that conclude the relations or their
    counts.
    """
    concluding = dependencies(theory).concluding
    return tuple(
        rule for place in _sorted(_with_counters(theory, proved)) for rule in concluding.get(place, ())
    )


def _with_counters(theory: Theory, proved: Iterable[TimedPredicate]) -> set[TimedPredicate]:
    places, counters = set(proved), dependencies(theory).counters
    return places | {(counters[name].name, moment) for name, moment in places if name in counters}


def dependency_form(
    theory: Theory, predicates: Iterable[Predicate], proved: Iterable[TimedPredicate] = ()
) -> Form:
    """Return the dependencies of these predicates as a form.

    It contains, for each moment, whether rules conclude the predicate and on which actions it depends. For
    each timed predicate with a proved key or count, it contains the rules that conclude it.
    """
    found = dependencies(theory)
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


def _summed_among(found: TheoryDependencies, places: Iterable[TimedPredicate]) -> Form:
    """Return what may add facts to the summarised or non-monotonic timed predicates."""
    return [
        [name, moment, sorted(found.summed.get((name, moment), ())), (name, moment) in found.non_monotonic]
        for name, moment in _sorted({p for p in places if p in found.summed or p in found.non_monotonic})
    ]


def _sorted(places: Iterable[TimedPredicate]) -> list[TimedPredicate]:
    return sorted(places, key=lambda place: (place[0], place[1] or ""))


def turn_dependent(theory: Theory) -> frozenset[str]:
    """Return the relations that a pass may change.

    These are the values of games and everything that depends on them, and the fluents that change with the
    turn. Conclusions from such fluents at one moment, and their sets and counts, are included.
    """
    return dependencies(theory).turn_dependent


def _turn_dependent(theory: Theory) -> frozenset[str]:
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
    # A plan's assumption holds at one moment. Statements about games carry its consequences to the other
    # moment.
    value_dependent = _closure(games, at_any)
    turn_fluents = {name for name, predicate in words.predicates.items() if predicate.turn is not None}
    return frozenset(_closure(value_dependent | turn_fluents, at_one_moment))


def _stable_next(theory: Theory, heads: Mapping[TimedPredicate, set[TimedPredicate]]) -> frozenset[str]:
    words = theory.vocabulary.predicates
    left = {rule.head.relation for rule in theory.rules if rule.head.tense == "after"}

    def is_so(name: str) -> bool:
        kind = words[name].kind
        return kind == "static" or words[name].observed or (kind == "derived" and name not in left)

    observed = (name for name, p in words.items() if p.kind == "derived" and p.observed)
    return frozenset(name for name in observed if all(is_so(n) for n, _ in _below((name, "before"), heads)))


def _closure(first: Iterable[str], above: Mapping[str, set[str]]) -> set[str]:
    """Return the given relations and everything that depends on them."""
    found = set(first)
    todo = list(found)
    while todo:
        new = above.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def depends_on_action(condition: Condition, theory: Theory) -> bool:
    """Return whether a condition may hold before an action because of the action taken then.

    It may also hold because nothing is known about another action. For a closed set, its count is considered
    too.
    """
    names = {predicate_of(statement) for statement in statements((condition,))}
    if isinstance(condition, (All, CountIn)):
        counters = dependencies(theory).counters
        names |= {counters[name].name for name in names if name in counters}
    found = dependencies(theory)
    if found.non_monotonic and any(
        place in found.non_monotonic for name in names for place in ((name, "before"), (name, None))
    ):
        return True
    return any(found.actions.get((name, "before")) for name in names)


def place_of(statement: Statement, moment: Tense | None, words: Vocabulary) -> TimedPredicate:
    """Return the timed predicate of a statement: at its own tense, else at the given moment; at none if it is
    static.
    """
    if isinstance(statement, Atom) and not words.predicates[statement.predicate].has_tense:
        return statement.relation, None
    return statement.relation, statement.tense or moment or "before"


def _edges(rule: Rule, words: Vocabulary) -> Iterator[tuple[TimedPredicate, TimedPredicate]]:
    """Yield each conclusion with the timed predicates on which it depends.

    A rule without tense applies at both moments.
    """
    counters = counts_of(words)
    timed = [
        (s, _places(words.predicates[predicate_of(s)], s.tense)) for s in (rule.head, *statements(rule.body))
    ]
    # Conditions on a closed set depend on its count too.
    timed += [(s, _places(counters[s.relation], s.tense)) for s, _ in timed[1:] if s.relation in counters]
    timeless = not any(statement.tense for statement, _ in timed)
    (_, heads), *conditions = timed
    for head in heads:
        yield head, head
        for _, places in conditions:
            yield from ((head, place) for place in places if not timeless or place[1] in (head[1], None))


def _summed(
    theory: Theory, heads: Mapping[TimedPredicate, set[TimedPredicate]]
) -> tuple[dict[TimedPredicate, frozenset[str]], frozenset[TimedPredicate]]:
    """Return the summarised timed predicates with what may add facts to each, and the non-monotonic ones.

    Rules with a meta predicate as the head do not count.
    """
    words = theory.vocabulary
    summed: dict[TimedPredicate, frozenset[str]] = {}
    non_monotonic: set[TimedPredicate] = set()
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
        mentioned = (rule.head, *statements(rule.body))
        timeless = not any(statement.tense for statement in mentioned)
        for head in _places(words.predicates[predicate_of(rule.head)], rule.head.tense):
            if any(summed[p] for p in inside if not timeless or p[1] in (head[1], None)):
                non_monotonic.add(head)
    if non_monotonic:
        non_monotonic |= {place for place in heads if _below(place, heads) & non_monotonic}
    return summed, frozenset(non_monotonic)


def summarised(conditions: Iterable[Condition]) -> Iterator[Statement]:
    """Yield the statements inside absences and aggregates."""
    for condition in conditions:
        if isinstance(condition, (Absent, Aggregate)):
            yield from statements((condition,))
        elif isinstance(condition, All):
            yield from summarised(condition.conditions)


def reason_for_uncertainty(statement: Statement, theory: Theory) -> str | None:
    """Return why a statement before the action may have different facts in different worlds of a state.

    Return None otherwise.
    """
    found, place = dependencies(theory), place_of(statement, "before", theory.vocabulary)
    if place not in found.summed:
        return "no rule of the theory tests that"
    return f"more of it may come from {min(found.summed[place])}" if found.summed[place] else None


def _places(predicate: Predicate, tense: Tense | None) -> tuple[TimedPredicate, ...]:
    if not predicate.has_tense:
        return ((predicate.name, None),)
    return (
        ((predicate.name, "before"), (predicate.name, "after"))
        if tense is None
        else ((predicate.name, tense),)
    )


def _actions(
    place: TimedPredicate, heads: Mapping[TimedPredicate, set[TimedPredicate]], words: Vocabulary
) -> frozenset[str]:
    """Return the actions on which a conclusion depends, through any rules."""
    return frozenset(name for name, _ in _below(place, heads) if words.predicates[name].kind == "action")


def _below(place: TimedPredicate, heads: Mapping[TimedPredicate, set[TimedPredicate]]) -> set[TimedPredicate]:
    """Return the timed predicates on which a conclusion depends, through any rules, including its own."""
    seen, todo = {place}, [place]
    while todo:
        new = heads.get(todo.pop(), set()) - seen
        seen |= new
        todo += new
    return seen
