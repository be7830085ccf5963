"""Demand transformation: coded rules that derive only the facts on which some queries depend.

A *demand* is a new predicate for some columns of a predicate of the program. Its facts are the cells that are
required in these columns. It is derived from the conditions that a query or rule has matched before it
reaches the condition on the demanded predicate, and the rules of that predicate begin with a match of the
demand. These are magic sets (Bancilhon, Maier, Sagiv and Ullman 1986), without a copy of the predicate for
each set of columns (Tekle and Liu 2011).

Invariants, once the new rules are saturated:
- Every fact of a predicate of the program follows from the program, by the same instance of the same rule.
- A demanded predicate has all derivable facts with demanded cells. A predicate taken *whole* has all
  derivable facts.
- A demand is derived by matches and comparisons without arithmetic. So nothing overflows that does not in the
  program.

A predicate is *available* if it needs no demand: no rule concludes it, or it is taken whole. A column of a
condition is *known* if its term is a constant or a variable that an earlier condition has bound.

The predicate of a condition without known columns is taken whole, and so is everything that a whole predicate
depends on. The reads of an absence or an aggregate are taken whole if their demand would depend on it, so the
new rules are stratified like the program. *Spared* predicates are taken whole only if they are such a
condition or absence themselves. Other rules demand them, including the rules of whole predicates. If one of
their rules has a condition on all members of a *static* set, the members are demanded one after the other,
and none after the first member that fails.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    ClosedSet,
    CodedCondition,
    CodedRule,
    CodedTerm,
    Compare,
    CountOf,
    Fact,
    Match,
    PredicateId,
    RuleId,
    Var,
)
from hornbook.matcher.program.dataclass import dataclass
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
"""The conditions of a rule or query."""
RulesOf = Mapping[PredicateId, Sequence[CodedRule]]
"""The rules of each predicate."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A predicate, and the columns whose cells are demanded: at least one, in order."""

    predicate: PredicateId
    columns: tuple[int, ...]

    @property
    def arity(self) -> int:
        return len(self.columns)


@dataclass(frozen=True, slots=True)
class Order:
    """The name of a predicate for the ascending order of the members of a set, and of its only rule.

    A fact of the `first` form has the key of the set and its least member. A fact of the other form has the
    key, a member, and the next greater one. Members consist of one cell.

    Attributes:
        members: The predicate of the members.
        key: The number of key columns.
    """

    members: PredicateId
    key: int
    first: bool

    @property
    def arity(self) -> int:
        return self.key + (1 if self.first else 2)


@dataclass(frozen=True, slots=True)
class GuardedRuleId:
    """The name of a rule of the program that begins with a demand for these columns of its conclusion."""

    rule: RuleId
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DemandRuleId:
    """The name of a rule that derives a demand for these terms from the conditions `before`."""

    pattern: Pattern
    terms: tuple[CodedTerm, ...]
    before: Body


@dataclass(frozen=True, slots=True)
class DemandProgram:
    """The program that must be saturated for some queries: rules, and demands that are facts initially.

    `whole` are the derived predicates that have all derivable facts.
    """

    rules: tuple[CodedRule, ...]
    initial: tuple[Fact, ...]
    whole: frozenset[PredicateId] = frozenset()


@dataclass(frozen=True, slots=True)
class _Read:
    """The read of a predicate by a condition: its terms (None if still unknown), and the
    preceding matches.
    """

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
    unchanging: AbstractSet[PredicateId] = frozenset(),
    keys: Mapping[PredicateId, int] = MappingProxyType({}),
) -> DemandProgram:
    """Return the program that answers some queries.

    Args:
        concluded: The rules of each predicate that rules conclude.
        questions: The bodies of the queries. A query without constants takes its predicates whole, except
            spared ones.
        number_of: Returns the number of the predicate for a demand or an order, which may be new.
        whole: Predicates that are taken whole in any case.
        spared: Predicates that are demanded if possible, instead of being taken whole.
        unchanging: Predicates whose facts seldom change, called static above.
        keys: The number of key columns of predicates with a key.
    """
    bodies = tuple(dict.fromkeys(questions))
    read_whole = (condition for body in bodies if not _names_a_constant(body) for condition in body)
    read = {number for number, _ in predicates_read(read_whole)}
    all_of = transitive_reads(whole | (read - spared), concluded, spared)
    while True:
        attempt = _Transformation(concluded, number_of, frozenset(all_of), spared, unchanging, keys)
        attempt.run(bodies)
        more = attempt.unbound or _unstratified_predicate(attempt.rules, concluded.keys() - all_of)
        if more <= all_of:
            return DemandProgram(tuple(attempt.rules), tuple(attempt.initial), frozenset(all_of))
        all_of |= transitive_reads(more, concluded, spared)


def _names_a_constant(body: Body) -> bool:
    """Return whether a constant occurs in a body, at any depth."""
    return any(isinstance(term, int) for condition in body for term in terms(condition))


def transitive_reads(
    predicates: Iterable[PredicateId],
    concluded: RulesOf,
    spared: AbstractSet[PredicateId] = frozenset(),
) -> set[PredicateId]:
    """Return predicates with everything that they depend on, without `spared` predicates."""
    reached: set[PredicateId] = set()
    todo = list(predicates)
    while todo:
        number = todo.pop()
        if number not in reached:
            reached.add(number)
            read = {read for rule in concluded.get(number, ()) for read, _ in predicates_read(rule.body)}
            todo += read - spared
    return reached


def _unstratified_predicate(
    rules: Iterable[CodedRule], guarded: AbstractSet[PredicateId]
) -> set[PredicateId]:
    """Return a guarded predicate on a cycle that violates stratification, if there is one."""
    try:
        strata(rules)
    except NotStratifiedError as problem:
        first, *others = problem.cycle
        return set(itertools.islice((each for each in (*others, first) if each in guarded), 1))
    return set()


class _Transformation:
    """One attempt, with some predicates taken whole.

    `rules` and `initial` become those of the program. `unbound` are further predicates that must be taken
    whole; if there are any, the attempt has failed.
    """

    def __init__(
        self,
        concluded: RulesOf,
        number_of: Callable[[Pattern | Order], PredicateId],
        whole: frozenset[PredicateId],
        spared: AbstractSet[PredicateId],
        unchanging: AbstractSet[PredicateId],
        keys: Mapping[PredicateId, int],
    ) -> None:
        self._concluded, self._number_of, self._whole, self._keys = concluded, number_of, whole, keys
        self._spared, self._unchanging = spared, unchanging
        self._todo: list[Pattern] = []
        self._patterns: set[Pattern] = set()
        self._made: set[DemandRuleId | Order] = set()
        self.rules: list[CodedRule] = []
        self.initial: dict[Fact, None] = {}
        self.unbound: set[PredicateId] = set()

    def run(self, questions: Sequence[Body]) -> None:
        """Add the rules and demands for some queries and for the predicates taken whole."""
        for body in questions:
            self._ask(body, set(), ())
        for number in sorted(self._whole):
            for rule in self._concluded.get(number, ()):
                self.rules.append(rule)
                if not all(self._is_available(read) for read, _ in predicates_read(rule.body)):
                    self._ask(rule.body, set(), ())
        while self._todo:
            pattern = self._todo.pop()
            for rule in self._concluded[pattern.predicate]:
                self._guard(rule, pattern)

    def _guard(self, rule: CodedRule, pattern: Pattern) -> None:
        """Add the rule that begins with a demand, and the demands of its conditions."""
        if size(rule.body) >= MOST_CONDITIONS:
            self.unbound.add(pattern.predicate)
            return
        cells = tuple(rule.head.terms[column] for column in pattern.columns)
        guard = Match(self._number_of(pattern), cells)
        as_written = pattern.predicate in self._spared
        name = GuardedRuleId(rule.id, pattern.columns)
        self.rules.append(CodedRule(name, rule.head, (guard, *rule.body), rule.variables, as_written))
        self._ask(rule.body, set(variables(guard)), (guard,), as_written=as_written)

    def _ask(self, body: Body, bound: set[int], before: Body, *, as_written: bool = False) -> None:
        """Demand the predicates that a body reads.

        `bound` are the variables that the conditions `before` bind. `as_written` is the field of CodedRule.
        """
        for read in self._reads(body, bound, before, as_written=as_written):
            if self._is_available(read.predicate):
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

    def _conclude(self, pattern: Pattern, terms: tuple[CodedTerm, ...], before: Body) -> None:
        """Add the rule that derives a demand, or its fact if nothing has to be matched before."""
        head = Match(self._number_of(pattern), terms)
        if head in before:
            return
        cells = tuple(term for term in terms if isinstance(term, int))
        if not before and len(cells) == len(terms):
            self.initial[Fact(head.predicate, cells)] = None
            return
        name = DemandRuleId(pattern, terms, before)
        if name not in self._made:
            self._made.add(name)
            self.rules.append(CodedRule(name, head, before, variable_count(before, ())))

    def _is_available(self, predicate: PredicateId) -> bool:
        """Return whether a predicate needs no demand: its facts are given, or it is taken whole."""
        return predicate not in self._concluded or predicate in self._whole

    def _is_ordered(self, closed: ClosedSet, members: tuple[Var, ...]) -> bool:
        """Return whether the members of a set can be demanded one after the other."""
        return closed.member in self._unchanging and len(members) == 1 and self._is_available(closed.member)

    def _order(self, closed: ClosedSet, *, first: bool) -> PredicateId:
        """Return the predicate for the order of a set, and add its rule if it is new."""
        order = Order(closed.member, len(closed.key), first)
        number = self._number_of(order)
        if order not in self._made:
            self._made.add(order)
            self.rules.append(_rule_of(order, number))
        return number

    def _reads(self, body: Body, bound: set[int], before: Body, *, as_written: bool) -> Iterator[_Read]:
        """Yield the reads of a body in the order of matching. Conditions on sets come last.

        The match with the fewest expected results comes first. With `as_written`, matches are in the written
        order, except that determined available facts come immediately.
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
        """Return the rank of a match and the number of its unknown columns. Lower pairs come first.

        A match is *determined* if its key is known, or all its columns.

        - 0: Determined available facts.
        - 1: Available facts with one unknown column.
        - 2: Determined facts that must be derived.
        - 3 to 5: Other matches with a known column: available facts, then derived ones, last those with an
          unknown key.
        - 6 or 7: Matches without known columns.
        """
        is_known = [not isinstance(term, Var) or term.index in bound for term in condition.terms]
        unknown = len(is_known) - sum(is_known)
        key = self._keys.get(condition.predicate)
        has_key = key is not None and all(is_known[:key])
        is_available = self._is_available(condition.predicate)
        if unknown and unknown == len(is_known) and not has_key:
            rank = 6 if is_available else 7
        elif has_key or not unknown:
            rank = 0 if is_available else 2
        elif is_available:
            rank = 1 if unknown == 1 else 3
        else:
            rank = 4 if key is None else 5
        return rank, unknown

    def _reads_of_sets(
        self, condition: CodedCondition, bound: set[int], before: Body, *, as_written: bool
    ) -> Iterator[_Read]:
        """Yield the reads of a condition that is no match. `bound` includes the variables of all matches."""
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
    """Return the matches of the conditions on a member, and the member, about another member of the set.

    Their local variables are replaced by variables that do not occur in `besides`.
    """
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


def _rule_of(order: Order, number: PredicateId) -> CodedRule:
    """Return the rule for the order of a set: the least member, or the least one above another."""
    key = tuple(map(Var, range(order.key)))
    member, least, other = map(Var, range(order.key, order.key + 3))
    inside: Body = (Match(order.members, (*key, other)),)
    if not order.first:
        inside = (*inside, Compare(">", other, member))
    aggregate = AggregateOf(least, "min", (other,), inside)
    head = Match(number, (*key, least) if order.first else (*key, member, least))
    return CodedRule(order, head, (Match(order.members, (*key, member)), aggregate), order.key + 3)


def _known(terms: Sequence[CodedTerm], bound: AbstractSet[int]) -> tuple[CodedTerm | None, ...]:
    """Return the terms with known cells, and None for the others."""
    return tuple(None if isinstance(term, Var) and term.index not in bound else term for term in terms)


def _is_plain(condition: Compare) -> bool:
    """Return whether a comparison has no arithmetic."""
    return all(isinstance(side, Var | int) for side in (condition.left, condition.right))


def _can_be_compared(condition: Compare, bound: AbstractSet[int]) -> bool:
    """Return whether a comparison has its cells, or binds one side to the cell of the other."""
    missing = variables((condition.left, condition.right)) - bound
    return len(missing) <= 1 and missing <= bindable_variables(condition)


def size(body: Iterable[CodedCondition]) -> int:
    """Return the number of conditions of a body at any depth."""
    return sum(1 + size(inner_conditions(condition)) for condition in body)
