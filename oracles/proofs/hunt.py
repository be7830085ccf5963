"""A hunt, with a rule proved for each reply: an animal leaves by an exit or stays, and is caught in a net.

The tests of such proofs share this example.
"""

from __future__ import annotations

from hornbook.compiler.checker.certificate import Leaf, Opening, Split
from hornbook.kb.ast.terms import Variable
from oracles.proofs.learned_rules import step, theory_of

DECLARED = """
sort animal. sort room. sort hue = red | green | blue.
static exit(room, room).
static exits(room -> int) counts exit.
static hue(room -> hue).
fluent in(animal -> room).
fluent net(room).
fluent locked(room).
derived barred(room).
action go(animal, room).
action stay(animal).
action sleep(animal).
game catch(animal).

locked_is_barred: barred(?q) :- locked(?q).
goes: after in(?x, ?q) :- go(?x, ?q), before in(?x, ?r), exit(?r, ?q).
stays: after in(?x, ?r) :- stay(?x), before in(?x, ?r).
net_when_it_goes: after net(?q) :- go(_, _), before net(?q).
net_when_it_stays: after net(?q) :- stay(_), before net(?q).
in_a_net: catch(?x) is GI :- in(?x, ?r), net(?r).
"""
REPLIES = "replies catch(?x): go(?x, ?q), in(?x, ?r), exit(?r, ?q) unless barred(?q); stay(?x).\n"
THEORY = theory_of(DECLARED + REPLIES)
RULE = (
    "catch(?x) is IG :- in(?x, ?h), net(?h), exits(?h, 2), exit(?h, ?a), exit(?h, ?b), ?a != ?b,"
    " net(?a), net(?b)."
)


def into(room: str) -> Leaf:
    """Return the case in which the animal went into a room with a net."""
    return Leaf(
        (
            step("goes", None, x="?x", q="?q^", r="?h"),
            step("net_when_it_goes", None, _1="?x", _2="?q^", q=room),
            step("in_a_net", "after", x="?x", r=room),
        )
    )


STAYS = Leaf(
    (
        step("stays", None, x="?x", r="?h"),
        step("net_when_it_stays", None, _1="?x", q="?h"),
        step("in_a_net", "after", x="?x", r="?h"),
    )
)
NOBODY = Leaf(())
A, B = Variable("a"), Variable("b")
GOES = Split("q^", ((A, into("?a")), (B, into("?b"))), NOBODY)
STAYING: Opening = (1, ())
