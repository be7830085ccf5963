"""The report of the audit of rules of chess, and its exit code."""

from __future__ import annotations

from chess_rules_run import Tally

from benchmarks.chess_rules import report


def test_conclusions_are_counted_by_game_and_by_rule() -> None:
    total, part = Tally(), Tally(positions=2)
    part.right["take", 3] += 4
    part.fired["take_by_move_is_gi_1"] += 5
    part.wrong.append("8/8/8/8/8/8/8/8 w - - 0 1: take(a1) is IG by take_is_ig_1")
    total.add(part)
    total.add(Tally(positions=1))
    assert report(total).splitlines() == [
        "3 positions, 1 conclusions wrong",
        "game    plies     right",
        "take        3         4",
        "",
        "rule                            conclusions",
        "take_by_move_is_gi_1                      5",
    ]
