"""The canonical form: what a clause says, as JSON that does not depend on where or how it is written.

Two clauses have one form exactly when they say the same in the same words: spans, line breaks and quotes are no part of it,
and wildcards are numbered as they stand in the clause. Fingerprints are of this form; docs/reference/file-formats.md
describes it, so that another program can make the same ones.
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
"""Lists, texts, numbers, truth values and null."""


def text_of(form: Form) -> str:
    """A form as the text that is digested: JSON without spaces, characters as they are."""
    return json.dumps(form, ensure_ascii=False, separators=(",", ":"))


def digest(form: Form) -> str:
    """The fingerprint of a form: the first 16 hexadecimal digits of SHA-256 of its text."""
    return digest_of_text(text_of(form))


def digest_of_text(text: str) -> str:
    # A word may hold half a character, which UTF-8 has not; it is one more word that differs from all others.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@lru_cache(maxsize=20_000)
def text_of_rule(rule: Rule) -> str:
    """What a rule says, its label with it."""
    wildcards = _Wildcards()
    head = wildcards.condition(rule.head)
    return text_of(["rule", rule.label, head, [wildcards.condition(c) for c in rule.body]])


def form_of_condition(condition: Condition) -> Form:
    """A condition, or a fact, by itself."""
    return _Wildcards().condition(condition)


def form_of_sort(sort: Sort) -> Form:
    return ["sort", sort.name, sort.kind, list(sort.constants)]


def form_of_predicate(predicate: Predicate) -> Form:
    """A declaration. Whether it is operational or demanded, what it is worth and what its facts are called is left out: none of this proves anything."""
    counts = None if predicate.counts is None else predicate.counts.name
    but = None if predicate.but is None else predicate.but.name
    columns = [column.name for column in predicate.columns]
    return [
        "predicate",
        predicate.kind,
        predicate.name,
        columns,
        predicate.key,
        counts,
        but,
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
    """Variables keep their mark; a word that begins with a mark of its own is written after a quote."""
    if isinstance(term, Variable):
        return f"?{term.name}"
    if isinstance(term.value, str) and term.value[:1] in ("?", "'"):
        return f"'{term.value}"
    return term.value


def term_of_form(form: str | int) -> Term:
    """The inverse of `form_of_term`."""
    if isinstance(form, str):
        return Variable(form[1:]) if form.startswith("?") else Constant(form.removeprefix("'"))
    return Constant(form)


class _Wildcards:
    """The forms of one clause's parts, in order: its wildcards are `?_1`, `?_2` … as they are first met."""

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
