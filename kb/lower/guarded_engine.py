"""The compiled engine for programs with demanded predicates, which are derived only if rules or queries need
them.

It has the answers and derivations of `hornbook.matcher.compiled.engine`, and adds demands to it.

Invariants:

- The inner rules are the result of `demanded` for the program, with all predicates whole except demanded
  ones. So demands are facts that come and go as others do, also under marks.
- A demanded predicate has the facts that rules of the program may read. A query about a predicate that is not
  taken whole is answered by a separate engine on demand with the same given facts. Facts in this engine have
  their derivations here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from hornbook.kb.lower.demand import DemandProgram, DemandRuleId, GuardedRuleId, Order, Pattern, demanded
from hornbook.kb.lower.demand_engine import (
    NOTHING,
    DemandEngine,
    keys_of,
    program_derivation,
    program_rule,
)
from hornbook.matcher import _core
from hornbook.matcher.compiled.engine import CompiledEngine, Group
from hornbook.matcher.plain.reference import Prepared
from hornbook.matcher.program.changes import Columns, changed_rules
from hornbook.matcher.program.coded import (
    Change,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Derivation,
    Fact,
    Limits,
    PredicateId,
    Row,
    RuleId,
    Var,
)
from hornbook.matcher.program.engine import Measure, Statistics, StoredDerivations
from hornbook.matcher.program.errors import ArithmeticOverflowError, EngineError
from hornbook.matcher.program.profile import Part, PartTime, Profile
from hornbook.matcher.program.scope import predicates_read
from hornbook.matcher.program.stratify import strata
from hornbook.matcher.program.wellformed import check_rule

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class GuardedEngine(CompiledEngine):
    """A CompiledEngine that derives `spared` predicates only on demand.

    Facts of these predicates that nothing needs are not derived, so their contradictions and overflows are
    not found. Demands count as facts for limits and changes.
    """

    def __init__(
        self,
        predicates: Sequence[CodedPredicate] = (),
        *,
        spared: AbstractSet[PredicateId],
        unchanging: AbstractSet[PredicateId] = frozenset(),
        derivations: StoredDerivations = "one",
        limits: Limits = Limits(),  # noqa: B008  # frozen
        statistics: Statistics | None = None,
    ) -> None:
        super().__init__(predicates, derivations=derivations, limits=limits, statistics=statistics)
        # The predicates beyond those of the program are demands.
        self._own = tuple(predicates)
        self._spared, self._unchanging = spared, unchanging
        self._demands: dict[Pattern | Order, PredicateId] = {}
        self._program: dict[RuleId, CodedRule] = {}
        self._made = NOTHING
        # Predicates that may be incomplete here: spared ones with rules that no rule takes whole.
        self._partial: frozenset[PredicateId] = frozenset()
        self._separate: DemandEngine | None = None

    @property
    def rules(self) -> Mapping[RuleId, CodedRule]:
        return MappingProxyType(self._program)

    def update(
        self,
        *,
        add: Iterable[Fact] = (),
        retract: Iterable[Fact] = (),
        add_rules: Iterable[CodedRule] = (),
        remove_rules: Iterable[RuleId] = (),
        add_columns: Mapping[PredicateId, Columns] | None = None,
        retract_columns: Mapping[PredicateId, Columns] | None = None,
    ) -> Change:
        """Update as CompiledEngine.update does. A rule of a spared predicate is checked even before it is
        demanded.
        """
        new, removed = tuple(add_rules), tuple(remove_rules)
        if not (new or removed):
            self._separate = None
            return super().update(
                add=add, retract=retract, add_columns=add_columns, retract_columns=retract_columns
            )
        program = changed_rules(self._program, removed, new)
        made = self._demanded(program, new)
        old_rules, new_rules = set(self._made.rules), set(made.rules)
        change = super().update(
            add=(*add, *(fact for fact in made.initial if fact not in self._made.initial)),
            retract=(*retract, *(fact for fact in self._made.initial if fact not in made.initial)),
            add_rules=[rule for rule in made.rules if rule not in old_rules],
            remove_rules=[rule.id for rule in self._made.rules if rule not in new_rules],
            add_columns=add_columns,
            retract_columns=retract_columns,
        )
        concluded = {rule.head.predicate for rule in program.values()}
        self._partial = frozenset(self._spared & concluded - made.whole)
        self._program, self._made, self._separate = program, made, None
        return change

    def exchange(self, retract: Iterable[Group], add: Iterable[Group]) -> None:
        super().exchange(retract, add)
        self._separate = None

    def pop(self) -> None:
        super().pop()
        self._separate = None

    # Queries

    def facts(self, predicate: PredicateId) -> frozenset[Row]:
        return (
            self._separate_engine().facts(predicate)
            if predicate in self._partial
            else super().facts(predicate)
        )

    def take_whole(self, predicates: Iterable[PredicateId]) -> None:
        """Find all facts of some predicates. This is faster than a query for each."""
        partial = [number for number in predicates if number in self._partial]
        if partial:
            self._separate_engine().take_whole(partial)

    def columns(self, predicate: PredicateId) -> tuple[NDArray[np.int64], ...]:
        if predicate not in self._partial:
            return super().columns(predicate)
        self._separate_engine().facts(predicate)
        return self._separate_engine().inside.columns(predicate)

    def count(self, predicate: PredicateId) -> int:
        return len(self.facts(predicate)) if predicate in self._partial else super().count(predicate)

    def __contains__(self, fact: Fact) -> bool:
        return super().__contains__(fact) or (
            fact.predicate in self._partial and fact in self._separate_engine()
        )

    def query(self, body: Sequence[CodedCondition], variables: Sequence[Var]) -> list[Row]:
        return (
            self._separate_engine().query(body, variables)
            if self._is_partial(body)
            else super().query(body, variables)
        )

    def query_columns(
        self, body: Sequence[CodedCondition], variables: Sequence[Var]
    ) -> tuple[NDArray[np.int64], ...]:
        if self._is_partial(body):
            return self._separate_engine().query_columns(body, variables)
        return super().query_columns(body, variables)

    def query_cells(self, body: Sequence[CodedCondition], variables: Sequence[Var]) -> tuple[int, bytes]:
        if not self._is_partial(body):
            return super().query_cells(body, variables)
        self._separate_engine().query(body, variables)
        return self._separate_engine().inside.query_cells(body, variables)

    def derivation(self, fact: Fact, by: RuleId | None = None) -> Derivation | None:
        if by is not None:
            return next(iter(self.derivations(fact, by)), None)
        if fact.predicate in self._partial and not super().__contains__(fact):
            return self._separate_engine().derivation(fact)
        found = super().derivation(fact)
        return None if found is None else program_derivation(found)

    def derivations(self, fact: Fact, by: RuleId | None = None) -> tuple[Derivation, ...]:
        if fact.predicate in self._partial:
            # A given fact need not be demanded.
            if not super().__contains__(fact) or fact.cells in self.given(fact.predicate):
                return self._separate_engine().derivations(fact, by)
            found = dict.fromkeys(map(program_derivation, super().derivations(fact)))
            return tuple(each for each in found if by in (None, each.rule))
        return super().derivations(fact, by)

    def derived_by(self, fact: Fact) -> tuple[RuleId, ...]:
        if fact.predicate in self._partial:
            return tuple(dict.fromkeys(each.rule for each in self.derivations(fact)))
        return super().derived_by(fact)

    def statistics(self) -> dict[PredicateId, Measure]:
        """Return the statistics of the predicates of the program. For demanded predicates, they cover the
        derived part.
        """
        return {
            number: measure for number, measure in super().statistics().items() if number < len(self._own)
        }

    def _is_partial(self, body: Iterable[CodedCondition]) -> bool:
        return any(number in self._partial for number, _ in predicates_read(body))

    def _separate_engine(self) -> DemandEngine:
        """Return an engine on demand with the same program and the current given facts. It is created again
        after each change.
        """
        if self._separate is None:
            engine = DemandEngine(
                self._own,
                spared=self._spared,
                unchanging=self._unchanging,
                derivations=self._kept,
                limits=self._limits,
            )
            given = (Fact(number, row) for number in range(len(self._own)) for row in self.given(number))
            engine.update(add=given, add_rules=self._program.values())
            self._separate = engine
        return self._separate

    # Profiles and demands

    def profile_report(self) -> Profile:
        """Return the profile of the program's rules.

        The time of demands counts as the rest. Matching the demand of a rule counts as its beginning.
        """
        found = super().profile_report()
        asking = sum(part.seconds for part in found.parts if isinstance(part.rule, DemandRuleId | Order))
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
        return replace(found, parts=tuple(sums.values()), rest=found.rest + asking)

    def _demanded(self, program: Mapping[RuleId, CodedRule], new: Iterable[CodedRule]) -> DemandProgram:
        """Return the transformed program. `new` are the rules that must be checked."""
        self._check_names((), ())
        for rule in new:
            check_rule(rule, self._own)
            Prepared.of(rule)
        concluded: dict[PredicateId, list[CodedRule]] = {}
        for rule in program.values():
            concluded.setdefault(rule.head.predicate, []).append(rule)
        if self._spared.isdisjoint(concluded):
            return DemandProgram(tuple(program.values()), (), frozenset(concluded))
        strata(program.values())
        numbers = dict(self._demands)
        made = demanded(
            concluded,
            (),
            lambda pattern: numbers.setdefault(pattern, len(self._own) + len(numbers)),
            whole=concluded.keys() - self._spared,
            spared=self._spared,
            unchanging=self._unchanging,
            keys=keys_of(self._own),
        )
        self.add_predicates(CodedPredicate(pattern.arity) for pattern in [*numbers][len(self._demands) :])
        self._demands = numbers
        return made

    def _error(self, problem: _core.Fault, added: Sequence[CodedRule] = ()) -> EngineError:
        error = super()._error(problem, added)
        if isinstance(error, ArithmeticOverflowError):
            error.rule = program_rule(error.rule)
        return error


def _program_part(part: PartTime) -> PartTime:
    if not isinstance(part.rule, GuardedRuleId):
        return part
    place = part.part if isinstance(part.part, str) else part.part - 1
    return replace(part, rule=part.rule.rule, part="beginning" if place == -1 else place)
