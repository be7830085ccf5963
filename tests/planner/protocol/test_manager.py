"""The game manager: whole matches, with late, wrong and unreachable players."""

from __future__ import annotations

from random import Random
from threading import Event, Lock

import pytest

from hornbook.planner.gdl.game import Game
from hornbook.planner.players.plain import LegalPlayer, RandomPlayer
from hornbook.planner.players.player import PlayerSetting
from hornbook.planner.protocol.dialogue import DialogueSettings, Reply
from hornbook.planner.protocol.manager import ManagedMatch, StuckGameError, one_line, steps_of_match
from hornbook.planner.protocol.requests import request_of
from oracles.gdl.connect_four import connect_four
from oracles.gdl.own_sheets import SHEETS
from oracles.matches.simulation import Disorder, SimulatedPlayer

ONE = Lock()
"""Simulated players share the games of their rules."""
MATCH = ManagedMatch("m", 60, 60)
TEXTS = {name: path.read_text() for name, path in SHEETS.items()} | {"connect_four": connect_four(4, 4)}


def asking(player=RandomPlayer, name="one"):
    simulated = SimulatedPlayer(
        lambda: player(PlayerSetting()), Random(1), Disorder(), DialogueSettings(name)
    )

    def ask(request, seconds):
        with ONE:
            reply = simulated.ask(request)
        assert isinstance(reply, Reply), reply
        return reply.text

    return ask


def managed(text, *players, match=MATCH):
    return list(steps_of_match(Game(text), text, players, match, Random(1)))


@pytest.mark.parametrize("name", sorted({*TEXTS} - {"stuck"}))
def test_a_match_is_played_to_its_end(name):
    game = Game(TEXTS[name])
    steps = managed(TEXTS[name], *(asking() for _ in game.roles))
    assert [fault for step in steps for fault in step.faults] == []
    state = game.initial
    assert (steps[0].moves, steps[0].state) == ({}, state)
    for step in steps[1:]:
        assert all(move in game.legal(state)[role] for role, move in step.moves.items())
        state = game.next(state, step.moves)
        assert state == step.state
    assert game.terminal(state)


def test_missing_moves_are_random_legal_ones_and_faults():
    never = Event()
    requests = []

    def late(request, seconds):
        requests.append(request)
        if request.startswith("(PLAY"):
            never.wait()
        return "done"

    def unreachable(request, seconds):
        raise ConnectionRefusedError

    text = TEXTS["fists"]
    game = Game(text)
    steps = managed(text, late, unreachable, match=ManagedMatch("m", 60, 0, most_steps=2))
    never.set()
    assert [(fault.step, fault.role, fault.kind) for step in steps for fault in step.faults] == [
        (0, "ben", "unreachable"),
        (1, "ann", "late"),
        (1, "ben", "unreachable"),
        (2, "ann", "late"),
        (2, "ben", "unreachable"),
    ]
    assert all(move in game.legal(game.initial)[role] for role, move in steps[1].moves.items())
    assert [request.split()[0] for request in requests] == ["(START", "(PLAY", "(PLAY", "(STOP"]
    assert request_of(requests[2]).moves == tuple(steps[1].moves.values())
    assert request_of(requests[-1]).moves == tuple(steps[2].moves.values())


@pytest.mark.parametrize(
    "reply", ["pass", "(put 9 9)", "busy", "", ")", "(put 1 1) (put 1 2)", "(put ?x ?y)"]
)
def test_an_illegal_move_is_a_fault_with_the_reply(reply):
    steps = managed(TEXTS["noughts_and_crosses"], lambda *_: reply, asking(LegalPlayer))
    (fault,) = steps[1].faults
    assert (fault.step, fault.role, fault.kind, fault.reply) == (1, "cross", "illegal", reply)


def test_the_players_receive_the_end_if_the_caller_stops():
    requests = []

    def noting(request, seconds):
        requests.append(request)
        return "pass"

    text = TEXTS["noughts_and_crosses"]
    steps = steps_of_match(Game(text), text, [noting, noting], MATCH, Random(1))
    next(steps)
    steps.close()
    assert [request.split()[0] for request in requests] == ["(START", "(START", "(STOP", "(STOP"]


def test_a_game_without_moves_is_reported():
    with pytest.raises(StuckGameError, match="can do nothing"):
        managed(TEXTS["stuck"], asking())


def test_rules_are_sent_in_one_line_without_comments():
    assert one_line("; a game\n(role a) ; one\n\n  (init (b))\n") == "(role a) (init (b))"
    for text in TEXTS.values():
        assert Game(one_line(text)).initial == Game(text).initial
