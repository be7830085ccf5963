"""The engine of a knowledge base: coded facts, their derivations, parsed queries and groups of facts.

Invariants: Only one thread at a time runs a method, and others wait. Rules and single facts cannot be changed
here, so a caller cannot avoid the checks of `KnowledgeBase`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, TypeVar

from hornbook.kb.ast.ordering import sorted_rows
from hornbook.kb.ast.parts import Rows
from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Constant, Rule, Statement, Tense, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.fact_encoder import Group
from hornbook.kb.base.materialization import Materialization, exclusive
from hornbook.kb.base.query_cache import OpenQuery, QueryCache
from hornbook.kb.lower.coding import CodedQuery, CodedRuleId, Coding
from hornbook.kb.lower.errors import TooManyAnswersError
from hornbook.kb.parse.facts import plain_fact
from hornbook.kb.parse.syntax import Query, parse_query, queries_with_values
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, error
from hornbook.kb.tables.answers import Answers
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.compiled.states import StateEngine
from hornbook.matcher.program.coded import Derivation, Fact, Limits, Match, RuleId, Var
from hornbook.matcher.program.hornbook_error import HornbookError

if TYPE_CHECKING:  # slow to import
    from hornbook.kb.explain.proof import Proof
    from hornbook.matcher.program.profile import Profile

Result = TypeVar("Result")


class NotDerivedError(HornbookError):
    """A proof was requested for a statement that does not hold."""


class TheoryEngine:
    """The engine of a knowledge base, with the coding of its theory.

    A coded fact has a number for its relation and a cell for each value (`coding`). A `Query` is parsed and
    checked, and a `CodedQuery` is coded as well. Repeated work on such values is faster than on text.
    """

    def __init__(self, state: Materialization) -> None:
        self._state = state
        self._lock = state.lock
        self._queries = QueryCache(state.theory.vocabulary)

    @property
    def theory(self) -> Theory:
        """The theory, which stays the same."""
        return self._state.theory

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of the theory, followed by the added rules."""
        return self._state.rules

    def rule(self, index: int) -> Rule:
        """Return the rule with an index in `rules`, without reading the others."""
        return self._state.rule(index)

    # Coded facts

    @property
    def coding(self) -> Coding:
        """The coding of the theory. `coding.statement` and `coding.ground` decode facts."""
        return self._state.coding

    @exclusive
    def encode(self, fact: Statement | GroundFact) -> Fact:
        """Return the coded fact of a ground statement or fact, whether it holds or not."""
        return self._state.encode(fact)

    @exclusive
    def facts(self, relation: str, tense: Tense | None = None) -> list[Fact]:
        """Return all facts of one relation that hold at a moment, coded and unordered.

        Raises:
            FactError: The theory has no such relation.
        """
        number = self._state.number(relation, tense)
        return [Fact(number, cells) for cells in self._state.rows(number)]

    @exclusive
    def statements(self, relation: str, tense: Tense | None = None) -> list[Statement]:
        """Return all facts of one relation that hold at a moment, as statements, sorted.

        Raises:
            FactError: The theory has no such relation.
        """
        coding = self._state.coding
        facts = [(coding.ground(fact), fact) for fact in self.facts(relation, tense)]
        return [coding.statement(fact) for _, fact in sorted_rows(facts)]

    @exclusive
    def snapshot(self) -> dict[Statement, frozenset[Fact]]:
        """Return the coded facts that hold now, by the template from `relations`."""
        relations = self._state.coding.relations
        return {
            relations[number].template: frozenset(Fact(number, cells) for cells in rows)
            for number, rows in self._state.rows_of(range(len(relations))).items()
        }

    @exclusive
    def given_among(self, facts: Iterable[GroundFact]) -> set[GroundFact]:
        """Return the given facts among some facts, at their moments. Raises FactError if one fits no
        declaration.
        """
        coding, engine = self._state.coding, self._state.engine
        coded = [coding.fact(plain_fact(fact)) for fact in facts]
        given = {number: engine.given(number) for number in {fact.predicate for fact in coded}}
        return {coding.ground(fact) for fact in coded if fact.cells in given[fact.predicate]}

    @exclusive
    def has_given(self, relation: str, tense: Tense | None = None) -> bool:
        """Return whether a fact of one relation is given at a moment.

        Raises:
            FactError: The theory has no such relation.
        """
        return bool(self._state.engine.given(self._state.number(relation, tense)))

    @exclusive
    def words(self, sort: str, most: int) -> list[str]:
        """Return at most `most` words of a sort that occur in facts, sorted. The first ones found are chosen.

        Relations that are derived on demand are not evaluated.
        """
        coding = self._state.coding
        found: dict[int, None] = {}
        for number, relation in enumerate(coding.relations):
            places = [place for place, of in enumerate(relation.sorts) if of == sort]
            if places and len(found) < most and number not in coding.demanded:
                rows = self._state.engine.facts(number)
                found.update(dict.fromkeys(cells[place] for cells in rows for place in places))
        words = map(coding.word, list(found)[:most])
        return sorted(word for word in words if isinstance(word, str))

    # Queries

    def parse_query(self, text: str, parameters: Mapping[str, str | int] | None = None) -> Query:
        """Return the query of a text with the values of its parameters, checked against the theory.

        Raises:
            TheoryError: The query does not fit the theory, or it contains `or`.
        """
        if parameters:
            parameters = self._queries.open_query(text).written(parameters)
        return self._checked((parse_query(text, parameters=parameters),), text)[0]

    def parse_queries(
        self, text: str, parameters: Mapping[str, str | int] | None = None
    ) -> tuple[Query, ...]:
        """Return the checked queries of a text. A text with `or` gives several, whose answers are to be
        united.

        Raises:
            TheoryError: The query does not fit the theory.
        """
        return self._with_values(self._queries.open_query(text), text, parameters)

    def _with_values(
        self, known: OpenQuery, text: str, parameters: Mapping[str, str | int] | None
    ) -> tuple[Query, ...]:
        if parameters or known.has_parameters:
            values = known.written(parameters)
            queries = self._checked(queries_with_values(known.queries, text, parameters=values), text)
        else:
            queries = known.queries
            _refuse(known.diagnostics, text)
        if len(queries) > 1:
            from hornbook.kb.base.alternative_queries import (  # noqa: PLC0415 - slow to import
                unlike_kinds,
            )

            coded = [self.coding.query(query.conditions) for query in queries]
            found = list(unlike_kinds(queries, coded))
            if found:
                raise TheoryError(found, {"<query>": text})
        return queries

    def _checked(self, queries: tuple[Query, ...], text: str) -> tuple[Query, ...]:
        from hornbook.kb.check.queries import check_query  # noqa: PLC0415 - slow to import

        _refuse((d for query in queries for d in check_query(query, self.theory.vocabulary)), text)
        return queries

    def open_query(self, text: str) -> OpenQuery:
        """Return the parsed query of a text, and the diagnostics of its check. Raises TheoryError."""
        return self._queries.open_query(text)

    @exclusive
    def coded_queries(
        self, text: str, parameters: Mapping[str, str | int] | None = None
    ) -> tuple[CodedQuery, ...]:
        """Return the coded queries of a text, as `parse_queries` does. Raises TheoryError."""
        known, coding = self._queries.open_query(text), self.coding
        if not parameters and known.coded is not None and known.coded[0] is coding:
            return known.coded[1]
        queries = self._with_values(known, text, parameters)
        coded = tuple(coding.query(query.conditions) for query in queries)
        if not known.has_parameters:
            known.coded = coding, coded
        return coded

    def parse_statement(self, text: str, parameters: Mapping[str, str | int] | None = None) -> Statement:
        """Return the only statement of a text. Raises TheoryError if the text is something else."""
        query = self.parse_query(text, parameters)
        if len(query.conditions) == 1 and isinstance(query.conditions[0], Statement):
            return query.conditions[0]
        problem = error(
            "HB001", "a proof is of one fact", query.span, "ask for one fact such as `legal(black, ?p)`"
        )
        raise TheoryError([problem], {"<query>": text})

    @exclusive
    def query(
        self, query: Query | CodedQuery | tuple[Query | CodedQuery, ...], *, max_answers: int | None = None
    ) -> Answers:
        """Return the answers to a parsed and checked query, which may also be coded by `coding`.

        A tuple of queries, as from `parse_queries` or `coded_queries`, gives the union of their answers.

        Raises:
            TooManyAnswersError: There are more than `max_answers` answers.
        """
        from hornbook.kb.base.alternative_queries import united  # noqa: PLC0415 - slow to import

        if isinstance(query, tuple):
            return united([self.query(each, max_answers=max_answers) for each in query], max_answers)
        coding = self._state.coding
        coded = query if isinstance(query, CodedQuery) else coding.query(query.conditions)
        rows = self._state.answers(coded)
        if max_answers is not None and len(rows) > max_answers:
            raise TooManyAnswersError(max_answers)
        values = (coding.row_values(row, coded.kinds, coded.forms) for row in rows)
        return Answers(coded.names, tuple(sorted_rows(values)), coded.mixed)

    # Derivations

    @exclusive
    def true_fact(self, goal: Statement | str) -> Fact:
        """Return the coded fact of a ground statement or its text. Raises NotDerivedError if it does not
        hold.
        """
        from hornbook.kb.format.printer import print_condition  # noqa: PLC0415 - slow to import

        statement = self.parse_statement(goal) if isinstance(goal, str) else goal
        if not all(isinstance(term, Constant) for term in statement.terms):
            raise NotDerivedError(f"`{print_condition(statement)}` has variables; name one fact")
        fact = self._state.coding.fact_of(statement)
        if not self._state.holds(fact):
            raise _not_derived(statement)
        return fact

    @exclusive
    def prove(self, pattern: Statement) -> Proof:
        """Return the proof of a fact, or of the first answer to a pattern.

        Raises:
            NotDerivedError: No instance of the pattern holds.
        """
        from hornbook.kb.explain.proof import prove  # noqa: PLC0415 - slow to import

        rows = self._candidate_rows(pattern)
        answers = self.query(Query((pattern,), pattern.span))
        if not answers:
            raise _not_derived(pattern)
        found = dict(zip(answers.variables, map(Constant, answers.rows[0]), strict=True))
        goal = self._first_match(apply_to_statement(pattern, found), rows)
        return prove(goal, self.coding, self._state.evaluated_engine, self.rules).with_sources(
            [self.theory.facts]
        )

    def _candidate_rows(self, pattern: Statement) -> AbstractSet[tuple[int, ...]]:
        """Return the facts of the predicate of a pattern. For a demanded predicate, return those that may
        match.

        For other predicates all facts are needed: a subset on demand could have other derivations.
        """
        coding = self.coding
        number = coding.predicate_id(pattern.relation, pattern.tense)
        if number not in coding.demanded:
            return self._state.rows(number)
        terms = (t if isinstance(t, Constant) else Variable(f"v{i}") for i, t in enumerate(pattern.terms))
        coded = coding.query((pattern.with_terms(tuple(terms)),))
        [match] = coded.conditions
        assert isinstance(match, Match)
        places = {variable: place for place, variable in enumerate(coded.variables)}
        return {
            tuple(row[places[term]] if isinstance(term, Var) else term for term in match.terms)
            for row in self._state.answers(coded)
        }

    def _first_match(self, pattern: Statement, rows: AbstractSet[tuple[int, ...]]) -> Fact:
        """Return the first fact of a predicate that matches a pattern without named variables."""
        coding = self.coding
        number = coding.predicate_id(pattern.relation, pattern.tense)
        cells_of_pattern = [
            coding.cell(t.value, kind) if isinstance(t, Constant) else None
            for t, kind in zip(pattern.terms, coding.relations[number].columns, strict=True)
        ]
        alike = (
            cells
            for cells in sorted(rows)
            if all(w is None or w == cell for w, cell in zip(cells_of_pattern, cells, strict=True))
        )
        return Fact(number, next(alike))

    @exclusive
    def derivation(self, fact: Fact, by: RuleId | None = None) -> Derivation | None:
        """Return the recorded derivation of a coded fact, or None if it is given. With `by`, return the first
        by this rule.

        Raises:
            KeyError: The fact does not hold.
        """
        return self._state.evaluated_engine.derivation(fact, by)

    @exclusive
    def derivations(self, fact: Fact, by: RuleId | None = None) -> tuple[Derivation, ...]:
        """Return every derivation of a coded fact, or those by one rule.

        Raises:
            NoDerivationsError: The engine does not record all derivations.
        """
        return self._state.evaluated_engine.derivations(fact, by)

    @exclusive
    def derived_by(self, fact: Fact) -> tuple[RuleId, ...]:
        """Return the rules with derivations of a coded fact. This is faster than `derivations`.

        Raises:
            NoDerivationsError: The engine does not record all derivations.
        """
        return self._state.evaluated_engine.derived_by(fact)

    @exclusive
    def substitutions(self, fact: Fact) -> list[dict[str, Constant]]:
        """Return the substitution of each of `derivations`, in the same order. This is faster.

        Raises the errors of `derivations`.
        """
        found: list[dict[str, Constant]] = []
        for rule, binding in self._state.evaluated_engine.bindings(fact):
            assert isinstance(rule, CodedRuleId)
            found.append(self._state.coding.substitution(rule, binding))
        return found

    def rule_of(self, by: RuleId) -> tuple[int, Rule, Tense | None]:
        """Return the rule of a derivation: its index in `rules`, the rule, and the moment of its
        evaluation.
        """
        assert isinstance(by, CodedRuleId)
        return by.index, self._state.rule(by.index), by.moment

    def substitution(self, derivation: Derivation) -> dict[str, Constant]:
        """Return the substitution of the variables of a derivation's rule."""
        assert isinstance(derivation.rule, CodedRuleId)
        return self._state.coding.substitution(derivation.rule, derivation.binding)

    @exclusive
    def firings(self) -> dict[int, int]:
        """Return the number of facts whose recorded derivation uses each rule, by its index in `rules`."""
        engine = self._state.evaluated_engine
        counts: dict[int, int] = {}
        for number, rows in self._state.rows_of(range(len(self.coding.relations))).items():
            for cells in rows:
                derivation = engine.derivation(Fact(number, cells))
                if derivation is not None:
                    assert isinstance(derivation.rule, CodedRuleId)
                    counts[derivation.rule.index] = counts.get(derivation.rule.index, 0) + 1
        return counts

    # Evaluation

    @exclusive
    def state_engine(self, limits: Limits, threads: int | None = None) -> StateEngine | None:
        """Return an engine that adds the facts of many states to the present rules and given facts.

        By default, it has as many threads as there are processors.

        None is returned if this engine is not the compiled engine, or derives facts on demand.
        """
        state = self._state
        if type(state.engine) is not CompiledEngine:
            return None
        rules = [coded for index, rule in enumerate(state.rules) for coded in state.coding.rule(index, rule)]
        return StateEngine(state.coding.predicates, rules, state.given(), limits=limits, threads=threads)

    @exclusive
    def evaluate(self) -> None:
        """Add the rules that wait for the first query and evaluate them. Every query does so.

        Raises:
            KnowledgeBaseError: A consequence contradicts a declaration, or a limit is exceeded. Then the
                rules keep waiting, so that facts can be added or retracted.
        """
        self._state.evaluate()

    @exclusive
    def check_consistency(self) -> None:
        """Raise KnowledgeBaseError if the consequences contradict a declaration.

        Rules that do not terminate without further facts do not count as a contradiction.
        """
        self._state.check_consistency()

    @exclusive
    def profile(self, run: Callable[[], Result]) -> tuple[Result, Profile]:
        """Return the result of a call, and a profile of the updates that it makes.

        Raises:
            TypeError: The engine does not measure time.
        """
        engine = self._state.engine
        if not engine.capabilities.profile:
            raise TypeError("this engine does not measure time: use the compiled engine")
        engine.profile(True)
        try:
            return run(), engine.profile_report()
        finally:
            engine.profile(False)

    def facts_so_far(self) -> int | None:
        """Return a recent number of facts, even while another thread is evaluating, or None if the engine
        does not count them.

        Does not wait for other threads.
        """
        return self._state.engine.facts_so_far()

    @property
    def can_be_interrupted(self) -> bool:
        """Whether an interrupt is safe now and leaves no change half done.

        Does not wait for other threads, because signal handlers use it.
        """
        return self._state.engine.can_be_interrupted

    # Groups of facts

    @exclusive
    def group(self, rows: Rows) -> Group:
        """Return facts as a group that can be added and retracted as a whole. They are checked and coded only
        once.

        Facts of the theory are left out, since they never go. Raises FactError.
        """
        return self._state.encoder.group(rows, self._state.engine)

    @exclusive
    def exchange_groups(self, retract: Sequence[Group], add: Sequence[Group]) -> None:
        """Exchange groups made by this engine. Unlike `KnowledgeBase.exchange`, this neither checks nor codes
        the facts again.

        Raises:
            ValueError: A store is open for writing, and groups do not contain the facts to be stored.
            KnowledgeBaseError: Together the facts contradict the theory.
        """
        self._state.exchange_groups(retract, add)


def _refuse(found: Iterable[Diagnostic], text: str) -> None:
    """Raise TheoryError if there are errors among the diagnostics of a query."""
    wrong = list(dict.fromkeys(diagnostic for diagnostic in found if diagnostic.severity == "error"))
    if wrong:
        raise TheoryError(wrong, {"<query>": text})


def _not_derived(statement: Statement) -> NotDerivedError:
    from hornbook.kb.format.printer import print_condition  # noqa: PLC0415 - slow to import

    return NotDerivedError(
        f"`{print_condition(statement)}` is not derived; why-not shows the missing conditions"
    )
