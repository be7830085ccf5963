"""Tests of the search for a shortest sequence of actions: it agrees with single steps of a knowledge base."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.changes import sequence_search
from hornbook.kb.base.changes.possible_actions import ActionForm
from hornbook.kb.base.changes.sequence_search import SearchOutcome, TooManyActionsError, shortest_sequence
from hornbook.kb.base.changes.succession import advance
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.budget import Budget, SpentError

WORKSHOP = load_text((Path(__file__).parent / "data" / "workshop.horn").read_text(encoding="utf-8"))
FORMS = [ActionForm(each) for each in WORKSHOP.vocabulary.predicates.values() if each.kind == "action"]
ACTIONS = [
    *(GroundFact(name, (part,)) for name in ("replace", "clean") for part in ("p", "q")),
    GroundFact("wait", ()),
    GroundFact("open", ("m",)),
]
GOALS = (
    "after ready(m)",
    "after ready(m), after spares(0)",
    "after today(2024-03-01)",
    "after spent(m, 25.05)",
    "after state(p, worn), after state(q, good) or after spares(9)",
    "after spares(7)",
    "absent after shut(m), after state(p, good)",
)


def base_of(facts: str) -> KnowledgeBase:
    base = KnowledgeBase(WORKSHOP)
    base.add_text(facts)
    return base


def random_state(random: Random) -> str:
    states = [random.choice(("good", "worn", "broken")) for _ in "pq"]
    shut = "shut(m). " * random.randint(0, 1)
    return (
        f"has(m, p). has(m, q). parts(m, 2). state(p, {states[0]}). state(q, {states[1]}). {shut}"
        f"spent(m, 0.05). spares({random.randint(0, 2)}). today(2024-02-{random.randint(27, 29)})."
    )


def search(base: KnowledgeBase, goal: str, most: int, **bounds: float) -> SearchOutcome:
    return shortest_sequence(base, base.engine.parse_queries(goal), FORMS, most, Budget(**bounds))


def reaches(facts: str, goal: str, actions: tuple[GroundFact, ...]) -> bool:
    """Return whether a goal holds after a sequence, by single steps."""
    base = base_of(facts)
    base.add(actions[:1])
    for action in actions[1:]:
        advance(base, action)
    return bool(base.query(goal))


@pytest.mark.parametrize("seed", range(3))
def test_the_sequences_are_shortest(seed):
    random = Random(seed)
    facts = random_state(random)
    for goal in GOALS:
        found = search(base_of(facts), goal, 2)
        shorter = next(
            (n for n in (1, 2) if any(reaches(facts, goal, each) for each in product(ACTIONS, repeat=n))),
            None,
        )
        assert (found.actions and len(found.actions)) == shorter, goal
        assert found.actions is None or reaches(facts, goal, found.actions)


def test_states_in_blocks_and_alone_give_the_same_result(monkeypatch):
    base = base_of(random_state(Random(9)))
    in_blocks = [search(base, goal, 2) for goal in GOALS]
    monkeypatch.setattr(sequence_search, "BLOCK", 1)
    assert [search(base, goal, 2) for goal in GOALS] == in_blocks


def test_the_end_of_all_states_is_noticed():
    base = base_of("shut(m). shut(n).")
    found = search(base, "after state(p, good)", 9)
    assert (found.actions, found.is_exhausted, found.states) == (None, True, 3)
    assert not search(base, "after state(p, good)", 1).is_exhausted


def test_facts_of_the_theory_and_added_rules_count():
    theory = load_text(
        "theory lamp. sort place. fluent on(place). action press(place). derived lit(place).\n"
        "on(attic).\npressed: after on(?p) :- press(?p).\n"
    )
    base = KnowledgeBase(theory)
    base.add_text("shows: lit(?p) :- on(?p).")
    forms = [ActionForm(theory.vocabulary.predicates["press"])]
    goal = base.engine.parse_queries("after lit(attic)")
    found = shortest_sequence(base, goal, forms, 2, Budget())
    assert found.actions == (GroundFact("press", ("attic",)),)
    gone = base.engine.parse_queries("after lit(attic), before lit(?p), ?p != attic")
    assert shortest_sequence(base, gone, forms, 3, Budget()).actions is None


def test_bounds_are_errors():
    base = base_of(random_state(Random(1)))
    with pytest.raises(
        SpentError, match=r"no sequence was found in 1 state and 0 actions: more than 5 steps"
    ):
        search(base, "after spares(7)", 9, steps=5)
    with pytest.raises(SpentError, match="more than 6 facts"):
        search(base, "after spares(7)", 9, facts=6)


def test_too_many_actions_are_an_error(monkeypatch):
    monkeypatch.setattr("hornbook.kb.base.changes.possible_actions.MOST_ACTIONS", 3)
    with pytest.raises(TooManyActionsError):
        search(base_of(random_state(Random(1))), "after spares(7)", 2)
