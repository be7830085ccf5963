"""Demand: coded rules that conclude only what some questions rest on, made from the rules of a program.

A *demand* is a predicate with some of its columns: its facts say which cells are wanted there. It is concluded from
what a question or rule has matched before it comes to a condition, and the rules of that predicate begin with it: magic
sets (Bancilhon, Maier, Sagiv and Ullman 1986), without a copy of the predicate for each set of columns (Tekle and Liu
2011).

Always true, once the new rules are saturated:

- Every fact of a predicate of the program follows from the program, and by the same instance of the same rule.
- A predicate that is demanded has all facts that follow and have the demanded cells; one that is taken *whole* has
  all that follow.
- A demand is concluded by matches and comparisons without arithmetic, so nothing overflows that does not in the program.

A condition of which no column is known, and whatever a whole predicate rests on, is taken whole. So is what an absence or
an aggregate reads where its demand would rest on it: the new rules are stratified as those of the program are. Predicates
that are *spared* are taken whole only where they are such a condition or absence themselves: what reads them otherwise
demands them, also the rules of whole predicates. Where a rule of theirs says what holds for all members of a set that is
*still*, that is demanded for one member after another, and for none after the first for which it does not hold.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from types import MappingProxyType

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    ClosedSet,
    CodedCondition,
    CodedTerm,
    Compare,
    CountOf,
    Fact,
    Match,
    PredicateId,
    Rule,
    RuleId,
    Var,
)
from hornbook.matcher.program.errors import NotStratifiedError
from hornbook.matcher.program.scope import (
    bindable_variables,
    inner_conditions,
    predicates_read,
    terms,
    variable_count,
    variables,
)
from hornbook.matcher.program.stratify import strata
from hornbook.matcher.program.wellformed import MOST_CONDITIONS

Body = tuple[CodedCondition, ...]
RulesOf = Mapping[PredicateId, Sequence[Rule]]
"""The rules that conclude each predicate."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A predicate, and those of its columns whose cells are demanded: one at least, in order."""

    predicate: PredicateId
    columns: tuple[int, ...]

    @property
    def arity(self) -> int:
        return len(self.columns)


@dataclass(frozen=True, slots=True)
class Order:
    """The order of the members of a set, of one cell each: a rule's name, and the predicate that it concludes. Of the `first`
    member there is the key and the member, of others the key, the member before and the member.
    """

    members: PredicateId
    key: int
    first: bool

    @property
    def arity(self) -> int:
        return self.key + (1 if self.first else 2)


@dataclass(frozen=True, slots=True)
class Guarded:
    """The name of a rule that begins with a demand for its conclusion."""

    rule: RuleId
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Asking:
    """The name of a rule that concludes a demand for these terms: what it says."""

    pattern: Pattern
    wanted: tuple[CodedTerm, ...]
    before: Body


@dataclass(frozen=True, slots=True)
class Demanded:
    """What is to be saturated for some questions: rules, and demands that are facts from the start. Of the predicates that rules
    conclude, those that are `whole` have all that follows.
    """

    rules: tuple[Rule, ...]
    asked: tuple[Fact, ...]
    whole: frozenset[PredicateId] = frozenset()


@dataclass(frozen=True, slots=True)
class _Read:
    """A condition's reading of a predicate: its terms (None: not known yet), after what is matched before it."""

    predicate: PredicateId
    terms: tuple[CodedTerm | None, ...]
    before: Body


def demanded(
    concluded: RulesOf,
    questions: Iterable[Body],
    number_of: Callable[[Pattern | Order], PredicateId],
    *,
    whole: AbstractSet[PredicateId] = frozenset(),
    spared: AbstractSet[PredicateId] = frozenset(),
    still: AbstractSet[PredicateId] = frozenset(),
    keys: Mapping[PredicateId, int] = MappingProxyType({}),
) -> Demanded:
    """What answers some questions by the rules that conclude each predicate. `number_of` gives each pattern the number of its demand, each order its own, also a new one.

    A question that names no constant demands what it reads whole, except for what is `spared`. So is what is `whole` in any
    case. The facts of what is `still` seldom change. `keys` are the columns that determine the others of a predicate, by how
    many they are.
    """
    asked = tuple(dict.fromkeys(questions))
    read_whole = (condition for body in asked if not _names_a_constant(body) for condition in body)
    read = {number for number, _ in predicates_read(read_whole)}
    all_of = rested_on(whole | (read - spared), concluded, spared)
    while True:
        attempt = _Transformation(concluded, number_of, frozenset(all_of), spared, still, keys)
        attempt.run(asked)
        more = attempt.unbound or _read_too_soon(attempt.rules, concluded.keys() - all_of)
        if more <= all_of:
            return Demanded(tuple(attempt.rules), tuple(attempt.asked), frozenset(all_of))
        all_of |= rested_on(more, concluded, spared)


def _names_a_constant(body: Body) -> bool:
    return any(isinstance(term, int) for condition in body for term in terms(condition))


def rested_on(
    predicates: Iterable[PredicateId],
    concluded: RulesOf,
    spared: AbstractSet[PredicateId] = frozenset(),
) -> set[PredicateId]:
    """Predicates, and all that their rules read, and so on; but nothing that is `spared`."""
    reached: set[PredicateId] = set()
    todo = list(predicates)
    while todo:
        number = todo.pop()
        if number not in reached:
            reached.add(number)
            read = {read for rule in concluded.get(number, ()) for read, _ in predicates_read(rule.body)}
            todo += read - spared
    return reached


def _read_too_soon(rules: Iterable[Rule], guarded: AbstractSet[PredicateId]) -> set[PredicateId]:
    """A guarded predicate on a way on which some rule needs finished what its own conclusion leads to, if there is one."""
    try:
        strata(rules)
    except NotStratifiedError as problem:
        first, *others = problem.cycle
        return set(itertools.islice((each for each in (*others, first) if each in guarded), 1))
    return set()


class _Transformation:
    """One attempt, with some predicates taken whole. `unbound` are those that would have to be, too."""

    def __init__(
        self,
        concluded: RulesOf,
        number_of: Callable[[Pattern | Order], PredicateId],
        whole: frozenset[PredicateId],
        spared: AbstractSet[PredicateId],
        still: AbstractSet[PredicateId],
        keys: Mapping[PredicateId, int],
    ) -> None:
        self._concluded, self._number_of, self._whole, self._keys = concluded, number_of, whole, keys
        self._spared, self._still = spared, still
        self._todo: list[Pattern] = []
        self._patterns: set[Pattern] = set()
        self._made: set[Asking | Order] = set()
        self.rules: list[Rule] = []
        self.asked: dict[Fact, None] = {}
        self.unbound: set[PredicateId] = set()

    def run(self, questions: Sequence[Body]) -> None:
        for body in questions:
            self._ask(body, set(), ())
        for number in sorted(self._whole):
            for rule in self._concluded.get(number, ()):
                self.rules.append(rule)
                if not all(self._is_at_hand(read) for read, _ in predicates_read(rule.body)):
                    self._ask(rule.body, set(), ())
        while self._todo:
            pattern = self._todo.pop()
            for rule in self._concluded[pattern.predicate]:
                self._guard(rule, pattern)

    def _guard(self, rule: Rule, pattern: Pattern) -> None:
        """Adds a rule that begins with a demand, and the demands of its conditions."""
        if size(rule.body) >= MOST_CONDITIONS:
            self.unbound.add(pattern.predicate)
            return
        cells = tuple(rule.head.terms[column] for column in pattern.columns)
        guard = Match(self._number_of(pattern), cells)
        as_written = pattern.predicate in self._spared
        name = Guarded(rule.id, pattern.columns)
        self.rules.append(Rule(name, rule.head, (guard, *rule.body), rule.variables, as_written))
        self._ask(rule.body, set(variables(guard)), (guard,), as_written=as_written)

    def _ask(self, body: Body, bound: set[int], before: Body, *, as_written: bool = False) -> None:
        """Demands what a body reads, where `bound` variables have a cell from what is matched `before`."""
        for read in self._reads(body, bound, before, as_written=as_written):
            if self._is_at_hand(read.predicate):
                continue
            columns = tuple(place for place, term in enumerate(read.terms) if term is not None)
            if not columns:
                self.unbound.add(read.predicate)
                continue
            pattern = Pattern(read.predicate, columns)
            if pattern not in self._patterns:
                self._patterns.add(pattern)
                self._todo.append(pattern)
            known = tuple(term for term in read.terms if term is not None)
            self._conclude(pattern, known, read.before)

    def _conclude(self, pattern: Pattern, wanted: tuple[CodedTerm, ...], before: Body) -> None:
        """Adds the rule that demands some cells, or the fact where nothing has to be matched before."""
        head = Match(self._number_of(pattern), wanted)
        if head in before:
            return
        cells = tuple(term for term in wanted if isinstance(term, int))
        if not before and len(cells) == len(wanted):
            self.asked[Fact(head.predicate, cells)] = None
            return
        name = Asking(pattern, wanted, before)
        if name not in self._made:
            self._made.add(name)
            self.rules.append(Rule(name, head, before, variable_count(before, ())))

    def _is_at_hand(self, predicate: PredicateId) -> bool:
        """Whether a predicate needs no demand: its facts are given, or it is taken whole."""
        return predicate not in self._concluded or predicate in self._whole

    def _is_ordered(self, closed: ClosedSet, members: tuple[Var, ...]) -> bool:
        return closed.member in self._still and len(members) == 1 and self._is_at_hand(closed.member)

    def _order(self, closed: ClosedSet, *, first: bool) -> PredicateId:
        """The predicate of the order of a set, with its rule."""
        order = Order(closed.member, len(closed.key), first)
        number = self._number_of(order)
        if order not in self._made:
            self._made.add(order)
            self.rules.append(_rule_of(order, number))
        return number

    def _reads(self, body: Body, bound: set[int], before: Body, *, as_written: bool) -> Iterator[_Read]:
        """What a body reads, in the order in which its conditions are matched, those that are about sets last: the one that promises
        to leave the fewest matches first; or as they are written, but that facts at hand which are determined come at once.
        """
        matches = [condition for condition in body if isinstance(condition, Match)]
        comparisons = [
            condition for condition in body if isinstance(condition, Compare) and _is_plain(condition)
        ]
        while True:
            comparison = next((each for each in comparisons if _can_be_compared(each, bound)), None)
            if comparison is not None:
                comparisons.remove(comparison)
                before = (*before, comparison)
                bound = bound | variables(comparison)
                continue
            if not matches:
                break
            ranked = {each: self._rank(each, bound) for each in matches}
            match = min(matches, key=lambda each: ranked[each][:1] > (0,) if as_written else ranked[each])
            matches.remove(match)
            yield _Read(match.predicate, _known(match.terms, bound), before)
            before = (*before, match)
            bound = bound.union(term.index for term in match.terms if isinstance(term, Var))
        for condition in body:
            yield from self._reads_of_sets(condition, bound, before, as_written=as_written)

    def _rank(self, condition: Match, bound: set[int]) -> tuple[int, int]:
        """The less, the sooner: facts at hand that are determined, or of which one column is not known; then what must be
        concluded and is determined; then other matches that something is known of, facts at hand before those that must be
        concluded and last of these those whose key is not known; then the others.
        """
        is_known = [not isinstance(term, Var) or term.index in bound for term in condition.terms]
        unknown = len(is_known) - sum(is_known)
        key = self._keys.get(condition.predicate)
        has_key = key is not None and all(is_known[:key])
        at_hand = self._is_at_hand(condition.predicate)
        if unknown and unknown == len(is_known) and not has_key:
            rank = 6 if at_hand else 7
        elif has_key or not unknown:
            rank = 0 if at_hand else 2
        elif at_hand:
            rank = 1 if unknown == 1 else 3
        else:
            rank = 4 if key is None else 5
        return rank, unknown

    def _reads_of_sets(
        self, condition: CodedCondition, bound: set[int], before: Body, *, as_written: bool
    ) -> Iterator[_Read]:
        match condition:
            case AllOf(closed, members, inside):
                key = _known(closed.key, bound)
                yield _Read(closed.count, (*key, None), before)
                yield _Read(closed.member, (*key, *(None for _ in members)), before)
                each = Match(closed.member, (*closed.key, *members))
                known_inside = bound | variables(each)
                if not (as_written and self._is_ordered(closed, members)):
                    yield from self._reads(inside, known_inside, (*before, each), as_written=as_written)
                    return
                first = Match(self._order(closed, first=True), each.terms)
                yield from self._reads(inside, known_inside, (*before, first), as_written=as_written)
                holds, (last,) = _with_other_locals(inside, members, bound, (*before, each, *inside))
                following = Match(self._order(closed, first=False), (*closed.key, last, *members))
                before = (*before, *holds, following)
                yield from self._reads(
                    inside, known_inside | variables(before), before, as_written=as_written
                )
            case CountOf(sets=sets, width=width):
                for closed in sets:
                    key = _known(closed.key, bound)
                    yield _Read(closed.count, (*key, None), before)
                    yield _Read(closed.member, (*key, *(None for _ in range(width))), before)
            case AggregateOf(conditions=inside) | AbsentOf(conditions=inside):
                yield from self._reads(inside, bound, before, as_written=as_written)
            case _:
                pass


def _with_other_locals(
    inside: Body, members: tuple[Var, ...], bound: AbstractSet[int], besides: Body
) -> tuple[Body, tuple[Var, ...]]:
    """The matches of a conjunction and the members that it is about, with variables that occur nowhere `besides`."""
    local = variables((members, inside)) - bound
    others = dict(zip(sorted(local), range(variable_count(besides, ()), 2**31), strict=False))

    def of(terms: tuple[CodedTerm, ...]) -> tuple[CodedTerm, ...]:
        return tuple(
            Var(others.get(each.index, each.index)) if isinstance(each, Var) else each for each in terms
        )

    matches = [condition for condition in inside if isinstance(condition, Match)]
    return tuple(Match(each.predicate, of(each.terms)) for each in matches), tuple(
        Var(others[each.index]) for each in members
    )


def _rule_of(order: Order, number: PredicateId) -> Rule:
    """The rule that concludes the order of a set: the least member, or the least of those above another."""
    key = tuple(map(Var, range(order.key)))
    member, least, other = map(Var, range(order.key, order.key + 3))
    inside: Body = (Match(order.members, (*key, other)),)
    if not order.first:
        inside = (*inside, Compare(">", other, member))
    aggregate = AggregateOf(least, "min", (other,), inside)
    head = Match(number, (*key, least) if order.first else (*key, member, least))
    return Rule(order, head, (Match(order.members, (*key, member)), aggregate), order.key + 3)


def _known(terms: Sequence[CodedTerm], bound: AbstractSet[int]) -> tuple[CodedTerm | None, ...]:
    """The terms of which a cell is known, None for the others."""
    return tuple(None if isinstance(term, Var) and term.index not in bound else term for term in terms)


def _is_plain(condition: Compare) -> bool:
    return all(isinstance(side, Var | int) for side in (condition.left, condition.right))


def _can_be_compared(condition: Compare, bound: AbstractSet[int]) -> bool:
    """Whether a comparison has its cells, or gives one side the cell of the other."""
    missing = variables((condition.left, condition.right)) - bound
    return len(missing) <= 1 and missing <= bindable_variables(condition)


def size(body: Iterable[CodedCondition]) -> int:
    """How many conditions a body has, at any depth."""
    return sum(1 + size(inner_conditions(condition)) for condition in body)
