"""Whole matches over HTTP between two players in separate processes, and requests with mistakes meanwhile."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
from random import Random

import pytest

from hornbook.planner.gdl.game import Game
from hornbook.planner.protocol.manager import ManagedMatch, steps_of_match
from hornbook.planner.protocol.requests import move_of
from hornbook.web.requesting import player_at
from oracles.gdl.connect_four import connect_four
from oracles.gdl.own_sheets import SHEETS

NOUGHTS = SHEETS["noughts_and_crosses"].read_text()
TEXTS = {
    name: SHEETS[name].read_text() for name in ("noughts_and_crosses", "nim", "hanoi", "fists", "auction")
}
TEXTS["connect_four"] = connect_four(5, 4)
LONG = 600
"""A clock in seconds that no player exceeds, however busy the machine is."""


def send(address, body, method="POST", headers=None):
    """Return the status, the headers and the text of a response."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=120)
    connection.request(method, "/", body, headers or {})
    with connection.getresponse() as response:
        found = response.status, response.headers, response.read().decode()
    connection.close()
    return found


def reply(address, body):
    status, headers, text = send(address, body)
    assert (status, headers["content-type"]) == (200, "text/acl")
    return text


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_two_players_play_a_whole_match(addresses, name):
    game = Game(TEXTS[name])
    players = [player_at(address) for address in addresses[: len(game.roles)]]
    steps = list(steps_of_match(game, TEXTS[name], players, ManagedMatch(name, LONG, LONG), Random(1)))
    assert [fault for step in steps for fault in step.faults] == []
    assert game.terminal(steps[-1].state)
    assert [reply(address, "(INFO)") for address in addresses] == [
        f"((name {each}) (status available))" for each in ("one", "two")
    ]


def test_mistakes_are_answered_and_the_match_goes_on(addresses):
    address, _ = addresses
    assert reply(address, f"(START m cross ({NOUGHTS}) {LONG} {LONG})") == "ready"
    assert reply(address, "(INFO)") == "((name one) (status busy))"
    game = Game(NOUGHTS)
    assert move_of(reply(address, "(PLAY m NIL)")) in game.legal(game.initial)["cross"]
    for body, status, kind in (
        (b"(PLAY m (pass pass))", 400, "request"),
        (b"(PLAY m (pass))", 400, "request"),
        (b"(PLAY m", 400, "request"),
        (b"", 400, "request"),
        (b"\xff\xfe", 400, "body"),
        (b"(START n cross (" + b"(role x)" * 20_000 + b") 10 10)", 413, "length"),
    ):
        found, headers, text = send(address, body)
        assert (found, json.loads(text)["error"]) == (status, kind)
        assert headers["access-control-allow-origin"] == "*"
    assert send(address, None, "GET")[0] == 405
    assert reply(address, f"(START n cross ({NOUGHTS}) 10 10)") == "busy"
    assert reply(address, "(PLAY n NIL)") == "busy"
    state = game.next(game.initial, {"cross": ("put", "2", "2"), "nought": "pass"})
    assert reply(address, "(PLAY m ((put 2 2) pass))") == "pass"
    state = game.next(state, {"cross": "pass", "nought": ("put", "1", "1")})
    assert move_of(reply(address, "(PLAY m (pass (put 1 1)))")) in game.legal(state)["cross"]
    assert reply(address, "(ABORT m)") == "aborted"


def test_a_slow_body_is_refused_and_other_requests_are_answered(addresses):
    address, _ = addresses
    host, _, port = address.removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port)), timeout=120) as slow:
        slow.sendall(b"POST / HTTP/1.0\r\nHost: x\r\nContent-Length: 6\r\n\r\n(INF")
        assert reply(address, "(INFO)") == "((name one) (status available))"
        received = b""
        while part := slow.recv(10_000):
            received += part
    assert received.startswith(b"HTTP/1.1 408 ")


def test_a_manager_of_http_1_0_is_answered(addresses):
    """GGP Base sends such requests."""
    address, _ = addresses
    host, _, port = address.removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port)), timeout=120) as manager:
        manager.sendall(
            b"POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: 192.0.2.1:9147\r\nSender: GAMESERVER\r\n"
            b"Receiver: one\r\nContent-Type: text/acl\r\nContent-Length: 8\r\n\r\n( INFO )"
        )
        received = b""
        while part := manager.recv(10_000):
            received += part
    assert received.endswith(b"\r\n\r\n((name one) (status available))")
    assert b"content-length: 31\r\n" in received.lower()


def test_a_page_of_another_origin_may_be_a_manager(addresses):
    """The headers are those of GGP Base."""
    address, _ = addresses
    headers = {"Origin": "http://manager.example", "Sec-Fetch-Site": "cross-site"}
    preflight = {**headers, "Access-Control-Request-Method": "POST"}
    status, found, text = send(address, None, "OPTIONS", preflight)
    assert (status, text, found["access-control-allow-origin"]) == (200, "", "*")
    assert "POST" in found["access-control-allow-methods"]
    assert found["access-control-allow-headers"] == "Content-Type"
    assert send(address, "(INFO)", headers=headers)[2] == "((name one) (status available))"


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_a_player_ends_with_its_processes_and_logs_its_matches():
    from tests.app.web.player.conftest import playing

    with playing("--player", "legal") as (process, address, log):
        assert reply(address, f"(START m cross ({NOUGHTS}) {LONG} {LONG})") == "ready"
        assert reply(address, "(PLAY m NIL)") == "(put 1 1)"
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=120) == 0
        lines = []
        while not log.empty():
            lines.append(json.loads(log.get()))
    assert {"level": "info", "event": "the match m begins, as cross"}.items() <= lines[0].items()
