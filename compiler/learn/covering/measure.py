"""The coverage of a table of states by learned rules, with the benefit and the cost of each rule.

Coverage is the number of conclusions of a theory about some goals that the learned rules alone find too.

Invariants: Conclusions are compared in blocks of states. A conclusion of learned rules that the theory does
not have is an error.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from hornbook.compiler.learn.covering.goals import Goal
from hornbook.compiler.learn.covering.state_conclusions import StateConclusions
from hornbook.compiler.match.only_rules import learned_rules_theory
from hornbook.compiler.match.utility import useless
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.repetition import is_left_out
from hornbook.kb.ast.declarations import Predicate, SortName
from hornbook.kb.ast.substitution import at_moment
from hornbook.kb.ast.terms import Atom, Rule, statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.coding import CodedRuleId, Coding
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.tables.written_tables import table_name
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError

if TYPE_CHECKING:
    import pyarrow

    from hornbook.compiler.learn.covering.state_conclusions import Mask

PROFILED = 50
"""The number of states in which the cost of matching is measured."""
MEASURED = 3
"""The number of times that the time of matching is measured; the shortest counts."""


class WrongConclusionError(HornbookError):
    """Learned rules conclude something about a state that their theory does not conclude."""


class StatesToCover(Protocol):
    """A table of states, numbered from 0."""

    @property
    def file(self) -> str:
        """The file of the table, for messages and the origins of rules."""

    @property
    def states(self) -> int:
        """The number of states."""

    def conclusions(
        self, theory: Theory, relations: Collection[str]
    ) -> tuple[Mapping[str, pyarrow.Table], Mapping[int, str]]:
        """Return what the rules of a theory conclude about some relations, and the errors of states.

        The relations and their tables are named as by `table_name`. The first column of a table is the state.
        """

    def facts(self, state: int) -> tuple[GroundFact, ...]:
        """Return the facts of a state."""


@dataclass(frozen=True, slots=True)
class LearnedKnowledge:
    """The rules learned from a given theory.

    `notes` has the reasons why examples gave no rule.
    """

    given: Theory
    base: RuleBase
    notes: tuple[str, ...] = ()

    @property
    def theory(self) -> Theory:
        """The theory with the invented predicates of the rules."""
        return self.base.definitions.extended(self.given)

    @property
    def rules(self) -> list[Rule]:
        """The certified rules that answer, as a knowledge base uses them."""
        return [e.answering for e in self.base if e.is_certified and not e.rule.lemma]


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """The benefit and the cost of a learned rule, or of a clause of a predicate that was invented for rules.

    Attributes:
        rule: The name of the rule.
        is_clause: Whether it is a clause of an invented predicate.
        covers: The number of conclusions that it covers without the other rules. For a clause, it is the
            number of those that are not covered without its predicate.
        only: The number of conclusions that are not covered without it.
        tried: The number of conditions that matching it tries in a state, on average.
        seconds: The time of matching it in a state, on average.
    """

    rule: str
    is_clause: bool
    covers: int
    only: int
    tried: float
    seconds: float


class CoverageMeasure:
    """The conclusions of a theory about some goals in a table of states, and their coverage by learned rules.

    Args:
        given: The theory.
        states: The states.
        goals: The goals, as from `coverage_goals`.
        limits: The limits of each evaluation of a state.
    """

    def __init__(self, given: Theory, states: StatesToCover, goals: Sequence[Goal], limits: Limits) -> None:
        self._given, self._states, self._limits = given, states, limits
        self._goals = {goal.name: goal for goal in goals}
        tables, errors = states.conclusions(given, self._goals)
        self.errors = errors
        """The errors of states, which are left out."""
        self.conclusions = StateConclusions(tables)
        self.direct = self._concluded_directly()
        """The conclusions that a single rule of the theory draws from given facts.

        They are not counted, because a learned rule for them would only repeat the theory
        (compiler/rules/repetition.py).
        """

    def learned_theory(self, known: LearnedKnowledge) -> Theory:
        """Return the learned rules without the rules of their theory."""
        return learned_rules_theory(known.theory, known.rules, [goal.moment for goal in self._goals.values()])

    def covered(self, known: LearnedKnowledge) -> Mask:
        """Return which conclusions the rules cover. Raise WrongConclusionError if one is wrong."""
        return self._covered_by(self.learned_theory(known), known)

    def _found(self, theory: Theory, goals: Mapping[str, Goal], known: LearnedKnowledge) -> dict[str, Mask]:
        """Return which conclusions the rules of a theory find, for some relations that stand for goals."""
        tables, _ = self._states.conclusions(theory, goals)
        found = {}
        for name, goal in goals.items():
            mask = found[name] = self.conclusions.none()
            if name in tables:
                numbers = self.conclusions.numbers(goal.name, tables[name])
                for row in (numbers < 0).nonzero()[0].tolist():
                    [values] = tables[name].slice(row, 1).to_pylist()
                    state, *cells = values.values()
                    if state not in self.errors:
                        raise self._wrong(known, goal, state, cells)
                mask[numbers[numbers >= 0]] = True
        return found

    def _wrong(
        self, known: LearnedKnowledge, goal: Goal, state: int, values: Sequence[object]
    ) -> WrongConclusionError:
        """Return the error for a conclusion that the theory does not have."""
        rules = [rule for rule in known.rules if _concludes(rule, goal)]
        theory, names = _with_copies(self.learned_theory(known), [(rule, goal) for rule in rules])
        tables, _ = self._states.conclusions(theory, names)
        by = []
        for rule, name in zip(rules, names, strict=True):
            rows = (list(row.values()) for row in tables[name].to_pylist()) if name in tables else ()
            by += [rule.name] if [state, *values] in rows else []
        return WrongConclusionError(
            f"state {state} of {self._states.file}: `{goal.name}({', '.join(map(str, values))})` follows from"
            f" the learned rules ({', '.join(by)}), but not from the theory `{self._given.name}`; please"
            " report this"
        )

    def _concluded_directly(self) -> Mask:
        """Return which conclusions a single rule of the theory draws from given facts."""
        coding, rules = Coding(self._given.vocabulary), self._given.rules
        coded = [(rule, each) for index, rule in enumerate(rules) for each in coding.rule(index, rule)]
        concluded = {each.head.predicate for _, each in coded}
        direct = []
        for rule, each in coded:
            assert isinstance(each.id, CodedRuleId)
            moment = each.id.moment
            needed = {coding.predicate_id(one.relation, one.tense or moment) for one in statements(rule.body)}
            goal = self._goals.get(table_name(coding.relations[each.head.predicate].template))
            at = (
                rule
                if moment is None
                else replace(rule, head=at_moment(rule.head, moment, coding.vocabulary))
            )
            if goal is not None and not needed & concluded and is_left_out(at, self._given):
                direct.append((rule, goal))
        theory, names = _with_copies(self._given, direct)
        tables, _ = self._states.conclusions(theory, names)
        found = self.conclusions.none()
        for (_, goal), name in zip(direct, names, strict=True):
            numbers = self.conclusions.numbers(goal.name, tables[name])
            found[numbers[numbers >= 0]] = True
        return found

    def worth(self, known: LearnedKnowledge) -> list[RuleCoverage]:
        """Return the benefit and the cost of each learned rule, and of each clause of an invented
        predicate.
        """
        theory_of_rules = self.learned_theory(known)
        rules = [
            (rule, goal) for rule in known.rules for goal in self._goals.values() if _concludes(rule, goal)
        ]
        theory, names = _with_copies(theory_of_rules, rules)
        masks = self._found(theory, {name: goal for name, (_, goal) in zip(names, rules, strict=True)}, known)
        number_of_rules = sum(
            (mask.astype(int) for mask in masks.values()), self.conclusions.none().astype(int)
        )
        is_single = number_of_rules == 1
        counts: dict[str, tuple[int, int]] = {}
        for name, (rule, _) in zip(names, rules, strict=True):
            mask = masks[name] & ~self.direct
            covers, only = counts.get(rule.name, (0, 0))
            counts[rule.name] = covers + int(mask.sum()), only + int((mask & is_single).sum())
        own = {rule.name for rule in (*self._given.rules, *known.rules)}
        covered = self._covered_by(theory_of_rules, known)
        clauses = [rule for rule in theory_of_rules.rules if rule.name not in own]
        for clause in clauses:
            of_predicate = [each for each in clauses if each.head.relation == clause.head.relation]
            with_predicate, with_clause = (
                covered & ~self._covered_by(_without(theory_of_rules, left_out), known)
                for left_out in (of_predicate, [clause])
            )
            counts[clause.name] = int(with_predicate.sum()), int(with_clause.sum())
        costs = self._costs(theory_of_rules)
        for _ in range(MEASURED - 1):  # other programs prolong the time, but not the number of conditions
            again = self._costs(theory_of_rules)
            costs = {name: min(cost, again[name]) for name, cost in costs.items()}
        names_of_clauses = {clause.name for clause in clauses}
        return [
            RuleCoverage(name, name in names_of_clauses, *each, *costs.get(name, (0.0, 0.0)))
            for name, each in counts.items()
        ]

    def useless(self, known: LearnedKnowledge, least: int = 0) -> list[str]:
        """Return the learned rules without which the others find the same conclusions.

        A rule that finds fewer than `least` conclusions is not judged. The conclusions without these rules
        are compared with those of all rules; if one would be lost, no rule is returned.
        """
        rules = [
            (rule, goal) for rule in known.rules for goal in self._goals.values() if _concludes(rule, goal)
        ]
        theory, names = _with_copies(self.learned_theory(known), rules)
        goals = {name: goal for name, (_, goal) in zip(names, rules, strict=True)}
        answers: dict[str, set[int]] = {rule.name: set() for rule, _ in rules}
        for name, mask in self._found(theory, goals, known).items():
            answers[rules[names.index(name)][0].name].update(mask.nonzero()[0].tolist())
        unneeded = useless(answers, known.rules, least)
        left = [rule for rule in known.rules if rule.name not in unneeded]
        moments = [goal.moment for goal in self._goals.values()]
        without = self._found(learned_rules_theory(known.theory, left, moments), self._goals, known)
        before = self._found(self.learned_theory(known), self._goals, known)
        same = all((without[name] == mask).all() for name, mask in before.items())
        return unneeded if same else []

    def _covered_by(self, theory: Theory, known: LearnedKnowledge) -> Mask:
        found = self.conclusions.none()
        for mask in self._found(theory, self._goals, known).values():
            found |= mask
        return found & ~self.direct

    def tried(self, known: LearnedKnowledge) -> float:
        """Return the number of conditions that matching all rules tries in a state, on average."""
        return sum(tried for tried, _ in self._costs(self.learned_theory(known)).values())

    def _costs(self, theory: Theory) -> dict[str, tuple[float, float]]:
        """Return for each rule the conditions tried and the seconds in a state, on average."""
        if not theory.rules or not self._profiled:
            return {}
        base = KnowledgeBase(theory, derivations="none", limits=self._limits)

        def match(states: Iterable[tuple[GroundFact, ...]]) -> int:
            matched = 0
            for facts in states:
                base.push()
                try:
                    base.add(facts)
                    base.engine.evaluate()
                    matched += 1
                except (KnowledgeBaseError, FactError):
                    continue
                finally:
                    base.pop()
            return matched

        match(self._profiled[:1])  # the engine orders the conditions when it sees the first state
        states, profile = base.engine.profile(lambda: match(self._profiled))
        costs: dict[str, tuple[float, float]] = {}
        for each in profile.rules():
            assert isinstance(each.rule, CodedRuleId)
            name = base.rules[each.rule.index].name
            tried, seconds = costs.get(name, (0.0, 0.0))
            number = max(states, 1)
            costs[name] = tried + each.visits / number, seconds + each.seconds / number
        return costs

    @cached_property
    def _profiled(self) -> list[tuple[GroundFact, ...]]:
        """The facts of some states, evenly spread over the table."""
        number = self._states.states
        chosen = range(0, number, max(1, number // PROFILED))[:PROFILED]
        return [self._states.facts(state) for state in chosen if state not in self.errors]


def _without(theory: Theory, rules: Collection[Rule]) -> Theory:
    return replace(theory, rules=tuple(rule for rule in theory.rules if rule not in rules))


def _concludes(rule: Rule, goal: Goal) -> bool:
    relation, tense = goal.moment
    return rule.head.relation == relation and rule.head.tense in (None, tense)


def _with_copies(theory: Theory, rules: Sequence[tuple[Rule, Goal]]) -> tuple[Theory, list[str]]:
    """Return a theory in which each of some rules for goals also has a predicate of its own, and the names of
    the tables of these predicates.
    """
    predicates, copies, names = dict(theory.vocabulary.predicates), [], []
    for number, (rule, goal) in enumerate(rules):
        own = f"rule {number}"  # no predicate of a theory has this name
        predicates[own] = Predicate("derived", own, tuple(map(SortName, goal.relation.sorts)))
        head = Atom(own, rule.head.terms, rule.head.tense)
        copies.append(replace(rule, head=head, label=f"copy {number}", learned=False, lemma=False))
        names.append(table_name(Atom(own, (), goal.relation.template.tense)))
    vocabulary = replace(theory.vocabulary, predicates=predicates)
    return replace(theory, vocabulary=vocabulary, rules=(*theory.rules, *copies)), names
