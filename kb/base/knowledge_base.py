"""The knowledge base: a theory, the current facts, and their consequences.

Invariants:

- Every change is atomic. If a fact or rule does not fit or an engine refuses it, nothing changes.
- Only one thread at a time runs a method, and others wait.
- Methods take and return facts, rules and text of the language. Those on coded facts are behind `engine`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from hornbook.kb.ast.fact_columns import FactColumns
from hornbook.kb.ast.ordering import sorted_rows
from hornbook.kb.ast.terms import PlanStatement, Rule, Statement, Tense, Variable, predicate_of
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.ast.theory_digest import digest_without_invented, theory_digest
from hornbook.kb.base.alternative_queries import united
from hornbook.kb.base.changes.refusals import refuse_another_theory
from hornbook.kb.base.materialization import Materialization, exclusive
from hornbook.kb.base.theory_engine import TheoryEngine
from hornbook.kb.load.lemmas import LemmaJudge
from hornbook.kb.load.loader import load
from hornbook.kb.lower.coding import CodedQuery, values_with_forms
from hornbook.kb.lower.engines import EngineName, QueryEngine
from hornbook.kb.lower.errors import SECONDS, KnowledgeBaseError, TooManyAnswersError
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import Query, parse
from hornbook.kb.sources.deprecations import renamed_members, renamed_parameters
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, error, in_order
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.tables.answers import Answers, arrow_table
from hornbook.matcher.program.coded import Fact, Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.engine import Statistics
from hornbook.matcher.program.errors import EngineError
from hornbook.matcher.program.packed import PackedRules

if TYPE_CHECKING:
    import pyarrow

    from hornbook.kb.check.program.existing_rules import ExistingRules
    from hornbook.kb.explain.proof import Proof
    from hornbook.kb.explain.why_not import WhyNot
    from hornbook.kb.store import Store
    from hornbook.kb.tables.readers.table_format import TableFormat
    from hornbook.kb.tables.tables import TableFacts


@dataclass(frozen=True, slots=True)
class Clauses:
    """Facts and rules of a text that fit a theory, with the warnings about them."""

    statements: tuple[Statement, ...]
    rules: tuple[Rule, ...]
    warnings: tuple[Diagnostic, ...]

    @property
    def facts(self) -> tuple[GroundFact, ...]:
        return tuple(map(ground_fact, self.statements))


def _opened_theory(
    theory: Theory | str | Path | None, store: Store | None, judge: LemmaJudge | None
) -> Theory:
    """Return the theory of a knowledge base."""
    if store is not None:
        from hornbook.kb.store.write_through import theory_of  # noqa: PLC0415 - slow to import

        return theory_of(store, theory, judge)
    if theory is None:
        raise TypeError("a knowledge base needs a theory or a store")
    return theory if isinstance(theory, Theory) else load(theory, judge=judge)


@renamed_members
class KnowledgeBase:
    """A theory with facts. Facts and rules can be added, retracted, queried and explained.

    Args:
        theory: A `Theory`, or the name or path of one.
        store: A store with the theory (the one of this name, or the only one) and its facts. Additions and
            retractions are written to the store if it is open for writing, except between `push` and `pop`.
        derivations: The number of derivations that the engine records for each fact.
        limits: The limits of every change and query.
        statistics: The statistics of a knowledge base with the same vocabulary. They only affect how fast
            rules are matched.
        engine: The engine, see below.

    `engine="demand"` derives only the facts that a query depends on, and from the first `push` on all facts.
    It suits one or a few queries. `engine="duckdb"` is for more facts than fit in memory (extra `data`). It
    also works on demand, and has no functions of words, no proofs and no `push`. Unsupported rules raise
    KnowledgeBaseError. These two engines find a contradiction only among facts that a query depends on.

    Some rules can only be stopped by facts: recursion that computes numbers until it meets an absence or an
    aggregate. All given facts are added before such rules. The rules of a theory with such rules wait for the
    first query (or `push` or `conclude`), which then raises the errors that `add` would have raised.

    Several threads may use one knowledge base. Their calls are executed one after the other. A `store` can
    only be used by the thread that opened it.

    Raises:
        TheoryError: The theory has errors.
        KnowledgeBaseError: Facts contradict its declarations.
        StoreError: The store has another text of the theory, or none.

    >>> base = KnowledgeBase("family")
    >>> base.query("grandparent(ada, ?who)").to_tuples()
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
        limits = limits or Limits()
        self._limits = limits
        self._state = Materialization(
            _opened_theory(theory, store, self._judge),
            derivations=derivations,
            limits=limits,
            statistics=statistics,
            engine=engine,
        )
        self._lock = self._state.lock
        self._engine = TheoryEngine(self._state)
        self._learned = 0
        self._lemmas = [rule for rule in self.theory.rules if rule.lemma]
        # The rules that the latest clauses were checked against.
        self._existing_rules: ExistingRules | None = None
        self._change(add=tuple(map(self._state.coding.fact_of, self.theory.facts)), rules=self.theory.rules)
        if store is not None:
            self._state.add_stored(store.facts_in_columns(self.theory.name))
            if store.mode == "write":
                from hornbook.kb.store.write_through import WriteThroughStore  # noqa: PLC0415 - slow to import

                self._state.store = WriteThroughStore(store, self.theory.name)

    @staticmethod
    def _judge(theory: Theory) -> Mapping[str, Rule]:  # noqa: ARG004 - a subclass uses it
        """Return the proved lemmas of a theory that is loaded here. This package cannot check proofs."""
        return {}

    @property
    def theory(self) -> Theory:
        """The theory, which stays the same."""
        return self._state.theory

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of the theory, followed by the added rules."""
        return self._state.rules

    @property
    def engine(self) -> TheoryEngine:
        """The engine: coded facts, derivations, parsed queries and groups of facts."""
        return self._engine

    # Facts and rules

    @exclusive
    def add(self, facts: Iterable[GroundFact], *, assume: Collection[str] = ()) -> None:
        """Add all of the facts or none. A fluent without a tense holds before the action.

        Some relations are concluded by rules: derived and meta predicates, values of games, and fluents after
        an action. Their facts can only be assumed, if `assume` names the relation. All consequences then
        depend on the assumption.

        Raises:
            FactError: A fact does not fit its declaration or would have to be assumed.
            KnowledgeBaseError: Together the facts contradict the theory, or the proof of a lemma or learned
                rule excludes the assumption.
        """
        if not isinstance(facts, FactColumns):
            self._change(add=self._given(facts, assume))
        elif not self._state.add_columns(facts):
            self._change(add=self._given(facts, assume))
            if self._state.store is not None:
                self._state.store.note_places(facts)

    @exclusive
    def retract(self, facts: Iterable[GroundFact]) -> None:
        """Retract given facts. Facts that are not given, such as derived ones, are ignored.

        Raises:
            KnowledgeBaseError: Learned rules may depend on a fact, because it is a static fact of the theory.
            FactError: A fact does not fit its declaration.
        """
        self._change(retract=self._state.encoder.coded(facts))

    @exclusive
    def add_text(self, text: str, file: str = "<added>") -> None:
        """Add facts and rules written in the language, all or none.

        Raises:
            TheoryError: A clause does not fit the theory.
            KnowledgeBaseError: The clauses contradict the theory, or an added rule may invalidate the proof
                of a learned rule.
        """
        added = self.read_clauses(text, file)
        self._change(add=self._given(added.facts, ()), rules=added.rules)

    @exclusive
    def read_clauses(self, text: str, file: str = "<added>") -> Clauses:
        """Return the facts and rules of a text, checked against the existing rules, without adding them.

        Raises:
            TheoryError: A clause does not fit the theory.
        """
        parsed = parse(text, file)
        clauses = [clause for clause in parsed.clauses if isinstance(clause, Rule)]
        others = [clause for clause in parsed.clauses if not isinstance(clause, Rule)]
        found = [
            *parsed.diagnostics,
            *self._diagnostics_of(clauses),
            *(error("HB042", "only facts and rules can be added here", c.span) for c in others),
        ]
        if any(d.severity == "error" for d in found):
            raise TheoryError((d for d in found if d.severity == "error"), {file: text})
        return Clauses(
            tuple(rule.head for rule in clauses if rule.is_fact),
            tuple(rule for rule in clauses if not rule.is_fact),
            tuple(in_order(found)),
        )

    @exclusive
    def exchange(
        self,
        retract: Iterable[GroundFact],
        add: Iterable[GroundFact],
        *,
        assume: Collection[str] = (),
        rules: Sequence[Rule] = (),
        drop_rules: int = 0,
    ) -> None:
        """Retract some given facts and add others in one step.

        `rules` are added with them, or the last `drop_rules` rules are removed. Learned rules are checked as
        by `add_rules`, and others as by `add_text`; a rule that does not fit raises as it does there. Raises
        ValueError if more rules would be removed than were added to the theory's.
        """
        added = len(self.rules) - len(self.theory.rules)
        if not 0 <= drop_rules <= added or (rules and drop_rules):
            raise ValueError(
                f"{drop_rules} rules cannot be dropped: {added} were added, and no rule is added at"
                " the same time"
            )
        self._require_proofs_of_this_theory([rule for rule in rules if rule.learned])
        self._require_valid_rules([rule for rule in rules if not rule.learned])
        new, old = self._given(add, assume), self._state.encoder.coded(retract)
        self._change(add=new, retract=old, rules=rules, drop_rules=drop_rules)

    @exclusive
    def add_rules(self, rules: Sequence[Rule]) -> None:
        """Add learned rules of this theory, all or none, such as `read_rules(…).certified`. Proofs mark them
        as learned.

        Plans are left out, because no query can contain one. Certificates are not checked here: `read_rules`
        checks them.

        Raises:
            KnowledgeBaseError: A rule has no accepted certificate, or was learned or read with a theory of
                other content. Or the knowledge base has changed since: a static fact of the theory was
                retracted, or an added rule or an assumed fact may invalidate a proof.
        """
        wrong = next((rule for rule in rules if not rule.learned), None)
        if wrong is not None:
            raise KnowledgeBaseError(
                f"the rule `{wrong.name}` has no certificate that was accepted; add the rules of"
                " `read_rules(…).certified`, or a rule of your own by `add_text`"
            )
        self._require_proofs_of_this_theory(rules)
        # No query can ask for a plan.
        self._change(rules=[rule for rule in rules if not isinstance(rule.head, PlanStatement)])

    @exclusive
    def push(self) -> None:
        """Save the present facts, so that `pop` can restore them.

        With `engine="demand"`, the first call derives all facts and raises KnowledgeBaseError as `add` does.
        Rules that do not terminate without more facts keep waiting, also after `pop`.
        """
        self._state.push()

    @exclusive
    def pop(self) -> None:
        """Restore the facts of the latest `push`. Raises MarkError if there is none."""
        self._state.pop()

    # Queries

    @renamed_parameters
    def query(
        self,
        text: str,
        *,
        parameters: Mapping[str, str | int] | None = None,
        engine: QueryEngine = "matcher",
        max_answers: int | None = None,
    ) -> Answers:
        """Return the answers to `conditions`. A fluent without a tense holds before the action.

        Args:
            text: The conditions. `$` and a name refer to a parameter.
            parameters: The values of the parameters: words or integers, which are never parsed as text of the
                language.
            engine: With "pydatalog", the query is evaluated by pyDatalog, goal by goal. This is an
                independent second opinion for the supported part of the language (extra `pydatalog`).
                Evaluation need not terminate, so it is stopped after a minute unless another limit is set.
            max_answers: The maximum number of answers.

        Raises:
            TheoryError: The query does not fit the theory.
            TooManyAnswersError: There are more than `max_answers` answers.
            UnsupportedError: pyDatalog cannot evaluate the query.
        """
        if engine == "matcher":
            return self._engine.query(self._engine.coded_queries(text, parameters), max_answers=max_answers)
        queries = self._engine.parse_queries(text, parameters)
        if engine not in (engines := get_args(QueryEngine)):
            raise ValueError(f"there is no engine {engine!r} for queries; they are {' and '.join(engines)}")
        return united([self._ask_pydatalog(query, max_answers) for query in queries], max_answers)

    @renamed_parameters
    @exclusive
    def query_table(
        self,
        text: str,
        *,
        parameters: Mapping[str, str | int] | None = None,
        max_answers: int | None = None,
    ) -> pyarrow.Table:
        """Return the answers of `query` as an Arrow table (extra `data`), built by column, for millions of
        answers.

        A column of words is a dictionary of strings. `to_pandas` converts the table to a data frame, and
        `pyarrow.parquet.write_table` writes it to a file.

        Raises:
            ValueError: The query has no variables.
            MissingExtraError: The extra is not installed.

        Raises as `query` does otherwise.
        """
        queries = self._engine.parse_queries(text, parameters)
        coded = self._state.coding.query(queries[0].conditions)
        if not coded.names:
            raise ValueError("a query without variables has no columns; `query` says yes or no")
        if len(queries) > 1:
            return self._engine.query(queries, max_answers=max_answers).to_arrow()
        return self._arrow(coded, max_answers)

    @exclusive
    def table(self, relation: str, tense: Tense | None = None) -> pyarrow.Table:
        """Return the given and derived facts of a relation as a sorted Arrow table (extra `data`).

        A fluent without a tense holds before the action. Columns are named after their sorts, with a number
        if a sort repeats (`person_1`, `person_2`). A column of words is a dictionary of strings. A relation
        without columns has a column `holds`, with a row `yes` if it holds. `to_pandas` converts the table to
        a data frame, `polars.from_arrow` to one of Polars.

        Raises:
            FactError: There is no such relation.
            MissingExtraError: The extra is not installed.
        """
        from hornbook.kb.tables.column_names import HOLDS, YES, column_names  # noqa: PLC0415 - slow to import

        arrow = extra_module("pyarrow", "data")
        shape = self._state.coding.relations[self._state.number(relation, tense)]
        names = column_names(shape.sorts)
        pattern = shape.template.with_terms(tuple(map(Variable, names)))
        coded = self._state.coding.query((pattern,))
        if names:
            return self._arrow(coded, None)
        rows: list[str] = [YES] * len(self._engine.query(coded))
        return arrow.table({HOLDS: arrow.array(rows, arrow.string())})

    def add_table(
        self,
        predicate: str,
        table: Any,
        *,
        columns: Sequence[str] | None = None,
        skip_bad: bool = False,
        table_format: TableFormat | None = None,
    ) -> TableFacts:
        """Add the facts of a table in memory, all or none.

        A table is a pandas or Polars data frame, an Arrow table or any object with an Arrow stream, an
        executed cursor, or plain rows. `columns` selects columns of the table, in the order of the
        predicate's; see `read_rows`. `table_format` says how texts write numbers and dates.

        Returns:
            The facts, and the report of `read_rows` on the other rows.

        Raises:
            TableError: The table does not fit the predicate.

        Raises as `add` does otherwise.
        """
        from hornbook.kb.tables.readers.table_format import ISO  # noqa: PLC0415 - slow to import
        from hornbook.kb.tables.tables import read_rows  # noqa: PLC0415 - the same

        found = read_rows(
            table,
            predicate,
            self.theory.vocabulary,
            columns=columns,
            skip_bad=skip_bad,
            table_format=table_format or ISO,
        )
        self.add(found.facts)
        return found

    def _arrow(self, coded: CodedQuery, max_answers: int | None) -> pyarrow.Table:
        """Return the answers to a query with variables as an Arrow table."""
        for module in ("numpy", "pyarrow"):
            extra_module(module, "data")
        if not self._state.engine.capabilities.columns:
            return self._engine.query(coded, max_answers=max_answers).to_arrow()
        columns = self._state.answer_columns(coded)
        if max_answers is not None and len(columns[0]) > max_answers:
            raise TooManyAnswersError(max_answers)
        words = [None if kind == "integer" else self._state.coding.word for kind in coded.kinds]
        return arrow_table(coded.names, columns, words, coded.mixed, coded.forms)

    def _ask_pydatalog(self, query: Query, max_answers: int | None) -> Answers:
        from hornbook.kb.pydatalog.engine import SECONDS, answer  # noqa: PLC0415 - few ask for it

        # The current rules and facts may differ from those of the theory.
        theory = replace(self.theory, rules=tuple(self.rules), facts=())
        try:
            rows = answer(theory, self.given(), query, seconds=self._limits.seconds or SECONDS)
        except EngineError as problem:
            raise self._state.described(problem) from problem
        if max_answers is not None and len(rows) > max_answers:
            raise TooManyAnswersError(max_answers)
        coded = self._state.coding.query(query.conditions)
        if coded.forms is not None:
            rows = [values_with_forms(row, coded.forms) for row in rows]
        return Answers(coded.names, tuple(rows), coded.mixed)

    def warnings(self, text: str) -> list[Diagnostic]:
        """Return the warnings about a query, for any values of its parameters. Raises TheoryError if it
        cannot be parsed.
        """
        found = self._engine.open_query(text).diagnostics
        return list(dict.fromkeys(diagnostic for diagnostic in found if diagnostic.severity == "warning"))

    @exclusive
    def why(self, text: str, *, parameters: Mapping[str, str | int] | None = None) -> Proof:
        """Return the proof of a fact, or of the first answer to a pattern such as `legal(black, ?p)`.

        Facts of the theory have a source line. `Proof.located` adds the sources of other facts. `parameters`
        are the same as for `query`.

        Raises:
            NotDerivedError: No instance of the pattern holds.
            TheoryError: The text does not fit the theory.
        """
        return self._engine.prove(self._engine.parse_statement(text, parameters))

    @exclusive
    def why_not(
        self,
        text: str,
        *,
        parameters: Mapping[str, str | int] | None = None,
        depth: int = 3,
        sets: int = 5,
    ) -> WhyNot:
        """Explain for each rule for a fact how many of its conditions could be satisfied, and which failed
        first. List at most `sets` sets of changes of given facts that would suffice, the smallest first.

        Failing conditions on derived relations are explained recursively to `depth`, at most 100 in all.
        Every set is tried: with its changes, the fact follows. `parameters` are the same as for `query`.

        Raises:
            TheoryError: The text does not fit the theory.
            KnowledgeBaseError: The explanation takes more seconds than the limit.
        """
        from hornbook.kb.explain.abduction.sufficient_changes import (  # noqa: PLC0415 - slow to import
            sufficient_changes,
        )
        from hornbook.kb.explain.why_not import explain_absence  # noqa: PLC0415 - the same
        from hornbook.kb.lower.budget import Budget, SpentError  # noqa: PLC0415 - the same

        try:
            goal, budget = (
                self._engine.parse_statement(text, parameters),
                Budget(seconds=self._limits.seconds),
            )
            found = explain_absence(goal, self._engine, depth, budget)
            if found.holds or not sets:
                return found
            concluded = {rule.head.relation for rule in self.rules}
            changes = sufficient_changes(
                goal,
                self._copy_on_demand(self.theory),
                lambda: self._copy_on_demand(self.theory.without_keys_of(concluded)),
                sets,
                budget,
            )
            return replace(found, sufficient=changes).with_sources([self.theory.facts])
        except SpentError as problem:
            raise KnowledgeBaseError(
                f"{problem}; raise the limit ({SECONDS}), or explain less deep (`--depth`)"
            ) from problem

    def _copy_on_demand(self, theory: Theory) -> KnowledgeBase:
        """Return a knowledge base with the same facts and hand-written rules, for changes that this one does
        not see. It derives facts on demand. The theory differs from this one's in its keys at most.
        """
        copy = KnowledgeBase(theory, limits=self._limits, engine="demand")
        coding, given = copy._state.coding, self.given()
        missing = set(copy.given()).difference(given)
        own = [rule for rule in self.rules[len(self.theory.rules) :] if not rule.learned]
        copy._change(add=tuple(map(coding.fact, given)), retract=tuple(map(coding.fact, missing)), rules=own)
        copy._state.gives_reasons = False
        return copy

    @exclusive
    def holds(self, fact: Statement | GroundFact) -> bool:
        """Return whether a ground statement or fact is given or derived."""
        return self._state.holds(self._state.encode(fact))

    @exclusive
    def facts(self, relation: str | None = None, tense: Tense | None = None) -> Iterator[GroundFact]:
        """Return all given and derived facts that hold now, of one relation or of all, sorted."""
        coding = self._state.coding
        numbers = [
            number
            for number, shape in enumerate(coding.relations)
            if relation in (None, shape.template.relation) and tense in (None, shape.template.tense)
        ]
        ground, found = coding.ground, self._state.rows_of(numbers)
        return (
            fact
            for number, rows in found.items()
            for fact in sorted_rows(ground(Fact(number, row)) for row in rows)
        )

    @exclusive
    def given(self) -> list[GroundFact]:
        """Return the given facts, including those of the theory, sorted by relation."""
        return list(map(self._state.coding.ground, sorted(self._state.given())))

    def relations(self) -> Iterator[Statement]:
        """Return a statement with variables for every relation at every moment."""
        return (relation.template for relation in self._state.coding.relations)

    @exclusive
    def statistics(self) -> Statistics:
        """Return the number of facts of each relation; an empty mapping if the engine counts none."""
        return self._state.evaluated_engine.statistics()

    # Internal methods

    def _require_proofs_of_this_theory(self, rules: Sequence[Rule]) -> None:
        """Raise KnowledgeBaseError for a learned rule that was not proved from this theory."""
        if not rules:
            return
        valid = (theory_digest(self.theory), digest_without_invented(self.theory))
        other = next((rule for rule in rules if rule.proved_of not in valid), None)
        if other is not None:
            source = "a theory that is not known" if other.proved_of is None else "another theory"
            raise KnowledgeBaseError(
                f"the rule `{other.name}` is proved of {source}, and not of `{self.theory.name}` as it is"
                " here; read it with this theory, `read_rules(…, base.theory).certified`"
            )

    def _require_valid_rules(self, rules: Sequence[Rule]) -> None:
        """Raise TheoryError for a rule that does not fit this theory."""
        found = [d for d in self._diagnostics_of(rules) if d.severity == "error"] if rules else []
        if found:
            raise TheoryError(found, {})

    def _diagnostics_of(self, clauses: Sequence[Rule]) -> list[Diagnostic]:
        """Return the errors and warnings of facts and rules, checked against the present rules."""
        from hornbook.kb.check.clauses.facts import check_concluded  # noqa: PLC0415 - slow to import
        from hornbook.kb.check.program.existing_rules import ExistingRules  # noqa: PLC0415 - the same
        from hornbook.kb.check.theory_checks import check_rules  # noqa: PLC0415 - the same

        if self._existing_rules is None:
            self._existing_rules = ExistingRules(self.theory.vocabulary)
        self._existing_rules.add(self.rules[len(self._existing_rules) :])
        return [
            *check_rules(clauses, self.theory.vocabulary, self._existing_rules),
            *check_concluded(clauses, self.theory.vocabulary),
            *(
                error(
                    "HB067",
                    "a plan is proved, and not stated",
                    c.span,
                    "leave it to `hornbook rules learn-plans`",
                )
                for c in clauses
                if isinstance(c.head, PlanStatement)
            ),
            *self._stated_elsewhere(clauses),
        ]

    def _stated_elsewhere(self, clauses: Sequence[Rule]) -> Iterator[Diagnostic]:
        """Yield HB078 for each rule that states where an exception of the theory applies."""
        from hornbook.kb.desugar.exceptions import stated_elsewhere  # noqa: PLC0415 - slow to import

        for clause in clauses:
            predicate = self.theory.vocabulary.predicates.get(predicate_of(clause.head))
            if predicate is not None and predicate.exception is not None and not clause.is_fact:
                yield stated_elsewhere(predicate.exception, clause)

    def _change(
        self,
        *,
        add: Sequence[Fact] = (),
        retract: Sequence[Fact] = (),
        rules: Sequence[Rule] = (),
        packed: PackedRules | None = None,
        drop_rules: int = 0,
        supposed: bool = False,
    ) -> None:
        """Change facts and rules. `packed` are the rules in packed form, if they are ready learned rules."""
        existing = self._state.rules
        first = len(existing) - drop_rules
        learned = self._learned
        if rules or drop_rules:
            learned += len(rules) if packed else sum(r.learned for r in rules)
            learned -= sum(r.learned for r in existing[first:])
        if learned or self._lemmas:
            changed = (
                self._missing_static_facts(add, retract, learned),
                self._foreign_rules(first, rules, learned),
                self._assumed_facts(() if supposed else add, retract, learned),
            )
            # Most changes only change the state, and there may be many learned rules.
            if any(changed):
                there = (rule for rule in [*existing[:first], *rules] if rule.learned) if learned else ()
                refuse_another_theory(self.theory, *changed, [*self._lemmas, *there])
        if packed:
            self._state.add_packed(rules, packed)
        else:
            self._state.update(add=add, retract=retract, rules=rules, drop_rules=drop_rules)
        self._learned = learned
        if drop_rules and self._existing_rules is not None:
            self._existing_rules.cut(first)

    def _missing_static_facts(
        self, add: Sequence[Fact], retract: Sequence[Fact], learned: int
    ) -> list[Statement]:
        """Return the static facts of the theory that are missing after this change.

        With the first learned rules, this includes facts that were retracted earlier. `learned` is the number
        of learned rules after the change.
        """
        fixed = self._state.encoder.fixed
        missing = [fact for fact in retract if fact in fixed]
        if learned and not self._learned:
            added = frozenset(add)
            missing += [fact for fact in fixed if fact not in self._state.engine and fact not in added]
        return list(map(self._state.coding.statement, missing))

    def _assumed_facts(self, add: Sequence[Fact], retract: Sequence[Fact], learned: int) -> list[Statement]:
        """Return the facts that are assumed by this change. With the first learned rules, earlier assumptions
        count too.
        """
        encoder, given = self._state.encoder, self._state.engine.given
        can_be, stated = encoder.can_be_assumed, encoder.stated
        found = [fact for fact in add if fact.predicate in can_be]
        if learned and not self._learned:
            there = (Fact(number, cells) for number in can_be for cells in given(number))
            removed = frozenset(retract)
            found += [fact for fact in there if fact not in removed]
        return [self._state.coding.statement(fact) for fact in found if fact not in stated]

    def _foreign_rules(self, first: int, rules: Sequence[Rule], learned: int) -> list[Rule]:
        """Return the rules besides those of the theory and the learned ones. `learned` is the number of
        learned rules.
        """
        own = len(self.theory.rules)
        if first + len(rules) - learned <= own:
            return []
        return [rule for rule in [*self.rules[own:first], *rules] if not rule.learned]

    def _given(self, facts: Iterable[GroundFact], assume: Collection[str]) -> tuple[Fact, ...]:
        """Return the coded facts. Raises FactError if they may neither be given nor assumed."""
        store = self._state.store
        is_stored = store is not None and not store.marks
        return self._state.encoder.given(facts, assume, is_stored=is_stored)
