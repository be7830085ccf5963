"""All facts that rules derive in each state of a table."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.compiler.match.only_rules import learned_rules_theory
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule, Tense
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.coding import Relation
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.tables.arrow_arrays import column_type, word_array
from hornbook.kb.tables.column_names import column_names
from hornbook.kb.tables.stored_tables import stored_table
from hornbook.kb.tables.table_values import mixed_text
from hornbook.kb.tables.tables import TableError
from hornbook.kb.tables.written_tables import table_name
from hornbook.kb.text.literals.values import python_value
from hornbook.matcher.program.coded import Limits, PredicateId
from hornbook.matcher.program.dataclass import dataclass
from hornbook.spread.state_texts import StateTexts
from hornbook.spread.states import STATE, must_be_text

if TYPE_CHECKING:
    import pyarrow

NUMBER = "state_number"
"""The column with the number of the state, from 0."""
_PART = 20_000
"""The number of states that are evaluated at once, which bounds the memory."""


@dataclass(frozen=True, slots=True)
class DerivedFacts:
    """The facts that rules derive in many states.

    Attributes:
        tables: For each relation that rules conclude an Arrow table, by its name; that of a fluent after the
            action has the name `RELATION.after`. The first column, `state_number`, is the number of the
            state, from 0. The rows are sorted.
        errors: For each state without facts the reason, by its number.
        states: The number of states.
    """

    tables: Mapping[str, pyarrow.Table]
    errors: Mapping[int, str]
    states: int


def evaluate_states(
    theory: Theory | str | Path,
    states: Any,
    *,
    rules: Sequence[Rule] = (),
    only_rules: bool = False,
    limits: Limits | None = None,
) -> DerivedFacts:
    """Return all facts that the rules derive in each of many states (extra `data`).

    Args:
        theory: The theory, or its name or file.
        states: A list of texts, a table with a column `state` (of pandas, Polars or Arrow), or the `Path` of
            a table. A text is read by the theory's adapter. Without an adapter, it is facts in the language.
        rules: Learned rules, such as `read_rules(…).certified`.
        only_rules: Whether the learned rules are evaluated alone. Of the theory's rules, only the definitions
            of state predicates in their conditions are used, and these derive no facts of the result.
        limits: The limits of each state.

    Returns:
        The derived facts, and the errors of states. An error in one state does not affect the others.

    Raises:
        KnowledgeBaseError: A rule was not learned from this theory.
        TableError: The table has no column `state`, or it does not hold text.
    """
    known = theory if isinstance(theory, Theory) else load(theory)
    bounds = limits or Limits()
    base = KnowledgeBase(known, limits=bounds)
    base.add_rules(rules)
    return derived_facts(base, states, bounds, only_rules=only_rules)


def derived_facts(
    base: KnowledgeBase,
    states: Any,
    limits: Limits,
    *,
    only_rules: bool = False,
    relations: Container[str] | None = None,
) -> DerivedFacts:
    """Return what `evaluate_states` does for the present rules and given facts of a knowledge base.

    By default, there is a table for each relation that rules conclude. Otherwise only those of some
    `relations` are returned, named as in `DerivedFacts.tables`.
    """
    names: Container[str] | None = None
    if only_rules:
        learned = [rule for rule in base.rules if rule.learned]
        names = {rule.name for rule in learned}
        single = KnowledgeBase(learned_rules_theory(base.theory, learned), limits=limits)
        single.add(base.given())
        base = single
    concluded = [
        number
        for number in sorted(_concluded(base, names))
        if relations is None or table_name(base.engine.coding.relations[number].template) in relations
    ]
    derivation = _Derivation(base, limits, concluded)
    for batch in state_batches(states):
        derivation.add(batch)
    return derivation.results()


class _Derivation:
    """The derived facts of states, table by table."""

    def __init__(self, base: KnowledgeBase, limits: Limits, relations: Iterable[PredicateId]) -> None:
        self._base, self._coding = base, base.engine.coding
        self._texts = StateTexts(base, limits)
        self._wanted = {
            number: column_names((NUMBER, *self._coding.relations[number].sorts)) for number in relations
        }
        self._tables: dict[PredicateId, list[pyarrow.Table]] = {number: [] for number in self._wanted}
        self._errors: dict[int, str] = {}
        self._states = 0

    def add(self, table: pyarrow.Table) -> None:
        """Evaluate the states of a table, which are numbered after those before."""
        arrow = extra_module("pyarrow", "data")
        states = self._texts.read(table)
        known = self._texts.evaluator.relations(states.facts, self._wanted)
        single = {state: states.ask_single(state, self._single) for state in sorted(known.missing)}
        for number, names in self._wanted.items():
            parts = [known.tables[number]] if number in known.tables else []
            rows = [
                (state, *values)
                for state, found in single.items()
                for values in (found or {}).get(number, ())
            ]
            kinds = ("integer", *self._coding.relations[number].shown_kinds)
            types = list(map(column_type, kinds))
            if rows or not parts:
                columns = zip(*rows, strict=True) if rows else [()] * len(names)
                arrays = [arrow.array(column, kind) for column, kind in zip(columns, types, strict=True)]
                parts.append(arrow.table(arrays, names=list(names)))
            words = arrow.dictionary(arrow.int32(), arrow.string())
            schema = arrow.schema(
                [
                    (name, words if kind == arrow.string() else kind)
                    for name, kind in zip(names, types, strict=True)
                ]
            )
            # A cast imports `pyarrow.compute`, which takes a seventh of the time for ten thousand states.
            whole = arrow.concat_tables([p if p.schema.equals(schema) else p.cast(schema) for p in parts])
            if len(parts) > 1:
                whole = whole.unify_dictionaries().combine_chunks()
                order = extra_module("numpy", "data").argsort(whole.column(0).to_numpy(), kind="stable")
                whole = whole.take(arrow.array(order))
            if self._states:
                first = arrow.array(whole.column(0).to_numpy() + self._states)
                whole = whole.set_column(0, names[0], first)
            self._tables[number].append(whole)
        for state, error in enumerate(states.errors):
            if error is not None:
                self._errors[self._states + state] = error
        self._states += table.num_rows

    def _single(self, facts: tuple[GroundFact, ...]) -> dict[PredicateId, list[tuple[str | int, ...]]]:
        """Return the derived facts of one state."""
        base = self._base
        base.push()
        try:
            with self._texts.budget.bounding():
                base.add(facts)
                return {number: self._rows(self._coding.relations[number]) for number in self._wanted}
        finally:
            base.pop()

    def _rows(self, shape: Relation) -> list[tuple[str | int, ...]]:
        tense: Tense | None = shape.template.tense
        return [
            tuple(
                mixed_text(value) if kind == "mixed" else python_value(value)
                for value, kind in zip(fact.values, shape.columns, strict=True)
            )
            for fact in self._base.facts(shape.template.relation, tense)
        ]

    def results(self) -> DerivedFacts:
        """Return the facts and errors of all states."""
        arrow = extra_module("pyarrow", "data")
        relations = self._coding.relations
        return DerivedFacts(
            {
                table_name(relations[number].template): arrow.concat_tables(tables).unify_dictionaries()
                for number, tables in self._tables.items()
            },
            self._errors,
            self._states,
        )


def _concluded(base: KnowledgeBase, names: Container[str] | None) -> set[PredicateId]:
    """Return the predicates that rules conclude, or only those that rules with some names conclude."""
    return {
        coded.head.predicate
        for index, rule in enumerate(base.rules)
        if names is None or rule.name in names
        for coded in base.engine.coding.rule(index, rule)
    }


def state_batches(states: Any) -> Iterator[pyarrow.Table]:
    """Yield states as tables with a column `state`. At least one table is yielded."""
    arrow = extra_module("pyarrow", "data")
    if isinstance(states, Path):
        stored = stored_table(str(states))
        _must_have_states(stored.schema, stored.source)
        if not stored.rows:
            yield arrow.table([word_array([])], names=[STATE])
        for batch in stored.batches(_PART):
            yield arrow.Table.from_batches([batch]).select([STATE])
        return
    if isinstance(states, Sequence):
        table = arrow.table({STATE: arrow.array(states, arrow.string())})
    else:
        table = arrow.table(states)
    _must_have_states(table.schema, "table")
    table = table.select([STATE])
    for first in range(0, max(1, table.num_rows), _PART):
        yield table.slice(first, _PART)


def _must_have_states(schema: pyarrow.Schema, source: str) -> None:
    if schema.names.count(STATE) != 1:
        raise TableError(source, f"a table of states has one column `{STATE}`")
    must_be_text(schema, [STATE], source)
