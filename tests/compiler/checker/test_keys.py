"""Tests of inductive proofs of keys and counts: each is refused after one of its parts is changed."""

from __future__ import annotations

from typing import Any

import pytest

from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.checker.dependencies import IntegrityAssumptions
from hornbook.compiler.checker.keys import places_of, proved_keys
from oracles.proofs.learned_rules import theory_of

THEORY = theory_of(
    """
    sort t. sort u.
    fluent a(t -> u). fluent h(t, u). fluent out(t -> t).
    fluent m(t, t). fluent n(t -> int) counts m.
    fluent wide(t, t, t). fluent wides(t -> int) counts wide.
    derived wide2(t, t, t). derived wides2(t -> int) counts wide2.
    derived d(t -> u). derived e(t, u). derived m2(t, t). derived n2(t -> int) counts m2.
    derived w(t, t). derived o(t -> int) counts w.
    derived x(t, t). fluent xs(t -> int) counts x.
    fluent y(t, t). derived ys(t -> int) counts y.
    static s(t -> u). static near(t, u).
    meta odd(t -> u).
    action add(t, t). action drop(t, t).
    game win(t).
    fluent hh(t, u, u). fluent q(t, t). fluent qs(t -> int) counts q.
    derived pair(t -> u, u). derived never(t -> u). derived won(t -> u). derived asked(t -> u).
    derived c1(t, t). derived cs1(t -> int) counts c1. derived c2(t, t). derived cs2(t -> int) counts c2.
    derived c3(t, t). derived cs3(t -> int) counts c3. derived c4(t, t). derived cs4(t -> int) counts c4.
    derived c5(t, t). derived cs5(t -> int) counts c5.
    near(x, y).
    s(?x, ?y) :- s(?x, ?y), near(?x, ?y).
    d(?x, ?y) :- a(?x, ?y), h(?x, ?y).
    e(?x, ?y) :- a(?x, ?y).
    a_kept: after a(?x, ?y) :- add(?x, _), before a(?x, ?y).
    a_left: after a(?x, ?y) :- drop(?x, _), before a(?x, ?y).
    m2(?x, ?y) :- m(?x, ?y).
    n2(?x, ?n) :- n(?x, ?n).
    wide2(?x, ?y, ?z) :- wide(?x, ?y, ?z).
    wides2(?x, ?n) :- wides(?x, ?n).
    w(?x, ?y) :- m(?x, ?y), out(?x, ?z), ?y != ?z.
    w(?x, ?y) :- m2(?x, ?y), a(?x, ?u), a(?x, ?v), ?u != ?v.
    o(?x, ?k) :- n(?x, _), ?k = count ?y in (m(?x, ?y) or m2(?x, ?y)) but ?z, out(?x, ?z).
    added: after m(?x, ?y) :- add(?x, ?y).
    stays: after m(?x, ?y) :- add(_, _), before m(?x, ?y).
    dropped: after m(?x, ?y) :- drop(?x, ?z), before m(?x, ?y), ?y != ?z.
    more: after n(?x, ?k) :- add(?x, _), before n(?x, ?i), ?k = ?i + 1.
    less: after n(?x, ?k) :- drop(?x, ?z), before m(?x, ?z), before n(?x, ?i), ?k = ?i - 1.
    pair(?x, ?y, ?z) :- a(?x, ?y), hh(?x, ?y, ?z).
    never(?x, ?y) :- a(?x, ?u), a(?x, ?v), ?u != ?v, h(?x, ?y).
    won(?x, ?y) :- win(?x) is G, h(?x, ?y).
    after asked(?x, ?y) :- add(?x, _), before n(?x, _), all ?l in before m(?x, ?l): drop(?l, ?l), before h(?x, ?y).
    c1(?x, ?y) :- m(?x, ?y).
    cs1(?x, ?k) :- n(?x, ?k), a(?x, ?u), a(?x, ?v), ?u != ?v.
    c2(?x, ?y) :- m(?x, ?y).
    cs2(?x, ?k) :- n(?x, ?i), n(?x, ?k).
    after c3(?x, ?y) :- add(?x, ?y).
    after cs3(?x, ?k) :- add(?x, _), drop(?x, _), before n(?x, ?k).
    c4(?x, ?y) :- m(?x, ?y).
    cs4(?x, ?k) :- n(?x, _), ?k = count ?l in (m(?x, ?l) or m2(?x, ?l)).
    c5(?x, ?y) :- m(?x, ?y).
    cs5(?x, ?k) :- n(?x, ?k), win(?x) is G.
    left: after q(?x, ?y) :- drop(?x, ?z), before q(?x, ?y), ?y != ?z.
    two_less: after qs(?x, ?k) :- drop(?x, ?z), before q(?x, ?z), before qs(?x, ?i), ?k = ?i - 2.
    """
)
SAME = (("same",),)
SIZE = ((), ((((0, 1),),),))
D = ("d", "before", "key", (("known", (("key", 0, 2),), SAME),))
S = ("s", None, "key", (("known", (("key", 0, 2),), SAME), ("known", (("key", 0, 1),), SAME)))
A = ("a", "after", "key", (("known", (("key", 3, 1),), SAME), None, ("known", (("key", 3, 1),), SAME)))
N2 = ("m2", "before", "count", (("within", (), ("set", 0), SIZE, (("in", (), 1, ()),)),))
W = (
    "w",
    "before",
    "count",
    (
        (
            "within",
            (),
            ("count", 1),
            SIZE,
            (
                ("in", (("key", 2, 4),), 3, (5,)),
                ("impossible", (("key", 5, 4),), ("unequal", 6)),
            ),
        ),
    ),
)
WIDE = ("wide2", "before", "count", (("within", (), ("set", 0), SIZE, (("in", (), 1, ()),)),))
M = (
    "m",
    "after",
    "count",
    (
        (
            "within",
            (),
            ("more", 1, 0, 1),
            ((2,), ((((0, 1), (2, 1)),),)),
            (("with", (("key", 3, 0),)), ("in", (("key", 3, 0),), 4, ()), None),
        ),
        (
            "within",
            (),
            ("less", 2, 1),
            ((3,), ((((0, 1), (2, 1)),),)),
            (None, None, ("in", (("key", 4, 0),), 5, (6,))),
        ),
    ),
)
IN = (("in", (), 2, ()),)
NEVER = ("never", "before", "key", (("impossible", (("key", 0, 1),), ("unequal", 2)),))
C1 = ("c1", "before", "count", (("impossible", (("key", 1, 2),), ("unequal", 3)),))
NOTES = (("key", 0, 1), ("fact", "near", ("x", "y")))
C2 = ("c2", "before", "count", (("within", NOTES, ("set", 0), SIZE, (("in", (), 3, ()),)),))
C3 = ("c3", "after", "count", (None,))
C4 = ("c4", "before", "count", (("within", (), ("count", 1), SIZE, IN),))
C5 = ("c5", "before", "count", (("within", (), ("set", 0), SIZE, IN),))
ALL = (D, S, A, N2, W, WIDE, M, NEVER, C1, C2, C3, C4, C5)
BELOW = {"w": (N2,), "c4": (N2,)}
"""For each constraint, the constraints that its proof uses."""


def proved(*keys: Any, reached: bool = False) -> IntegrityAssumptions:
    return proved_keys(THEORY, keys, reached=reached)


def test_what_is_proved_may_be_used_at_its_place_and_nowhere_else():
    usable = proved(*ALL)
    assert [usable.key(place) for place in (("d", "before"), ("s", None), ("a", "after"))] == [1, 1, 1]
    assert all(usable.closed((name, "before")) for name in ("m2", "w", "wide2"))
    assert usable.closed(("m", "after"))
    assert usable.key(("d", "after")) is None
    assert not usable.closed(("m2", "after"))


@pytest.mark.parametrize("key", ALL, ids=lambda key: key[0])
def test_each_has_as_many_proofs_as_there_are_rules(key):
    for proofs in (key[3][:-1], (*key[3], None)):
        with pytest.raises(RejectedError, match=f"the {key[2]} of `{key[0]}`.* is not proved"):
            proved(*BELOW.get(key[0], ()), (*key[:3], proofs))


def instead(witness: Any, path: tuple[int, ...], new: Any) -> Any:
    """Return a copy of a witness with another part at a path."""
    if not path:
        return new
    return (*witness[: path[0]], instead(witness[path[0]], path[1:], new), *witness[path[0] + 1 :])


def test_a_count_that_is_proved_is_no_key_and_a_key_no_count():
    usable = proved(D, N2)
    assert (usable.keys, usable.counts) == ({("d", "before")}, {("m2", "before")})


PROOF, MEMBERS = (3, 0), (3, 0, 4)
Q = (
    "q",
    "after",
    "count",
    (("within", (), ("less", 2, 1), M[3][1][3], (("in", (("key", 4, 0),), 5, (6,)),)),),
)
NO_UNION = "names no union of closed sets"
BAD = [
    ("another predicate", D, (0,), "e", ""),
    ("no predicate", D, (0,), "none", ""),
    ("a key of what rests on absence", D, (), ("odd", "before", "key", ()), ""),
    ("a moment of what never changes", D, (), ("s", "before", "key", ()), ""),
    ("no moment of what changes", D, (), ("d", None, "key", ()), ""),
    ("one value of two", D, (), ("pair", "before", "key", (("known", (("key", 0, 2),), (("same",), ("same",))),)), ""),
    ("a note that is missing", NEVER, (3, 0, 1), (), ""),
    ("a game for an action", D, (), ("won", "before", "key", (None,)), ""),
    ("an action that is asked of members only", D, (), ("asked", "after", "key", (None,)), ""),
    ("no moment of a count that changes", N2, (), ("m2", None, "count", ()), ""),
    ("a count that is given", N2, (), ("x", "before", "count", ()), ""),
    ("members that are given", N2, (), ("y", "before", "count", ()), ""),
    ("a counting rule that may fire", C1, (3, 0, 1), (), ""),
    ("a note on the counting rule that is missing", C2, (3, 0, 1), NOTES[1:], ""),
    ("two fewer for one", N2, (), Q, ""),
    ("a game in the place of an action", C5, (3, 0, 2), ("more", 0, 1, 0), NO_UNION),
    ("a count for a key", N2, (2,), "key", ""),
    ("a key for a count", D, (2,), "count", ""),
    ("no pair of rules", D, (3,), (), ""),
    ("no given fact beside a rule", S, (3,), S[3][:1], ""),
    ("one action for two", D, PROOF, None, ""),
    ("one rule twice for two actions", A, (3, 2), None, ""),
    ("no inference", D, PROOF, ("none", (), SAME), ""),
    ("no values", D, (3, 0, 2), (), ""),
    ("more values than there are", D, (3, 0, 2), (("same",), ("same",)), ""),
    ("values that may differ", D, (3, 0, 1), (), ""),
    ("nothing that is impossible", D, PROOF, ("impossible", (("key", 0, 2),), ("unequal", 1)), "is not a comparison"),
    ("a pair that can be", D, PROOF, ("impossible", (), None), ""),
    ("no counting rule", N2, (3,), (), ""),
    ("no count", N2, (0,), "e", ""),
    ("one action for two in a count", N2, PROOF, None, ""),
    ("a counting rule that can be", N2, PROOF, ("impossible", (), None), ""),
    ("no inference on a count", N2, (3, 0, 0), "in", ""),
    ("no sum", N2, (3, 0, 3), ((), ()), ""),
    ("too small a size", M, (3, 0, 3), ((2,), ((((0, 1), (1, 1)),),)), ""),
    ("no member", N2, MEMBERS, (), ""),
    ("one member too many", N2, MEMBERS, (None, None), ""),
    ("a member by one action", N2, MEMBERS, (None,), ""),
    ("a member that can be", N2, MEMBERS, (("impossible", (), None),), ""),
    ("no inference on a member", N2, MEMBERS, (("none", ()),), ""),
    ("a member of nothing", N2, (*MEMBERS, 0, 2), 0, ""),
    ("what is no member", N2, (*MEMBERS, 0, 2), 2, "is not a statement"),
    ("more differences than there are", N2, (*MEMBERS, 0, 3), (None,), ""),
    ("a set of another kind", N2, (3, 0, 2), ("sets", 0), NO_UNION),
    ("no set", M, (3, 0, 2), ("set", 0), NO_UNION),
    ("no count of a set", N2, (3, 0, 2), ("count", 0), "is not a `count`"),
    ("the thing left out", W, (*MEMBERS, 0, 3), (), ""),
    ("a thing left out that it may be", W, (*MEMBERS, 0, 1), (), ""),
    ("a member that contradicts nothing", W, (*MEMBERS, 1, 1), (), ""),
    ("a thing besides that it is not", W, (*MEMBERS, 0), ("with", ()), ""),
    ("one more by what is no action", M, (3, 0, 2, 2), 1, NO_UNION),
    ("one more by no count", M, (3, 0, 2, 1), 0, NO_UNION),
    ("one more by a column before the first", M, (3, 0, 2, 3), -1, NO_UNION),
    ("one more by a column after the last", M, (3, 0, 2, 3), 2, NO_UNION),
    ("one more by a column that is a text", M, (3, 0, 2, 3), "1", NO_UNION),
    ("one more that it is not", M, (3, 0, 2, 3), 0, ""),
    ("one less by no count", M, (3, 1, 2, 1), 1, NO_UNION),
    ("one less by no member", M, (3, 1, 2, 2), 0, NO_UNION),
    ("one less that it may be", M, (3, 1, 4, 2, 3), (), ""),
    ("the same number for one less", M, (3, 1, 2), ("set", 2), ""),
    ("a wide member as one thing besides", WIDE, (*MEMBERS, 0), ("with", ()), ""),
]  # fmt: skip


@pytest.mark.parametrize(("why", "key", "path", "new", "message"), BAD, ids=[row[0] for row in BAD])
def test_a_part_that_is_another_is_refused(why, key, path, new, message):
    made = instead(key, path, new)
    at = f" ({made[1]} the action)" if made[1] else ""
    with pytest.raises(RejectedError) as problem:
        proved(*BELOW.get(key[0], ()), made)
    assert (message or f"the {made[2]} of `{made[0]}`{at} is not proved") in str(problem.value)


def test_a_count_rests_on_sets_that_are_complete_themselves():
    with pytest.raises(RejectedError, match=NO_UNION):
        proved(C4)


@pytest.mark.parametrize(
    "key",
    [
        None,
        "d",
        D[:3],
        (*D, ()),
        (1, *D[1:]),
        ("d", "then", "key", D[3]),
        ("d", "before", "both", D[3]),
        ("d", "before", "key", None),
    ],
)
def test_what_names_no_place_is_refused(key):
    with pytest.raises(RejectedError, match="is not a key or count of a timed predicate"):
        places_of([key])
