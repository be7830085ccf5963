"""Tests of query parameters: an argument is a value, whatever characters it contains."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.kb.ast.terms import MAX_INTEGER, MIN_INTEGER, Comparison, Constant, leaves
from hornbook.kb.parse.syntax import parse, parse_open_queries, parse_query
from hornbook.kb.sources.diagnostics import TheoryError

QUERIES = [
    ("may($a, ?x)", "may(V, ?x)"),
    ("?- before in($a, ?p), absent after in($a, ?p).", "before in(V, ?p), absent after in(V, ?p)"),
    ("all ?x in near($a, ?x): free(?x, $a)", "all ?x in near(V, ?x): free(?x, V)"),
    ("?n = count ?x in (near($a, ?x) or near(b, ?x)) but $a", "?n = count ?x in (near(V, ?x) or near(b, ?x)) but V"),
    ("?n = sum ?w where (in(?b, $a), weight(?b, ?w))", "?n = sum ?w where (in(?b, V), weight(?b, ?w))"),
    ("take($a) by move($a, ?p) is ?v", "take(V) by move(V, ?p) is ?v"),
]  # fmt: skip


@pytest.mark.parametrize(("queried", "meant"), QUERIES)
@given(value=st.one_of(st.text(), st.integers(MIN_INTEGER, MAX_INTEGER)))
def test_a_query_with_parameters_means_the_query_with_their_values(queried, meant, value):
    # The expected query has a plain word whose place the value takes afterwards, so no text is built from the
    # value.
    expected = [
        [Constant(value) if leaf == Constant("V") else leaf for leaf in leaves(condition)]
        for condition in parse_query(meant.replace("V", "'V'")).conditions
    ]
    found = parse_query(queried, parameters={"a": value}).conditions
    assert [list(leaves(condition)) for condition in found] == expected


@given(value=st.integers(MIN_INTEGER, MAX_INTEGER))
def test_numbers_are_compared_and_calculated_with(value):
    found = parse_query("level(?n), ?n * 2 - $least > max($least, 1)", parameters={"least": value})
    comparison = found.conditions[1]
    assert isinstance(comparison, Comparison)
    assert [leaf.value for leaf in leaves(comparison) if isinstance(leaf, Constant)] == [2, value, value, 1]


def refusal(text, **values):
    with pytest.raises(TheoryError) as refused:
        parse_query(text, parameters=values)
    return [(d.code, d.message, d.help, d.span.column) for d in refused.value.diagnostics]


def test_what_is_reported_of_parameters_without_a_value_and_values_without_a_parameter():
    assert refusal("may($user, $thing), owns($user, $thing)", usr="ann", thing="door") == [
        ("HB052", "the query has no parameter `$usr`", "did you mean `$user`?", 1),
        ("HB052", "the parameter `$user` has no value",
         'give it one: `--set user=VALUE`, or from Python `parameters={"user": VALUE}`', 5),
    ]  # fmt: skip
    assert refusal("may(?user)", user="ann") == [
        ("HB052", "the query has no parameter `$user`", "leave the value out; a parameter is written `$user`", 1)
    ]  # fmt: skip
    assert refusal("may($user)", user="ann", thing_or_place="door") == [
        ("HB052", "the query has no parameter `$thing_or_place`",
         "leave the value out, or name one of the parameters that it has", 1)
    ]  # fmt: skip


def test_integers_fit_into_64_bits_and_nothing_but_words_and_integers_is_a_value():
    (output,) = refusal("level($n)", n=MAX_INTEGER + 1)
    assert output[:2] == ("HB006", "the value of `$n` does not fit into 64 bits")
    for value in (1.0, None, True, b"ann", ["ann"]):
        with pytest.raises(TypeError, match=r"the value of `\$n` is (the|a) .*, but must be a str or an int"):
            parse_query("level($n)", parameters={"n": value})


@pytest.mark.parametrize(
    "text", ["all $x in near(?x): free(?x)", "?n = count $x in near($x)", "$p(a)", "x($ user)"]
)
def test_no_parameter_stands_for_a_variable_that_is_listed_or_for_a_predicate(text):
    with pytest.raises(TheoryError):
        parse_open_queries(text)[0]


def test_no_file_has_parameters():
    text = "p($a). q(?x) :- r(?x, $b). example e: p($c). expect e: p($d). frame in(?x, ?y): p($e). s(a)."
    parsed = parse(text.replace(". ", ".\n"))
    assert [d.code for d in parsed.diagnostics] == ["HB052"] * 5
    assert len(parsed.clauses) == 1
