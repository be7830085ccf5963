"""The utility of rules: which answers each rule is credited with, and which rules are of no use.

Source: Minton (1988) defines the utility of a rule as savings × frequency − match cost. Here the frequency
counts the answers that the rule is credited with. Of the rules that give an answer, only one is credited with
it: the rule with the most answers, and of several the first. A rule without a credited answer saves nothing,
so its utility is minus its cost. Learning that selects what it retains by utility is described by Markovitch
and Sella (1996).

Invariants: Without the rules of no use, the other rules give the same answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TypeVar

from hornbook.kb.ast.terms import Rule, statements

Answer = TypeVar("Answer", bound=Hashable)


def credited(answers: Mapping[str, Collection[Answer]]) -> dict[Answer, str]:
    """Return the rule that is credited with each answer.

    Args:
        answers: The answers of each rule, for example pairs of a state and a statement, in the order of the
          rules.
    """
    credit: dict[Answer, str] = {}
    for name in sorted(answers, key=lambda name: -len(answers[name])):
        for answer in answers[name]:
            credit.setdefault(answer, name)
    return credit


def useless(answers: Mapping[str, Collection[Answer]], rules: Sequence[Rule], least: int = 0) -> list[str]:
    """Return the names of the rules of no use, in the order of `answers`.

    A rule on whose conclusions another rule depends is of use.

    Args:
        answers: The answers of each rule in the states seen.
        rules: All rules in use.
        least: The number of answers below which a rule is not judged. A rule that answered only the state
          that it was learned from has not been tested: two rules may agree there and differ elsewhere.
    """
    used = Counter(credited(answers).values())
    conditions = {(each.relation, each.tense) for rule in rules for each in statements(rule.body)}
    needed = {
        rule.name
        for rule in rules
        for relation, tense in conditions
        if rule.head.relation == relation and (rule.head.tense == tense or None in (rule.head.tense, tense))
    }
    return [
        name
        for name, given in answers.items()
        if name not in used and name not in needed and len(given) >= least
    ]
