"""Tests of rules learned from positions of a translated sheet, against search in states of random games.

`python -m benchmarks.games.taught SHEET` learns from more positions, and judges every state.
"""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, GameStatement
from hornbook.planner.translation.folder import write_folder
from hornbook.planner.translation.induction.plays import random_states
from oracles.gdl.own_sheets import BOARDS, SHEETS
from oracles.gdl.taught_games import judged, learned_from_lessons


@pytest.mark.deep
def test_no_answer_of_learned_rules_is_wrong(tmp_path):
    write_folder(SHEETS["noughts_and_crosses"], tmp_path / "noughts")
    of = learned_from_lessons(tmp_path / "noughts", 4, seed=1, most_moves=1)
    assert len(of.lessons) == 4
    states = random_states(of.domain.sheet.game, Random(1), games=30)
    late = list(islice((state for state in states if sum("blank" in term for term in state) < 5), 60))
    found = judged(of, late)
    assert found.states == 60
    assert found.wrong == ()
    assert found.first > found.won_first // 4


def test_equal_words_of_two_sorts_distinguish_replies(tmp_path):
    write_folder(BOARDS["hexapawn"], tmp_path / "hexapawn")
    of = learned_from_lessons(tmp_path / "hexapawn", 12, seed=1)
    heads = [rule.head for rule in of.rules]
    assert [head for head in heads if isinstance(head, GameStatement) and head.value == SECOND_PLAYER_WIN]
