"""Tests of regression: leaves of a generalised proof, restated readably for the state before the action."""

from __future__ import annotations

import pytest

from hornbook.compiler.generalise.generalisation import Generalised, NotOperationalError
from hornbook.compiler.generalise.regression import Regressed, VariableNames, normalised, regress
from hornbook.kb.ast.terms import Rule
from hornbook.kb.format.printer import print_rule
from oracles.proofs.learned_rules import rule_of, step, theory_of

WORDS = theory_of(
    """
    sort s. fluent f(s). fluent at(s -> s). fluent n(s -> int). action go(s, s). action stay(s). derived d(s). game win(s).
    """
).vocabulary


def regressed(text: str, *steps: object, timeless: bool = False) -> Regressed:
    rule = rule_of(text)
    return regress(Generalised(rule.head, rule.body, steps, timeless), WORDS, "learned")  # type: ignore[arg-type]


def shown(rule: Rule) -> str:
    return " ".join(print_rule(rule).split()).removeprefix("learned: ")


def test_the_action_that_a_head_names_is_no_condition() -> None:
    found = regressed(
        "before win(?x) by go(?x, ?y) is GI :- go(?z, ?y), before f(?z).", step("r", None, a="?z")
    )
    assert shown(found.rule) == "win(?z) by go(?z, ?y) is GI :- f(?z)."
    assert found.steps == (step("r", None, a="?z"),)


def test_what_is_concluded_after_an_action_keeps_one_action() -> None:
    found = regressed("after f(?x) :- go(?x, ?y), go(?u, ?v), before at(?u, ?v).")
    assert shown(found.rule) == "after f(?u) :- go(?u, ?v), before at(?u, ?v)."


def test_two_actions_are_not_one() -> None:
    with pytest.raises(NotOperationalError, match="depends on another action than"):
        regressed("after f(?x) :- go(?x, ?y), stay(?x).")


def test_what_holds_before_an_action_does_not_rest_on_it() -> None:
    with pytest.raises(NotOperationalError, match="cannot depend on it"):
        regressed("before d(?x) :- go(?x, ?y), before f(?x).")
    assert shown(regressed("before win(?x) is G :- go(?x, ?y), before f(?x).").rule).startswith(
        "before win(?x) is G"
    )


def test_what_is_proved_at_one_moment_is_read_at_any() -> None:
    found = regressed(
        "after d(?x) :- after f(?x).", step("r", "after", x="?x"), step("s", None, x="?x"), timeless=True
    )
    assert shown(found.rule) == "d(?x) :- f(?x)."
    assert [s.moment for s in found.steps] == ["before", None]


def test_a_game_after_a_move_is_no_named_action() -> None:
    found = regressed("after win(?x) is GI :- after f(?x).", timeless=True)
    assert shown(found.rule) == "win(?x) is GI :- f(?x)."


def test_variables_get_the_names_of_their_rules() -> None:
    names = VariableNames()
    assert [names(old) for old in ("a~1", "a~2", "a~1", "b9~3", "b9~4", "_3~1", "_4~1", "7~1", "7~2")] == [
        "a", "a2", "a", "b9", "b2", "x", "x2", "7", "x3",
    ]  # fmt: skip
    assert VariableNames({"a~1": "_1"})("a~1") == "_1"


def test_a_rule_is_written_as_people_would() -> None:
    rule = rule_of("learned: d(?x) :- n(?x, ?k), at(?x, ?y), 3 < ?k, 2 = 2, ?k != 7.")
    found = normalised(Regressed(rule, (step("r", "before", a="?y", b="?x"),)))
    assert shown(found.rule) == "d(?x) :- n(?x, ?k), at(?x, _), ?k > 3, 2 = 2, ?k != 7."
    assert found.steps == (step("r", "before", a="?_1", b="?x"),)


def test_what_stands_once_in_comparisons_only_keeps_its_name() -> None:
    found = normalised(Regressed(rule_of("learned: d(?x) :- f(?x), ?y = 3."), ()))
    assert shown(found.rule) == "d(?x) :- f(?x), ?y = 3."
