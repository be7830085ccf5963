"""Hostile words on every page: in facts, file names, examples, states, and in the links themselves."""

from __future__ import annotations

import unicodedata
from html.parser import HTMLParser
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from hornbook.kb.text.escaping import visible
from hornbook.web.explore.app import application
from hornbook.web.explore.explored import ExploredTheory

EVIL = '<script>alert(1)</script>\x1b]0;x\x07"onload=&\u202e</pre></textarea></svg>-->{{ 7*7 }}'
WORD = "'" + EVIL + "'"
THEORY = f"""
theory hostile.
sort thing. sort kind.
static is_a(thing, kind). derived fine(thing). derived odd(thing).
fluent here(thing). action take(thing).
fine_by_its_kind: fine(?x) :- is_a(?x, {WORD}), ?x != {WORD}.
odd_one: odd(?x) :- fine(?x), is_a(?x, plain).
gone: after here(?y) :- take(?x), before here(?y), ?x != ?y, is_a(?y, {WORD}).
example one: is_a(a, {WORD}), here(a), here({WORD}).
is_a(b, {WORD}). here(b). here({WORD}).
"""


class Read(HTMLParser):
    """The tags and attributes that a browser finds."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.names: set[str] = set()
        self.said: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.names |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.said.append(data)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> TestClient:
    file = tmp_path_factory.mktemp("hostile") / f"{EVIL.replace('/', '')}.horn"
    file.write_text(THEORY, encoding="utf-8")
    return TestClient(application(ExploredTheory(str(file))), follow_redirects=False)


QUERIED = [
    ("theory", {}), ("theory", {"whole": "1"}), ("predicate", {"name": "fine"}), ("predicate", {"name": EVIL}), ("source", {}),
    ("source", {"file": EVIL}), ("ask", {"query": "is_a(?x, ?k)"}), ("ask", {"query": EVIL}), ("ask", {"query": f"is_a({WORD}, ?x)"}),
    ("ask", {"why": "fine(b)"}), ("ask", {"whynot": f"odd({WORD})"}), ("ask", {"whynot": "odd(b)"}), ("ask", {"why": EVIL, "open": EVIL}),
    ("ask", {"query": "here(?x)", "from": EVIL, "example": "one", "suppose": f"take({WORD})"}), ("ask", {"suppose": EVIL}),
    ("state", {"example": "one"}), ("state", {"example": EVIL}), ("state", {"state": EVIL}), ("state", {"act": f"take({WORD})"}),
    ("state", {"act": EVIL, "at": EVIL, "answer": EVIL}), ("rules", {}), ("rule", {"name": EVIL}), ("play", {"moves": EVIL, "start": EVIL}),
    ("strategy", {"state": EVIL}), ("timings", {}), ("timings", {"state": EVIL}), (f"x{EVIL}", {}),
]  # fmt: skip


@pytest.mark.parametrize(("page", "queried"), QUERIED, ids=lambda each: str(len(str(each))))
def test_what_others_wrote_is_shown_and_never_obeyed(page, queried, hostile):
    reply = hostile.get(f"/{quote(page)}", params=queried)
    assert reply.status_code in (200, 404, 422), reply.text
    read = Read(reply.text)
    assert read.tags.count("script") == 1
    assert not {name for name in read.names if name.startswith("on") or name == "style"}
    assert not [c for c in reply.text if unicodedata.category(c) in ("Cc", "Cf") and c not in "\n\t"]


def test_the_word_is_there_to_be_read(hostile):
    for page in ("ask?query=is_a(?x,?k)", "source", "state?example=one"):
        output = "".join(Read(hostile.get(f"/{page}").text).said)
        assert visible(EVIL)[:40] in output
        assert "{{ 7*7 }}" in output  # no template is evaluated
