"""Tests of invented predicates about the state after an action, and of rules that quantify over members."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hornbook.compiler.checker.checker import RejectedError, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.learn.invention import (
    InventionResult,
    invent_predicates,
    invent_predicates_from_examples,
)
from hornbook.compiler.learn.learning import examples_of
from hornbook.compiler.learn.lessons import Problem
from hornbook.kb.ast.terms import Atom, Constant, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.kb.format.printer import print_rule
from hornbook.kb.load.loader import load_text

HARE = (Path(__file__).parent / "data" / "foresight_hare.horn").read_text(encoding="utf-8")


def facts(text: str) -> tuple[GroundFact, ...]:
    """Return the facts of a text like `exit a b, exit a c`, and the counts of exits."""
    found = [GroundFact(words[0], tuple(words[1:])) for words in map(str.split, text.split(", "))]
    ways = [str(fact.values[0]) for fact in found if fact.relation == "exit"]
    return (*found, *(GroundFact("exits", (place, ways.count(place))) for place in dict.fromkeys(ways)))


class Meadow:
    """A minimal game interface for the prover; positions are tuples of facts."""

    focus_predicate = "about"

    def facts(self, state: tuple[GroundFact, ...], _game: Atom, _about: object) -> Iterable[GroundFact]:
        return state

    def attempts(self, state: tuple[GroundFact, ...], _game: Atom, moves: int) -> Iterator[GroundFact]:
        if moves == 2:
            yield GroundFact("scare", ("tim",))
            return
        yield from (GroundFact("shut", (place,)) for place in "bcdefgh" if place in str(state))

    def after(self, state: tuple[GroundFact, ...], action: GroundFact) -> tuple[GroundFact, ...]:
        if action.relation == "hop":
            return (*(f for f in state if f.relation != "sits"), GroundFact("sits", action.values))
        return state if action.relation == "scare" else (*state, GroundFact("fenced", action.values))

    def followed(self, _state: object, game: Atom, _action: object) -> Atom:
        return game

    def wider(
        self, _state: object, _game: object, about: frozenset[str | int]
    ) -> Iterator[frozenset[str | int]]:
        yield about

    def replies(self, _state: object, _game: object, _about: object) -> Iterator[GroundFact]:
        yield from ()


TIM = Atom("trap", (Constant("tim"),))
AT_ONCE = Problem(
    "corner", "", facts("sits tim a, exit a b, exit a c, exit a d, gate d, fenced b, watched c"), TIM, 1
)
MANY = facts(
    "sits tim a, exit a b, exit a c, exit a d, exit a e, exit a f, exit a g, exit a h, "
    "gate g, gate h, fenced b, fenced c, watched d, watched e, watched f, watched h"
)
BY_TWO = Problem(
    "fork",
    "",
    facts(
        "sits tim a, exit a b, exit a c, exit b d, exit b e, exit c f, exit c g, watched d, fenced f, gate e, gate g"
    ),
    TIM,
    2,
)


@pytest.fixture(scope="module")
def theory() -> Theory:
    return load_text(HARE, "hare.horn")


@pytest.fixture(scope="module")
def learned(theory: Theory) -> InventionResult:
    return invent_predicates(theory, Meadow(), [AT_ONCE, BY_TWO])


def reported(learned: InventionResult, state: Iterable[GroundFact], by: GroundFact) -> bool:
    """Return whether the rules conclude, in a state without a taken action, that the action wins."""
    base = KnowledgeBase(learned.theory)
    add_proved_rules(base, [entry.rule for entry in learned.base])
    base.add([*state])
    return bool(base.query(f"trap(tim) by {by.relation}({', '.join(map(str, by.values))}) is GI"))


def shut(place: str) -> GroundFact:
    return GroundFact("shut", (place,))


SCARE = GroundFact("scare", ("tim",))


def test_what_is_queried_of_each_member_is_one_word(learned: InventionResult):
    rule = learned.base.entries["foreseen_trap_by_shut_is_gi_1"].rule
    assert print_rule(rule) == (
        "foreseen_trap_by_shut_is_gi_1:\n"
        "  trap(?h) by shut(?p) is GI :-\n"
        "    gate(?p), sits(?h, ?p2), all ?q in exit(?p2, ?q): barred_after_shut(?q, ?p), exits(?p2, _)."
    )
    clauses = [print_rule(rule) for rule in learned.theory.rules if rule.head.relation == "barred_after_shut"]
    assert clauses == [
        "barred_after_shut_1:\n  barred_after_shut(?p, ?p) :- gate(?p).",
        "barred_after_shut_2:\n  barred_after_shut(?x, ?p) :- watched(?x), gate(?p).",
        "barred_after_shut_3:\n  barred_after_shut(?x, ?p) :- fenced(?x), gate(?p), ?x != ?p.",
    ]


def test_a_rule_from_three_ways_out_answers_for_seven(learned: InventionResult):
    assert reported(learned, MANY, shut("g"))
    assert not reported(learned, MANY, shut("h"))


def test_words_are_invented_through_two_moves_and_the_reply_between(learned: InventionResult):
    assert reported(learned, BY_TWO.state, SCARE)
    other = "sits tim a, exit a b, exit a c, exit b d, exit b e, exit b f, watched d, watched e, gate f"
    assert reported(learned, facts(f"{other}, exit c g, gate g"), SCARE)
    assert not reported(learned, facts(f"{other}, exit c g, exit c h, gate g, gate h"), SCARE)


def is_caught(theory: Theory, state: Iterable[GroundFact], gate: str) -> bool:
    base = KnowledgeBase(theory)
    base.add([*state, shut(gate)])
    return bool(base.query("after caught(tim)"))


def test_what_is_learned_is_what_the_theory_says(theory: Theory, learned: InventionResult):
    """In random meadows, the rules' verdict on an action equals the theory's verdict after that action."""
    chosen = random.Random(3)
    found, later = Counter[bool](), Counter[bool]()
    for _ in range(30):
        places = "abcdef"
        ways = [f"exit a {place}" for place in places[1:] if chosen.random() < 0.5]
        ways += [f"exit {place} {chosen.choice(places)}" for place in places[1:3]]
        state = [*ways, "sits tim a", f"gate {chosen.choice(places)}"]
        state += [
            f"{how} {place}" for place in places for how in ("fenced", "watched") if chosen.random() < 0.4
        ]
        message = facts(", ".join(state))
        gate = next(str(fact.values[0]) for fact in message if fact.relation == "gate")
        truth = is_caught(theory, message, gate)
        found[truth] += 1
        assert reported(learned, message, shut(gate)) == truth
        # The same check for a reached state.
        for place in (str(f.values[1]) for f in message if (f.relation, f.values[0]) == ("exit", "a")):
            hop = GroundFact("hop", ("tim", place))
            after = KnowledgeBase(learned.theory)
            add_proved_rules(after, [entry.rule for entry in learned.base])
            after.add([*message, hop])
            reached = bool(after.query(f"after trap(tim) by shut({gate}) is GI"))
            assert reached == is_caught(theory, Meadow().after(message, hop), gate)
            later[reached] += 1
    assert min(found.values()) > 3
    assert min(later.values()) > 3


def test_every_rule_is_certified_of_reached_states(learned: InventionResult):
    lemmas = learned.base.lemmas()
    for entry in learned.base:
        assert entry.certificate is not None
        verify(entry.rule, entry.certificate, learned.theory, lemmas)
        assert entry.certificate.reached


def test_a_clause_that_no_example_showed_breaks_the_proof(learned: InventionResult):
    """The predicate's lemma needs one proved case for every clause. The new clause has no case."""
    entry = learned.base.entries["foreseen_barred_after_shut"]
    assert entry.certificate is not None
    (wrong,) = load_text(f"{HARE} wrong: watched(?x) :- gate(?x).").rules[-1:]
    wrong = replace(wrong, head=Atom("barred_after_shut", (Variable("x"), Variable("x"))))
    larger = replace(learned.theory, rules=(*learned.theory.rules, wrong))
    with pytest.raises(
        RejectedError, match="rules that conclude what the certificate speaks of were changed"
    ):
        verify(entry.rule, entry.certificate, larger, {})
    written = certificate_of(entry.rule, (), larger, {}, cases=entry.certificate.cases)
    with pytest.raises(RejectedError, match="concluded by 4 rules, and 3 cases are proved"):
        verify(entry.rule, written, larger, {})


def test_what_rests_on_much_is_a_word_even_if_it_is_queried_once(theory: Theory):
    """The hare has eight exits, but the rule has a single condition for being caught, not a list."""
    learned = invent_predicates(theory, Meadow(), [Problem("many", "", MANY, TIM, 1)])
    rules = [entry.rule for entry in learned.base if entry.rule.name.startswith("foreseen_trap_by")]
    assert [print_rule(rule) for rule in rules] == [
        "foreseen_trap_by_shut_is_gi_1:\n  trap(?h) by shut(?p) is GI :- gate(?p), caught_after_shut(?h, ?p)."
    ]
    assert reported(learned, MANY, shut("g"))
    assert not reported(learned, MANY, shut("h"))
    assert reported(learned, AT_ONCE.state, shut("d"))


def test_words_of_the_same_facts_with_the_action_in_other_columns_are_two():
    theory = load_text(
        "theory paths. sort place. static path(place, place). fluent fenced(place). action shut(place). derived safe(place, place)."
        " game close(place)."
        " it_is_safe: safe(?x, ?y) :- path(?x, ?y), fenced(?y)."
        " it_is_shut: after fenced(?p) :- shut(?p)."
        " fences_stay: after fenced(?q) :- shut(?p), before fenced(?q), ?q != ?p."
        " closed: before close(?p) by shut(?p) is GI :-"
        "   shut(?p), path(?p, ?q), after safe(?p, ?q), after safe(?q, ?p), ?p != ?q."
        " example there_and_back: path(a, b), path(b, a), fenced(b), shut(a).",
        "paths.horn",
    )
    learned = invent_predicates_from_examples(theory, examples_of(theory))
    clauses = [rule for rule in learned.theory.rules if rule.head.relation.startswith("safe_")]
    assert sorted(print_rule(rule).partition("\n")[2].strip() for rule in clauses) == [
        "safe_after_shut_1(?y, ?p) :- path(?p, ?y), ?y != ?p, fenced(?y).",
        "safe_after_shut_1_x(?x, ?p) :- path(?x, ?p).",
    ]
