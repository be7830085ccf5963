"""Tests of the positions in the study of work spread: the expected number, all different, fixed by the seed."""

from __future__ import annotations

from random import Random

from benchmarks.go.spread import positions
from hornbook import read_state


def test_positions_are_other_ones_each_and_the_same_for_a_seed():
    made = list(positions(Random(1), 40))
    assert len(set(made)) == 40
    assert made == list(positions(Random(1), 40))
    assert made != list(positions(Random(2), 40))
    assert all(read_state("go", text).facts for text in made[:20])
