"""Tests of rules from proofs that a block is captured: by levels, general, certified, and never wrong.

The worked example is from the design (section 7). A stone on the edge has two liberties, and its last way out
leads to one empty point.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from hornbook.compiler.checker.certificate import CaseProof, Certificate, Leaf, Split, fingerprint_of_rule
from hornbook.compiler.checker.checker import Lemma, verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.prove import winning
from hornbook.compiler.prove.winning import ProvedRule, WinProver
from hornbook.compiler.rules.certificates import certificate_as_json, certificate_from_json
from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, WON, Atom, Constant, Rule, statements
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_condition
from hornbook.theories.go.play import tactics
from hornbook.theories.go.reader import captured_within, opponent
from hornbook.theories.go.states.board import GoBoard
from oracles.forger.run import StatePlay
from oracles.go.capture_lessons import (
    ON_THE_EDGE,
    THEORY,
    CaptureLearner,
    board,
    edge_learner,
    near_boards,
    problem_learner,
    problems,
    random_boards,
    take,
)
from oracles.proofs.learned_rules import theory_of
from oracles.proofs.plain_truth import PlainTruth


def lemmas(learner: CaptureLearner) -> dict[str, Lemma]:
    return {p.rule.name: Lemma.of(p.rule, p.certificate) for p in learner.proved}


def constants(rule: Rule) -> set[str]:
    """Return the constants in a rule."""
    output = [s for part in (rule.head, *rule.body) for s in statements((part,))]
    return {t.value for s in output for t in s.terms if isinstance(t, Constant) and isinstance(t.value, str)}


# The worked example


def test_a_rule_for_each_level_comes_out_of_the_example():
    proved = edge_learner().proved
    assert [p.rule.head.value for p in proved] == [WON, SECOND_PLAYER_WIN, WON]  # type: ignore[union-attr]
    first, static, before = proved
    assert static.certificate.replies
    assert static.certificate.open is not None
    assert first.certificate.rank <= static.certificate.rank < before.certificate.rank
    assert before.certificate.lemmas == (static.rule.name,)


def test_every_rule_of_the_example_is_verified_again():
    learner = edge_learner()
    for proved in learner.proved:
        verify(proved.rule, proved.certificate, THEORY, lemmas(learner))
        verify(
            proved.rule,
            certificate_from_json(certificate_as_json(proved.certificate)),
            THEORY,
            lemmas(learner),
        )


def test_the_rules_speak_of_no_point_of_the_board():
    words = {"empty", "free", "GI", "IG"}
    assert [p.rule.label for p in edge_learner().proved if not constants(p.rule) <= words] == []


def test_one_match_answers_the_example():
    found = edge_learner().says(ON_THE_EDGE, "c1")
    moves = {str(m.conclusion.by.terms[1].value) for m in found if m.conclusion.by is not None}  # type: ignore[union-attr]
    assert moves == {"b1", "d1"}
    assert edge_learner().says(ON_THE_EDGE, "b2") == []


def test_a_rule_that_would_ask_for_too_much_is_not_stored(monkeypatch):
    most = max(len(p.rule.body) for p in edge_learner().proved)
    monkeypatch.setattr(winning, "MAX_CONDITIONS", most - 1)
    learner_of_captures = CaptureLearner()
    assert not learner_of_captures.prover.won(ON_THE_EDGE, take(ON_THE_EDGE, "c1"), 2)
    assert all(len(p.rule.body) < most for p in learner_of_captures.proved)
    assert any(f"would have {most} conditions" in why for why in learner_of_captures.prover.refused)


LARGER = [
    board(7, "b2 c2 d2 e2", "c1 d1"),
    board(9, "b2 c2 d2 e2 f2 g2", "c1 d1 e1 f1"),
    # A block two stones high, in a corner formed by its own walls.
    board(7, "b2 b3 c3 d3 e3 e1 b4", "c2 d2 c1 d1"),
]


@pytest.mark.parametrize("stones", LARGER)
def test_the_rule_holds_for_a_block_of_any_size(stones):
    (block,) = [found for found in stones.blocks if found.colour == "white"]
    answers = {bool(edge_learner().says(stones, stone)) for stone in block.stones}
    assert answers == {captured_within(stones, min(block.stones), 2)}


def test_blocks_of_two_and_four_stones_are_answered():
    assert edge_learner().says(LARGER[0], "d1")
    assert edge_learner().says(LARGER[1], "e1")


@pytest.mark.parametrize(
    "stones",
    [
        board(5, "b2 c2 d2", "c1 a2"),  # after b1 and d1, e1 leaves no way to hold b1
        board(5, "b2 c2", "c1"),  # d1 leads to two empty points
        board(5, "b2 c2 d2", "c1 e2 d3 c3 b3"),  # the wall itself is short of liberties
    ],
)
def test_what_would_be_wrong_is_not_reported(stones):
    if not captured_within(stones, stones.point("c1"), 2):
        assert edge_learner().says(stones, "c1") == []


# Certificates of the example with missing parts


def second_player_win() -> ProvedRule:
    (found,) = edge_learner().rules_of(SECOND_PLAYER_WIN)
    return found


def rejection(certificate: Certificate) -> str:
    try:
        verify(second_player_win().rule, certificate, THEORY, lemmas(edge_learner()))
    except RejectedError as problem:
        return str(problem)
    return ""


def proved_anew(certificate: Certificate, replies: tuple[CaseProof, ...]) -> Certificate:
    """Return a certificate with other replies, and with all their witnesses that the search finds."""
    rule, known = second_player_win().rule, lemmas(edge_learner())
    return certificate_of(rule, certificate.steps, THEORY, known, replies, certificate.open)


def test_the_example_tells_one_reply_from_all_others():
    certificate = second_player_win().certificate
    moves, passing = certificate.replies
    assert isinstance(moves, Split)
    assert len(moves.cases) == 1
    assert isinstance(passing, Leaf)
    assert rejection(certificate) == ""


def test_a_reply_left_out_is_refused():
    certificate = second_player_win().certificate
    moves, passing = certificate.replies
    assert isinstance(moves, Split)
    less = replace(moves, cases=())
    # Witnesses refer to facts by number, and the numbers change without the reply.
    assert rejection(replace(certificate, replies=(less, passing)))
    output = rejection(proved_anew(certificate, (less, passing)))
    assert "any other `?p^`" in output
    assert "`all ?l in before liberty(?b, ?l): ?l != ?p^` is not proved member by member" in output
    only_the_reply = moves.cases[0][1]
    assert rejection(replace(certificate, replies=(only_the_reply, passing)))
    assert rejection(proved_anew(certificate, (only_the_reply, passing)))


def test_a_pass_left_out_is_refused():
    certificate = second_player_win().certificate
    assert "has 2 alternatives of replies" in rejection(replace(certificate, replies=certificate.replies[:1]))
    assert "nothing concludes" in rejection(replace(certificate, replies=(certificate.replies[0], Leaf(()))))
    assert "the opponent may have no reply" in rejection(replace(certificate, open=None))


def test_the_rule_asks_for_nothing_that_its_proof_could_do_without():
    found = second_player_win()
    spared = []
    for condition in found.rule.body:
        less = replace(found.rule, body=tuple(c for c in found.rule.body if c != condition))
        try:
            verify(less, replace(found.certificate, of=fingerprint_of_rule(less)), THEORY, {})
        except RejectedError:
            continue
        spared.append(print_condition(condition))
    assert spared == []


# Wrong answers of the game are rejected


def move(player: str, point: str) -> GroundFact:
    return GroundFact("move", (player, point))


ESCAPES = board(5, "b2 c2", "c1")
"""A position that White escapes from at d1, after b1."""


LIES: dict[str, dict[str, Callable[..., Any]]] = {
    "no reply": {"replies": lambda *_: ()},
    "no reply is legal": {
        "after": lambda state, action: None if action.values[0] == "white" else tactics.after(state, action)
    },
    "another board": {"after": lambda *_: ON_THE_EDGE},
    "any move": {"attempts": lambda *_: (move("black", "b1"), move("black", "a5"))},
}


@pytest.mark.parametrize("lie", LIES)
def test_what_a_play_says_wrong_teaches_nothing_wrong(lie):
    honest = {name: getattr(tactics, name) for name in vars(tactics) if not name.startswith("_")}
    learner = CaptureLearner(SimpleNamespace(**(honest | LIES[lie])))
    for moves in (1, 2):
        learner.prover.won(ESCAPES, take(ESCAPES, "c1"), moves)
        after = tactics.after(ESCAPES, move("black", "b1"))
        learner.prover.second_player_win(after, take(ESCAPES, "c1"), moves)
    assert learner.says(ESCAPES, "c1") == []
    for stones in random_boards(7, 8, sides=(5,)):
        assert wrong(learner, stones) == []


def test_what_cannot_be_captured_teaches_nothing():
    learner = CaptureLearner()
    free = board(7, "d2", "d4")
    assert learner.prover.won(free, take(free, "d4"), 2) == []
    assert learner.proved == []


def test_what_is_known_is_not_proved_again():
    learner = CaptureLearner()
    for _ in range(2):
        assert learner.prover.won(ON_THE_EDGE, take(ON_THE_EDGE, "c1"), 2)
        mirrored = GoBoard(5, 5, tuple(reversed(ON_THE_EDGE.colours)))
        assert learner.prover.won(mirrored, take(mirrored, "c5"), 2)
    assert len(learner.proved) == 3


# Rules from problems, on other positions


def wrong(learner: CaptureLearner, stones: GoBoard, most: int = 3) -> list[str]:
    """Return the wrong conclusions of the rules about the blocks of a board."""
    found = []
    for block in stones.blocks:
        target = min(block.stones)
        attacker = opponent(block.colour)
        for match in learner.says(stones, target):
            assert match.conclusion.by is not None
            point = stones.point(str(match.conclusion.by.terms[1].value))  # type: ignore[union-attr]
            after = tactics.after(stones, move(attacker, stones.name(point)))
            taken = after is not None and after.colours[target] == "empty"
            if not taken and (after is None or not captured_within(after, target, most, first=block.colour)):
                found.append(f"{match} on {stones}")
        for match in learner.says(stones, target, SECOND_PLAYER_WIN):
            if not captured_within(stones, target, most, first=block.colour):
                found.append(f"{match} on {stones}")
    return found


@pytest.mark.deep
def test_a_dozen_problems_teach_rules_of_three_depths():
    ranks = {p.certificate.rank for p in problem_learner().proved}
    assert max(ranks) >= 3
    for problem in [*problems(1, 3), *problems(3, 6)]:
        assert problem_learner().says(problem.board, problem.target), problem.id


def test_every_rule_from_the_problems_is_verified_again():
    learner = problem_learner()
    for proved in learner.proved:
        verify(proved.rule, proved.certificate, THEORY, lemmas(learner))
        assert constants(proved.rule) <= {"empty", "free", "GI", "IG"}


@pytest.mark.parametrize("seed", range(3))
def test_rules_from_problems_are_right_on_random_positions(seed):
    learner, answered = problem_learner(), 0
    for stones in [*random_boards(seed, 10, sides=(5, 7)), *near_boards(seed, 12)]:
        assert wrong(learner, stones) == []
        answered += sum(bool(learner.says(stones, min(block.stones))) for block in stones.blocks)
    assert answered > 5


def test_what_is_queried_of_each_member_is_known_by_the_example_where_a_rule_concludes_it():
    theory = theory_of("""
        sort thing.
        sort spot.
        sort colour = red | green | blue.
        static st0(spot).
        fluent f0(int, colour).
        fluent f1(colour).
        derived d0(thing).
        derived d1(spot, spot, spot) operational.
        action act0(thing, spot).
        game g0(thing).
        fluent n_f0(int -> int) counts f0.
        r0: d0(t1) :- f0(?i1, ?c2), all ?c3 in f0(?i1, ?c3): (d1(?s104, ?s104, ?s105), f0(?i1, ?c106)).
        r1: d0(t1) :- f1(?c1), ?c1 = red, n_f0(2, _), n_f0(?i4, ?i5), ?i3 = count ?c2 in f0(2, ?c2) but blue.
        r2: d1(?s2, ?s2, ?s2) :- f1(?c1), st0(?s2).
        r3: before d0(?t1) :- act0(?t1, s1), before n_f0(?i2, ?i3).
        r4: after f1(?c3) :- act0(?t1, ?s2), before d0(_), st0(?s2), before f1(?c3).
        r5: after f0(?i3, ?c4) :- act0(?t1, ?s2), before n_f0(_, ?i3), ?t1 != t1, before f1(?c4).
        r6: after f0(?i3, ?c4) :- act0(?t1, ?s2), before f0(?i3, ?c4).
        r7: after n_f0(?i3, ?i4) :- act0(?t1, ?s2), before n_f0(?i3, ?i4).
        r8: after f0(?i3, ?c4) :- act0(?t1, ?s2), before f0(?i3, ?c4).
        r9: after n_f0(?i3, ?n90) :- act0(?t1, ?s2), before n_f0(?i3, ?n90).
        r10: before g0(?t3) by act0(?t1, ?s2) is GI :- act0(?t1, ?s2), after d0(?t3), before f0(?i4, ?c5), all ?c6 in before f0(?i4, ?c6): (before d1(?s2, ?s107, ?s2), st0(s1)), all ?c7 in before f0(?i4, ?c7): (st0(_)).
        r11: after g0(?t1) is G :- act0(?t1, ?s2), before n_f0(?i3, ?i3), before n_f0(?i4, ?i5), after f0(?i6, ?c7).
        r12: g0(?t1) is GI :- g0(?t1) by act0(_, _) is GI.
        r13: g0(t1) is IG :- st0(?s1).
        replies g0(?a0):
        act0(?a0, ?s1), n_f0(?i2, ?i2).
        st0(s1).
    """)
    has = {"f0": [(1, "green"), (2, "blue")], "f1": [("blue",), ("red",)], "n_f0": [(1, 1), (2, 3), (3, 2)]}
    has["st0"] = [("s2",), ("s3",)]
    facts = frozenset(GroundFact(name, values) for name, rows in has.items() for values in rows)
    for seed in range(4):
        prover = WinProver(theory, StatePlay(PlainTruth(theory), Random(seed)), lambda new: new)
        assert prover.won(facts, Atom("g0", (Constant("t1"),)), 1) == []
        assert prover.refused


def test_a_focus_set_that_gave_no_rule_is_tried_again_only_with_new_rules(monkeypatch):
    tried: list[frozenset] = []
    learner = CaptureLearner()
    prover = learner.prover
    refusal = WinProver._second_player_win_refusal

    def counted(self: WinProver, state: Any, game: Atom, about: frozenset) -> str | None:
        tried.append(about)
        return refusal(self, state, game, about)

    monkeypatch.setattr(WinProver, "_second_player_win_refusal", counted)
    game = take(ON_THE_EDGE, "b2")
    for _ in range(2):
        assert not prover._learn_second_player_win(ON_THE_EDGE, game, frozenset())
    assert len(tried) == 1
    assert len(prover.refused) == 2
    assert prover.refused[0] == prover.refused[1]
    assert prover.won(ON_THE_EDGE, take(ON_THE_EDGE, "c1"), 2)
    tried.clear()
    assert not prover._learn_second_player_win(ON_THE_EDGE, game, frozenset())
    assert len(tried) == 1
