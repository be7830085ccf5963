"""Fuzz tests of the sheet reader: any text is either read or refused with TheoryError.

Random texts seldom get past the reader. Therefore sheets are also made of random expressions, and by swapping
words of other sheets.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.kb.lower.budget import Budget
from hornbook.kb.sources.diagnostics import CODES, TheoryError
from hornbook.planner.conditional.guarantee import guarantee
from hornbook.planner.gdl.game import Game
from hornbook.planner.strategies.check import check_refutation, check_strategy
from oracles.gdl.mutants import mutant
from oracles.gdl.own_sheets import SHEETS as OWN_SHEETS

pytestmark = pytest.mark.deep

SHEETS = [
    path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parent / "golden").glob("*.kif"))
]
GAME = (Path(__file__).parent / "data" / "fuzz_game.txt").read_text(encoding="utf-8")
TOKENS = GAME.replace("(", " ( ").replace(")", " ) ").split()
WORDS = [
    *sorted(set(TOKENS)),
    "base",
    "input",
    "and",
    "sees",
    "f",
    "²",
    "?",
    "?f",
    "",
    "1e9",
    "\x00",
    "\ud800",
    "'",
    '"',
]

expressions = st.recursive(
    st.sampled_from([word for word in WORDS if word not in "()"]),
    lambda parts: st.lists(parts, max_size=5).map(lambda items: f"({' '.join(items)})"),
    max_leaves=20,
)
sheets = st.lists(expressions, max_size=8).map("\n".join)


def is_read_or_refused(text: str) -> None:
    try:
        game = Game(text, "sheet.kif")
        game.goal(game.initial)
        game.legal(game.initial)
    except TheoryError as refused:
        problem = refused
    else:
        return
    assert problem.diagnostics
    for diagnostic in problem.diagnostics:
        assert diagnostic.code in CODES
        assert diagnostic.span.file == "sheet.kif"
        assert 1 <= diagnostic.span.line <= text.count("\n") + text.count("\r") + 1
    assert str(problem)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("()?;<= ab\n\r\t\x85\u2028\U0001f600"), max_size=60) | st.text())
def test_any_text(text):
    is_read_or_refused(text)


@settings(max_examples=100, deadline=None)
@given(sheets)
def test_any_expressions_next_to_a_game_and_only(text):
    is_read_or_refused(text)
    is_read_or_refused(GAME + text)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(TOKENS) - 1), st.sampled_from(WORDS)), min_size=1, max_size=4))
def test_a_game_with_other_words_in_some_places(changes):
    tokens = list(TOKENS)
    for place, word in changes:
        tokens[place] = word
    is_read_or_refused(" ".join(tokens))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([GAME, *SHEETS]), st.data())
def test_a_sheet_with_a_part_cut_out(text, data):
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(first, len(text)))
    is_read_or_refused(text[:first] + text[last:])


def test_the_game_itself_is_one():
    assert Game(GAME).roles == ("white", "black")


@pytest.mark.parametrize("name", OWN_SHEETS)
def test_a_mutant_is_refused_or_has_strategies_without_mistakes(name):
    text = OWN_SHEETS[name].read_text(encoding="utf-8")
    for seed in range(12):
        sheet = mutant(text, Random(f"{name} {seed}"))
        is_read_or_refused(sheet)
        try:
            game = Game(sheet)
        except TheoryError:
            continue
        for role in game.roles[:2]:
            found = guarantee(game, role, game.initial, None, Budget(steps=300), refuted=True)
            assert (found.strategy is not None) or found.answer != "found", seed
            assert found.strategy is None or check_strategy(game, found.strategy) == (), seed
            assert found.refutation is None or check_refutation(game, found.refutation) == (), seed
