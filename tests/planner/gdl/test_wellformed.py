"""Tests of well-formedness checks.

Every mistake in a sheet is reported once, at its place, together with all others. Correct sheets pass.
"""

from __future__ import annotations

import pytest

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.planner.gdl.game import Game
from hornbook.planner.gdl.wellformed import validate

LAMP = """
(role player)
(init dark)
(<= (legal player switch) (true dark))
(<= (next light) (does player switch))
(<= terminal (true light))
(<= (goal player 100) (true light))
(<= (goal player 0) (not (goal player 100)))
"""


def messages(text: str) -> list[tuple[str, str, int, int]]:
    """Return severity, code, line and column of each diagnostic."""
    return [
        (found.severity, found.code, found.span.line, found.span.column)
        for found in validate(text, "sheet.kif").diagnostics
    ]


def added(clauses: str) -> list[tuple[str, str, int, int]]:
    """Return the same for clauses that begin at line 9."""
    return messages(LAMP + clauses)


def test_a_sheet_without_mistakes():
    sheet = validate(LAMP, "sheet.kif")
    assert sheet.diagnostics == ()
    assert sheet.program is not None


def test_several_mistakes_are_reported_in_one_run():
    clauses = "(p ?x)\n(p a b)\n(<= (legal player wait) (does player wait))\n(<= (init p) (next p))\n(<= r"
    found = validate(LAMP + clauses, "sheet.kif").diagnostics
    assert sorted(each.code for each in found) == ["HB101", "HB104", "HB104", "HB105", "HB106"]
    with pytest.raises(TheoryError) as refused:
        Game(LAMP + clauses, "sheet.kif")
    assert len(refused.value.diagnostics) == len(found)


@pytest.mark.parametrize(
    "clause",
    [
        "(<= terminal (true ?x) (distinct ?x dark) (true light))",
        "(<= terminal (or (true ?x) (does player ?x)) (distinct ?x dark))".replace("does", "legal"),
        "(<= terminal (true ?x) (not (or (distinct ?x light) (true dark))))",
        "(<= terminal (not (not (true light))))",
        "(<= terminal (and (true ?x) (and (not (true dark)))) (distinct ?x light))",
        "(<= (goal player 50) (or (true light) (true dark)))",
        "(<= (base ?x) (init ?x))",
        "(<= (input ?r switch) (role ?r))",
    ],
)
def test_what_binds_its_variables_and_rests_on_what_is_there_is_right(clause):
    assert added(clause) == []


@pytest.mark.parametrize(
    ("clause", "code", "column"),
    [
        ("(init ?x)", "HB106", 7),
        ("(<= (goal ?r 7) (true light))", "HB106", 11),
        ("(<= terminal (not (true ?x)))", "HB106", 25),
        ("(<= terminal (not (and (true light) (legal player ?x))))", "HB106", 51),
        ("(<= terminal (true ?x) (distinct ?y ?x))", "HB106", 34),
        ("(<= terminal (not (distinct ?y light)))", "HB106", 29),
        ("(<= (next ?x) (or (true ?x) (true dark)))", "HB106", 11),
        ("(<= terminal (does player switch))", "HB104", 14),
        ("(<= (init light) (legal player switch))", "HB104", 18),
        ("(<= (base light) (or (init dark) (not (true dark))))", "HB104", 39),
        ("(<= (role ?x) (init ?x))", "HB104", 5),
        ("(role (player 2))", "HB104", 7),
        ("(sees player dark)", "HB104", 1),
        ("(<= terminal (sees player dark))", "HB104", 14),
        ("(<= (next dark) (true (not dark)))", "HB104", 23),
        ("(<= (next dark) not (true dark))", "HB104", 17),
        ("(<= terminal (next light))", "HB104", 14),
        ("(<= terminal (true (does player switch)))", "HB104", 20),
        ("(<= (true light) (true dark))", "HB104", 5),
        ("(<= terminal <= (true dark))", "HB104", 14),
        ("(<= (next (f ?x)) (true ?x))", "HB108", 5),
        ("(<= (next (f ?x ?x)) (true ?x))", "HB108", 5),
        ("(<= (next (f ?x ?y)) (true ?x) (true ?y))", "HB108", 5),
        ("(<= (legal player (f ?x)) (legal player ?x))", "HB108", 5),
        ("(true light)", "HB104", 1),
        ("(role)", "HB103", 1),
        ("terminal", "HB102", 1),
        ("(<= ?x (true light))", "HB102", 5),
    ],
)
def test_one_mistake_is_reported_once_where_it_stands(clause, code, column):
    assert [(*found, code) for found in added(clause)] == [("error", code, 9, column, code)]


def test_what_a_relation_rests_on_is_followed():
    clauses = "(<= done (does player ?m))\n(<= late (or (not done) (true light)))\n(<= terminal late)"
    assert added(clauses) == [("error", "HB104", 11, 14)]
    message = validate(LAMP + clauses, "sheet.kif").diagnostics[0].message
    assert message == "`terminal` is evaluated before any move, and `late` depends on `does`"


def test_a_circle_through_not_names_its_relations():
    clauses = "(<= a (not b))\n(<= b (or c (true dark)))\n(<= c (true dark) a)"
    (found,) = validate(LAMP + clauses, "sheet.kif").diagnostics
    assert (found.code, found.span.line, found.span.column) == ("HB107", 9, 5)
    assert {"`a`", "`b`", "`c`"} <= set(found.message.replace(" →", "").split())


def test_the_number_of_arguments_that_is_used_most_is_meant():
    clauses = "(<= terminal (p a b))\n(p a)\n(p b)"
    assert added(clauses) == [("error", "HB105", 9, 14)]
    assert added("(init (on a))\n(<= terminal (true (on a)) (true (on a b)))") == [("error", "HB105", 10, 34)]


@pytest.mark.parametrize("missing", ["role", "legal", "terminal", "goal", "init", "next"])
def test_what_no_game_can_lack(missing):
    left = "\n".join(
        line for line in LAMP.splitlines() if f"({missing} " not in line[:13] and f"<= {missing}" not in line
    )
    found = [each for each in validate(left, "sheet.kif").diagnostics if each.code == "HB109"]
    assert [f"`{missing}`" in each.message for each in found] == [True]
    assert found[0].severity == ("warning" if missing in ("init", "next") else "error")


def test_an_empty_sheet():
    assert messages("; nothing") == [("error", "HB109", 1, 1)]


def test_conditions_that_never_hold_are_suspicious():
    clauses = (
        "(<= terminal (true (ligth)))\n(<= terminal lihgt)\n"
        "(lights on)\n(<= (next light) (does player swich) (lights on))\n(<= (goal player 1) (lihgts on))"
    )
    found = validate(LAMP + clauses, "sheet.kif").diagnostics
    assert [(each.severity, each.code, each.span.line) for each in found] == [
        ("warning", "HB010", line) for line in (9, 10, 12, 13)
    ]
    assert [each.help for each in found][0::2] == ["did you mean `light`?", "did you mean `switch`?"]
    assert found[3].help == "did you mean `lights`?"
    assert validate(LAMP + clauses, "sheet.kif").program is not None


def test_a_variable_in_init_stands_for_every_state():
    assert added("(<= (init ?x) (given ?x))\n(given warm)\n(<= terminal (true warm))") == []


def test_a_relation_that_nothing_asks_for_is_suspicious():
    assert added("(lights on)\n(lights off)") == [("warning", "HB054", 9, 1)]


def test_a_hundred_thousand_parentheses():
    assert added("(" * 100_000 + ")" * 100_000) == [("error", "HB004", 9, 101)]


def test_infix_is_named():
    (found,) = validate("role(player)\nlegal(P, switch) :- true(dark)", "sheet.kif").diagnostics
    assert (found.code, found.span.line) == ("HB102", 1)
    assert "infix" in found.help


@pytest.mark.deep
def test_thousands_of_conditions_are_no_calls_within_calls():
    clause = f"(<= terminal {'(true light) ' * 4000})"
    assert Game(LAMP + clause).roles == ("player",)
    assert added(clause) == []
    with pytest.raises(TheoryError, match="HB004"):
        Game(LAMP + f"(<= terminal {'(true light) ' * 4100})")


def test_many_shapes_are_refused_in_time():
    states = "".join(f"(init (f{number} 1))" for number in range(10))
    queried = " ".join(f"(true ?x{number})" for number in range(9))
    assert added(f"{states}(<= terminal {queried})")[0][:2] == ("error", "HB108")


@pytest.mark.parametrize("value", ["many", "101", "-1", "050", "50.5", "1e2", "(f 1)", "(f ?x)", "²"])
def test_a_goal_that_is_not_an_integer_from_0_to_100_is_refused(value):
    assert added(f"(<= (goal player {value}) (true ?x))") == [("error", "HB104", 9, 18)]


@pytest.mark.parametrize("value", ["0", "1", "99", "100"])
def test_a_goal_from_0_to_100_is_right(value):
    assert added(f"(<= (goal player {value}) (true dark))") == []


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        (
            "(worth many)\n(worth 101)\n(<= (goal player ?v) (true dark) (worth ?v))",
            [("error", "HB104", 11, 18)],
        ),
        ("(worth player (f 1))\n(<= (goal ?p ?v) (worth ?p ?v))", [("error", "HB104", 10, 14)]),
        ("(worth many)\n(worth 10)\n(<= (goal player ?v) (true dark) (worth ?v))", []),
        ("(worth many)\n(<= (worth ?v) (true ?v))\n(<= (goal player ?v) (worth ?v))", []),
    ],
)
def test_a_goal_that_no_fact_makes_an_integer_is_refused(clauses, expected):
    lamp = LAMP.replace("(<= (goal player 0) (not (goal player 100)))", "")
    assert messages(lamp + clauses) == expected


def test_two_goals_that_are_facts_contradict_each_other():
    found = added("(goal player 30)\n(goal player 30)\n(goal player 40)")
    assert found[-1] == ("error", "HB104", 11, 1)


@pytest.mark.parametrize(
    ("clause", "line"),
    [
        ("(<= (goal player 30) (true light))", 9),
        ("(<= (goal player 30) (true light) (true ?x))", 9),
        ("(goal player 30)", 9),
        ("(<= (goal ?p 30) (role ?p))\n(<= (goal ?p 31) (role ?p) (true dark))", 10),
    ],
)
def test_two_goals_under_the_same_conditions_are_suspicious(clause, line):
    assert [found[:3] for found in added(clause)] == [("warning", "HB104", line)]


def test_goals_under_other_conditions_are_right():
    assert added("(<= (goal player 30) (true dark))\n(<= (goal player 40) (not (true dark)))") == []


@pytest.mark.parametrize(
    ("clause", "column"),
    [
        ("(goal playr 5)", 7),
        ("(legal playr switch)", 8),
        ("(<= (next light) (does playr switch))", 24),
        ("(input playr switch)", 8),
        ("(<= (next light) (not (legal playr switch)))", 30),
    ],
)
def test_a_name_that_is_no_role_is_suspicious(clause, column):
    assert added(clause) == [("warning", "HB010", 9, column)]


@pytest.mark.parametrize(
    "clause", ["(legal (f a) switch)", "(<= (next light) (does (f ?x) switch) (true ?x))"]
)
def test_a_role_that_is_a_function_is_refused(clause):
    assert [found[:3] for found in added(clause)] == [("error", "HB104", 9)]


def test_a_role_without_goal_or_legal_move_is_suspicious():
    found = validate(LAMP + "(role other)", "sheet.kif").diagnostics
    assert [(each.severity, each.code, each.span.line, each.span.column) for each in found] == [
        ("warning", "HB109", 9, 7)
    ] * 2
    assert ["the moves of" in found[0].message, "the goal of" in found[1].message] == [True, True]
    assert added("(role other)\n(<= (legal ?r wait) (role ?r))\n(<= (goal ?r 1) (role ?r))") == []


def test_a_word_of_the_state_is_not_a_function_of_it():
    assert added("(<= terminal (true (dark ?x)))") == [("warning", "HB010", 9, 14)]
    message = validate(LAMP + "(<= terminal (true (dark ?x)))", "sheet.kif").diagnostics[0].message
    assert message == "no state has `dark` with arguments: this condition never holds"
