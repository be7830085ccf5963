"""How many conclusions of a theory about some facts its learned rules cover."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hornbook.kb.ast.terms import Constant, Rule, Variable
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition


@dataclass(frozen=True, slots=True)
class Coverage:
    """The conclusions of a learned rule, those of them that the theory lacks, and all of the theory."""

    rule: Rule
    covered: int
    wrong: int
    concluded: int


def coverage(rules: Iterable[Rule], base: KnowledgeBase) -> list[Coverage]:
    """Return the coverage of every rule in the facts of a knowledge base of its theory."""
    return [_of(rule, base) for rule in rules]


def _of(rule: Rule, base: KnowledgeBase) -> Coverage:
    head = rule.head.terms
    places = ", ".join(f"?place_{number}" for number in range(len(head)))
    concluded = set(base.query(f"{rule.head.relation}({places})").rows)
    answers = base.query(", ".join(map(print_condition, rule.body)))
    places_of = {name: number for number, name in enumerate(answers.variables)}
    found = set()
    for row in answers.rows:
        assert all(isinstance(term, Variable | Constant) for term in head)
        found.add(tuple(row[places_of[t.name]] if isinstance(t, Variable) else t.value for t in head))
    return Coverage(rule, len(found), len(found - concluded), len(concluded))
