"""Tests of regressed predicates: they hold before the actions exactly if the originals hold afterwards."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from hornbook.compiler.learn.regression.theory_regression import (
    regress_theory_repeatedly,
    regressed_name,
    theory_text,
)
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.formatter import format_text
from hornbook.kb.load.loader import load_text

PENS = (Path(__file__).parent / "data" / "foretelling_pens.horn").read_text(encoding="utf-8")
ONCE = (Path(__file__).parent / "data" / "foretelling_once.horn").read_text(encoding="utf-8")


def written(names: list[str], action: str, times: int, source: str = PENS, suffix: str = "in") -> str:
    """Return the theory text of the regressed predicates, or an empty text if there are none."""
    given = load_text(source, "pens.horn")
    words = regress_theory_repeatedly(given, names, action, times, suffix)
    return theory_text(given, words, "later") if words else ""


def test_each_clause_is_read_before_the_action():
    assert written(["barred"], "shut", 1) == ONCE
    assert format_text(ONCE) == ONCE


def test_a_word_is_regressed_further_under_the_next_number():
    assert [regressed_name("w"), regressed_name("w_in_1"), regressed_name("w", 3)] == [
        "w_in_1",
        "w_in_2",
        "w_in_3",
    ]


def test_words_of_another_action_have_another_suffix():
    """The names and numbers of two actions are independent."""
    assert [regressed_name("w", suffix="shut"), regressed_name("w_in_1", suffix="shut")] == [
        "w_shut_1",
        "w_in_1_shut_1",
    ]
    assert regressed_name("w_in_1_shut_1", 2, "shut") == "w_in_1_shut_3"


@pytest.mark.parametrize("name", ["lonely", "linked"])
def test_nothing_is_regressed_by_what_is_absent_nor_by_what_rests_on_itself(name: str):
    """For `linked`, the non-recursive clause is left out too.

    Alone, it would conclude less than the original.
    """
    assert written([name], "shut", 1) == ""


def test_a_word_of_one_clause_about_the_action_stands_in_no_clause_but_as_its_definition():
    text = written(["sits"], "hop", 1)
    assert "sits_in_1(?h1, ?q1, ?h1, ?q1) :- sits(?h1, ?p), exit(?p, ?q1)." in text
    assert "hopped" not in text
    assert "hopped_in_1(?h1, ?q1, ?h1, ?p, ?q1) :- sits(?h1, ?p), exit(?p, ?q1)." in written(
        ["hopped"], "hop", 1
    )


def test_a_definition_stands_in_place_of_no_word_that_is_queried_of_all_members_of_a_set():
    """A clause that quantifies over all members of a set is no definition.

    Both predicates stay, and both can be queried.
    """
    source = PENS.replace(
        "derived hopped(animal, place, place).",
        "derived hopped(animal, place, place). derived home(animal). derived calm(animal). derived still(animal).",
    )
    source += """
everywhere: after home(?h) :- before sits(?h, ?p), exits(?p, _), all ?q in exit(?p, ?q): after hopped(?h, ?p, ?q).
quiet: after calm(?h) :- hop(?h, _), before sits(?h, ?p), exits(?p, _), all ?q in exit(?p, ?q): before fenced(?q).
so_still: after still(?h) :- after calm(?h).
"""
    for name, queried in (("home", "hopped_in_1"), ("still", "calm_in_1")):
        text = written([name], "hop", 1, source)
        assert f"derived {queried}(" in text
        later = f"theory later.\n{source.partition(chr(10))[2]}{text[text.index('derived') :]}"
        assert load_text(later, "later.horn").lemmas


def test_a_clause_that_can_never_hold_is_left_out_with_those_that_ask_for_it():
    source = PENS.replace(
        "derived hopped(animal, place, place).",
        "derived hopped(animal, place, place). derived fixed(place, place). derived odd(place). derived odder(place).",
    )
    source += """
fixed: after fixed(a, b) :- hop(_, _), gate(a).
odd: after odd(?p) :- after fixed(c, ?p).
odder: after odder(?p) :- after odd(?p).
plain: after odder(?p) :- hop(_, ?p).
"""
    text = written(["odder"], "hop", 1, source)
    assert "odd_in_1" not in text
    assert "odder_in_1(?h1, ?q1, ?q1)" in text


def test_nothing_is_regressed_by_a_set_that_actions_change():
    changing = PENS.replace("static exit(place, place).", "fluent exit(place, place).").replace(
        "static exits(place -> int) counts exit.", "fluent exits(place -> int) counts exit."
    )
    changing = changing.replace("before sits(?h, ?p), exit(", "before sits(?h, ?p), before exit(")
    changing = changing[: changing.index("exit(a, b)")]
    assert "caught_in_1" in written(["caught"], "shut", 1)
    assert written(["caught"], "shut", 1, changing) == ""


def test_a_word_of_the_theory_may_end_as_regressed_ones_do():
    source = PENS.replace(
        "derived barred(place).",
        "derived barred(place).\nderived gone_in_9(place).\nnow: gone_in_9(?p) :- fenced(?p).",
    )
    text = written(["gone_in_9"], "shut", 1, source)
    assert "after gone_in_9(?x) :- shut(?p1), before gone_in_10(?p1, ?x)." in text
    later = f"theory later.\n{source.partition(chr(10))[2]}{text[text.index('derived') :]}"
    assert [lemma.name for lemma in load_text(later, "later.horn").lemmas][-1] == "gone_in_10_comes_true"


def states(seed: int, how_many: int) -> Iterable[list[GroundFact]]:
    choose = random.Random(seed)
    for _ in range(how_many):
        yield [
            *(GroundFact("sits", (animal, choose.choice("abc"))) for animal in ("hare", "fox")),
            *(GroundFact("fenced", (place,)) for place in "abc" if choose.random() < 0.5),
        ]


def answers(base: KnowledgeBase, query: str) -> set[tuple[str | int, ...]]:
    return set(base.query(query).to_tuples())


def after(facts: Iterable[GroundFact], action: GroundFact) -> KnowledgeBase:
    base = KnowledgeBase(load_text(PENS, "pens.horn"))
    base.add([*facts, action])
    return base


def with_words(source: str, names: list[str], action: str, times: int, suffix: str = "in") -> str:
    """Return the theory with the regressed predicates, but without their lemmas."""
    words = written(names, action, times, source, suffix).split("lemma ")[0]
    return f"{source}\n{words[words.index('derived') :]}"


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(3))
def test_what_is_regressed_is_what_holds_after_the_actions(seed: int):
    """One action, or two in sequence, give the same answers as the theory's rules in the reached states."""
    later = load_text(with_words(PENS, ["caught", "sits", "fenced"], "shut", 2), "later.horn")
    once = load_text(with_words(PENS, ["caught", "sits", "tired"], "hop", 1), "later.horn")
    for facts in states(seed, 4):
        regressed, hops = KnowledgeBase(later), KnowledgeBase(once)
        regressed.add(facts)
        hops.add(facts)
        for first in "abc":
            then = after(facts, GroundFact("shut", (first,)))
            assert answers(regressed, f"caught_in_1({first}, ?h)") == answers(then, "after caught(?h)")
            middle = [
                *(GroundFact("sits", row) for row in answers(then, "after sits(?h, ?p)")),
                *(GroundFact("fenced", row) for row in answers(then, "after fenced(?p)")),
            ]
            for second in "abc":
                at_last = after(middle, GroundFact("shut", (second,)))
                for word, row in (("caught", "?h"), ("sits", "?h, ?p"), ("fenced", "?p")):
                    output = answers(regressed, f"{word}_in_2({first}, {second}, {row})")
                    assert output == answers(at_last, f"after {word}({row})")
            for animal in ("hare", "fox"):
                jumped = after(facts, GroundFact("hop", (animal, first)))
                for word, row in (("caught", "?h"), ("sits", "?h, ?p"), ("tired", "?h")):
                    output = answers(hops, f"{word}_in_1({animal}, {first}, {row})")
                    assert output == answers(jumped, f"after {word}({row})")


@pytest.mark.parametrize("seed", range(3))
def test_what_one_action_comes_to_is_regressed_by_another(seed: int):
    """A place is shut, and then the hare hops: the predicates of the hop are regressed over the shutting."""
    hopping = with_words(PENS, ["caught", "sits"], "hop", 1, "hopped")
    both = with_words(hopping, ["caught_hopped_1", "sits_hopped_1"], "shut", 1)
    assert "caught_hopped_1_in_1(place, animal, place, animal)" in both
    regressed = KnowledgeBase(load_text(both, "pens.horn"))
    seen = 0
    for facts in states(seed, 4):
        regressed.push()
        regressed.add(facts)
        for shut in "abc":
            then = after(facts, GroundFact("shut", (shut,)))
            middle = [
                *(GroundFact("sits", row) for row in answers(then, "after sits(?h, ?p)")),
                *(GroundFact("fenced", row) for row in answers(then, "after fenced(?p)")),
            ]
            for place in "abc":
                at_last = after(middle, GroundFact("hop", ("hare", place)))
                for word, row in (("caught", "?h"), ("sits", "?h, ?p")):
                    output = answers(regressed, f"{word}_hopped_1_in_1({shut}, hare, {place}, {row})")
                    assert output == answers(at_last, f"after {word}({row})")
                    seen += len(output)
        regressed.pop()
    assert seen
