"""Missing keys: declarations that would make two conditions of a learned rule one.

    ready_after_1: … :- kind(?p, ?k), kind(?p, seal), ….

The rule repeats `kind(?p, _)` with another term, because the theory does not say that a part has one kind.
With the key `static kind(part -> kind).`, both conditions are the same. A key is a claim about all states, so
it is only suggested: the user decides. It is not suggested if a fact of an example contradicts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import Atom, Comparison, Constant, Rule
from hornbook.kb.ast.theory import GroundFact, Vocabulary
from hornbook.kb.format.printer import print_clause, print_condition
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class MissingKey:
    """A key that the theory does not declare, and a rule with two conditions that it would make one."""

    rule: Rule
    conditions: tuple[Atom, Atom]
    predicate: Predicate
    key: int

    def __str__(self) -> str:
        first, second = map(print_condition, self.conditions)
        declaration = print_clause(replace(self.predicate, key=self.key))
        return (
            f"{self.predicate.span.place}: `{self.rule.name}` has the conditions `{first}` and `{second}`,"
            f" which a key would make one: if it always holds, declare `{declaration}`"
        )


def missing_keys(
    rules: Iterable[Rule], words: Vocabulary, states: Sequence[Sequence[GroundFact]]
) -> Iterator[MissingKey]:
    """Yield each key that would make two conditions of a rule one, with the first such rule.

    The facts of `states` do not contradict it.
    """
    tried: set[tuple[str, int]] = set()
    for rule in rules:
        atoms = [each for each in rule.body if isinstance(each, Atom)]
        for one, other in combinations(atoms, 2):
            predicate = words.predicates.get(one.predicate)
            if predicate is None or predicate.kind not in ("static", "fluent") or predicate.key is not None:
                continue
            key = _equal_columns(one, other)
            if key is None or _differ(one, other, rule) or (predicate.name, key) in tried:
                continue
            tried.add((predicate.name, key))
            if all(_is_determined(predicate.name, key, state) for state in states):
                yield MissingKey(rule, (one, other), predicate, key)


def _equal_columns(one: Atom, other: Atom) -> int | None:
    """Return the number of equal first columns of conditions that a key could make one; otherwise None."""
    if (one.predicate, one.tense) != (other.predicate, other.tense):
        return None
    pairs = list(zip(one.terms, other.terms, strict=True))
    different = [place for place, (first, second) in enumerate(pairs) if first != second]
    # Two constants are never equal, so the key would make the rule vacuous.
    if not different or any(all(isinstance(t, Constant) for t in pairs[place]) for place in different):
        return None
    return different[0] or None


def _differ(one: Atom, other: Atom, rule: Rule) -> bool:
    """Return whether a rule states that two conditions differ."""
    unequal = {
        frozenset((each.left, each.right))
        for each in rule.body
        if isinstance(each, Comparison) and each.operator in ("!=", "<", ">")
    }
    return any(frozenset(pair) in unequal for pair in zip(one.terms, other.terms, strict=True))


def _is_determined(predicate: str, key: int, state: Iterable[GroundFact]) -> bool:
    """Return whether the first columns of a predicate's facts determine the others in a state."""
    values: dict[tuple[object, ...], tuple[object, ...]] = {}
    return all(
        values.setdefault((fact.tense, *fact.values[:key]), fact.values[key:]) == fact.values[key:]
        for fact in state
        if fact.relation == predicate
    )
