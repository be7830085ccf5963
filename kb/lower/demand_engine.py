"""The compiled engine on demand: it concludes what follows when it is asked, and only what the question rests on.

It has the answers and derivations of `hornbook.matcher.compiled.engine`, which does the work. Always true:

- What is given is in the engine inside at once, and its keys and counts hold.
- The rules inside are those that `demanded` makes of the program for the questions asked since the rules changed last, or
  all of the program, from the first mark on. What is not asked for is not looked at: neither for conclusions that
  contradict each other, nor for arithmetic that overflows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

from hornbook.kb.lower.demand import Body, Demanded, Guarded, Order, Pattern, demanded, rested_on, size
from hornbook.matcher.compiled.engine import Engine, Statistics
from hornbook.matcher.plain.reference import KeptDerivations
from hornbook.matcher.plain.relations import Row
from hornbook.matcher.program.changes import Columns, Group, changed_rules, group_of
from hornbook.matcher.program.coded import (
    CodedCondition,
    Derivation,
    Fact,
    Limits,
    Match,
    Predicate,
    PredicateId,
    Rule,
    RuleId,
    Var,
)
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

NOTHING = Demanded((), ())
MOST_QUESTIONS = 32
"""So many questions demand what they rest on each by itself; what others read is taken whole."""
FACTS_A_CONDITION = 100
"""Where there are fewer facts for each condition that a question rests on, what it reads is taken whole: to make rules of a
condition takes as long as to conclude some hundred facts (`benchmarks/results/engine-demand.txt`).
"""


class DemandEngine:
    """Facts and rules in, and the answers to questions out; the counterpart of Engine, with its limits and statistics.

    What is `spared` is taken whole only where a question or rule reads it with no column known. What is `still` has facts that
    seldom change.
    A rule is looked at when it is first demanded: a malformed or unsafe one raises its error then.
    """

    def __init__(
        self,
        predicates: Sequence[Predicate] = (),
        *,
        spared: AbstractSet[PredicateId] = frozenset(),
        still: AbstractSet[PredicateId] = frozenset(),
        derivations: KeptDerivations = "one",
        limits: Limits = Limits(),  # noqa: B008 - frozen
        statistics: Statistics | None = None,
    ) -> None:
        # Its predicates beyond those of the program are demands.
        self.inside = Engine(predicates, derivations=derivations, limits=limits, statistics=statistics)
        self._predicates = tuple(predicates)
        self._spared, self._still, self._keys = spared, still, keys_of(predicates)
        self._demands: dict[Pattern | Order, PredicateId] = {}
        self._rules: dict[RuleId, Rule] = {}
        self._concluded: dict[PredicateId, list[Rule]] = {}
        self._asked: tuple[Body, ...] = ()
        self._program = NOTHING
        self._is_whole = False

    @property
    def rules(self) -> Mapping[RuleId, Rule]:
        return MappingProxyType(self._rules)

    def update(
        self,
        *,
        add: Iterable[Fact] = (),
        retract: Iterable[Fact] = (),
        add_rules: Iterable[Rule] = (),
        remove_rules: Iterable[RuleId] = (),
        add_columns: Mapping[PredicateId, Columns] | None = None,
    ) -> None:
        """Takes given facts and rules away, then adds others: all or none.

        Raises as Engine.update does for what is given, and, where no rules change, for what was asked for before; for other
        conclusions when they are asked for.
        """
        new, gone = tuple(add_rules), tuple(remove_rules)
        rules = changed_rules(self._rules, gone, new)
        if self._is_whole or not (new or gone):
            self.inside.update(
                add=add, retract=retract, add_rules=new, remove_rules=gone, add_columns=add_columns
            )
        else:
            self.inside.update(
                add=add,
                retract=[*retract, *self._program.asked],
                remove_rules=[rule.id for rule in self._program.rules],
                add_columns=add_columns,
            )
            self._asked, self._program = (), NOTHING
        self._rules = rules
        if new or gone:
            self._concluded = {}
            for rule in rules.values():
                self._concluded.setdefault(rule.head.predicate, []).append(rule)

    def group(self, facts: Iterable[Fact]) -> Group:
        """Facts to come and go together. Raises MalformedError."""
        return group_of(facts, self._predicates)

    def exchange(self, retract: Iterable[Group], add: Iterable[Group]) -> None:
        """What `update` does, with groups."""
        self.update(add=chain.from_iterable(add), retract=chain.from_iterable(retract))

    # Questions; each raises as the same question to Engine does, and what `update` would of what it rests on

    def facts(self, predicate: PredicateId) -> frozenset[Row]:
        """The facts of a predicate, given and derived. What is first asked for so, without demands, has the derivations that
        are found where all of the program is saturated; else, of several, there may be others.
        """
        self._demand((self._any(predicate),))
        return self.inside.facts(predicate)

    def given(self, predicate: PredicateId) -> frozenset[Row]:
        """The given facts of a predicate."""
        predicate_of(predicate, self._predicates)
        return self.inside.given(predicate)

    def __contains__(self, fact: Fact) -> bool:
        self._demand_fact(fact)
        return fact in self.inside

    def query(self, body: Sequence[CodedCondition], variables: Sequence[Var]) -> list[Row]:
        """The distinct values that the variables take where all conditions hold, sorted."""
        check_query(body, variables, self._predicates)
        self._demand(tuple(body))
        return self.inside.query(body, variables)

    def query_columns(
        self, body: Sequence[CodedCondition], variables: Sequence[Var]
    ) -> tuple[NDArray[np.int64], ...]:
        """The answers of `query`, an array for each variable. Needs NumPy."""
        check_query(body, variables, self._predicates)
        self._demand(tuple(body))
        return self.inside.query_columns(body, variables)

    def derivation(self, fact: Fact, by: RuleId | None = None) -> Derivation | None:
        """How a fact follows from facts that were found before it, None if it is given; or the first derivation by a rule."""
        if by is not None:
            return next(iter(self.derivations(fact, by)), None)
        if fact not in self.inside:
            self._demand_fact(fact)
        # A fact that was found was demanded, with all that it rests on.
        found = self.inside.derivation(fact)
        return None if found is None else of_the_program(found)

    def derivations(self, fact: Fact, by: RuleId | None = None) -> tuple[Derivation, ...]:
        """Every derivation of a fact, or those by one rule."""
        self._demand_fact(fact)
        found = dict.fromkeys(map(of_the_program, self.inside.derivations(fact)))
        return tuple(each for each in found if by in (None, each.rule))

    def derived_by(self, fact: Fact) -> tuple[RuleId, ...]:
        """The rules by which a fact has derivations."""
        return tuple(dict.fromkeys(each.rule for each in self.derivations(fact)))

    def push(self) -> None:
        """Marks the state, after all of the program was saturated, for the pop that restores it."""
        if not self._is_whole:
            self._saturate((), Demanded(tuple(self._rules.values()), ()))
            self._is_whole = True
        self.inside.push()

    def pop(self) -> None:
        """Restores facts and derivations as they were at the last mark. Raises MarkError."""
        self.inside.pop()

    def facts_so_far(self) -> int:
        """How many facts there were a moment ago, demands among them, for another thread that waits for the one inside."""
        return self.inside.facts_so_far()

    def take_whole(self, predicates: Iterable[PredicateId]) -> None:
        """Finds all facts of some predicates: the same as to ask for those of each, and sooner."""
        asked = [(self._any(number),) for number in predicates if number in self._concluded]
        if not self._is_whole and not all(any(_covers(each, body) for each in self._asked) for body in asked):
            self._also_ask(asked, self._asked)

    # Demands

    def _any(self, predicate: PredicateId) -> Match:
        width = predicate_of(predicate, self._predicates).arity
        return Match(predicate, tuple(map(Var, range(width))))

    def _demand_fact(self, fact: Fact) -> None:
        check_fact(fact, self._predicates)
        self._demand((Match(fact.predicate, tuple(fact.cells)),))

    def _demand(self, body: Body) -> None:
        """Saturates what a question rests on."""
        read = {number for number, _ in predicates_read(body)}
        if (
            self._is_whole
            or self._concluded.keys().isdisjoint(read)
            or any(_covers(each, body) for each in self._asked)
        ):
            return
        asked, before = [body], self._asked
        if not self._spared.isdisjoint(rested_on(read, self._concluded)):
            # Too many questions are begun anew, as whole words may be too many facts.
            before = before if len(before) < MOST_QUESTIONS else ()
        elif len(before) >= MOST_QUESTIONS or not self._pays(read):
            asked = [(self._any(number),) for number in sorted(read)]
        self._also_ask(asked, before)

    def _also_ask(self, asked: Iterable[Body], before: Iterable[Body]) -> None:
        questions = tuple(dict.fromkeys([*before, *asked]))
        if questions != self._asked:
            program = demanded(
                self._concluded,
                questions,
                self._number_of,
                spared=self._spared,
                still=self._still,
                keys=self._keys,
            )
            self._saturate(questions, program)

    def _pays(self, read: Iterable[PredicateId]) -> bool:
        """Whether to conclude less may take less time than to find out what that is."""
        reached = rested_on(read, self._concluded)
        conditions = sum(size(rule.body) for number in reached for rule in self._concluded.get(number, ()))
        return sum(map(self.inside.count, reached)) >= FACTS_A_CONDITION * conditions

    def _number_of(self, pattern: Pattern | Order) -> PredicateId:
        number = self._demands.get(pattern)
        if number is None:
            number = self._demands[pattern] = len(self._predicates) + len(self._demands)
            self.inside.add_predicates([Predicate(pattern.arity)])
        return number

    def _saturate(self, questions: tuple[Body, ...], program: Demanded) -> None:
        old, new = set(self._program.rules), set(program.rules)
        try:
            self.inside.update(
                add=program.asked,
                retract=set(self._program.asked).difference(program.asked),
                add_rules=[rule for rule in program.rules if rule not in old],
                remove_rules=[rule.id for rule in self._program.rules if rule not in new],
            )
        except (ArithmeticOverflowError, MalformedError, UnsafeRuleError) as problem:
            problem.rule = rule_of_the_program(problem.rule)
            raise
        self._asked, self._program = questions, program


def _covers(asked: Body, body: Body) -> bool:
    """Whether an answered question demanded all that another one does: it is the same, or of one condition with fewer cells."""
    if asked == body:
        return True
    match asked, body:
        case (Match() as wide,), (Match() as narrow,) if wide.predicate == narrow.predicate:
            pairs = zip(wide.terms, narrow.terms, strict=True)
            return all(isinstance(term, Var) or term == other for term, other in pairs)
        case _:
            return False


def keys_of(predicates: Sequence[Predicate]) -> dict[PredicateId, int]:
    """How many columns determine the others, of the predicates of which that is declared."""
    return {number: each.key for number, each in enumerate(predicates) if each.key is not None}


def rule_of_the_program(name: RuleId) -> RuleId:
    """The rule that a rule inside says, where that begins with a demand."""
    return name.rule if isinstance(name, Guarded) else name


def of_the_program(derivation: Derivation) -> Derivation:
    """A derivation by the rule that begins with no demand."""
    if not isinstance(derivation.rule, Guarded):
        return derivation
    return replace(derivation, rule=derivation.rule.rule, premises=derivation.premises[1:])
