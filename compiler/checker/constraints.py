"""Which keys and counts a proof may rest on, and in which states.

A key (`->`) and a count are integrity constraints on the facts that are *given*: each fact that comes in is held against
them. What rules conclude, and what comes after an action, may break them, so there a constraint is used only where it was
proved here, by induction over the rules: a first pair of facts with one key and two values would be concluded by two
rules (or one, twice) whose conditions hold while all constraints still do; for each such pair it is shown that there is
none. Or where the theory says that the predicate is `observed` after an action: then what is concluded of it is true of
the state that is given next, in which the key holds as in every given state.

The induction takes for granted that one action is taken, once, and nothing else of a state but its own constraints.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from hornbook.compiler.checker.congruence import Place
from hornbook.compiler.checker.context import Context
from hornbook.compiler.checker.established import Constraints, RejectedError
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.substitution import rename_rule
from hornbook.kb.ast.terms import (
    Atom,
    Comparison,
    Constant,
    Expression,
    Operation,
    Rule,
    Term,
    Variable,
    shared_variables,
    statements,
)
from hornbook.kb.ast.theory import Theory, Vocabulary, counts_of


@dataclass(frozen=True, slots=True)
class Known:
    """The constraints of a theory: in a state that is `given` and what comes of it, and in any state that is `reached`
    by actions from a given one. `how` says of each place with a key or a closed set why it holds in the former.
    """

    given: Constraints
    reached: Constraints
    keys: Mapping[Place, str]
    counts: Mapping[Place, str]


OPEN, GIVEN, PROVED, OBSERVED = "open", "given", "proved", "observed"
"""Nothing may rest on it; held against every fact that comes in; proved of what rules conclude; declared so."""


def constraints(theory: Theory) -> Known:
    """What may be relied on in a theory's states; theories that were asked of last are remembered."""
    for known, found in _remembered:
        if known is theory:
            return found
    found = _find(theory)
    _remembered[:] = [*_remembered, (theory, found)][-_MOST:]
    return found


_MOST = 4
_remembered: list[tuple[Theory, Known]] = []


def _find(theory: Theory) -> Known:
    proof, predicates = _Induction(theory), theory.vocabulary.predicates
    keyed = {p.name for p in predicates.values() if p.key is not None and p.kind != "meta"}
    keys = {place: proof.why_keyed(place) for name in keyed for place in _places(predicates[name])}
    counts = {
        place: proof.why_closed(place)
        for name in counts_of(theory.vocabulary)
        for place in _places(predicates[name])
    }
    given = proof.largest(Constraints(frozenset(keys), frozenset(counts)), keys, counts, reached=False)
    reached = proof.largest(given, keys, counts, reached=True)
    return Known(given, reached, _shown(keys, given.keys), _shown(counts, given.closed))


def _places(predicate: Predicate) -> tuple[Place, ...]:
    return tuple((predicate.name, m) for m in (("before", "after") if predicate.has_tense else (None,)))


def _shown(why: Mapping[Place, str], holding: frozenset[Place]) -> dict[Place, str]:
    return {p: (PROVED if w == OPEN else w) if p in holding else OPEN for p, w in why.items()}


class _Induction:
    """The proofs by which rules keep the keys and counts of a theory."""

    def __init__(self, theory: Theory) -> None:
        self.theory = theory
        self.words: Vocabulary = theory.vocabulary
        self.counters = counts_of(self.words)
        self.concluding: dict[Place, list[Rule]] = {}
        for rule in theory.rules:
            if isinstance(rule.head, Atom):
                for place in _places(self.words.predicates[rule.head.predicate]):
                    if rule.head.tense in (None, place[1]):
                        self.concluding.setdefault(place, []).append(rule)

    def why_keyed(self, place: Place) -> str:
        """Why a key holds without a proof: nothing concludes such facts but who gives them, or they are observed."""
        name, moment = place
        if moment == "after":
            return OBSERVED if self.words.predicates[name].observed else OPEN
        return GIVEN if place not in self.concluding else OPEN

    def why_closed(self, place: Place) -> str:
        """Why a set has no more members than its count says, without a proof."""
        name, moment = place
        member, counter = self.words.predicates[name], self.counters[name]
        if member.has_tense != counter.has_tense:
            return OPEN
        if moment == "after":
            return OBSERVED if member.observed and counter.observed else OPEN
        return OPEN if {(counter.name, moment), place} & self.concluding.keys() else GIVEN

    def largest(
        self, tried: Constraints, keyed: Mapping[Place, str], counted: Mapping[Place, str], *, reached: bool
    ) -> Constraints:
        """The most constraints that hold together: each by itself, or proved where all of them hold.

        In a state that is reached, facts before an action are what was concluded after another: a constraint that may
        break then holds at neither moment.
        """
        while True:
            if reached:
                tried = Constraints(_at_both(tried.keys), _at_both(tried.closed))
            keys = {
                p
                for p in tried.keys
                if self._holds(p, keyed[p], tried.keys) or self._is_kept(p, tried, reached=reached)
            }
            closed = {
                p
                for p in tried.closed
                if self._holds(p, counted[p], tried.closed) or self._is_counted(p, tried, reached=reached)
            }
            left = Constraints(frozenset(keys), frozenset(closed))
            if left == tried:
                return left
            tried = left

    def _holds(self, place: Place, why: str, tried: frozenset[Place]) -> bool:
        return why == GIVEN or (why == OBSERVED and (place[0], "before") in tried)

    def _is_kept(self, place: Place, tried: Constraints, *, reached: bool) -> bool:
        """Whether no two conclusions at a place, nor one and a given fact, have one key and two values."""
        rules = self.concluding.get(place, ())
        pairs = [*combinations_with_replacement(rules, 2)]
        if self._is_given(place, reached=reached):
            fact = self._fact(place[0])
            pairs += [(fact, rule) for rule in rules]
        return all(self._agree(one, other, place, tried) for one, other in pairs)

    def _is_counted(self, place: Place, tried: Constraints, *, reached: bool) -> bool:
        """Whether no set at a place has more members than a count of it that rules conclude: all members are of other
        closed sets, which together are no larger.
        """
        name, moment = place
        counter = self.counters[name]
        above = counter.name, moment
        if self.words.predicates[name].has_tense != counter.has_tense:
            return False
        if self._is_given(place, reached=reached) or self._is_given(above, reached=reached):
            return False
        return all(self._is_within(rule, place, tried) for rule in self.concluding.get(above, ()))

    def _is_within(self, counting: Rule, place: Place, tried: Constraints) -> bool:
        """Whether all members of a set whose size a rule concludes are of a union of closed sets of at most that size."""
        counting = _apart(counting, "'")
        size = counting.head.terms[-1]
        try:
            alone = self._together((counting,), place, (), tried)
            if alone is None:
                return True
            unions = [u for u in _unions(alone) if alone.entails(Comparison("<=", u.size, size))]
            for rule in self.concluding.get(place, ()):
                member = _apart(rule, '"')
                key, row = (
                    member.head.terms[: len(counting.head.terms) - 1],
                    member.head.terms[len(counting.head.terms) - 1 :],
                )
                both = self._together(
                    (counting, member), place, zip(counting.head.terms[:-1], key, strict=True), tried
                )
                if both is not None:
                    unions = [u for u in unions if _is_in(row, u, both)]
        except (RejectedError, RecursionError):
            return False
        return bool(unions)

    def _fact(self, name: str) -> Rule:
        """A fact that is given, as a rule that concludes it."""
        atom = Atom(name, tuple(Variable(f"given{i}") for i in range(self.words.predicates[name].arity)))
        return Rule(atom, (atom,))

    def _is_given(self, place: Place, *, reached: bool) -> bool:
        """Whether facts of a place may come with the state, besides those that rules conclude there."""
        name, moment = place
        if moment == "after":
            return False
        declared = self.words.predicates[name]
        concluded = any(rule.head.tense == "after" for rule in self.concluding.get((name, "after"), ()))
        return declared.kind in ("static", "fluent") or (reached and concluded and not declared.observed)

    def _agree(self, first: Rule, second: Rule, place: Place, assumed: Constraints) -> bool:
        """Whether the facts of two conclusions that have one key have one value, wherever all conditions hold."""
        one, other = (_apart(rule, mark) for rule, mark in ((first, "'"), (second, '"')))
        width = self.words.predicates[place[0]].key
        assert width is not None
        pairs = list(zip(one.head.terms, other.head.terms, strict=True))
        try:
            context = self._together((one, other), place, pairs[:width], assumed)
            return context is None or all(context.compares(Comparison("=", a, b)) for a, b in pairs[width:])
        except (RejectedError, RecursionError):
            return False

    def _together(
        self, rules: Sequence[Rule], place: Place, keys: Iterable[tuple[Term, Term]], assumed: Constraints
    ) -> Context | None:
        """All that holds where rules conclude something of one key; None where they never do together."""
        said = [s for rule in rules for s in (rule.head, *statements(rule.body))]
        if len({s.relation for s in said if self._is_action(s.relation)}) > 1:
            return None
        context = Context(self.words, assumed)
        relations = {s.relation for s in said}
        for fact in self.theory.facts:
            if fact.relation in relations and context.is_lasting(fact):
                context.establish(fact, None)
        for rule in rules:
            context.fixed |= shared_variables(rule)
        for rule in rules:
            context.take(rule.body, place[1])
        for a, b in keys:
            context.take_comparison(Comparison("=", a, b))
        context.close()
        return None if context.impossible() else context

    def _is_action(self, relation: str) -> bool:
        declared = self.words.predicates.get(relation)
        return declared is not None and declared.kind == "action"


def _apart(rule: Rule, mark: str) -> Rule:
    """A rule whose variables no other rule has."""
    return rename_rule(rule, lambda name: f"{name}{mark}")


def _at_both(places: frozenset[Place]) -> frozenset[Place]:
    return frozenset(p for p in places if p[1] is None or {(p[0], "before"), (p[0], "after")} <= places)


@dataclass(frozen=True, slots=True)
class _Union:
    """Closed sets (a relation at a moment and a key each), without some things and with one besides, and how many members
    these have in all at most.
    """

    sets: tuple[tuple[Place, tuple[Term, ...]], ...]
    without: tuple[Term, ...]
    besides: tuple[Term, ...]
    size: Expression


def _unions(context: Context) -> Iterator[_Union]:
    """The unions of closed sets whose size is known: those that are counted, and single ones, of which a known member may
    be left out, or to which a thing is added that the action is about.
    """
    for condition, moment in context.counts:
        width = len(condition.variables)
        sets = tuple(context.closed_set(member, width, moment) for member in condition.sets)
        if all(place in context.constraints.closed for place, _ in sets):
            yield _Union(sets, condition.excluded, (), condition.result)
    for place, key, size in context.counted_sets():
        yield _Union(((place, key),), (), (), size)
        for row in context.members((place, key)):
            if len(row) == 1:
                yield _Union(((place, key),), row, (), Operation("-", size, Constant(1)))
        for term in context.acted_on():
            yield _Union(((place, key),), (), (term,), Operation("+", size, Constant(1)))


def _is_in(row: Sequence[Term], union: _Union, context: Context) -> bool:
    """Whether a thing is of a union of sets, and none of those left out."""
    if len(row) == 1 and any(context.equal(row[0], term) for term in union.besides):
        return True
    of_one = any(
        context.congruence.holds(relation, moment, (*key, *row)) for (relation, moment), key in union.sets
    )
    return of_one and all(len(row) == 1 and context.distinct(row[0], term) for term in union.without)
