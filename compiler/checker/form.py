"""The canonical form of clauses: JSON that does not depend on position or layout.

Two clauses have the same form exactly if they are equal as syntax trees. Spans, line breaks and quotes are
left out, and wildcards are numbered in order of occurrence. Fingerprints are computed from this form. It is
described in docs/reference/file-formats.md, so that other programs can compute the same fingerprints.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Any

from hornbook.kb.ast.declarations import Predicate, Replies, ReplyCase, Sort
from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    CountIn,
    Expression,
    GameStatement,
    Operation,
    PlanStatement,
    Rule,
    Term,
    Variable,
)

Form = Any
"""Lists, strings, numbers, booleans and null."""


def text_of(form: Form) -> str:
    """Return the text of a form for digests: JSON without spaces and without escaped characters."""
    return json.dumps(form, ensure_ascii=False, separators=(",", ":"))


def digest(form: Form) -> str:
    """Return the fingerprint of a form: the first 16 hexadecimal digits of the SHA-256 of its text."""
    return digest_of_text(text_of(form))


def digest_of_text(text: str) -> str:
    # A word may contain an unpaired surrogate, which UTF-8 cannot encode. It still gets a digest of its own.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@lru_cache(maxsize=20_000)
def text_of_rule(rule: Rule) -> str:
    """Return the canonical text of a rule, including its label."""
    wildcards = _Wildcards()
    head = wildcards.condition(rule.head)
    return text_of(["rule", rule.label, head, [wildcards.condition(c) for c in rule.body]])


def form_of_condition(condition: Condition) -> Form:
    """Return the form of a single condition or fact."""
    return _Wildcards().condition(condition)


def form_of_sort(sort: Sort) -> Form:
    form = [] if sort.form is None else [sort.form.written]
    return ["sort", sort.name, sort.kind, list(sort.constants), *form]


def form_of_predicate(predicate: Predicate) -> Form:
    """Return the form of a declaration.

    It omits properties that cannot affect a proof: whether the predicate is operational or demanded, its
    weight, and the name of its facts.
    """
    counts = None if predicate.counts is None else predicate.counts.name
    exception = None if predicate.but is None else predicate.but.name
    columns = [column.name for column in predicate.columns]
    return [
        "predicate",
        predicate.kind,
        predicate.name,
        columns,
        predicate.key,
        counts,
        exception,
        predicate.observed,
        *(["complete"] if predicate.complete else []),
        *(["stated"] if predicate.stated else []),
        *([predicate.turn] if predicate.turn is not None else []),
    ]


def form_of_replies(replies: Replies) -> Form:
    wildcards = _Wildcards()
    game = wildcards.condition(replies.game)
    return ["replies", game, [_case(case, wildcards) for case in replies.cases]]


def _case(case: ReplyCase, wildcards: _Wildcards) -> Form:
    action = wildcards.condition(case.action)
    conditions = [wildcards.condition(c) for c in case.conditions]
    return [action, conditions, None if case.unless is None else wildcards.condition(case.unless)]


def form_of_term(term: Term) -> str | int:
    """Return the form of a term. Variables keep their mark.

    Words that begin with a mark get a leading quote. A date, time or decimal number is its integer.
    """
    if isinstance(term, Variable):
        return f"?{term.name}"
    value = term.value
    if isinstance(value, str):
        return f"'{value}" if value[:1] in ("?", "'") else value
    return int(value)


def term_of_form(form: str | int) -> Term:
    """Return the term of a form; the inverse of `form_of_term`."""
    if isinstance(form, str):
        return Variable(form[1:]) if form.startswith("?") else Constant(form.removeprefix("'"))
    return Constant(form)


class _Wildcards:
    """A builder for the forms of one clause's parts.

    It numbers wildcards `?_1`, `?_2` … in order of occurrence.
    """

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def condition(self, condition: Condition) -> Form:
        match condition:
            case Atom():
                return ["atom", condition.tense, condition.predicate, self._terms(condition.arguments)]
            case GameStatement():
                game = self.condition(condition.game)
                by = None if condition.by is None else self.condition(condition.by)
                return ["game", game, by, self._term(condition.value)]
            case PlanStatement():
                game, by = self.condition(condition.game), self.condition(condition.by)
                return ["plan", game, condition.moves, by]
            case Comparison():
                left = self._expression(condition.left)
                return ["compare", condition.operator, left, self._expression(condition.right)]
            case All():
                listed, member = self._terms(condition.variables), self.condition(condition.member)
                return ["all", listed, member, self._all(condition.conditions)]
            case CountIn():
                result, listed = self._expression(condition.result), self._terms(condition.variables)
                return ["count", result, listed, self._all(condition.sets), self._terms(condition.excluded)]
            case Aggregate():
                result, listed = self._expression(condition.result), self._terms(condition.variables)
                return ["aggregate", condition.function, result, listed, self._all(condition.conditions)]
            case Absent():
                return ["absent", self._all(condition.conditions)]

    def _all(self, conditions: tuple[Condition, ...]) -> Form:
        return [self.condition(condition) for condition in conditions]

    def _expression(self, expression: Expression) -> Form:
        if isinstance(expression, Operation):
            return [expression.operator, *map(self._expression, expression.operands)]
        return self._term(expression)

    def _terms(self, terms: tuple[Term, ...]) -> Form:
        return [self._term(term) for term in terms]

    def _term(self, term: Term) -> str | int:
        if isinstance(term, Variable) and term.is_wildcard:
            return f"?_{self.numbers.setdefault(term.name, len(self.numbers) + 1)}"
        return form_of_term(term)
