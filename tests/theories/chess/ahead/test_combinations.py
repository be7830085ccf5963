"""Tests of mates in two and of lost men, derived from the rules of single moves.

Every regressed conclusion must be true on the board. The rules must not conclude anything else.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import chess
import pytest

import hornbook.theories.chess
from benchmarks.chess.forced import is_taken, men, takings
from hornbook.compiler.learn.regression.theory_regression import regress_theory_repeatedly, theory_text
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.theories.chess.adapter import board, position_facts
from hornbook.theories.chess.problems.problem import parse_problems, shipped
from hornbook.theories.chess.states.fen import parse_fen
from oracles.chess.mating import forcing_position, mating_moves

pytestmark = pytest.mark.deep

FOLDER = Path(hornbook.theories.chess.__file__).parent / "ahead"
COLOURS = {chess.WHITE: "white", chess.BLACK: "black"}
TWO = [
    # The first move is a check answered by the king only, by a capture, or by a block; or another move.
    ("6k1/p1r3pp/1p6/4P2P/3Pp2r/1N1b4/PP1K4/3R3R b - - 5 27", "c7c2"),
    ("r1b2br1/5p1k/p1p1qp2/2p1pN2/4P3/2NP4/PPP3PP/R2Q3K w - - 0 18", "d1h5"),
    ("6k1/4bppp/5n2/2rp4/Q2Np3/4P3/5PPP/1N4K1 b - - 0 24", "c5c1"),
    ("r4r2/ppp1np1k/4b3/3p4/3P4/2P2B2/1P4R1/2K1R3 w - - 0 30", "e1h1"),
]
TAKEN = [
    # Possible answers: the king; the king or the threatened man; only that man; the king or a block; only a
    # block; the king or a capture of the checking man; only such a capture; and all of these.
    ("6Q1/2k4b/8/6P1/7K/6r1/3Pn3/8 w - - 0 1", "e2", "g8c4"),
    ("1k4b1/8/2p2r2/3Q4/8/8/4K3/8 w - - 0 1", "f6", "d5e5"),
    ("8/5q2/2r5/6k1/3B4/8/7P/7K b - - 0 1", "d4", "f7f1"),
    ("8/1n2k3/2K2n2/8/8/3Q2R1/7P/4n3 w - - 0 1", "e1", "d3e2"),
    ("B2qkbr1/p1p1pp2/2np2pp/3n4/7P/5PP1/PPPPP3/RNBQK1NR w KQ - 0 8", "d5", "a8c6"),
    ("3rk3/8/4r3/4n3/4N3/1B5P/7K/8 b - - 0 1", "e4", "e5g4"),
    ("8/q3n3/8/8/R7/1K6/4R3/2k5 w - - 0 1", "e7", "a4a1"),
    ("3b2N1/2P3B1/4Kq1r/8/7B/3r4/8/k7 w - - 0 1", "h6", "h4f6"),
]


THREATENED = [
    # A pin, and men that cannot escape: one in a corner, one whose move would allow mate.
    ("3k4/8/8/3n4/8/8/8/2K4R w - - 0 1", "d5", "h1d1"),
    ("n6k/8/2K5/8/8/8/6P1/3R4 w - - 0 1", "a8", "d1a1"),
    ("1k6/ppp5/4q2R/4b3/8/R2K4/8/8 w - - 0 1", "e5", "h6e6"),
]


@pytest.mark.parametrize(
    ("name", "of", "words", "action", "times", "suffix"),
    [
        ("foretold", "checking", ["menaces", "beaten", "legal", "untakeable"], "move", 2, "in"),
        ("replied", "replies", ["doomed", "threat", "stilled"], "move", 1, "in"),
        ("lost", "losses", ["lost", "takeable"], "move", 1, "in"),
        ("promoted", "replied", ["untakeable", "awake", "cornered", "beaten"], "promote", 1, "promoted"),
        ("ripened", "promoting", ["ripe"], "move", 1, "in"),
        ("conceded", "conceding", ["conceded"], "move", 1, "in"),
    ],
)
def test_what_ships_is_what_is_regressed(
    name: str, of: str, words: list[str], action: str, times: int, suffix: str
):
    given = load(FOLDER / "parts" / f"{of}.horn")
    text = theory_text(given, regress_theory_repeatedly(given, words, action, times, suffix), name)
    assert (FOLDER / "parts" / f"{name}.horn").read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", ["mates", "captures", "combinations"])
def test_every_lemma_is_proved(name: str):
    theory = load(FOLDER / f"{name}.horn")
    assert not theory.lemmas
    assert sum(rule.lemma for rule in theory.rules) > 115


def test_the_rules_follow_from_the_theory():
    theory = load(FOLDER / "combinations.horn")
    names = [
        [entry.rule.name for entry in rulebase.read(FOLDER / f"{name}.horn", theory) if entry.is_certified]
        for name in ("forced", "threats")
    ]
    assert names == [
        [
            "mate_by_a_check",
            "mate_by_castling",
            "mate_by_taking_in_passing",
            "mate_by_promoting",
            "mate_in_two_by_a_check",
            "taken_after_a_check",
            "a_man_that_nobody_guards",
            "a_man_that_is_worth_more",
        ],
        ["mate_in_two_by_a_threat", "taken_after_a_threat"],
    ]


def with_rules(name: str) -> KnowledgeBase:
    """Return the theory together with shipped rules."""
    theory = load(FOLDER / "combinations.horn")
    known = KnowledgeBase(theory)
    known.add(board())
    add_proved_rules(known, [entry.rule for entry in rulebase.read(FOLDER / f"{name}.horn", theory)])
    return known


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    return with_rules("forced")


@pytest.fixture(scope="module")
def quiet() -> KnowledgeBase:
    return with_rules("threats")


def reported(base: KnowledgeBase, fen: str, query: str) -> set[str]:
    """Return the answers about a position as moves of the Universal Chess Interface."""
    base.push()
    base.add(position_facts(parse_fen(fen)))
    found = {"".join(map(str, row)) for row in base.query(query).to_tuples()}
    base.pop()
    return found


@pytest.mark.parametrize(("fen", "move"), TWO)
def test_mates_in_two_are_seen_in_one_match(base: KnowledgeBase, fen: str, move: str):
    there = chess.Board(fen)
    mated = COLOURS[not there.turn]
    found = reported(base, fen, f"mate({mated}) by move(?f, ?t) is GI")
    assert move in found
    assert found <= mating_moves(there, 2)


def test_a_mate_is_one_though_a_pawn_and_the_king_attack_a_square_that_would_answer_it(base: KnowledgeBase):
    fen = "8/4Q3/6pk/8/8/K7/8/R7 w - - 0 1"
    found = reported(base, fen, "legal(white, ?f, ?t), menaces(white, ?f, ?t), beaten_in_1(?f, ?t, black)")
    assert found == mating_moves(chess.Board(fen), 1) == {"a1h1"}


@pytest.mark.parametrize(("fen", "taken", "move"), TAKEN)
def test_what_is_taken_after_a_check_is_seen_in_one_match(
    base: KnowledgeBase, fen: str, taken: str, move: str
):
    assert move in reported(base, fen, f"take({taken}) by move(?f, ?t) is GI")


@pytest.mark.parametrize("seed", [4, 5])
def test_what_checks_take_is_what_they_take_on_the_board(base: KnowledgeBase, seed: int):
    """Test each man and each check, except checks that mate in two, in random positions.

    The side to move is a queen and a rook ahead.
    """
    there = forcing_position(Random(seed + 200))
    there.castling_rights = chess.BB_EMPTY
    mates = {(move, square) for move in mating_moves(there, 2) for square in chess.SQUARES}
    won, takes = set(), {chess.square_name(square): square for square in men(there)}
    for name, square in takes.items():
        for move in reported(base, there.fen(), f"take({name}) by move(?f, ?t) is GI"):
            assert is_taken(there, square, move)
            won.add((move, square))
    on_the_board = {
        (move, takes[game[5:-1]])
        for move, game in takings(there, {f"take({n})": s for n, s in takes.items()}, by_check=True)
    }
    assert on_the_board - mates <= won


def test_what_a_check_does_not_win_is_not_taken(base: KnowledgeBase):
    guarded = "r3k2r/8/1n6/3N4/8/8/8/4K3 w - - 0 1"  # a knight captures the forking knight
    assert reported(base, guarded, "take(a8) by move(?f, ?t) is GI") == {"d5c7"}
    assert reported(base, guarded.replace("1n6", "n7"), "take(a8) by move(?f, ?t) is GI") == set()


def test_a_quiet_move_that_threatens_mate_is_seen_by_another_rule(quiet: KnowledgeBase):
    fen = "8/8/8/2k2q2/8/P5r1/P7/K7 b - - 0 1"
    found = reported(quiet, fen, "mate(white) by move(?f, ?t) is GI")
    assert "f5c2" in found
    assert found <= mating_moves(chess.Board(fen), 2)


@pytest.mark.parametrize(("fen", "taken", "move"), THREATENED)
def test_so_is_one_that_threatens_a_man(quiet: KnowledgeBase, fen: str, taken: str, move: str):
    there = chess.Board(fen)
    found = reported(quiet, fen, f"take({taken}) by move(?f, ?t) is GI")
    assert move in found
    assert all(is_taken(there, chess.parse_square(taken), each) for each in found)


def test_a_man_that_is_threatened_is_not_taken_where_a_reply_saves_it(quiet: KnowledgeBase):
    """The threatened man moves away, it is guarded, or no move is possible."""
    for fen, taken in [
        ("4k3/8/8/3n4/8/8/8/2K4R w - - 0 1", "d5"),
        ("3k4/4p3/8/3n4/8/8/8/2K4R w - - 0 1", "d5"),
        ("7k/8/6K1/8/8/8/7p/R7 w - - 0 1", "h2"),
    ]:
        found = reported(quiet, fen, f"take({taken}) by move(?f, ?t) is GI")
        there = chess.Board(fen)
        assert all(is_taken(there, chess.parse_square(taken), each) for each in found)
        assert "h1d1" not in found


def test_pinned_and_trapped_men_of_other_problems_are_taken(quiet: KnowledgeBase):
    """Most of the sampled held-out problems are solved, and no wrong conclusion is drawn.

    The sample has every fiftieth problem.
    """
    stored_out = parse_problems(shipped("held_out").read_text(encoding="utf-8"), "held_out")
    problems = [each for each in stored_out if each.depth == 3 and each.motif in ("pin", "trapped")][::50]
    solved = 0
    for problem in problems:
        found = reported(quiet, problem.fen, f"take({problem.target}) by move(?f, ?t) is GI")
        assert found <= {*problem.winning_moves}
        solved += bool(found)
    assert 3 <= solved <= len(problems) == 5


@pytest.mark.parametrize("seed", range(6, 11))
def test_what_is_regressed_is_so_on_the_board(base: KnowledgeBase, seed: int):
    """Random positions: legal moves after each move, mating moves among them, and mates in two."""
    there = forcing_position(Random(seed))
    there.castling_rights = chess.BB_EMPTY
    fen, me, other = there.fen(), COLOURS[there.turn], COLOURS[not there.turn]
    now = reported(base, fen, f"legal({me}, ?f, ?t), menaces({me}, ?f, ?t), beaten_in_1(?f, ?t, {other})")
    plain = {move for move in mating_moves(there, 1) if len(move) == 4}
    assert now == plain
    move = Random(seed).choice([move for move in there.legal_moves if move.promotion is None])
    there.push(move)
    f, t = chess.square_name(move.from_square), chess.square_name(move.to_square)
    legal = reported(base, fen, f"legal_in_1({f}, {t}, {other}, ?f, ?t)")
    assert legal == {reply.uci() for reply in there.legal_moves if reply.promotion is None}
    there.pop()
    assert reported(base, fen, f"mate({other}) by move(?f, ?t) is GI") <= mating_moves(there, 2)


def in_front_of(random: Random, *, check: bool) -> chess.Board:
    """Return a random position with a queen and a rook more, after a move with or without check."""
    while True:
        there = forcing_position(random)
        moves = [move for move in there.legal_moves if there.gives_check(move) == check]
        if moves:
            there.push(random.choice(moves))
            return there


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("seed", range(5, 10))
def test_no_reply_is_left_out(base: KnowledgeBase, seed: int, check: bool):
    """Compare the theory's replies with the legal moves of the side to move."""
    there = in_front_of(Random(seed + 100), check=check)
    d = COLOURS[there.turn]
    moves = reported(
        base,
        there.fen(),
        f"distance(?f, ?t, _), site(?f), at(?f, {d}, ?k), range({d}, ?k, ?f, ?t), absent illegal({d}, ?f, ?t)",
    )
    promotions = reported(
        base,
        there.fen(),
        f"site(?f), at(?f, {d}, pawn), range({d}, pawn, ?f, ?t), last({d}, ?t), promotion(?j), absent illegal({d}, ?f, ?t)",
    )
    letters = {"knight": "n", "bishop": "b", "rook": "r", "queen": "q"}
    legal = {move.uci() for move in there.legal_moves}
    assert {move for move in legal if len(move) == 4} <= {row[:4] for row in moves}
    assert {move for move in legal if len(move) == 5} <= {row[:4] + letters[row[4:]] for row in promotions}


def test_castling_and_taking_in_passing_are_replies(base: KnowledgeBase):
    castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    moves = reported(
        base, castling, "at(?f, white, king), range(white, king, ?f, ?t), absent illegal(white, ?f, ?t)"
    )
    assert {"e1g1", "e1c1"} <= moves
    passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
    moves = reported(
        base, passing, "at(?f, white, pawn), range(white, pawn, ?f, ?t), absent illegal(white, ?f, ?t)"
    )
    assert moves == {"e5d6", "e5e6"}
