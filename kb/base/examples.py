"""A theory's own tests: each example is set up in turn, and its expectations are checked.

An example is a state: facts, a file for the adapter of the theory, or a folder of tables. It may contain an
action, and later actions, each taken in the state after the one before it. Each expectation is a query to the
last state. If an expectation is not met, the report shows the facts that were derived instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from hornbook.kb.ast.declarations import Example, Expect
from hornbook.kb.ast.ordering import sorted_rows
from hornbook.kb.ast.terms import Atom, Condition, Constant, GameStatement, Rule, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.changes.succession import action_of, advance
from hornbook.kb.base.contradictions import contradictions
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.desugar.exceptions import rules_in_text
from hornbook.kb.explain.fact_places import FactsFromPlace, Stated, facts_of_state
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.adapters import reader_of, why_none
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import Query
from hornbook.kb.sources.files import read_text
from hornbook.kb.sources.locate import home
from hornbook.kb.tables.answers import Answers, Row
from hornbook.kb.tables.database_files import has_tables
from hornbook.kb.tables.table_folders import tables_of
from hornbook.kb.tables.tables import file_of, load_table
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one expectation. If it is not met, `why` describes the facts that were
    derived instead.
    """

    expect: Expect
    met: bool
    why: str

    def as_json(self) -> dict[str, Any]:
        return {
            "example": self.expect.example,
            "file": self.expect.span.file,
            "line": self.expect.span.line,
            "expected": ", ".join(print_condition(c) for c in self.expect.conditions),
            "met": self.met,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a run of a theory's tests.

    - `outcomes`: The outcomes in the order of the file.
    - `fired`: The rules with the number of facts that each derived. For an exception that only suspends
      others, it is the number of subjects to which it applies.
    """

    outcomes: tuple[Outcome, ...]
    fired: tuple[tuple[Rule, int], ...]

    @property
    def failed(self) -> tuple[Outcome, ...]:
        return tuple(outcome for outcome in self.outcomes if not outcome.met)


def example_facts(theory: Theory, example: Example, limits: Limits | None = None) -> list[GroundFact]:
    """Return the facts of an example: those of its source, then its own.

    For a sequence of actions, these are the facts of the state before the last action, and that action.
    Raises as `example_states` does.
    """
    return example_sequence(theory, example, limits)[-1]


def example_sequence(
    theory: Theory, example: Example, limits: Limits | None = None
) -> list[list[GroundFact]]:
    """Return the facts of the state before each action of an example, each with the action.

    An example without an action has one state. Raises as `example_states` does.
    """
    if not example.later:
        return [[fact for source in example_sources(theory, example) for fact in _facts(source)]]
    base = KnowledgeBase(theory, derivations="none", limits=limits)
    stated = base.engine.given_among(map(ground_fact, theory.facts))
    return [[f for f in base.given() if f not in stated] for _ in example_states(base, example)]


def example_states(base: KnowledgeBase, example: Example) -> Iterator[list[Stated]]:
    """Add an example to a knowledge base, and then take its later actions one after the other.

    Yields the sources of the state's facts before each action, when the knowledge base has this state and the
    action.

    Raises:
        KnowledgeBaseError: The facts contradict the theory, or an action is impossible. Or an example has an
            invalid source, as for `example_sources`.
        TheoryError: The source cannot be read.
        TableError: A table cannot be read.
    """
    sources = example_sources(base.theory, example)
    base.add([fact for source in sources for fact in _facts(source)])
    yield sources
    for action in example.later:
        shown, place = print_condition(action), action.span.place
        before = action_of(base)
        if before is None:
            raise KnowledgeBaseError(f"no action precedes `{shown}` ({place})")
        try:
            fluents = advance(base, ground_fact(action))
        except KnowledgeBaseError as problem:
            message = f"`{shown}` ({place}) is impossible after `{print_condition(before)}`: {problem}"
            raise KnowledgeBaseError(message) from problem
        # Facts are looked up in the first source that has them.
        sources = [FactsFromPlace(f"after {print_condition(before)}", fluents), *sources, [action]]
        yield sources


def _facts(source: Stated) -> Iterable[GroundFact]:
    facts = source.facts if isinstance(source, FactsFromPlace) else source
    return (each if isinstance(each, GroundFact) else ground_fact(each) for each in facts)


def example_sources(theory: Theory, example: Example) -> list[Stated]:
    """Return the sources of the facts of an example: tables or a state, then its own statements.

    Raises:
        KnowledgeBaseError: The source lies outside of the theory's folder, or no adapter reads it.
        TheoryError: The source cannot be read.
        TableError: A table cannot be read.
    """
    if example.source is None:
        return [example.facts]
    place = f"{example.span}: `{example.source}`"
    folder = home(Path(example.span.file) if theory.path is None else theory.path)
    path = Path(os.path.realpath(folder / example.source))
    if not path.is_relative_to(folder):
        raise KnowledgeBaseError(f"{place} lies outside of the theory's folder")
    if path.is_dir() or has_tables(path):
        return [*_tables(theory, path, folder, place), example.facts]
    reader = reader_of(theory)
    if reader is None:
        raise KnowledgeBaseError(
            f"{place} needs an adapter.py beside the theory{why_none(theory)}, and there is none"
        )
    state = reader.read(read_text(path), path.name)
    return [facts_of_state(str(path), reader, state, theory.vocabulary), example.facts]


def _tables(theory: Theory, path: Path, folder: Path, place: str) -> Iterator[Stated]:
    for spec in tables_of(str(path), theory.vocabulary):
        table = file_of(spec)
        if not Path(os.path.realpath(table)).is_relative_to(folder):
            raise KnowledgeBaseError(f"{place}: `{table.name}` lies outside of the theory's folder")
        yield load_table(spec, theory.vocabulary).facts


def run_examples(
    theory: Theory,
    progress: Callable[[Iterable[Example]], Iterable[Example]] = iter,
    *,
    limits: Limits | None = None,
) -> Report:
    """Run every expectation of a theory, each example within the limits of a knowledge base.

    Raises:
        KnowledgeBaseError: An example contradicts the theory, or the values that the theory gives to a game
            contradict each other.
    """
    if not theory.examples:
        # The facts of the theory may contradict it even without examples.
        KnowledgeBase(theory, limits=limits).engine.check_consistency()
    fired = dict.fromkeys(range(len(theory.rules)), 0)
    outcomes: dict[int, Outcome] = {}
    for example in progress(theory.examples):
        base = KnowledgeBase(theory, limits=limits)
        try:
            for _ in example_states(base, example):
                for contradiction in contradictions(base):
                    raise KnowledgeBaseError(str(contradiction))
                for index, count in base.engine.firings().items():
                    fired[index] += count
        except KnowledgeBaseError as problem:
            raise KnowledgeBaseError(f"{example.span}: example `{example.name}`: {problem}") from problem
        for number, expect in enumerate(theory.expects):
            if expect.example == example.name:
                outcomes[number] = _checked_expectation(expect, base)
    return Report(
        tuple(outcomes[number] for number in sorted(outcomes)),
        tuple((rule, fired[index]) for index, rule in rules_in_text(theory.rules, theory.vocabulary)),
    )


def _checked_expectation(expect: Expect, base: KnowledgeBase) -> Outcome:
    answers = base.engine.query(Query(expect.conditions, expect.span))
    if expect.answers is None:
        return Outcome(expect, bool(answers), "" if answers else _derived_instead(expect.conditions, base))
    expected = {tuple(t.value for t in row if isinstance(t, Constant)) for row in expect.answers}
    found = set(answers.rows)
    if expected == found:
        return Outcome(expect, True, "")
    parts = []
    if expected - found:
        parts.append(f"not derived: {_rows(expected - found)}")
    if found - expected:
        parts.append(f"derived though not expected: {_rows(found - expected)}")
    return Outcome(expect, False, "; ".join(parts))


def _rows(rows: Iterable[Row]) -> str:
    return ", ".join(
        ", ".join(map(str, row)) if len(row) == 1 else f"({', '.join(map(str, row))})"
        for row in sorted_rows(rows)
    )


def _derived_instead(conditions: Sequence[Condition], base: KnowledgeBase) -> str:
    """Return a message about the first statement that is not derived, with its constants generalised from the
    right.
    """
    for condition in conditions:
        if not isinstance(condition, Atom | GameStatement):
            continue
        if base.engine.query(Query((condition,), condition.span)):
            continue
        return f"`{print_condition(condition)}` is not derived; {_nearest(condition, base)}"
    return "the conditions hold one by one, not together"


def _nearest(condition: Atom | GameStatement, base: KnowledgeBase) -> str:
    terms = list(condition.terms)
    for place in range(len(terms) - 1, -1, -1):
        terms[place] = Variable(f"open{place}")
        opened = condition.with_terms(tuple(terms))
        answers: Answers = base.engine.query(Query((opened,), opened.span))
        if answers:
            shown = [_filled(opened, answers, row) for row in answers.rows[:5]]
            more = f" and {len(answers) - 5} more" if len(answers) > 5 else ""
            return f"derived instead: {', '.join(shown)}{more}"
    return "no fact of this relation is derived"


def _filled(opened: Atom | GameStatement, answers: Answers, row: Row) -> str:
    values = dict(zip(answers.variables, row, strict=True))
    terms = tuple(
        Constant(values[t.name]) if isinstance(t, Variable) and t.name in values else t for t in opened.terms
    )
    return f"`{print_condition(opened.with_terms(terms))}`"
