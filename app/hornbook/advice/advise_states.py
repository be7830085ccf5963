"""Advice on every state of a table."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from hornbook.advice import advice_text
from hornbook.advice.advising import adviser_with
from hornbook.advice.ways_out import WaysOut
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.states import reader_for
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.extras import extra_module
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.spread.states import STATE, Outcomes, Row, each_row, text_in

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True, slots=True)
class AdviseStates:
    """The advice on each state, in the format of `hornbook firm advise --json`."""

    theory: Theory
    rules: RuleBase
    limits: Limits | None = None

    gives = "advice"
    reads = (STATE,)

    @property
    def inputs(self) -> tuple[object, ...]:
        return [(entry.is_certified, entry.answering) for entry in self.rules], self.limits

    def type(self) -> pyarrow.DataType:
        return extra_module("pyarrow", "data").string()

    def ready(self, threads: int | None = None) -> Callable[[pyarrow.Table], Outcomes]:
        reader = reader_for(self.theory)
        adviser = adviser_with(self.theory, self.rules, self.limits)
        assert adviser is not None  # the caller has checked it

        def advice(row: Row) -> str:
            state = reader.read(text_in(row), STATE)
            advised = adviser.advise(reader.facts(state))
            ways_out = WaysOut(adviser, reader, state)
            ways = advice_text.FurtherDecisions(ways_out.of_conflicts(advised), ways_out.to_goals(advised))
            return json.dumps(advice_text.as_json(advised, ways, adviser.wording), ensure_ascii=False)

        return each_row(advice)
