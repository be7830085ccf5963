"""Tests of the theory of a king and a pawn that win.

Successor positions must match the table. Statements that do not follow must not be proved.
"""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.compiler.rules.verification import verify_all
from hornbook.inputs.theories import load
from oracles.chess.endings_run import some_endings
from oracles.chess.escorted import FREE, Finder, PointBox, both_ways, of_table
from oracles.chess.escorted_proofs import BoxProver, UnansweredMoveError, of_conditions, promotions
from oracles.chess.escorted_run import THEORY, check_rules
from oracles.chess.king_and_pawn import best_cut
from oracles.chess.lone_king import ALL, FIRST

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module")
def prover() -> BoxProver:
    found = BoxProver(load(THEORY))
    found.promote(20)
    return found


def test_what_follows_from_promotions_is_what_the_table_calls_won(prover):
    won = np.any([of_conditions(["?r = 8", *asked], ALL) for _, asked, _ in promotions()], axis=0)
    while ((then := won | prover.board.can_answer_all(won)) != won).any():
        won = then
    for output, first in ((won, False), (prover.board.led(won), True)):
        legal, of_the_table = of_table(first=first)
        assert ((output & legal) == of_the_table).all()


def test_a_point_is_proved_and_one_that_does_not_follow_is_not(prover):
    stored = prover.board.can_answer_all(prover.won()) & of_table(first=False)[1]
    _, drawn = of_table(first=False)
    for name, point in (("won", np.flatnonzero(stored)[0]), ("drawn", np.flatnonzero(FIRST & ~drawn)[0])):
        words = tuple(prover.board.words[:, point].astype(int).tolist())
        if name == "drawn":
            with pytest.raises(UnansweredMoveError):
                prover.win(name, PointBox(words, words))
        else:
            prover.win(name, PointBox(words, words))
            assert prover.won()[point]
    assert check_rules(prover.proofs.theory, prover.rules(), some_endings("8 escorted", 40)).wrong == []


def test_boxes_are_mirrored():
    box = PointBox((1, *(-FREE,) * 5, 2, *(-FREE,) * 5), (3, *(FREE,) * 11))
    assert box.mirrored().mirrored() == box
    assert box.mirrored().conditions() == ["?p >= 6", "?p <= 8", "?x - ?p <= -2"]


def test_boxes_are_of_points_that_follow_and_none_without_a_proof_is_found(prover):
    refused = []

    def cases(box):
        if len(refused) < 3:
            refused.append(box)
            return None
        return prover.cases(box)

    chosen_by = np.stack([of_table(first=first)[1] for first in (False, True)])
    won = both_ways(prover.won())
    finder = Finder(prover.board, won, chosen_by, np.random.default_rng(3), cases, 4)
    box = next(finder.find(1))
    assert not {box, box.mirrored()} & set(refused)
    assert set(refused) <= finder.refused
    assert (prover.board.can_answer_all(won) >= box.of(prover.board.words)).all()
    assert prover.cases(box) >= 10
    prover.win("found", box)
    assert (prover.won() >= box.of(prover.board.words)).all()


def test_moves_to_what_is_won_are_reported_to_win(prover):
    legal, won = of_table(first=True)
    led = np.flatnonzero(prover.board.led(prover.won()) & legal & ~prover.led)
    chosen_by = np.zeros(len(legal), dtype=bool)
    chosen_by[np.random.default_rng(5).choice(led, 3)] = True
    before = len(prover.rules())
    prover.cover(chosen_by, 1)
    assert prover.led[chosen_by].all()
    assert before < len(prover.rules()) <= before + 3
    assert not (prover.led & legal & ~won).any()
    assert check_rules(prover.proofs.theory, prover.rules(), some_endings("9 escorted", 40)).wrong == []


def test_points_are_reported_apart_where_one_answer_suits_most_on_any_side():
    random = np.random.default_rng(7)
    suiting = random.random((60, 9)) < 1 / 2
    words = random.integers(-3, 4, (4, 60))

    def suited(word, limit):
        low = words[word] <= limit
        return suiting[low].sum(0).max() + suiting[~low].sum(0).max()

    cuts = [(word, limit) for word in range(4) for limit in range(-3, 3)]
    assert suited(*best_cut(suiting, words)) == max(suited(*cut) for cut in cuts)
    assert best_cut(suiting[:2], np.zeros((4, 2))) is None


def test_what_was_proved_is_removed_on_from(prover):
    stored = prover.board.can_answer_all(prover.won()) & of_table(first=False)[1] & ~prover.won()
    words = tuple(prover.board.words[:, np.flatnonzero(stored)[-1]].astype(int).tolist())
    prover.win("once", PointBox(words, words))
    again = BoxProver(prover.proofs.theory)
    again.know(prover.rules())
    assert (again.won() == prover.won()).all()
    assert (again.led == prover.led).all()
    again.win("twice", PointBox(words, words))
    assert set(again.rules().entries) == {*prover.rules().entries, "twice"}
    assert all(verdict.follows for verdict in verify_all(again.rules(), again.proofs.theory))
