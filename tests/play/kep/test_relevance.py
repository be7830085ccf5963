"""Tests of missing conditions of plans, and of goals learned as games.

They are compared with positions that contain the fact.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import chess
import pytest

import hornbook.theories.chess
from hornbook.compiler.match.plans import PlanMatcher
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.play.kep.goals import Actor, by_name, lifted, with_goals
from hornbook.theories.chess.play.planning import ChessPlanning
from hornbook.theories.chess.states.fen import parse_fen

CHESS = Path(hornbook.theories.chess.__file__).parent
GAME, ACTOR = ChessPlanning(), Actor("side", "before at({0}, ?o, _)")


@pytest.fixture(scope="module")
def theory():
    return load(CHESS / "parts" / "gains.horn")


def messages(matcher, board):
    found = matcher.plans(GAME.parts(parse_fen(board.fen())))
    return {(plan.goal, plan.moves, plan.action) for plan in found}


def test_what_plans_lack_is_what_they_would_say_if_the_square_were_empty(theory):
    rules = [entry.rule for entry in rulebase.read(CHESS / "plans" / "pawns.horn", theory)]
    matcher, random, new = PlanMatcher(theory, rules), Random(3), 0
    names = {rule.name for rule in rules}
    for _ in range(12):
        board = chess.Board("7k/8/8/8/8/8/8/K7 w - - 0 1")
        for square, man in zip(random.sample(range(16, 48), 4), "PPpp", strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        pawn = random.choice(
            list(board.pieces(chess.PAWN, chess.WHITE) | board.pieces(chess.PAWN, chess.BLACK))
        )
        square = pawn + 8 if board.color_at(pawn) else pawn - 8
        board.set_piece_at(square, chess.Piece.from_symbol("p"))
        emptied = board.copy()
        emptied.remove_piece_at(square)
        then = messages(matcher, emptied)
        now = messages(matcher, board)
        fact = GroundFact("at", (chess.square_name(square), "none", "empty"))
        lacking = {(plan.game, plan.moves, plan.by) for plan in matcher.lacking(fact, names)}
        assert lacking == then - now
        assert not list(matcher.lacking(fact, ()))
        new += len(then - now)
    assert new > 3


@pytest.mark.parametrize(
    ("fact", "ends", "goal"),
    [
        (("at", "e6", "none", "empty"), False, "made_at_none_empty(black, e6)"),
        (("at", "e6", "none", "empty"), True, "ended_at_none_empty(black, e6)"),
        (("king", "black", "e6"), False, "made_king_own(black, e6)"),
        (("at", "e6", "white", "pawn"), True, "ended_at_pawn(black, e6, white)"),
    ],
)
def test_a_goal_is_reported_of_any_square_and_any_side(theory, fact, ends, goal):
    given = GroundFact(fact[0], fact[1:])
    learned = lifted(given, "black", "white", theory.vocabulary, ends=ends)
    of = learned.of("black", given)
    assert f"{of.predicate}({', '.join(str(term.value) for term in of.terms)})" == goal
    assert learned.fact(of) == given._replace(tense="before")
    other = lifted(
        GroundFact(
            fact[0], tuple({"black": "white", "white": "black", "e6": "b2"}.get(v, v) for v in fact[1:])
        ),
        "white",
        "black",
        theory.vocabulary,
        ends=ends,
    )
    assert other == learned
    reported = with_goals(theory, [learned], ACTOR)
    assert reported.vocabulary.predicates[learned.name].worth == 0
    assert by_name([learned]) == {learned.name: learned}


def test_a_learned_goal_is_of_who_wants_it_and_stays():
    goal = Atom("made_at_none_empty", (Constant("black"), Constant("e6")))
    state = replace(parse_fen("4k3/8/4p3/8/8/8/8/4K3 b - - 0 1"), quiet_plies=0)
    assert GAME.friend(state, goal) == "black"
    assert GAME.followed(state, goal, GroundFact("move", ("e6", "e5"))) == goal
    assert not GAME.stays(Atom("crown", (Constant("black"), Constant("e6"))))
