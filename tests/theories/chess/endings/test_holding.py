"""Tests of learning where a lone king holds the draw.

The largest closed set is what the table calls drawn. Learned boxes are closed and contain no other points.
The theory that is written from boxes holds at their points.
"""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.kb.load.loader import load_text
from oracles.chess.escorted import FREE, PointBox
from oracles.chess.holding import MIRRORED, HoldingLearner, LoneKingRounds, one_half, theory_of
from oracles.chess.lone_king import ALL, FIRST, drawn
from oracles.chess.lone_king_proofs import clauses_of, points_of
from oracles.chess.lone_king_run import HOLDING

BOX = PointBox((3, *(-FREE,) * 7, -1, 1, *(-FREE,) * 2), (3, 6, *(FREE,) * 6, 1, *(FREE,) * 3))
"""The pawn on the third file, and the lone king on its file or a neighbouring one, ahead of it."""


@pytest.fixture(scope="module")
def rounds() -> LoneKingRounds:
    return LoneKingRounds()


def test_the_largest_closed_set_is_what_the_table_calls_drawn(rounds):
    safe = rounds.never_lost()
    for output, first in ((safe, True), (rounds.reaches(safe), False)):
        legal, of_table = drawn(first=first)
        assert ((output & legal) == of_table).all()


def test_an_answer_is_missing_where_the_pawn_can_no_longer_be_stopped(rounds):
    safe = rounds.never_lost()
    assert not rounds.missing(safe, safe).any()
    point = np.flatnonzero(safe & ~rounds.over)[0]
    alone = np.arange(len(safe)) == point
    assert not rounds.answers_all(alone)[point]
    wanted = np.flatnonzero(rounds.missing(alone, safe))
    assert len(wanted)
    more = alone.copy()
    more[wanted] = True
    assert rounds.answers_all(more)[point]


def test_a_half_contains_the_mirror_image_of_each_point():
    chosen = one_half(np.random.default_rng(3))
    assert (chosen == chosen[MIRRORED]).all()
    assert 0.49 < chosen.mean() < 0.51


def test_a_written_theory_holds_at_the_points_of_the_boxes():
    theory = load_text(theory_of([BOX]), str(HOLDING))
    found = points_of(clauses_of(theory))
    p, r, _, _, u, v = ALL
    there = FIRST & (p == 3) & (r <= 6) & (abs(u - p) <= 1) & (v > r)
    assert list(found) == ["held_1", "held_1_mirrored"]
    assert (found["held_1"] == there).all()
    assert (found["held_1_mirrored"] == there[MIRRORED]).all()


def test_a_box_that_is_its_own_mirror_image_is_written_once():
    box = PointBox((-FREE, 3, *(-FREE,) * 10), (FREE, 5, *(FREE,) * 10))
    assert box.mirrored() == box
    assert list(clauses_of(load_text(theory_of([box]), str(HOLDING)))) == ["held_1"]


@pytest.mark.deep
def test_learned_boxes_are_closed_and_contain_drawn_points_only(rounds):
    random = np.random.default_rng(5)
    _, of_table = drawn(first=True)
    learner = HoldingLearner(rounds, of_table & one_half(random), random, tries=10)
    learner.learn(400)
    held = np.any([learner.points(box) for box in learner.boxes], axis=0)
    assert (held == learner.held).all()
    assert not (held & ~rounds.answers_all(held)).any()
    assert not (held & drawn(first=True)[0] & ~of_table).any()
    assert (held & of_table).sum() > of_table.sum() / 2
