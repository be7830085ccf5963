"""The plain engine: what every engine of `matcher` does, done in the plainest way.

It is the specification of the compiled engine. Always true:

- The facts are all that follows from the given facts by the rules. Each update computes them anew, so they
  never depend on how the engine came to its given facts and rules.
- What an update computes is a new state, and it takes the place of the old one only when all went well: on
  any EngineError the engine is as it was before the call. A mark is a state that is kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from types import MappingProxyType

from hornbook.matcher.plain.relations import Database, Relation, Row
from hornbook.matcher.plain.saturation import Body, KeptDerivations, PlannedRule, Saturation
from hornbook.matcher.program.bounds import Bounds
from hornbook.matcher.program.coded import (
    Change,
    CodedCondition,
    Derivation,
    Fact,
    Limits,
    Predicate,
    PredicateId,
    Rule,
    RuleId,
    Var,
)
from hornbook.matcher.program.errors import (
    DuplicateRuleError,
    MarkError,
    NoDerivationsError,
    UnknownRuleError,
)
from hornbook.matcher.program.stratify import strata
from hornbook.matcher.program.wellformed import (
    check_fact,
    check_predicates,
    check_query,
    check_rule,
    predicate_of,
)

Given = Mapping[PredicateId, frozenset[Row]]
Strata = tuple[tuple[PlannedRule, ...], ...]


@dataclass(frozen=True, slots=True)
class State:
    """All that an engine knows at one time; nothing of it is changed once it is made, but for indexes."""

    rules: Mapping[RuleId, Rule] = field(default_factory=dict)
    strata: Strata = ()
    given: Given = field(default_factory=dict)
    facts: Database = field(default_factory=lambda: Database(Relation))
    derivations: Mapping[Fact, Sequence[Derivation]] = field(default_factory=dict)
    bytes: int = 0

    def __contains__(self, fact: Fact) -> bool:
        return fact.predicate in self.facts and fact.cells in self.facts[fact.predicate].rows


class ReferenceEngine:
    """Facts and rules in, all that follows out, with derivations.

    `derivations`: "one" keeps the derivation by which each fact was first found, "all" every derivation too,
    "none" keeps none. `limits` bound the facts and bytes of the engine and the seconds of each call.
    """

    def __init__(
        self,
        predicates: Sequence[Predicate] = (),
        *,
        derivations: KeptDerivations = "one",
        limits: Limits = Limits(),  # noqa: B008 - frozen
    ) -> None:
        self._predicates: list[Predicate] = []
        self._kept = derivations
        self._limits = limits
        self._state = State()
        self._marks: list[State] = []
        self.add_predicates(predicates)

    def add_predicates(self, predicates: Iterable[Predicate]) -> None:
        """More predicates; their numbers go on from those that are there. Raises MalformedError."""
        more = tuple(predicates)
        check_predicates([*self._predicates, *more])
        self._predicates.extend(more)

    @property
    def rules(self) -> Mapping[RuleId, Rule]:
        return MappingProxyType(self._state.rules)

    def update(
        self,
        *,
        add: Iterable[Fact] = (),
        retract: Iterable[Fact] = (),
        add_rules: Iterable[Rule] = (),
        remove_rules: Iterable[RuleId] = (),
    ) -> Change:
        """Take given facts and rules away, then add others, and saturate.

        A fact that is both retracted and added is given afterwards; retracting a fact that is not given and
        adding one that is change nothing. A rule that is both removed and added is replaced. Returns what
        became of the saturated facts. Raises an EngineError, and then nothing has changed: MalformedError,
        DuplicateRuleError, UnknownRuleError, UnsafeRuleError, NotStratifiedError for what is added;
        KeyConflictError, OverfullSetError, ArithmeticOverflowError for what follows; a LimitError; MarkError
        for other rules under a mark.
        """
        old, bounds = self._state, Bounds(self._limits)
        rules, planned = self._changed_rules(tuple(remove_rules), tuple(add_rules))
        given = self._changed_given(tuple(retract), tuple(add))
        saturation = Saturation(given, bounds, self._kept)
        for stratum in planned:
            saturation.finish(stratum)
        saturation.check_promises(self._predicates)
        facts = saturation.facts
        self._state = State(rules, planned, given, facts, saturation.derivations, bounds.bytes)
        return Change(_difference(facts, old.facts), _difference(old.facts, facts))

    def _changed_rules(
        self, removed: Sequence[RuleId], added: Sequence[Rule]
    ) -> tuple[Mapping[RuleId, Rule], Strata]:
        if not removed and not added:
            return self._state.rules, self._state.strata
        if self._marks:
            raise MarkError("rules cannot change under a mark")
        rules = dict(self._state.rules)
        for identity in removed:
            if identity not in rules:
                raise UnknownRuleError(identity)
            del rules[identity]
        planned = {each.rule.id: each for stratum in self._state.strata for each in stratum}
        for rule in added:
            if rule.id in rules:
                raise DuplicateRuleError(rule.id)
            check_rule(rule, self._predicates)
            rules[rule.id] = rule
            planned[rule.id] = PlannedRule(rule, self._predicates)
        concluding: dict[PredicateId, list[PlannedRule]] = defaultdict(list)
        for identity, rule in rules.items():
            concluding[rule.head.predicate].append(planned[identity])
        grouped = (
            tuple(each for predicate in sorted(stratum) for each in concluding[predicate])
            for stratum in strata(rules.values())
        )
        return rules, tuple(group for group in grouped if group)

    def _changed_given(self, retracted: Sequence[Fact], added: Sequence[Fact]) -> Given:
        gone: dict[PredicateId, set[Row]] = defaultdict(set)
        come: dict[PredicateId, set[Row]] = defaultdict(set)
        for facts, rows in ((retracted, gone), (added, come)):
            for fact in facts:
                check_fact(fact, self._predicates)
                predicate, cells = fact
                rows[predicate].add(cells)
        given = dict(self._state.given)
        for predicate in gone.keys() | come.keys():
            given[predicate] = (self.given(predicate) - gone[predicate]) | come[predicate]
        return given

    def facts(self, predicate: PredicateId) -> AbstractSet[Row]:
        """The facts of a predicate, given and derived, as they are now; later updates do not change the set."""
        predicate_of(predicate, self._predicates)
        return self._state.facts[predicate].rows.keys()

    def given(self, predicate: PredicateId) -> frozenset[Row]:
        """The given facts of a predicate."""
        predicate_of(predicate, self._predicates)
        return self._state.given.get(predicate, frozenset())

    def __contains__(self, fact: Fact) -> bool:
        return fact in self._state

    def query(self, body: Sequence[CodedCondition], variables: Sequence[Var]) -> list[Row]:
        """The distinct values that the variables take where all conditions hold, sorted.

        The facts are finished, so any condition may stand in a query. Raises MalformedError,
        UnsafeRuleError, ArithmeticOverflowError (each with `rule` None) or a LimitError.
        """
        width = check_query(body, variables, self._predicates)
        planned = Body(variables, body, self._predicates)
        bounds = Bounds(self._limits, used_bytes=self._state.bytes)
        answers: set[Row] = set()
        for instance in planned.instances(self._state.facts, bounds):
            if instance.overflowed:
                raise planned.overflow(instance, width)
            row = planned.row(instance.cells)
            if row not in answers:
                bounds.count_answer(len(row))
                answers.add(row)
        return sorted(answers)

    def derivation(self, fact: Fact) -> Derivation | None:
        """How a fact was first found; None if it is given. Following derivations ends at given facts.

        Raises KeyError if there is no such fact, NoDerivationsError if none are kept.
        """
        if self._kept == "none":
            raise NoDerivationsError(self._kept, "one")
        if fact not in self:
            raise KeyError(fact)
        return self._state.facts[fact.predicate].rows[fact.cells]

    def derivations(self, fact: Fact) -> tuple[Derivation, ...]:
        """Every derivation of a fact from the facts, of a given one too: one for each binding of each rule.

        Where a premise is a closed set, each of its members has one proof; which, if there are several, is
        not specified. Raises KeyError if there is no such fact, NoDerivationsError unless all are kept.
        """
        if self._kept != "all":
            raise NoDerivationsError(self._kept, "all")
        if fact not in self:
            raise KeyError(fact)
        return tuple(self._state.derivations.get(fact, ()))

    def push(self) -> None:
        """Mark the state, for the pop that restores it."""
        self._marks.append(self._state)

    def pop(self) -> None:
        """Restore facts and derivations as they were at the last mark, and forget the mark. Raises MarkError."""
        if not self._marks:
            raise MarkError("there is no mark")
        self._state = self._marks.pop()


def _difference(facts: Database, others: Database) -> frozenset[Fact]:
    return frozenset(
        Fact(predicate, row)
        for predicate, relation in facts.items()
        for row in relation.rows.keys() - others[predicate].rows.keys()
    )
