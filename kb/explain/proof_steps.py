"""The steps of a proof as data, with the texts shared by all output formats.

Each step comes after its premises, and the last one is the goal. A shared step occurs once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hornbook.kb.ast.terms import Condition, Rule, Statement
from hornbook.kb.explain.grounds import CompletenessReason
from hornbook.kb.format.printer import print_condition
from hornbook.kb.text.shipped import file_named
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ProofReason:
    """One instantiated condition of a rule, and its premises (none for a comparison).

    - `grounds`: For an absence or an aggregate, the completeness of the relations that it reads.
    - `more`: The number of facts of an aggregate besides those of its steps.
    """

    condition: Condition
    steps: tuple[int, ...]
    grounds: tuple[CompletenessReason, ...] = ()
    more: int = 0

    @property
    def says(self) -> str | None:
        """The text of a condition that is not a fact: an absence, a comparison, a count or an `all`. None for
        a statement.
        """
        return None if isinstance(self.condition, Statement) else print_condition(self.condition)

    def as_json(self) -> dict[str, Any]:
        """Return `{condition, steps}`, for an absence or an aggregate also `grounds` and `more`.

        Each item of `grounds` is `{relation, complete, says, declared}`.
        """
        found: dict[str, Any] = {"condition": print_condition(self.condition), "steps": list(self.steps)}
        if self.grounds:
            found["grounds"] = [ground.as_json() for ground in self.grounds]
            found["more"] = self.more
        return found


HOLDS = "holds"
"""The origin of a condition that is not a fact."""


@dataclass(frozen=True, slots=True)
class Step:
    """A fact with the rule and reasons that derived it. A given fact has no rule, but a place if known:
    `member.csv:17`.
    """

    conclusion: Statement
    rule: Rule | None
    reasons: tuple[ProofReason, ...]
    words: str | None = None
    place: str | None = None

    @property
    def says(self) -> str:
        """The fact, as a described sentence if it has one."""
        return self.words or print_condition(self.conclusion)

    @property
    def premises(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(step for reason in self.reasons for step in reason.steps))

    @property
    def origin(self) -> str:
        """The origin: the rule with its place, and whether it is learned or a lemma; or the place of a given
        fact.
        """
        if self.rule is None:
            return self.place or "given"
        proved = "learned: " if self.rule.learned else "lemma " if self.rule.lemma else ""
        return f"{proved}{self.rule.name}, {self.rule.span.place}"

    def as_json(self) -> dict[str, Any]:
        """Return `{conclusion, rule, learned, file, line, place, reasons}`.

        The `steps` of a reason are indices into the list of all steps.
        """
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
    """Return the distance of each step from the last one. Every step is a premise of a later one."""
    found = [len(steps)] * len(steps)
    found[-1] = 0
    for number in range(len(steps) - 1, -1, -1):
        for premise in steps[number].premises:
            found[premise] = min(found[premise], found[number] + 1)
    return found
