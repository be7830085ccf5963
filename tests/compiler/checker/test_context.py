"""Tests of the proof context: facts that conditions and notes establish, and each reason to refuse."""

from __future__ import annotations

from typing import Any

import pytest

from hornbook.compiler.checker.context import (
    ProofContext,
    RejectedError,
    is_of_numbers,
    listed,
    shown,
    term_of,
)
from hornbook.compiler.checker.dependencies import IntegrityAssumptions
from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    All,
    Constant,
    CountIn,
    Expression,
    Variable,
    shared_variables,
)
from oracles.proofs.learned_rules import rule_of, theory_of

THEORY = theory_of(
    """
    sort t. sort u. sort colour = red | blue. sort paint = red | green.
    static has(t -> u). static told(t, u). static two(t, u -> u, t).
    static hue(t, colour). static coat(t, paint). static size(t -> int).
    fluent m(t, t). fluent n(t -> int) counts m. fluent m2(t, t). fluent n2(t -> int) counts m2.
    fluent f(t). fluent g(t, u). derived d(t -> u). derived m3(t, t). derived n3(t -> int) counts m3.
    action act(t). game win(t).
    told(box, one).
    d(?x, ?y) :- g(?x, ?y).
    m3(?x, ?y) :- m(?x, ?y).
    n3(?x, ?n) :- n(?x, ?n).
    """
)
X, Y, Z, N = (Variable(name) for name in "xyzn")
A, RED, ONE = Constant("a"), Constant("red"), Constant(1)


def known(body: str, *notes: Any, moment: Any = "before") -> ProofContext:
    rule = rule_of(f"f(?x) :- {body}.")
    context = ProofContext(IntegrityAssumptions(THEORY), shared_variables(rule))
    context.take(rule.body, moment)
    context.note(notes)
    return context


def expression(text: str) -> Expression:
    (comparison,) = rule_of(f"f(?x) :- {text} = 0.").body
    return comparison.left  # type: ignore[union-attr]


# Terms


@pytest.mark.parametrize(
    ("body", "one", "other", "same"),
    [
        ("f(?x), f(?y)", X, Y, False),
        ("f(?x), ?x = ?y", X, Y, True),
        ("f(?x), ?x = ?y, ?y = ?z", X, Z, True),
        ("f(?x), ?x = ?y, ?x = a", Y, A, True),
        ("f(?x), ?x = a, ?y = ?x", Y, A, True),
        ("f(?x), a = ?x", X, A, True),
        ("f(?x), ?x != ?y", X, Y, False),
        ("size(?x, ?n), ?n + 0 = ?y", N, Y, False),
        ("size(?x, ?n), ?n <= ?y", N, Y, False),
        ("size(?x, ?n), ?n = ?y + 1, ?z = ?y + 1", N, Z, False),
    ],
)
def test_equal_terms_are_one(body, one, other, same):
    assert known(body).are_equal([one], [other]) is same
    assert known(body).are_equal([other, A], [one, A]) is same


def test_a_constant_stands_for_what_is_one_with_it():
    assert known("f(?x), ?x = ?y, ?y = a").find(X) == A == known("f(?x), a = ?y, ?x = ?y").find(X)
    assert known("f(?x), ?x = a, a = ?x").conflict is None
    assert known("f(?x), ?x = a, ?y = b, ?x = ?y").conflict == (Constant("b"), A)
    assert known("f(?x), ?y + 1 = 3, ?y + 1 = 4").conflict is None, "sums are compared by arithmetic"


@pytest.mark.parametrize(
    ("body", "text", "number"),
    [
        ("size(?x, ?n)", "?n", True),
        ("size(?x, ?n)", "?x", False),
        ("size(?x, ?n)", "?n + 1", True),
        ("size(?x, ?n)", "?n + ?x", False),
        ("size(?x, ?n)", "?x + ?n", False),
        ("size(?x, ?n), ?n = ?y", "?y", True),
        ("size(?x, ?n), ?y = ?n", "?y", True),
        ("f(?x), ?y < ?z", "?y", True),
        ("f(?x), ?y < ?z", "?z", True),
        ("f(?x), ?y != ?z", "?y", False),
        ("f(?x), ?y = ?z + 1", "?y", True),
        ("f(?x), ?y + 1 != ?z", "?z", True),
        ("f(?x), ?y != ?z, ?y < 3", "?z", True),
        ("f(?x), ?y != 3", "?y", True),
        ("f(?x), 3 != ?y", "?y", True),
        ("f(?x), ?y = a", "?y", False),
        ("n(?x, _), ?y = count ?l in (m(?x, ?l))", "?y", True),
        ("f(?x)", "7", True),
        ("f(?x)", "a", False),
    ],
)
def test_what_is_known_to_be_a_number(body, text, number):
    assert known(body).is_number(expression(text)) is number


@pytest.mark.parametrize(
    ("body", "sort"),
    [
        ("hue(?z, ?x)", "colour"),
        ("hue(?z, ?y), ?x = ?y", "colour"),
        ("hue(?z, ?y), ?y = ?x", "colour"),
        ("hue(?z, ?x), coat(?z, ?x)", "colour"),
        ("hue(?z, ?y), coat(?z, ?x), ?x = ?y", "colour"),
        ("size(?z, ?x)", None),
        ("f(?x)", None),
    ],
)
def test_the_enumerated_sort_of_a_term(body, sort):
    assert known(body).sort_of(X) == sort


def test_expressions_and_comparisons_are_read_with_what_is_one():
    context = known("size(?x, ?n), ?n = ?y, ?n + 1 > 3, ?x != ?z, ?x = a")
    assert context.canonical(expression("?n * 2")) == expression("?y * 2")
    assert context.canonical(X) == A
    comparison = context.comparison(2)
    assert (comparison.operator, comparison.left, comparison.right) == (
        ">",
        expression("?y + 1"),
        Constant(3),
    )
    assert context.comparison(3).left == A


# Branches


def test_a_branch_knows_the_same_and_learns_by_itself():
    first = known("hue(?x, ?y), size(?x, ?n), ?n = ?z, ?x = a, ?x = b")
    first.depth = 3
    twin = first.branch({"new"})
    assert twin.depth == 3
    assert twin.conflict == first.conflict is not None
    assert twin.own == {*first.own, "new"}
    assert "new" not in first.own
    assert twin.statement(0) == first.statement(0)
    assert twin.sort_of(Y) == "colour"
    assert twin.is_number(Z)
    twin.take(rule_of("f(?x) :- hue(?x, ?w), size(?x, ?k), ?y = ?w2, f(?new).").body, "before")
    assert (first.sort_of(Variable("w")), first.is_number(Variable("k"))) == (None, False)
    assert first.find(Y) == Y
    with pytest.raises(RejectedError, match="and 5 are known"):
        first.statement(5)


# Notes

HAS = "has(?x, ?u), has(?x, ?v)"
MEMBER = "n(?x, _), all ?l in m(?x, ?l): f(?l), m(?x, ?a)"
SIZES = "n(?x, _), n2(?x, _), 3 = count ?l in (m(?x, ?l) or m2(?x, ?l)), ?k = count ?l in (m2(?x, ?l) or m(?x, ?l))"


def test_notes_conclude():
    assert known("f(?x)", ("fact", "told", ("box", "one"))).statement(1)[1] == (
        Constant("box"),
        Constant("one"),
    )
    assert known(HAS, ("key", 0, 1)).are_equal([Variable("u")], [Variable("v")])
    both = known("two(?x, ?u, ?v, ?y), two(?x, ?u, ?w, ?z)", ("key", 0, 1))
    assert both.are_equal([Variable("v"), Y], [Variable("w"), Z])
    assert not both.are_equal([X], [Y])
    assert known("act(?x), act(?y)", ("key", 0, 1)).are_equal([X], [Y]), "one action is taken"
    assert known(MEMBER, ("member", 1, 2)).statement(3) == (("f", "before"), (Variable("a"),))
    own = known("n(?x, 1), all ?l in m(?x, ?l): f(?l), m(?x, ?x)", ("member", 1, 2))
    assert own.statement(3) == (("f", "before"), (X,))
    assert known(SIZES, ("sizes", 2, 3)).are_equal([Variable("k")], [Constant(3)])


def test_of_a_member_only_what_is_reported_of_it_only_is_concluded():
    context = known(
        "n(?x, _), all ?l in m(?x, ?l): (f(?l), g(?l, ?own), g(?l, ?u)), m(?x, ?a), g(?x, ?u)",
        ("member", 1, 2),
    )
    assert [context.statement(number)[0][0] for number in (4, 5)] == ["f", "g"]
    assert context.statement(5)[1] == (Variable("a"), Variable("u"))
    with pytest.raises(RejectedError, match="and 6 are known"):
        context.statement(6)


@pytest.mark.parametrize(
    ("why", "body", "note"),
    [
        ("a fact that is not stated", "f(?x)", ("fact", "told", ("box", "two"))),
        ("a fact that changes", "f(?x)", ("fact", "f", ("box",))),
        ("no key", "told(?x, ?u), told(?x, ?v)", ("key", 0, 1)),
        ("no key of one thing", "told(?x, ?u), told(?x, ?u)", ("key", 0, 1)),
        ("two places", "has(?x, ?u), d(?x, ?v)", ("key", 0, 1)),
        ("two moments", "before n(?x, ?u), after n(?x, ?v)", ("key", 0, 1)),
        ("two keys", "has(?x, ?u), has(?y, ?v)", ("key", 0, 1)),
        ("half a key", "two(?x, ?u, ?v, ?y), two(?x, ?w, ?v, ?y)", ("key", 0, 1)),
        ("a key that rules may break", "d(?x, ?u), d(?x, ?v)", ("key", 0, 1)),
        ("a member of another set", "n(?x, _), all ?l in m(?x, ?l): f(?l), m(?y, ?a)", ("member", 1, 2)),
        ("a member of another relation", "n(?x, _), all ?l in m(?x, ?l): f(?l), m2(?x, ?a)", ("member", 1, 2)),
        ("a set that may be larger", "n3(?x, _), all ?l in m3(?x, ?l): f(?l), m3(?x, ?a)", ("member", 1, 2)),
        ("sizes of two unions", SIZES.replace("(m2(?x, ?l) or m(?x, ?l))", "(m2(?x, ?l))"), ("sizes", 2, 3)),
        ("sizes of sets that may be larger", "3 = count ?l in (m3(?x, ?l)), ?k = count ?l in (m3(?x, ?l))", ("sizes", 0, 1)),
        (
            "sizes of a set that may be larger",
            "3 = count ?l in (m(?x, ?l) or m3(?x, ?l)), ?k = count ?l in (m(?x, ?l) or m3(?x, ?l))",
            ("sizes", 0, 1),
        ),
        ("no note", "f(?x)", ("none", 0)),
        ("no list", "f(?x)", None),
    ],
)  # fmt: skip
def test_a_note_that_does_not_hold_is_refused(why, body, note):
    with pytest.raises(RejectedError, match=r"its note .* does not hold"):
        known(body, note)


def test_notes_are_a_list():
    with pytest.raises(RejectedError, match="7 was found instead of a list"):
        known("f(?x)").note(7)
    assert listed((1,)) == (1,)


# Known facts by number


KINDS = "f(?x), ?x != ?y, all ?l in m(?x, ?l): f(?l), ?k = count ?l in (m(?x, ?l))"


def test_what_is_known_by_number_is_of_its_kind():
    context = known(KINDS)
    looked_up = (context.statement, context.comparison, context.all_of, context.count_of)
    words = ("a statement", "a comparison", "an `all`", "a `count`")
    for right, (look, word) in enumerate(zip(looked_up, words, strict=True)):
        look(right)
        for number in {0, 1, 2, 3} - {right}:
            with pytest.raises(RejectedError, match=f"the known condition {number} is not {word}"):
                look(number)
        for odd in (-1, 4, "0", None, (0,)):
            with pytest.raises(RejectedError, match=r"it refers to a condition .* and 4 are known"):
                look(odd)
    assert isinstance(context.all_of(2)[0], All)
    assert isinstance(context.count_of(3)[0], CountIn)
    assert context.all_of(2)[1] == "before"


@pytest.mark.parametrize(
    ("text", "moment", "number", "right"),
    [
        ("f(?x)", "before", 0, True),
        ("f(?x)", None, 0, True),
        ("before f(?x)", "after", 0, True),
        ("f(?x)", "after", 0, False),
        ("f(?y)", "before", 0, False),
        ("f(?x)", "before", 1, False),
        ("f(?x)", "before", 2, False),
        ("f(?x)", "before", None, False),
        ("told(?x, ?y)", "after", 1, True),
    ],
)
def test_a_statement_is_known_at_its_place(text, moment, number, right):
    (statement,) = rule_of(f"f(?x) :- {text}.").body
    assert known("f(?x), told(?x, ?y)").is_known(statement, moment, number) is right


def test_absences_and_aggregates_are_known_by_number_and_say_nothing_else():
    rule = rule_of("f(?x) :- absent f(?y), ?n = sum ?y where (size(?x, ?y)), f(?x).")
    context = ProofContext(IntegrityAssumptions(THEORY))
    context.take(rule.body, "before")
    assert context.summary(0) == (rule.body[0], "before")
    assert context.summary(1) == (rule.body[1], "before")
    assert isinstance(rule.body[0], Absent)
    assert isinstance(rule.body[1], Aggregate)
    assert context.is_number(Variable("n"))
    with pytest.raises(RejectedError, match="neither an absence nor an aggregate"):
        context.summary(2)
    with pytest.raises(RejectedError, match="is not a comparison"):
        context.comparison(0)


# Closed sets


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("n(?x, 1)", ONE),
        ("n(?y, 1)", None),
        ("n2(?x, 1)", None),
        ("m(?x, ?y)", None),
        ("after n(?x, 1)", None),
    ],
)
def test_the_size_of_a_set_is_its_own_counts(body, size):
    (member,) = rule_of("f(?x) :- m(?x, ?l).").body
    context = known(body)
    closed = context.closed_set(member, 1, "before")  # type: ignore[arg-type]
    assert closed == (("m", "before"), (X,))
    assert context.size(closed, 0) == size
    assert context.size((("f", "before"), (X,)), 0) is None


@pytest.mark.parametrize(
    ("body", "closed"),
    [
        ("n(?x, 1)", ((("m", "before"), (X,)), ONE)),
        ("m(?x, 1)", None),
        ("n3(?x, 1)", None),
        ("after n(?x, 1)", None),
        ("win(?x) is G", None),
    ],
)
def test_a_count_tells_of_its_set_where_that_is_complete(body, closed):
    assert known(body).counted(0) == closed


@pytest.mark.parametrize(
    ("one", "other", "moments", "same"),
    [
        ("f(?l)", "all ?k in m(?x, ?k): f(?k)", ("before", "before"), True),
        ("f(?l)", "all ?l in m(?x, ?l): before f(?l)", ("before", "before"), False),
        ("f(?l)", "all ?l in m(?x, ?l): f(?l)", ("before", "after"), False),
        ("f(?l)", "all ?l in m(?y, ?l): f(?l)", ("before", "before"), False),
        ("f(?l)", "all ?l in m(?x, ?l): f(?x)", ("before", "before"), False),
        ("g(?l, ?p)", "all ?k in m(?x, ?k): g(?k, ?q)", ("after", "after"), True),
        ("m(?l, ?l)", "all ?k in m(?x, ?k): m(?k, ?q)", ("before", "before"), False),
    ],
)
def test_closed_conditions_with_one_form_say_the_same(one, other, moments, same):
    rule = rule_of(f"f(?x) :- n(?x, _), n(?y, _), all ?l in m(?x, ?l): {one}, {other}.")
    context = ProofContext(IntegrityAssumptions(THEORY), {"x", "y"})
    forms = [context.form(c, at) for c, at in zip(rule.body[2:], moments, strict=True)]  # type: ignore[type-var]
    assert (forms[0] == forms[1]) is same


def test_closed_conditions_of_equal_things_say_the_same():
    context = known("n(?x, _), n(?y, _), ?x = ?y, all ?l in m(?x, ?l): f(?l), all ?l in m(?y, ?l): f(?l)")
    assert context.form(*context.all_of(3)) == context.form(*context.all_of(4))


# Witnesses


@pytest.mark.parametrize(
    ("witness", "term"),
    [("?x", X), ("a", A), ("'?x", Constant("?x")), (1, ONE), (2**63 - 1, Constant(2**63 - 1)), (-(2**63), Constant(-(2**63)))],
)  # fmt: skip
def test_a_witness_of_a_term(witness, term):
    assert term_of(witness) == term


@pytest.mark.parametrize("witness", [None, (), ("?x",), 2**63, -(2**63) - 1])
def test_what_is_no_term_is_refused(witness):
    with pytest.raises(RejectedError, match="was found instead of a term"):
        term_of(witness)


def test_a_long_witness_is_cut():
    assert shown(("a",)) == "('a',)"
    assert shown("x" * 77) == repr("x" * 77)
    assert shown("x" * 78) == repr("x" * 78)[:80] + "…"


@pytest.mark.parametrize(
    ("text", "numbers"), [("?x = ?y", False), ("?x != 1", False), ("?x < ?y", True), ("?x + 1 = ?y", True), ("?x != ?y + 1", True)]
)  # fmt: skip
def test_comparisons_that_are_of_numbers_by_themselves(text, numbers):
    (comparison,) = rule_of(f"f(?x) :- {text}.").body
    assert is_of_numbers(comparison) is numbers  # type: ignore[arg-type]
