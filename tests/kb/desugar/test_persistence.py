"""Tests of `persists … unless …`: the generated rules agree with the meaning that everything else stays."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.kb.ast.terms import Variable
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.frames import breaches
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_clause, print_rule
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import Query, parse
from hornbook.kb.sources.diagnostics import TheoryError
from oracles.reader.language import fingerprint
from oracles.reader.theory import ReaderTheory as SecondReading

WAREHOUSE = (Path(__file__).parent / "data" / "persistence_warehouse.horn").read_text(encoding="utf-8")
BOXES, PLACES, PEOPLE = ("b1", "b2"), ("hall", "loft"), ("ann", "bob")
CASES = (
    "carry(_, ?box, _)",
    "carry(?p, ?box, ?q)",
    "carry(?p, ?b, ?p2), holds(?p, ?b)",
    "carry(?p, _, _), holds(?p, _)",
    "carry(_, ?b, ?q), locked(?q, no)",
    "carry(_, ?b, ?q), locked(?q, ?a), ?a != yes, in(?b, ?q)",
    "carry(_, ?b, ?q), room(?q, ?n), ?m = ?n - 1, ?m >= 1",
    "carry(_, ?b, ?q), in(?b, ?other), ?other != ?q",
    "open(?q), in(?b2, ?q), ?b2 = b1",
    "open(?q), locked(?q, ?a), locked(hall, ?a)",
    "open(hall)",
    "open(?q), room(?q, ?n), ?n < 2",
    "open(?q), in(?box, ?q)",
    "carry(?p, ?box, _), tired(?p)",
    "open(?q), tired(_), room(?q, ?n), ?n > 1",
    "carry(?p, ?b, ?q), likes(?p, ?q), likes(?p, hall), likes(_, ?q)",
    "rest",
    "rest, room(loft, 2)",
    "carry(?x, ?box, ?q), ?x = ann, ?q != loft",
)
FLUENTS = ("in(?box, _)", "in(?box, hall)", "holds(_, ?box)", "holds(ann, ?box)", "in(?box, ?place)")


def theory(*clauses):
    return load_text(WAREHOUSE + "\n".join(clauses))


def messages(*clauses):
    return [print_rule(rule) for rule in theory(*clauses).rules]


def test_everything_stays_where_nothing_is_reported():
    assert messages("persists in(_, _).") == [
        "in_stays_after_carry:\n  after in(?box, ?place) :- carry(_, _, _), before in(?box, ?place).",
        "in_stays_after_open:\n  after in(?box, ?place) :- open(_), before in(?box, ?place).",
        "in_stays_after_rest:\n  after in(?box, ?place) :- rest, before in(?box, ?place).",
    ]


def test_an_argument_that_is_bound_becomes_an_inequality():
    rules = messages("persists in(?box, ?place) unless carry(_, ?box, ?place); rest.")
    assert rules == [
        (
            "in_stays_after_carry:\n"
            "  after in(?box, ?place) :- carry(_, ?box_2, _), before in(?box, ?place), ?box != ?box_2."
        ),
        (
            "in_stays_after_carry_2:\n"
            "  after in(?box, ?place) :- carry(_, _, ?place_2), before in(?box, ?place), ?place != ?place_2."
        ),
        "in_stays_after_open:\n  after in(?box, ?place) :- open(_), before in(?box, ?place).",
    ]


def test_a_value_becomes_another_value_and_a_member_a_look_through_the_closed_set():
    rules = messages("persists in(?box, _) unless carry(?who, _, ?q), locked(?q, yes), holds(?who, ?box).")
    assert rules[:2] == [
        (
            "in_stays_after_carry:\n"
            "  after in(?box, ?place) :-\n"
            "    carry(_, _, ?place_2), before in(?box, ?place), before locked(?place_2, ?answer),\n"
            "    ?answer != yes."
        ),
        (
            "in_stays_after_carry_2:\n"
            "  after in(?box, ?place) :-\n"
            "    carry(?person, _, _), before in(?box, ?place),\n"
            "    all ?box_3 in before holds(?person, ?box_3): ?box_3 != ?box."
        ),
    ]


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("seed", range(30))
def test_what_stays_is_what_no_case_names(seed, whole):
    """The expected meaning is computed with queries.

    A fact stays exactly if no case has an answer for it. With less knowledge, no other fact stays.
    """
    random = Random(seed)
    fluent = random.choice(FLUENTS)
    cases = [case for case in random.sample(CASES, random.randint(0, 3)) if fits(case, fluent)]
    clause = f"persists {fluent}" + (f" unless {'; '.join(cases)}" if cases else "")
    base = KnowledgeBase(theory(f"{clause}."))
    base.add(fact for fact in state(random) if whole or random.random() < 0.7)
    (frame,) = base.theory.frames
    for action in actions():
        base.push()
        base.add([action])
        name = frame.fluent.predicate
        stays = {fact.values for fact in base.facts(name, "after")}
        for values in {fact.values for fact in base.facts(name, "before")}:
            bound = instance(frame.fluent, values)
            named = bound is not None and any(
                base.engine.query(Query((*equal(bound), *case), frame.span)).rows for case in frame.cases
            )
            expected = bound is not None and not named
            assert (values in stays) <= expected, (clause, action, values)
            assert values in stays or not expected or not whole, (clause, action, values)
        if whole:
            assert breaches(base, [GroundFact(name, values) for values in stays]) == []
        base.pop()


def fits(case, fluent):
    """Return whether a case mentions no variable that only another fluent has."""
    return "?place" in fluent or "?place" not in case


def state(random):
    yield from (GroundFact("room", (place, random.randint(1, 3))) for place in PLACES)
    yield from (GroundFact("tired", (person,)) for person in PEOPLE if random.random() < 0.4)
    yield from (GroundFact("likes", each) for each in product(PEOPLE, PLACES) if random.random() < 0.6)
    yield from (GroundFact("in", (box, random.choice(PLACES))) for box in BOXES)
    yield from (GroundFact("locked", (place, random.choice(("yes", "no")))) for place in PLACES)
    for person in PEOPLE:
        stored = random.sample(BOXES, random.randint(0, 2))
        yield from (GroundFact("holds", (person, box)) for box in stored)
        yield GroundFact("held", (person, len(stored)))


def actions():
    yield from (GroundFact("carry", each) for each in product(PEOPLE, BOXES, PLACES))
    yield from (GroundFact("open", (place,)) for place in PLACES)
    yield GroundFact("rest", ())


def instance(fluent, values):
    """Return the values of a fluent's variables in a fact, or None if the fact does not match."""
    bound = {}
    for term, value in zip(fluent.arguments, values, strict=True):
        if isinstance(term, Variable):
            bound[term.name] = value
        elif term.value != value:
            return None
    return bound


def equal(bound):
    return [
        condition
        for name, value in bound.items()
        if not name.startswith("_")
        for condition in parse(f"x :- ?{name} = {value}.").clauses[0].body
    ]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("fluent", FLUENTS)
def test_the_rules_are_what_is_printed_and_what_a_second_reader_makes_of_the_text(fluent, case):
    if not fits(case, fluent):
        return
    text = f"{WAREHOUSE}persists {fluent} unless {case}; carry(ann, b1, _), room(hall, 1)."
    rules = load_text(text).rules
    second = SecondReading.of_texts([text])
    for rule in rules:
        assert parse(print_rule(rule)).clauses == (rule,)
        assert fingerprint(second.rules[rule.label]) == fingerprint_of_rule(rule)
    assert len(second.rules) == len(rules)


def test_an_action_of_an_importing_theory_leaves_what_persists_too(tmp_path):
    (tmp_path / "store.horn").write_text(f"{WAREHOUSE}persists in(_, _) unless carry(_, _, _).")
    text = "theory more.\nimport store.\naction sing(person).\n"
    (tmp_path / "more.horn").write_text(text)
    base = KnowledgeBase(tmp_path / "more.horn")
    base.add([GroundFact("in", ("b1", "hall")), GroundFact("sing", ("ann",))])
    assert [fact.values for fact in base.facts("in", "after")] == [("b1", "hall")]


def test_a_proof_names_the_rule():
    base = KnowledgeBase(theory("persists in(?box, _) unless carry(_, ?box, _)."))
    base.add([GroundFact("in", ("b1", "hall")), GroundFact("open", ("loft",))])
    assert "in_stays_after_open" in str(base.why("after in(b1, hall)"))


def test_the_clause_is_printed_as_it_is_read():
    clauses = "persists in(_, _).\npersists in(?box, _) unless carry(_, ?box, _); open(?p), in(?box, ?p)."
    parsed = parse(clauses)
    assert "\n".join(map(print_clause, parsed.clauses)) == clauses


@pytest.mark.parametrize(
    ("cases", "about"),
    [
        ("open(?p), holds(?who, ?box), in(?box, ?p)", "`holds(?who, ?box)`"),
        ("open(?p), room(?p, _)", "`room(?p, _1)`"),
        ("open(?p), ?n = count ?b in holds(ann, ?b), ?n > 1", "opposite"),
        ("open(?p), int(?p) = 3", "may have no value"),
        ("open(?p), ?n = length(upper(?p)), ?n > 3", "may have no value"),
    ],
)
def test_what_has_no_opposite_is_refused_with_a_way_out(cases, about):
    with pytest.raises(TheoryError, match="HB064") as raised:
        theory(f"persists in(?box, _) unless {cases}.")
    assert len(raised.value.diagnostics) == 1
    assert raised.value.diagnostics[0].help


def test_a_label_of_ones_own_is_not_taken_for_a_rule_of_persists():
    with pytest.raises(TheoryError, match="HB018"):
        theory("persists in(_, _).", "in_stays_after_rest: after in(b1, hall) :- rest.")


def test_too_many_ways_to_fail_are_refused():
    case = "carry(?p, ?b, ?q), ?p != ann, ?b != b1, ?q != hall, ?p != bob, ?b != b2"
    with pytest.raises(TheoryError, match="HB064"):
        theory(f"persists in(?box, _) unless {'; '.join([case] * 3)}.")
