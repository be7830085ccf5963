"""The evaluation of a theory or a knowledge base, and of queries, in many states that are given as facts.

Invariants: The results for a state are those of a knowledge base with the facts of the state. A knowledge
base evaluates the states that the engine for many states cannot evaluate. Its results or error count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property

from hornbook.kb.ast.declarations import INTEGER_SORT, Predicate, Sort, SortName
from hornbook.kb.ast.ordering import sorted_rows
from hornbook.kb.ast.parts import Rows, rows_of
from hornbook.kb.ast.terms import Atom, Condition, Rule, Statement, Tense, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.alternative_queries import united
from hornbook.kb.base.fact_encoder import Group
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import (
    StateEvaluation,
    evaluation_of_rules,
    number_of_facts,
    suppose,
    supposed_group,
)
from hornbook.kb.lower.coding import CodedQuery, Coding, values_with_forms
from hornbook.kb.lower.errors import KnowledgeBaseError, TooManyAnswersError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.tables.answers import Answers, Row
from hornbook.matcher.demand.stopped_rules import only_facts_stop
from hornbook.matcher.program.coded import Fact, Limits, PredicateId
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.errors import LimitError

FEW = 4
"""The number of states that are evaluated one after another, because planning the rules again costs more."""
_SHARED = 256
"""The largest number of facts of a knowledge base for each state of a block, which evaluates all of them once
more. If there are many, changing the knowledge base for each state costs less.
"""
_WORDS, _MIXED = "answered word", "answered value"
"""The sorts of the columns of answers, which no theory has."""


@dataclass(frozen=True, slots=True)
class EvaluatedState:
    """The facts of some relations in a state, and the answers to some queries."""

    _coding: Coding
    _queries: Sequence[CodedQuery]
    _rows: Mapping[PredicateId, AbstractSet[tuple[int, ...]]]

    def holds(self, statement: Statement) -> bool:
        """Return whether a ground statement of one of the relations holds."""
        number, cells = self._coding.fact_of(statement)
        return cells in self._rows.get(number, ())

    def values(self, relation: str, tense: Tense | None = None) -> set[tuple[str | int, ...]]:
        """Return the values of all facts of a relation. A fluent without a tense holds before the action."""
        number = self._coding.predicate_id(relation, tense)
        rows = self._rows.get(number, frozenset())
        shape, word = self._coding.relations[number], self._coding.word
        kinds, forms = shape.columns, shape.forms
        if not rows or not kinds:
            return set(rows)
        columns = zip(*rows, strict=True)
        values = zip(
            *(c if k == "integer" else map(word, c) for c, k in zip(columns, kinds, strict=True)), strict=True
        )
        return set(values) if forms is None else {values_with_forms(row, forms) for row in values}

    def statements(self, relation: str, tense: Tense | None = None) -> list[Statement]:
        """Return all facts of a relation as statements, as `values` does, in no order."""
        number = self._coding.predicate_id(relation, tense)
        rows = self._rows.get(number, frozenset())
        return [self._coding.statement(Fact(number, cells)) for cells in rows]

    def answers(self, query: int) -> Answers:
        """Return the answers to the query with a number."""
        coded = self._queries[query]
        rows: Iterable[Row] = self.values(_answers(query))
        if coded.forms is not None:
            rows = [values_with_forms(row, coded.forms) for row in rows]
        return Answers(coded.names, tuple(sorted_rows(rows)), coded.mixed)


class FactStates:
    """A theory that is evaluated in many states.

    Args:
        theory: The theory.
        relations: The relations whose facts are returned, at their moments.
        queries: Queries that are answered in each state, each with a condition or more.
        limits: The limits of each state.
        are_supposed: Whether states may have facts that rules conclude, as for `suppose`.
    """

    def __init__(
        self,
        theory: Theory,
        relations: Iterable[tuple[str, Tense | None]],
        queries: Sequence[Sequence[Condition]],
        limits: Limits,
        *,
        are_supposed: bool = False,
    ) -> None:
        self._queries, self._theory = _with_queries(theory, queries)
        self._limits, self._are_supposed = limits, are_supposed
        self._without_rules = KnowledgeBase(
            replace(self._theory, rules=()), derivations="none", limits=limits
        )
        """The knowledge base that codes the facts of states that are evaluated together."""
        coding = self._without_rules.engine.coding
        named = [*relations, *((_answers(number), None) for number in range(len(queries)))]
        self._relations = {coding.predicate_id(*each): each for each in named}

    def evaluate(
        self, states: Sequence[Sequence[GroundFact]]
    ) -> list[EvaluatedState | KnowledgeBaseError | FactError]:
        """Return the results for each state, or the error of the state."""
        found = self._together(states) or {}
        return [found.get(place) or self._single(facts) for place, facts in enumerate(states)]

    def valid(
        self, states: Sequence[Sequence[GroundFact]], *, within_limits: bool = False
    ) -> list[EvaluatedState | None]:
        """Return the results for each state, or None if it has an error. This is faster than `evaluate` if
        there are errors.

        With `within_limits`, raise KnowledgeBaseError if a state exceeds a limit.
        """
        found = self._together(states, within_limits=within_limits)
        if found is not None:
            return [found.get(place) for place in range(len(states))]
        single = [self._single(each) for each in states]
        for each in single if within_limits else ():
            if isinstance(each, KnowledgeBaseError) and isinstance(each.__cause__, LimitError):
                raise each
        return [each if isinstance(each, EvaluatedState) else None for each in single]

    @cached_property
    def _base(self) -> KnowledgeBase:
        return KnowledgeBase(self._theory, derivations="none", limits=self._limits)

    @cached_property
    def _evaluation(self) -> StateEvaluation | None:
        return evaluation_of_rules(self._without_rules, self._theory.rules, self._limits)

    def _together(
        self, states: Sequence[Sequence[GroundFact]], *, within_limits: bool = False
    ) -> dict[int, EvaluatedState] | None:
        """Return the results of the states without errors by their places, from one call of the engine.

        None is returned if there are few states, or no engine for many states.
        """
        if len(states) <= FEW or self._evaluation is None:
            return None
        coded = ((place, self._groups(facts)) for place, facts in enumerate(states))
        given = {place: groups for place, groups in coded if groups is not None}
        results = self._evaluation.evaluate([*given.values()], [()] * len(given), [*self._relations], ())
        for problem in results.errors.values() if within_limits else ():
            if isinstance(problem, LimitError):
                raise KnowledgeBaseError(str(problem)) from problem
        rows: list[dict[PredicateId, set[tuple[int, ...]]]] = [{} for _ in given]
        for number, (owners, cells) in results.tables.items():
            table = zip(*cells, strict=True) if cells else [()] * len(owners)
            for state, row in zip(owners, table, strict=True):
                rows[state].setdefault(number, set()).add(row)
        coding = self._without_rules.engine.coding
        return {
            place: EvaluatedState(coding, self._queries, each)
            for state, (place, each) in enumerate(zip(given, rows, strict=True))
            if state not in results.errors
        }

    def _groups(self, facts: Sequence[GroundFact]) -> list[Group] | None:
        """Return the coded facts of a state, or None if the knowledge base refuses them."""
        try:
            if self._are_supposed:
                groups = [supposed_group(self._without_rules, facts)]
            else:
                groups = _groups_of(self._without_rules, rows_of(facts))
        except FactError:
            return None
        actions = {action for group in groups for action in group.actions}
        return groups if len(actions) <= 1 else None

    def _single(self, facts: Sequence[GroundFact]) -> EvaluatedState | KnowledgeBaseError | FactError:
        base = self._base
        base.push()
        try:
            if self._are_supposed:
                suppose(base, facts)
            else:
                base.add(facts)
            rows = {
                number: {fact.cells for fact in base.engine.facts(*relation)}
                for number, relation in self._relations.items()
            }
            return EvaluatedState(base.engine.coding, self._queries, rows)
        except (KnowledgeBaseError, FactError) as problem:
            return problem
        finally:
            base.pop()


class ChangedStates:
    """The rules and facts of a knowledge base, with more facts of many states.

    Later changes of the knowledge base have no effect.
    """

    def __init__(self, base: KnowledgeBase, limits: Limits, threads: int) -> None:
        self._base, self._limits, self._threads = base, limits, threads
        self._shared = number_of_facts(base)
        coding = base.engine.coding
        actions = (coding.relations[number].template for number in coding.actions)
        self._has_action = any(base.engine.facts(action.relation, action.tense) for action in actions)

    def groups(self, facts: Rows) -> list[Group] | None:
        """Return facts in coded form, or None if they do not fit their declarations."""
        try:
            return _groups_of(self._base, facts)
        except FactError:
            return None

    def answers(
        self, states: Sequence[Sequence[Group]], queries: Sequence[CodedQuery], most: int
    ) -> list[Answers | None]:
        """Return the answers to any of some queries in each state, from a call of the engine for each query.

        None is returned for states that the knowledge base must evaluate: states with errors or more than
        `most` answers, or all states if this is faster.
        """
        found: list[Answers | None] = [None] * len(states)
        fit = [place for place, groups in enumerate(states) if self._has_one_action(groups)]
        if len(fit) <= FEW or self._shared > _SHARED * len(fit) or self._evaluation is None:
            return found
        given = [states[place] for place in fit]
        size = sum(group.size for groups in given for group in groups)
        are_changes = self._shared * len(fit) > size and not self._only_facts_stop
        evaluated = [self._evaluation.answers(given, q, most + 1, are_changes=are_changes) for q in queries]
        for place, rows in zip(fit, zip(*evaluated, strict=True), strict=True):
            found[place] = self._united(queries, rows, most)
        return found

    @cached_property
    def _evaluation(self) -> StateEvaluation | None:
        return evaluation_of_rules(self._base, self._base.rules, self._limits, self._threads)

    @cached_property
    def _only_facts_stop(self) -> bool:
        """Whether the facts of a state may be needed to stop a rule. Then they are added before all rules."""
        coding = self._base.engine.coding
        return only_facts_stop(
            coded for index, rule in enumerate(self._base.rules) for coded in coding.rule(index, rule)
        )

    def _has_one_action(self, groups: Sequence[Group]) -> bool:
        """Return whether there is at most one action in a state."""
        actions = {action for group in groups for action in group.actions}
        return len(actions) <= 1 and not (actions and self._has_action)

    def _united(
        self, queries: Sequence[CodedQuery], rows: Sequence[list[tuple[int, ...]] | None], most: int
    ) -> Answers | None:
        """Return the answers of all queries from their coded rows, or None if there are too many or an
        error.
        """
        coding, answers = self._base.engine.coding, []
        for query, some in zip(queries, rows, strict=True):
            if some is None or len(some) > most:
                return None
            values = (coding.row_values(row, query.kinds, query.forms) for row in some)
            answers.append(Answers(query.names, tuple(sorted_rows(values)), query.mixed))
        try:
            return united(answers, most)
        except TooManyAnswersError:
            return None


def _groups_of(base: KnowledgeBase, facts: Rows) -> list[Group]:
    # Most relations are coded by the core, but not those of actions.
    return [base.engine.group({key: rows}) for key, rows in facts.items()]


def _answers(query: int) -> str:
    """Return the predicate of the answers to the query with a number; no predicate of a theory has its
    name.
    """
    return f"answers {query}"


def _with_queries(theory: Theory, queries: Sequence[Sequence[Condition]]) -> tuple[list[CodedQuery], Theory]:
    """Return the coded queries, and a theory with rules that conclude their answers."""
    coding = Coding(theory.vocabulary)
    coded = [coding.query(query) for query in queries]
    sorts, predicates = dict(theory.vocabulary.sorts), dict(theory.vocabulary.predicates)
    rules = list(theory.rules)
    columns = {"integer": SortName(INTEGER_SORT), "word": SortName(_WORDS), "mixed": SortName(_MIXED)}
    for number, (query, body) in enumerate(zip(coded, queries, strict=True)):
        name = _answers(number)
        predicates[name] = Predicate("derived", name, tuple([columns[kind] for kind in query.kinds]))
        head = Atom(name, tuple(map(Variable, query.names)))
        # Queries are about the state before an action, and so are these rules.
        rules.append(Rule(head, tuple(body), f"query {number}", of_given=True))
        for kind, sort in (("word", Sort(_WORDS, "open")), ("mixed", Sort(_MIXED, "mixed"))):
            if kind in query.kinds:
                sorts[sort.name] = sort
    vocabulary = replace(theory.vocabulary, sorts=sorts, predicates=predicates)
    whole = replace(theory, vocabulary=vocabulary, rules=tuple(rules))
    return coded, whole
