"""Access control: the Host header, tokens in headers, links and cookies, and the headers of every answer."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from hornbook.web.guarding import HEADERS, Guard, names_of
from hornbook.web.tokens import TokenError, Tokens, made_token, read_tokens

TOKEN = "qrb0nUQWsS3fWHzBMmCufJAMYYPzf9kF"
"""A token in the format of `made_token`. It is constant, because test names contain it in every process."""


async def client(request: Request) -> JSONResponse:
    return JSONResponse({"client": getattr(request.state, "client", None)})


def asking(host="127.0.0.1:8000", **named) -> TestClient:
    names = names_of("127.0.0.1", named.pop("others", ()))
    guard = Guard(Starlette(routes=[Route("/{path:path}", client)]), names, **named)
    return TestClient(guard, base_url=f"http://{host}", follow_redirects=False)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:80", "localhost:9", "LOCALHOST", "[::1]", "[::1]:8", "[0:0:0:0:0:0:0:1]:8"],
)
def test_this_machine_has_several_names(host):
    assert asking().get("/", headers={"host": host}).status_code == 200


def test_who_listens_at_every_address_is_queried_from_this_machine_too():
    assert names_of("0.0.0.0") >= {"0.0.0.0", "127.0.0.1", "localhost"}
    assert "evil.example" not in names_of("::")
    assert names_of("192.0.2.1") == {"192.0.2.1"}


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "evil.example:8000",
        "",
        "localhost:x",
        "127.0.0.1:80@evil.example",
        "::1",
        "[::1",
        "[::2]",
        "[::1%eth0]",
        "[127.0.0.1]",
        "[localhost]",
        "[::1]evil.example",
    ],
)
def test_who_names_another_host_is_not_answered(host):
    reply = asking().get("/", headers={"host": host})
    assert reply.status_code == 421
    assert reply.json()["error"] == "host"


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("[::1]:8000", "http://[::1]:8000", 200),
        ("[::1]", "http://[::1]", 200),
        ("[::1]:80", "http://[::1]", 200),
        ("[::1]:8000", "http://[::1]:8001", 403),
        ("[::1]:8000", "http://[::2]:8000", 403),
        ("[::1]:8000", "http://127.0.0.1:8000", 403),
        ("[::1]", "http://::1", 403),
    ],
)
def test_an_origin_of_ipv6_is_compared_with_its_host(host, origin, status):
    reply = asking().get("/", headers={"host": host, "origin": origin})
    assert reply.status_code == status


def test_an_allowed_address_of_ipv6_has_one_spelling():
    assert names_of("2001:DB8:0::1", ["[2001:db8::0:2]"]) == {"2001:db8::1", "2001:db8::2"}


def test_another_name_may_be_allowed():
    assert asking(others=["kb.firm.example"]).get("/", headers={"host": "kb.firm.example"}).status_code == 200


def test_every_answer_has_the_headers_that_keep_it_here():
    for host in ("localhost", "evil.example"):
        reply = asking().get("/", headers={"host": host})
        assert {name: reply.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize(
    "given",
    [
        None,
        "",
        "Bearer",
        f"Basic {TOKEN}",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN}x",
        "Bearer \xff",
        "Bearer " + "x" * 5000,
    ],
)
def test_who_shows_no_token_is_not_answered(given):
    headers = {} if given is None else {"authorization": given.encode("latin-1")}
    reply = asking(tokens=Tokens.of({"shop": TOKEN})).get("/", headers=headers)
    assert reply.status_code == 401
    assert reply.headers["www-authenticate"] == "Bearer"
    assert reply.json()["error"] == "token"


def test_a_token_says_who_asks():
    tokens = Tokens.of({"shop": TOKEN, "office": made_token()})
    for kind in ("Bearer", "bearer"):
        reply = asking(tokens=tokens).get("/", headers={"authorization": f"{kind} {TOKEN}"})
        assert reply.json() == {"client": "shop"}


def test_open_paths_need_no_token():
    queried = asking(tokens=Tokens.of({"shop": TOKEN}), open_paths=frozenset(["/healthz"]))
    assert [queried.get(path).status_code for path in ("/healthz", "/healthz/x", "/")] == [200, 401, 401]


def test_a_link_with_a_token_leads_to_the_page_without_it():
    queried = asking(tokens=Tokens.of({"me": TOKEN}), in_link=True)
    reply = queried.get(f"http://127.0.0.1:8000//evil.example/x?view=1&token={TOKEN}&empty=")
    assert reply.status_code == 303
    assert reply.headers["location"] == "/evil.example/x?view=1&empty="
    assert "HttpOnly" in reply.headers["set-cookie"]
    assert "samesite=strict" in reply.headers["set-cookie"].lower()
    assert queried.get("/x").json() == {"client": "me"}  # authorised by the cookie


def test_a_link_counts_only_where_links_have_tokens():
    assert asking(tokens=Tokens.of({"me": TOKEN})).get(f"/?token={TOKEN}").status_code == 401
    queried = asking(tokens=Tokens.of({"me": TOKEN}), in_link=True)
    reply = queried.get(f"/?token={TOKEN}x")
    assert reply.status_code == 401
    assert "open the link that the command printed" in reply.json()["message"]
    assert queried.post(f"/?token={TOKEN}").status_code == 401


def written(folder, text, mode=0o600):
    file = folder / "tokens"
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    return file


def test_tokens_are_read_from_a_file(tmp_path):
    tokens = read_tokens(written(tmp_path, f"# ours\n\nshop {TOKEN}\n  office\t{TOKEN[::-1]} \n"))
    found = [tokens.client_of(each) for each in (TOKEN, TOKEN[::-1], "", TOKEN[1:])]
    assert [each and each.name for each in found] == ["shop", "office", None, None]
    assert TOKEN not in repr(tokens)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (f"{TOKEN}\n", ":1:1: a line must have the name of a client, its token and its roles"),
        (f"a {TOKEN}\nshop secret\n", ":2:6: the token is so short that it could be guessed"),
        (f"a {TOKEN}\na {TOKEN}\n", ":2:1: `a` has a token already"),
        (f"a {TOKEN}\nb {TOKEN}\n", ":2:1: `b` has the token of another client"),
        (f"a {TOKEN} query,write\n", ":1:36: roles are `query`, `update` and `reload`"),
        (
            f"a {TOKEN} query, update\n",
            ":1:1: a line must have the name of a client, its token and its roles",
        ),
        (f"a {TOKEN} ,\n", ":1:36: roles are"),
        ("# none\n", ":1:1: the file has no token"),
    ],
)
def test_a_file_that_has_no_tokens_says_where(tmp_path, text, messages):
    with pytest.raises(TokenError) as found:
        read_tokens(written(tmp_path, text))
    assert messages in str(found.value)
    assert TOKEN not in str(found.value)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_file_that_others_may_read_is_refused(tmp_path, mode):
    with pytest.raises(TokenError, match="chmod 600"):
        read_tokens(written(tmp_path, f"shop {TOKEN}\n", mode))


def test_roles_of_a_token_are_read(tmp_path):
    other, third = TOKEN[::-1], TOKEN.swapcase()
    tokens = read_tokens(written(tmp_path, f"a {TOKEN}\nb {other} update\nc {third} reload,query\n"))
    roles = [tokens.client_of(token).roles for token in (TOKEN, other, third)]
    assert roles == [{"query"}, {"update"}, {"query", "reload"}]


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:8000", 200),
        ("https://127.0.0.1:8000", 200),
        ("HTTP://127.0.0.1:8000", 200),
        ("http://127.0.0.1", 403),
        ("http://127.0.0.1:9000", 403),
        ("http://localhost:8000", 403),
        ("http://evil.example", 403),
        ("http://evil.example#127.0.0.1:8000", 403),
        ("null", 403),
        ("", 403),
        ("file://", 403),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_only_pages_of_the_server_itself_may_ask(origin, status, method):
    queried = asking("127.0.0.1:8000")
    reply = queried.request(method, "/", headers={"origin": origin})
    assert reply.status_code == (status if method == "GET" or status == 403 else 405)
    if status == 403:
        assert reply.json()["error"] == "origin"


def test_an_origin_behind_a_proxy_has_the_default_port():
    queried = asking(others=["kb.firm.example"])
    headers = {"host": "kb.firm.example", "origin": "https://kb.firm.example"}
    assert queried.get("/", headers=headers).status_code == 200
    headers["host"] += ":443"
    assert queried.get("/", headers=headers).status_code == 200


def test_a_second_origin_is_not_overlooked():
    headers = [("origin", "http://evil.example"), ("origin", "http://127.0.0.1:8000")]
    assert asking().get("/", headers=headers).status_code == 403


@pytest.mark.parametrize(
    ("site", "get", "post"),
    [("same-origin", 200, 405), ("none", 200, 405), ("cross-site", 200, 403), ("same-site", 200, 403)],
)
def test_a_page_of_another_site_may_only_lead_here(site, get, post):
    headers = {"sec-fetch-site": site}
    assert [asking().request(each, "/", headers=headers).status_code for each in ("GET", "POST")] == [
        get,
        post,
    ]


def test_a_long_header_is_refused_exactly():
    queried = asking(header_bytes=1000)
    assert queried.get("/?" + "x" * 500).status_code == 200
    for reply in (queried.get("/?" + "x" * 1000), queried.get("/", headers={"a": "x" * 1000})):
        assert (reply.status_code, reply.json()["error"]) == (431, "header")


@pytest.mark.parametrize("tokens", [(TOKEN, "x" * 20), ("x" * 20, TOKEN), (TOKEN, TOKEN)])
def test_several_authorization_headers_show_no_token(tokens):
    queried = asking(tokens=Tokens.of({"shop": TOKEN}))
    reply = queried.get("/", headers=[("authorization", f"Bearer {token}") for token in tokens])
    assert reply.status_code == 401
    assert queried.get("/", headers=[("authorization", f"Bearer {TOKEN}")]).status_code == 200


def test_a_request_with_two_lengths_is_refused_and_its_connection_closed():
    reply = asking().get("/", headers={"content-length": "4", "transfer-encoding": "chunked"})
    assert (reply.status_code, reply.json()["error"]) == (400, "http")
    assert reply.headers["connection"] == "close"
