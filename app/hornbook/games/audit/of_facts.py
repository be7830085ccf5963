"""Audit of rules of theories without games: their conclusions about states, compared with the theory's.

The theory is evaluated without the rules. A conclusion is right if the theory has it in the same state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import islice

from hornbook.compiler.match.facts import FactMatcher
from hornbook.compiler.refute.countermodel import small_states
from hornbook.compiler.rules.admission import RuleEntry
from hornbook.kb.ast.parts import Part, rows_of
from hornbook.kb.ast.substitution import statement_at
from hornbook.kb.ast.terms import Atom, Statement, Tense
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.examples import example_facts
from hornbook.kb.base.fact_states import EvaluatedState, FactStates
from hornbook.kb.format.printer import print_condition
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.domain import RuleQuery

BLOCK = 500
"""The number of states that are judged together."""
Facts = tuple[GroundFact, ...]


@dataclass(frozen=True, slots=True)
class WrongFact:
    """A conclusion that the theory does not have."""

    state: Facts
    rule: str
    conclusion: str


@dataclass(frozen=True, slots=True)
class MissedFact:
    """A conclusion of the theory that no rule has."""

    state: Facts
    conclusion: str


@dataclass(slots=True)
class FactTally:
    """The counts of an audit.

    - `right`: The right conclusions of each rule, one for each state in which the rule has it.
    - `undecided`: The conclusions of each rule about games, which one state does not decide.
    - `concluded`: The conclusions of the theory, by the relation with its moment.
    - `found`: Those of them that a rule has too.
    - `missed`: The first of the others, by the relation with its moment.
    - `errors`: The states that the theory or the rules refuse, by the reason.
    """

    states: int = 0
    right: Counter[str] = field(default_factory=Counter)
    wrong: list[WrongFact] = field(default_factory=list)
    undecided: Counter[str] = field(default_factory=Counter)
    concluded: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    missed: dict[str, MissedFact] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)

    def wrong_of(self, rule: str) -> int:
        """Return the number of wrong conclusions of a rule."""
        return sum(each.rule == rule for each in self.wrong)


class FactAuditor:
    """A theory and its learned rules, which are compared in states."""

    def __init__(
        self, theory: Theory, entries: Sequence[RuleEntry], limits: Limits | None, *, only_rules: bool
    ) -> None:
        rules = [entry.answering for entry in entries]
        self._matcher = FactMatcher(theory, rules, limits, only_rules=only_rules)
        self._relations = list(
            dict.fromkeys(
                each for rule in rules if isinstance(rule.head, Atom) for each in _moments(rule.head, theory)
            )
        )
        self._theory = FactStates(theory, self._relations, (), limits or Limits())
        self._vocabulary = theory.vocabulary

    def judge(self, states: Sequence[Facts], tally: FactTally) -> None:
        """Compare the rules with the theory in some states."""
        concluded_by_rules = self._matcher.conclusions(
            [RuleQuery([Part(rows_of, (facts,))], ()) for facts in states]
        )
        known = self._theory.evaluate(states)
        for facts, concluded, evaluated in zip(states, concluded_by_rules, known, strict=True):
            if not isinstance(evaluated, EvaluatedState):
                tally.errors[str(evaluated)] += 1
            elif isinstance(concluded, BaseException):
                tally.errors[str(concluded)] += 1
            else:
                tally.states += 1
                self._count(facts, [(each.rule, each.statement) for each in concluded], evaluated, tally)

    def _count(
        self,
        facts: Facts,
        concluded_by_rules: Iterable[tuple[str, Statement]],
        theory: EvaluatedState,
        tally: FactTally,
    ) -> None:
        found: set[Statement] = set()
        for rule, statement in concluded_by_rules:
            if not isinstance(statement, Atom):
                tally.undecided[rule] += 1
            elif theory.holds(statement):
                tally.right[rule] += 1
                found.add(statement_at(statement, statement.tense or "before", self._vocabulary))
            else:
                tally.wrong.append(WrongFact(facts, rule, print_condition(statement)))
        found_here = Counter(_shown(each.relation, each.tense) for each in found)
        for relation, tense in self._relations:
            name, number = _shown(relation, tense), len(theory.values(relation, tense))
            tally.concluded[name] += number
            if number > found_here[name] and name not in tally.missed:
                others = (each for each in theory.statements(relation, tense) if each not in found)
                tally.missed[name] = MissedFact(facts, min(map(print_condition, others)))
        tally.found.update(found_here)


def _moments(head: Atom, theory: Theory) -> Iterator[tuple[str, Tense | None]]:
    """Yield the relation of a conclusion with each moment at which a rule may conclude it."""
    declared = theory.vocabulary.predicates
    if not declared[head.predicate].has_tense:
        yield head.predicate, None
    elif head.tense is not None:
        yield head.predicate, head.tense
    else:
        has_actions = any(each.kind == "action" for each in declared.values())
        yield from (
            (head.predicate, moment) for moment in (("before", "after") if has_actions else ("before",))
        )


def _shown(relation: str, tense: Tense | None) -> str:
    return f"after {relation}" if tense == "after" else relation


def audited_facts(auditor: FactAuditor, states: Iterable[Facts]) -> Iterator[FactTally]:
    """Yield the counts of the audit, the same object after each block of states."""
    tally, remaining = FactTally(), iter(states)
    while block := list(islice(remaining, BLOCK)):
        auditor.judge(block, tally)
        yield tally


def own_states(theory: Theory, entries: Sequence[RuleEntry], number: int) -> Iterator[Facts]:
    """Yield the states of the theory's examples, then at most `number` small states of its rules.

    Each small state satisfies the conditions of a rule as far as its facts may be given, and the theory
    accepts it.
    """
    yield from (tuple(example_facts(theory, each)) for each in theory.examples)
    share = number // max(len(entries), 1)
    accepted = FactStates(theory, (), (), Limits())
    for entry in entries:
        small = list(islice(small_states(entry.rule, theory, number, share), share))
        given = list(dict.fromkeys(_given(facts, theory) for facts in small))
        yield from (
            facts for facts, found in zip(given, accepted.valid(given), strict=True) if found is not None
        )


def _given(facts: Facts, theory: Theory) -> Facts:
    """Return the facts of a state that may be given."""
    declared = theory.vocabulary.predicates
    return tuple([each for each in facts if declared[each.relation].kind in ("static", "fluent", "action")])
