"""The compiled engine on demand: it derives only the facts that rules or queries need.

It has the answers and derivations of `hornbook.matcher.compiled.engine`, which does the work.

Invariants:

- Rules are checked when they are added. Given facts are in the inner engine, with checks of keys and counts.
- The inner rules are the result of `demanded` for the program. Facts that nothing needs are not derived, so
  their contradictions and overflows are not found.
- An eager engine takes all predicates whole, except `spared` ones. Queries about spared predicates that are
  not taken whole are answered by a lazy engine with the same given facts.
- A lazy engine derives facts for the queries since the last change of rules. From the first mark on, it takes
  the whole program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.demand.transformation import (
    Body,
    DemandProgram,
    DemandRuleId,
    GuardedRuleId,
    Order,
    Pattern,
    demanded,
    size,
    transitive_reads,
)
from hornbook.matcher.program.changes import Columns, changed_rules
from hornbook.matcher.program.coded import (
    Cell,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Derivation,
    Fact,
    Limits,
    Match,
    PredicateId,
    Row,
    RuleBinding,
    RuleId,
    Var,
)
from hornbook.matcher.program.conjunction import check_rules
from hornbook.matcher.program.engine import Capabilities, Engine, Measure, Statistics, StoredDerivations
from hornbook.matcher.program.errors import (
    ArithmeticOverflowError,
    EngineError,
    MalformedError,
    MarkError,
    UnsafeRuleError,
)
from hornbook.matcher.program.scope import predicates_read
from hornbook.matcher.program.stratify import strata
from hornbook.matcher.program.wellformed import check_fact, check_query, predicate_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hornbook.matcher.compiled.network import Network
    from hornbook.matcher.program.profile import Part, PartTime, Profile

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

    Demands count as facts for limits.

    Args:
        eager: Derive the facts of all predicates at once, except `spared` ones. Otherwise only queries cause
            derivations.
        spared: Predicates that are taken whole only if a query or rule reads them with no known column.
        unchanging: Predicates whose facts seldom change.
    """

    def __init__(
        self,
        predicates: Sequence[CodedPredicate] = (),
        *,
        eager: bool = False,
        spared: AbstractSet[PredicateId] = frozenset(),
        unchanging: AbstractSet[PredicateId] = frozenset(),
        derivations: StoredDerivations = "one",
        limits: Limits = Limits(),  # noqa: B008  # frozen
        statistics: Statistics | None = None,
    ) -> None:
        self.capabilities = Capabilities(columns=True, profile=eager, immediate=False)
        # The predicates beyond those of the program are demands.
        self.inside = CompiledEngine(
            predicates, derivations=derivations, limits=limits, statistics=statistics
        )
        self._predicates = tuple(predicates)
        self._eager, self._derivations, self._limits = eager, derivations, limits
        self._spared, self._unchanging, self._keys = spared, unchanging, keys_of(predicates)
        self._demands: dict[Pattern | Order, PredicateId] = {}
        self._rules: Mapping[RuleId, CodedRule] = {}
        self._concluded: dict[PredicateId, list[CodedRule]] = {}
        self._program = NOTHING
        self._marks = 0
        # The state of a lazy engine.
        self._answered_queries: tuple[Body, ...] = ()
        self._is_whole = False
        # The state of an eager engine: the predicates that may be incomplete, and the engine for queries
        # about them, which is made again after each change.
        self._partial: frozenset[PredicateId] = frozenset()
        self._for_queries: DemandEngine | None = None

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

        Raises as CompiledEngine.update does for rules, given facts, and the facts that are derived for rules
        or earlier queries. Errors in other conclusions are raised when these are queried.
        """
        new, removed = tuple(add_rules), tuple(remove_rules)
        rules = self._rules
        if new or removed:
            if self._marks:
                raise MarkError("rules cannot change under a mark")
            rules = changed_rules(self._rules, removed, new)
            _check_program(new, rules.values(), self._predicates)
        self._set(rules, add, retract, add_columns)

    def _set(
        self,
        rules: Mapping[RuleId, CodedRule],
        add: Iterable[Fact],
        retract: Iterable[Fact] = (),
        columns: Mapping[PredicateId, Columns] | None = None,
    ) -> None:
        """Change the given facts, and set the rules, which are checked."""
        concluded, program = self._concluded, self._program
        if rules is not self._rules:
            concluded = {}
            for rule in rules.values():
                concluded.setdefault(rule.head.predicate, []).append(rule)
            program = self._program_of(rules, concluded)
        self._for_queries = None
        self._saturate(program, add, retract, columns)
        if rules is not self._rules:
            self._rules, self._concluded, self._answered_queries = rules, concluded, ()
            self._partial = frozenset(self._spared & concluded.keys() - program.whole if self._eager else ())

    def _program_of(
        self, rules: Mapping[RuleId, CodedRule], concluded: Mapping[PredicateId, list[CodedRule]]
    ) -> DemandProgram:
        """Return the inner program for these rules before any query."""
        if not (self._eager or self._is_whole):
            return NOTHING
        if self._is_whole or self._spared.isdisjoint(concluded):
            return DemandProgram(tuple(rules.values()), (), frozenset(concluded))
        return demanded(
            concluded,
            (),
            self._number_of,
            whole=concluded.keys() - self._spared,
            spared=self._spared,
            unchanging=self._unchanging,
            keys=self._keys,
        )

    def group(self, facts: Iterable[Fact]) -> Any:
        """Return facts as a group that comes and goes together. Raises MalformedError."""
        return self.inside.group(facts)

    def named_group(
        self,
        rows: dict[Any, list[tuple[str | int, ...]]],
        numbers: dict[tuple[str, str | None], PredicateId],
        words: list[tuple[dict[str | int, int] | None, ...]],
    ) -> Any:
        return self.inside.named_group(rows, numbers, words)

    def exchange(self, retract: Iterable[Any], add: Iterable[Any]) -> None:
        """Exchange groups of facts as `update` does."""
        self._for_queries = None
        with _program_errors():
            self.inside.exchange(retract, add)

    def push(self) -> None:
        """Mark the state for `pop`. A lazy engine saturates the whole program first."""
        if not (self._eager or self._is_whole):
            self._saturate(DemandProgram(tuple(self._rules.values()), ()))
            self._answered_queries, self._is_whole = (), True
        self.inside.push()
        self._marks += 1

    def pop(self) -> None:
        """Restore the facts and derivations of the last mark. Raises MarkError."""
        self.inside.pop()
        self._marks -= 1
        self._for_queries = None

    # Queries. Each raises as in CompiledEngine, and as `update` would for the facts below it

    def facts(self, predicate: PredicateId) -> frozenset[Row]:
        """Return the facts of a predicate, given and derived.

        If the first query for a predicate is this one, its derivations are those of a saturation of the whole
        program. Otherwise facts with several derivations may have others.
        """
        return self._engine_for((self._any(predicate),)).facts(predicate)

    def given(self, predicate: PredicateId) -> frozenset[Row]:
        """Return the given facts of a predicate."""
        predicate_of(predicate, self._predicates)
        return self.inside.given(predicate)

    def __contains__(self, fact: Fact) -> bool:
        return fact in self._engine_with(fact)

    def query(self, body: Sequence[CodedCondition], variables: Sequence[Var]) -> list[Row]:
        """Return the distinct values of the variables for which all conditions hold, sorted."""
        check_query(body, variables, self._predicates)
        return self._engine_for(tuple(body)).query(body, variables)

    def query_columns(
        self, body: Sequence[CodedCondition], variables: Sequence[Var]
    ) -> tuple[NDArray[np.int64], ...]:
        """Return the answers of `query` as an array for each variable. Needs NumPy."""
        check_query(body, variables, self._predicates)
        return self._engine_for(tuple(body)).query_columns(body, variables)

    def take_whole(self, predicates: Iterable[PredicateId]) -> None:
        """Find all facts of some predicates. This is faster than a query for each."""
        if self._eager:
            partial = [number for number in predicates if number in self._partial]
            if partial:
                self._query_engine().take_whole(partial)
            return
        bodies = [(self._any(number),) for number in predicates if number in self._concluded]
        if not self._is_whole and not all(
            any(_covers(each, body) for each in self._answered_queries) for body in bodies
        ):
            self._also_ask(bodies, self._answered_queries)

    def derivation(self, fact: Fact, by: RuleId | None = None) -> Derivation | None:
        """Return the derivation of a fact from facts found before it, or None if it is given. With `by`,
        return the first by a rule.
        """
        if by is not None:
            return next(iter(self.derivations(fact, by)), None)
        # A fact that was found was demanded, with everything that it depends on.
        found = self._engine_with(fact).derivation(fact)
        return None if found is None else program_derivation(found)

    def derivations(self, fact: Fact, by: RuleId | None = None) -> tuple[Derivation, ...]:
        """Return every derivation of a fact, or those by one rule."""
        if self._eager and fact.predicate not in self._partial:
            return self.inside.derivations(fact, by)
        engine = self._engine_with(fact)
        if self._derivations == "all" and engine.derivation(fact) is None:
            # A given fact need not be demanded.
            engine = self._engine_for((Match(fact.predicate, tuple(fact.cells)),))
        found = dict.fromkeys(map(program_derivation, engine.derivations(fact)))
        return tuple(each for each in found if by in (None, each.rule))

    def derived_by(self, fact: Fact) -> tuple[RuleId, ...]:
        """Return the rules with derivations of a fact."""
        if self._eager and fact.predicate not in self._partial:
            return self.inside.derived_by(fact)
        return tuple(dict.fromkeys(each.rule for each in self.derivations(fact)))

    def bindings(self, fact: Fact) -> tuple[RuleBinding, ...]:
        """Return the rule and the binding of each of `derivations`."""
        if self._eager and fact.predicate not in self._partial:
            return self.inside.bindings(fact)
        return tuple((each.rule, each.binding) for each in self.derivations(fact))

    def founded_derivations(
        self, fact: Fact, by: RuleId, where: Mapping[int, Cell], most: int
    ) -> tuple[Derivation, ...]:
        """Return at most `most` derivations by one rule from facts that were derived earlier."""
        engine = self._engine_with(fact)
        found: dict[Derivation, None] = {}
        for name in [each for each in engine.rules if program_rule(each) == by]:
            inner = engine.founded_derivations(fact, name, where, most - len(found))
            found.update(dict.fromkeys(map(program_derivation, inner)))
        return tuple(found)

    def _engine_for(self, body: Body) -> CompiledEngine:
        """Return an engine with the facts on which a query depends."""
        if self._eager:
            is_partial = any(number in self._partial for number, _ in predicates_read(body))
            return self._query_engine()._engine_for(body) if is_partial else self.inside  # noqa: SLF001
        self._demand(body)
        return self.inside

    def _engine_with(self, fact: Fact) -> CompiledEngine:
        """Return an engine that has a fact, if it holds. Raises MalformedError."""
        check_fact(fact, self._predicates)
        return self.inside if fact in self.inside else self._engine_for((Match(*fact),))

    def _query_engine(self) -> DemandEngine:
        """Return a lazy engine with the same rules and given facts."""
        if self._for_queries is None:
            engine = DemandEngine(
                self._predicates,
                spared=self._spared,
                unchanging=self._unchanging,
                derivations=self._derivations,
                limits=self._limits,
            )
            numbers = range(len(self._predicates))
            engine._set(self._rules, (Fact(number, row) for number in numbers for row in self.given(number)))
            self._for_queries = engine
        return self._for_queries

    # Inspection

    def facts_so_far(self) -> int:
        """Return a recent number of facts, including demands. Another thread may call this during an
        evaluation.
        """
        return self.inside.facts_so_far()

    @property
    def can_be_interrupted(self) -> bool:
        """Whether an interrupt is safe now: during a call of an inner engine."""
        engines = (self.inside, self._for_queries)
        return any(engine is not None and engine.can_be_interrupted for engine in engines)

    def statistics(self) -> dict[PredicateId, Measure]:
        """Return the statistics of an eager engine. For spared predicates, they cover the derived part."""
        if not self._eager:
            return {}
        own = range(len(self._predicates))
        return {number: measure for number, measure in self.inside.statistics().items() if number in own}

    def network(self, predicates: Iterable[PredicateId] = ()) -> Network:
        """Return the network of the inner program, see CompiledEngine.network."""
        return self.inside.network(predicates)

    def profile(self, enabled: bool) -> None:  # noqa: FBT001 - a switch
        self.inside.profile(enabled)

    def profile_report(self) -> Profile:
        """Return the profile of the program's rules.

        The time of demands counts as the rest. Matching the demand of a rule counts as its beginning.
        """
        from hornbook.matcher.program.profile import PartTime  # noqa: PLC0415 - slow to import

        found = self.inside.profile_report()
        of_demands = sum(part.seconds for part in found.parts if isinstance(part.rule, DemandRuleId | Order))
        sums: dict[tuple[RuleId, Part], PartTime] = {}
        for part in map(
            _program_part, (p for p in found.parts if not isinstance(p.rule, DemandRuleId | Order))
        ):
            known = sums.get((part.rule, part.part), PartTime(part.rule, part.part, 0, 0, 0.0))
            sums[part.rule, part.part] = replace(
                known,
                visits=known.visits + part.visits,
                rows=known.rows + part.rows,
                seconds=known.seconds + part.seconds,
            )
        return replace(found, parts=tuple(sums.values()), rest=found.rest + of_demands)

    # Demands

    def _any(self, predicate: PredicateId) -> Match:
        width = predicate_of(predicate, self._predicates).arity
        return Match(predicate, tuple(map(Var, range(width))))

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
            self._saturate(program)
            self._answered_queries = questions

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

    def _saturate(
        self,
        program: DemandProgram,
        add: Iterable[Fact] = (),
        retract: Iterable[Fact] = (),
        columns: Mapping[PredicateId, Columns] | None = None,
    ) -> None:
        """Change given facts, and replace the inner program by another one."""
        come, go, new, old = [*add], [*retract], list[CodedRule](), list[RuleId]()
        if program is not self._program:
            before, after = set(self._program.rules), set(program.rules)
            new = [rule for rule in program.rules if rule not in before]
            old = [rule.id for rule in self._program.rules if rule not in after]
            come += program.initial
            go += set(self._program.initial).difference(program.initial)
        with _program_errors():
            self.inside.update(add=come, retract=go, add_rules=new, remove_rules=old, add_columns=columns)
        self._program = program


def _check_program(
    new: Sequence[CodedRule], rules: Iterable[CodedRule], predicates: Sequence[CodedPredicate]
) -> None:
    """Check that new rules fit the predicates and are safe, and that all rules are stratified.

    Raises MalformedError, UnsafeRuleError and NotStratifiedError.
    """
    # The core checks rules much faster. It derives nothing if each body has a condition that is never true.
    never = Match(len(predicates), ())
    try:
        CompiledEngine([*predicates, CodedPredicate(0)]).update(
            add_rules=[replace(rule, body=(*rule.body, never)) for rule in rules]
        )
    except EngineError:
        check_rules(new, predicates)
        strata(rules)


@contextmanager
def _program_errors() -> Iterator[None]:
    """Let errors name the rules of the program instead of those of the inner program."""
    try:
        yield
    except (ArithmeticOverflowError, MalformedError, UnsafeRuleError) as problem:
        problem.rule = program_rule(problem.rule)
        raise


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


def _program_part(part: PartTime) -> PartTime:
    if not isinstance(part.rule, GuardedRuleId):
        return part
    place = part.part if isinstance(part.part, str) else part.part - 1
    return replace(part, rule=part.rule.rule, part="beginning" if place == -1 else place)
