"""Tests of the theory of Go's conclusions about moves, against a plain simulator.

Nothing is false, nothing is missing, and no frame is too small.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.frames import breaches
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.theories.go import adapter
from hornbook.theories.go.states.board import PLAYERS, GoBoard
from oracles.go.gnugo_client import PROGRAM, GnuGo
from oracles.go.go_positions import COLOURS, positions
from oracles.go.plain_go import legal_moves, play, play_pass
from oracles.go.transition_run import RELATIONS, TransitionTally, run

FRAMES = load("moves").frames
CASES = [(frame, number) for frame in range(len(FRAMES)) for number in range(len(FRAMES[frame].cases))]
EXAMPLES = Path(adapter.__file__).parent / "examples"
BOARDS = [
    adapter.read((EXAMPLES / name).read_text(encoding="utf-8"), name)
    for name in ("before_ko.txt", "ko.sgf", "two_blocks.txt", "snapback.txt", "flowers.txt")
]


@cache
def base() -> KnowledgeBase:
    return KnowledgeBase("go", derivations="none")


# The simulator


@pytest.mark.judges
@pytest.mark.skipif(PROGRAM is None, reason="GNU Go is not installed")
def test_the_plain_simulator_plays_as_gnugo_does():
    bans = taken = 0
    with GnuGo() as engine:
        for position in positions(engine, 31, 30):
            board = adapter.read(position.sgf, "a game")
            player = board.to_play
            legal = {board.name(point) for who, point in legal_moves(board) if who == player}
            assert legal == position.legal[player]
            for name in sorted(legal)[:4]:
                after = play(board, player, board.point(name))
                engine.play(player, name)
                for colour in COLOURS:
                    stones = {after.name(point) for point in after.points() if after.colours[point] == colour}
                    assert stones == engine.stones(colour)
                    assert {after.name(p) for who, p in legal_moves(after) if who == colour} == engine.legal(
                        colour
                    )
                engine.ask("undo")
                bans += after.ko is not None
                taken += after.colours.count("empty") >= board.colours.count("empty")
    assert (bans > 0, taken > 5) == (True, True)


# Sound and complete


def hold(tally: TransitionTally) -> None:
    assert tally.false == []
    assert +tally.missing == {}
    assert tally.not_framed == []
    assert tally.disputed == []
    assert set(tally.true) == set(RELATIONS)


@pytest.mark.parametrize("chunk", range(4))
def test_all_that_is_true_after_a_move_is_derived_and_nothing_else(chunk):
    """The test uses small boards, on which many moves capture or join several blocks."""
    tally = run(base(), f"small {chunk}", 25, range(5, 10))
    hold(tally)
    kinds = " ".join(tally.kinds)
    expected = ["illegal", "pass", *(f"joins {number}" for number in range(3))]
    assert [kind for kind in expected if kind not in kinds] == []
    assert "takes 1" in kinds or "takes 2" in kinds


def test_the_same_holds_on_large_boards():
    hold(run(base(), "large", 2, range(15, 20)))


def test_a_rule_that_does_not_ask_whether_the_move_is_legal_is_found_out():
    wrong = KnowledgeBase("go", derivations="none")
    wrong.add_text("after colour(?p, ?c) :- move(?c, ?p), before colour(?p, empty).")
    assert run(wrong, "small 0", 20, range(5, 7)).false != []


@pytest.mark.deep
def test_a_rule_that_is_missing_is_named_by_what_is_not_derived():
    theory = load("go")
    rules = tuple(rule for rule in theory.rules if rule.name != "contacts_with_two")
    tally = run(KnowledgeBase(replace(theory, rules=rules), derivations="none"), "small 0", 60, range(5, 10))
    assert tally.false == []
    missing = {relation for relation, _ in +tally.missing}
    assert missing == {"contacts"}
    assert all("joins 1" in kind or "joins 2" in kind for _, kind in +tally.missing)


# Frames


def test_every_fluent_has_a_frame():
    fluents = {name for name, p in base().theory.vocabulary.predicates.items() if p.kind == "fluent"}
    assert {frame.fluent.predicate for frame in FRAMES} == fluents


@cache
def changes() -> list[tuple[GoBoard, GroundFact, list[GroundFact]]]:
    """Return positions and actions that change facts of every kind, with the resulting facts."""
    found = []
    for board in BOARDS:
        for player in PLAYERS:
            found.append((board, GroundFact("pass", (player,)), play_pass(board, player)))
            for point in board.points():
                after = play(board, player, point)
                if after is not None:
                    found.append((board, GroundFact("move", (player, board.name(point))), after))
    return [(board, action, list(adapter.facts(after))) for board, action, after in found]


@pytest.mark.parametrize(("frame", "case"), CASES, ids=str)
def test_a_frame_with_a_case_left_out_is_caught(frame, case):
    """Each case is needed, and the audit detects a frame that is too small."""
    declared = FRAMES[frame]
    small = replace(declared, cases=tuple(c for number, c in enumerate(declared.cases) if number != case))
    theory = replace(load("go"), frames=(small,))
    audited = KnowledgeBase(theory, derivations="none")
    found = []
    for board, action, after in changes():
        audited.push()
        audited.add([*adapter.facts(board), action])
        found += breaches(audited, after)
        audited.pop()
        if found:
            break
    assert {breach.fact.relation for breach in found} == {declared.fluent.predicate}
    assert str(found[0]).startswith(f"{declared.fluent.span}: the frame does not allow a change of `")
