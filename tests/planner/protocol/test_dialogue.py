"""The dialogue of a player with game managers, in simulated time."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.planner.players.plain import LegalPlayer
from hornbook.planner.players.player import PlayerSetting
from hornbook.planner.protocol.dialogue import DialogueSettings, Lost, Refusal, Reply
from oracles.gdl.own_sheets import SHEETS
from oracles.matches.mutated_dialogues import DialogueCounts, check_dialogue
from oracles.matches.simulation import Disorder, SimulatedPlayer

NOUGHTS = SHEETS["noughts_and_crosses"].read_text()
START = f"(START m cross ({NOUGHTS}) 30 10)"
FIRST = "(put 1 1)"
"""The first legal move of cross."""
NOT_FIRST = "(put 3 3)"


class LastPlayer(LegalPlayer):
    """A player of the last legal move, which differs from the fallback."""

    def __init__(self):
        super().__init__(PlayerSetting())

    def play(self, state, seconds):
        return self._legal(state)[-1]


def simulated(player=LastPlayer, disorder=None, settings=None):
    return SimulatedPlayer(player, Random(1), disorder or Disorder(), settings or DialogueSettings("me"))


def texts(player, *requests):
    return [getattr(player.ask(each), "text", "refused") for each in requests]


def test_a_match_has_the_replies_of_the_protocol():
    assert texts(
        simulated(),
        "(INFO)",
        START,
        "(INFO)",
        "(PLAY m NIL)",
        "(PLAY m ((put 2 2) pass))",
        "(PLAY m (pass (put 1 1)))",
        "(STOP m ((put 1 2) pass))",
        "(INFO)",
    ) == [
        "((name me) (status available))",
        "ready",
        "((name me) (status busy))",
        NOT_FIRST,
        "pass",
        NOT_FIRST,
        "done",
        "((name me) (status available))",
    ]


def test_another_manager_finds_the_player_busy():
    assert texts(
        simulated(),
        "(PLAY m NIL)",
        "(STOP m NIL)",
        "(ABORT m)",
        START,
        "(START other cross ((role cross)) 10 10)",
        f"(PREVIEW ({NOUGHTS}) 10)",
        "(PLAY other NIL)",
        "(STOP M NIL)",
        "(ABORT other)",
        "(PLAY m NIL)",
        "(ABORT m)",
        "(PLAY m NIL)",
    ) == ["busy", "busy", "busy", "ready", *["busy"] * 5, NOT_FIRST, "aborted", "busy"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("(PLAY m (pass pass))", "cross may not do `pass`"),
        ("(PLAY m ((put 1 1)))", "1 moves"),
        ("(PLAY m", "does not end"),
        ("", "begins with one of"),
        ("(START m cross (" + NOUGHTS, "a clock is missing"),
    ],
)
def test_a_wrong_request_leaves_the_match_as_it_was(wrong, message):
    player = simulated()
    assert texts(player, START, "(PLAY m NIL)") == ["ready", NOT_FIRST]
    refused = player.ask(wrong)
    assert isinstance(refused, Refusal)
    assert message in refused.message
    assert texts(player, "(PLAY m ((put 3 3) pass))", "(PLAY m (pass (put 3 2)))") == ["pass", "(put 3 1)"]


def test_wrong_rules_begin_no_match():
    player = simulated()
    assert isinstance(player.ask("(START m cross ((role cross) (<= (legal cross ?x))) 10 10)"), Refusal)
    assert isinstance(player.ask(START.replace("cross", "third", 1)), Refusal)
    assert isinstance(player.ask("(PREVIEW ((role) 10)"), Refusal)
    assert texts(player, f"(PREVIEW ({NOUGHTS}) 10)", START) == ["ready", "ready"]


def test_a_late_player_is_replaced_by_a_legal_move_in_time():
    player = simulated(disorder=Disorder(thinker_delay=1e6), settings=DialogueSettings(margin=2.0))
    assert texts(player, START) == ["ready"]
    assert player.time == 100.0 + 30.0 - 1.0
    assert texts(player, "(PLAY m NIL)") == [FIRST]
    assert player.time == 129.0 + 10.0 - 1.0
    assert texts(player, "(PLAY m ((put 1 1) pass))", "(STOP m NIL)") == ["pass", "done"]
    assert "the player was late" in player.notes


def test_the_margin_is_at_most_half_of_the_clock():
    player = simulated(disorder=Disorder(thinker_delay=1e6), settings=DialogueSettings(margin=100.0))
    player.ask(START)
    began = player.time
    assert texts(player, "(PLAY m NIL)") == [FIRST]
    assert player.time == began + 7.5


def test_a_player_that_was_late_thinks_about_the_newest_state():
    sent = []

    class Noting(LastPlayer):
        def play(self, state, seconds):
            sent.append((len(state), round(seconds, 6)))
            return super().play(state, seconds)

    player = simulated(Noting, settings=DialogueSettings(patience=1e9))
    player.ask(START)
    player.disorder = Disorder(thinker_delay=1e6)
    assert texts(player, "(PLAY m NIL)") == [FIRST]
    player.disorder = Disorder()
    process = player._processes["thinker"]
    assert process.free_at > player.time + 10
    late = player.send("(PLAY m ((put 1 1) pass))")
    while late not in player.replies:
        player.advance()
    assert player.replies[late] == Reply(late, "pass")
    assert len(sent) == 1  # the second state did not reach the busy player
    player.advance(1e7)
    assert texts(player, "(PLAY m (pass (put 3 3)))") == ["(put 3 2)"]
    assert sent[1:] == [(10, 9.0)]


@pytest.mark.parametrize("fault", [ZeroDivisionError("no"), "no_such_move", ("put", "9", "9")])
def test_a_failing_player_is_replaced_by_a_legal_move(fault):
    class Failing(LastPlayer):
        def play(self, state, seconds):
            if isinstance(fault, Exception):
                raise fault
            return fault

    player = simulated(Failing)
    assert texts(player, START, "(PLAY m NIL)", "(PLAY m ((put 2 2) pass))") == ["ready", FIRST, "pass"]
    assert player.time == 100.0
    assert any("the player failed" in note or "an illegal move" in note for note in player.notes)


def test_a_player_that_fails_at_the_start_plays_legal_moves():
    class Failing(LastPlayer):
        def start(self, game, role, seconds):
            raise MemoryError

    player = simulated(Failing)
    assert texts(player, START, "(PLAY m NIL)") == ["ready", FIRST]
    assert "the player failed: MemoryError: " in player.notes


def test_a_lost_player_is_started_again():
    player = simulated()
    player.ask(START)
    player.disorder = Disorder(thinker_loss=1.0)
    assert texts(player, "(PLAY m NIL)") == [FIRST]
    player.disorder = Disorder()
    player.settle()
    assert texts(player, "(PLAY m ((put 1 1) pass))", "(PLAY m (pass (put 1 2)))") == ["pass", NOT_FIRST]


def test_a_player_that_is_lost_again_and_again_plays_legal_moves():
    player = simulated(disorder=Disorder(thinker_loss=1.0))
    assert texts(player, START) == ["ready"]
    player.settle()
    assert any("not started again" in note for note in player.notes)
    player.disorder = Disorder()
    assert texts(player, "(PLAY m NIL)", "(ABORT m)", START, "(PLAY m NIL)") == [
        FIRST,
        "aborted",
        "ready",
        NOT_FIRST,
    ]


def test_without_the_referee_the_match_is_given_up():
    player = simulated()
    assert texts(player, START, "(PLAY m NIL)") == ["ready", NOT_FIRST]
    player._happen(Lost("referee"))
    assert texts(player, "(PLAY m ((put 3 3) pass))", START, "(PLAY m NIL)") == ["busy", "ready", NOT_FIRST]


def test_rules_that_take_too_long_begin_no_match():
    player = simulated(disorder=Disorder(referee_delay=1e6))
    assert texts(player, START) == ["busy"]
    assert player.time == 129.5
    player.disorder = Disorder()
    assert texts(player, "(INFO)", START) == ["((name me) (status available))", "ready"]


def test_a_match_without_requests_is_abandoned():
    player = simulated(settings=DialogueSettings(patience=60.0))
    assert texts(player, START) == ["ready"]
    player.time += 80.0
    assert texts(player, "(PLAY m NIL)") == [NOT_FIRST]
    player.time += 91.0
    assert texts(player, START.replace("m", "n", 1), "(PLAY m NIL)", "(PLAY n NIL)") != []
    assert "the match m is abandoned: no request came for it" in player.notes


def test_a_second_request_finds_the_first_one_pending():
    player = simulated(disorder=Disorder(0.001, 5.0))
    player.ask(START)
    first, second = player.send("(PLAY m NIL)"), player.send("(PLAY m NIL)")
    assert player.replies[second] == Reply(second, "busy")
    stopped = player.send("(STOP m NIL)")
    assert player.replies[stopped] == Reply(stopped, "done")
    assert player.replies[first] == Reply(first, "nil")


def test_a_player_that_does_not_stop_is_replaced_before_the_next_match():
    player = simulated(disorder=Disorder(thinker_delay=1e6))
    assert texts(player, START, "(ABORT m)") == ["ready", "aborted"]
    player.disorder = Disorder()
    assert texts(player, START, "(PLAY m NIL)") == ["ready", NOT_FIRST]


@pytest.mark.parametrize("part", range(4))
def test_mutated_dialogues_have_one_reply_to_each_request(part):
    counts = DialogueCounts()
    for number in range(100):
        check_dialogue(Random(f"tests/{part}/{number}"), counts)
    assert counts.dialogues == 100
    assert {"ready", "busy", "refused", "move", "done", "aborted", "info"} <= {*counts.replies}
