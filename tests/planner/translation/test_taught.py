"""Rules learned from twelve positions of a translated sheet, held against exhaustive search."""

from __future__ import annotations

from hornbook.planner.translation.folder import write_folder
from oracles.gdl.own_sheets import SHEETS
from oracles.gdl.taught_games import all_states, judged, taught


def test_no_answer_of_rules_from_twelve_positions_is_wrong(tmp_path):
    write_folder(SHEETS["noughts_and_crosses"], tmp_path / "noughts")
    of = taught(tmp_path / "noughts", 12, seed=1, most_moves=1)
    assert len(of.lessons) == 12
    states = all_states(of.domain)
    assert len(states) == 5478
    found = judged(of, states[::40])
    assert found.wrong == ()
    assert found.first > found.won_first // 2
