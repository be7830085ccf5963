"""Tests of the chess theory's conclusions about positions and moves, against another program.

Nothing false is concluded, and nothing is missing.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import chess
import pytest

from hornbook.inputs.knowledge_base import KnowledgeBase
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.frames import breaches
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.theories.chess import adapter
from hornbook.theories.chess.states.fen import parse_fen
from oracles.chess.theory_run import (
    PERFT,
    RELATIONS,
    STARTS,
    Bases,
    ChessTheoryTally,
    bases,
    lines,
    run,
    try_position,
)


@cache
def theory() -> Bases:
    return bases("chess")


def without(*names: str) -> Bases:
    """Return the theory without some of its rules."""
    whole = load("chess")
    rules = tuple(rule for rule in whole.rules if rule.name not in names)
    assert len(rules) == len(whole.rules) - len(names)
    return bases(replace(whole, rules=rules))


def position(base: KnowledgeBase, fen: str) -> None:
    base.add(adapter.position_facts(parse_fen(fen)))


# Positions


@pytest.mark.parametrize("name", PERFT)
def test_the_legal_moves_are_counted_as_published(name):
    fen, published = PERFT[name]
    wrong: list[str] = []
    depth = 2 if published[0] < 40 else 1
    assert lines(theory(), chess.Board(fen), depth, wrong) == published[depth - 1]
    assert wrong == []


def hold(tally: ChessTheoryTally) -> None:
    assert tally.wrong == []
    assert tally.false == []
    assert tally.not_framed == []
    assert +tally.missing == {}


@pytest.mark.deep
@pytest.mark.parametrize("chunk", range(2))
def test_all_that_is_true_of_a_position_and_after_a_move_is_derived_and_nothing_else(chunk):
    tally = run(theory(), f"small {chunk}", 15, 4)
    hold(tally)
    assert set(RELATIONS) - {name for name, number in tally.true.items() if number} <= {
        "mated", "stalemated", "check", "promotable",
    }  # fmt: skip
    assert len(tally.kinds) > 5


RARE = {
    "in passing": "8/8/8/K1Pp4/8/8/8/4k3 w - d6 0 1",
    "in passing along a pin": "8/8/8/2k5/3pP3/8/8/K5B1 b - e3 0 1",
    "in passing opens the rank": "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "in passing answers a check": "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "in passing comes between": "3k4/8/8/8/3pP3/8/8/K6B b - e3 0 1",
    "in passing leaves another check": "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
    "castling": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "castling by an attack": "r3k2r/8/8/8/8/5r2/8/R3K2R w KQkq - 0 1",
    "the rook may pass an attack": "1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
    "promotion": "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "promotion in check": "3rk3/2P5/8/8/8/8/8/K2q4 w - - 0 1",
    "two checks": "4k3/8/5N2/8/8/8/4R3/4K3 b - - 0 1",
    "a king along a line": "8/8/8/r2K4/8/8/8/k7 w - - 0 1",
    "smothered mate": "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1",
    "mate but for a pinned man": "R5bk/6pp/8/8/8/8/8/K5B1 b - - 0 1",
    "mate by a pawn that can be taken in passing": "8/8/8/1p1p4/1Pp5/k7/3P4/K7 w - - 0 1",
    "stalemate": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
}


@pytest.mark.parametrize("name", RARE)
def test_rare_positions_are_as_they_should_be(name):
    tally = ChessTheoryTally()
    board = chess.Board(RARE[name])
    try_position(theory(), board, Random(name), tally, 9)
    hold(tally)


# The audit


def test_a_rule_that_lets_a_pinned_man_go_is_found_out():
    wrong = bases("chess")
    for base in wrong:
        base.add_text("loose(?c, ?f) :- at(?f, ?c, _), player(?c).")
    tally = ChessTheoryTally()
    try_position(wrong, chess.Board("4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1"), Random(1), tally, 2)
    assert [case for case in tally.wrong if case.startswith("legal('white', 'c3'")] != []


def test_a_transition_that_does_not_ask_whether_the_move_is_legal_is_found_out():
    wrong = bases("chess")
    wrong.base.add_text("after at(?t, ?c, ?k) :- move(?f, ?t), before at(?f, ?c, ?k).")
    wrong.twin.add_text("after at(?t, ?c, ?k) :- move(?f, ?t), before at(?f, ?c, ?k).")
    assert run(wrong, "small 0", 25, 0).false != []


def test_a_transition_that_is_missing_is_named_by_what_is_not_derived():
    tally = ChessTheoryTally()
    try_position(without("the_rook_arrives"), chess.Board(RARE["castling"]), Random(2), tally, 9)
    assert tally.false == []
    assert ("at", "castling") in +tally.missing
    assert {kind for relation, kind in +tally.missing if relation == "at"} == {"castling"}


def test_lines_of_any_length_stay_clear_by_a_lemma_and_open_square_by_square():
    """A line that stays clear also follows square by square.

    Without that rule, the lemma gives the same result.
    """
    proofs = KnowledgeBase("chess", derivations="all")
    proofs.add(adapter.board())
    position(proofs, "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1")
    proofs.add([GroundFact("move", ("e4", "c5"))])
    opened = {d.rule.index for d in derivations(proofs, "clear", ("e1", "e8"))}
    stayed = {d.rule.index for d in derivations(proofs, "clear", ("a1", "a8"))}
    assert {proofs.rules[i].name for i in opened} == {"clear_where_every_square_between_is_empty"}
    assert "a_line_stays_clear_when_the_king_stays" in {proofs.rules[i].name for i in stayed}


def derivations(base: KnowledgeBase, relation: str, values: tuple[str, ...]):
    fact = base.engine.coding.fact(GroundFact(relation, values, "after"))
    return raw_engine(base).derivations(fact)


@pytest.mark.deep
def test_most_mates_are_seen_from_the_king_only():
    """The rule that considers every man finds each mate.

    The rule around the king finds nearly all, and no false ones.
    """
    around = without("immobile_in_check").base
    found = mates = 0
    random = Random(3)
    while mates < 12:
        board = chess.Board(random.choice(STARTS))
        while not board.is_game_over() and board.ply() < 80:
            for move in list(board.legal_moves):
                board.push(move)
                if board.is_checkmate() or (board.is_check() and random.random() < 1 / 30):
                    around.push()
                    position(around, board.fen(en_passant="fen"))
                    seen = bool(list(around.facts("mated", "before")))
                    around.pop()
                    assert board.is_checkmate() or not seen
                    mates += board.is_checkmate()
                    found += seen
                board.pop()
            board.push(random.choice(list(board.legal_moves)))
    assert found / mates > 0.9


# Frames


def test_every_fluent_but_whose_turn_it_is_has_a_frame():
    theory_of_chess = load("chess")
    fluents = {name for name, p in theory_of_chess.vocabulary.predicates.items() if p.kind == "fluent"}
    assert fluents - {frame.fluent.predicate for frame in theory_of_chess.frames} == {"to_move"}


FRAMES = load("chess").frames
CHANGES = (
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "move e1 g1", "move a1 a8", "move h1 h4", "move e1 e2"),
    ("8/8/8/K1Pp4/8/8/8/4k3 w - d6 0 1", "move c5 d6", "move c5 c6"),
    ("4k2r/6P1/8/8/8/8/P7/4K3 w k - 0 1", "promote g7 g8 queen", "promote g7 h8 knight", "move a2 a4"),
    ("4k3/6P1/8/2Pp4/8/8/8/4K3 w - d6 0 1", "promote g7 g8 queen"),
)
"""Positions and moves that change facts of every kind."""


@pytest.mark.parametrize(
    ("frame", "case"), [(f, n) for f, frame in enumerate(FRAMES) for n in range(len(frame.cases))], ids=str
)
def test_a_frame_with_a_case_left_out_is_caught(frame, case):
    """Each case is needed, and the audit detects a frame that is too small."""
    declared = FRAMES[frame]
    small = replace(declared, cases=tuple(c for number, c in enumerate(declared.cases) if number != case))
    base = theory().base
    whole, found = base.theory, []
    base._state.theory = replace(whole, frames=(small,))
    for fen, *moves in CHANGES:
        for words in moves:
            relation, *squares = words.split()
            board = chess.Board(fen)
            kind = chess.PIECE_NAMES.index(squares[2]) if len(squares) > 2 else None
            board.push(chess.Move(*map(chess.parse_square, squares[:2]), kind))
            base.push()
            position(base, fen)
            base.add([GroundFact(relation, tuple(squares))])
            found += breaches(base, adapter.position_facts(parse_fen(board.fen(en_passant="fen"))))
            base.pop()
    base._state.theory = whole
    assert {breach.fact.relation for breach in found} == {declared.fluent.predicate}
