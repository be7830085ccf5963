"""Tests of the kinds of clauses, and that a definition changes no conclusion about other predicates."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from hornbook.compiler.trust.kinds import kinds
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Constant, Rule, predicate_of, statements
from hornbook.kb.ast.theory import GroundFact, Theory, counts_of
from hornbook.kb.base.examples import example_facts
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.errors import KnowledgeBaseError
from oracles.proofs.random_theories import random_action, random_state, random_theory

WAREHOUSE = (Path(__file__).parent / "data" / "kinds_warehouse.horn").read_text(encoding="utf-8")
ABOVE = (Path(__file__).parent / "data" / "kinds_above.horn").read_text(encoding="utf-8")


@pytest.fixture
def above(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "warehouse.horn").write_text(WAREHOUSE)
    (tmp_path / "above.horn").write_text(ABOVE)
    theory = load(tmp_path / "above.horn")
    return {rule.name: kind for rule, kind in zip(theory.rules, kinds(theory), strict=True)}


@pytest.mark.parametrize(
    ("kind", "clauses"),
    [
        # Predicates that only the first file concludes, timeless or only after an action, and predicates
        # defined only elsewhere.
        ("definition", {"near", "near_before", "carried", "far", "given", "both_ways"}),
        # Effects of another action, and facts that only persisted before.
        ("transition", {"gets_there", "stays", "held_stays", "dropped", "held_there"}),
        # Clauses about a predicate that already has a meaning: after an action, in another file, given, or a
        # count.
        ("claim", {"still_near", "nearer", "carried_too", "gets_there_too", "round", "enclosed"}),
        ("game", {"found"}),
    ],
)
def test_each_kind(above: dict[str, str], kind: str, clauses: set[str]):
    assert {name for name, of in above.items() if of == kind} == clauses


def test_files_that_do_not_build_on_each_other_share_what_an_action_does(tmp_path: Path):
    (tmp_path / "warehouse.horn").write_text(WAREHOUSE)
    for name, condition in (("left", "before held(_, ?b)"), ("right", "before in(?b, _)")):
        (tmp_path / f"{name}.horn").write_text(
            f"theory {name}. import warehouse.\n{name}: after held(?p, ?b) :- carry(?b, ?p), {condition}.\n"
        )
    (tmp_path / "all.horn").write_text("theory all_of_it. import left. import right.\n")
    theory = load(tmp_path / "all.horn")
    found = {rule.name: kind for rule, kind in zip(theory.rules, kinds(theory), strict=True)}
    assert (found["left"], found["right"]) == ("transition", "transition")


# Conclusions of definitions

Facts = set[tuple[str, tuple[str | int, ...], str | None]]


def concluded(
    theory: Theory, rules: Iterable[Rule], facts: Sequence[GroundFact], of: Container[str]
) -> Facts:
    """Return the facts about some predicates that the given rules of a theory conclude."""
    base = KnowledgeBase(replace(theory, rules=tuple(rules)))
    base.add(facts)
    return {
        (
            relation.relation,
            tuple(term.value for term in message.terms if isinstance(term, Constant)),
            message.tense,
        )
        for relation in base.relations()
        if predicate_of(relation) in of
        for message in base.engine.statements(relation.relation, relation.tense)
    }


def mentions(theory: Theory, rule: Rule, word: str) -> bool:
    """Return whether a rule concludes or reads a predicate, or a set whose count the predicate is."""
    counters = counts_of(theory.vocabulary)
    names = {predicate_of(statement) for statement in (rule.head, *statements(rule.body))}
    return word in names | {counters[name].name for name in names if name in counters}


@pytest.mark.parametrize("part", range(4))
def test_definitions_of_random_theories_say_nothing_of_other_words(part: int):
    """A definition is a conservative extension of the theory without its predicate."""
    random, tried = Random(f"kinds {part}"), 0
    for _ in range(4):
        theory, facts = random_theory(random), [*random_state(random), random_action(random)]
        of = list(zip(theory.rules, kinds(theory), strict=True))
        for word in {predicate_of(rule.head) for rule, kind in of if kind == "definition"}:
            others = [rule for rule in theory.rules if not mentions(theory, rule, word)]
            own = [rule for rule, kind in of if kind == "definition" and predicate_of(rule.head) == word]
            words = set(theory.vocabulary.predicates) - {word}
            try:
                without = concluded(theory, others, facts, words)
                assert concluded(theory, [*others, *own], facts, words) == without
            except KnowledgeBaseError:
                continue
            tried += 1
    assert tried > 4


def test_what_is_defined_of_a_state_means_the_same_after_an_action_but_for_claims():
    """After an action, definitions conclude the same as in the state that the transitions lead to."""
    random, tried, differ = Random("kinds, twice"), 0, 0
    while tried < 15:
        theory, facts = random_theory(random), [*random_state(random), random_action(random)]
        of = list(zip(theory.rules, kinds(theory), strict=True))
        own = [rule for rule, kind in of if kind in ("definition", "transition")]
        defined = {predicate_of(r.head) for r, kind in of if kind == "definition" and r.head.tense is None}
        words = theory.vocabulary.predicates
        fluents = {name for name, word in words.items() if word.kind == "fluent"}
        try:
            after = {
                (name, values) for name, values, at in concluded(theory, own, facts, fluents) if at == "after"
            }
            state = [fact for fact in facts if words[fact.relation].kind == "static"]
            state += [GroundFact(name, values) for name, values in sorted(after, key=str)]
            next_state = {
                (n, v, "after") for n, v, at in concluded(theory, own, state, defined) if at != "after"
            }
            here, claimed = (
                {message for message in concluded(theory, rules, facts, defined) if message[2] == "after"}
                for rules in (own, theory.rules)
            )
        except KnowledgeBaseError:
            continue
        assert here == next_state
        tried += 1
        differ += claimed != next_state
    assert differ


@pytest.mark.parametrize(
    ("file", "example"), [("opening", "castling"), ("forks", "mate"), ("escort", "promotion")]
)
def test_definitions_of_a_file_of_chess_change_nothing_that_the_files_below_say(file: str, example: str):
    theory = load("chess")
    facts = example_facts(theory, next(each for each in theory.examples if each.name == example))
    of = list(zip(theory.rules, kinds(theory), strict=True))
    first = next(n for n, rule in enumerate(theory.rules) if rule.span.file.endswith(f"{file}.horn"))
    below = list(theory.rules[:first])
    own = [r for r, kind in of if kind == "definition" and r.span.file == theory.rules[first].span.file]
    words = theory.vocabulary.predicates
    message = {predicate_of(rule.head) for rule in below} | {
        n for n, word in words.items() if word.kind == "fluent"
    }
    assert own
    assert concluded(theory, [*below, *own], facts, message) == concluded(theory, below, facts, message)


def test_kinds_of_clauses_of_chess():
    theory = load("chess")
    of = dict(zip((rule.name for rule in theory.rules), kinds(theory), strict=True))
    assert [
        of[name]
        for name in ("mate_by_what_was_moved", "screened_beside", "they_are_still_alone", "mate_at_once")
    ] == [
        "claim",
        "definition",
        "claim",
        "game",
    ]
    assert (of["the_own_king_steps"], of["the_own_king_stays"]) == ("transition", "transition")
