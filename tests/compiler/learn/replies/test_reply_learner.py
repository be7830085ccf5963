"""Tests of rules that a game is won against every reply, learned from rules about single moves."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from hornbook.compiler.checker.checker import verify
from hornbook.compiler.learn.invention import InventionResult
from hornbook.compiler.learn.lessons import Problem
from hornbook.compiler.learn.replies.reply_learner import learn_against_replies
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.kb.format.printer import print_rule
from hornbook.kb.load.loader import load_text

HARE = (Path(__file__).parents[1] / "data" / "replies_hare.horn").read_text(encoding="utf-8")
PLACES = "abcdefgh"
State = tuple[GroundFact, ...]


def facts(text: str) -> State:
    """Return the facts of a text like `exit a b, exit a c`, and the counts of exits."""
    found = [GroundFact(words[0], tuple(words[1:])) for words in map(str.split, text.split(", "))]
    ways = [str(fact.values[0]) for fact in found if fact.relation == "exit"]
    return (*found, *(GroundFact("exits", (place, ways.count(place))) for place in PLACES))


class Meadow:
    """The moves of the game: the friend shuts a gate or scares the hare, which hops or gives up."""

    focus_predicate = "about"

    def facts(self, state: State, _game: Atom, _about: object) -> Iterable[GroundFact]:
        return state

    def attempts(self, state: State, _game: Atom, moves: int) -> Iterator[GroundFact]:
        if moves == 2:
            yield GroundFact("scare", ("tim",))
            return
        yield from (GroundFact("shut", fact.values) for fact in state if fact.relation == "gate")

    def after(self, state: State, action: GroundFact) -> State:
        if action.relation == "hop":
            return (*(f for f in state if f.relation != "sits"), GroundFact("sits", action.values))
        return (*state, GroundFact("fenced", action.values)) if action.relation == "shut" else state

    def followed(self, _state: State, game: Atom, _action: GroundFact) -> Atom:
        return game

    def wider(
        self, _state: State, _game: Atom, about: frozenset[str | int]
    ) -> Iterator[frozenset[str | int]]:
        yield about

    def replies(self, state: State, _game: Atom, _about: object) -> Iterator[GroundFact]:
        (there,) = (fact.values[1] for fact in state if fact.relation == "sits")
        flooded = {fact.values[0] for fact in state if fact.relation == "flooded"}
        yield GroundFact("give_up", ("tim",))
        for fact in state:
            if fact.relation == "exit" and fact.values[0] == there and fact.values[1] not in flooded:
                yield GroundFact("hop", ("tim", fact.values[1]))


TIM = Atom("trap", (Constant("tim"),))
ONE = "sits tim a, exit a b, exit a c, gate b, watched c"
TWO = "sits tim a, exit a b, exit a c, exit b d, exit b e, gate e, fenced d, flooded c"
LESSONS = [Problem("one", "", facts(ONE), TIM, 1), Problem("two", "", facts(TWO), TIM, 2)]


@pytest.fixture(scope="module")
def theory() -> Theory:
    return load_text(HARE, "hare.horn")


@pytest.fixture(scope="module")
def learned(theory: Theory) -> InventionResult:
    return learn_against_replies(theory, Meadow(), LESSONS)


def reported(learned: InventionResult, state: State, action: GroundFact) -> bool:
    """Return whether the rules conclude, in a state without a taken action, that the action wins."""
    base = KnowledgeBase(learned.theory)
    add_proved_rules(base, [entry.rule for entry in learned.base if not entry.rule.lemma])
    base.add([*state])
    return bool(base.query(f"trap(tim) by {action.relation}({', '.join(map(str, action.values))}) is GI"))


def is_trapped(state: State) -> bool:
    """Return whether one gate can be shut so that the hare has no way out; a slow reference."""
    meadow = Meadow()
    return any(is_caught(meadow.after(state, action)) for action in meadow.attempts(state, TIM, 1))


def is_caught(state: State) -> bool:
    (there,) = (fact.values[1] for fact in state if fact.relation == "sits")
    barred = {fact.values[0] for fact in state if fact.relation in ("fenced", "watched")}
    return all(f.values[1] in barred for f in state if f.relation == "exit" and f.values[0] == there)


def test_the_rules_are_about_any_number_of_replies(learned: InventionResult):
    rules = [print_rule(entry.rule) for entry in learned.base if not entry.rule.lemma]
    assert rules == [
        "trap_by_shut_is_gi_1:\n  trap(?h) by shut(?p) is GI :- gate(?p), caught_after_shut_1(?p, ?h).",
        "trap_by_scare_is_gi_1:\n  trap(?h) by scare(?h) is GI :-\n    sits_after_scare_1(?h, ?h, _), trap_after_every_hop_after_scare_1(?h, ?h).",
    ]
    clauses = "\n".join(
        print_rule(rule) for rule in learned.theory.rules if rule.head.relation.startswith("trap_after_")
    )
    for clause in (
        "trap_after_hop(?h, ?h1, ?q1) :- gate(?p), caught_after_shut_1_after_hop_1(?h1, ?q1, ?p, ?h).",
        "trap_after_hop(?h, ?h, ?q) :- impassable(?h, ?q).",
        "sits(?h, ?p), exits(?p, _), all ?q in exit(?p, ?q): trap_after_hop(?h, ?h, ?q).",
    ):
        assert clause in clauses


def test_each_rule_and_lemma_is_certified(learned: InventionResult):
    lemmas = learned.base.lemmas()
    for entry in learned.base:
        assert entry.certificate is not None
        verify(entry.rule, entry.certificate, learned.theory, lemmas)


def test_what_is_concluded_is_so_after_every_reply(learned: InventionResult):
    """Compare with a search of all replies in random meadows."""
    chosen, meadow, found = random.Random(5), Meadow(), Counter[bool]()
    for _ in range(60):
        places = PLACES[: chosen.randint(3, 6)]
        state = [f"exit {one} {other}" for one in places for other in places if chosen.random() < 0.35]
        state += [f"gate {place}" for place in places if chosen.random() < 0.5]
        state += [
            f"{how} {place}"
            for place in places
            for how in ("fenced", "watched", "flooded")
            if chosen.random() < 0.35
        ]
        at_hand = facts(", ".join(["sits tim a", *state]))
        truth = all(
            is_trapped(meadow.after(at_hand, reply))
            for reply in meadow.replies(at_hand, TIM, None)
            if reply.relation == "hop"
        )
        said = reported(learned, at_hand, GroundFact("scare", ("tim",)))
        assert said == truth
        found[truth] += 1
    assert min(found.values()) > 5
