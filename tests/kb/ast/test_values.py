"""Tests of the algebra of game values, exhaustive over all values."""

from __future__ import annotations

from itertools import product

import pytest

from hornbook.kb.ast.values import (
    J1,
    J2,
    VALUES,
    ContradictionError,
    J,
    Side,
    Value,
    at_level,
    combine,
    common,
    fall,
    is_value,
    level,
    negate,
    of_moves,
    of_one_move,
    outcome_class,
    regress,
    rise,
    says_no_more,
    value,
    value_of_class,
)

LEVELS = [J, J1, J2]
SIDES: tuple[Side, ...] = ("friend", "opponent")
every_level = pytest.mark.parametrize("values", LEVELS, ids=["J", "J1", "J2"])


def nothing(values: tuple[Value, ...]) -> Value:
    return Value("I" * len(values[0]))


def combined(one: Value, other: Value) -> Value | None:
    try:
        return combine(one, other)
    except ContradictionError:
        return None


# Words


def test_there_are_three_and_nine_and_eighty_one():
    assert [len(set(values)) for values in LEVELS] == [3, 9, 81]
    assert set(VALUES) == {*J, *J1, *J2}
    assert all(value(word) == word and is_value(word) for word in VALUES)


@pytest.mark.parametrize("word", ["", "X", "g", "GIP", "GIG", "GIIIX", "GIIIG", "G I", "IIIII", "GIIIIIII"])
def test_other_words_are_no_values(word):
    assert not is_value(word)
    with pytest.raises(ValueError, match="is no value of a game"):
        value(word)


# Information


@every_level
def test_information_is_an_order_with_nothing_at_the_bottom(values):
    for a in values:
        assert says_no_more(a, a)
        assert says_no_more(nothing(values), a)
        for b in values:
            assert not (says_no_more(a, b) and says_no_more(b, a)) or a == b
            for c in values:
                assert not (says_no_more(a, b) and says_no_more(b, c)) or says_no_more(a, c)


@every_level
def test_common_is_the_greatest_lower_bound(values):
    for a, b in product(values, values):
        both = common(a, b)
        lower = [c for c in values if says_no_more(c, a) and says_no_more(c, b)]
        assert both in lower
        assert all(says_no_more(c, both) for c in lower)


@every_level
def test_combine_is_the_least_upper_bound_and_fails_where_there_is_none(values):
    for a, b in product(values, values):
        upper = [c for c in values if says_no_more(a, c) and says_no_more(b, c)]
        together = combined(a, b)
        assert (together is None) == (not upper)
        if together is not None:
            assert together in upper
            assert all(says_no_more(together, c) for c in upper)


@every_level
def test_combine_and_common_are_those_of_a_lattice_where_they_are_defined(values):
    for a in values:
        assert combine(a) == combine(a, a) == combine(a, nothing(values)) == common(a, a) == a
    for a, b in product(values, values):
        assert combined(a, b) == combined(b, a)
        assert common(a, b) == common(b, a)
        assert combine(a, common(a, b)) == a
        together = combined(a, b)
        if together is not None:
            assert common(a, together) == a


@pytest.mark.parametrize("values", [J, J1], ids=["J", "J1"])
def test_combine_and_common_are_associative(values):
    for a, b, c in product(values, values, values):
        assert common(common(a, b), c) == common(a, common(b, c))
        ab, bc = combined(a, b), combined(b, c)
        left = None if ab is None else combined(ab, c)
        right = None if bc is None else combined(a, bc)
        assert left == right


def test_no_values_say_nothing():
    assert combine() == "I"


@pytest.mark.parametrize(
    ("values", "first", "second"),
    [
        (("G", "P"), "G", "P"),
        (("GI", "IG", "PI"), "GI", "PI"),
        (("GIII", "IIPI", "IIII", "IPGI"), "IIPI", "IPGI"),
        (("GI", "IPII"), "GI", "IPII"),  # J2 falls to J1 by its inner letters
        (("P", "IG"), "P", "IG"),
    ],
)
def test_won_and_lost_contradict_each_other(values, first, second):
    with pytest.raises(ContradictionError) as problem:
        combine(*map(value, values))
    assert (problem.value.first, problem.value.second) == (first, second)
    assert str(problem.value) == f"`{first}` and `{second}` contradict each other"


def test_values_of_several_levels_combine_at_the_highest():
    assert combine(value("GI"), value("GIII")) == "GGII"
    assert combine(value("G"), value("IG")) == "GG"
    assert combine(value("PI"), value("GIIP")) == "GPIP"
    assert combine(value("GI"), value("PIII")) == "PGII"  # FF says P, FO says G: the orders of play differ


# Levels


def test_the_examples_of_the_source_fall():
    assert fall(value("GIII")) == "II"
    assert fall(value("IGII")) == "GI"
    assert fall(value("GPIP")) == "PI"
    assert fall(value("GG")) == "G"
    assert fall(value("GP")) == "I"


@pytest.mark.parametrize("values", [J, J1], ids=["J", "J1"])
def test_rising_and_falling_loses_nothing(values):
    assert all(fall(rise(v)) == v for v in values)


def test_falling_and_rising_adds_nothing():
    for v in (*J1, *J2):
        assert says_no_more(rise(fall(v)), v)


@pytest.mark.parametrize(("lower", "upper"), [(J, J1), (J1, J2)], ids=["J-J1", "J1-J2"])
def test_rising_is_the_least_that_falls_to_a_value(lower, upper):
    for v, w in product(lower, upper):
        assert says_no_more(rise(v), w) == says_no_more(v, fall(w))


def test_a_value_stays_where_it_is_at_the_ends():
    assert all(fall(v) == v for v in J)
    assert all(rise(v) == v for v in J2)
    for v in VALUES:
        assert at_level(v, level(v)) == v
    assert at_level(value("G"), 2) == "IGGI"
    assert at_level(value("IGGP"), 0) == "G"


# The two sides


@every_level
def test_negation_undoes_itself_and_keeps_information(values):
    assert {negate(v) for v in values} == set(values)
    assert all(negate(negate(v)) == v for v in values)
    for a, b in product(values, values):
        assert says_no_more(a, b) == says_no_more(negate(a), negate(b))
        together = combined(a, b)
        assert combined(negate(a), negate(b)) == (None if together is None else negate(together))


def test_negation_goes_with_rising_and_falling():
    for v in VALUES:
        assert negate(fall(v)) == fall(negate(v))
        assert negate(rise(v)) == rise(negate(v))


def test_negation_by_example():
    assert negate(value("GI")) == "IP"  # won if the friend plays first = lost if their opponent does
    assert negate(value("GP")) == "GP"
    assert negate(value("PG")) == "PG"
    assert negate(value("GIII")) == "IIIP"


def test_outcome_classes_are_those_of_table_one():
    left = {"G": "WL", "P": "LL"}
    right = {"G": "LR", "P": "WR"}
    table = {
        ("LL", "LR"): "zero",
        ("WL", "LR"): "positive",
        ("LL", "WR"): "negative",
        ("WL", "WR"): "fuzzy",
    }
    for x, y in product("GP", "GP"):
        assert outcome_class(value(x + y)) == table[left[x], right[y]]
    assert {v for v in J1 if outcome_class(v) is None} == {v for v in J1 if "I" in v}


def test_outcome_classes_and_values_correspond():
    for v in J1:
        outcome = outcome_class(v)
        if outcome is not None:
            assert value_of_class(outcome) == v
    assert outcome_class(value("IGPI")) == "fuzzy"
    assert outcome_class(value("G")) == "positive"
    negated = {"zero": "zero", "fuzzy": "fuzzy", "positive": "negative", "negative": "positive"}
    assert {outcome_class(negate(v)) for v in J1} == {None, *negated}
    for v in J1:
        outcome = outcome_class(v)
        assert outcome_class(negate(v)) == (None if outcome is None else negated[outcome])


# Moves


def test_regression_by_example():
    assert regress(value("GI"), "friend") == "GIII"  # a threat
    assert fall(regress(value("IG"), "friend")) == "GI"  # won for both orders of moves
    assert regress(value("G"), "friend") == "GI"
    assert regress(value("P"), "opponent") == "IP"
    assert fall(regress(value("PI"), "opponent")) == "IP"
    assert regress(value("IGPI"), "friend") == "GPII"


@pytest.mark.parametrize("mover", SIDES)
def test_regression_keeps_the_order_of_information(mover):
    for values in LEVELS:
        for a, b in product(values, values):
            if says_no_more(a, b):
                assert says_no_more(regress(a, mover), regress(b, mover))
            together = combined(a, b)
            if together is not None:
                assert regress(together, mover) == combine(regress(a, mover), regress(b, mover))


@pytest.mark.parametrize("mover", SIDES)
def test_regression_says_at_each_level_the_same(mover):
    for v in J:
        assert fall(regress(rise(v), mover)) == regress(v, mover)
    for v in J2:
        assert regress(v, mover) == regress(fall(v), mover)


def test_regression_through_one_side_mirrors_that_through_the_other():
    for v in VALUES:
        assert negate(regress(v, "friend")) == regress(negate(v), "opponent")


def test_one_good_move_is_enough_and_one_bad_move_says_nothing():
    assert of_one_move(value("GI")) == "GI"
    assert of_one_move(value("PI")) == "II"
    assert of_one_move(value("IP")) == "IP"
    assert of_one_move(value("IG")) == "II"
    assert of_one_move(value("GPII")) == "GIII"
    assert of_one_move(value("IIGP")) == "IIIP"
    with pytest.raises(ValueError, match="says nothing of a move"):
        of_one_move(value("G"))


def test_what_one_move_gives_keeps_order_levels_and_sides():
    for values in (J1, J2):
        for a, b in product(values, values):
            if says_no_more(a, b):
                assert says_no_more(of_one_move(a), of_one_move(b))
    for v in (*J1, *J2):
        assert says_no_more(of_one_move(v), v)
        assert of_one_move(of_one_move(v)) == of_one_move(v)
        assert negate(of_one_move(v)) == of_one_move(negate(v))
    for v in J2:
        assert fall(of_one_move(v)) == of_one_move(fall(v))


def test_of_moves_is_lost_only_where_every_move_is_known_and_refuted():
    assert of_moves([value("P"), value("P")], "friend", complete=True) == "PI"
    assert of_moves([value("P"), value("P")], "friend", complete=False) == "II"
    assert of_moves([value("P"), value("I")], "friend", complete=True) == "II"
    assert of_moves([value("P"), value("G")], "friend", complete=False) == "GI"
    assert of_moves([value("G"), value("G")], "opponent", complete=True) == "IG"
    assert of_moves([value("GP"), value("PG")], "friend", complete=True) == "GGII"  # by two moves
    assert of_moves([value("PP"), value("IP")], "friend", complete=True) == "IPII"
    assert of_moves([value("G"), value("IPGI")], "opponent", complete=False) == "IIPI"


def test_of_moves_needs_a_move():
    with pytest.raises(ValueError, match="the value that its rules declare"):
        of_moves([], "friend", complete=True)


@pytest.mark.parametrize("complete", [False, True])
def test_of_moves_keeps_order_and_sides(complete):
    for a, b, c in product(J1, J1, J1):
        if says_no_more(a, b):
            less = of_moves([a, c], "friend", complete=complete)
            assert says_no_more(less, of_moves([b, c], "friend", complete=complete))
        mirrored = of_moves([negate(a), negate(c)], "opponent", complete=complete)
        assert negate(of_moves([a, c], "friend", complete=complete)) == mirrored
    for a, b in product(J1, J1):
        one = of_one_move(regress(a, "friend"))
        other = of_one_move(regress(b, "friend"))
        assert of_moves([a, b], "friend", complete=False) == combine(one, other)
