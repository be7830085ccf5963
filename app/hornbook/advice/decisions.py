"""Advice on decisions for programs: the amounts that reach goals, and the effect of one decision."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from hornbook.advice import advice_text
from hornbook.advice import what_if as judging
from hornbook.advice.advising import Advised, StateAdviser, adviser_with
from hornbook.advice.ways_out import WaysOut
from hornbook.api.learned_rules import LearnedRules, base_for
from hornbook.inputs.states import State
from hornbook.kb.explain.proof import Proof
from hornbook.kb.format.printer import print_condition
from hornbook.kb.sources.deprecations import renamed_members
from hornbook.kb.text.escaping import markup, visible
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError


class NoAdviceError(HornbookError):
    """The state's theory gives no advice."""


@renamed_members
@dataclass(frozen=True, slots=True, repr=False)
class Judgement:
    """The effect of one decision on every goal, made by `Advice.what_if`. A notebook displays its text."""

    found: judging.WhatIf

    @property
    def refusal(self) -> str | None:
        """The reason why the decision is not possible; None if it is possible."""
        return self.found.refused

    @property
    def proofs(self) -> dict[str, Proof]:
        """The theory's proofs of the effects, by goal, such as `solvent` or `supply(steel)`."""
        proved = ((each.goal.atom, each.proof) for each in self.found.judged)
        return {print_condition(goal): proof for goal, proof in proved if proof is not None}

    def to_dict(self) -> dict[str, Any]:
        """Return the data that `hornbook firm advise --what-if --json` prints."""
        return judging.as_json(self.found)

    def __repr__(self) -> str:
        return f"<judgement of {visible(print_condition(self.found.decision))}>"

    def __str__(self) -> str:
        return "\n".join(judging.lines(self.found))

    def _repr_html_(self) -> str:
        return f"<pre>{markup(str(self))}</pre>"


@renamed_members
@dataclass(frozen=True, slots=True)
class Advice:
    """All advice on a state, by level and goal, made by `advise`. A notebook displays its text."""

    state: State
    adviser: StateAdviser = field(repr=False)
    advised: Advised = field(repr=False)

    def to_text(self, *, why: bool = False) -> str:
        """Return the text that `hornbook firm advise` prints.

        With `why`, the text contains the rules and facts for each interval.
        """
        return "\n".join(advice_text.lines(self.advised, self._ways(), self.adviser.wording, why=why))

    def to_dict(self) -> dict[str, Any]:
        """Return the data that `hornbook firm advise --json` prints."""
        return advice_text.as_json(self.advised, self._ways(), self.adviser.wording)

    def what_if(self, decision: str) -> Judgement:
        """Return the effect of one decision, such as `buy(steel, 400)`, at every level.

        Raises:
            TheoryError: If the text is not a decision.
        """
        facts = self.state.facts
        chosen = judging.read_decision(decision, self.adviser, facts)
        return Judgement(judging.what_if(self.adviser, facts, chosen))

    def _ways(self) -> advice_text.FurtherDecisions:
        ways_out = WaysOut(self.adviser, self.state.reader, self.state.value)
        return advice_text.FurtherDecisions(
            ways_out.of_conflicts(self.advised), ways_out.to_goals(self.advised)
        )

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return f"<pre>{markup(self.to_text())}</pre>"


def advise(state: State, rules: LearnedRules | None = None) -> Advice:
    """Return the decisions that reach goals in a state, each with the exact amounts that do so.

    The amounts are derived; none is tried out.

    Args:
        state: The state.
        rules: The rules, by default those that ship with the theory. Rules without certificates are not
          matched.

    Raises:
        NoAdviceError: If the state's theory gives no advice.

    >>> march = read_state("firm", read_theory("firm").path.parent / "examples" / "bakery" / "03.csv")
    >>> print(advise(march))
    physical
    ...
        buy(butter, n)  reaches it: 1460 or more
    ...
    """
    adviser = adviser_with(state.theory, None if rules is None else base_for(rules, state.theory))
    if adviser is None:
        raise NoAdviceError(f"the theory `{state.theory.name}` has no advice")
    return Advice(state, adviser, adviser.advise(state.facts))
