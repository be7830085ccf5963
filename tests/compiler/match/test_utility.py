"""Credit for answers, and rules of no use: without them the others give the same answers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hornbook.compiler.match.utility import credited, useless
from hornbook.kb.ast.terms import Rule
from hornbook.kb.parse.syntax import parse

NAMES = ("a", "b", "c", "d", "e")


def rules(text: str) -> list[Rule]:
    return [clause for clause in parse(text).clauses if isinstance(clause, Rule)]


SEPARATE = rules("".join(f"{name}: p(?x) :- q(?x).\n" for name in NAMES))
ANSWERS = st.dictionaries(st.sampled_from(NAMES), st.sets(st.integers(0, 7)))


@given(ANSWERS)
def test_without_useless_rules_the_answers_are_the_same(answers):
    removed = useless(answers, SEPARATE)
    assert set().union(*answers.values()) == set().union(
        *(given for name, given in answers.items() if name not in removed)
    )


@given(ANSWERS)
def test_a_rule_with_an_answer_of_its_own_is_of_use(answers):
    for name in useless(answers, SEPARATE):
        others = set().union(*(given for other, given in answers.items() if other != name))
        assert answers[name] <= others


@given(ANSWERS)
def test_every_answer_is_credited_to_one_of_the_rules_with_most_answers(answers):
    for answer, name in credited(answers).items():
        givers = [given for given in answers.values() if answer in given]
        assert answer in answers[name]
        assert len(answers[name]) == max(map(len, givers))


@given(ANSWERS, st.integers(0, 4))
def test_a_rule_with_few_answers_is_not_judged(answers, least):
    assert useless(answers, SEPARATE, least) == [
        name for name in useless(answers, SEPARATE) if len(answers[name]) >= least
    ]


def test_a_rule_on_whose_conclusions_another_depends_is_of_use():
    chained = rules("first: p(?x) :- q(?x).\nsecond: r(?x) :- p(?x).\nthird: s(?x) :- q(?x).\n")
    answers = {"first": set(), "second": {1}, "third": set()}
    assert useless(answers, chained) == ["third"]
