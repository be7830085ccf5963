"""How an action changes a closed set in an explanation: the members that it keeps, adds and removes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hornbook.compiler.generalise.explanation import ClosedSetSupport, ExplanationNode
from hornbook.kb.ast.terms import All, Atom, Comparison, Condition, Constant, Rule, Term, Variable
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class SetChange:
    """The change of a closed set by an action. At most one member is added, and at most one removed.

    Attributes:
        kept: The indices of the members in the support that a frame rule concludes. There is at least one.
        added: The index of the member that another rule concludes; None if there is none.
        removed: The member of the set before the action that is none after it; None if there is none.
    """

    kept: tuple[int, ...]
    added: int | None = None
    removed: Constant | None = None

    @property
    def is_change(self) -> bool:
        return self.added is not None or self.removed is not None


def set_change(
    nodes: Sequence[ExplanationNode], condition: All, support: ClosedSetSupport
) -> SetChange | None:
    """Return how the action of an explanation changes the set of a closed condition after it.

    Return None if it changes the set in another way, if the members that it keeps follow from different
    frame rules, or if it keeps none.
    """
    members = [nodes[number] for number, _ in support.members]
    kept = tuple(place for place, node in enumerate(members) if is_frame(node.rule))
    added = [place for place in range(len(members)) if place not in kept]
    rules = {members[place].rule for place in kept}
    before = _size_before(nodes, nodes[support.count])
    if len(rules) != 1 or len(added) > 1 or before is None:
        return None
    (frame,) = rules
    assert frame is not None
    lost = before - len(kept)
    change = SetChange(kept, added[0] if added else None)
    if lost == 1:
        removed = [
            value
            for comparison in frame.body
            if (value := _excluded(comparison, frame, members[kept[0]])) is not None
        ]
        change = replace(change, removed=removed[0]) if len(removed) == 1 else change
    is_explained = lost == (change.removed is not None)
    return change if is_explained and (len(condition.variables) == 1 or not change.is_change) else None


def is_frame(rule: Rule | None) -> bool:
    """Return whether a rule concludes after an action what one of its conditions says before it."""
    return (
        rule is not None and isinstance(rule.head, Atom) and replace(rule.head, tense="before") in rule.body
    )


def excluded_term(condition: Condition, variable: Term) -> Term | None:
    """Return the other term of a comparison `!=` with a variable; None for any other condition."""
    if isinstance(condition, Comparison) and condition.operator == "!=":
        for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
            if one == variable and isinstance(other, Term):
                return other
    return None


def _excluded(condition: Condition, frame: Rule, node: ExplanationNode) -> Constant | None:
    """Return the value in the example of the thing that a frame rule excludes from the members."""
    term = excluded_term(condition, frame.head.terms[-1])
    return dict(node.binding)[term.name] if isinstance(term, Variable) else term


def _size_before(nodes: Sequence[ExplanationNode], count: ExplanationNode) -> int | None:
    """Return the number of members before the action by the rule that concluded the count after it."""
    if count.rule is None or not isinstance(count.conclusion, Atom):
        return None
    for condition, support in zip(count.rule.body, count.supports, strict=True):
        if (
            isinstance(condition, Atom)
            and isinstance(support, int)
            and condition.predicate == count.conclusion.predicate
            and condition.tense == "before"
            and nodes[support].conclusion.terms[:-1] == count.conclusion.terms[:-1]
        ):
            size = nodes[support].conclusion.terms[-1]
            return size.value if isinstance(size, Constant) and isinstance(size.value, int) else None
    return None
