"""The pages of a theory, as a browser without scripts shows them."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient

from hornbook.api.learned_rules import LearnedRules
from hornbook.cli import main
from hornbook.web.explore.app import application
from hornbook.web.explore.explored import ExploredTheory
from hornbook.web.explore.rendering import PAGES
from oracles.browser.chromium import axe_source, chromium, has_chromium, violations

ATARI = "to play: black\n. . . . .\n. . X . .\n. X O . .\n. . X . .\n. . . . .\n"
FORK = "r3k3/8/8/3N4/8/8/8/4K3 w q - 0 1"


class Page(HTMLParser):
    """A parsed page: its elements in order, each with its attributes and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.open: list[int] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs), []))
        if tag not in ("meta", "link", "input", "br"):
            self.open.append(len(self.found) - 1)

    def handle_endtag(self, tag):
        # Every element is closed in the right order.
        assert self.found[self.open.pop()][0] == tag

    def handle_data(self, data):
        for each in self.open:
            self.found[each][2].append(data)

    def all(self, tag: str, **attributes: str) -> list[tuple[str, dict[str, str | None]]]:
        return [
            ("".join(text).strip(), has)
            for name, has, text in self.found
            if name == tag and all(has.get(key) == value for key, value in attributes.items())
        ]

    @property
    def text(self) -> str:
        return "".join(self.found[0][2])


def client(theory: str, **given) -> TestClient:
    return TestClient(application(ExploredTheory(theory, **given)), follow_redirects=False)


@pytest.fixture(scope="module")
def family() -> TestClient:
    return client("family")


@pytest.fixture(scope="module")
def chess() -> TestClient:
    return client("chess")


@pytest.fixture(scope="module")
def go() -> TestClient:
    return client("go")


@pytest.fixture(scope="module")
def cup(tmp_path_factory) -> TestClient:
    place = tmp_path_factory.mktemp("rules") / "learned.horn"
    import hornbook

    hornbook.learn("cup").rules.save(place)
    return client("cup", rules=place)


def read(queried: TestClient, page: str, status: int = 200, **query: str) -> Page:
    reply = queried.get(f"/{page}", params=query)
    assert reply.status_code == status, reply.text
    return Page(reply.text)


def links(page: Page, to: str) -> list[dict[str, str]]:
    """Return the parameters of the links to a page."""
    queried = [urlsplit(str(has["href"])) for _, has in page.all("a") if has.get("href")]
    message = ({k: v[0] for k, v in parse_qs(each.query).items()} for each in queried if each.path == to)
    return [each for each in message if each]


@pytest.mark.parametrize("name", [*PAGES, "predicate", "source", "strategy"])
def test_every_page_has_a_language_a_title_one_heading_and_what_keyboards_and_readers_need(name, family):
    page = read(family, name, 422 if name == "strategy" else 404 if name == "predicate" else 200)
    assert page.all("html", lang="en")
    assert len(page.all("h1")) == len(page.all("main")) == len(page.all("title")) == 1
    assert page.all("h1")[0][0]
    assert page.all("a")[0][1]["href"] == "#content"  # skips the links that every page has
    assert page.all("p", role="status")
    assert {has["href"] for _, has in page.all("a")} >= {*PAGES} - {"play"}
    for tag in ("input", "textarea", "select"):
        for _, has in page.all(tag):
            assert (
                has.get("type") == "hidden" or page.all("label", **{"for": has["id"]}) or has["id"] == "find"
            )
    assert len(page.all("table")) == len(page.all("caption"))
    ids = [has["id"] for _, has, _ in page.found if "id" in has]
    assert len(ids) == len(set(ids))


def test_pages_lead_to_a_game_only_where_there_is_one(family, chess, cup):
    def led_to(queried: TestClient) -> list[str]:
        return [message for message, has in read(queried, "theory").all("a") if has.get("href") in PAGES]

    assert "Play" in led_to(chess)
    assert "Play" not in led_to(family)
    assert "Timings" in led_to(family)
    # A page without its own navigation entry marks the entry that it belongs to.
    for queried, name, called in ((family, "source", "Theory"), (cup, "rule", "Learned rules")):
        assert (
            read(queried, name, **({"name": "cup_1"} if name == "rule" else {})).all(
                "a", **{"aria-current": "true"}
            )[0][0]
            == called
        )


def test_no_page_needs_anything_from_elsewhere_or_has_a_script_or_a_style_inside(family, chess):
    for queried, path in (
        (family, "/theory"),
        (family, "/ask?query=ancestor(ada,?x)&why=ancestor(ada,cleo)&whynot=ancestor(cleo,ada)"),
        (chess, f"/state?state={FORK}"),
    ):
        page = Page(queried.get(path).text)
        assert [has for _, has in page.all("script")] == [{"src": "static/explore.js", "defer": None}]
        assert not page.all("style")
        for tag, has, _ in page.found:
            assert not [name for name in has if name.startswith("on") or name == "style"], tag
            for name in ("href", "src", "action"):
                assert not urlsplit(has.get(name) or "").netloc
    for name in ("explore.css", "explore.js"):
        text = family.get(f"/static/{name}").text
        assert not re.search(r"https?:|@import|//[a-z]", text.replace("// ", ""))


def test_the_graph_of_a_theory_leads_to_what_is_reported_of_each_predicate_and_to_each_rule(family):
    page = read(family, "theory")
    assert {each["name"] for each in links(page, "predicate")} == {
        "parent", "grandparent", "great_grandparent", "sibling", "cousin", "ancestor",
    }  # fmt: skip
    named = read(family, "predicate", name="ancestor")
    assert "so_are_their_ancestors" in named.text
    assert {each["query"] for each in links(named, "ask")} == {"ancestor(?person_1, ?person_2)"}
    source = links(named, "source")[0]["file"]
    lines = read(family, "source", file=source).all("li")
    text = family.app.state.explored.theory.sources[source]
    assert [message for message, has in lines if "id" in has] == [line.strip() for line in text.splitlines()]


def test_the_graph_of_a_large_theory_is_drawn_when_it_is_queried_for(chess):
    legal = read(chess, "predicate", name="legal")
    assert not legal.all("svg")
    drawn = [each for each in links(legal, "predicate") if "whole" in each]
    assert drawn == [{"name": "legal", "whole": "1"}]
    assert read(chess, "predicate", **drawn[0]).all("svg")
    assert read(chess, "predicate", name="next", graph="below").all("svg")
    # A graph of a thousand boxes is not drawn: it would be slow and unreadable.
    whole = read(chess, "theory", whole="1")
    assert not whole.all("svg")
    assert {"whole": "1"} not in links(whole, "theory")


def test_no_file_but_those_of_the_theory_is_shown(family):
    for file in ("/etc/passwd", "../pyproject.toml", "pyproject.toml"):
        read(family, "source", 404, file=file)
    assert family.get("/static/../app.py").status_code == 404


def test_answers_are_a_table_with_a_proof_for_each(family):
    page = read(family, "ask", query="ancestor(ada, ?who)")
    assert page.all("caption")[0][0] == "3 answers"
    assert [each["why"] for each in links(page, "ask") if "why" in each] == [
        "ancestor(ada, ben)", "ancestor(ada, cleo)", "ancestor(ada, dan)",
    ]  # fmt: skip
    assert read(family, "ask", query="ancestor(ada, cleo)").all("p", **{"class": "verdict"})[0][0] == "yes"


def test_pages_show_files_as_they_are_now(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("tables").mkdir()
    Path("tables/p.csv").write_text("int\n1\n", encoding="utf-8")
    right = "theory plain.\nstatic p(int).\nderived q(int).\nq(?n) :- p(?n).\n"
    Path("plain.horn").write_text(right, encoding="utf-8")
    plain = client("plain.horn", tables=["tables"])
    assert read(plain, "ask", query="q(?n)").all("td")[0][0] == "1"
    Path("tables/p.csv").write_text("int\n22\n", encoding="utf-8")
    assert read(plain, "ask", query="q(?n)").all("td")[0][0] == "22"
    Path("plain.horn").write_text(right.replace("p(?n).", "pp(?n)."), encoding="utf-8")
    wrong = read(plain, "ask", 422, query="q(?n)")
    assert "plain.horn, line 4, column 10" in wrong.text
    Path("plain.horn").write_text(right.replace("p(?n).", "p(?n), ?n < 9."), encoding="utf-8")
    assert "no answers" in read(plain, "ask", query="q(?n)").text


def test_a_page_shows_a_file_edited_under_its_old_time_and_size(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = Path("plain.horn")
    file.write_text("theory plain.\nstatic p(int).\np(1).\n", encoding="utf-8")
    plain = client("plain.horn")
    assert read(plain, "ask", query="p(?n)").all("td")[0][0] == "1"
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    file.write_text("theory plain.\nstatic p(int).\np(2).\n", encoding="utf-8")
    os.utime(file, ns=times)
    assert read(plain, "ask", query="p(?n)").all("td")[0][0] == "2"


def test_a_learned_rule_that_no_longer_follows_is_reported(tmp_path, monkeypatch):
    import hornbook

    monkeypatch.chdir(tmp_path)
    right = "theory plain.\nstatic p(int).\nderived q(int).\nderived r(int).\nto_q: q(?n) :- p(?n).\nto_r: r(?n) :- q(?n).\n"
    Path("plain.horn").write_text(f"{right}example one: p(1).\nexpect one: r(1).\n", encoding="utf-8")
    hornbook.learn("plain.horn").rules.save(Path("rules.horn"))
    plain = client("plain.horn", rules=Path("rules.horn"))
    assert "certified" in read(plain, "rule", name="r_1").text
    Path("plain.horn").write_text(right.replace("p(?n).", "p(?n), ?n < 9."), encoding="utf-8")
    assert "refused by the checker" in read(plain, "rule", name="r_1").text


def test_what_can_be_queried_is_shown_in_the_words_of_the_theory(family, cup):
    for queried, message in ((family, "grandparent(?person_1, ?person_2)"), (cup, "liftable(?thing)")):
        (label,) = read(queried, "ask").all("label", **{"for": "query"})
        assert label[0] == f"Conditions, such as {message}"


def test_a_step_of_a_proof_names_its_rule_and_leads_to_it(family):
    page = read(family, "ask", why="ancestor(ada, ben)")
    assert [message for message, _ in page.all("summary")] == ["ancestor(ada, ben) a_parent_is_an_ancestor"]
    source = links(page, "source")[0]["file"]
    ((message, has),) = (each for each in page.all("a") if each[0].startswith(f"{source}:"))
    assert str(has["href"]).endswith(f"#L{message.rpartition(':')[2]}")


def test_a_proof_has_open_what_the_link_says(family):
    def opened(**queried: str) -> list[str]:
        page = read(family, "ask", why="ancestor(ada, cleo)", **queried)
        return [str(has["id"]).rpartition("-")[2] for _, has in page.all("details") if "open" in has]

    assert opened() == ["4", "3"]
    assert opened(open="4") == ["4"]
    assert opened(open="3,99") == ["3"]
    assert opened(open="") == opened(open="x") == opened(open="-1") == []


def test_what_does_not_hold_says_why_not_next_to_the_question(family):
    page = read(family, "ask", query="ancestor(cleo, ada)")
    assert "fails at parent(cleo, ada)" in page.text
    assert read(family, "ask", 422, why="ancestor(cleo, ada)").text.count("fails at") == 2
    assert "it holds" in read(family, "ask", whynot="ancestor(ada, cleo)").text


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("ancestr(ada, ?x)", "line 1, column 1"),
        ("ancestor(ada, ?x), ancestor(?x", "HB001"),
        ("ancestor(ada)", "HB011"),
        ("<script>alert(1)</script>", "line 1, column 1"),
        ("ancestor(ada, ?x) or", "HB0"),
    ],
)
def test_a_bad_query_is_reported_at_its_field_with_line_and_column(query, message, family):
    page = read(family, "ask", 422, query=query)
    assert message in page.text
    ((_, field),) = page.all("input", id="query")
    assert field["aria-invalid"] == "true"
    assert page.all("div", id=str(field["aria-describedby"]))
    for name in ("why", "whynot"):
        assert read(family, "ask", 422, **{name: query}).all("div", id=f"wrong-{name}")


def test_many_answers_come_in_parts(tmp_path):
    (tmp_path / "many.horn").write_text(
        "theory many.\nsort thing.\nstatic here(thing).\n" + "".join(f"here(a{n}).\n" for n in range(250)),
        encoding="utf-8",
    )
    many = client(str(tmp_path / "many.horn"))
    page = read(many, "ask", query="here(?x)")
    assert page.all("caption")[0][0] == "250 answers, from 1 to 100"
    assert {"query": "here(?x)", "from": "100"} in links(page, "ask")
    assert read(many, "ask", query="here(?x)", **{"from": "200"}).all("caption")[0][0].endswith("201 to 250")
    assert read(many, "ask", query="here(?x)", **{"from": "nonsense"}).all("caption")


def test_a_click_on_a_board_shows_what_becomes_true_and_why(chess):
    started = read(chess, "state", state=FORK)
    assert {"state": FORK, "at": "d5"} in links(started, "state")
    chosen = read(chess, "state", state=FORK, at="d5")
    acts = [each["act"] for each in links(chosen, "state") if "act" in each]
    assert set(acts) == {f"move(d5, {to})" for to in ("b4", "b6", "c3", "c7", "e3", "e7", "f4", "f6")}
    # A square without a piece of the side to move starts no move.
    assert len(links(read(chess, "state", state=FORK, at="h8"), "state")) == len(links(started, "state"))
    after = read(chess, "state", state=FORK, act="move(d5, c7)")
    assert "at(c7, white, knight)" in after.text
    why = {"state": FORK, "suppose": "move(d5, c7)", "why": "after at(c7, white, knight)"}
    assert why in links(after, "ask")
    assert "move(d5, c7)" in read(chess, "ask", **why).text
    # The board continues from the state after the move.
    assert {"r3k3/2N5/8/8/8/8/8/4K3 b q - 0 1"} == {
        each["state"] for each in links(after, "state") if "at" in each
    }


@pytest.mark.deep
def test_go_is_played_on_by_one_click_on_an_empty_point(go):
    page = read(go, "state", state=ATARI)
    acts = {each["act"] for each in links(page, "state") if "act" in each}
    assert "move(black, d3)" in acts
    assert "colour(c3, empty)" in read(go, "state", state=ATARI, act="move(black, d3)").text


def test_a_state_that_cannot_be_read_is_reported_at_its_field(chess):
    page = read(chess, "state", 422, state="8/8/8 w")
    assert page.all("textarea", id="state")[0][1]["aria-invalid"] == "true"
    assert "line 1" in page.text
    read(chess, "ask", 422, state="8/8/8 w", query="to_move(?x)")
    read(chess, "state", 422, state=FORK, act="mve(d5, c7)")
    # A text is a state, and never the name of a file.
    read(chess, "state", 422, state="pyproject.toml")


def test_states_are_queried_for_where_an_adapter_reads_them(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("plain.horn").write_text("theory plain. static p(int). p(1).", encoding="utf-8")
    plain = read(client("plain.horn"), "state")
    assert not plain.all("textarea")
    assert [message for message, _ in plain.all("h2")] == ["What if"]
    assert main(["new", "shop"]) == 0
    monday = Path("shop/monday.txt").read_text(encoding="utf-8")
    shop = client("shop")
    assert read(shop, "state").all("textarea", name="state")
    page = read(shop, "state", state=monday)
    assert "given facts" in page.text
    assert "emma" in read(shop, "ask", state=monday, query="may_borrow(ann, ?book)").text


def test_what_stands_between_backticks_in_a_message_is_code(family):
    reported = read(family, "ask", 422, query="ancestr(ada, ?x)").all("div", id="wrong-query")
    assert "`" not in reported[0][0]
    assert "unknown predicate ancestr" in reported[0][0]


def test_an_example_of_a_theory_is_a_state_too(cup):
    names = {each["example"] for each in links(read(cup, "state"), "state") if "example" in each}
    assert names
    page = read(cup, "ask", example=min(names), query="cup(?x)")
    assert page.all("table") or page.all("p", **{"class": "verdict"})
    read(cup, "state", 422, example="nothing")


def test_a_learned_rule_is_shown_with_its_example_its_certificate_and_whether_it_was_checked(cup):
    (row,) = links(read(cup, "rules"), "rule")
    page = read(cup, "rule", name=row["name"])
    # The clauses of its invented predicates follow the rule, and all conditions are listed.
    assert "stable_by_stable_on_a_flat_bottom(?x) :-" in page.text
    assert "is_a(?y2, bottom)" in page.text
    assert "certified: the checker accepts its proof from this theory" in page.text
    assert page.all("summary")[-1][0].startswith("certificate")
    assert page.all("div", id="tree")
    assert "No learned rules are open" in read(client("family"), "rules").text
    read(cup, "rule", 404, name="nothing")


def test_a_rule_that_the_checker_refuses_is_not_called_certified(cup):
    explored = cup.app.state.explored
    entry = next(iter(explored.rules.base))
    from dataclasses import replace

    from hornbook.web.explore.rule_pages import certificate_status

    assert certificate_status(entry).startswith("certified")
    assert certificate_status(replace(entry, refused="so")).startswith("refused by the checker: so")
    assert certificate_status(replace(entry, certificate=None)).startswith("no certificate")
    assert isinstance(explored.rules, LearnedRules)


def test_a_game_is_played_by_links_and_the_search_answers(chess):
    othello = client("othello")
    page = read(othello, "play", seconds="0.2")
    (first, *_) = [each for each in links(page, "play") if each.get("moves")]
    reply = othello.get("/play", params=first)
    assert reply.status_code == 303
    queried = {k: v[0] for k, v in parse_qs(urlsplit(reply.headers["location"]).query).items()}
    assert queried["moves"].startswith(f"{first['moves']} ")
    played = read(othello, "play", **queried)
    assert "Hornbook played" in played.text
    assert {key: value for key, value in queried.items() if key not in ("moves", "ahead")} in [
        {k: v for k, v in each.items() if k != "moves"} for each in links(played, "play")
    ]
    # The search never plays against itself, whichever side a link gives to a human.
    ((_, chosen),) = read(othello, "play", side="nobody").all("option", value="black")
    assert "selected" in chosen
    read(othello, "play", 422, moves="a1")
    read(othello, "play", 422, start="nonsense")
    assert "No game to play" in read(client("family"), "play").text
    over = read(chess, "play", side="both", moves="f2f3 e7e5 g2g4 d8h4")
    assert over.all("p", **{"class": "verdict"})[0][0].startswith("0-1")


def test_plans_prove_an_ending_or_say_why_there_are_none(chess, family):
    page = read(chess, "strategy", state="7k/P7/8/8/8/8/8/K7 w - - 0 1")
    assert page.all("p", **{"class": "verdict"})
    read(family, "strategy", 422)


def test_timings_name_the_rules_that_take_them(family, cup):
    page = read(cup, "timings")
    assert len(page.all("table")) == 2
    assert page.all("caption")[0][0] == "The rules that take most"
    assert "cup_1" in read(cup, "timings", of="learned").text
    read(family, "timings")


@pytest.mark.judges
@pytest.mark.skipif(
    not has_chromium() or axe_source() is None, reason="no Chromium, Selenium or axe-core is there"
)
def test_a_browser_finds_nothing_that_keyboards_or_screen_readers_stumble_over(tmp_path, family):
    source = axe_source()
    assert source is not None
    text = family.get("/ask?query=ancestor(ada,?x)&why=ancestor(ada,cleo)&whynot=ancestor(cleo,ada)").text
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "explore.css").write_text(family.get("/static/explore.css").text, encoding="utf-8")
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    with chromium() as driver:
        driver.get((tmp_path / "page.html").as_uri())
        assert violations(driver, source) == []


@pytest.mark.parametrize(
    "path", ["/a", "/a/", "/a/b", "/a/b/c?x=y", "//a", "/static/nothing.css", "/a%2Fb", "/theory/x"]
)
def test_a_page_that_is_not_there_has_its_style_and_links(family, path):
    reply = family.get(f"http://127.0.0.1{path}")
    assert reply.status_code == 404
    page = Page(reply.text)
    links = [has["href"] for _, has in page.all("a")] + [page.all("link", rel="stylesheet")[0][1]["href"]]
    links.append(page.all("script")[0][1]["src"])
    followed = [family.get(reply.url.join(link)).status_code for link in links if not link.startswith("#")]
    assert len(followed) > 5
    assert set(followed) == {200}
