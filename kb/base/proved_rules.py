"""Changes of a knowledge base by the parts of Hornbook that prove rules or search for proofs.

These functions check no certificate and compare no theory. So they are no members of `KnowledgeBase`, the
class that users have: its members accept only learned rules that were proved of its own theory, and rules
that fit the theory.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import repeat
from typing import Literal

from hornbook.kb.ast.terms import PlanStatement, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.fact_encoder import Group
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.coding import CodedQuery, CodedRuleId, Coding
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.compiled.states import StateEngine
from hornbook.matcher.program.coded import Limits, PredicateId, Row
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.engine import Engine, Statistics
from hornbook.matcher.program.packed import PackedRules, packed
from hornbook.matcher.program.states import StateBlock, StateResults

# ruff: noqa: SLF001 - these functions belong to the class, but users should not see them


@dataclass(frozen=True, slots=True)
class ReadyRules:
    """Rules as a knowledge base of a theory has coded them, for others of this theory. The `statistics` count
    its facts.

    The rules may be read on demand. `packed` is None if they call functions that make words. Another
    knowledge base then codes them itself, because its words may have other numbers.
    """

    theory: Theory
    rules: Sequence[Rule]
    coding: Coding
    packed: PackedRules | None
    statistics: Statistics
    names: tuple[str, ...]
    concluded: frozenset[str]
    """The relations of the rules' conclusions."""


def raw_engine(base: KnowledgeBase) -> Engine:
    """Return the engine behind `base.engine`, after all rules were applied. Raise as `evaluate` does."""
    with base._lock:
        return base._state.evaluated_engine


def number_of_facts(base: KnowledgeBase) -> int:
    """Return the number of facts in the engine of a knowledge base, or 0 if it does not count them."""
    with base._lock:
        engine = base._state.engine
        if not isinstance(engine, CompiledEngine):
            return 0
        return sum(map(engine.count, range(len(base._state.coding.predicates))))


class StateEvaluation:
    """The evaluation of many states by the rules of a knowledge base, with the facts of its theory."""

    def __init__(self, engine: CompiledEngine, states: StateEngine) -> None:
        self._engine, self._states = engine, states

    def evaluate(
        self,
        given: Sequence[Sequence[Group]],
        last: Sequence[Sequence[Group]],
        requested: Sequence[PredicateId] = (),
        explained: Sequence[PredicateId] = (),
        leading: Sequence[PredicateId] = (),
    ) -> StateResults:
        """Return the facts of some predicates in each state, and those of others with their derivations.

        Args:
            given: The facts of each state, in groups of this knowledge base.
            last: Facts of each state to be added after all consequences of the others.
            requested: The predicates whose facts are returned.
            explained: The predicates whose facts are returned with all derivations.
            leading: The predicates of whose facts with the same last cell those with the least first cell are
                returned, each with the facts of one derivation.
        """
        columns, queried = (
            self._engine.state_columns([[group.coded for group in groups] for groups in each])
            for each in (given, last)
        )
        return self.evaluate_block(
            StateBlock(len(given), columns, last=queried), requested, explained, leading
        )

    def answers(
        self, given: Sequence[Sequence[Group]], query: CodedQuery, most: int, *, are_changes: bool
    ) -> list[list[Row] | None]:
        """Return the answers to a query in each state, at most `most`, or None for a state with an error.

        With `are_changes`, each state is evaluated as a change of the facts that all states share. This is
        faster if it has fewer facts than they have consequences.
        """
        first = 1 if are_changes else 0  # the first state has only the shared facts
        groups = [[] for _ in range(first)] + [[group.coded for group in each] for each in given]
        parents = array("q", [-1] + [0] * len(given)) if are_changes else None
        block = StateBlock(len(groups), self._engine.state_columns(groups), parents=parents)
        coded = query.conditions, query.variables
        found = self._states.evaluate(block, query=coded, most_answers=most)
        rows: list[list[Row]] = [[] for _ in groups]
        cells = zip(*found.answers.cells, strict=True) if found.answers.cells else repeat(())
        for state, row in zip(found.answers.states, cells, strict=False):
            rows[state].append(row)
        return [None if state in found.errors else rows[state] for state in range(first, len(groups))]

    def evaluate_block(
        self,
        block: StateBlock,
        requested: Sequence[PredicateId] = (),
        explained: Sequence[PredicateId] = (),
        leading: Sequence[PredicateId] = (),
    ) -> StateResults:
        """Return what `evaluate` returns, for facts that are columns already."""
        return self._states.evaluate(block, requested, explained=explained, leading=leading)


def state_evaluation(
    base: KnowledgeBase, ready: ReadyRules, limits: Limits | None = None, threads: int | None = None
) -> StateEvaluation | None:
    """Return the evaluation of many states by the rules that a knowledge base was made `beside`, and which it
    has not. By default, there are as many threads as processors.

    None is returned if it has another engine than the compiled one, for example because the theory declares
    predicates that are derived on demand, or if the rules call functions that make words.
    """
    engine = raw_engine(base)
    if not isinstance(engine, CompiledEngine) or ready.packed is None:
        return None
    with base._lock:
        state = base._state
        states = StateEngine(
            state.coding.predicates,
            ready.packed.rules(),
            state.encoder.stated,
            limits=limits or Limits(),
            statistics=ready.statistics,
            threads=threads,
        )
    return StateEvaluation(engine, states)


def evaluation_of_rules(
    base: KnowledgeBase, rules: Sequence[Rule], limits: Limits, threads: int | None = None
) -> StateEvaluation | None:
    """Return the evaluation of many states by some rules and the given facts of a knowledge base. By default,
    there are as many threads as processors.

    None is returned if it has another engine than the compiled one, or derives facts on demand.
    """
    with base._lock:
        state = base._state
        if not isinstance(engine := state.engine, CompiledEngine):
            return None
        coded = [each for index, rule in enumerate(rules) for each in state.coding.rule(index, rule)]
        states = StateEngine(state.coding.predicates, coded, state.given(), limits=limits, threads=threads)
    return StateEvaluation(engine, states)


def add_proved_rules(base: KnowledgeBase, rules: Sequence[Rule]) -> None:
    """Add rules that the caller has proved, or assumes, as learned rules. Plans are left out.

    Raise KnowledgeBaseError as `KnowledgeBase.add_rules` does if the theory has changed since the proof.
    """
    proved = [replace(rule, learned=True) for rule in rules if not isinstance(rule.head, PlanStatement)]
    with base._lock:
        base._change(rules=proved)


def suppose(base: KnowledgeBase, facts: Sequence[GroundFact]) -> None:
    """Add facts for the search for proofs and counterexamples, even facts that rules conclude, and beside
    learned rules.

    Conclusions from them may not follow from the theory. Raise as `KnowledgeBase.add` does otherwise.
    """
    with base._lock:
        base._change(add=base._given(facts, {fact.relation for fact in facts}), supposed=True)


def supposed_group(base: KnowledgeBase, facts: Sequence[GroundFact]) -> Group:
    """Return facts for the evaluation of a state in the form of a group, even facts that rules conclude.
    Raises FactError.
    """
    with base._lock:
        encoder, engine = base._state.encoder, base._state.engine
        coded = encoder.given(facts, {fact.relation for fact in facts})
        actions = tuple(fact for fact in coded if fact.predicate in base._state.coding.actions)
        return Group(len(coded), actions, engine.group(coded))


def ready_rules(base: KnowledgeBase) -> ReadyRules:
    """Return the added rules for other knowledge bases of this theory, which need not code them."""
    with base._lock:
        own = len(base.theory.rules)
        coded = [
            rule
            for name, rule in raw_engine(base).rules.items()
            if isinstance(name, CodedRuleId) and name.index >= own
        ]
        return ReadyRules(
            base.theory,
            base.rules[own:],
            base.engine.coding.copy(),
            None if base.engine.coding.functions else packed(coded),
            base.statistics(),
            tuple([rule.name for rule in base.rules[own:]]),
            frozenset(rule.head.relation for rule in base.rules[own:]),
        )


def beside(
    ready: ReadyRules,
    *,
    derivations: Literal["none", "one", "all"] = "one",
    limits: Limits | None = None,
) -> KnowledgeBase:
    """Return a knowledge base of the same theory, to which `add_ready` may add these rules.

    It orders the conditions of its rules by the statistics of the rules.
    """
    base = KnowledgeBase(ready.theory, derivations=derivations, limits=limits, statistics=ready.statistics)
    if ready.packed is not None:
        # The theory's own words come first in both, so that they have the same numbers.
        base._state.share_coding(ready.coding.copy())
    return base


def add_ready(base: KnowledgeBase, ready: ReadyRules) -> None:
    """Add the rules that this knowledge base was made `beside`, before any others. Raise as
    `add_proved_rules` does.
    """
    with base._lock:
        base._change(rules=ready.rules, packed=ready.packed)
