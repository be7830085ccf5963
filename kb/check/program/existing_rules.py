"""The existing rules when others are added: their labels, and the dependencies through them.

A *link* is one dependency of a relation on another (kb/check/program/dependencies.py). The cost of an
addition depends on the added rules and the relations below them, not on the number of existing rules. If
several rules have the same link, only the first is reported.
"""

from __future__ import annotations

from collections.abc import Iterable

from hornbook.kb.ast.terms import Rule, Span
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check.check_unit import CheckUnit, empty_unit
from hornbook.kb.check.program.dependencies import DependencyGroup, Link, Node, links
from hornbook.matcher.program.dataclass import dataclass


@dataclass(slots=True)
class _CountedLink:
    """The first rule with a link, reduced to this link, and the number of rules that have it."""

    group: DependencyGroup
    rule_count: int


class ExistingRules:
    """The existing rules, in order. Rules are added and removed at the end.

    `labels` has the position of the first rule with each label.
    """

    def __init__(self, vocabulary: Vocabulary, rules: Iterable[Rule] = ()) -> None:
        self.unit: CheckUnit = empty_unit(vocabulary)
        self.labels: dict[str, Span] = {}
        self._rules: list[Rule] = []
        self._links: dict[Link, _CountedLink] = {}
        # The links of the rules that conclude each node.
        self._links_by_head: dict[Node, dict[Link, DependencyGroup]] = {}
        self.add(rules)

    def __len__(self) -> int:
        return len(self._rules)

    def add(self, rules: Iterable[Rule]) -> None:
        """Add rules that are not facts."""
        for rule in rules:
            self._rules.append(rule)
            if rule.label is not None:
                self.labels.setdefault(rule.label, rule.span)
            for link, group in links(rule, self.unit):
                known = self._links.setdefault(link, _CountedLink(group, 0))
                known.rule_count += 1
                for dependency in group.dependencies:
                    self._links_by_head.setdefault(dependency.head, {}).setdefault(link, group)

    def cut(self, number: int) -> None:
        """Remove all rules except the first `number`."""
        for rule in self._rules[number:]:
            if rule.label is not None and self.labels.get(rule.label) is rule.span:
                del self.labels[rule.label]
            for link, _ in links(rule, self.unit):
                known = self._links[link]
                known.rule_count -= 1
                if known.rule_count == 0:
                    del self._links[link]
                    for dependency in known.group.dependencies:
                        self._links_by_head[dependency.head].pop(link, None)
        del self._rules[number:]

    def depend_on_absences(self) -> bool:
        """Return whether any rule tests an absence or aggregates answers."""
        return any(is_finished for _, _, is_finished, _ in self._links)

    def groups(self) -> list[DependencyGroup]:
        """Return the dependencies of all relations, one group for each link."""
        return [known.group for known in self._links.values()]

    def below(self, groups: Iterable[DependencyGroup]) -> list[DependencyGroup]:
        """Return the transitive dependencies of the relations that the given groups read.

        There is one group for each link.
        """
        waiting = [node for group in groups for d in group.dependencies for node in d.reads | d.finished]
        seen = set(waiting)
        found: dict[Link, DependencyGroup] = {}
        while waiting:
            for link, group in self._links_by_head.get(waiting.pop(), {}).items():
                found[link] = group
                below = {node for d in group.dependencies for node in d.reads | d.finished} - seen
                seen |= below
                waiting += below
        return list(found.values())
