"""The input of changes to an engine: rules by name, and groups of facts to add or retract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hornbook.matcher.program.coded import CodedPredicate, CodedRule, Fact, RuleId
from hornbook.matcher.program.errors import DuplicateRuleError, UnknownRuleError
from hornbook.matcher.program.wellformed import check_fact

Group = tuple[Fact, ...]
Columns = Sequence[Any]
"""The cells of facts, one 1-D array of 64-bit integers per column: NumPy, Arrow, any DLPack object, or
`array("q")`.
"""


def changed_rules(
    rules: Mapping[RuleId, CodedRule], removed: Iterable[RuleId], added: Iterable[CodedRule]
) -> dict[RuleId, CodedRule]:
    """Return the rules after some are removed, and then others added.

    Raises UnknownRuleError, DuplicateRuleError.
    """
    changed = dict(rules)
    for name in removed:
        if changed.pop(name, None) is None:
            raise UnknownRuleError(name)
    for rule in added:
        if rule.id in changed:
            raise DuplicateRuleError(rule.id)
        changed[rule.id] = rule
    return changed


def group_of(facts: Iterable[Fact], predicates: Sequence[CodedPredicate]) -> Group:
    """Return facts to be added or retracted together. Raises MalformedError."""
    group = tuple(facts)
    for fact in group:
        check_fact(fact, predicates)
    return group
