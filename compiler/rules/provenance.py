"""The provenance of a learned rule, and its stored form."""

from __future__ import annotations

from typing import Any

from hornbook.compiler.rules.json_values import (
    field_of,
    integer_from_json,
    list_from_json,
    moment_from_json,
    several_from_json,
    text_from_json,
)
from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Provenance:
    """The provenance of a rule: the name and file of its example, the goal, and the facts that explain it."""

    example: str
    file: str
    goal: str
    facts: tuple[GroundFact, ...]

    def as_json(self) -> dict[str, Any]:
        facts = [[fact.relation, list(fact.values), fact.tense] for fact in self.facts]
        return {"example": self.example, "file": self.file, "goal": self.goal, "facts": facts}

    @staticmethod
    def from_json(data: object) -> Provenance:
        """Return the provenance of JSON data.

        Raise ValueError with the problem and its position if the form is wrong.
        """
        of = "what a rule was learned from"
        example, file, goal = (
            field_of(data, name, of, text_from_json) for name in ("example", "file", "goal")
        )
        return Provenance(example, file, goal, field_of(data, "facts", of, _facts))


def _facts(data: object) -> tuple[GroundFact, ...]:
    return tuple(map(_fact, list_from_json(data)))


def _fact(data: object) -> GroundFact:
    relation, values, tense = several_from_json(data, "a fact", "a relation", "its values", "a moment")
    return GroundFact(
        text_from_json(relation), tuple(map(_value, list_from_json(values))), moment_from_json(tense)
    )


def _value(data: object) -> str | int:
    return text_from_json(data) if isinstance(data, str) else integer_from_json(data)
