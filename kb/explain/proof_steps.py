"""The steps of a proof as data, with the words that texts, pages, pictures and JSON share.

Each step comes after the steps that it rests on; the last is what was asked for. A step that several others rest on stands
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.kb.ast.terms import Condition, Rule, Statement
from hornbook.kb.explain.grounds import Ground
from hornbook.kb.format.printer import print_condition
from hornbook.kb.text.shipped import file_named


@dataclass(frozen=True, slots=True)
class Reason:
    """One condition of a rule as it was met, and the steps that it rests on (none for a comparison).

    `grounds` say of an absence or an aggregate what is known of the relations that it reads; `more` is how many facts an
    aggregate is over besides those of its steps.
    """

    condition: Condition
    steps: tuple[int, ...]
    grounds: tuple[Ground, ...] = ()
    more: int = 0

    @property
    def says(self) -> str | None:
        """What its steps do not say themselves: an absence, a comparison, a count, an `all`; None of a statement."""
        return None if isinstance(self.condition, Statement) else print_condition(self.condition)

    def as_json(self) -> dict[str, Any]:
        """`{condition, steps}`, and of an absence or an aggregate `grounds: [{relation, complete, says, declared}]` and `more`."""
        found: dict[str, Any] = {"condition": print_condition(self.condition), "steps": list(self.steps)}
        if self.grounds:
            found["grounds"] = [ground.as_json() for ground in self.grounds]
            found["more"] = self.more
        return found


HOLDS = "holds"
"""Where a condition comes from that is no fact."""


@dataclass(frozen=True, slots=True)
class Step:
    """A fact with the rule and reasons that gave it; a given fact has no rule, and a place where it is known: `member.csv:17`."""

    conclusion: Statement
    rule: Rule | None
    reasons: tuple[Reason, ...]
    words: str | None = None
    place: str | None = None

    @property
    def says(self) -> str:
        """The fact, in words where it has any."""
        return self.words or print_condition(self.conclusion)

    @property
    def premises(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(step for reason in self.reasons for step in reason.steps))

    @property
    def origin(self) -> str:
        """Where it comes from: the rule with its place, and whether that was learned, or is a lemma; or where it was given."""
        if self.rule is None:
            return self.place or "given"
        proved = "learned: " if self.rule.learned else "lemma " if self.rule.lemma else ""
        return f"{proved}{self.rule.name}, {self.rule.span.place}"

    def as_json(self) -> dict[str, Any]:
        """`{conclusion, rule, learned, file, line, place, reasons}`; the `steps` of a reason are places in the list of all."""
        return {
            "conclusion": print_condition(self.conclusion),
            "rule": None if self.rule is None else self.rule.name,
            "learned": self.rule is not None and self.rule.learned,
            "file": None if self.rule is None else file_named(self.rule.span.file),
            "line": None if self.rule is None else self.rule.span.line,
            "place": self.place,
            "reasons": [reason.as_json() for reason in self.reasons],
        }


def levels(steps: Sequence[Step]) -> list[int]:
    """How far each step is from the last one, by the shortest way; every step is needed by one further on."""
    found = [len(steps)] * len(steps)
    found[-1] = 0
    for number in range(len(steps) - 1, -1, -1):
        for premise in steps[number].premises:
            found[premise] = min(found[premise], found[number] + 1)
    return found
