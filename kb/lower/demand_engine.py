"""The compiled engine on demand: it derives only the facts on which queries depend, when they are asked.

It has the answers and derivations of `hornbook.matcher.compiled.engine`, which does the work.

Invariants:

- Given facts are added to the inner engine at once, with checks of keys and counts.
- The inner rules are the result of `demanded` for the queries since the last change of rules. From the first
  mark on, they are the whole program. Facts that no query depends on are not derived, so their contradictions
  and overflows are not found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

from hornbook.kb.lower.demand import (
    Body,
    DemandProgram,
    GuardedRuleId,
    Order,
    Pattern,
    demanded,
    size,
    transitive_reads,
)
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.changes import Columns, Group, changed_rules, group_of
from hornbook.matcher.program.coded import (
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Derivation,
    Fact,
    Limits,
    Match,
    PredicateId,
    Row,
    RuleId,
    Var,
)
from hornbook.matcher.program.engine import Capabilities, Engine, Statistics, StoredDerivations
from hornbook.matcher.program.errors import (
    ArithmeticOverflowError,
    MalformedError,
    UnsafeRuleError,
)
from hornbook.matcher.program.scope import predicates_read
from hornbook.matcher.program.wellformed import check_fact, check_query, predicate_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NOTHING = DemandProgram((), ())
MOST_QUESTIONS = 32
"""The maximum number of queries with demands of their own. The predicates of further queries are
taken whole.
"""
FACTS_A_CONDITION = 100
"""The minimum number of facts for each condition below a query. With fewer facts, its predicates are taken
whole.

Transforming a condition takes as long as deriving some hundred facts
(`benchmarks/results/engine-demand.txt`).
"""


class DemandEngine(Engine):
    """A counterpart of CompiledEngine that derives facts on demand, with the same limits and statistics.

    `spared` predicates are taken whole only if a query or rule reads them with no known column. `unchanging`
    predicates have facts that seldom change. A rule is checked when it is first demanded: a malformed or
    unsafe rule raises its error then.
    """

    capabilities = Capabilities(columns=True)

    def __init__(
        self,
        predicates: Sequence[CodedPredicate] = (),
        *,
        spared: AbstractSet[PredicateId] = frozenset(),
        unchanging: AbstractSet[PredicateId] = frozenset(),
        derivations: StoredDerivations = "one",
        limits: Limits = Limits(),  # noqa: B008  # frozen
        statistics: Statistics | None = None,
    ) -> None:
        # The predicates beyond those of the program are demands.
        self.inside = CompiledEngine(
            predicates, derivations=derivations, limits=limits, statistics=statistics
        )
        self._predicates = tuple(predicates)
        self._spared, self._unchanging, self._keys = spared, unchanging, keys_of(predicates)
        self._demands: dict[Pattern | Order, PredicateId] = {}
        self._rules: dict[RuleId, CodedRule] = {}
        self._concluded: dict[PredicateId, list[CodedRule]] = {}
        self._answered_queries: tuple[Body, ...] = ()
        self._program = NOTHING
        self._is_whole = False

    @property
    def rules(self) -> Mapping[RuleId, CodedRule]:
        return MappingProxyType(self._rules)

    def update(
        self,
        *,
        add: Iterable[Fact] = (),
        retract: Iterable[Fact] = (),
        add_rules: Iterable[CodedRule] = (),
        remove_rules: Iterable[RuleId] = (),
        add_columns: Mapping[PredicateId, Columns] | None = None,
    ) -> None:
        """Remove given facts and rules, then add others: all or none.

        Raises as CompiledEngine.update does for given facts and, if no rules change, for the facts of earlier
        queries. Errors in other conclusions are raised when these are queried.
        """
        new, removed = tuple(add_rules), tuple(remove_rules)
        rules = changed_rules(self._rules, removed, new)
        if self._is_whole or not (new or removed):
            self.inside.update(
                add=add, retract=retract, add_rules=new, remove_rules=removed, add_columns=add_columns
            )
        else:
            self.inside.update(
                add=add,
                retract=[*retract, *self._program.initial],
                remove_rules=[rule.id for rule in self._program.rules],
                add_columns=add_columns,
            )
            self._answered_queries, self._program = (), NOTHING
        self._rules = rules
        if new or removed:
            self._concluded = {}
            for rule in rules.values():
                self._concluded.setdefault(rule.head.predicate, []).append(rule)

    def group(self, facts: Iterable[Fact]) -> Group:
        """Return facts as a group that comes and goes together. Raises MalformedError."""
        return group_of(facts, self._predicates)

    def exchange(self, retract: Iterable[Group], add: Iterable[Group]) -> None:
        """Exchange groups of facts as `update` does."""
        self.update(add=chain.from_iterable(add), retract=chain.from_iterable(retract))

    # Queries. Each raises as in CompiledEngine, and as `update` would for the facts below it

    def facts(self, predicate: PredicateId) -> frozenset[Row]:
        """Return the facts of a predicate, given and derived.

        If the first query for a predicate is this one, its derivations are those of a saturation of the whole
        program. Otherwise facts with several derivations may have others.
        """
        self._demand((self._any(predicate),))
        return self.inside.facts(predicate)

    def given(self, predicate: PredicateId) -> frozenset[Row]:
        """Return the given facts of a predicate."""
        predicate_of(predicate, self._predicates)
        return self.inside.given(predicate)

    def __contains__(self, fact: Fact) -> bool:
        self._demand_fact(fact)
        return fact in self.inside

    def query(self, body: Sequence[CodedCondition], variables: Sequence[Var]) -> list[Row]:
        """Return the distinct values of the variables for which all conditions hold, sorted."""
        check_query(body, variables, self._predicates)
        self._demand(tuple(body))
        return self.inside.query(body, variables)

    def query_columns(
        self, body: Sequence[CodedCondition], variables: Sequence[Var]
    ) -> tuple[NDArray[np.int64], ...]:
        """Return the answers of `query` as an array for each variable. Needs NumPy."""
        check_query(body, variables, self._predicates)
        self._demand(tuple(body))
        return self.inside.query_columns(body, variables)

    def derivation(self, fact: Fact, by: RuleId | None = None) -> Derivation | None:
        """Return the derivation of a fact from facts found before it, or None if it is given. With `by`,
        return the first by a rule.
        """
        if by is not None:
            return next(iter(self.derivations(fact, by)), None)
        if fact not in self.inside:
            self._demand_fact(fact)
        # A fact that was found was demanded, with everything that it depends on.
        found = self.inside.derivation(fact)
        return None if found is None else program_derivation(found)

    def derivations(self, fact: Fact, by: RuleId | None = None) -> tuple[Derivation, ...]:
        """Return every derivation of a fact, or those by one rule."""
        self._demand_fact(fact)
        found = dict.fromkeys(map(program_derivation, self.inside.derivations(fact)))
        return tuple(each for each in found if by in (None, each.rule))

    def derived_by(self, fact: Fact) -> tuple[RuleId, ...]:
        """Return the rules with derivations of a fact."""
        return tuple(dict.fromkeys(each.rule for each in self.derivations(fact)))

    def push(self) -> None:
        """Mark the state for `pop`, after saturation of the whole program."""
        if not self._is_whole:
            self._saturate((), DemandProgram(tuple(self._rules.values()), ()))
            self._is_whole = True
        self.inside.push()

    def pop(self) -> None:
        """Restore the facts and derivations of the last mark. Raises MarkError."""
        self.inside.pop()

    def facts_so_far(self) -> int:
        """Return a recent number of facts, including demands. Another thread may call this during an
        evaluation.
        """
        return self.inside.facts_so_far()

    def take_whole(self, predicates: Iterable[PredicateId]) -> None:
        """Find all facts of some predicates. This is faster than a query for each."""
        bodies = [(self._any(number),) for number in predicates if number in self._concluded]
        if not self._is_whole and not all(
            any(_covers(each, body) for each in self._answered_queries) for body in bodies
        ):
            self._also_ask(bodies, self._answered_queries)

    # Demands

    def _any(self, predicate: PredicateId) -> Match:
        width = predicate_of(predicate, self._predicates).arity
        return Match(predicate, tuple(map(Var, range(width))))

    def _demand_fact(self, fact: Fact) -> None:
        check_fact(fact, self._predicates)
        self._demand((Match(fact.predicate, tuple(fact.cells)),))

    def _demand(self, body: Body) -> None:
        """Saturate the program for a query."""
        read = {number for number, _ in predicates_read(body)}
        if (
            self._is_whole
            or self._concluded.keys().isdisjoint(read)
            or any(_covers(each, body) for each in self._answered_queries)
        ):
            return
        bodies, before = [body], self._answered_queries
        if not self._spared.isdisjoint(transitive_reads(read, self._concluded)):
            # Too many queries are restarted, because whole predicates may have too many facts.
            before = before if len(before) < MOST_QUESTIONS else ()
        elif len(before) >= MOST_QUESTIONS or not self._is_worthwhile(read):
            bodies = [(self._any(number),) for number in sorted(read)]
        self._also_ask(bodies, before)

    def _also_ask(self, bodies: Iterable[Body], before: Iterable[Body]) -> None:
        questions = tuple(dict.fromkeys([*before, *bodies]))
        if questions != self._answered_queries:
            program = demanded(
                self._concluded,
                questions,
                self._number_of,
                spared=self._spared,
                unchanging=self._unchanging,
                keys=self._keys,
            )
            self._saturate(questions, program)

    def _is_worthwhile(self, read: Iterable[PredicateId]) -> bool:
        """Return whether a smaller program may save more time than the transformation takes."""
        reached = transitive_reads(read, self._concluded)
        conditions = sum(size(rule.body) for number in reached for rule in self._concluded.get(number, ()))
        return sum(map(self.inside.count, reached)) >= FACTS_A_CONDITION * conditions

    def _number_of(self, pattern: Pattern | Order) -> PredicateId:
        number = self._demands.get(pattern)
        if number is None:
            number = self._demands[pattern] = len(self._predicates) + len(self._demands)
            self.inside.add_predicates([CodedPredicate(pattern.arity)])
        return number

    def _saturate(self, questions: tuple[Body, ...], program: DemandProgram) -> None:
        old, new = set(self._program.rules), set(program.rules)
        try:
            self.inside.update(
                add=program.initial,
                retract=set(self._program.initial).difference(program.initial),
                add_rules=[rule for rule in program.rules if rule not in old],
                remove_rules=[rule.id for rule in self._program.rules if rule not in new],
            )
        except (ArithmeticOverflowError, MalformedError, UnsafeRuleError) as problem:
            problem.rule = program_rule(problem.rule)
            raise
        self._answered_queries, self._program = questions, program


def _covers(answered: Body, body: Body) -> bool:
    """Return whether an earlier query demanded everything that another one does.

    This is the case for an equal query, and for one condition with fewer constants.
    """
    if answered == body:
        return True
    match answered, body:
        case (Match() as wide,), (Match() as narrow,) if wide.predicate == narrow.predicate:
            pairs = zip(wide.terms, narrow.terms, strict=True)
            return all(isinstance(term, Var) or term == other for term, other in pairs)
        case _:
            return False


def keys_of(predicates: Sequence[CodedPredicate]) -> dict[PredicateId, int]:
    """Return the number of key columns of the predicates with a key."""
    return {number: each.key for number, each in enumerate(predicates) if each.key is not None}


def program_rule(name: RuleId) -> RuleId:
    """Return the rule of the program for an inner rule, which may begin with a demand."""
    return name.rule if isinstance(name, GuardedRuleId) else name


def program_derivation(derivation: Derivation) -> Derivation:
    """Return a derivation by the rule of the program, without the demand."""
    if not isinstance(derivation.rule, GuardedRuleId):
        return derivation
    return replace(derivation, rule=derivation.rule.rule, premises=derivation.premises[1:])
