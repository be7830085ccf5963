"""Tests of each inference of docs/reference/certificates.md: its conclusion, and its side conditions."""

from __future__ import annotations

import pytest

from hornbook.compiler.checker.context import ProofContext, RejectedError
from hornbook.compiler.checker.dependencies import IntegrityAssumptions
from hornbook.compiler.checker.keys import proved_keys
from hornbook.compiler.checker.proofs import OPEN, apart, contradicts, proves
from hornbook.kb.ast.substitution import rename_condition, rename_rule
from hornbook.kb.ast.terms import (
    MAX_INTEGER,
    Comparison,
    Constant,
    Operation,
    Rule,
    Variable,
    shared_variables,
)
from oracles.proofs.learned_rules import rule_of, theory_of

THEORY = theory_of(
    """
    sort t. sort u. sort colour = red | blue.
    static has(t -> u).
    static told(t, u).
    static paint(t -> colour).
    static size(t -> int).
    fluent m(t, t). fluent n(t -> int) counts m.
    fluent m2(t, t). fluent n2(t -> int) counts m2.
    fluent w(t, t, t). fluent ws(t -> int) counts w.
    fluent f(t). fluent g(t, u).
    derived d(t -> u). derived m3(t, t). derived n3(t -> int) counts m3.
    action act(t). action go(t).
    told(box, one).
    d(?x, ?y) :- g(?x, ?y).
    m3(?x, ?y) :- m(?x, ?y).
    n3(?x, ?n) :- n(?x, ?n).
    game win(t).
    """
)
ALL = "told(?x, ?u), n(?x, 2), m(?x, ?a), m(?x, ?b), f(?a), f(?b)"
UNIONS = """n(?x, _), n2(?x, _), 3 = count ?l in (m(?x, ?l) or m2(?x, ?l)),
    ?k = count ?l in (m2(?x, ?l) or m(?x, ?l))"""
WIDE = "ws(?x, 2), w(?x, a, ?p), w(?x, b, ?p), f(?p)", "all ?k, ?l in w(?x, ?k, ?l): f(?l)"
BOTH = ((1, (), (3,)), (2, (), (3,)))
OF_M, ALL_K = "n(?x, _), all ?l in m(?x, ?l):", "all ?k in m(?x, ?k):"
KEYED_MEMBERS = f"{OF_M} (has(?l, ?u), has(?l, ?v), g(?l, ?u))"
NESTED = f"{OF_M} (all ?k in m2(?l, ?k): m(?k, ?k))"
NESTED_QUERIED = "all ?l in m(?x, ?l): (all ?k in m2(?l, ?k): m(?k, ?K))"
THREE = "n(?x, 1), m(?x, ?a), m(?x, ?b), paint(?a, red), paint(?b, blue)"


def known(body: str, *notes: object) -> ProofContext:
    rule = rule_of(f"f(?x) :- {body}.")
    context = ProofContext(IntegrityAssumptions(THEORY), shared_variables(rule))
    context.take(rule.body, "before")
    context.note(notes)  # type: ignore[arg-type]
    return context


def holds(body: str, expected: str, witness: object, *notes: object) -> bool:
    """Return whether a witness proves an expected condition of an applied rule.

    `?q` is a variable of that rule.
    """
    (read,) = rule_of(f"f(?x) :- {expected}.").body
    condition = rename_condition(read, lambda name: f"q{OPEN}" if name == "q" else name)
    try:
        return proves(known(body, *notes), condition, "before", witness)  # type: ignore[arg-type]
    except RejectedError:
        return False


GOOD = [
    ("f(?x)", "f(?x)", 0, ()),
    ("f(?x), ?x = ?y", "f(?y)", 0, ()),
    ("has(?x, ?u), has(?x, ?v), g(?x, ?u)", "g(?x, ?v)", 2, (("key", 0, 1),)),
    ("f(?x)", "told(box, one)", 1, (("fact", "told", ("box", "one")),)),
    ("f(?x), f(?y), ?x != ?y", "?y != ?x", 2, ()),
    ("f(?x), f(?y), ?x != ?y", "?y != ?x", ("apart", 2), ()),
    ("f(?x), ?x = ?y", "?x = ?y", ("same",), ()),
    ("f(?x), ?x = a, f(?y), ?y = b", "?x != ?y", ("apart", None), ()),
    ("paint(?x, red), paint(?y, blue)", "?x != ?y", ("apart", ("key", 0, 1, 1, None)), ()),
    ("size(?x, ?n), ?n > 3", "3 < ?n", 1, ()),
    ("size(?x, ?n), ?n > 3", "?n > 2", ("linear", (1,), ((((0, 1), (1, 1)),),), None, None), ()),
    (
        "size(?x, ?n), ?n + 1 > 3",
        "?n + 1 > 2",
        ("linear", (1,), ((((0, 1), (1, 1)),),), 1, None),
        (),
    ),
    ("size(?x, ?n), 3 < ?n + 1", "2 < ?n + 1", ("linear", (1,), ((((0, 1), (1, 1)),),), None, 1), ()),
    (
        "size(?x, ?n), size(?y, ?k), ?n > ?k",
        "?n != ?k",
        ("apart", ("linear", (2,), ((((0, 1), (2, 1)),),))),
        (),
    ),
    (
        "n(?x, 1), m(?x, ?a), f(?a)",
        "all ?l in m(?x, ?l): f(?l)",
        ("each", 0, ((1, (), (2,)),), ()),
        (),
    ),
    (
        f"{ALL}, ?a != ?b",
        "all ?l in m(?x, ?l): f(?l)",
        ("each", 1, ((2, (), (4,)), (3, (), (5,))), ((0, 6),)),
        (),
    ),
    (*WIDE, ("each", 0, BOTH, (None,)), ()),
    (NESTED, NESTED_QUERIED.replace("?K", "?k"), ("any", 1, (), (), (("any", 3, (), (), (5,)),)), ()),
    (f"{OF_M} g(?l, ?p)", f"{ALL_K} g(?k, ?q)", ("any", 1, (), (("q", "?#1.p"),), (3,)), ()),
    (f"{OF_M} g(?l, one)", f"{ALL_K} g(?k, ?q)", ("any", 1, (), (("q", "one"),), (3,)), ()),
    (KEYED_MEMBERS, f"{ALL_K} g(?k, ?q)", ("any", 1, (("key", 3, 4),), (("q", "?#1.v"),), (5,)), ()),
    ("n(?x, _), 2 = count ?l in m(?x, ?l)", "2 = count ?k in m(?x, ?k)", ("known", 1, ("same",)), ()),
    (
        "n(?x, 2), m(?x, a), m(?x, b)",
        "1 = count ?l in m(?x, ?l) but b",
        ("sets", ((0, (1, 2)),), (None,), (None,), ("same",)),
        (),
    ),
    (*WIDE, ("each", 0, BOTH, ((0, None),)), ()),
    ("n(?x, 0)", "all ?l in m(?x, ?l): f(?l)", ("each", 0, (), ()), ()),
    ("n(?x, _), all ?l in m(?x, ?l): f(?l)", "all ?k in m(?x, ?k): f(?k)", ("known", 1), ()),
    (
        "n(?x, _), all ?l in m(?x, ?l): (f(?l), m2(?l, ?l))",
        "all ?k in m(?x, ?k): f(?k)",
        ("any", 1, (), (), (3,)),
        (),
    ),
    ("n(?x, _), all ?l in m(?x, ?l): f(?l), m(?x, ?a)", "f(?a)", 3, (("member", 1, 2),)),
    (
        "n(?x, 1), m(?x, ?a), n2(?x, 1), m2(?x, ?a)",
        "1 = count ?l in (m(?x, ?l) or m2(?x, ?l))",
        ("sets", ((0, (1,)), (2, (3,))), (), (), ("same",)),
        (),
    ),
    (
        "n(?x, 1), m(?x, ?a), n2(?x, 1), m2(?x, ?b), ?a != ?b",
        "2 = count ?l in (m(?x, ?l) or m2(?x, ?l))",
        ("sets", ((0, (1,)), (2, (3,))), ((0, 4),), (), ("same",)),
        (),
    ),
    (
        UNIONS,
        "?k = 3",
        ("same",),
        (("sizes", 2, 3),),
    ),
]
BAD = [
    ("another place", "f(?x)", "f(?y)", 0, ()),
    ("no such number", "f(?x)", "f(?x)", 1, ()),
    ("no such number", "f(?x)", "f(?x)", -1, ()),
    ("a text", "f(?x)", "f(?x)", "0", ()),
    ("no key", "told(?x, ?u), told(?x, ?v), g(?x, ?u)", "g(?x, ?v)", 2, (("key", 0, 1),)),
    ("keys that differ", "has(?x, ?u), has(?y, ?v), g(?x, ?u)", "g(?x, ?v)", 2, (("key", 0, 1),)),
    ("a key that rules may break", "d(?x, ?u), d(?x, ?v), g(?x, ?u)", "g(?x, ?v)", 2, (("key", 0, 1),)),
    ("two relations", "has(?x, ?u), paint(?x, ?c), g(?x, ?u)", "g(?x, ?c)", 2, (("key", 0, 1),)),
    ("a fact that is not stated", "f(?x)", "told(box, two)", 1, (("fact", "told", ("box", "two")),)),
    ("a fact that changes", "f(?x)", "f(box)", 1, (("fact", "f", ("box",)),)),
    ("no equality", "f(?x), f(?y)", "?x = ?y", ("same",), ()),
    ("no inequality", "f(?x), f(?y)", "?x != ?y", ("apart", None), ()),
    ("a sum that is not read", "size(?x, ?n)", "?n + 1 = ?n + 1", ("same",), ()),
    ("a sum that may overflow is not 3", "size(?x, ?n), ?n > 3", "?n + 1 != 3", ("apart", ("linear", (1,), ((((0, 1), (2, 1)),),))), ()),
    ("3 is no sum that may overflow", "size(?x, ?n), ?n > 3", "3 != ?n + 1", ("apart", ("linear", (1,), ((((1, 1), (2, 1)),),))), ()),
    ("more than a sum that may overflow", "size(?x, ?n), ?n > 3", "3 < ?n + 1", ("linear", (1,), ((((0, 1), (1, 1)),),), None, None), ()),
    ("a variable and a word", "f(?x)", "?x != a", ("apart", None), ()),
    ("a word and a variable", "f(?x)", "a != ?x", ("apart", None), ()),
    ("values of two relations", "n(?x, 1), n2(?y, 2)", "?x != ?y", ("apart", ("key", 0, 1, 1, None)), ()),
    ("no column", "paint(?x, red), paint(?y, blue)", "?x != ?y", ("apart", ("key", 0, 1, 2, None)), ()),
    ("a member of members that is not that member", NESTED, NESTED_QUERIED.replace("?K", "?l"), ("any", 1, (), (), (("any", 3, (), (), (5,)),)), ()),
    ("what is no variable", f"{OF_M} g(?l, ?p)", f"{ALL_K} ?q = ?q", ("any", 1, (), (("q", "?zz"),), (("same",),)), ()),
    ("what has no value", f"{OF_M} g(?l, ?p)", f"{ALL_K} ?q = ?q", ("any", 1, (), (), (("same",),)), ()),
    ("two values of one variable", f"{OF_M} g(?l, one)", f"{ALL_K} g(?k, ?q)", ("any", 1, (), (("q", "one"), ("q", "one")), (3,)), ()),
    ("no form of a value", f"{OF_M} f(?l)", f"{ALL_K} f(?k)", ("any", 1, (), (5,), (3,)), ()),
    ("half of what is asked", f"{OF_M} f(?l)", f"{ALL_K} (f(?k), m(?k, ?k))", ("any", 1, (), (), (3, 3)), ()),
    ("a note on any member that is missing", KEYED_MEMBERS, f"{ALL_K} g(?k, ?q)", ("any", 1, (), (("q", "?#1.v"),), (5,)), ()),
    ("the count of other sets", "n(?x, _), 2 = count ?l in m2(?x, ?l)", "2 = count ?k in m(?x, ?k)", ("known", 1, ("same",)), ()),
    ("another count", "n(?x, _), 2 = count ?l in m(?x, ?l)", "3 = count ?k in m(?x, ?k)", ("known", 1, ("same",)), ()),
    ("what may be left out", "n(?x, 1), m(?x, ?a), f(?b)", "1 = count ?l in m(?x, ?l) but ?b", ("sets", ((0, (1,)),), (), (None,), ("same",)), ()),
    ("what is not said to be left out", "n(?x, 1), m(?x, ?a), f(?b)", "1 = count ?l in m(?x, ?l) but ?b", ("sets", ((0, (1,)),), (), (), ("same",)), ()),
    ("what is left out", "n(?x, 2), m(?x, a), m(?x, b)", "2 = count ?l in m(?x, ?l) but b", ("sets", ((0, (1, 2)),), (None,), (None,), ("same",)), ()),
    ("a set that is a number", "n(?x, 1), m(?x, ?a)", "1 = count ?l in m(?x, ?l)", ("sets", (0,), (), (), ("same",)), ()),
    ("a set without members", "n(?x, 1), m(?x, ?a)", "1 = count ?l in m(?x, ?l)", ("sets", ((0,),), (), (), ("same",)), ()),
    ("a member too few for a count", "n(?x, 2), m(?x, ?a)", "1 = count ?l in m(?x, ?l)", ("sets", ((0, (1,)),), (), (), ("same",)), ()),
    ("a member twice for a count", "n(?x, 2), m(?x, ?a)", "1 = count ?l in m(?x, ?l)", ("sets", ((0, (1, 1)),), (), (), ("same",)), ()),
    ("no column of a member", *WIDE, ("each", 0, BOTH, ((2, None),)), ()),
    ("the column that they share", *WIDE, ("each", 0, BOTH, ((1, None),)), ()),
    ("no form of a pair", *WIDE, ("each", 0, BOTH, (("a", None),)), ()),
    ("a member without proofs", "n(?x, 1), m(?x, ?a), f(?a)", "all ?l in m(?x, ?l): f(?l)", ("each", 0, ((1, ()),), ()), ()),
    ("a member that is a number", "n(?x, 1), m(?x, ?a), f(?a)", "all ?l in m(?x, ?l): f(?l)", ("each", 0, (1,), ()), ()),
    ("no form of a difference", "f(?x), f(?y)", "?x != ?y", ("apart", ("none",)), ()),
    ("a word below 64 bits", "f(?x)", f"?x <= {MAX_INTEGER}", ("linear", (), ((((0, 1), ("<x", 1)),),), None, None), ()),
    ("64 bits above a word", "f(?x)", f"{MAX_INTEGER} >= ?x", ("linear", (), ((((0, 1), ("<x", 1)),),), None, None), ()),
    ("words that differ", "f(?x), f(?y), ?x != ?y", "?x != ?y", ("linear", (2,), ((((1, 1), (2, 1)),), (((0, 1), (2, 1)),)), None, None), ()),
    ("words beside numbers", "f(?x), f(?y), size(?x, ?n), ?x != ?y, ?n > 3", "?n > 2", ("linear", (3, 4), ((((0, 1), (2, 1)),),) * 2, None, None), ()),
    ("one thing", "f(?x)", "?x != ?x", ("same",), ()),
    ("two things", "f(?x), ?x = a, f(?y), ?y = b", "?x = ?y", ("apart", None), ()),
    ("another inequality", "f(?x), f(?y), f(?z), ?x != ?z", "?x != ?y", ("apart", 3), ()),
    ("equal values", "paint(?x, red), paint(?y, red)", "?x != ?y", ("apart", ("key", 0, 1, 1, None)), ()),
    ("other keys", "paint(?x, red), paint(?z, blue), f(?y)", "?x != ?y", ("apart", ("key", 0, 1, 1, None)), ()),
    ("the key itself", "paint(?x, red), paint(?y, blue)", "?x != ?y", ("apart", ("key", 0, 1, 0, None)), ()),
    ("no key", "told(?x, one), told(?y, two)", "?x != ?y", ("apart", ("key", 0, 1, 1, None)), ()),
    ("the wrong way round", "size(?x, ?n), ?n > 3", "3 > ?n", 1, ()),
    ("weaker premises", "size(?x, ?n), ?n > 3", "?n > 4", ("linear", (1,), ((((0, 1), (1, 1)),),), None, None), ()),
    ("a sum that may overflow", "size(?x, ?n), ?n > 3", "?n + 1 > 3", ("linear", (1,), ((((0, 1), (1, 1)),),), None, None), ()),
    ("words", "f(?x), f(?y), ?x != ?y", "?x != ?y", ("linear", (2,), ((), ()), None, None), ()),
    ("one member too few", "n(?x, 2), m(?x, ?a), f(?a)", "all ?l in m(?x, ?l): f(?l)", ("each", 0, ((1, (), (2,)),), ()), ()),
    ("one member twice", ALL, "all ?l in m(?x, ?l): f(?l)", ("each", 1, ((2, (), (4,)), (2, (), (4,))), (None,)), ()),
    ("members that may be one", ALL, "all ?l in m(?x, ?l): f(?l)", ("each", 1, ((2, (), (4,)), (3, (), (5,))), (None,)), ()),
    ("no pairs", ALL, "all ?l in m(?x, ?l): f(?l)", ("each", 1, ((2, (), (4,)), (3, (), (5,))), ()), ()),
    ("a member of another set", "n(?x, 1), m2(?x, ?a), f(?a)", "all ?l in m(?x, ?l): f(?l)", ("each", 0, ((1, (), (2,)),), ()), ()),
    ("a member of another thing", "n(?x, 1), m(?y, ?a), f(?a)", "all ?l in m(?x, ?l): f(?l)", ("each", 0, ((1, (), (2,)),), ()), ()),
    ("the count of another set", "n2(?x, 1), m(?x, ?a), f(?a)", "all ?l in m(?x, ?l): f(?l)", ("each", 0, ((1, (), (2,)),), ()), ()),
    ("what is not asked of it", "n(?x, 1), m(?x, ?a), f(?x)", "all ?l in m(?x, ?l): f(?l)", ("each", 0, ((1, (), (2,)),), ()), ()),
    ("no proof", "n(?x, 1), m(?x, ?a), f(?x)", "all ?l in m(?x, ?l): f(?l)", ("each", 0, ((1, (), ()),), ()), ()),
    ("an all of other things", "n(?x, _), all ?l in m(?x, ?l): f(?l), f(?y)", "all ?l in m(?y, ?l): f(?l)", ("known", 1), ()),
    ("an all that says less", "n(?x, _), all ?l in m(?x, ?l): f(?l)", "all ?l in m(?x, ?l): m2(?l, ?l)", ("any", 1, (), (), (3,)), ()),
    ("any of another set", "n(?x, _), all ?l in m(?x, ?l): f(?l)", "all ?l in m2(?x, ?l): f(?l)", ("any", 1, (), (), (3,)), ()),
    ("what each has for itself", "n(?x, _), all ?l in m(?x, ?l): g(?l, ?v), m(?x, ?a), g(?b, ?w)", "g(?a, ?w)", 4, (("member", 1, 2),)),
    ("a member of a set that may be larger", "n3(?x, _), all ?l in m3(?x, ?l): f(?l), m3(?x, ?a)", "f(?a)", 3, (("member", 1, 2),)),
    ("members of no set", "n(?x, _), all ?l in m(?x, ?l): f(?l), m2(?x, ?a)", "f(?a)", 3, (("member", 1, 2),)),
    ("sets that may share", "n(?x, 1), m(?x, ?a), n2(?x, 1), m2(?x, ?b)", "2 = count ?l in (m(?x, ?l) or m2(?x, ?l))", ("sets", ((0, (1,)), (2, (3,))), (None,), (), ("same",)), ()),
    ("a set left out", "n(?x, 1), m(?x, ?a), n2(?x, 1), m2(?x, ?a)", "1 = count ?l in (m(?x, ?l) or m2(?x, ?l))", ("sets", ((0, (1,)),), (), (), ("same",)), ()),
    ("another number", "n(?x, 1), m(?x, ?a)", "2 = count ?l in (m(?x, ?l))", ("sets", ((0, (1,)),), (), (), ("same",)), ()),
    ("a set that may be larger", "n3(?x, 1), m3(?x, ?a)", "1 = count ?l in (m3(?x, ?l))", ("sets", ((0, (1,)),), (), (), ("same",)), ()),
    ("counts of two unions", "n(?x, _), n2(?x, _), 3 = count ?l in (m(?x, ?l)), ?k = count ?l in (m2(?x, ?l))", "?k = 3", ("same",), (("sizes", 2, 3),)),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected", "witness", "notes"), GOOD)
def test_what_a_witness_proves(body, expected, witness, notes):
    assert holds(body, expected, witness, *notes)


@pytest.mark.parametrize(("why", "body", "expected", "witness", "notes"), BAD)
def test_what_a_witness_does_not_prove(why, body, expected, witness, notes):
    assert not holds(body, expected, witness, *notes), why


@pytest.mark.parametrize(
    "witness", [None, 0, "x", (), ("each",), ("linear", 1, 2), ("any", 0, 0, 0, 0), (("",),)]
)
@pytest.mark.parametrize(
    "expected", ["f(?y)", "?x != ?y", "all ?l in m(?x, ?l): f(?l)", "1 = count ?l in (m(?x, ?l))"]
)
def test_what_has_no_form_proves_nothing(expected, witness):
    assert not holds("f(?x), n(?x, 1), m(?x, ?y)", expected, witness)


@pytest.mark.parametrize(
    ("body", "notes", "witness", "why"),
    [
        ("paint(?x, red), paint(?x, blue)", (("key", 0, 1),), None, "one term would equal"),
        ("f(?x), ?x != ?y, ?x = ?y", (), ("unequal", 1), "would differ from itself"),
        ("size(?x, ?n), ?n > 3, ?n < 4", (), ("linear", (1, 2), ((((0, 1), (1, 1)),),)), "no numbers"),
        ("paint(?x, ?c), ?c != red, ?c != blue", (), ("words", "c", (1, 2)), "`?c` can be none of red, blue"),
        (THREE, (), ("full", 0, (1, 2), ((0, ("key", 3, 4, 1, None)),)), "more than 1 member"),
    ],
)
def test_what_contradicts_itself(body, notes, witness, why):
    assert why in (contradicts(known(body, *notes), witness) or "")


@pytest.mark.parametrize(
    ("body", "witness"),
    [
        ("paint(?x, red), paint(?y, blue)", None),
        ("f(?x), ?x != ?y", ("unequal", 1)),
        ("f(?x), ?x = ?y", ("unequal", 1)),
        ("size(?x, ?n), ?n + 1 != ?n + 1", ("unequal", 1)),
        ("f(?c)", ("words", "c", ())),
        ("n(?x, 1), m(?x, ?a), m2(?x, ?b), ?a != ?b", ("full", 0, (1, 2), ((0, 3),))),
        ("n(?x, ?n), m(?x, ?a), m(?x, ?b), ?a != ?b", ("full", 0, (1, 2), ((0, 3),))),
        ("n(?x, 2), m(?x, ?a), m(?x, ?b), ?a != ?b", ("full", 0, (1, 2), ((0, 3),))),
        ("f(?x), m(?x, ?a), m(?x, ?b), ?a != ?b", ("full", 0, (1, 2), ((0, 3),))),
        ("size(?x, ?n), ?n > 3, ?n < 5", ("linear", (1, 2), ((((0, 1), (1, 1)),),))),
        ("paint(?x, ?c), ?c != red", ("words", "c", (1,))),
        ("paint(?x, ?c), ?c != red", ("words", "c", (1, 1))),
        ("f(?c), ?c != red, ?c != blue", ("words", "c", (1, 2))),
        ("n(?x, 1), m(?x, ?a), m(?x, ?b)", ("full", 0, (1, 2), (None,))),
        (THREE, ("full", 0, (1,), ())),
        (THREE.replace("m(", "m3(").replace("n(", "n3("), ("full", 0, (1, 2), ((0, ("key", 3, 4, 1, None)),))),
    ],
)  # fmt: skip
def test_what_does_not(body, witness):
    assert contradicts(known(body), witness) is None


SMALL = "size(?x, ?n), ?n > 0, ?n < 9"
ADDED, ZERO = ((((0, 1), (1, 1)),),), ((((0, 1),),),) * 2
LOW, HIGH = ((1,), ADDED), ((2,), ADDED)
TWICE = (((1,), ((((0, 1), (1, 2)),),)), ((2,), ((((0, 1), (1, 2)),),)))
HALF = (((1,), ((((1, 1), (2, 2), (3, 1)),),)), ((2,), ((((0, 1), (2, 2), (3, 1)),),)))
WHOLE = (((1,), ((((1, 1), (2, 1), (3, 1)),),)), ((2,), ((((0, 1), (2, 1), (3, 1)),),)))
NEXT = (None, None, LOW, HIGH)


@pytest.mark.parametrize(
    ("body", "expression", "witness", "fits"),
    [
        (SMALL, "?n", None, True),
        (SMALL, "?n", 1, False),
        (SMALL, "?n + 1", NEXT, True),
        (SMALL, "?n + 1", (0, None, LOW, HIGH), False),
        (SMALL, "?n + 1", (None, 0, LOW, HIGH), False),
        (SMALL, "?n + 1", (None, None, ((), ADDED), HIGH), False),
        (SMALL, "?n + 1", (None, None, LOW, ((), ADDED)), False),
        (SMALL, "?n + 1", (None, None, LOW, ((1,), ADDED)), False),
        (SMALL, "?n + 1", (None, None, ((2,), ADDED), HIGH), False),
        (SMALL, "?n + 1", None, False),
        (SMALL, "2 * (?n + 1)", (None, NEXT, *TWICE), True),
        (SMALL, "(?n + 1) * 2", (NEXT, None, *TWICE), True),
        (SMALL, "2 * (?n + 1)", (None, None, *TWICE), False),
        (SMALL, "(?n + 1) * 2", (None, None, *TWICE), False),
        (SMALL, "?n // 2", (None, None, *HALF), True),
        (SMALL, "?n // 1", (None, None, *WHOLE), True),
        ("size(?x, ?n), ?n // 0 > 3, ?n // 0 < 9", "?n // 0", NEXT, False),
        ("size(?x, ?n), ?n // -2 > 3, ?n // -2 < 9", "?n // -2", NEXT, False),
        ("size(?x, ?n), ?n // ?k > 3, ?n // ?k < 9", "?n // ?k", NEXT, False),
        ("size(?x, ?n), ?n + 1 > 3", "?n + 1", 1, True),
        ("size(?x, ?n), 3 < ?n + 1", "?n + 1", 1, True),
        ("size(?x, ?n), 2 * (?n + 1) > 3", "?n + 1", 1, True),
        ("size(?x, ?n), (?n + 1) - 2 * ?n > 3", "?n + 1", 1, True),
        ("size(?x, ?n), 2 * (?n + 1) > 3", "?n + 2", 1, False),
        ("size(?x, ?n), ?n > 3", "?n + 1", 1, False),
    ],
)
def test_what_cannot_leave_64_bits(body, expression, witness, fits):
    """An equality of a term with itself has two cases.

    A quotient has two constraints of its own on each side.
    """
    divided = expression in ("?n // 2", "?n // 1")
    sums = ((((4, 1),),),) * 2 if divided else ZERO
    assert holds(body, f"{expression} = {expression}", ("linear", (), sums, witness, witness)) is fits


def test_nothing_is_divided_by_a_word():
    divided = Operation("//", (Variable("n"), Constant("a")))
    witness = ("linear", (), ZERO, NEXT, NEXT)
    assert not proves(known(SMALL), Comparison("=", divided, divided), "before", witness)


def test_what_is_left_open_is_proved_by_nothing():
    """In a step, an unbound variable could have one value in one condition and another in the next."""
    rule = rename_rule(
        rule_of("f(?x) :- f(?x), 1 = count ?l in (m(?x, ?l)), all ?l in m(?x, ?l): f(?l)."),
        lambda name: f"{name}@",
    )
    context = ProofContext(IntegrityAssumptions(THEORY), shared_variables(rule))
    context.take(rule.body, "before")
    statement, count, closed = rule.body
    same = Comparison("=", Variable("x@"), Variable("x@"))
    for condition, witness in ((statement, 0), (count, ("known", 1, ("same",))), (same, ("same",))):
        assert not proves(context, condition, "before", witness)
    assert proves(context, closed, "before", ("known", 2))


def test_an_absence_is_proved_by_nothing():
    for text in ("absent f(?y)", "?n = sum ?y where (size(?x, ?y))"):
        (condition,) = rule_of(f"f(?x) :- {text}.").body
        assert not proves(known("f(?x)"), condition, "before", 0)


def test_a_term_is_reported_apart_through_keys_of_keys():
    context = known("has(?x, ?u), has(?y, ?v), ?u != ?v")
    assert apart(context, Variable("x"), Variable("y"), ("key", 0, 1, 1, 2))
    assert not apart(context, Variable("x"), Variable("u"), ("key", 0, 1, 1, 2))
    assert not apart(context, Constant("a"), Constant("a"), None)


def test_one_action_is_taken():
    rule = rule_of("after f(?x) :- act(?x), act(?y).")
    context = ProofContext(IntegrityAssumptions(THEORY), shared_variables(rule))
    context.take(rule.body, None)
    context.note((("key", 0, 1),))
    assert context.are_equal([Variable("x")], [Variable("y")])


# Proved keys


KEYED = theory_of(
    """
    sort t. sort u.
    fluent a(t -> u). fluent b(t -> u). fluent h(t).
    derived d(t -> u). derived e(t, u).
    d(?x, ?y) :- a(?x, ?y).
    action act(t).
    """
)
SAME = ("known", (("key", 0, 1),), (("same",),))


def test_a_key_is_proved_of_each_pair_of_rules():
    assert proved_keys(KEYED, [("d", "before", "key", (SAME,))], reached=False).key(("d", "before")) == 1
    assert proved_keys(KEYED, [], reached=False).key(("d", "before")) is None
    assert proved_keys(KEYED, [], reached=False).key(("a", "before")) == 1
    assert proved_keys(KEYED, [], reached=False).key(("a", "after")) is None, "nobody gives it"


@pytest.mark.parametrize(
    "keys",
    [
        ("d", "before", "key", ()),
        ("d", "before", "key", (SAME, SAME)),
        ("d", "before", "key", (None,)),
        ("d", "before", "key", (("known", (), (("same",),)),)),
        ("d", "before", "key", (("known", (("key", 0, 1),), ()),)),
        ("d", "before", "key", (("impossible", (), None),)),
        ("d", None, "key", (SAME,)),
        ("e", "before", "key", ()),
        ("none", "before", "key", ()),
        ("d", "before", "count", ()),
        ("d", "before", "both", ()),
        ("d", "before", "key"),
    ],
)
def test_a_key_that_is_not_proved_is_refused(keys):
    with pytest.raises(RejectedError):
        proved_keys(KEYED, [keys], reached=False)


def test_a_key_that_one_rule_more_may_break_is_refused():
    text = "sort t. sort u. fluent a(t -> u). fluent b(t -> u). derived d(t -> u). d(?x, ?y) :- a(?x, ?y)."
    more = theory_of(f"{text} d(?x, ?y) :- b(?x, ?y).")
    with pytest.raises(RejectedError, match="the key of `d` \\(before the action\\) is not proved"):
        proved_keys(more, [("d", "before", "key", (SAME,))], reached=False)
    with pytest.raises(RejectedError):
        proved_keys(more, [("d", "before", "key", (SAME, SAME, SAME))], reached=False)


def test_a_key_of_reached_states_holds_at_both_moments():
    theory = theory_of(
        "sort t. sort u. action act(t). fluent a(t -> u). fluent b(t, u). after a(?x, ?y) :- act(?x), before b(?x, ?y)."
    )
    assert IntegrityAssumptions(theory).key(("a", "before")) == 1
    assert IntegrityAssumptions(theory, reached=True).key(("a", "before")) is None
    assert IntegrityAssumptions(theory).key(("a", "after")) is None
    rules = [rule for rule in theory.rules if isinstance(rule, Rule)]
    assert IntegrityAssumptions(theory).concluding(("a", "after")) == tuple(rules)
