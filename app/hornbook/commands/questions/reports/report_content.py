"""The content of a report: for each subject its answers, as sentences, with the facts and rules behind them.

A template sees only these objects, whose fields are texts and lists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Absent, Atom, Constant, Statement
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.descriptions import Words
from hornbook.kb.explain.fact_places import FactSource
from hornbook.kb.explain.proof import Proof
from hornbook.kb.format.printer import print_condition
from hornbook.kb.parse.syntax import Query
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class CitedFact:
    """A given fact as a sentence, with its file and row, or an empty text."""

    text: str
    place: str


@dataclass(frozen=True, slots=True)
class CitedRule:
    """A rule: its label as words, and its file and line."""

    text: str
    place: str


@dataclass(frozen=True, slots=True)
class ReportSentence:
    """A conclusion: as a sentence, in the language, and with what it follows from.

    `absences` are the conditions that do not hold, and `exceptions` the exceptions that do not apply. `proof`
    is the text of the proof, or empty if proofs were not requested.
    """

    text: str
    fact: str
    rules: list[CitedRule]
    facts: list[CitedFact]
    absences: list[str]
    exceptions: list[CitedRule]
    proof: str


@dataclass(frozen=True, slots=True)
class ReportAnswer:
    """One answer: its values in the order of the columns, and a sentence for each statement of the query."""

    values: list[str]
    sentences: list[ReportSentence]


@dataclass(frozen=True, slots=True)
class ReportSubject:
    """A value of the first column, with its answers."""

    name: str
    answers: list[ReportAnswer]


@dataclass(frozen=True, slots=True)
class Report:
    """A report: the query, its columns, and the subjects in the order of the answers."""

    title: str
    theory: str
    query: str
    columns: list[str]
    subjects: list[ReportSubject]


def report_of(
    base: KnowledgeBase,
    queries: Sequence[Query],
    columns: Sequence[str],
    rows: Sequence[Sequence[str | int]],
    sources: Sequence[FactSource],
    shown: Callable[[Constant], str],
    *,
    title: str,
    query: str,
    has_proofs: bool,
) -> Report:
    """Return the report of answers, whose first column is the subject."""
    words = Words(base.theory.vocabulary.predicates, shown)
    places = {rule.label: rule.span.place for rule in base.rules if rule.label is not None}
    subjects: dict[str | int, ReportSubject] = {}
    for row in rows:
        bound = {name: Constant(value) for name, value in zip(columns, row, strict=True)}
        statements = [
            apply_to_statement(condition, bound)
            for each in queries
            for condition in each.conditions
            if isinstance(condition, Statement)
        ]
        sentences = [
            _sentence(base.engine.prove(each).with_sources(sources), words, places, has_proof=has_proofs)
            for each in dict.fromkeys(statements)
            if base.query(print_condition(each), max_answers=None).rows
        ]
        subject = subjects.setdefault(row[0], ReportSubject(shown(Constant(row[0])), []))
        subject.answers.append(ReportAnswer([shown(each) for each in bound.values()], sentences))
    return Report(title, base.theory.name, query, list(columns), list(subjects.values()))


def _sentence(proof: Proof, words: Words, places: Mapping[str, str], *, has_proof: bool) -> ReportSentence:
    """Return the sentence of a proof. `places` are the files and lines of rules by their labels."""
    proof = proof.with_descriptions(words)
    rules = dict.fromkeys(step.rule for step in reversed(proof.steps) if step.rule is not None)
    absent = dict.fromkeys(
        reason.condition
        for step in proof.steps
        for reason in step.reasons
        if isinstance(reason.condition, Absent)
    )
    exceptions = {each: label for each in absent if (label := _exception(each, words)) is not None}
    return ReportSentence(
        words.say(proof.goal),
        print_condition(proof.goal),
        [_cited(rule.name, rule.span.place) for rule in rules],
        [CitedFact(step.says, step.place or "") for step in proof.steps if step.rule is None],
        [words.of_absence(each) for each in absent if each not in exceptions],
        [_cited(label, places.get(label, "")) for label in dict.fromkeys(exceptions.values())],
        proof.to_text() if has_proof else "",
    )


def _cited(label: str, place: str) -> CitedRule:
    return CitedRule(label.replace("_", " ").capitalize(), place)


def _exception(absent: Absent, words: Words) -> str | None:
    """Return the label of the exception that does not apply, or None if another condition is absent."""
    match absent.conditions:
        case (Atom(predicate),):
            return words.predicates[predicate].exception
    return None
