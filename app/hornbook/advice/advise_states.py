"""Advice on every state of a table."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from hornbook.advice import advice_text
from hornbook.advice.advising import Advised, StateAdviser, adviser_with
from hornbook.advice.ways_out import WaysOut
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.states import reader_for
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.load.adapters import Adapter
from hornbook.kb.sources.extras import extra_module
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.spread.states import STATE, Outcomes, Row, outcome, text_in

if TYPE_CHECKING:
    import pyarrow

BLOCK = 16
"""The number of states that are evaluated together. With more, an adviser forgets matches before they occur
again in a state after decisions.
"""


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
        rules = [(entry.is_certified, entry.answering) for entry in self.rules]
        return rules, self.rules.definitions, self.limits

    def type(self) -> pyarrow.DataType:
        return extra_module("pyarrow", "data").string()

    def ready(self, threads: int | None = None) -> Callable[[pyarrow.Table], Outcomes]:
        reader = reader_for(self.theory)
        adviser = adviser_with(self.theory, self.rules, self.limits)
        assert adviser is not None  # the caller has checked it
        return partial(_advice, adviser, reader)


def _advice(adviser: StateAdviser, reader: Adapter, table: pyarrow.Table) -> Outcomes:
    """Return the advice on the states of a table."""
    rows = table.to_pylist()
    texts: list[str | None] = []
    errors: list[str | None] = []
    for first in range(0, len(rows), BLOCK):
        found = _advice_together(adviser, reader, rows[first : first + BLOCK])
        texts += found[0]
        errors += found[1]
    return texts, errors


def _advice_together(adviser: StateAdviser, reader: Adapter, rows: Sequence[Row]) -> Outcomes:
    """Return the advice on some states. They are evaluated together, and then those after decisions."""
    errors: list[str | None] = []
    states: dict[int, tuple[Any, list[GroundFact]]] = {}

    def read(row: Row) -> tuple[Any, list[GroundFact]]:
        state = reader.read(text_in(row), STATE)
        return state, list(reader.facts(state))

    for number, row in enumerate(rows):
        found, error = outcome(read, row)
        errors.append(error)
        if error is None:
            states[number] = found
    advised = dict(zip(states, adviser.advise_each([facts for _, facts in states.values()]), strict=True))
    ways = {number: WaysOut(adviser, reader, state) for number, (state, _) in states.items()}
    _ask_ahead(adviser, [(ways[number], each) for number, each in advised.items()])

    def text(number: int) -> str:
        given, ways_out = advised[number], ways[number]
        if isinstance(given, HornbookError):
            raise given
        further = advice_text.FurtherDecisions(ways_out.of_conflicts(given), ways_out.to_goals(given))
        return json.dumps(advice_text.as_json(given, further, adviser.wording), ensure_ascii=False)

    texts: list[str | None] = [None] * len(errors)
    for number in states:
        texts[number], errors[number] = outcome(text, number)
    return texts, errors


def _ask_ahead(adviser: StateAdviser, asked: Sequence[tuple[WaysOut, Advised | HornbookError]]) -> None:
    """Add the advice after the decisions that ways out need, if there is no error."""
    after: list[tuple[WaysOut, tuple[GroundFact, ...], list[GroundFact]]] = []
    for ways, advised in asked:
        if isinstance(advised, HornbookError):
            continue
        with suppress(Exception):  # an adapter may raise anything, and the way out raises it again
            for taken in dict.fromkeys(ways.decisions(advised)):
                facts = ways.facts_after(taken)
                if facts is not None:
                    after.append((ways, taken, facts))
    found = adviser.advise_each([facts for _, _, facts in after])
    for (ways, taken, _), each in zip(after, found, strict=True):
        if not isinstance(each, HornbookError):
            ways.add_advice(taken, each)
