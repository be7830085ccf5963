"""Tests of closed sets: `AllOf` and `CountOf` use given or derived counts and never count members themselves."""

from __future__ import annotations

import pytest

from hornbook.matcher.program.coded import (
    AllOf,
    Apply,
    ClosedSet,
    CodedPredicate,
    CodedRule,
    Compare,
    CountOf,
    Fact,
    Match,
    SetPremise,
    Var,
)
from hornbook.matcher.program.engine import Engine
from hornbook.matcher.program.errors import (
    KeyConflictError,
    MalformedError,
    OverfullSetError,
    UnsafeRuleError,
)

B, N, L, M, X = map(Var, range(5))
BLOCK, LIBERTY, LIBERTIES, EDGE, GOOD, PAIR, PAIRS = range(7)
PREDICATES = [
    CodedPredicate(1),
    CodedPredicate(2),
    CodedPredicate(2, key=1, counts=LIBERTY),
    CodedPredicate(1),
    CodedPredicate(1),
    CodedPredicate(2),
    CodedPredicate(1, key=0, counts=PAIR),
]
OF_B = ClosedSet(LIBERTIES, LIBERTY, (B,))
ON_THE_EDGE = AllOf(OF_B, (L,), (Match(EDGE, (L,)),))
GOOD_BLOCK = CodedRule("good", Match(GOOD, (B,)), (Match(BLOCK, (B,)), ON_THE_EDGE), 5)


def block(number: int, *liberties: int, count: int | None) -> list[Fact]:
    counted = [] if count is None else [Fact(LIBERTIES, (number, count))]
    return [Fact(BLOCK, (number,)), *counted, *(Fact(LIBERTY, (number, liberty)) for liberty in liberties)]


@pytest.fixture
def engine_with(make):
    def made(*facts: Fact, rules: tuple[CodedRule, ...] = ()) -> Engine:
        engine = make(PREDICATES)
        engine.update(add=facts, add_rules=rules)
        return engine

    return made


@pytest.mark.parametrize(
    ("liberties", "count", "edges", "holds"),
    [
        ((1, 2), 2, (1, 2), True),
        ((1, 2), 2, (1,), False),
        ((1, 2), 3, (1, 2), False),  # a member is unknown
        ((1, 2), None, (1, 2), False),  # never without a count
        ((), 0, (), True),
        ((), None, (), False),
        ((), 1, (1,), False),
    ],
)
def test_all_members_are_known_and_satisfy_the_conditions(engine_with, liberties, count, edges, holds):
    edge = [Fact(EDGE, (point,)) for point in edges]
    engine = engine_with(*block(7, *liberties, count=count), *edge, rules=(GOOD_BLOCK,))
    assert engine.facts(GOOD) == ({(7,)} if holds else set())


def test_all_without_conditions_says_that_every_member_is_known(engine_with):
    known = AllOf(OF_B, (L,), ())
    engine = engine_with(*block(7, 1, 2, count=2), *block(8, 1, count=2))
    assert engine.query([Match(BLOCK, (B,)), known], [B]) == [(7,)]


def test_the_conditions_may_speak_of_what_is_bound_outside(engine_with):
    other = AllOf(OF_B, (L,), (Compare("!=", L, X),))
    engine = engine_with(*block(7, 1, 2, count=2), Fact(EDGE, (2,)), Fact(EDGE, (3,)))
    assert engine.query([Match(BLOCK, (B,)), Match(EDGE, (X,)), other], [B, X]) == [(7, 3)]


def test_members_of_several_cells(engine_with):
    pairs = AllOf(ClosedSet(PAIRS, PAIR, ()), (L, M), (Compare("<", L, M),))
    engine = engine_with(Fact(PAIRS, (2,)), Fact(PAIR, (1, 2)), Fact(PAIR, (1, 3)))
    assert engine.query([pairs], []) == [()]
    engine.update(retract=[Fact(PAIR, (1, 3))], add=[Fact(PAIR, (3, 1))])
    assert engine.query([pairs], []) == []


def test_all_within_all(engine_with):
    shared = AllOf(ClosedSet(LIBERTIES, LIBERTY, (X,)), (M,), (Compare("!=", M, L),))
    apart = AllOf(OF_B, (L,), (shared,))
    engine = engine_with(*block(7, 1, 2, count=2), *block(8, 3, count=1), *block(9, 2, count=1))
    assert engine.query([Compare("=", B, 7), Match(BLOCK, (X,)), apart], [X]) == [(8,)]


def test_members_and_conditions_may_be_derived_in_the_same_recursion(engine_with):
    """Good blocks derive edges, and edges derive good blocks."""
    spread = CodedRule("spread", Match(EDGE, (L,)), (Match(GOOD, (B,)), Match(PAIR, (B, L))), 5)
    engine = engine_with(
        *block(1, count=0),
        *block(2, 10, 11, count=2),
        *block(3, 12, count=1),
        *block(4, 13, count=1),
        *[Fact(PAIR, pair) for pair in ((1, 10), (1, 11), (2, 12), (4, 13))],
        rules=(GOOD_BLOCK, spread),
    )
    assert engine.facts(GOOD) == {(1,), (2,), (3,)}


@pytest.mark.requires("immediate")
def test_a_count_may_be_concluded(engine_with):
    count = CodedRule("count", Match(LIBERTIES, (B, 1)), (Match(GOOD, (B,)),), 5)
    engine = engine_with(*block(7, 1, count=None), Fact(GOOD, (7,)), rules=(count,))
    assert engine.query([AllOf(ClosedSet(LIBERTIES, LIBERTY, (7,)), (L,), ())], []) == [()]
    with pytest.raises(OverfullSetError):
        engine.update(add=[Fact(LIBERTY, (7, 2))])


def test_more_members_than_the_count_is_an_error(engine_with):
    with pytest.raises(OverfullSetError) as caught:
        engine_with(*block(7, 1, 2, count=1))
    assert (caught.value.count, caught.value.members) == (Fact(LIBERTIES, (7, 1)), 2)


@pytest.mark.parametrize("rules", [(), (GOOD_BLOCK,)])
def test_a_negative_count_is_an_error(engine_with, rules):
    with pytest.raises(OverfullSetError):
        engine_with(*block(7, count=-1), rules=rules)


def test_two_counts_of_one_set_are_an_error(engine_with):
    with pytest.raises(KeyConflictError):
        engine_with(*block(7, 1, count=1), Fact(LIBERTIES, (7, 2)))


def union(*sets: ClosedSet, excluded: tuple[Var | int, ...] = ()) -> CountOf:
    return CountOf(N, sets, 1, excluded)


def of(number: int) -> ClosedSet:
    return ClosedSet(LIBERTIES, LIBERTY, (number,))


@pytest.mark.parametrize(
    ("condition", "size"),
    [
        (union(of(7)), 2),
        (union(of(7), of(8)), 3),
        (union(of(8), of(7)), 3),
        (union(of(7), of(7)), 2),
        (union(of(7), of(8), excluded=(2,)), 2),
        (union(of(7), of(8), excluded=(2, 3)), 1),
        (union(of(7), of(8), excluded=(99,)), 3),
        (union(of(6)), 0),
        (union(of(7), of(6)), 2),
        (union(of(9)), None),  # one of its two members is known
        (union(of(7), of(9)), None),
        (union(of(5)), None),  # without a count
    ],
)
def test_the_size_of_a_union_of_complete_sets(engine_with, condition, size):
    facts = [*block(7, 1, 2, count=2), *block(8, 2, 3, count=2), *block(9, 1, count=2), *block(6, count=0)]
    engine = engine_with(*facts, *block(5, 1, count=None))
    assert engine.query([condition], [N]) == ([] if size is None else [(size,)])


def test_what_is_excluded_may_be_bound_elsewhere(engine_with):
    engine = engine_with(*block(7, 1, 2, count=2), Fact(EDGE, (1,)), Fact(EDGE, (9,)))
    answers = engine.query([union(of(7), excluded=(X,)), Match(EDGE, (X,))], [X, N])
    assert answers == [(1, 1), (9, 2)]


def test_a_size_may_be_compared(engine_with):
    engine = engine_with(*block(7, 1, 2, count=2), *block(8, 2, 3, 4, count=3))
    more = CountOf(Apply("+", X, 2), (OF_B,), 1)
    assert engine.query([Match(BLOCK, (B,)), Compare("=", X, 1), more], [B]) == [(8,)]
    assert engine.query([Match(BLOCK, (B,)), CountOf(2, (OF_B,), 1)], [B]) == [(7,)]


def test_the_size_of_sets_of_pairs(engine_with):
    engine = engine_with(Fact(PAIRS, (2,)), Fact(PAIR, (1, 2)), Fact(PAIR, (1, 3)))
    pairs = ClosedSet(PAIRS, PAIR, ())
    assert engine.query([CountOf(N, (pairs,), 2)], [N]) == [(2,)]


def test_a_size_may_be_counted_in_the_recursion_that_completes_the_set(engine_with):
    """The last member of a set is derived from a fact that another count derives."""
    grow = CodedRule("grow", Match(LIBERTY, (8, 5)), (Match(GOOD, (7,)),), 5)
    sized = CodedRule("sized", Match(GOOD, (B,)), (Match(BLOCK, (B,)), CountOf(1, (OF_B,), 1)), 5)
    engine = engine_with(*block(7, 1, count=1), *block(8, count=1), rules=(grow, sized))
    assert engine.facts(GOOD) == {(7,), (8,)}


@pytest.mark.requires("derivations")
def test_the_premise_of_all_is_its_count_and_its_members_with_their_proofs(engine_with):
    engine = engine_with(*block(7, 2, 1, count=2), Fact(EDGE, (1,)), Fact(EDGE, (2,)), rules=(GOOD_BLOCK,))
    derivation = engine.derivation(Fact(GOOD, (7,)))
    assert derivation is not None
    assert derivation.binding == (7, None, None, None, None)
    assert derivation.premises == (
        Fact(BLOCK, (7,)),
        SetPremise(
            Fact(LIBERTIES, (7, 2)),
            (
                (Fact(LIBERTY, (7, 1)), (Fact(EDGE, (1,)),)),
                (Fact(LIBERTY, (7, 2)), (Fact(EDGE, (2,)),)),
            ),
        ),
    )


@pytest.mark.requires("derivations")
def test_the_premise_of_a_size_is_its_sets(engine_with):
    sized = CodedRule("sized", Match(GOOD, (N,)), (union(of(7), of(6)),), 5)
    engine = engine_with(*block(7, 2, count=1), *block(6, count=0), rules=(sized,))
    derivation = engine.derivation(Fact(GOOD, (1,)))
    assert derivation is not None
    assert derivation.premises == (
        (
            SetPremise(Fact(LIBERTIES, (7, 1)), ((Fact(LIBERTY, (7, 2)), ()),)),
            SetPremise(Fact(LIBERTIES, (6, 0)), ()),
        ),
    )


@pytest.mark.parametrize(
    ("members", "conditions", "outside"),
    [
        ((B,), (), (Match(BLOCK, (B,)),)),  # the key's variable
        ((L,), (), (Match(BLOCK, (B,)), Match(EDGE, (L,)))),  # bound outside
        ((L,), (), (Match(BLOCK, (B,)), AllOf(OF_B, (L,), ()))),  # another set's member
        ((L,), (AllOf(OF_B, (L,), ()),), (Match(BLOCK, (B,)),)),  # an inner set's member
    ],
)
def test_members_are_fresh_variables(engine_with, members, conditions, outside):
    with pytest.raises(UnsafeRuleError):
        engine_with().query([AllOf(OF_B, members, conditions), *outside], [])


def test_members_are_distinct_variables(engine_with):
    with pytest.raises(UnsafeRuleError):
        engine_with().query([AllOf(ClosedSet(PAIRS, PAIR, ()), (L, L), ())], [])


def test_members_are_local(engine_with):
    with pytest.raises(UnsafeRuleError):
        engine_with().query([Match(BLOCK, (B,)), ON_THE_EDGE], [L])


def test_the_key_of_a_set_is_bound_outside(engine_with):
    with pytest.raises(UnsafeRuleError) as caught:
        engine_with().query([ON_THE_EDGE], [])
    assert caught.value.variable == B.index


@pytest.mark.parametrize(
    "condition",
    [
        AllOf(ClosedSet(LIBERTIES, PAIR, (1,)), (L,), ()),  # not the counted set
        AllOf(ClosedSet(BLOCK, LIBERTY, ()), (L,), ()),  # counts nothing
        AllOf(ClosedSet(LIBERTIES, LIBERTY, ()), (L, M), ()),
        AllOf(ClosedSet(LIBERTIES, LIBERTY, (1,)), (L, M), ()),
        AllOf(ClosedSet(LIBERTIES, LIBERTY, (1,)), (5,), ()),
        AllOf(of(1), (L,), (Match(EDGE, ()),)),
        CountOf(N, (of(1),), 2),
        CountOf(N, (ClosedSet(PAIRS, PAIR, ()),), 2, (1,)),
    ],
)
def test_sets_that_do_not_fit_their_predicates_are_refused(engine_with, condition):
    with pytest.raises(MalformedError):
        engine_with().query([condition], [])
