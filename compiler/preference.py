"""Which derivation of a fact is explained, where there are several: that by the rule that stands first.

A theory writer puts the rule that asks least first, and what he imports is of a wider world than his own; a rule
base has the rule that was learned first in front. So explanations do not depend on what an engine happened to
derive first.
"""

from __future__ import annotations

from kb.coding import CodedRuleId
from kb.knowledge_base import KnowledgeBase
from matcher.program import Derivation, Fact


class Preferring:
    """A knowledge base whose recorded derivation of a fact is that by the first of its rules."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        files = list(dict.fromkeys(rule.span.file for rule in base.theory.rules))
        self.own = {file: -place for place, file in enumerate(files)}

    def derivation(self, fact: Fact) -> Derivation | None:
        return min(self.base.engine.derivations(fact), key=self._place, default=None)

    def _place(self, derivation: Derivation) -> tuple[bool, int, int]:
        assert isinstance(derivation.rule, CodedRuleId)
        index = derivation.rule.index
        # What holds after an action is regressed by what says how the action changes it.
        timeless = derivation.rule.moment is not None
        learned = index >= len(self.base.theory.rules)
        # What a theory imports stands before its own rules, and is asked after them.
        place = 1 if learned else self.own[self.base.rules[index].span.file]
        return timeless, place, index
