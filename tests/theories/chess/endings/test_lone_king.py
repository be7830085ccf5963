"""Tests of the theory of a lone king that holds the draw.

Its moves are those of chess. Every `held` position is drawn, and `held` is an invariant. The proof of a
clause that requires too little is rejected.
"""

from __future__ import annotations

import chess
import numpy as np
import pytest

from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.trust.invariants import invariants
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Comparison, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from oracles.chess import lone_king, lone_king_proofs
from oracles.chess.endings_run import KpkEnding, some_endings
from oracles.chess.holding import LoneKingRounds
from oracles.chess.king_and_pawn import UnansweredMoveError, where
from oracles.chess.lone_king import FIRST
from oracles.chess.lone_king_proofs import clauses_of, points_of, prove
from oracles.chess.lone_king_run import THEORY, check_rules, facts, place

CLAUSE = "held_1"
TOO_MUCH = """
too_much:
  held :-
    pawn(?p, ?r), escort(?x, ?y), alone(?u, ?v), ?p >= 2, ?p <= 7, ?r >= 3, ?r <= 6, ?x >= 1, ?x <= 8,
    ?y >= 1, ?y <= 8, ?u = ?p, ?v >= 7, ?v <= 8.
"""


@pytest.fixture(scope="module")
def theory():
    return load(THEORY)


@pytest.fixture(scope="module")
def endings():
    return some_endings("7 lone king", 300)


def point_of(ending: KpkEnding) -> np.ndarray:
    return np.array([[n] for fact in facts(ending) for n in fact.values], dtype=np.int16)


def squares(points: np.ndarray) -> list[tuple[int, int, int]]:
    return [place(each) for each in points.T.tolist()]


@pytest.mark.deep
def test_points_move_as_men_do(endings):
    for each in endings[:60]:
        ending = each._replace(black=False)
        board, point = ending.board(), point_of(ending)
        found = set()
        for move in board.legal_moves:
            then = board.copy(stack=False)
            then.push(move)
            (pawn, *_), other = then.pieces(chess.PAWN, True) or [None], then.king(False)
            found.add((move.to_square if move.promotion else pawn, then.king(True), other))
        if ending.friend_first:
            made = [squares(after[:, can]) for can, after in lone_king.goes(point)]
            output = {each for there in made for each in there}
            for ranks in (1, 2):
                can, after = lone_king.pushes(point, ranks)
                in_the_way = {ending.pawn + 8 * rank for rank in range(1, ranks + 1)} & {
                    ending.king,
                    ending.other,
                }
                output |= set() if in_the_way else set(squares(after[:, can]))
        else:
            steps = (lone_king.flights(point, step) for step in lone_king.STEPS)
            output = {each for can, after in steps for each in squares(after[:, can])}
            if lone_king.takes(point).all():
                output.add((None, ending.king, ending.pawn))
            assert lone_king.stalemates(point).all() == board.is_stalemate()
        assert output == found, board.fen()


def test_what_the_theory_says_of_moves_is_so(theory, endings):
    base = KnowledgeBase(theory)
    for ending in endings[60:72]:
        point = point_of(ending)
        base.push()
        base.add(facts(ending))
        for step in lone_king.STEPS:
            can, after = lone_king.flights(point, step)
            ways = [step in {f.values for f in base.facts(word, "before")} for word in ("apart", "off")]
            on_board = (lone_king.numbers(after) >= 0).all()
            assert (all(ways) and on_board) == can.all()
            barred = step in {f.values for f in base.facts("barred", "before")}
            assert not (barred and can.all())
            assert barred or on_board
        won = ("GI",) in {f.values for f in base.facts("hold is", "before")}
        assert won == (lone_king.takes(point).all() or lone_king.stalemates(point).all())
        for move, values, changed in (
            ("go", (1, 1), "escort"),
            ("flee", (1, -1), "alone"),
            ("push", (1,), "pawn"),
        ):
            base.push()
            base.add([GroundFact(move, values)])
            after = {
                word: {f.values for f in base.facts(word, "after")} for word in ("pawn", "escort", "alone")
            }
            expected = {fact.relation: fact.values for fact in facts(ending)}
            first, second = expected[changed]
            moved = {"go": values, "flee": (first + 1, second - 1), "push": (first, second + 1)}
            expected[changed] = moved[move]
            assert after == {word: {there} for word, there in expected.items()}
            base.pop()
        base.pop()


def test_each_move_of_the_pawns_side_is_a_reply_and_only_what_is_none_is_barred(theory, endings):
    cases = theory.replies_of("hold").cases
    base = KnowledgeBase(theory)
    for ending in (each._replace(black=False) for each in endings[:120] if each.friend_first):
        point = point_of(ending)
        base.push()
        base.add(facts(ending))
        barred = {("hindered", *f.values) for f in base.facts("hindered", "before")}
        barred |= {("obstructed", *f.values) for f in base.facts("obstructed", "before")}
        for move in ending.board().legal_moves:
            to = {"s": move.to_square % 8 + 1, "t": move.to_square // 8 + 1}
            ranks = to["t"] - int(point[1, 0])
            is_push = move.from_square == ending.pawn
            action = ("push", ranks) if is_push else ("go", to["s"], to["t"])
            queried_for = [
                [c for c in case.conditions if isinstance(c, Comparison)]
                for case in cases
                if case.action.predicate == action[0]
                and (not is_push or case.action.terms == (Constant(ranks),))
            ]
            assert any(where(each, point, **to, o=to["t"]).all() for each in queried_for), (
                ending.board().fen()
            )
            from_there = to["s"] - int(point[2, 0]), to["t"] - int(point[3, 0])
            assert (("obstructed", ranks) if is_push else ("hindered", *from_there)) not in barred
        base.pop()


def test_what_is_stored_is_drawn_and_is_stored_again(theory):
    stored = np.any(list(points_of(clauses_of(theory)).values()), axis=0)
    rounds = LoneKingRounds()
    assert not (stored & ~rounds.answers_all(stored)).any()
    for output, first in ((stored, True), (rounds.reaches(stored), False)):
        legal, drawn = lone_king.drawn(first=first)
        assert not (output & legal & ~drawn).any()
        assert (output & drawn).sum() > drawn.sum() * 0.95
    assert not (stored & ~FIRST).any()


def test_a_clause_is_proved_and_what_rests_on_it_answers(theory, endings):
    base = prove(theory, [CLAUSE])
    (found,) = invariants(theory, [entry.rule for entry in base if entry.is_certified])
    assert (found.game, found.words, found.proved) == ("hold", ("held",), (CLAUSE,))
    reported = check_rules(theory, base, endings[72:])
    assert reported.wrong == []
    assert reported.answered[True]


def test_a_clause_that_holds_of_too_much_is_not_proved():
    theory = load_text(THEORY.read_text() + TOO_MUCH, str(THEORY))
    with pytest.raises(UnansweredMoveError, match="no answer"):
        prove(theory, ["too_much"])


def test_answers_that_suit_only_some_of_a_clauses_points_prove_nothing(monkeypatch):
    theory = load_text(THEORY.read_text() + TOO_MUCH, str(THEORY))
    points = points_of(clauses_of(theory))
    held = np.any([there for name, there in points.items() if name != "too_much"], axis=0)
    points["too_much"] = np.arange(len(held)) == np.flatnonzero(points["too_much"] & held)[0]
    monkeypatch.setattr(lone_king_proofs, "points_of", lambda _: points)
    with pytest.raises(UnansweredMoveError, match="do not entail"):
        prove(theory, ["too_much"])


def test_an_unproved_rule_base_is_no_invariant(theory):
    (found,) = invariants(theory, [entry.rule for entry in RuleBase(theory.name)])
    assert not found.proved
    assert not found.holds
