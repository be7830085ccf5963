"""Tests of sequences of actions: the state after an action is the state before the next one."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.changes.succession import advance
from hornbook.kb.base.examples import example_facts, run_examples
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.engines import VARIABLE
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.sources.diagnostics import TheoryError

WORKSHOP = (Path(__file__).parent / "data" / "workshop.horn").read_text(encoding="utf-8")
PARTS = ("p", "q", "r")


def random_state(random: Random) -> list[str]:
    """Return a random state of two machines."""
    facts = [
        "has(m, p)",
        "has(m, q)",
        "has(n, r)",
        "parts(m, 2)",
        "parts(n, 1)",
        "spent(m, 0.05)",
        "spent(n, 7.00)",
    ]
    facts += [f"state({part}, {random.choice(('good', 'worn', 'broken'))})" for part in PARTS]
    facts += [f"shut({machine})" for machine in "mn" if random.random() < 0.5]
    return [*facts, f"spares({random.randint(0, 2)})", f"today(2024-02-{random.randint(27, 29)})"]


def random_action(random: Random) -> str:
    part, machine = random.choice(PARTS), random.choice("mn")
    return random.choice((f"replace({part})", f"clean({part})", "wait", f"open({machine})"))


def by_hand(theory: Theory, state: list[str], actions: list[str]) -> set[str]:
    """Return all facts around the last action, from a new knowledge base for each state."""
    kinds = {name: predicate.kind for name, predicate in theory.vocabulary.predicates.items()}
    for number, action in enumerate(actions):
        base = KnowledgeBase(theory)
        base.add_text("".join(f"{fact}. " for fact in (*state, action)))
        if number == len(actions) - 1:
            return shown(base)
        statics = [fact for fact in state if kinds[fact.partition("(")[0]] == "static"]
        after = [
            each
            for name in kinds
            if kinds[name] == "fluent"
            for each in base.engine.statements(name, "after")
        ]
        state = [*statics, *(print_condition(each).removeprefix("after ") for each in after)]
    raise AssertionError("there is no action")


def shown(base: KnowledgeBase) -> set[str]:
    return {
        print_condition(base.engine.coding.statement(fact))
        for facts in base.engine.snapshot().values()
        for fact in facts
    }


@pytest.mark.parametrize("seed", range(8))
def test_a_sequence_in_an_example_equals_single_steps_with_the_reference_engine(seed, monkeypatch):
    random = Random(seed)
    state = random_state(random)
    actions = [random_action(random) for _ in range(random.randint(2, 5))]
    text = f"{WORKSHOP}\nexample some: {', '.join((*state, ' then '.join(actions)))}."
    theory = load_text(text)
    base = KnowledgeBase(theory)
    base.add(example_facts(theory, theory.examples[0]))
    monkeypatch.setenv(VARIABLE, "plain")
    assert shown(base) == by_hand(theory, state, actions)


def met(*expects: str, example: str) -> list[bool]:
    text = WORKSHOP + f"example e: {example}.\n" + "\n".join(f"expect e: {each}." for each in expects)
    return [outcome.met for outcome in run_examples(load_text(text)).outcomes]


def test_expectations_are_about_the_last_action():
    found = met(
        "after ready(m)",
        "before spares(?n) gives 1",
        "after spares(?n) gives 0",
        "after spent(m, ?x) gives 25.00",
        "today(?d) gives 2024-03-01",
        "before state(?p, ?s) gives (p, good), (q, worn)",
        "absent before shut(m)",
        "after shut(?m) gives m",
        example="has(m, p), has(m, q), parts(m, 2), state(p, broken), state(q, good), spares(2), spent(m, 0.00),"
        " today(2024-02-29), shut(m), open(m) then replace(p) then wait then clean(q) then replace(q)",
    )
    assert found == [False, True, True, True, True, False, True, False]


def test_rules_that_fire_before_an_earlier_action_are_counted():
    text = WORKSHOP + "example e: state(p, worn), clean(p) then wait then wait."
    fired = {rule.name: number for rule, number in run_examples(load_text(text)).fired}
    assert (fired["cleaned"], fired["worn_by_waiting"], fired["new"]) == (1, 1, 0)


def test_facts_of_the_state_before_an_action_end_with_it():
    base = KnowledgeBase(load_text(WORKSHOP))
    base.add_text("has(m, p). state(p, broken). shut(m). replace(p).")
    assert advance(base, GroundFact("wait", ())) == [GroundFact("shut", ("m",))]
    assert [fact.relation for fact in base.given()] == ["has", "shut", "wait"]


COUNTED = """
theory counted.
sort place.
sort box.
fluent holds(place, box).
fluent boxes(place -> int) counts holds.
fluent lone(box -> place).
action put(box, place).
put: after holds(?p, ?b) :- put(?b, ?p).
stays: after holds(?p, ?b) :- put(_, _), before holds(?p, ?b).
same_number: after boxes(?p, ?n) :- put(_, _), before boxes(?p, ?n).
one_place: after lone(?b, ?p) :- put(?b, ?p).
"""


def test_an_impossible_action_is_an_error_with_its_place():
    theory = load_text(
        f"{COUNTED}\nexample e: holds(hall, a), boxes(hall, 2), put(b, hall) then put(c, hall).", "c.horn"
    )
    with pytest.raises(
        KnowledgeBaseError, match=r"`put\(c, hall\)` \(c.horn:14\) is impossible after `put\(b, hall\)`"
    ):
        run_examples(theory)


def test_a_theory_with_facts_of_fluents_has_no_sequences():
    text = f"{COUNTED}\nlone(a, hall).\nexample e: put(b, hall) then put(c, hall)."
    with pytest.raises(TheoryError, match=r"states `lone\(a, hall\)` of every state"):
        load_text(text)
