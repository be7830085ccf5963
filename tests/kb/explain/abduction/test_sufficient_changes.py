"""Tests of the changes that would suffice for a fact: each is right, none of its parts is needless, and small
ones are found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.abduction import sufficient_changes
from hornbook.kb.explain.abduction.sufficient_changes import SufficientChange, SufficientChanges
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import ground_fact
from oracles.pages.engines import engines_with

DEGREE = (Path(__file__).parents[1] / "data" / "sufficient_degree.horn").read_text(encoding="utf-8")
GIVEN = (
    "enrolled(ann). grade(ann, maths, 2). grade(ann, law, 5). expelled(ann)."
    "enrolled(bob). grade(bob, maths, 1). grade(bob, law, 3). expelled(bob). amnesty(cy)."
)


@pytest.fixture(params=engines_with("derivations"))
def degree(request):
    base = KnowledgeBase(load_text(DEGREE, "degree.horn"), engine=request.param)
    base.add_text(GIVEN, "given.horn")
    return base


@contextmanager
def supposing(
    base: KnowledgeBase, add: Iterable[GroundFact] = (), retract: Iterable[GroundFact] = ()
) -> Iterator[None]:
    base.push()
    base.exchange(retract, add)
    yield
    base.pop()


def sets_of(base: KnowledgeBase, goal: str, sets: int = 5) -> SufficientChanges:
    found = base.why_not(goal, sets=sets).sufficient
    assert found is not None
    return found


def texts(base: KnowledgeBase, goal: str) -> list[list[str]]:
    return [list(each.lines({})) for each in sets_of(base, goal).sets]


def test_a_value_replaces_the_one_with_the_same_key(degree):
    assert texts(degree, "good(ann, law)") == [
        [
            "add grade(ann, law, 4) instead of grade(ann, law, 5)",
            "values chosen for: grade(ann, law, ?g), ?g <= 4, ?g >= 1",
        ]
    ]


def test_what_must_be_absent_is_removed_or_its_reason_is_refuted(degree):
    assert texts(degree, "graduates(bob)") == [["remove expelled(bob)"], ["add amnesty(bob)"]]


def test_several_conditions_fail_together(degree):
    first, second, *_ = texts(degree, "graduates(ann)")
    assert first[:2] == ["add grade(ann, law, 4) instead of grade(ann, law, 5)", "remove expelled(ann)"]
    assert second[:2] == ["add amnesty(ann)", "add grade(ann, law, 4) instead of grade(ann, law, 5)"]


def test_an_added_fact_that_violates_an_absence_is_changed_too(degree):
    """A grade of 3 or 4 is good, but not good enough for honours: the search continues from it."""
    assert texts(degree, "honours(cy)")[0][:3] == [
        "add enrolled(cy)",
        "add grade(cy, art, 1)",
        "add grade(cy, law, 1)",
    ]


def test_the_first_of_several_sets_is_the_smallest(degree):
    found = sets_of(degree, "graduates(ann)").sets
    sizes = [len(each.changed) for each in found]
    assert sizes == sorted(sizes)
    assert len(found) == 2


def test_facts_of_the_theory_can_be_replaced(degree):
    assert texts(degree, "credits(maths, 6)") == [["add credits(maths, 6) instead of credits(maths, 5)"]]
    assert "[degree.horn:24]" in degree.why_not("credits(maths, 6)").to_text()


def test_what_only_the_theory_states_is_an_obstacle():
    base = KnowledgeBase(
        load_text(
            "theory shop. sort thing. static price(thing -> int) stated. derived dear(thing).\n"
            "above_five: dear(?t) :- price(?t, ?p), ?p > 5.\nprice(pen, 3).\n"
        )
    )
    found = sets_of(base, "dear(pen)")
    assert [*found.lines({})] == ["no change of given facts suffices", "  obstacle: 3 > 5"]
    assert found.as_json({}) == {"sets": [], "complete": True, "obstacles": ["3 > 5"]}


@pytest.mark.parametrize("bound", ["MAX_STEPS", "MAX_EVALUATIONS", "MAX_GUESSES"])
def test_a_bound_is_reported(degree, monkeypatch, bound):
    monkeypatch.setattr(sufficient_changes, bound, 3 if bound != "MAX_GUESSES" else 1)
    found = sets_of(degree, "graduates(ann)")
    assert not found.is_complete
    assert [*found.lines({})][-1].startswith("the search ended at a bound")


def test_the_number_of_sets_is_bounded(degree):
    assert len(sets_of(degree, "graduates(ann)", sets=1).sets) == 1
    assert not sets_of(degree, "graduates(ann)", sets=1).is_complete
    assert degree.why_not("graduates(ann)", sets=0).sufficient is None


def test_the_base_is_unchanged(degree):
    before = degree.given(), degree.query("barred(?s)").rows
    degree.why_not("graduates(ann)")
    assert (degree.given(), degree.query("barred(?s)").rows) == before


def test_removed_and_replaced_facts_have_their_rows(degree):
    sources = [degree.read_clauses(GIVEN.replace(".", ".\n"), "given.horn").statements]
    text = degree.why_not("graduates(ann)").with_sources(sources).to_text()
    assert "instead of grade(ann, law, 5)  [given.horn:3]" in text
    assert "remove expelled(ann)  [given.horn:4]" in text
    found = degree.why_not("graduates(bob)").with_sources(sources).to_dict()["sufficient"]["sets"]
    assert found[0] == {
        "add": [],
        "remove": [{"fact": "expelled(bob)", "place": "given.horn:8"}],
        "general": [],
    }


CALCULATED = """theory r. sort student. sort course. sort grade = decimal(2). sort short = decimal(1). sort day = date.
static mark(student -> grade) complete. static born(student -> day) complete.
derived passed(student). derived adult(student). derived this_year(student). derived third(student).
rounded: passed(?s) :- mark(?s, ?g), ?r = round_half_up(?g, 2, 1), ?r >= 4.0.
of_age: adult(?s) :- born(?s, ?d), add_years(?d, 18) <= 2024-02-29.
in_a_year: this_year(?s) :- born(?s, ?d), year(?d) = 2024.
divided: third(?s) :- mark(?s, ?g), divide_down(?g, 3.00, 2) = 1.33.
mark(ann, 3.12). born(ann, 2010-05-05).
"""


@pytest.mark.parametrize(
    ("goal", "fact"),
    [
        ("passed(ann)", "mark(ann, 3.95) instead of mark(ann, 3.12)"),
        ("adult(ann)", "born(ann, 2006-02-28) instead of born(ann, 2010-05-05)"),
        ("this_year(bob)", "born(bob, 2024-01-01)"),
        ("third(ann)", "mark(ann, 3.99) instead of mark(ann, 3.12)"),
    ],
)
def test_the_nearest_value_is_found_through_a_function(goal, fact):
    base = KnowledgeBase(load_text(CALCULATED))
    assert texts(base, goal)[0][0] == f"add {fact}"


def test_a_date_that_replaces_none_is_near_a_given_one():
    base = KnowledgeBase(
        load_text(
            "theory l. sort title. sort day = date. static due(title, day) complete. derived late(title)."
            "late: late(?t) :- due(?t, ?d), ?d < 2024-03-05. due(emma, 2025-05-05)."
        )
    )
    assert texts(base, "late(dune)")[0][0] == "add due(dune, 2024-03-04)"


def test_the_search_continues_after_two_values_for_one_key():
    """The third exception alone contradicts the second one, and without the second one, the first one."""
    base = KnowledgeBase(
        load_text(
            RATES + "is_first exception to ordinary: rate(?t, 2) :- first(?t).\n"
            "is_second exception to is_first: rate(?t, 3) :- second(?t).\n"
            "is_third exception to ordinary: rate(?t, 4) :- third(?t).\n"
            "best: best(?t) :- rate(?t, 4).\n"
        )
    )
    base.add_text("general(a). first(a). second(a).")
    found = sets_of(base, "best(a)")
    assert [list(each.lines({})) for each in found.sets] == [
        ["add third(a)", "remove first(a)", "remove second(a)"]
    ]
    assert found.is_complete


def test_every_member_of_a_closed_set_gets_what_it_lacks():
    base = KnowledgeBase(
        load_text(
            "theory trip. sort group. sort child. static member(group, child) complete."
            " static members(group -> int) counts member. static ticket(child).\n"
            "derived leaves(group).\n"
            "all_have_tickets: leaves(?g) :- members(?g, _), all ?c in member(?g, ?c): ticket(?c).\n"
        )
    )
    base.add_text("member(red, ann). member(red, bob). member(red, cy). members(red, 3). ticket(bob).")
    assert texts(base, "leaves(red)") == [["add ticket(ann)", "add ticket(cy)"]]


# Random theories without variables, with every set of changes as the reference

NAMES = [f"s{number}" for number in range(5)]


def random_theory(random: Random) -> str:
    clauses = [f"theory t. {' '.join(f'static {name} complete.' for name in NAMES)}"]
    known = list(NAMES)
    for number in range(4):
        clauses.append(f"derived d{number}.")
        for _ in range(random.randint(1, 2)):
            body = random.sample(known, random.randint(1, 3))
            written = (f"{'absent ' if random.random() < 0.4 else ''}{name}" for name in body)
            clauses.append(f"d{number} :- {', '.join(written)}.")
        known.append(f"d{number}")
    return "\n".join(clauses)


def holds_after(base: KnowledgeBase, goal: str, changed: set[str]) -> bool:
    present = {name for name in NAMES if base.query(name)}
    with supposing(
        base,
        add=[GroundFact(name, ()) for name in changed - present],
        retract=[GroundFact(name, ()) for name in changed & present],
    ):
        return bool(base.query(goal))


def names_of(change: SufficientChange) -> set[str]:
    return {fact.relation for _, fact in change.changed}


def test_the_sets_of_random_theories_are_right_and_the_smallest_is_found(times):
    checked = 0
    for seed in range(60 * times):
        random = Random(seed)
        base = KnowledgeBase(load_text(random_theory(random)))
        base.add([GroundFact(name, ()) for name in NAMES if random.random() < 0.5])
        for number in range(4):
            goal = f"d{number}"
            if base.query(goal):
                continue
            every = [
                set(changed)
                for size in range(len(NAMES) + 1)
                for changed in combinations(NAMES, size)
                if holds_after(base, goal, set(changed))
            ]
            found = sets_of(base, goal, sets=50)
            assert found.is_complete
            for change in map(names_of, found.sets):
                assert change in every
                assert all(change - {each} not in every for each in change)
            assert bool(found.sets) == bool(every)
            if every:
                assert len(names_of(found.sets[0])) == min(map(len, every))
                checked += 1
    assert checked > 30


def test_the_sets_of_random_degrees_are_right(times):
    checked = 0
    for seed in range(10 * times):
        random = Random(seed)
        base = KnowledgeBase(load_text(DEGREE, "degree.horn"))
        base.add(
            GroundFact(relation, values)
            for relation, values in [
                *(("enrolled", (each,)) for each in ("ann", "bob")),
                *(("expelled", (each,)) for each in ("ann", "bob", "cy")),
                *(("amnesty", (each,)) for each in ("ann", "bob", "cy")),
                *(
                    ("grade", (each, course, random.randint(1, 6)))
                    for each in ("ann", "bob")
                    for course in ("maths", "art", "law")
                ),
            ]
            if random.random() < 0.5
        )
        for goal in ("graduates(ann)", "honours(ann)", "good(bob, art)", "barred(cy)", "points(ann, 9)"):
            if base.query(goal):
                continue
            for change in sets_of(base, goal).sets:
                parts = [*change.add, *change.remove]
                for left_out in (None, *parts):
                    kept = [each for each in parts if each is not left_out]
                    with supposing(
                        base,
                        add=[ground_fact(each.fact) for each in kept if not isinstance(each, Atom)],
                        retract=[
                            ground_fact(each if isinstance(each, Atom) else each.instead)
                            for each in kept
                            if isinstance(each, Atom) or each.instead is not None
                        ],
                    ):
                        assert bool(base.query(goal)) == (left_out is None)
                checked += 1
    assert checked > 20


RATES = """theory rates. sort thing. sort points = int. static general(thing) complete.
static first(thing) complete. static second(thing) complete. static third(thing) complete.
derived rate(thing -> points). derived best(thing).
ordinary: rate(?t, 1) :- general(?t).
"""


@pytest.mark.parametrize("seed", range(25))
def test_another_conclusion_with_the_same_key_is_made_false(seed):
    random = Random(seed)
    rules = []
    for index, name in enumerate(("first", "second", "third")):
        above = random.choice(("ordinary", "is_first", "is_second")[: index + 1])
        head = "absent rate(?t, _)" if random.random() < 0.3 else f"rate(?t, {index + 2})"
        rules.append(f"is_{name} exception to {above}: {head} :- {name}(?t).")
    rules.append(f"best: best(?t) :- rate(?t, {random.choice((1, 4))}).")
    base = KnowledgeBase(load_text(RATES + "\n".join(rules)))
    facts = [GroundFact(name, ("a",)) for name in ("general", "first", "second", "third")]
    states = [set(some) for size in range(5) for some in combinations(facts, size)]
    before = random.choice(states)
    try:
        base.add(before)
    except KnowledgeBaseError:
        return
    goals = ["best(a)", *(f"rate(a, {value})" for value in range(1, 5))]
    smallest: dict[str, int] = {}
    for state in states:
        base.push()
        try:
            base.exchange(before - state, state - before)
            for goal in goals:
                if base.query(goal):
                    size = len(before ^ state)
                    smallest[goal] = min(size, smallest.get(goal, size))
        except KnowledgeBaseError:
            pass
        base.pop()
    for goal in goals:
        if not base.query(goal):
            found = sets_of(base, goal)
            sizes = [len(each.changed) for each in found.sets]
            assert found.is_complete
            assert min(sizes, default=None) == smallest.get(goal)
