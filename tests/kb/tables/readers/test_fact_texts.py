"""Tests of states that are facts in the language, for theories without an adapter."""

from __future__ import annotations

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.load.loader import load, load_text
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.tables.readers.fact_texts import FactTexts, state_reader

SHOP = "theory shop. sort part. fluent stock(part -> int). action sell(part). derived some(part).\n"


def test_a_text_is_read_as_facts():
    theory = load_text(SHOP)
    reader = state_reader(theory)
    assert isinstance(reader, FactTexts)
    state = reader.read("stock(a, 2). % two\nsell(a).", "state.txt")
    assert state == (GroundFact("stock", ("a", 2), None), GroundFact("sell", ("a",)))
    assert tuple(reader.facts(state)) == state
    assert reader.read("", "state.txt") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stock(a, 2)", "period"),
        ("stock(a, b).", "stock"),
        ("stok(a, 2).", "did you mean `stock`"),
        ("some(a).", "some"),
        ("stock(?x, 2).", "a fact cannot hold the variable"),
        ("mine: some(?p) :- stock(?p, 2).", "`mine` is a rule, and a state is facts alone"),
        ("sort colour.", "this is a declaration, and a state is facts alone"),
    ],
)
def test_a_mistake_is_reported_with_its_place(text, message):
    with pytest.raises(TheoryError) as raised:
        FactTexts(load_text(SHOP)).read(f"stock(b, 1).\n{text}", "state.txt")
    [problem] = raised.value.diagnostics
    assert (problem.span.file, problem.span.line) == ("state.txt", 2)
    assert message in f"{problem.message} {problem.help}"


def test_an_adapter_that_may_not_be_run_is_not_replaced():
    assert state_reader(load("go", adapters=False)) is None
    assert isinstance(state_reader(load("family", adapters=False)), FactTexts)
