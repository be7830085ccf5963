"""Integers that all rules about a game need, so that many states without conclusions need not be matched.

Example: if each rule about `take(?b)` has a condition `liberties(?b, 1)` or `liberties(?b, 2)`, then no rule
answers about a block with three liberties.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule, Variable

NeededNumbers = Mapping[str, Mapping[str, frozenset[int]]]
"""For each relation and each game with one argument `x`, the integers `n` of conditions `relation(x, n)`.

A game is missing if a rule about it has no such condition.
"""


def needed_numbers(rules: Iterable[Rule]) -> NeededNumbers:
    """Return the integers that rules about games need."""
    by_game: dict[str, dict[str, frozenset[int]]] = {}
    for rule in rules:
        if isinstance(rule.head, GameStatement):
            name, own = rule.head.game.predicate, _conditions(rule, rule.head.game)
            known = by_game.setdefault(name, own)
            by_game[name] = {relation: known[relation] | own[relation] for relation in known.keys() & own}
    relations = {relation for numbers in by_game.values() for relation in numbers}
    return {
        relation: {name: numbers[relation] for name, numbers in by_game.items() if relation in numbers}
        for relation in sorted(relations)
    }


def _conditions(rule: Rule, game: Atom) -> dict[str, frozenset[int]]:
    """Return the integers of a rule's conditions `relation(x, n)` about the argument `x` of its game."""
    if len(game.terms) != 1 or not isinstance(game.terms[0], Variable):
        return {}
    return {
        condition.predicate: frozenset({number.value})
        for condition in rule.body
        if isinstance(condition, Atom) and condition.tense in (None, "before") and len(condition.terms) == 2
        if condition.terms[0] == game.terms[0] and isinstance(number := condition.terms[1], Constant)
        if isinstance(number.value, int)
    }
