"""The report of learning from a table of states."""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.compiler.learn.covering.learner import CoverageLearner, CoverageStep
from hornbook.compiler.learn.covering.measure import RuleCoverage
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class CoveredExample:
    """The coverage before and after learning from an example.

    Attributes:
        name: The name of the example.
        state: The number of its state in the table, from 0; None for another example.
        before: The number of conclusions covered before.
        covered: The number of conclusions covered after.
        rules: The names of the new rules.
        tried: The number of conditions that matching all rules tries in a state, on average.
        notes: The reasons why the example gave no rule for a goal.
    """

    name: str
    state: int | None
    before: int
    covered: int
    rules: tuple[str, ...]
    tried: float
    notes: tuple[str, ...]

    @classmethod
    def of(cls, step: CoverageStep) -> CoveredExample:
        return cls(
            step.example.name,
            step.state,
            step.before,
            step.covered,
            step.admitted,
            step.tried,
            step.notes,
        )


@dataclass(frozen=True, slots=True)
class CoverageReport:
    """The coverage of a table of states by learned rules alone.

    Attributes:
        states: The number of states.
        errors: For each state without conclusions the reason, by its number from 0.
        conclusions: The number of conclusions of the theory that are counted.
        direct: The number of conclusions that are not counted, because a single rule of the theory draws them
            from given facts. A learned rule would only repeat it.
        first: The number of conclusions that the rules covered before learning.
        covered: The number of conclusions that the rules cover.
        examples: The examples that were learned from, in order.
        rules: The benefit and the cost of each rule.
    """

    states: int
    errors: dict[int, str]
    conclusions: int
    direct: int
    first: int
    covered: int
    examples: tuple[CoveredExample, ...]
    rules: tuple[RuleCoverage, ...]

    @classmethod
    def of(
        cls, learner: CoverageLearner, states: int, first: int, steps: Sequence[CoverageStep]
    ) -> CoverageReport:
        """Return the report of a learner, which covered `first` conclusions before these steps."""
        return cls(
            states,
            dict(learner.errors),
            learner.total,
            learner.direct,
            first,
            learner.covered,
            tuple(map(CoveredExample.of, steps)),
            tuple(learner.worth()),
        )

    @property
    def share(self) -> float:
        """The covered share of the conclusions; 1 if there are none."""
        return self.covered / self.conclusions if self.conclusions else 1.0

    def to_dict(self) -> dict[str, object]:
        """Return the report as values of JSON."""
        return {
            "states": self.states,
            "errors": {str(state): reason for state, reason in self.errors.items()},
            "conclusions": self.conclusions,
            "direct": self.direct,
            "first": self.first,
            "covered": self.covered,
            "examples": [
                {
                    "name": each.name,
                    "state": each.state,
                    "before": each.before,
                    "covered": each.covered,
                    "rules": list(each.rules),
                    "tried": round(each.tried, 3),
                    "notes": list(each.notes),
                }
                for each in self.examples
            ],
            "rules": [
                {
                    "rule": each.rule,
                    "is_clause": each.is_clause,
                    "covers": each.covers,
                    "only": each.only,
                    "tried": round(each.tried, 3),
                    "seconds": each.seconds,
                }
                for each in self.rules
            ],
        }

    @property
    def _number_of_rules(self) -> str:
        clauses = sum(each.is_clause for each in self.rules)
        rules = counted(len(self.rules) - clauses, "rule")
        return f"{rules} and {counted(clauses, 'clause')} of invented predicates" if clauses else rules

    def __str__(self) -> str:
        lines = [
            (
                f"{self.covered:,} of {counted(self.conclusions, 'conclusion')} covered"
                f" ({100 * self.share:.1f} %) in {counted(self.states, 'state')},"
                f" by {self._number_of_rules} from {counted(len(self.examples), 'example')};"
                f" before: {self.first:,}"
            )
        ]
        if self.direct:
            lines.append(
                f"not counted: {counted(self.direct, 'conclusion')} that a single rule of the theory draws"
                " from given facts"
            )
        if self.errors:
            lines.append(f"left out: {counted(len(self.errors), 'state')} with errors")
        return "\n".join(lines)
