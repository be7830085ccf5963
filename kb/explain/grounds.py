"""The reasons for an absence or an aggregate: whether each relation that it reads is complete, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check.check_unit import named, unit_of_rules
from hornbook.kb.check.program.completeness import Completeness, completeness
from hornbook.kb.check.program.dependencies import Node, finished_by, nodes, read_groups
from hornbook.kb.format.printer import print_condition
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class CompletenessReason:
    """Whether a relation in an absence or aggregate is complete, in words.

    `places` are the declarations that make it complete, or the one that fails to.
    """

    relation: str
    is_complete: bool
    says: str
    places: tuple[str, ...] = ()

    @property
    def origin(self) -> str:
        return ", ".join(self.places)

    @property
    def text(self) -> str:
        """The words, followed by the places of the declarations."""
        return f"{self.says}  [{self.origin}]" if self.places else self.says

    def as_json(self) -> dict[str, Any]:
        """Return `{relation, complete, says, declared}`."""
        return {
            "relation": self.relation,
            "complete": self.is_complete,
            "says": self.says,
            "declared": list(self.places),
        }


class CompletenessReasons:
    """The completeness of relations, as derived from the rules of a knowledge base."""

    def __init__(self, rules: Iterable[t.Rule], vocabulary: Vocabulary) -> None:
        self._rules = tuple(rules)
        self._unit = unit_of_rules((), vocabulary, {})
        self._has_actions = any(each.kind == "action" for each in vocabulary.predicates.values())

    @cached_property
    def _known(self) -> Completeness:
        """The completeness, computed for the first proof with an absence or an aggregate."""
        unit = unit_of_rules(dict.fromkeys(self._rules), self._unit.vocabulary, {})
        return completeness(unit, read_groups(unit))

    def of(self, condition: t.Condition, moment: t.Tense | None) -> tuple[CompletenessReason, ...]:
        """Return one entry for each relation in an absence or aggregate of a condition, for a rule at a
        moment.
        """
        if isinstance(condition, t.Statement | t.Comparison):
            return ()
        read = dict.fromkeys(finished_by([condition], moment, self._unit))
        absent = condition.conditions[0] if isinstance(condition, t.Absent) else None
        single = absent if isinstance(absent, t.Statement) and len(read) == 1 else None
        found: dict[Node, CompletenessReason] = {}
        for statement, node in read:
            found.setdefault(node, self._ground(statement, node, single))
        return tuple(found.values())

    def of_missing(self, statement: t.Statement) -> tuple[CompletenessReason, ...]:
        """Return the reason why a false statement can never become true: its relation is complete."""
        found = nodes(statement, "before", self._unit)
        grounds = [self._ground(statement, node, None) for node in found[:1]]
        return tuple(ground for ground in grounds if ground.is_complete)

    def _ground(self, statement: t.Statement, node: Node, absent: t.Statement | None) -> CompletenessReason:
        """Return the entry of a node. `absent` is the absent condition if it is a single statement."""
        name = node[0].removesuffix(" is")
        predicate = self._unit.predicate(named(statement).predicate)
        assert predicate is not None
        relation = name if node[1] is None else f"{node[1]} {name}"
        text = "" if absent is None else print_condition(absent)
        if node in self._known.unsure:
            return self._unsure(node, predicate, relation, text)
        declared = [predicate] if predicate.complete else list(self._declared_below(node))
        since = "" if predicate.complete or not declared else f", since {_are(declared)}"
        moment = f" {node[1]} the action" if node[1] is not None and self._has_actions else ""
        first = ""
        if text and predicate.exception is not None:
            first = f"the exception {predicate.exception} does not apply, and "
        elif text and predicate.complete:
            concluded = any(each.head == node for each in self._known.dependencies)
            first = f"nothing of {text} is given{' or concluded' if concluded else ''}, and "
        elif text:
            first = f"no rule concludes {text}, and "
        return CompletenessReason(
            relation,
            is_complete=True,
            says=f"{first}{name} is complete{moment}{since}",
            places=_places(declared),
        )

    def _unsure(self, node: Node, predicate: Predicate, relation: str, absent: str) -> CompletenessReason:
        first = f"nothing of {absent} is known, but " if absent else ""
        more = f"{first}more of {node[0].removesuffix(' is')} may become known"
        origin = self._known.origin(node)
        below = None if origin is None else self._unit.predicate(origin)
        if below is None:
            return CompletenessReason(relation, is_complete=False, says=more)
        if below.complete:
            more += f": {origin} is complete before the action only"
        elif below is predicate:
            more = f"{first}{origin} is not declared complete"
        else:
            more += f": {origin} is not declared complete"
        return CompletenessReason(relation, is_complete=False, says=more, places=_places([below]))

    def _declared_below(self, node: Node) -> Iterator[Predicate]:
        """Yield the given predicates below a node that are declared complete, each once."""
        seen, waiting = {node}, [node]
        found: set[str] = set()
        while waiting:
            there = waiting.pop(0)
            predicate = self._unit.predicate(there[0])
            if predicate is not None and predicate.complete:
                if predicate.name not in found:
                    yield predicate
                found.add(predicate.name)
                continue
            below = {
                other
                for each in self._known.dependencies
                if each.head == there
                for other in each.reads | each.finished
            }
            waiting += sorted(below - seen, key=str)
            seen |= below


def _places(predicates: Iterable[Predicate]) -> tuple[str, ...]:
    spans = [each.span for each in predicates]
    return tuple(span.place for span in spans if span != t.NOWHERE)


def _are(predicates: Sequence[Predicate]) -> str:
    *others, last = [each.name for each in predicates]
    return f"{', '.join(others)} and {last} are" if others else f"{last} is"
