"""The keys and counts that a proof may use, in given states and in reachable ones.

A key (`->`) and a count are integrity constraints on *given* facts: each incoming fact is checked against
them. Rules and actions may conclude facts that violate them, so a constraint on such facts is used in two
cases only. Either it is proved here by induction over the rules, or the theory declares the predicate
`observed` after an action. Observed conclusions hold in the next given state, where the constraints hold.

The induction considers the first two facts with the same key and different values. Two rules (or one rule
twice) conclude them from conditions that hold while all constraints are still satisfied. The proof shows for
each pair of rules that this is impossible. It assumes that exactly one action is taken, and nothing about a
state except the state's own constraints.

This module searches for a set of constraints that hold together. The checker receives the proofs of those
that a certificate uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from hornbook.compiler.checker.certificate import Witness
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.checker.dependencies import IntegrityAssumptions
from hornbook.compiler.checker.keys import FIRST, SECOND, have_two_actions, pairs_of, renamed
from hornbook.compiler.witness.certificate_writer import CertificateWriter
from hornbook.compiler.witness.congruence import Place
from hornbook.compiler.witness.context import SearchContext
from hornbook.compiler.witness.proof_state import Constraints, Found, Ref
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.once_per_theory import once_per_theory
from hornbook.kb.ast.terms import (
    Atom,
    Comparison,
    Constant,
    Expression,
    Operation,
    Rule,
    Tense,
    Term,
    shared_variables,
    statements,
)
from hornbook.kb.ast.theory import Theory, Vocabulary, counts_of
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class KnownConstraints:
    """The constraints of a theory.

    Attributes:
        given: The constraints that hold in given states and their consequences.
        reached: The constraints that hold in all reachable states.
        keys: The reason why each key holds in given states, by timed predicate.
        counts: The reason why each closed set is closed in given states, by timed predicate.
    """

    given: Constraints
    reached: Constraints
    keys: Mapping[Place, str]
    counts: Mapping[Place, str]
    induction: _Induction = field(compare=False, repr=False)

    def proofs(self, used: Iterable[Used], *, reached: bool) -> tuple[Witness, ...]:
        """Return the proofs of the keys and counts that a certificate uses, and of those that these proofs
        use.
        """
        valid = self.reached if reached else self.given
        found: dict[Used, Witness] = {}
        waiting = list(used)
        while waiting:
            (name, moment), kind = waiting.pop()
            both = moment is not None and (reached or moment == "after")
            moments: tuple[Tense | None, ...] = ("before", "after") if both else (moment,)
            for at in moments:
                each = ((name, at), kind)
                if each not in found and self._is_proved(each, valid):
                    proofs, below = self.induction.proofs(each, valid, reached=reached)
                    found[each] = (name, at, kind, proofs)
                    waiting += below
        return tuple(found[each] for each in sorted(found, key=str))

    def _is_proved(self, used: Used, valid: Constraints) -> bool:
        place, kind = used
        if kind == "key":
            return self.keys.get(place) == PROVED and place in valid.keys
        return self.counts.get(place) == PROVED and place in valid.closed


Used = tuple[Place, str]
"""A timed predicate, and `key` or `count`."""
OPEN, GIVEN, PROVED, OBSERVED = "open", "given", "proved", "observed"
"""Not usable; checked for every incoming fact; proved for the conclusions of rules; declared as observed."""


@once_per_theory
def constraints(theory: Theory) -> KnownConstraints:
    """Return the constraints that proofs may use in a theory's states."""
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
    return KnownConstraints(given, reached, _shown(keys, given.keys), _shown(counts, given.closed), proof)


def _places(predicate: Predicate) -> tuple[Place, ...]:
    return tuple((predicate.name, m) for m in (("before", "after") if predicate.has_tense else (None,)))


def _shown(why: Mapping[Place, str], valid: frozenset[Place]) -> dict[Place, str]:
    return {p: (PROVED if w == OPEN else w) if p in valid else OPEN for p, w in why.items()}


class _Induction:
    """The proofs that rules preserve the keys and counts of a theory."""

    def __init__(self, theory: Theory) -> None:
        self.theory = theory
        self.words: Vocabulary = theory.vocabulary
        self.counters = counts_of(self.words)
        self.found: dict[tuple[Used, bool], tuple[Witness, set[Used]]] = {}
        self.concluding: dict[Place, list[Rule]] = {}
        for rule in theory.rules:
            if isinstance(rule.head, Atom):
                for place in _places(self.words.predicates[rule.head.predicate]):
                    if rule.head.tense in (None, place[1]):
                        self.concluding.setdefault(place, []).append(rule)

    def why_keyed(self, place: Place) -> str:
        """Return why a key holds without a proof: its facts are only given, or they are observed."""
        name, moment = place
        if moment == "after":
            return OBSERVED if self.words.predicates[name].observed else OPEN
        return GIVEN if place not in self.concluding else OPEN

    def why_closed(self, place: Place) -> str:
        """Return why a set has no more members than its count states, without a proof."""
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
        """Return the largest set of constraints that hold together, each trivially or by a proof that assumes
        the whole set.

        In a reachable state, facts before an action may be conclusions after another action. A constraint
        that may be violated then holds at neither moment.
        """
        while True:
            if reached:
                tried = Constraints(_at_both(tried.keys), _at_both(tried.closed))
            keys = {
                p
                for p in tried.keys
                if self._holds(p, keyed[p], tried.keys) or self._is_key_preserved(p, tried, reached=reached)
            }
            closed = {
                p
                for p in tried.closed
                if self._holds(p, counted[p], tried.closed)
                or self._is_count_preserved(p, tried, reached=reached)
            }
            left = Constraints(frozenset(keys), frozenset(closed))
            if left == tried:
                return left
            tried = left

    def _holds(self, place: Place, why: str, tried: frozenset[Place]) -> bool:
        return why == GIVEN or (why == OBSERVED and (place[0], "before") in tried)

    def proofs(self, used: Used, valid: Constraints, *, reached: bool) -> tuple[Witness, Iterable[Used]]:
        """Return the proofs of a constraint from the given ones, and the constraints that the proofs use."""
        if (used, reached) not in self.found:
            (place, kind), assumed = used, Constraints(valid.keys, valid.closed)
            search = self._key_proofs if kind == "key" else self._count_proofs
            self.found[used, reached] = search(place, assumed, reached=reached), assumed.used
        return self.found[used, reached]

    def _is_key_preserved(self, place: Place, tried: Constraints, *, reached: bool) -> bool:
        return self._key_proofs(place, tried, reached=reached) is not False

    def _key_proofs(self, place: Place, tried: Constraints, *, reached: bool) -> Found:
        """Return proofs that no two facts of a timed predicate, concluded or given, violate its key; or
        False.
        """
        proofs: list[Found] = []
        for pair in pairs_of(IntegrityAssumptions(self.theory, reached=reached), place):
            proofs.append(self._agree(pair, place, tried))
            if proofs[-1] is False:
                return False
        return tuple(proofs)

    def _is_count_preserved(self, place: Place, tried: Constraints, *, reached: bool) -> bool:
        return self._count_proofs(place, tried, reached=reached) is not False

    def _count_proofs(self, place: Place, tried: Constraints, *, reached: bool) -> Found:
        """Return proofs that no set of a timed predicate has more members than a concluded count of it; or
        False.

        They show that all members belong to other closed sets, whose union is no larger.
        """
        name, moment = place
        above = self.counters[name].name, moment
        if self.words.predicates[name].has_tense != self.counters[name].has_tense:
            return False
        usable = IntegrityAssumptions(self.theory, reached=reached)
        if usable.may_be_given(place) or usable.may_be_given(above):
            return False
        proofs: list[Found] = []
        for rule in self.concluding.get(above, ()):
            proofs.append(self._is_within(rule, place, tried))
            if proofs[-1] is False:
                return False
        return tuple(proofs)

    def _is_within(self, counting: Rule, place: Place, tried: Constraints) -> Found:
        """Return a proof that the members of a set belong to a union no larger than the set's concluded
        count; or False.
        """
        counting = renamed(counting, FIRST)
        if self._has_two_actions((counting,)):
            return None
        try:
            together = _JointContext(self.theory, tried, (counting,), place)
            if (why := together.context.impossible()) is not False:
                return ("impossible", *together.written(why))
            size = counting.head.terms[-1]
            unions = [
                (union, why)
                for union in _unions(together.context)
                if (why := together.context.entails(Comparison("<=", union.size, size))) is not False
            ]
            for union, why in unions:
                within = together.branch()
                notes, name, entailed = within.written(union.name, why)
                members: list[Found] = []
                for rule in self.concluding.get(place, ()):
                    members.append(self._member(within, (counting, renamed(rule, SECOND)), place, union))
                    if members[-1] is False:
                        break
                else:
                    return ("within", notes, name, entailed, tuple(members))
        except (RejectedError, RecursionError):
            pass
        return False

    def _member(self, within: _JointContext, rules: tuple[Rule, Rule], place: Place, union: _Union) -> Found:
        """Return a proof that the second rule's conclusion, as a member of the counted set, is in a union; or
        False.
        """
        if self._has_two_actions(rules):
            return None
        counting, member = rules
        key, row = _split(member.head.terms, len(counting.head.terms) - 1)
        both = within.branch()
        both.take(self.theory, member, place, zip(counting.head.terms[:-1], key, strict=True))
        if (why := both.context.impossible()) is not False:
            return ("impossible", *both.written(why))
        found = _is_in(row, union, both.context)
        return found and (found[0], *both.written(*found[1:]))

    def _agree(self, pair: tuple[Rule, Rule], place: Place, assumed: Constraints) -> Found:
        """Return a proof that two conclusions with the same key have the same value; or False."""
        one, other = (renamed(rule, mark) for rule, mark in zip(pair, (FIRST, SECOND), strict=True))
        if self._has_two_actions((one, other)):
            return None
        width = self.words.predicates[place[0]].key
        assert width is not None
        columns = list(zip(one.head.terms, other.head.terms, strict=True))
        try:
            both = _JointContext(self.theory, assumed, (one, other), place, columns[:width])
            if (why := both.context.impossible()) is not False:
                return ("impossible", *both.written(why))
            values = tuple(both.context.compares(Comparison("=", a, b)) for a, b in columns[width:])
        except (RejectedError, RecursionError):
            return False
        return False if False in values else ("known", *both.written(values))

    def _has_two_actions(self, rules: Iterable[Rule]) -> bool:
        return have_two_actions(IntegrityAssumptions(self.theory), rules)


def _split(terms: Sequence[Term], at: int) -> tuple[Sequence[Term], Sequence[Term]]:
    return terms[:at], terms[at:]


class _JointContext:
    """The facts known if rules conclude facts with the same key, and the writer of their numbers."""

    def __init__(
        self,
        theory: Theory,
        assumed: Constraints,
        rules: Sequence[Rule],
        place: Place,
        keys: Iterable[tuple[Term, Term]] = (),
    ) -> None:
        self.context = SearchContext(theory.vocabulary, assumed)
        self.context.state(theory, {s.relation for r in rules for s in (r.head, *statements(r.body))})
        self.writer = CertificateWriter(self.context)
        self.context.fixed |= {name for rule in rules for name in shared_variables(rule)}
        for rule in rules:
            self.writer.assign_numbers(self.context.take(rule.body, place[1]))
        self._close(keys)

    def _close(self, keys: Iterable[tuple[Term, Term]]) -> None:
        self.writer.assign_numbers(self.context.take([Comparison("=", a, b) for a, b in keys], None))
        for note in self.context.close():
            self.writer.add(note)

    def take(self, theory: Theory, rule: Rule, place: Place, keys: Iterable[tuple[Term, Term]]) -> None:
        """Add the conditions of another rule that concludes a fact with that key."""
        self.context.state(theory, {s.relation for s in (rule.head, *statements(rule.body))})
        self.context.fixed |= shared_variables(rule)
        self.writer.assign_numbers(self.context.take(rule.body, place[1]))
        self._close(keys)

    def branch(self) -> _JointContext:
        result = object.__new__(_JointContext)
        result.context = self.context.branch()
        result.writer = self.writer.branch(result.context)
        return result

    def written(self, *found: Found) -> tuple[Witness, ...]:
        """Return the notes to make first, then the written form of each witness."""
        return self.writer.written(*found)


def _at_both(places: frozenset[Place]) -> frozenset[Place]:
    return frozenset(p for p in places if p[1] is None or {(p[0], "before"), (p[0], "after")} <= places)


@dataclass(frozen=True, slots=True)
class _Union:
    """A union of closed sets, without some elements and with another one, and its name in a certificate.

    Each set is given by a timed predicate and a key. `size` is an upper bound on the number of elements.
    """

    name: Found
    sets: tuple[tuple[Place, tuple[Term, ...]], ...]
    excluded: tuple[Term, ...]
    added: tuple[Term, ...]
    size: Expression


def _unions(context: SearchContext) -> Iterator[_Union]:
    """Yield the unions of closed sets whose size is known: counted unions, and single sets.

    A single set may also lose a known member, or gain an argument of the action.
    """
    for condition, moment, number in context.counts:
        width = len(condition.variables)
        sets = tuple(context.closed_set(member, width, moment) for member in condition.sets)
        if all(context.is_closed(place) for place, _ in sets):
            yield _Union(("count", Ref(number)), sets, condition.excluded, (), condition.result)
    for number, place, key, size in context.counted_sets():
        closed, by = (place, key), Ref(number)
        context.is_closed(place)
        yield _Union(("set", by), (closed,), (), (), size)
        for member, row in context.members(closed):
            if len(row) == 1:
                less = Operation("-", (size, Constant(1)))
                yield _Union(("less", by, Ref(member)), (closed,), row, (), less)
        for action, column, term in context.acted_on():
            more = Operation("+", (size, Constant(1)))
            yield _Union(("more", by, Ref(action), column), (closed,), (), (term,), more)


def _is_in(row: Sequence[Term], union: _Union, context: SearchContext) -> Found:
    """Return a proof that a row is in a union of sets and is not an excluded element; or False."""
    if len(row) == 1 and any(context.equal(row[0], term) for term in union.added):
        return ("with",)
    for (relation, moment), key in union.sets:
        number = context.congruence.number(relation, moment, (*key, *row))
        if number is not None:
            distinctness = (
                tuple(context.distinct(row[0], term) for term in union.excluded) if len(row) == 1 else ()
            )
            if False not in distinctness and len(distinctness) == len(union.excluded):
                return ("in", Ref(number), distinctness)
    return False
