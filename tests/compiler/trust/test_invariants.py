"""Tests of invariants: predicates that a game restores.

A restored predicate is an invariant if, for each of its clauses, a proved rule restores it and has no further
conditions.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.compiler.checker.checker import Lemma
from hornbook.compiler.prove.by_hand import prove
from hornbook.compiler.trust.invariants import Invariant, invariants
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse

BALANCE = (Path(__file__).parent / "data" / "invariants_balance.horn").read_text(encoding="utf-8")
ONE_MORE = "one_more: keep by answer(1) is GI :- left(?m), right(?n), ?m = ?n + 1, ?m >= 1, ?m <= 200."
SMALL = "small: keep is IG :- left(?n), right(?n), ?n >= 0, ?n <= 100, ?m = ?n + 1."
LARGE = "large: keep is IG :- left(?n), right(?n), ?n >= 1, ?n <= 200, ?m = ?n + 1."


@pytest.fixture(scope="module")
def balance() -> Theory:
    return load_text(BALANCE, "balance.horn")


def rule(text: str) -> Rule:
    (found,) = parse(text).clauses
    assert isinstance(found, Rule)
    return found


def test_each_clause_that_a_rule_restores_counts(balance):
    assert invariants(balance, []) == [Invariant("keep", ("even",), (), ("small_and_even", "large_and_even"))]
    (found,) = invariants(balance, [rule(SMALL)])
    assert (found.proved, found.unproved, found.holds) == (("small_and_even",), ("large_and_even",), False)
    (found,) = invariants(balance, [rule(SMALL), rule(LARGE)])
    assert found.holds


@pytest.mark.parametrize(
    "text",
    [
        SMALL.replace("?n >= 0, ", "?n >= 1, "),
        SMALL.replace("?n <= 100, ", "?n <= 100, ?n != 7, "),
        SMALL.replace("?m = ?n + 1", "?n = ?n + 1"),
        SMALL.replace("?m = ?n + 1", "?m = ?n + 1, ?m = ?n + 2"),
        SMALL.replace("?n <= 100, ?m", "?m"),
        SMALL.replace("?m = ?n + 1", f"?m = ?n + {2**63 - 50}"),
        SMALL.replace("IG", "GI"),
        SMALL.replace("IG", "G"),
    ],
    ids=["one less", "a hole", "nothing", "two numbers", "more, which is of another clause", "a number that there is not", "first", "always"],
)  # fmt: skip
def test_a_rule_that_asks_for_more_or_says_something_else_restores_nothing(balance, text):
    (found,) = invariants(balance, [rule(text)])
    assert "small_and_even" not in found.proved or set(rule(text).body) <= set(rule(SMALL).body)


def test_a_clause_about_a_word_that_is_concluded_of_actions_is_no_invariant():
    output = BALANCE.replace(
        "derived even.",
        "derived even.\nderived fine.\nweighed:\n  after fine :- weigh(_).\nit_is_fine:\n  fine :- left(_).",
    )
    theory = load_text(output.replace("?n >= 0, ?n <= 100.", "?n >= 0, ?n <= 100, fine."), "fine.horn")
    (found,) = invariants(theory, [rule(SMALL.replace("?m = ?n + 1", "fine"))])
    assert found.proved == ()


def test_of_two_words_that_a_game_restores_both_have_to_be_proved():
    also = """also_restored:
  before keep by answer(?k) is GI :- answer(?k), before left(_), before right(_), after odd.
odd_by_one:
  odd :- left(?m), right(?n), ?m = ?n + 1.
replies keep:"""
    output = BALANCE.replace("derived even.", "derived even.\nderived odd.").replace("replies keep:", also)
    (found,) = invariants(load_text(output, "odd.horn"), [rule(SMALL), rule(LARGE)])
    assert found.words == ("even", "odd")
    assert found.unproved == ("odd_by_one",)
    assert not found.holds


def test_the_rules_of_the_example_are_proved(balance):
    lemma = prove(rule(ONE_MORE), balance, {})
    known = {"one_more": Lemma.of(rule(ONE_MORE), lemma)}
    for text in (SMALL, LARGE):
        assert prove(rule(text), balance, known).replies
