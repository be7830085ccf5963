"""The theory of a king and a pawn that win: what leads where is as the table has it, and what does not follow is not proved."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.kb.load.loader import load
from oracles.chess.endings_run import some_endings
from oracles.chess.escorted import FREE, Box, of_table
from oracles.chess.escorted_proofs import Prover, UnprovedError, of_conditions, promotions
from oracles.chess.escorted_run import THEORY, asked
from oracles.chess.lone_king import ALL, FIRST


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


def test_a_point_is_proved_and_one_that_does_not_follow_is_not(prover):
    kept = prover.board.kept(prover.won()) & of_table(first=False)[1]
    _, drawn = of_table(first=False)
    for name, point in (("won", np.flatnonzero(kept)[0]), ("drawn", np.flatnonzero(FIRST & ~drawn)[0])):
        words = tuple(prover.board.words[:, point].astype(int).tolist())
        if name == "drawn":
            with pytest.raises(UnprovedError):
                prover.win(name, Box(words, words))
        else:
            prover.win(name, Box(words, words))
            assert prover.won()[point]
    assert asked(prover.proofs.theory, prover.rules(), some_endings("8 escorted", 40)).wrong == []


def test_boxes_are_mirrored():
    box = Box((1, *(-FREE,) * 5, 2, *(-FREE,) * 5), (3, *(FREE,) * 11))
    assert box.mirrored().mirrored() == box
    assert box.mirrored().conditions() == ["?p >= 6", "?p <= 8", "?x - ?p <= -2"]
