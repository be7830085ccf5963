"""Proved lower bounds on the gain of chess moves, compared with exhaustive search."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import chess
import pytest

from benchmarks.chess.best_moves import both_sides, is_so, move_of
from hornbook.api.best_moves import BestMoves, best_of, verdict
from hornbook.api.chains import Chains
from hornbook.api.position_matcher import matcher_of
from hornbook.compiler.match.position import SharedRules
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.states import read_state
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.loader import load_text
from hornbook.play.answering.gain_search import GainSearch
from hornbook.play.answering.gains import EVERYTHING
from hornbook.play.answering.plays import FEW
from hornbook.theories.chess.domain import DOMAIN
from hornbook.theories.chess.play.question import WORTH
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.position import KINDS
from oracles.chess.gain_judge import gains
from oracles.chess.positions import played

RULES = (Path(__file__).parent / "data" / "best_moves_rules.horn").read_text(encoding="utf-8")
"""Rules that Hornbook learns. For king and pawn, only the pawn's promotion is included."""


AHEAD = """
learned_in_two:
  mate(?d) by move(?f, ?t) is GI :-
    legal(?c, ?f, ?t), menaces(?c, ?f, ?t), opponent(?d, ?c), doomed_in_1(?f, ?t, ?d).
learned_taken:
  take(?x) by move(?f, ?t) is GI :-
    legal(?c, ?f, ?t), menaces(?c, ?f, ?t), opponent(?d, ?c), at(?x, ?d, _), ?x != ?t,
    in_check_in_1(?f, ?t, ?d), lost_in_1(?f, ?t, ?d, ?x).
"""


@pytest.fixture(scope="module")
def concluded():
    return concluded_in("chess", RULES)


def concluded_in(name, text):
    rules = [rule for rule in load_text(text).rules if rule.name.startswith("learned_")]
    theory = load(name)
    matcher = matcher_of(theory, RuleBase(name), lambda: rules, None, SharedRules())
    best = BestMoves(theory, rules)

    def moves(board, *, proofs=False):
        matcher.set(parse_fen(board.fen(en_passant="fen")))
        return best.of(matcher.state, matcher.answers(), proofs=proofs)

    moves.gains = best.gains
    return moves


def messages(moves):
    return [(move.move, "wins" if move.wins else move.gains) for move in moves]


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("6k1/5ppp/8/8/8/8/r7/1B2R1K1 w - - 0 1", [("move(e1, e8)", "wins"), ("move(b1, a2)", 5)]),
        # The check wins the man on f5 one move later. The pawn on f6 is taken at once, but nothing else is.
        ("6k1/p4p1p/5p2/1p1N1b2/3P4/5PP1/r6P/3R3K w - - 0 31", [("move(d5, e7)", 3), ("move(d5, f6)", 1)]),
        # First a rook, then one for the knight that takes it.
        ("8/2kn2r1/8/2R5/R7/1KP5/PP6/8 b - - 6 47", [("move(d7, c5)", 7)]),
        # The queen is guarded: a piece that takes her is taken back.
        ("4k3/8/2p5/3q4/8/2N5/8/3RK3 w - - 0 1", [("move(c3, d5)", 6), ("move(d1, d5)", 4)]),
        # The pawn that takes back is promoted, so no bound is given for a rook against a queen.
        ("4k3/8/8/8/8/8/1p6/q1R1K3 w - - 0 1", [("move(c1, a1)", None)]),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", [("promote(a7, b8, queen)", 11), ("promote(a7, a8, queen)", 8)]),
    ],
)
def test_each_move_gains_what_is_proved_of_it(concluded, fen, expected):
    found = messages(concluded(chess.Board(fen)))
    assert [move for move in found if move in expected] == expected


def test_what_a_pawn_becomes_counts_for_what_the_king_may_take_by_its_step():
    """Check that a promoted queen on b8 guards the knight on d6.

    The king may take the knight if b8 is a knight or a rook. If it is a queen, the king is mated.
    """
    rule = """theory learned.
import chess.
learned_promotion:
  take(?x) by promote(?f, ?t, ?k) is GI :-
    promotion(?k), promotable(?c, ?f, ?t), opponent(?d, ?c), owner(?x, ?d), forks(?f, ?t, ?k, ?x),
    king(?d, _), unveils(?f, ?t, ?a), screened(?f, ?t, ?a).
"""
    board = chess.Board("7r/RP2k2r/pp1N4/8/8/8/6r1/K7 w - - 0 1")
    assert messages(concluded_in("chess", rule)(board)) == [
        ("promote(b7, b8, queen)", 9),
        ("promote(b7, b8, rook)", None),
        ("promote(b7, b8, knight)", None),
    ]


@pytest.fixture(scope="module")
def only():
    """Return the conclusions of rules that use predicates unknown to the theory of gains."""
    return concluded_in("combinations", f"theory r.\nimport combinations.\n{AHEAD}")


@pytest.mark.deep
def test_a_mate_is_reported_by_a_rule_with_words_that_the_theory_of_gains_lacks(only):
    mate_in_two = chess.Board("6k1/p1r3pp/1p6/4P2P/3Pp2r/1N1b4/PP1K4/3R3R b - - 5 27")
    assert messages(only(mate_in_two))[0] == ("move(c7, c2)", "wins")


@pytest.mark.deep
def test_what_such_rules_take_is_reported_the_theory_of_gains(only):
    """Check that the queen takes the rook one move later. No other piece can answer her check."""
    fork = chess.Board("6k1/8/8/8/r7/8/8/4QK2 w - - 0 1")
    [found] = [each for each in only(fork, proofs=True) if each.move == "move(e1, e8)"]
    assert (found.gains, {answer.game for answer in found.answers}) == (5, {"take(a4)"})
    assert "take(a4) by move(e1, e8)" in str(found.proof)


def test_no_bound_is_refuted_by_search(concluded):
    bounds = tight = 0
    for source, number in (("random play", 12), ("few men", 30)):
        for board in played(source, Random(7), number):
            for turned in both_sides(board):
                for found in concluded(turned):
                    assert is_so(turned, found), (turned.fen(), str(found))
                    if found.gains is not None:
                        bounds += 1
                        tight += not gains(turned, move_of(found.move), found.gains + 1, 1)
    assert bounds > 30
    assert tight > bounds / 2


def test_a_mate_by_a_chain_is_one_by_search():
    board = chess.Board("6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1")
    rules = [rule for rule in load_text(RULES).rules if rule.name == "learned_mate"]
    theory, state = load("chess"), read_state("chess", board.fen())
    best = BestMoves(theory, rules)
    chains = Chains(theory, rules, best.gains).won(state.value, 1)
    (found,) = best.of(state, [], chains)
    assert (found.wins, found.answers, found.chains) == (True, (), dict(chains))
    assert is_so(board, found, 1)
    assert not is_so(board, replace(found, chains={}))


def test_a_tie_is_reported_to_be_one(concluded):
    tied = concluded(chess.Board("4k3/8/8/1p3p2/8/8/8/1R3R1K w - - 0 1"))
    assert messages(tied)[:2] == [
        ("move(f1, f5)", 1),
        ("move(b1, b5)", 1),
    ]  # from f5 the rook takes squares from the king
    assert verdict(tied) == (
        "a tie of the proved gains: move(f1, f5) and move(b1, b5) gain at least 1 each; any of them may gain more"
    )
    assert [move.move for move in best_of(tied)] == ["move(f1, f5)", "move(b1, b5)"]


def test_a_bound_has_a_proof_that_rests_on_the_learned_rule(concluded):
    first, *_ = concluded(chess.Board("6k1/p4p1p/5p2/1p1N1b2/3P4/5PP1/r6P/3R3K w - - 0 31"), proofs=True)
    rules = {rule.name for rule in first.proof.rules}
    assert {"a_man_a_move_later", "learned_fork", "harmless_wherever_it_steps"} <= rules


def test_a_fork_of_two_men_wins_one_of_them_by_a_level(concluded):
    board = chess.Board("4k3/8/8/2b1n3/8/2P5/3P4/K7 w - - 0 1")
    gaining = GainSearch(DOMAIN, concluded.gains)
    state = parse_fen(board.fen())
    ((by, amount),) = gaining.won(state, 1).items()
    assert (print_condition(by), amount) == ("move(d2, d4)", 2)
    chain = gaining.chain(state, by, amount, 1)
    after = {print_condition(reply): print_condition(below.move) for reply, below in chain.replies}
    assert after["move(c5, d6)"] == "move(d4, e5)"
    assert after["move(e5, c4)"] == "move(d4, c5)"
    assert gains(board, move_of("move(d2, d4)"), 2, 1, rests=True)
    assert not gains(board, move_of("move(d2, d4)"), 4, 2, rests=True)


def test_where_a_check_mates_by_a_level_no_quiet_move_is_matched(concluded):
    gaining = GainSearch(DOMAIN, concluded.gains)
    state = parse_fen("r1b2br1/5p1k/p1p1qp2/2p1pN2/4P3/2NP4/PPP3PP/R2Q3K w - - 0 18")
    assert {print_condition(by): amount for by, amount in gaining.won(state, 1).items()} == {
        "move(d1, h5)": EVERYTHING
    }
    left = [len([*DOMAIN.actions(DOMAIN.after(state, action))]) for action in DOMAIN.actions(state)]
    assert gaining.matched < sum(replies > FEW for replies in left)


def naive(gaining, state):
    """Return the one-level gain of each legal move. Every reply to every move is matched."""
    found = {}
    for action in DOMAIN.actions(state):
        after = DOMAIN.after(state, action)
        bounds = [_after_reply(gaining, state, DOMAIN.after(after, each)) for each in DOMAIN.actions(after)]
        if bounds:
            found[Atom(action.relation, tuple(map(Constant, action.values)))] = min(bounds)
    return found


def _after_reply(gaining, state, then):
    player = DOMAIN.to_move(state)
    more = max((gain.amount for gain in gaining.says(then, player)), default=0)
    return (
        EVERYTHING
        if more == EVERYTHING
        else more + DOMAIN.balance(then, player) - DOMAIN.balance(state, player)
    )


def test_a_level_proves_what_all_replies_to_all_moves_do(concluded):
    gaining, most, positions = GainSearch(DOMAIN, concluded.gains), 0, 0
    for board in played("few men", Random(5), 5):
        state = parse_fen(board.fen(en_passant="fen"))
        gaining.forget()
        found = gaining.won(state, 1)
        slowly = naive(gaining, state)
        assert all(slowly[by] >= amount for by, amount in found.items()), board.fen()
        if found:
            positions += 1
            most += max(found.values()) == max(slowly.values())
    assert most == positions > 1


def test_a_side_has_more_by_what_the_theory_says_that_men_are_worth():
    facts = [fact for fact in load("chess").facts if fact.predicate == "worth"]
    worth = {kind.value: amount.value for kind, amount in (fact.terms for fact in facts)}
    assert {KINDS[kind]: amount for kind, amount in WORTH.items()} == worth
    state = parse_fen("4k3/qrbnp3/8/8/8/8/PPPP4/4K3 w - - 0 1")
    assert (DOMAIN.balance(state, "white"), DOMAIN.balance(state, "black")) == (4 - 21, 21 - 4)
