"""Rules derived from learned ones by changed numbers: of the same length and similarity, but not proved.

They serve to measure the cost of matching many rules; their conclusions need not be true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from hornbook.kb.ast.terms import Atom, Comparison, Condition, Constant, Rule

VARIED = ("liberties", "besides")
"""Predicates whose numbers are changed, in addition to those of comparisons."""
NUMBERS = range(5)


def varied(rules: Sequence[Rule], number: int, random: Random) -> Iterator[Rule]:
    """Yield `number` distinct rules with other bodies than the learned ones."""
    seen = {rule.body for rule in rules}
    made = 0
    while made < number:
        rule = random.choice(rules)
        body = tuple(_varied(condition, random) for condition in rule.body)
        if body not in seen:
            seen.add(body)
            made += 1
            yield replace(rule, label=f"{rule.name}_varied_{made}", body=body)


def _varied(condition: Condition, random: Random) -> Condition:
    match condition:
        case Atom() if condition.predicate in VARIED and _is_number(condition.arguments[-1]):
            return condition.with_terms((*condition.arguments[:-1], Constant(random.choice(NUMBERS))))
        case Comparison() if _is_number(condition.right):
            return replace(condition, right=Constant(random.choice(NUMBERS)))
        case _:
            return condition


def _is_number(term: object) -> bool:
    return isinstance(term, Constant) and isinstance(term.value, int)
