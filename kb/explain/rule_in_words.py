"""Rules in words: the conclusion and the conditions of a rule as the sentences that the theory declares."""

from __future__ import annotations

from hornbook.kb.ast.terms import All, Condition, Rule, statements
from hornbook.kb.explain.descriptions import Words
from hornbook.kb.format.printer import print_condition
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RuleInWords:
    """A rule in words. A part without a sentence is in the notation of the language."""

    conclusion: str
    conditions: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return the conclusion and, below it, the conditions, as lines of text."""
        if not self.conditions:
            return [self.conclusion]
        return [f"{self.conclusion}, if", *(f"  {each}" for each in self.conditions)]

    def as_json(self) -> dict[str, str | list[str]]:
        """Return `{conclusion, conditions}`."""
        return {"conclusion": self.conclusion, "conditions": list(self.conditions)}


def rule_in_words(rule: Rule, words: Words) -> RuleInWords | None:
    """Return a rule in words; None if no statement of it has a sentence."""
    if all(words.of(each) is None for each in statements((rule.head, *rule.body))):
        return None
    return RuleInWords(words.say(rule.head), tuple(_say(each, words) for each in rule.body))


def _say(condition: Condition, words: Words) -> str:
    """Return a condition in words; an `all` is a sentence about each member."""
    if not isinstance(condition, All):
        return words.say(condition)
    members = ", ".join(f"?{variable.name}" for variable in condition.variables)
    required = " and ".join(_say(each, words) for each in condition.conditions)
    return f"for all {members} in {print_condition(condition.member)}: {required}"
