"""Tests of king and pawn against king.

The theory's conclusions, and rules from a few problems, are compared with the table of all positions.
"""

from __future__ import annotations

from random import Random

import pytest

from hornbook.compiler.learn.lessons import Problem, RuleLearner
from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.theories.chess.play import crowning, question, tactics
from hornbook.theories.chess.states.fen import parse_fen
from oracles.chess.endings_run import EndingAuditor, KpkEnding, all_endings, some_endings, try_ending
from oracles.chess.theory_run import ChessTheoryTally, bases

LESSONS = (
    ("8/3P4/8/8/7k/8/8/K7 w - - 0 1", "d7", 1),
    ("8/8/3P4/8/7k/8/8/K7 w - - 0 1", "d6", 2),
    ("8/8/8/3P4/7k/8/8/K7 w - - 0 1", "d5", 3),
)


def crown(fen: str, place: str) -> Atom:
    side = "white" if parse_fen(fen).at(place).isupper() else "black"
    return Atom("crown", (Constant(side), Constant(place)))


@pytest.fixture(scope="module")
def theory():
    return load("chess")


@pytest.fixture(scope="module")
def learned(theory):
    learner = RuleLearner(theory, tactics, RuleBase(theory.name))
    lessons = [Problem(fen, "", parse_fen(fen), crown(fen, place), moves) for fen, place, moves in LESSONS]
    assert all(taught.first for taught in learner.learn(lessons))
    return learner.base


def messages(theory: Theory, learned: RuleBase, fen: str, place: str) -> set[str]:
    matcher = RuleMatcher(theory, question.focus_predicate)
    for entry in learned:
        matcher.add(entry.rule)
    found = matcher.statements(question.parts(parse_fen(fen)), [crown(fen, place)])
    return {print_condition(statement).removeprefix("before ") for _, statement in found}


@pytest.mark.deep
def test_what_the_theory_says_of_the_ending_is_so():
    tally, false = ChessTheoryTally(), list[str]()
    whole = bases("chess")
    for ending in some_endings("statements", 2):
        try_ending(whole, ending, tally, false)
    assert false + tally.false + tally.wrong + tally.not_framed == []
    assert tally.true["at"] > 800


@pytest.mark.deep
def test_the_pawn_outruns_the_king_by_one_rule_for_each_number_of_moves(learned):
    rules = {entry.rule.name: print_rule(entry.rule) for entry in learned}
    static = [text for name, text in rules.items() if name.startswith("crown_is_ig")]
    assert [text.count("ample(") for text in static] == [1, 2]
    assert all("step(" not in text for text in static)  # no reply is listed, since all have the same effect


@pytest.mark.deep
@pytest.mark.parametrize(
    ("fen", "place", "expected"),
    [
        ("8/8/8/8/2P4k/8/8/K7 w - - 0 1", "c4", False),  # one push more than in the problems
        ("8/8/2P4k/8/8/8/8/K7 w - - 0 1", "c6", True),
        ("8/4k3/2P5/8/8/8/8/K7 w - - 0 1", "c6", False),  # the king is in the pawn's square
        ("8/8/1KP2k2/8/8/8/8/8 w - - 0 1", "c6", True),  # but the pawn has an escort
        ("8/8/8/K7/8/2p4k/8/8 b - - 0 1", "c3", True),  # the same for Black
        ("k7/2K5/8/1P6/8/8/8/8 w - - 0 1", "b5", False),  # the push would be stalemate
        ("8/8/8/8/1p6/8/2k5/K7 b - - 0 1", "b4", False),
    ],
)
def test_a_push_wins_where_it_does(theory, learned, fen, place, expected):
    to = place[0] + str(int(place[1]) + (1 if " w " in fen else -1))
    assert (
        f"{print_condition(crown(fen, place))} by move({place}, {to}) is GI"
        in messages(theory, learned, fen, place)
    ) is expected


def test_a_promotion_that_stalemates_in_a_far_corner_wins_nothing(theory, learned):
    assert messages(theory, learned, "K7/8/k7/8/8/8/1p6/8 b - - 0 1", "b2") == set()
    won = messages(theory, learned, "6K1/8/k7/8/8/8/1p6/8 b - - 0 1", "b2")
    assert {f"crown(black, b2) by promote(b2, b1, {kind}) is GI" for kind in ("queen", "rook")} <= won
    # In two moves the king is in the corner.
    assert "crown(black, b3) is IG" not in messages(theory, learned, "2K5/8/k7/8/8/1p6/8/8 w - - 0 1", "b3")
    assert "crown(black, b3) is IG" in messages(theory, learned, "5K2/8/k7/8/8/1p6/8/8 w - - 0 1", "b3")


@pytest.mark.deep
def test_no_conclusion_is_wrong(theory, learned):
    audit = EndingAuditor(theory, learned).judge(some_endings("rules", 80))
    assert audit.wrong == []
    assert audit.answered.total() > 0.4 * audit.won.total()


@pytest.mark.deep
def test_a_wrong_conclusion_is_noticed(theory, learned):
    auditor = EndingAuditor(theory, learned)
    auditor.moves = dict.fromkeys(auditor.moves, 1)  # each rule now claims to win by its first move
    assert auditor.judge(some_endings("rules", 15)).wrong


@pytest.mark.deep
def test_the_guide_to_proofs_names_moves_that_win():
    for ending in Random("guide").sample(list(all_endings()), 300):
        if ending.friend_first:
            for start, to in crowning.winning_moves(ending.pawn, ending.king, ending.other, 1):
                if to < crowning.LAST:
                    then = KpkEnding(
                        to if start == ending.pawn else ending.pawn,
                        to if start == ending.king else ending.king,
                        ending.other,
                        friend_first=False,
                    )
                    assert then.plies() is not None
