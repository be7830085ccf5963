"""Tests of the integers that all rules about a game need."""

from __future__ import annotations

from hornbook.compiler.match.needed_numbers import needed_numbers
from hornbook.kb.ast.terms import Rule
from hornbook.kb.parse.syntax import parse


def rules_of(text: str) -> list[Rule]:
    parsed = parse(text)
    assert not parsed.diagnostics, parsed.diagnostics
    return [clause for clause in parsed.clauses if isinstance(clause, Rule)]


def test_only_conditions_of_all_rules_of_a_game_count():
    found = needed_numbers(
        rules_of("""
one: take(?x) is IG :- size(?x, 1), edge(?x, 2).
two: take(?y) by go(?z) is GI :- size(?y, 3), edge(?z, 2), edge(?y, 4).
other: keep(?x) is IG :- edge(?x, 2).
""")
    )
    assert found == {
        "size": {"take": {1, 3}},
        "edge": {"take": {2, 4}, "keep": {2}},
    }


def test_a_rule_without_such_a_condition_leaves_nothing():
    for body in ("size(?y, 1)", "size(?x, ?n)", "size(1, ?x)", "size(?x, ?n), ?n > 0", "absent size(?x, 1)"):
        rules = rules_of(
            f"one: take(?x) is IG :- size(?x, 1), place(?x).\ntwo: take(?x) is IG :- place(?x), place(?y), size(?x, ?n), {body}."
        )
        assert needed_numbers(rules) == {}, body


def test_games_of_several_things_or_of_a_certain_one_are_left_out():
    assert needed_numbers(rules_of("one: meet(?x, ?y) is IG :- size(?x, 1), size(?y, 1).")) == {}
    assert needed_numbers(rules_of("one: take(a) is IG :- size(a, 1).")) == {}
    assert needed_numbers([]) == {}
