"""The theory of a king and a pawn that win: what leads where is as the table has it, and a box that is too wide is not proved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hornbook.kb.load.loader import load
from oracles.chess.endings_run import some_endings
from oracles.chess.escorted import FREE, Box, Finder, of_table
from oracles.chess.escorted_proofs import Prover, UnprovedError, of_conditions, promotions
from oracles.chess.escorted_run import THEORY, asked
from oracles.chess.lone_king import ALL


@pytest.fixture(scope="module")
def prover() -> Prover:
    found = Prover(load(THEORY))
    found.promote(20)
    return found


def test_what_follows_from_promotions_is_what_the_table_calls_won(prover):
    won = np.any([of_conditions(["?r = 8", *asked], ALL) for _, asked, _ in promotions()], axis=0)
    while ((then := won | prover.board.kept(won)) != won).any():
        won = then
    for said, first in ((won, False), (prover.board.led(won), True)):
        legal, of_the_table = of_table(first=first)
        assert ((said & legal) == of_the_table).all()


def test_a_box_is_proved_and_a_wider_one_is_not(prover):
    chosen_by = np.stack([of_table(first=first)[1] for first in (False, True)])
    finder = Finder(prover.board, prover.won(), chosen_by, np.random.default_rng(1), 3)
    box = next(finder.find(1))
    bounded = next(n for n, low in enumerate(box.least) if low > -FREE)
    wide = replace(box, least=(*box.least[:bounded], -FREE, *box.least[bounded + 1 :]))
    with pytest.raises(UnprovedError):
        prover.win("too_wide", wide)
    prover.win("first", box)
    told = asked(prover.proofs.theory, prover.rules(), some_endings("8 escorted", 40))
    assert told.wrong == []
    assert prover.won()[np.flatnonzero(box.of(prover.board.words))].all()


def test_boxes_are_mirrored():
    box = Box((1, *(-FREE,) * 5, 2, *(-FREE,) * 5), (3, *(FREE,) * 11))
    assert box.mirrored().mirrored() == box
    assert box.mirrored().conditions() == ["?p >= 6", "?p <= 8", "?x - ?p <= -2"]
