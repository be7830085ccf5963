"""Rules made of learned ones by other numbers: as long and as like each other as learned rules, and not proved of anything.

They serve to see what matching so many rules costs; what they conclude need not be true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from hornbook.kb.ast.terms import Atom, Comparison, Condition, Constant, Rule

VARIED = ("liberties", "besides")
"""The predicates whose numbers become others, beside those of comparisons."""
NUMBERS = range(5)


def varied(rules: Sequence[Rule], number: int, random: Random) -> Iterator[Rule]:
    """So many different rules, none of which has the body of a learned one."""
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
