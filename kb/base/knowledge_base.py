"""The knowledge base: a theory, the facts of the moment, and what follows from them.

State lives in two places, both here: the engine (facts and coded rules) and the list of rules by number.
Every change is atomic: where a fact or rule does not fit, or an engine refuses, nothing has changed. One thread at
a time is inside; others wait.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from hornbook.kb.ast.fact_columns import FactColumns
from hornbook.kb.ast.ordering import sorted_rows
from hornbook.kb.ast.parts import Rows
from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Constant, PlanStatement, Rule, Statement, Tense, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.ast.theory_digest import theory_digest
from hornbook.kb.base.alternative_queries import united, unlike_kinds
from hornbook.kb.base.given_facts import GivenFacts, Group
from hornbook.kb.base.held_facts import HeldFacts, alone
from hornbook.kb.base.kept_changes import kept, kept_columns
from hornbook.kb.base.refusals import refuse_another_theory, refuse_second_action
from hornbook.kb.check import StandingRules, check_query, check_rules
from hornbook.kb.check.clauses.facts import check_concluded
from hornbook.kb.explain.proof import Proof, prove
from hornbook.kb.explain.why_not import WhyNot, explain_absence
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.loader import load
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.kb.lower.coding import CodedQuery, Coding
from hornbook.kb.lower.engines import EngineName, make_engine
from hornbook.kb.lower.faults import SECONDS, KnowledgeBaseError, TooManyAnswersError
from hornbook.kb.lower.stopped_rules import only_facts_stop
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import Query, parse, parse_open_queries, parse_queries, parse_query
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, error, in_order
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.store import Store
from hornbook.kb.store.keeping import Keeping, theory_of
from hornbook.kb.tables.answers import Answers, arrow_table
from hornbook.kb.tables.column_names import HOLDS, YES, column_names
from hornbook.kb.tables.tables import TableFacts, read_rows
from hornbook.matcher.compiled.engine import Statistics
from hornbook.matcher.plain.reference import ReferenceEngine
from hornbook.matcher.program.changes import Columns
from hornbook.matcher.program.coded import Fact, Limits, Match, PredicateId, Var
from hornbook.matcher.program.coded import Rule as CodedRule
from hornbook.matcher.program.errors import EngineError, MarkError
from hornbook.matcher.program.hornbook_error import HornbookError

if TYPE_CHECKING:
    import pyarrow

QueryEngine = Literal["matcher", "pydatalog"]


@dataclass(frozen=True, slots=True)
class Clauses:
    """Facts, as they were written, and rules that fit a theory, and what is odd about them."""

    statements: tuple[Statement, ...]
    rules: tuple[Rule, ...]
    warnings: tuple[Diagnostic, ...]

    @property
    def facts(self) -> tuple[GroundFact, ...]:
        return tuple(map(ground_fact, self.statements))


@dataclass(frozen=True, slots=True)
class _OpenMark:
    """What was given where rules waited for more, the rules, and why."""

    given: frozenset[Fact]
    waiting: tuple[CodedRule, ...]
    endless: KnowledgeBaseError | None


class NotDerivedError(HornbookError):
    """A proof was asked for, but the statement does not hold."""


def _opened(theory: Theory | str | Path | None, store: Store | None) -> Theory:
    """The theory of a knowledge base."""
    if store is not None:
        return theory_of(store, theory)
    if theory is None:
        raise TypeError("a knowledge base needs a theory or a store")
    return theory if isinstance(theory, Theory) else load(theory)


class KnowledgeBase(HeldFacts):
    """A theory with facts: add and retract facts and rules, ask, and ask why.

    `theory` is a `Theory`, or the name or path of one. `limits` bound every change and query.
    `statistics` are those of a knowledge base of the same vocabulary; they only change how fast rules are matched.
    With a `store`, its theory (the one of this name, or the only one) is opened with the facts that it holds. Facts
    that come and go then do so in the store too, where it is open for writing; not those between `push` and `pop`.
    `engine="demand"` finds what follows when it is asked for, and only what the question rests on (from the first `push` on,
    everything): for one question, or a few. `engine="duckdb"` is for facts too many for memory (extra `data`): it does so too, by rules
    without recursion, and has no proofs and no `push`; what it cannot do raises KnowledgeBaseError. What these two were not
    asked for they do not look at, so a contradiction there is not found.
    All that is given comes before rules that only it stops: recursion that computes numbers until it meets an absence or an
    aggregate. With such rules the theory's rules wait for the first question (or `push`, or `conclude`), which then raises what
    `add` would have.
    Raises TheoryError if the theory has errors, KnowledgeBaseError if facts contradict its declarations,
    StoreError if the store has another text of the theory, or none.
    Several threads may use one: what each asks or changes is done by itself, one after the other. A `store` serves only
    the thread that opened it.

    >>> base = KnowledgeBase("family")
    >>> base.query("grandparent(ada, ?who)").tuples()
    [('cleo',), ('dan',)]
    >>> [rule.name for rule in base.why("ancestor(ada, cleo)").rules]
    ['a_parent_is_an_ancestor', 'so_are_their_ancestors']
    """

    def __init__(
        self,
        theory: Theory | str | Path | None = None,
        *,
        store: Store | None = None,
        derivations: Literal["none", "one", "all"] = "one",
        limits: Limits | None = None,
        statistics: Statistics | None = None,
        engine: EngineName | None = None,
    ) -> None:
        self._theory = _opened(theory, store)
        super().__init__(Coding(self.theory.vocabulary))
        self._keeping: Keeping | None = None
        self._from_outside = GivenFacts(self.theory, self.coding)
        self._learned = 0
        self._lemmas = [rule for rule in self.theory.rules if rule.lemma]
        self._open_marks: list[_OpenMark] = []
        self._engine_marks = 0
        # Those of the rules that what was added last was checked against.
        self._standing = StandingRules(self.theory.vocabulary)
        limits = limits or Limits()
        self._seconds = limits.seconds
        try:
            self._engine = make_engine(
                self.coding.predicates,
                derivations=derivations,
                limits=limits,
                statistics=statistics,
                name=engine,
                demanded=self.coding.demanded,
                still=self.coding.still,
            )
        except EngineError as problem:
            raise self._fault(problem) from problem
        stated = tuple(map(self.coding.fact_of, self.theory.facts))
        self._change(add=stated, rules=self.theory.rules)
        if store is not None:
            self._add_stored(store.facts_in_columns(self.theory.name))
            self._keeping = Keeping(store, self.theory.name) if store.mode == "write" else None

    @property
    def theory(self) -> Theory:
        """The theory, which stays the same."""
        return self._theory

    # Facts and rules

    @alone
    def add(self, facts: Iterable[GroundFact], *, assume: Collection[str] = ()) -> None:
        """Adds facts, all or none. A fluent without a tense is meant before.

        Facts of what rules conclude (derived and meta predicates, values of games, what holds after an action) are
        not given. They are assumed, and all that follows rests on that, where `assume` names their relation.
        Raises FactError if one does not fit its declaration or would have to be assumed, KnowledgeBaseError
        where together they contradict the theory, or a lemma or learned rule is proved without the assumption.
        """
        if not isinstance(facts, FactColumns):
            self._change(add=self._given(facts, assume))
        elif not self._add_columns(facts):
            self._change(add=self._given(facts, assume))
            if self._keeping is not None:
                self._keeping.note_places(facts)

    @alone
    def retract(self, facts: Iterable[GroundFact]) -> None:
        """Takes given facts away; one that is not given (a derived one, say) is left as it is.

        Raises KnowledgeBaseError if learned rules may rest on it: a static fact that the theory states. Raises FactError if one
        does not fit its declaration.
        """
        self._change(retract=self._from_outside.coded(facts))

    @alone
    def add_text(self, text: str, file: str = "<added>") -> None:
        """Adds facts and rules written in the language.

        Raises TheoryError if one does not fit the theory, KnowledgeBaseError if they contradict it, or where there
        are learned rules whose proofs an added rule may break; then nothing is added.
        """
        added = self.read_clauses(text, file)
        self._change(add=self._given(added.facts, ()), rules=added.rules)

    @alone
    def read_clauses(self, text: str, file: str = "<added>") -> Clauses:
        """The facts and rules that a text states, checked against what stands; nothing is added.

        Raises TheoryError if one does not fit the theory.
        """
        parsed = parse(text, file)
        clauses = [clause for clause in parsed.clauses if isinstance(clause, Rule)]
        others = [clause for clause in parsed.clauses if not isinstance(clause, Rule)]
        found = [
            *parsed.diagnostics,
            *self._faults_of(clauses),
            *(error("HB042", "only facts and rules can be added here", c.span) for c in others),
        ]
        if any(d.severity == "error" for d in found):
            raise TheoryError((d for d in found if d.severity == "error"), {file: text})
        return Clauses(
            tuple(rule.head for rule in clauses if rule.is_fact),
            tuple(rule for rule in clauses if not rule.is_fact),
            tuple(in_order(found)),
        )

    @alone
    def exchange(
        self,
        retract: Iterable[GroundFact],
        add: Iterable[GroundFact],
        *,
        assume: Collection[str] = (),
        rules: Sequence[Rule] = (),
        drop_rules: int = 0,
    ) -> None:
        """Takes some given facts away and adds others, at once; raises like `add`, and then nothing has changed.

        With them come the `rules`, or go the last `drop_rules` rules. Learned rules are checked as by `add_rules`, and
        others as by `add_text`; a rule that does not fit raises as it does there. Raises ValueError if more rules would
        go than were added to the theory's.
        """
        added = len(self.rules) - len(self.theory.rules)
        if not 0 <= drop_rules <= added or (rules and drop_rules):
            raise ValueError(
                f"{drop_rules} rules cannot be dropped: {added} were added, and no rule is added at the same time"
            )
        self._must_be_of_this([rule for rule in rules if rule.learned])
        self._must_be_stated([rule for rule in rules if not rule.learned])
        new, old = self._given(add, assume), self._from_outside.coded(retract)
        self._change(add=new, retract=old, rules=rules, drop_rules=drop_rules)

    @alone
    def group(self, rows: Rows) -> Group:
        """Facts that may be given, checked and coded once, to come and go together; those that the theory states are left
        out, since they stay. Raises FactError.
        """
        return self._from_outside.group(rows, self._engine)

    @alone
    def exchange_groups(self, retract: Sequence[Group], add: Sequence[Group]) -> None:
        """Exchanges groups that this knowledge base made, as `exchange` does facts; nothing is checked or coded again.

        Raises ValueError where a store is open for writing: groups have no facts to keep.
        """
        if self._keeping is not None:
            raise ValueError("facts that a store is to keep come and go by `exchange`")
        come = [action for group in add for action in group.actions]
        refuse_second_action(
            self._engine, self.coding, come, [action for group in retract for action in group.actions]
        )
        try:
            self._engine.exchange([group.coded for group in retract], [group.coded for group in add])
            self._endless = None
        except EngineError as problem:
            raise self._fault(problem) from problem

    def add_rules(self, rules: Sequence[Rule]) -> None:
        """Adds learned rules of this theory, all or none, such as `read_rules(…).certified`; proofs say that they were learned.
        Plans are left out, since nothing can ask for one.

        A rule without an accepted certificate is refused, and so is a rule that was read or learned with a theory that says
        something else. The certificates themselves are not checked here: `read_rules` does that.

        Raises KnowledgeBaseError for a rule without a certificate or of another theory, and if this is no longer the theory
        that the rules are proved of: a static fact that it states was retracted, a rule was added that may break a proof, or
        a fact is assumed that may break one.
        """
        wrong = next((rule for rule in rules if not rule.learned), None)
        if wrong is not None:
            raise KnowledgeBaseError(
                f"the rule `{wrong.name}` has no certificate that was accepted; add the rules of"
                " `read_rules(…).certified`, or a rule of your own by `add_text`"
            )
        self._must_be_of_this(rules)
        # Nothing can ask for a plan.
        self._change(rules=[rule for rule in rules if not isinstance(rule.head, PlanStatement)])

    @alone
    def push(self) -> None:
        """Marks the present facts; `pop` restores them. With `engine="demand"` the first one concludes all that follows, and
        raises KnowledgeBaseError as `add` does. Rules that do not end before more facts are given wait on, and after `pop` again.
        """
        self.must_fit()
        if self._waiting:
            self._open_marks.append(_OpenMark(frozenset(self._all_given()), self._waiting, self._endless))
        else:
            try:
                self._engine.push()
            except MarkError:
                raise
            except EngineError as problem:
                raise self._fault(problem) from problem
            self._engine_marks += 1
        if self._keeping is not None:
            self._keeping.marks += 1

    @alone
    def pop(self) -> None:
        if self._engine_marks or not self._open_marks:
            self._engine.pop()
            self._engine_marks -= 1
        else:
            mark = self._open_marks.pop()
            self._engine.update(
                add=mark.given,
                retract=set(self._all_given()).difference(mark.given),
                remove_rules=[rule.id for rule in mark.waiting if rule.id in self._engine.rules],
            )
            self._waiting, self._endless = mark.waiting, mark.endless
        if self._keeping is not None:
            self._keeping.marks -= 1

    # Questions

    def query(
        self,
        text: str,
        *,
        parameters: Mapping[str, str | int] | None = None,
        engine: QueryEngine = "matcher",
        most: int | None = None,
    ) -> Answers:
        """The answers to `conditions` (a fluent without a tense is meant before), if there are no more than `most`.

        Each of `parameters` is the value of what the text calls `$` and its name: a word or an integer, in which
        nothing is read as text of the language is.

        `engine="pydatalog"` asks pyDatalog instead, goal by goal: an independent second opinion on the part
        of the language that it has (extra `pydatalog`; raises UnsupportedError beyond it). It does not always end,
        and is stopped after a minute where no other limit is set.
        Raises TheoryError if the query does not fit the theory, TooManyAnswersError if there are more answers.
        """
        queries = self.parse_queries(text, parameters)
        if engine not in (engines := get_args(QueryEngine)):
            raise ValueError(f"there is no engine {engine!r} for queries; they are {' and '.join(engines)}")
        if engine == "pydatalog":
            return united([self._ask_pydatalog(query, most) for query in queries], most)
        return self.ask(queries, most=most)

    @alone
    def ask(self, query: Query | CodedQuery | tuple[Query, ...], *, most: int | None = None) -> Answers:
        """The answers to a query that is parsed and checked, or coded by `coding` besides, if there are no more than `most`;
        or those of any of several, as `parse_queries` gives them.

        Raises TooManyAnswersError if there are more.
        """
        if isinstance(query, tuple):
            return united([self.ask(each, most=most) for each in query], most)
        coded = query if isinstance(query, CodedQuery) else self.coding.query(query.conditions)
        rows = self._coded_answers(coded)
        if most is not None and len(rows) > most:
            raise TooManyAnswersError(most)
        values = (
            tuple(self.coding.value(cell, kind) for cell, kind in zip(row, coded.kinds, strict=True))
            for row in rows
        )
        return Answers(coded.names, tuple(sorted_rows(values)), coded.mixed)

    @alone
    def query_table(
        self,
        text: str,
        *,
        parameters: Mapping[str, str | int] | None = None,
        most: int | None = None,
    ) -> pyarrow.Table:
        """The answers of `query` as an Arrow table (extra `data`), made column by column, for millions of them.

        A column of words has the type of a dictionary of strings; `to_pandas` makes a data frame of the table,
        `pyarrow.parquet.write_table` a file. Raises as `query` does, ValueError if the query has no variables, MissingExtraError.
        """
        queries = self.parse_queries(text, parameters)
        coded = self.coding.query(queries[0].conditions)
        if not coded.names:
            raise ValueError("a query without variables has no columns; `query` says yes or no")
        return self._arrow(coded, most) if len(queries) == 1 else self.ask(queries, most=most).arrow()

    @alone
    def table(self, relation: str, tense: Tense | None = None) -> pyarrow.Table:
        """The facts of a relation, given and derived, as an Arrow table (extra `data`), sorted; a fluent without a tense is meant
        before.

        Columns are called as their sorts are, numbered where one comes again (`person_1`, `person_2`), and words have the type
        of a dictionary of strings. A relation without columns has the column `holds`, with a row `yes` where it does.
        `to_pandas` makes a data frame of the table, `polars.from_arrow` one of Polars. Raises FactError if there is no such
        relation, MissingExtraError.
        """
        arrow = extra_module("pyarrow", "data")
        shape = self.coding.relations[self._number(relation, tense)]
        names = column_names(shape.sorts)
        pattern = shape.template.with_terms(tuple(map(Variable, names)))
        coded = self.coding.query((pattern,))
        if names:
            return self._arrow(coded, None)
        rows: list[str] = [YES] * len(self.ask(coded))
        return arrow.table({HOLDS: arrow.array(rows, arrow.string())})

    def add_table(
        self, predicate: str, table: Any, *, columns: Sequence[str] | None = None, skip_bad: bool = False
    ) -> TableFacts:
        """Adds the facts of a table in memory, all or none: a data frame of pandas or Polars, an Arrow table or anything with an
        Arrow stream, an executed cursor, or simply rows. Gives the facts and what `read_rows` says of the others.

        `columns` names the table's columns that are meant, in the order of the predicate's; see `read_rows`. Raises TableError,
        and as `add` does.
        """
        found = read_rows(table, predicate, self.theory.vocabulary, columns=columns, skip_bad=skip_bad)
        self.add(found.facts)
        return found

    def _coded_answers(self, coded: CodedQuery) -> list[tuple[int, ...]]:
        try:
            return self._asked_engine.query(coded.conditions, coded.variables)
        except EngineError as problem:
            raise self._fault(problem, coded) from problem

    def _arrow(self, coded: CodedQuery, most: int | None) -> pyarrow.Table:
        """The answers to a query with variables."""
        for module in ("numpy", "pyarrow"):
            extra_module(module, "data")
        if isinstance(self._asked_engine, ReferenceEngine):
            return self.ask(coded, most=most).arrow()
        try:
            columns = self._asked_engine.query_columns(coded.conditions, coded.variables)
        except EngineError as problem:
            raise self._fault(problem, coded) from problem
        if most is not None and len(columns[0]) > most:
            raise TooManyAnswersError(most)
        words = [None if kind == "integer" else self.coding.word for kind in coded.kinds]
        return arrow_table(coded.names, columns, words, coded.mixed)

    def _ask_pydatalog(self, query: Query, most: int | None) -> Answers:
        from hornbook.kb.pydatalog.engine import SECONDS, answer  # noqa: PLC0415 - few ask for it

        # The rules and facts of the moment, which need not be those that the theory began with.
        theory = replace(self.theory, rules=tuple(self.rules), facts=())
        try:
            rows = answer(theory, self.given(), query, seconds=self._seconds or SECONDS)
        except EngineError as problem:
            raise self._fault(problem) from problem
        if most is not None and len(rows) > most:
            raise TooManyAnswersError(most)
        coded = self.coding.query(query.conditions)
        return Answers(coded.names, tuple(rows), coded.mixed)

    def parse_query(self, text: str, parameters: Mapping[str, str | int] | None = None) -> Query:
        """The query that a text states with the values of its parameters, checked against the theory.

        Raises TheoryError, where the text has an `or` as well.
        """
        return self._checked((parse_query(text, parameters=parameters),), text)[0]

    def parse_queries(
        self, text: str, parameters: Mapping[str, str | int] | None = None
    ) -> tuple[Query, ...]:
        """The query that a text states, as `parse_query` gives it, or those whose answers belong to it if it has an `or`.

        Raises TheoryError.
        """
        queries = self._checked(parse_queries(text, parameters=parameters), text)
        if len(queries) > 1:
            coded = [self.coding.query(query.conditions) for query in queries]
            found = list(unlike_kinds(queries, coded))
            if found:
                raise TheoryError(found, {"<query>": text})
        return queries

    def _checked(self, queries: tuple[Query, ...], text: str) -> tuple[Query, ...]:
        found = [d for query in queries for d in check_query(query, self.theory.vocabulary)]
        wrong = list(dict.fromkeys(diagnostic for diagnostic in found if diagnostic.severity == "error"))
        if wrong:
            raise TheoryError(wrong, {"<query>": text})
        return queries

    def warnings(self, text: str) -> list[Diagnostic]:
        """What is odd about a query that can be answered, whatever the values of its parameters.

        Raises TheoryError if it cannot be parsed.
        """
        found = [d for query in parse_open_queries(text) for d in check_query(query, self.theory.vocabulary)]
        return list(dict.fromkeys(diagnostic for diagnostic in found if diagnostic.severity == "warning"))

    @alone
    def fact_that_holds(self, goal: Statement | str) -> Fact:
        """The coded fact of a ground statement, or of its text. Raises NotDerivedError if it does not hold."""
        statement = self._pattern(goal) if isinstance(goal, str) else goal
        if not all(isinstance(term, Constant) for term in statement.terms):
            raise NotDerivedError(f"`{print_condition(statement)}` has variables; name one fact")
        if not self.holds(statement):
            raise NotDerivedError(
                f"`{print_condition(statement)}` is not derived; why-not says what is missing"
            )
        return self.coding.fact_of(statement)

    @alone
    def why(self, text: str, *, parameters: Mapping[str, str | int] | None = None) -> Proof:
        """The proof of a fact, or of the first answer to a pattern such as `legal(black, ?p)`. Facts that the theory states
        say in which line; where others come from, `Proof.located` finds.

        `parameters` are the values of what the text calls `$` and a name, as for `query`.

        Raises NotDerivedError if nothing of the kind holds, TheoryError if the text does not fit.
        """
        pattern = self._pattern(text, parameters)
        query = Query((pattern,), pattern.span)
        rows = self._rows_like(pattern)
        answers = self.ask(query)
        if not answers:
            raise NotDerivedError(
                f"`{print_condition(pattern)}` is not derived; why-not says what is missing"
            )
        found = dict(zip(answers.variables, map(Constant, answers.rows[0]), strict=True))
        wanted = apply_to_statement(pattern, found)
        proof = prove(self._fact_like(wanted, rows), self.coding, self._asked_engine, self.rules)
        return proof.located([self.theory.facts])

    @alone
    def why_not(
        self, text: str, *, parameters: Mapping[str, str | int] | None = None, depth: int = 3
    ) -> WhyNot:
        """For each rule that could have given a fact: how far its conditions got, and what failed first.

        A failing condition that rules could have given is explained in turn, `depth` deep and no more than 100.
        `parameters` are the values of what the text calls `$` and a name, as for `query`.
        Raises TheoryError if the text does not fit, KnowledgeBaseError if it takes more seconds than the limits say.
        """
        try:
            return explain_absence(
                self._pattern(text, parameters), self, depth, Budget(seconds=self._seconds)
            )
        except SpentError as problem:
            raise KnowledgeBaseError(
                f"{problem}; raise the limit ({SECONDS}), or explain less deep (`--depth`)"
            ) from problem

    # Inside

    def _must_be_of_this(self, rules: Sequence[Rule]) -> None:
        """Raise KnowledgeBaseError for a learned rule that was not proved of this theory."""
        other = next((rule for rule in rules if rule.proved_of != theory_digest(self.theory)), None)
        if other is not None:
            of = "a theory that is not known" if other.proved_of is None else "another theory"
            raise KnowledgeBaseError(
                f"the rule `{other.name}` is proved of {of}, and not of `{self.theory.name}` as it is here; read it with"
                " this theory, `read_rules(…, base.theory).certified`"
            )

    def _must_be_stated(self, rules: Sequence[Rule]) -> None:
        """Raise TheoryError for a rule that could not be written and added to this theory."""
        found = [d for d in self._faults_of(rules) if d.severity == "error"] if rules else []
        if found:
            raise TheoryError(found, {})

    def _faults_of(self, clauses: Sequence[Rule]) -> list[Diagnostic]:
        """The mistakes and oddities of facts and rules, checked against the rules of the moment."""
        self._standing.add(self.rules[len(self._standing) :])
        return [
            *check_rules(clauses, self.theory.vocabulary, self._standing),
            *check_concluded(clauses, self.theory.vocabulary),
            *(
                error(
                    "HB067",
                    "a plan is proved, and not stated",
                    c.span,
                    "leave it to `hornbook rules learn-plans `",
                )
                for c in clauses
                if isinstance(c.head, PlanStatement)
            ),
        ]

    @alone
    def _change(
        self,
        *,
        add: Sequence[Fact] = (),
        retract: Sequence[Fact] = (),
        rules: Sequence[Rule] = (),
        coded_rules: Sequence[CodedRule] | None = None,
        drop_rules: int = 0,
        supposed: bool = False,
    ) -> None:
        assert not (rules and drop_rules), "a number is not given to two rules at once"
        first = len(self.rules) - drop_rules
        learned = self._learned + sum(r.learned for r in rules) - sum(r.learned for r in self.rules[first:])
        if learned or self._lemmas:
            changed = (
                self._gone(retract, learned),
                self._added(first, rules, learned),
                self._assumed(() if supposed else add, retract, learned),
            )
            # Nearly every change is one of a state alone, and there may be many learned rules.
            if any(changed):
                there = (rule for rule in [*self.rules[:first], *rules] if rule.learned) if learned else ()
                refuse_another_theory(self.theory, *changed, [*self._lemmas, *there])
        dropped = self.rules[first:]
        gone = {coded.id for i, rule in enumerate(dropped, first) for coded in self.coding.rule(i, rule)}
        if coded_rules is None:
            coded_rules = [
                coded for i, rule in enumerate(rules, first) for coded in self.coding.rule(i, rule)
            ]
        outside = {rule.id for rule in self._waiting}
        waiting = tuple(rule for rule in self._waiting if rule.id not in gone)
        if not all(rule.learned for rule in rules) and self._must_wait(coded_rules):
            waiting, coded_rules = (*waiting, *coded_rules), ()
        self._rules = (*self.rules[:first], *rules)
        try:
            refuse_second_action(self._engine, self.coding, add, retract)
            with (
                nullcontext()
                if self._keeping is None
                else kept(self._keeping, self._engine, self.coding, add, retract, coded_rules)
            ):
                self._engine.update(
                    add=add, retract=retract, add_rules=coded_rules, remove_rules=gone - outside
                )
        except EngineError as problem:
            described = self._fault(problem)
            self._rules = (*self.rules[:first], *dropped)
            raise described from problem
        except BaseException:
            self._rules = (*self.rules[:first], *dropped)
            raise
        self._learned, self._waiting, self._endless = learned, waiting, None
        if drop_rules:
            self._standing.cut(first)

    def _all_given(self) -> Iterator[Fact]:
        numbers = range(len(self.coding.relations))
        return (Fact(number, cells) for number in numbers for cells in self._engine.given(number))

    def _must_wait(self, coming: Sequence[CodedRule]) -> bool:
        """Whether rules are to wait for the first question."""
        if self._waiting or self._is_asked:
            return bool(self._waiting)
        return only_facts_stop(chain(self._engine.rules.values(), coming))

    def _gone(self, retract: Sequence[Fact], learned: int) -> list[Statement]:
        """What the theory states for good, and is taken away now or was before there were learned rules, of which there would be so
        many.
        """
        fixed = self._from_outside.fixed
        gone = [fact for fact in retract if fact in fixed]
        if learned and not self._learned:
            gone += [fact for fact in fixed if fact not in self._engine]
        return list(map(self.coding.statement, gone))

    def _assumed(self, add: Sequence[Fact], retract: Sequence[Fact], learned: int) -> list[Statement]:
        """The facts that are assumed now. With the first learned rules come those that were assumed before them."""
        can_be, stated = self._from_outside.can_be_assumed, self._from_outside.stated
        found = [fact for fact in add if fact.predicate in can_be]
        if learned and not self._learned:
            there = (Fact(number, cells) for number in can_be for cells in self._engine.given(number))
            gone = frozenset(retract)
            found += [fact for fact in there if fact not in gone]
        return [self.coding.statement(fact) for fact in found if fact not in stated]

    def _added(self, first: int, rules: Sequence[Rule], learned: int) -> list[Rule]:
        """The rules that the theory would have besides its own and the learned ones, of which there would be so many."""
        own = len(self.theory.rules)
        if first + len(rules) - learned <= own:
            return []
        return [rule for rule in [*self.rules[own:first], *rules] if not rule.learned]

    def _given(self, facts: Iterable[GroundFact], assume: Collection[str]) -> tuple[Fact, ...]:
        """The coded facts, which may be given, or are assumed."""
        are_kept = self._keeping is not None and not self._keeping.marks
        return self._from_outside.given(facts, assume, are_kept=are_kept)

    def _columns(self, facts: FactColumns) -> tuple[PredicateId, Columns] | None:
        """The coded facts of a table; None where each is to be looked at by itself, or the engine takes no columns."""
        return None if isinstance(self._engine, ReferenceEngine) else self._from_outside.columns(facts)

    def _add_columns(self, facts: FactColumns) -> bool:
        """Adds the facts of a table at once, or says that each is to be looked at by itself."""
        coded, keeping = self._columns(facts), self._keeping
        if coded is None or (keeping is not None and coded[0] in self._from_outside.not_plain):
            return False
        with (
            nullcontext()
            if keeping is None
            else kept_columns(keeping, self._engine, self.coding, facts, coded[0], self._from_outside.coded)
        ):
            self._give((), dict([coded]))
        return True

    def _add_stored(self, tables: Iterable[FactColumns]) -> None:
        """Adds the facts of a store, all at once."""
        add: list[Fact] = []
        columns: dict[PredicateId, Columns] = {}
        for facts in tables:
            coded = self._columns(facts)
            if coded is None or coded[0] in columns:
                add += self._from_outside.given(facts)
            else:
                columns.update([coded])
        refuse_second_action(self._engine, self.coding, add, ())
        self._give(add, columns)

    def _give(self, add: Sequence[Fact], columns: Mapping[PredicateId, Columns]) -> None:
        try:
            if isinstance(self._engine, ReferenceEngine):
                self._engine.update(add=add)
            else:
                self._engine.update(add=add, add_columns=columns)
            self._endless = None
        except EngineError as problem:
            raise self._fault(problem) from problem

    def _pattern(self, text: str, parameters: Mapping[str, str | int] | None = None) -> Statement:
        """The one statement that a text is. Raises TheoryError if it is something else."""
        query = self.parse_query(text, parameters)
        if len(query.conditions) == 1 and isinstance(query.conditions[0], Statement):
            return query.conditions[0]
        problem = error(
            "HB001", "a proof is of one fact", query.span, "ask for one fact such as `legal(black, ?p)`"
        )
        raise TheoryError([problem], {"<query>": text})

    def _rows_like(self, pattern: Statement) -> AbstractSet[tuple[int, ...]]:
        """Facts of a predicate: of one that is demanded those that may match a pattern, of another all, since on demand some
        alone might have other derivations.
        """
        number = self.coding.predicate_id(pattern.relation, pattern.tense)
        if number not in self.coding.demanded:
            return self._rows(number)
        terms = (t if isinstance(t, Constant) else Variable(f"v{i}") for i, t in enumerate(pattern.terms))
        coded = self.coding.query((pattern.with_terms(tuple(terms)),))
        [match] = coded.conditions
        assert isinstance(match, Match)
        places = {variable: place for place, variable in enumerate(coded.variables)}
        return {
            tuple(row[places[term]] if isinstance(term, Var) else term for term in match.terms)
            for row in self._coded_answers(coded)
        }

    def _fact_like(self, pattern: Statement, rows: AbstractSet[tuple[int, ...]]) -> Fact:
        """The first fact of a predicate that a pattern, ground but for wildcards, matches."""
        number = self.coding.predicate_id(pattern.relation, pattern.tense)
        wanted = [
            self.coding.cell(t.value, kind) if isinstance(t, Constant) else None
            for t, kind in zip(pattern.terms, self.coding.relations[number].columns, strict=True)
        ]
        alike = (
            cells
            for cells in sorted(rows)
            if all(w is None or w == cell for w, cell in zip(wanted, cells, strict=True))
        )
        return Fact(number, next(alike))
