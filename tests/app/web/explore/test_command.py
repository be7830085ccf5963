"""`hornbook explore`: the link that it prints, and the clients that it answers."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient

from hornbook.web import serving
from hornbook.web.guarding import HEADERS


@pytest.fixture
def served(run, monkeypatch):
    """Return a function that runs the command until it would serve.

    It returns the application and the printed link.
    """

    def explored(*arguments):
        seen = []

        def serve(app, listening, *, ready):
            seen.append(app)
            ready()
            listening.close()

        monkeypatch.setattr(serving, "serve", serve)
        code, out, err = run("explore", *arguments, "--no-browser")
        assert code == 0, err
        return seen[0], out.splitlines()[0]

    return explored


def test_the_link_has_a_token_that_becomes_a_cookie(served):
    app, link = served("family")
    place = urlsplit(link)
    assert place.hostname == "127.0.0.1"
    root = f"http://{place.netloc}"
    with TestClient(app, base_url=root, follow_redirects=False) as queried:
        assert queried.get("/theory").status_code == 401
        assert queried.get("/theory", params={"token": "guessed"}).status_code == 401
        led = queried.get(f"/theory?token={parse_qs(place.query)['token'][0]}&whole=1")
        assert (led.status_code, led.headers["location"]) == (303, "/theory?whole=1")
        cookie = led.headers["set-cookie"].partition(";")[0]
        reply = queried.get("/theory", headers={"cookie": cookie})
        assert reply.status_code == 200
        assert {name: reply.headers[name] for name in HEADERS} == HEADERS
        assert queried.get("/theory", headers={"cookie": cookie, "host": "evil.example"}).status_code == 421
        assert queried.get("/", headers={"cookie": cookie}).headers["location"] == "theory"
        assert queried.post("/theory", headers={"cookie": cookie}).status_code == 405


def test_a_state_of_the_command_line_is_in_the_link(served, folder):
    (folder / "fork.fen").write_text("r3k3/8/8/3N4/8/8/8/4K3 w q - 0 1", encoding="utf-8")
    _, link = served("chess", "--state", "fork.fen")
    assert parse_qs(urlsplit(link).query)["state"] == ["r3k3/8/8/3N4/8/8/8/4K3 w q - 0 1"]


def test_each_run_has_another_token(served):
    assert served("family")[1].partition("token=")[2] != served("family")[1].partition("token=")[2]


def test_what_cannot_be_opened_is_reported_before_anything_is_served(run, folder):
    assert run("explore", "nothing", "--no-browser")[0] == 1
    assert run("explore", "family", "--rules", "nothing.horn", "--no-browser")[0] == 1
