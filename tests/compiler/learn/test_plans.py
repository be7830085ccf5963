"""Tests of plans learned from one line of play: a simulator without rules confirms them in every state."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.checker.checker import Lemma, RejectedError, verify
from hornbook.compiler.learn.learner import ProvedExample, RefusedProof
from hornbook.compiler.learn.plans import LineOfPlay, after_a_pass, learn_plans, line_from
from hornbook.compiler.match.plans import PlanMatcher
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, PlanStatement
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_rule
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse

GAMES = Path(__file__).parents[3] / "oracles" / "proofs" / "games"
CELLS = [f"{file}{rank}" for file in "abc" for rank in "123"]
ROWS = [row for row in permutations(CELLS, 3) if row in {
    *((f"{f}1", f"{f}2", f"{f}3") for f in "abc"), *((f"a{r}", f"b{r}", f"c{r}") for r in "123"),
    ("a1", "b2", "c3"), ("a3", "b2", "c1"),
}]  # fmt: skip


@pytest.fixture(scope="module")
def theory():
    return load(GAMES / "tic_tac_toe.horn")


def board(marks):
    output = {cell: marks.get(cell, "empty") for cell in CELLS}
    going = [] if any(has_row(marks, mark) for mark in "xo") else [GroundFact("going", ())]
    counts = [GroundFact("number", (m, [*output.values()].count(m))) for m in ("x", "o", "empty")]
    return [
        *going,
        *counts,
        *(GroundFact("mark", (cell, mark)) for cell, mark in output.items()),
        *(GroundFact("at", (mark, cell)) for cell, mark in output.items()),
    ]


def has_row(marks, mark):
    return any(all(marks.get(cell) == mark for cell in row) for row in ROWS)


def put(mark, cell):
    return GroundFact("put", (mark, cell))


def win(mark):
    return Atom("win", (Constant(mark),))


@pytest.fixture(scope="module")
def learned(theory):
    """Return the plans that are learned from one line of x along the first rank."""
    line = line_from(theory, board({"c3": "o"}), win("x"), [put("x", c) for c in ("a1", "b1", "c1")])
    found = list(learn_plans(theory, line, "win"))
    assert all(isinstance(each, ProvedExample) for each in found)
    return found


def test_a_line_gives_a_plan_for_each_number_of_moves(learned):
    assert [each.rule.head.moves for each in learned] == [1, 2, 3]
    assert [each.rule.name for each in learned] == ["win_1", "win_2", "win_3"]
    assert [each.certificate.lemmas for each in learned] == [(), ("win_1",), ("win_2",)]


def test_what_is_learned_is_printed_and_read_again(learned):
    for each in learned:
        (read,) = parse(print_rule(each.rule)).clauses
        assert read == each.rule


def test_plans_of_one_row_are_right_of_all_rows_and_both_marks(theory, learned):
    matcher = PlanMatcher(theory, [each.rule for each in learned])
    random, applied, rows = Random(20), {1: 0, 2: 0, 3: 0}, set()
    for _ in range(40):
        marks = {cell: random.choice(("x", "o")) for cell in random.sample(CELLS, random.randint(0, 5))}
        for plan in matcher.plans(board(marks)):
            now, moves, action = marks, plan.moves, plan.action
            applied[moves] += 1
            while True:
                mark, cell = (term.value for term in action.terms)
                assert mark == plan.goal.terms[0].value
                assert cell not in now
                assert not any(has_row(now, each) for each in "xo")
                now, moves = {**now, cell: mark}, moves - 1
                if moves == 0:
                    break
                assert not has_row(now, mark)
                # After a pass, the rest of the plan applies.
                action = next(p.action for p in plans_in(matcher, now, moves) if p.goal == plan.goal)
            assert has_row(now, mark)
            rows |= {row for row in ROWS if all(now.get(c) == mark for c in row)}
    assert min(applied.values()) > 5
    assert len(rows) > 5


def plans_in(matcher, marks, moves):
    return (plan for plan in matcher.plans(board(marks)) if plan.moves == moves)


# Predicates that change with the turn

TURNS = (Path(__file__).parent / "data" / "plans_turns.horn").read_text(encoding="utf-8")
START = [
    GroundFact("to_move", ("red",)),
    GroundFact("at", ("red", "a")),
    GroundFact("at", ("blue", "b")),
    GroundFact("clock", (0,)),
]


def home(side):
    return Atom("home", (Constant(side),))


def test_whose_turn_it_is_comes_back_and_what_lasts_one_move_does_not():
    theory = load_text(TURNS)
    left = after_a_pass(theory, START, GroundFact("go", ("red", "b")))
    assert set(left) == {
        GroundFact("to_move", ("red",)),
        GroundFact("at", ("red", "b")),
        GroundFact("at", ("blue", "b")),
    }


def test_a_plan_asks_whose_turn_it_is_and_holds_for_any_side():
    theory = load_text(TURNS)
    line = line_from(theory, START, home("red"), [GroundFact("go", ("red", q)) for q in "bcd"])
    found = list(learn_plans(theory, line, "home"))
    assert [type(each) for each in found] == [ProvedExample] * 3
    queried = [{c.predicate for c in each.rule.body if isinstance(c, Atom)} for each in found]
    assert all("to_move" in names and "legal" not in names and "clock" not in names for names in queried)
    matcher = PlanMatcher(theory, [each.rule for each in found])
    assert [(p.goal, p.moves) for p in matcher.plans(START)] == [(home("red"), 3)]
    turned = [GroundFact("to_move", ("blue",)), *START[1:]]
    assert [(p.goal, p.moves) for p in matcher.plans(turned)] == [(home("blue"), 2)]


def test_nothing_is_planned_with_what_lasts_one_move():
    text = TURNS.replace("before legal(?c, d).", "before legal(?c, d), before clock(_).")
    theory = load_text(text)
    line = line_from(theory, START, home("red"), [GroundFact("go", ("red", q)) for q in "bcd"])
    # The first state has a known clock, a later state has not.
    line = replace(line, states=tuple((*s, GroundFact("clock", (0,))) for s in line.states))
    first, second = learn_plans(theory, line, "home")
    assert isinstance(first, ProvedExample)
    assert isinstance(second, RefusedProof)
    assert "clock" in second.reason


# Plans that the checker refuses, in addition to the attacks in tests/compiler/test_attacks.py


def test_a_plan_in_two_moves_rests_on_one_in_one_move(theory, learned):
    first, _, _ = learned
    more = replace(first.rule, head=replace(first.rule.head, moves=2))
    assert isinstance(more.head, PlanStatement)

    forged = replace(first.certificate, of=fingerprint_of_rule(more))
    with pytest.raises(RejectedError, match="depends on no plan in 1"):
        verify(more, forged, theory)


def test_a_certificate_names_what_changes_with_the_turn(theory, learned):
    first, _, _ = learned
    named = tuple(each for each in first.certificate.fingerprints if each[0] != "theory turns")
    with pytest.raises(RejectedError, match="what changes with the turn"):
        verify(first.rule, replace(first.certificate, fingerprints=named), theory)


def test_the_certificate_of_a_value_is_none_of_a_plan(theory, learned):
    """A certificate of a value does not prove a plan either, since the fingerprint covers the exact rule."""
    first, _, _ = learned
    head = first.rule.head
    value = replace(first.rule, head=GameStatement(head.game, head.by, Constant("GI")))
    with pytest.raises(RejectedError, match="edited"):
        verify(value, first.certificate, theory)


def test_a_fluent_that_is_reported_to_change_makes_plans_uncertified():
    theory = load_text(TURNS)
    line = line_from(theory, START, home("red"), [GroundFact("go", ("red", q)) for q in "bcd"])
    first, second, _ = learn_plans(theory, line, "home")
    edited = load_text(TURNS.replace("fluent at(side -> square).", "fluent at(side -> square) fleeting."))
    lemmas = {first.rule.name: Lemma.of(first.rule, first.certificate)}
    verify(second.rule, second.certificate, theory, lemmas)
    with pytest.raises(RejectedError, match="changed since"):
        verify(second.rule, second.certificate, edited, lemmas)


# Lines without a lesson


def test_a_line_that_does_not_win_says_so(theory):
    line = line_from(theory, board({}), win("x"), [put("x", "a1"), put("x", "b2")])
    (refused,) = learn_plans(theory, line)
    assert isinstance(refused, RefusedProof)
    assert refused.reason == (
        "the theory does not conclude that the last action wins; no fluent is declared `alternates`, so a pass leaves all as"
        " it is after the action"
    )


def test_where_the_turn_is_reported_to_change_or_nobody_passed_only_the_last_action_is_named():
    turns = load_text(TURNS)
    two = [GroundFact("go", ("red", place)) for place in "bc"]
    for words, moves in (
        (turns, two),
        (load_text(TURNS.replace(" alternates", "").replace(" fleeting", "")), two[:1]),
    ):
        (refused,) = learn_plans(words, line_from(words, START, home("red"), moves), "home")
        assert isinstance(refused, RefusedProof)
        assert refused.reason == "the theory does not conclude that the last action wins"


def test_a_line_through_an_occupied_cell_says_what_is_lacking(theory):
    line = line_from(theory, board({"b1": "x"}), win("x"), [put("x", "a1"), put("x", "c1")])
    states = (board({"b1": "x", "a1": "o"}), line.states[1])
    found = list(learn_plans(theory, replace(line, states=states)))
    assert [type(each) for each in found] == [ProvedExample, RefusedProof]
    assert "is not concluded that `plan_1` applies" in found[1].reason


def test_as_many_states_as_actions(theory):
    with pytest.raises(ValueError, match="no line of play"):
        next(learn_plans(theory, LineOfPlay(win("x"), (), (put("x", "a1"),))))
