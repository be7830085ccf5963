"""Advice on decisions for programs: which amounts reach which goals in a state, and what one decision would do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hornbook.advice import advice_text
from hornbook.advice import what_if as judging
from hornbook.advice.advising import Advised, Counsel, counsel_of
from hornbook.advice.ways_out import WaysOut
from hornbook.api.learned_rules import LearnedRules, base_for
from hornbook.inputs.states import State
from hornbook.kb.explain.proof import Proof
from hornbook.kb.format.printer import print_condition
from hornbook.kb.text.escaping import markup, visible
from hornbook.matcher.program.hornbook_error import HornbookError


class NoAdviceError(HornbookError):
    """Advice was asked for, but the state's theory gives none."""


@dataclass(frozen=True, slots=True, repr=False)
class Judgement:
    """What one decision does to every goal. Made by `Advice.what_if`; in a notebook it shows its text."""

    found: judging.WhatIf

    @property
    def refused(self) -> str | None:
        """Why the decision cannot be taken; None if it can."""
        return self.found.refused

    @property
    def proofs(self) -> dict[str, Proof]:
        """The theory's proofs of what the decision does, by goal: `solvent`, `supply(steel)`."""
        proved = ((each.goal.atom, each.proof) for each in self.found.judged)
        return {print_condition(goal): proof for goal, proof in proved if proof is not None}

    def as_json(self) -> dict[str, Any]:
        """What `hornbook firm advise --what-if --json` prints."""
        return judging.as_json(self.found)

    def __repr__(self) -> str:
        return f"<judgement of {visible(print_condition(self.found.decision))}>"

    def __str__(self) -> str:
        return "\n".join(judging.lines(self.found))

    def _repr_html_(self) -> str:
        return f"<pre>{markup(str(self))}</pre>"


@dataclass(frozen=True, slots=True)
class Advice:
    """All advice on a state, by level and goal. Made by `advise`; a notebook shows its text."""

    state: State
    counsel: Counsel = field(repr=False)
    advised: Advised = field(repr=False)

    def text(self, *, why: bool = False) -> str:
        """What `hornbook firm advise` prints; with `why`, the rules and facts behind each interval."""
        return "\n".join(advice_text.lines(self.advised, self._ways(), self.counsel.wording, why=why))

    def as_json(self) -> dict[str, Any]:
        """What `hornbook firm advise --json` prints."""
        return advice_text.as_json(self.advised, self._ways(), self.counsel.wording)

    def what_if(self, decision: str) -> Judgement:
        """What one decision would do, such as `buy(steel, 400)`, at every level. Raises TheoryError if it is none."""
        facts = self.state.facts
        chosen = judging.read_decision(decision, self.counsel, facts)
        return Judgement(judging.what_if(self.counsel, facts, chosen))

    def _ways(self) -> advice_text.Ways:
        asked = WaysOut(self.counsel, self.state.reader, self.state.value)
        return advice_text.Ways(asked.of_conflicts(self.advised), asked.to_goals(self.advised))

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return f"<pre>{markup(self.text())}</pre>"


def advise(state: State, rules: LearnedRules | None = None) -> Advice:
    """Which decisions reach which goals in a state, and for which amounts exactly; no amount is tried.

    The rules are those that ship with the theory if none are given; rules without certificate are not asked. Raises
    NoAdviceError if the state's theory gives no advice.

    >>> march = read_state("firm", load("firm").path.parent / "examples" / "bakery" / "03.csv")
    >>> print(advise(march))
    physical
    ...
        buy(butter, n)  reaches it: 1460 or more
    ...
    """
    adviser = counsel_of(state.theory, None if rules is None else base_for(rules, state.theory))
    if adviser is None:
        raise NoAdviceError(f"the theory `{state.theory.name}` gives no advice")
    return Advice(state, adviser, adviser.advise(state.facts))
