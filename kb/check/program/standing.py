"""The existing rules when others are added: their labels, and the dependencies through them.

So that an addition costs what is added, and what that rests on of the theory's relations, not how many rules stand: of all
rules by which one relation rests on another in one way, only the first is told.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hornbook.kb.ast.terms import Rule, Span
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check.program.dependencies import Group, Link, Node, links
from hornbook.kb.check.subject import Subject, surroundings


@dataclass(slots=True)
class _Linked:
    """The first of so many rules that have a link, alone."""

    group: Group
    rules: int


class StandingRules:
    """The rules that stand, in order: more come at the end, and go from there."""

    def __init__(self, vocabulary: Vocabulary, rules: Iterable[Rule] = ()) -> None:
        self.subject: Subject = surroundings(vocabulary)
        self.labels: dict[str, Span] = {}
        self._rules: list[Rule] = []
        self._links: dict[Link, _Linked] = {}
        self._concluding: dict[Node, dict[Link, Group]] = {}
        self.add(rules)

    def __len__(self) -> int:
        return len(self._rules)

    def add(self, rules: Iterable[Rule]) -> None:
        """Adds rules that are no facts."""
        for rule in rules:
            self._rules.append(rule)
            if rule.label is not None:
                self.labels.setdefault(rule.label, rule.span)
            for link, group in links(rule, self.subject):
                known = self._links.setdefault(link, _Linked(group, 0))
                known.rules += 1
                for dependency in group.dependencies:
                    self._concluding.setdefault(dependency.head, {}).setdefault(link, group)

    def cut(self, number: int) -> None:
        """Takes away all rules but so many."""
        for rule in self._rules[number:]:
            if rule.label is not None and self.labels.get(rule.label) is rule.span:
                del self.labels[rule.label]
            for link, _ in links(rule, self.subject):
                known = self._links[link]
                known.rules -= 1
                if known.rules == 0:
                    del self._links[link]
                    for dependency in known.group.dependencies:
                        self._concluding[dependency.head].pop(link, None)
        del self._rules[number:]

    def rests_on_absences(self) -> bool:
        """Whether any of the rules tests an absence or counts answers."""
        return any(is_finished for _, _, is_finished, _ in self._links)

    def groups(self) -> list[Group]:
        """What all relations rest on, each link once."""
        return [linked.group for linked in self._links.values()]

    def below(self, groups: Iterable[Group]) -> list[Group]:
        """What the relations that other rules rest on rest on in turn, each link once."""
        waiting = [node for group in groups for d in group.dependencies for node in d.reads | d.finished]
        seen = set(waiting)
        found: dict[Link, Group] = {}
        while waiting:
            for link, group in self._concluding.get(waiting.pop(), {}).items():
                found[link] = group
                below = {node for d in group.dependencies for node in d.reads | d.finished} - seen
                seen |= below
                waiting += below
        return list(found.values())
