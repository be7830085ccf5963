"""Tests of the phrases for conditions, built from the words that a theory declares."""

from __future__ import annotations

import pytest

from hornbook.kb.explain.descriptions import NO_WORDS, Words
from hornbook.kb.load.loader import load
from hornbook.kb.parse.syntax import parse_query

THEORY = """\
sort point.
action go(point).
fluent stones(point, int) says "?1 has ?2 stones".
derived near(point, point) says "beside ?2, and not far from ?2, lies ?1?".
derived quiet(point).
fluent all_is_well says "all is well".
"""


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    path = tmp_path_factory.mktemp("words") / "said.horn"
    path.write_text(THEORY, encoding="utf-8")
    return Words(load(path).vocabulary.predicates)


def condition(text):
    (found,) = parse_query(text).conditions
    return found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stones(a, 3)", "a has 3 stones"),
        ("before stones(a, 3)", "a has 3 stones"),
        ("after stones(a, 3)", "a has 3 stones after the action"),
        ("stones('an odd ?2', -3)", "'an odd ?2' has -3 stones"),
        ("stones(?x, _)", "?x has some stones"),
        ("near(a, b)", "beside b, and not far from b, lies a?"),
        ("all_is_well", "all is well"),
        ("quiet(a)", "quiet(a)"),
        ("strange(a)", "strange(a)"),
        ("stones(a)", "stones(a)"),
        ("?x != ?y", "?x != ?y"),
        ("absent stones(a, 3)", "absent stones(a, 3)"),
    ],
)
def test_a_condition_is_reported_in_words_or_as_it_is_written(words, text, message):
    assert words.say(condition(text)) == message
    assert (words.of(condition(text)) is None) == (message == text)
    assert NO_WORDS.say(condition(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("absent stones(a, 3)", "a has 3 stones"),
        ("absent stones(a, _)", "a has some stones"),
        ("absent stones(a, ?n)", "a has some stones"),
        ("absent (stones(a, ?n), ?n > 3)", "a has ?n stones and ?n > 3"),
        ("absent quiet(a)", "quiet(a)"),
    ],
)
def test_the_conditions_of_an_absence_are_reported_in_words(words, text, message):
    assert words.of_absence(condition(text)) == message


def test_terms_are_known_in_the_order_of_the_words(words):
    assert [str(term.value) for term in words.spoken(condition("near(a, b)"))] == ["b", "b", "a"]
    assert [str(term.value) for term in words.spoken(condition("quiet(a)"))] == ["a"]
    assert words.spoken(condition("1 < 2")) == ()
