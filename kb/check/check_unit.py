"""The check unit: the clauses of one file by kind, and the names that they may refer to.

The vocabulary covers the file and its imports. The clauses are those of the file alone. Rules, cases of
frames or replies, and queries are all conjunctions over a vocabulary. Each is prepared once, as a
`PreparedClause`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Literal

from hornbook.kb.ast.declarations import Clause, Example, Expect, Frame, Predicate, Replies, Sort, TheoryName
from hornbook.kb.ast.terms import Atom, Condition, Rule, Span, Statement, statements
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check.broken import NOTHING_BROKEN, BrokenClauses, broken_clauses
from hornbook.kb.check.persisting import NOTHING_PERSISTS, Persisting, persisting
from hornbook.kb.check.scopes import VariableScope, outermost
from hornbook.kb.check.units import NAMELESS
from hornbook.kb.parse.syntax import ParsedFile, Query
from hornbook.kb.text.literals.forms import Form
from hornbook.matcher.program.dataclass import dataclass

Purpose = Literal["rule", "frame", "replies", "query"]


@dataclass(frozen=True, slots=True)
class PreparedClause:
    """A prepared conjunction: its scopes, and all its statements, including those inside `all` and `absent`.

    - `head`: The head of a rule, the fluent of a frame, the game of replies, or None for a query.
    - `absence_allowed`: Whether the conjunction may contain absences, aggregates and meta predicates.
    """

    purpose: Purpose
    head: Statement | None
    body: tuple[Condition, ...]
    scope: VariableScope
    statements: tuple[Statement, ...]
    rule: Rule | None = None
    absence_allowed: bool = False

    def everything(self) -> Iterator[Statement]:
        """Yield the head and the statements of the body."""
        if self.head is not None:
            yield self.head
        yield from self.statements


@dataclass(frozen=True, slots=True)
class CheckUnit:
    """The checked clauses and their surroundings."""

    vocabulary: Vocabulary
    counters: dict[str, tuple[Predicate, ...]]
    """The predicates that are declared to count all of a set, by the name of the set."""
    constants: dict[str, frozenset[str]]
    """The constants of each enumerated sort."""
    theory_names: tuple[TheoryName, ...] = ()
    first_clause: Clause | None = None
    sorts: tuple[Sort, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    frames: tuple[tuple[Frame, tuple[PreparedClause, ...]], ...] = ()
    replies: tuple[tuple[Replies, tuple[PreparedClause, ...]], ...] = ()
    facts: tuple[Rule, ...] = ()
    rules: tuple[PreparedClause, ...] = ()
    """The core rules. The alternatives of a rule with `or` follow each other, with the span of the rule."""
    examples: tuple[Example, ...] = ()
    expects: tuple[tuple[Expect, PreparedClause], ...] = ()
    queries: tuple[PreparedClause, ...] = ()
    imported: tuple[Clause, ...] = ()
    """The clauses of all imports."""
    persisting: Persisting = NOTHING_PERSISTS
    """The rules of the `persists` clauses, including those of imports."""
    is_state: bool = False
    """Whether the facts belong to a given state and not to a theory."""
    labels: Mapping[str, Span] = field(default_factory=dict)
    """The labels of existing rules that are not among the clauses."""
    broken: BrokenClauses = NOTHING_BROKEN
    """The names in clauses with syntax errors."""

    def with_rules(self, rules: Iterable[PreparedClause]) -> CheckUnit:
        """Return the unit with other rules."""
        return replace(self, rules=tuple(rules))

    def prepared_clauses(self) -> Iterator[PreparedClause]:
        """Yield every conjunction of the unit."""
        yield from self.rules
        for _, cases in self.frames:
            yield from cases
        for _, cases in self.replies:
            yield from cases
        for _, prepared in self.expects:
            yield prepared
        yield from self.queries

    def statements(self) -> Iterator[Statement]:
        """Yield every statement of the unit. A frame's fluent or the game of replies occurs once for all
        cases.
        """
        for fact in self.facts:
            yield fact.head
        for prepared in self.rules:
            yield from prepared.everything()
        for frame, cases in self.frames:
            yield frame.fluent
            for prepared in cases:
                yield from prepared.statements
        for replies, cases in self.replies:
            yield replies.game
            for prepared in cases:
                yield from prepared.statements
        for example in self.examples:
            yield from example.statements
        for _, prepared in self.expects:
            yield from prepared.statements
        for prepared in self.queries:
            yield from prepared.statements

    def concluded_of_a_state(self) -> frozenset[str]:
        """Return the predicates and games that rules conclude, not only after an action, including imported
        rules.
        """
        imported = (clause for clause in self.imported if isinstance(clause, Rule) and not clause.is_fact)
        own = (prepared.rule for prepared in self.rules if prepared.rule is not None)
        return frozenset(
            named(rule.head).predicate for rule in (*imported, *own) if rule.head.tense != "after"
        )

    def predicate(self, name: str) -> Predicate | None:
        return self.vocabulary.predicates.get(name)

    def fits(self, atom: Atom) -> Predicate | None:
        """Return the atom's predicate if it is declared with the same number of columns."""
        predicate = self.vocabulary.predicates.get(atom.predicate)
        return predicate if predicate is not None and len(predicate.columns) == len(atom.arguments) else None

    def is_integer(self, sort: str) -> bool:
        known = self.vocabulary.sorts.get(sort)
        return known.kind == "integer" if known is not None else sort in NAMELESS

    def form(self, sort: str) -> Form | None:
        """Return the form of the integers of a sort: dates, times or decimal numbers."""
        known = self.vocabulary.sorts.get(sort)
        return NAMELESS.get(sort) if known is None else known.form

    def is_mixed(self, sort: str) -> bool:
        """Return whether a sort has words and integers."""
        known = self.vocabulary.sorts.get(sort)
        return known is not None and known.kind == "mixed"


def parts(statement: Statement) -> tuple[Atom, ...]:
    """Return the atoms of a statement: itself, or its game and its action."""
    if isinstance(statement, Atom):
        return (statement,)
    return (statement.game,) if statement.by is None else (statement.game, statement.by)


def named(statement: Statement) -> Atom:
    """Return the atom that a statement is about: itself, or its game."""
    return parts(statement)[0]


def first_word(span: Span, word: str) -> Span:
    """Return the position of the word at the beginning of a span."""
    return Span(span.file, span.line, span.column, span.line, span.column + len(word))


def prepare_rule(rule: Rule) -> PreparedClause:
    scope = outermost(rule.body, [rule.head])
    return PreparedClause(
        "rule", rule.head, rule.body, scope, tuple(statements(rule.body)), rule, absence_allowed=True
    )


def prepare_query(conditions: tuple[Condition, ...]) -> PreparedClause:
    read = tuple(statements(conditions))
    return PreparedClause("query", None, conditions, outermost(conditions), read, absence_allowed=True)


def answer_variables(conditions: tuple[Condition, ...]) -> tuple[str, ...]:
    """Return the variables of an answer to a query: the non-local ones that are written in it, in order of
    appearance.
    """
    own = outermost(conditions).own
    return tuple(name for name, places in own.items() if places[0].calculation is None)


def _prepare_frame(frame: Frame) -> tuple[Frame, tuple[PreparedClause, ...]]:
    cases = (
        PreparedClause("frame", frame.fluent, case, outermost(case, [frame.fluent]), tuple(statements(case)))
        for case in frame.cases
    )
    return frame, tuple(cases)


def _prepare_replies(replies: Replies) -> tuple[Replies, tuple[PreparedClause, ...]]:
    """Return each case with its action and its `unless` among the conditions. All of them share their
    variables.
    """
    cases = []
    for case in replies.cases:
        body = (case.action, *case.conditions, *(() if case.unless is None else (case.unless,)))
        scope = outermost(body, [replies.game])
        cases.append(PreparedClause("replies", replies.game, body, scope, tuple(statements(body))))
    return replies, tuple(cases)


def empty_unit(vocabulary: Vocabulary) -> CheckUnit:
    """Return a unit without clauses."""
    constants = {
        sort.name: frozenset(sort.constants)
        for sort in vocabulary.sorts.values()
        if sort.kind == "enumerated"
    }
    counters: dict[str, tuple[Predicate, ...]] = {}
    for predicate in vocabulary.predicates.values():
        if predicate.closes is not None:
            counters[predicate.closes] = (*counters.get(predicate.closes, ()), predicate)
    return CheckUnit(vocabulary, counters, constants)


def prepare_rules(rules: Iterable[Rule]) -> tuple[PreparedClause, ...]:
    return tuple(map(prepare_rule, rules))


def unit_of_file(
    file: ParsedFile,
    imports: Sequence[ParsedFile],
    vocabulary: Vocabulary,
    read: Callable[[Sequence[Rule]], tuple[PreparedClause, ...]] = prepare_rules,
) -> CheckUnit:
    """Return the unit of a file with its imports. `read` prepares its rules."""
    around = empty_unit(vocabulary)
    clauses = file.clauses
    rules = [clause for clause in clauses if isinstance(clause, Rule)]
    expects = (clause for clause in clauses if isinstance(clause, Expect))
    return CheckUnit(
        vocabulary,
        around.counters,
        around.constants,
        theory_names=tuple(clause for clause in clauses if isinstance(clause, TheoryName)),
        first_clause=clauses[0] if clauses else None,
        sorts=tuple(clause for clause in clauses if isinstance(clause, Sort)),
        predicates=tuple(clause for clause in clauses if isinstance(clause, Predicate)),
        frames=tuple(_prepare_frame(clause) for clause in clauses if isinstance(clause, Frame)),
        replies=tuple(_prepare_replies(clause) for clause in clauses if isinstance(clause, Replies)),
        facts=tuple(rule for rule in rules if rule.is_fact),
        rules=read([rule for rule in rules if not rule.is_fact]),
        examples=tuple(clause for clause in clauses if isinstance(clause, Example)),
        expects=tuple((clause, prepare_query(clause.conditions)) for clause in expects),
        imported=tuple(clause for other in imports for clause in other.clauses),
        persisting=persisting(
            [clause for each in (*imports, file) for clause in each.clauses if isinstance(clause, Frame)],
            vocabulary,
        ),
        broken=broken_clauses(file),
    )


def unit_of_rules(rules: Iterable[Rule], vocabulary: Vocabulary, labels: Mapping[str, Span]) -> CheckUnit:
    """Return the unit of facts and rules that are added to a theory, with the labels of the existing
    rules.
    """
    around = empty_unit(vocabulary)
    rules = tuple(rules)
    return CheckUnit(
        vocabulary,
        around.counters,
        around.constants,
        facts=tuple(rule for rule in rules if rule.is_fact),
        rules=prepare_rules(rule for rule in rules if not rule.is_fact),
        labels=labels,
        is_state=True,
    )


def unit_of_query(query: Query, vocabulary: Vocabulary) -> CheckUnit:
    around = empty_unit(vocabulary)
    return CheckUnit(
        vocabulary, around.counters, around.constants, queries=(prepare_query(query.conditions),)
    )
