"""Tests of typical programs with absence and aggregates: their conclusions in every engine, and the refusals."""

from __future__ import annotations

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.sources.diagnostics import TheoryError
from oracles.pages.checking import diagnostics
from oracles.pages.engines import engines_with

GRAPH = """
theory graph.
sort node.
static node(node).
static edge(node, node).
derived reach(node, node). derived unreachable(node, node). derived source(node). derived sink(node).
derived isolated(node). derived winning(node). derived out(node, int). derived most(int). derived busiest(node).

reach(?x, ?y) :- edge(?x, ?y).
reach(?x, ?z) :- reach(?x, ?y), edge(?y, ?z).
unreachable(?x, ?y) :- node(?x), node(?y), absent reach(?x, ?y), ?x != ?y.
source(?x) :- node(?x), absent edge(_, ?x).
sink(?x) :- node(?x), absent edge(?x, _).
isolated(?x) :- source(?x), sink(?x).
winning(?x) :- edge(?x, ?y), sink(?y).
out(?x, ?n) :- node(?x), ?n = count ?y where edge(?x, ?y).
most(?n) :- ?n = max ?m where out(_, ?m).
busiest(?x) :- out(?x, ?n), most(?n).
node(a). node(b). node(c). node(d). node(e).
edge(a, b). edge(b, c). edge(a, c). edge(c, a).
edge(a, d).
"""
NODES, EDGES = "abcde", {("a", "b"), ("b", "c"), ("a", "c"), ("c", "a"), ("a", "d")}


def by_hand() -> dict[str, set[tuple[str, ...]]]:
    """Compute the same relations with sets."""
    reach = set(EDGES)
    while more := {(x, z) for x, y in reach for w, z in EDGES if y == w} - reach:
        reach |= more
    sinks = {x for x in NODES if not any(x == y for y, _ in EDGES)}
    sources = {x for x in NODES if not any(x == y for _, y in EDGES)}
    out = {x: sum(x == y for y, _ in EDGES) for x in NODES}
    return {
        "unreachable": {(x, y) for x in NODES for y in NODES if x != y and (x, y) not in reach},
        "sink": {(x,) for x in sinks},
        "source": {(x,) for x in sources},
        "isolated": {(x,) for x in sinks & sources},
        "winning": {(x,) for x, y in EDGES if y in sinks},
        "busiest": {(x,) for x in NODES if out[x] == max(out.values())},
    }


@pytest.mark.parametrize("engine", engines_with())
@pytest.mark.parametrize("words", ["", " complete"])
def test_a_program_with_negation_and_counts_is_written_as_people_expect(engine, words):
    text = GRAPH.replace("node(node).", f"node(node){words}.").replace(
        "edge(node, node).", f"edge(node, node){words}."
    )
    base = KnowledgeBase(load_text(text), engine=engine)
    for name, expected in by_hand().items():
        columns = ", ".join(f"?x{i}" for i in range(len(next(iter(expected)))))
        answers = base.query(f"{name}({columns})")
        assert set(answers) == expected, name


DOORS = """
theory doors.
sort person. sort door.
static key(person, door) complete.
fluent locked(door) complete.
fluent in(person).
action enter(person, door).
derived open(door).
game get(person).
opened: before open(?d) :- key(_, ?d), absent before locked(?d).
entered: after in(?p) :- enter(?p, ?d), before open(?d).
key_of_ones_own: after in(?p) :- enter(?p, ?d), key(?p, ?d), 1 = count ?q where key(?q, ?d).
"""


@pytest.mark.parametrize("engine", engines_with("immediate"))
def test_what_is_complete_before_an_action_says_what_the_action_changes(engine):
    base = KnowledgeBase(load_text(DOORS), engine=engine)
    base.add_text("key(ann, front). key(ann, back). key(bob, back). enter(ann, back).")
    assert base.query("after in(ann)")
    base.add_text("locked(back).")
    assert not base.query("after in(ann)")
    base.retract([GroundFact("enter", ("ann", "back"))])
    base.add_text("enter(ann, front). locked(front).")
    assert base.query("after in(ann)")


def errors(text: str) -> list[str]:
    return [diagnostic.code for diagnostic in diagnostics(text) if diagnostic.severity == "error"]


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        # After an action, only static predicates are known completely. A timeless rule is checked there too.
        ("after in(?p) :- enter(?p, ?d), absent after locked(?d).", ["HB026"]),
        ("in(?p) :- key(?p, ?d), absent locked(?d).", ["HB026"]),
        ("open(?d) :- key(_, ?d), absent locked(?d).", ["HB039"]),
        ("get(?p) is GI :- key(?p, _), absent in(?p).", ["HB026"]),
        ("before get(?p) is GI :- key(?p, ?d), absent before locked(?d).", []),
        ("after in(?p) :- enter(?p, ?d), absent (key(?q, ?d), before in(?q)).", ["HB026"]),
        # Games and the predicates that read them are not complete: an opponent's replies prove more facts.
        ("after in(?p) :- enter(?p, _), absent before get(?p) is GI.", ["HB026"]),
        ("frame in(?p): enter(?p, ?d), absent locked(?d).", ["HB026"]),
        ("replies get(?p): enter(?p, ?d), absent locked(?d).", ["HB026"]),
    ],
)
def test_where_absence_may_state(clause, expected):
    assert errors(DOORS + clause) == expected


def test_what_is_complete_is_inferred_through_rules_and_lost_through_one():
    text = DOORS + "derived guest(person). guest(?p) :- key(?p, _). guest(?p) :- {}.\n"
    text += "after in(?p) :- enter(?p, _), absent before guest(?p)."
    assert errors(text.replace("{}", "key(?p, ?d), absent key(?p, ?d)")) == []
    assert errors(text.replace("{}", "in(?p)")) == ["HB026"]


def test_what_takes_completeness_from_a_predicate_is_reported_once():
    more = "derived {0}(person) complete. {0}(?p) :- in(?p). {0}(?p) :- in(?p), key(?p, _). "
    assert errors(DOORS + more.format("guest")) == ["HB056"]
    assert errors(DOORS + more.format("guest") + more.format("host")) == ["HB056", "HB056"]


def test_a_rule_that_comes_later_takes_completeness_from_nothing_that_stands():
    base = KnowledgeBase(load_text(DOORS))
    base.add_text("mine: open(?d) :- key(ann, ?d).")
    with pytest.raises(TheoryError, match="HB061"):
        base.add_text("open(?d) :- locked(?d), absent in(_).")
    with pytest.raises(TheoryError, match="HB056"):
        base.add_text("key(?p, ?d) :- key(?p, ?d), absent (key(_, ?e), ?e != ?d), key(?p, ?x), in(?x).")
