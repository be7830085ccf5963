"""Tests of warnings about code that is legal but rarely intended: where they appear, and where they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.kb.check.habits.similar_names import are_similar
from hornbook.kb.load.verdict import verdict
from oracles.pages.checking import found

ROOT = Path(__file__).parents[3]
HABITS = {"HB053", "HB054", "HB055", "HB076"}
SHIPPED = sorted(
    path
    for folder in ("theories", "oracles", "app/hornbook/commands")
    for path in (ROOT / folder).rglob("*.horn")
)
WORDS = "sort person.\nstatic parent(person, person).\nderived kin(person, person).\n"


def codes(text: str) -> list[str]:
    return [code for _, code in found(WORDS + text)]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_no_file_that_ships_is_reported(path):
    assert not HABITS & {diagnostic.code for diagnostic in verdict(path).diagnostics}


@pytest.mark.parametrize(
    ("one", "other"), [("ann", "anm"), ("from", "form"), ("Old", "old"), ("will", "wiil"), ("vest", "west")]
)
def test_slips(one, other):
    assert are_similar(one, other)
    assert are_similar(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x1", "x2"),
        ("point", "points"),
        ("day", "may"),
        ("row12", "row21"),
        ("left", "felt"),
        ("count", "court"),
    ],
)
def test_names_that_are_reported_apart(one, other):
    assert not are_similar(one, other)


def test_variables_of_different_levels_and_rules_are_not_compared():
    assert codes("kin(?ann, ?x) :- parent(?ann, ?x).\nkin(?anm, ?x) :- parent(?x, ?anm).") == []


def test_a_file_with_other_mistakes_has_these_reported_only():
    alike = "kin(?ann, ?anm) :- parent(?ann, ?c), parent(?c, ?anm), ?ann != ?anm.\n"
    assert codes(alike) == ["HB053"]
    assert codes(alike + "kin(?a, ?b) :- parnt(?a, ?b).") == ["HB010"]


def test_a_file_that_declares_for_others_is_left_only():
    assert codes("action visit(person).\nmeta best(person).") == []
    assert codes("action visit(person).\nkin(?a, ?b) :- parent(?a, ?b).") == []
    assert codes("meta best(person).\nkin(?a, ?b) :- parent(?a, ?b).") == ["HB054"]


def test_what_only_a_frame_an_example_or_an_expectation_speaks_of_is_used():
    text = "fluent ill(person).\naction visit(person).\naction heal(person).\nframe ill(?p): visit(?p); heal(?p).\n"
    assert codes(text + "kin(?a, ?b) :- parent(?a, ?b).") == []
    assert (
        codes(
            "derived far(person).\nkin(?a, ?b) :- parent(?a, ?b).\nexample e: parent(a, b).\nexpect e: far(a)."
        )
        == []
    )


@pytest.mark.parametrize("known", ["parent(Mid, Zeus).", "example e: parent(Mid, ann)."])
def test_a_word_that_a_fact_knows_is_meant(known):
    rule = "kin(?x, ?z) :- parent(?x, Mid), parent(Mid, ?z).\n"
    assert codes(rule) == ["HB055"]
    assert codes(rule + known) == []
    assert codes(rule.replace("Mid", "'Mid'")) == []


@pytest.mark.parametrize(
    "body",
    [
        "parent(?a, ?b), parent(?a, ?b)",
        "parent(?a, ?b), parent(?b, _), parent(?b, _)",
        "parent(?a, ?b), ?a != ?b, ?a != ?b",
        "parent(?a, ?b), (parent(?b, ?a), parent(?b, ?a) or parent(?b, ann))",
        "parent(?a, ?b), parent(?a, ?b), (parent(?b, ?a) or parent(?b, ann))",
    ],
)
def test_a_repeated_condition(body):
    assert codes(f"kin(?a, ?b) :- {body}.") == ["HB076"]


@pytest.mark.parametrize(
    "body",
    [
        "parent(?a, ?b), parent(?b, ?a)",
        "parent(?a, _), parent(_, ?b), parent(?b, _)",
        # `or` repeats conditions in alternatives.
        "parent(?a, ?b), (parent(?a, ?b) or parent(ann, ?b))",
        "(parent(?a, ?b) or parent(?b, ?a)), (parent(?a, ?b) or parent(ann, ?b), parent(?a, _))",
        # A variable that occurs once in an alternative becomes a wildcard.
        "parent(?a, ?c), parent(?a, ?d), parent(_, ?b), (parent(?c, ?d) or parent(?b, ann))",
    ],
)
def test_conditions_that_are_not_repeated(body):
    assert codes(f"kin(?a, ?b) :- {body}.") == []


def test_groups_of_two_aggregates_are_not_repeated():
    body = "?n = count ?b by ?a where parent(?a, ?b), ?m = count ?c by ?a where parent(?a, ?c)"
    text = f"meta families(person, int).\nfamilies(?a, ?n + ?m) :- {body}.\nkin(?a, ?b) :- parent(?a, ?b)."
    assert codes(text) == []
