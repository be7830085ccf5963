"""Hostile words in every command, page and picture: no program may execute or obey them.

A word may contain a tag, an escape sequence, a quote that ends an attribute, or a character that changes the
text direction. Printed output escapes these characters. Written files are well formed, without a tag or
attribute that comes from the word.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import sqlite3
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import hornbook
from hornbook import cli, command_list
from hornbook.api.pictures import show
from hornbook.compiler.rules import rulebase
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_word
from hornbook.kb.text.escaping import flowchart, graphviz, markup, on_one_line, visible
from hornbook.render.line_chart import Series, line_chart
from hornbook.terminal import screen
from hornbook.terminal.coloured import show as show_coloured
from hornbook.terminal.coloured import spinner
from hornbook.terminal.messages import print_line
from hornbook.terminal.screen import screened
from hornbook.theories.go.pictures import marked_board as marked_go
from hornbook.theories.go.states.diagram import parse_diagram
from oracles.firm.years import EXAMPLES

TURNING = "".join(map(chr, [*range(0x202A, 0x202F), 0x200E, 0x2066, 0xFEFF]))
EVIL = f"<script>alert(1)</script>\x1b]0;x\x07\"onload='&\x9b31m\x7f\x85\u2028{TURNING}</pre></svg>--> #1;`[x](y)"
START = visible(EVIL)[:31]
SHOWN = re.compile(r"\\(u00|x)1b\]0;x\\(u00|x)07")
"""The escaped form of a part of it, as text and in JSON. Errors about arguments use the form with `x`."""
FILE = EVIL.replace("/", "")
"""The same word as a file name."""
FORGED = f"{FILE}\nerror: forged"
WORD = print_word(EVIL + "\0")

THEORY = f"""
theory hostile.
sort thing. sort kind.
static part(thing, thing). static is_a(thing, kind). static weighs(thing, int).
derived good(thing). derived fine(thing). meta odd(thing). meta heavy(thing, int).
action take(thing). fluent here(thing).
good_by_its_part: good(?x) :- part(?x, ?y), is_a(?y, {WORD}).
fine_by_its_kind: fine(?x) :- good(?x), is_a(?x, {WORD}), ?x != {WORD}.
an_odd_one: odd(?x) :- is_a(?x, {WORD}), absent good(?x).
a_heavy_one: heavy(?x, ?n) :- fine(?x), ?n = sum ?k where weighs(?x, ?k).
gone: after here(?y) :- take(?x), before here(?y), ?x != ?y, is_a(?y, {WORD}).
example one: part(a, b), is_a(b, {WORD}), is_a(a, {WORD}), weighs(a, 3).
expect one: fine(a).
expect one: fine({WORD}).
expect one: fine(?x) gives {WORD}.
part(c, {WORD}). is_a(c, {WORD}). is_a({WORD}, {WORD}). weighs(c, 2). here(c).
"""
WRONG = f'theory wrong.\nsort s = good | {WORD}.\nstatic p(s).\np({WORD}).\np({WORD[:-1]}x\').\nq({WORD}).\nimport "{EVIL.replace(chr(34), "")}".\n'
PROGRAM = "+ p('" + EVIL.replace("'", "").replace("\x85", "").replace("\u2028", "") + "')\np(X) <= q(X)\n"

RUNS: dict[str, list[list[str]]] = {
    "problems demo": [["{evil}"]],
    "new": [["{evil}"], ["mine", "--into", "{forged}"]],
    "theory template": [["{evil}", "x.csv"], ["firm", "{forged}/x.csv"]],
    "check": [["hostile.horn"], ["wrong.horn"], ["wrong.horn", "--json"], ["{forged}"], ["{file}.horn", "--no-cache"],
              ["hostile.horn", "--expand"]],
    "fmt": [["--diff", "hostile.horn"], ["--check", "{file}.horn"], ["--json", "hostile.horn"], ["{evil}"]],
    "what-if": [["hostile.horn", "part({word}, {word})"], ["hostile.horn", "part({word}, {word})", "--json"], ["hostile.horn", "after here({word})"]],
    "test": [["hostile.horn"], ["hostile.horn", "--json"], ["{evil}"]],
    "theory regress": [["hostile.horn", "{evil}", "--by", "take", "--into", "later.horn"], ["hostile.horn", "here", "--by", "{evil}", "--into", "later.horn"],
                 ["hostile.horn", "here", "--by", "take", "--into", "{forged}/later.horn"], ["hostile.horn", "gone", "--into", "{evil}"]],
    "theory graph": [["hostile.horn"], ["hostile.horn", "--of", "{evil}"], ["hostile.horn", "--json"], ["hostile.horn", "--into", "graph.svg"]],
    "query": [["hostile.horn", "is_a(?x, ?y)"], ["hostile.horn", "is_a(?x, ?y)", "--json"], ["hostile.horn", "p({word})"],
              ["hostile.horn", "here(?x)", "--facts", "part=bad.csv"], ["hostile.horn", "here(?x)", "--facts", "part={forged}.csv"],
              ["hostile.horn", "part(?x, ?y)", "--facts", "part=good.csv"], ["hostile.horn", "part(?x, ?y)", "--csv", "--limit", "1"],
              ["hostile.horn", "here(?x)", "--facts", "odd.db"], ["hostile.horn", "here(?x)", "--facts", "part=odd.db::{evil}"],
              ["hostile.horn", "here(?x)", "--facts", "part({evil}, x)=odd.db"], ["hostile.horn", "here(?x)", "--facts", "part(x, {evil})=odd.db"],
              ["hostile.horn", "here(?x)", "--facts", "is_a=odd.db::nowhere"], ["hostile.horn", "here(?x)", "--facts", "worse.db"],
              *(["hostile.horn", "here(?x)", "--states", each, "--into", "told.csv"] for each in ("{forged}.csv", "bad.csv", "odd.db::{evil}", "odd.db")),
              ["hostile.horn", "here(?x)", "--states", "bad.csv", "--into", "{forged}"]],
    "theory report": [["hostile.horn", "part(?x, ?y)", "--into", "letters", "--proof"], ["hostile.horn", "part({word}, ?y)", "--layout", "table", "--into", "{forged}.md"],
                      ["hostile.horn", "part(?x, ?y)", "--into", "t.html", "--layout", "table", "--format", "html", "--title", "{word}"],
                      ["hostile.horn", "part(?x, ?y)", "--into", "x", "--locale", "{word}"], ["hostile.horn", "part(?x, ?y)", "--into", "x", "--template", "{file}"]],
    "theory run": [["hostile.horn", "--into", "concluded"], ["hostile.horn", "--into", "concluded.sqlite", "--json"],
            ["hostile.horn", "--into", "{file}"], ["hostile.horn", "--into", "bad.txt/{file}"], ["hostile.horn", "--facts", "part={forged}.csv", "--into", "x"]],
    "why": [["hostile.horn", "fine(?x)"], ["hostile.horn", "fine(?x)", "--json", "--html", "proof.html"], ["hostile.horn", "odd(?x)"],
            *(["hostile.horn", "heavy(c, ?n)", "--format", shape] for shape in ("dot", "mermaid", "svg")),
            ["hostile.horn", "part(e, ?x)", "--facts", "part(a, b)=odd.db::{evil}"], ["hostile.horn", "part(e, ?x)", "--facts", "odd.db", "--json"],
            ["hostile.horn", "fine({word})"]],
    "why-not": [["hostile.horn", "fine({word})"], ["hostile.horn", "fine({word})", "--json"], ["hostile.horn", "fine(b)"]],
    "repl": [["hostile.horn"], ["{evil}"]],
    "theory lsp": [[], ["{evil}"]],
    "explore": [["{evil}"], ["hostile.horn", "--rules", "{evil}"], ["hostile.horn", "--facts", "part={forged}.csv"], ["hostile.horn", "--state", "{forged}"]],
    "serve": [["hostile.horn", "--tokens", "{forged}"], ["hostile.horn", "--tokens", "bad.txt"], ["{evil}", "--write"]],
    "learn": [["hostile.horn", "--into", "again.horn", "--explain"], ["hostile.horn", "--example", "{evil}", "--into", "x.horn"],
              ["{evil}", "--into", "x.horn"]],
    "rules learn-plans": [["hostile.horn", "--into", "x.horn", "--line", "{evil}"],
                          ["hostile.horn", "--into", "x.horn", "--line", "a: fine({word}) :- fine({word})"]],
    "rules invent": [["hostile.horn", "--into", "x.horn"], ["{evil}", "--into", "x.horn"]],
    "rules relearn": [["{evil}", "--into", "x.horn"], ["hostile.horn", "--into", "{forged}/x.horn"]],
    "rules explain": [["rules.horn", "fine_1", "--theory", "hostile.horn"], ["rules.horn", "fine_1", "--theory", "hostile.horn", "--json"],
                     ["rules.horn", "fine_1", "--theory", "hostile.horn", "--format", "svg"], ["rules.horn", "{evil}", "--theory", "hostile.horn"],
                     ["rules.horn", "fine_1", "--theory", "hostile.horn", "--svg", "{file}.svg"],
                     ["rules.horn", "fine_1", "--theory", "hostile.horn", "--svg", "x.svg", "--state", "{forged}"]],
    "firm advise": [["firm", "--state", "{forged}.csv"],                ["firm", "--state", "year/01.csv", "--what-if", "buy({word}, 1)", "--into", "pictures"],
               ["firm", "--state", "year/01.csv", "--csv", "--limit", "2"], ["firm", "--state", "{forged}.csv", "--into", "{forged}.csv"]],
    "firm report": [["firm", "year", "--into", "year.html"], ["firm", "{forged}", "--into", "x.html"]],
    "rules match": [["go", "{forged}", "--rules", "rules.horn"], ["go", "bad.txt", "--rules", "{forged}", "--into", "{forged}.csv"], ["go", "{forged}", "--csv"]],
    "problems solve": [["go", "--problems", "{forged}", "--rules", "{forged}"], ["{evil}", "--problems", "bad.txt", "--rules", "rules.horn"],
              ["go", "--problems", "{forged}", "--into", "{forged}.csv"], ["go", "--problems", "bad.txt", "--csv", "--limit", "1"]],
    "rules prove": [["edited.horn", "--theory", "hostile.horn"], ["edited.horn", "--theory", "hostile.horn", "--json"],
              ["{evil}", "--theory", "hostile.horn", "--counter-models"]],
    "rules trust": [["hostile.horn", "--rules", "rules.horn", "--clauses"], ["hostile.horn", "--json"], ["{evil}"]],
    "rules verify": [["rules.horn", "--theory", "hostile.horn"], ["edited.horn", "--theory", "hostile.horn"],
               ["edited.horn", "--theory", "hostile.horn", "--json"], ["{evil}", "--theory", "hostile.horn", "--renew"], ["{evil}", "--theory", "hostile.horn"]],
    "rules compile": [["rules.horn", "--theory", "hostile.horn", "--into", "compiled"], ["rules.horn", "--theory", "hostile.horn", "--into", "c", "--json"],
                ["{evil}", "--theory", "hostile.horn", "--into", "compiled"], ["rules.horn", "--theory", "hostile.horn", "--into", "{evil}"]],
    "store": [["new", "more.sqlite", "hostile.horn"], ["show", "store.sqlite"], ["show", "store.sqlite", "--json"], ["export", "store.sqlite", "x.txt"],
           ["check", "store.sqlite"], ["check", "{evil}"], ["add", "store.sqlite", "--facts", "part=bad.csv"]],
    "rules prune": [["{evil}"]],
    "rules restore": [["store.sqlite", "{evil}"]],
    "problems audit": [["{evil}"], ["go", "--rules", "{evil}"], ["hostile.horn"], ["hostile.horn", "--state", "{forged}"],
              ["go", "--state", "{forged}", "--games", "1"]],
    "problems generate": [["{evil}"], ["go", "-n", "1", "--into", "{forged}/x"], ["go", "-n", "1", "--size", "{evil}"]],
    "problems grade": [["{evil}", "x"], ["bad.txt", "bad.txt"]],
    "theory bench": [["{evil}"]],
    "theory network": [["rules.horn", "--theory", "hostile.horn"], ["rules.horn", "--theory", "hostile.horn", "--json"], ["{evil}", "--theory", "hostile.horn"]],
    "theory profile": [["rules.horn", "--theory", "hostile.horn"], ["{evil}", "--theory", "hostile.horn"]],
    "game": [["check", "hostile.kif", "--games", "2"], ["check", "hostile.kif", "wrong.txt", "{evil}", "{forged}"],
             ["check", "hostile.kif", "wrong.txt", "--json", "--games", "1"], ["play", "wrong.txt"], ["play", "hostile.kif"], ["play", "hostile.kif", "--json"], ["play", "hostile.kif", "--moves", "{evil}"],
             ["query", "hostile.kif", "({evil} ?x)"], ["query", "hostile.kif", "(true ?x)", "--json"], ["query", "{evil}", "(true ?x)"],
             ["query", "hostile.kif", "(true ?x)", "--state", "{forged}"], ["why", "hostile.kif", "(legal ?r ?m)"], ["why", "hostile.kif", "({word} ?x)"]],
    "game strategy": [["hostile.kif", "--role", "{evil}"], ["hostile.kif"], ["{evil}", "--role", "x"], ["hostile.kif", "--state", "{forged}"], ["hostile.kif", "--refutation", "{evil}"]],
    "game plan": [["blocks", "{evil}"], ["{evil}", "blocks-tower"], ["bad.txt", "blocks-tower"], ["blocks", "{forged}"], ["blocks", "blocks-tower", "--heuristic", "{evil}"]],
    "game verify": [["blocks", "blocks-tower", "{evil}"], ["blocks", "blocks-tower", "bad.txt"], ["hostile.kif", "{forged}"], ["hostile.kif", "{evil}"], ["wrong.txt", "{forged}"]],
    "search plan": [["{evil}", "x"], ["chess", "{evil}"], ["chess", "{forged}"], ["hostile.horn", "x"]],
    "search verify": [["chess", "{forged}"], ["{evil}", "x"], ["chess", "bad.txt"]],
    "search best-move": [["othello", "--position", "{evil}", "--nodes", "9"], ["{evil}", "--position", "x", "--nodes", "9"], ["othello", "--position", "{forged}", "--nodes", "9"],
              ["othello", "--position", "bad.txt", "--algorithm", "{evil}"], ["othello", "--position", "x", "--nodes", "9", "--statistics", "{forged}"]],
    "play": [["{evil}"], ["othello", "--position", "{evil}"], ["othello", "--side", "{evil}"], ["othello", "--side", "both", "--save", "{forged}/x"]],
    "search gtp": [["{evil}"], ["othello", "--algorithm", "{evil}"]],
    "search uci": [["{evil}"], ["othello", "--algorithm", "{evil}"]],
    "search tournament": [["{evil}", "deepening", "--into", "x.jsonl"], ["deepening", "deepening", "--game", "{evil}", "--into", "x.jsonl"],
                   ["gtp:{evil}", "deepening", "--into", "x.jsonl"], ["deepening", "deepening", "--sprt", "{evil}", "--into", "x.jsonl"],
                   ["deepening", "deepening", "--openings", "{forged}", "--into", "x.jsonl"]],
    "search statistics": [["{evil}", "--positions", "100", "--into", "x.json"], ["othello", "--positions", "100", "--into", "{forged}/x.json"]],
    "search": [["play-allocation", "checkers", "{evil}"], ["play-allocation", "{evil}", "never"], ["play-allocation", "checkers", "{forged}"], ["learn-allocation", "checkers", "--into", "{forged}/x.json"],
                 ["learn-allocation", "checkers", "--into", "x.json", "--recipe", "{evil}"], ["learn-allocation", "checkers", "--into", "x.json", "--rules", "{evil}"], ["table-allocation", "checkers", "{evil}", "--games", "1"]],
    "game serve": [["--player", "{evil}"], ["--name", "{evil}"], ["--host", "{evil}"]],
    "game manage": [["hostile.kif", "{evil}"], ["hostile.kif", *["http://127.0.0.1:1"] * 2, "--match", "{evil}"], ["{evil}", "x"], ["wrong.txt", "x"]],
    "game import": [["hostile.kif", "--into", "game"], ["wrong.txt", "--into", "{forged}"], ["{evil}", "--into", "game"], ["hostile.kif", "--into", "{forged}"]],
    "theory import-pydatalog": [["program.txt", "--into", "imported.horn"], ["{forged}"], ["wrong.txt"], ["wrong.txt", "--run"]],
}  # fmt: skip
"""Arguments for each command. `{evil}` is the word, `{word}` the quoted word, and `{file}` the file name."""

TYPED = f"""is_a(?x, ?y)
why fine(c)
why not fine({WORD})
part(d, {WORD}).
what if take({WORD})
:state
:rules fine
learn fine(c)
q({WORD})
:load {EVIL}
:load odd.db
:load part(a, b)=odd.db
why part(e, ?x)
:{EVIL}
"""


def test_every_command_is_queried():
    groups = {
        name: [] if name not in command_list.GROUPS else [f"{name} {each[0]}" for each in RUNS[name]]
        for name in RUNS
    }
    queried = {each for name, inner in groups.items() for each in inner or [name]}
    assert queried | {"store import", "store retract"} == command_list.COMMANDS.keys()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("hostile")
    before = Path.cwd()
    os.chdir(place)
    try:
        Path("hostile.horn").write_text(THEORY, encoding="utf-8")
        Path("wrong.horn").write_text(WRONG, encoding="utf-8")
        Path(f"{FILE}.horn").write_text(WRONG, encoding="utf-8")
        Path("labels.horn").write_text(THEORY.replace("hostile.", "labels."), encoding="utf-8")
        Path("bad.txt").write_text(f"{EVIL}\n{EVIL}\n", encoding="utf-8")
        Path("program.txt").write_text(PROGRAM, encoding="utf-8")
        Path("wrong.txt").write_text(f"p(X) <= ~q({EVIL})\n", encoding="utf-8")
        word = "".join(letter for letter in EVIL if letter not in "();" and not letter.isspace())
        Path("hostile.kif").write_text(
            f"(role {word}) (init {word}) (<= (legal {word} {word}) (true {word}))\n"
            f"(<= (next (f {word})) (does {word} {word})) (<= terminal (true (f ?x))) (<= (goal {word} 1) (true ?x))\n",
            encoding="utf-8",
        )
        Path("good.csv").write_text(
            table(["whole", "part"], [["d", f"{EVIL}\nerror: forged"]]), encoding="utf-8"
        )
        Path("bad.csv").write_text(table([EVIL, "part"], [[EVIL, EVIL, "more"]]), encoding="utf-8")
        with contextlib.closing(sqlite3.connect("odd.db")) as connection:
            # Its key has the same name.
            called = '"' + EVIL.replace('"', '""') + '"'
            for name in (called, "part"):
                connection.execute(f"create table {name} ({called} integer primary key, a text, b text)")
                connection.execute(f"insert into {name} values (1, 'e', ?)", [EVIL])
            connection.execute(f"create table weighs (thing text, {called} integer)")
            connection.execute("insert into weighs values ('e', ?)", [EVIL])
            connection.commit()
        with contextlib.closing(sqlite3.connect("worse.db")) as connection:
            connection.execute(f"create table {called} (a text)")
        year = Path("year")
        year.mkdir()
        # Butter under another name. January has too little of it.
        for name in ("01.csv", "journal.csv"):
            text = (EXAMPLES / "bakery" / name).read_text(encoding="utf-8")
            rows = [
                [cell.replace("butter", NAME) for cell in row] for row in csv.reader(io.StringIO(text)) if row
            ]
            if name == "journal.csv":
                rows = [rows[0], *(row for row in rows[1:] if int(row[0]) == 1)]
            (year / name).write_text(table(rows[0], rows[1:]), encoding="utf-8")
        assert cli.main(["learn", "hostile.horn", "--into", "rules.horn"]) == 1  # one expectation is not met
        assert cli.main(["store", "new", "store.sqlite", "hostile.horn"]) == 0
        text = Path("rules.horn").read_text(encoding="utf-8")
        Path("edited.horn").write_text(text.replace("part(", "part(?other, ?x), part("), encoding="utf-8")
        Path("edited.proofs.jsonl").write_bytes(Path("rules.proofs.jsonl").read_bytes())
        yield place
    finally:
        os.chdir(before)


NAME = EVIL.replace(" ", "").replace(";", "").replace("\u2028", "").replace("\x85", "").replace("\ufeff", "")
"""The same word as a name of a material.

Blanks separate amounts from names, and semicolons separate lists.
"""


def table(header: list[str], rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue()


def obeyed(text: str) -> set[str]:
    """Return the characters that a terminal obeys or does not show. Joiners are intended and do not count."""
    return {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")} - set(
        "\n\t\u200c\u200d"
    )


class Read(HTMLParser):
    """The tags and attributes that a browser finds in a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.shown: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.shown.append(data)


def is_safe(page: str) -> bool:
    """Return whether a page shows the word, and assert that it has no markup that comes from the word."""
    read = Read(page)
    assert obeyed(page) == set()
    assert not read.tags & {"script", "iframe", "img", "x"}
    assert not [
        name
        for name in read.attributes
        if name.startswith("on") or not re.fullmatch(r"[a-z]+([-:][a-z]+)*\d?", name)
    ]
    return START in "".join(read.shown)


@pytest.mark.deep_cases("game import")
@pytest.mark.parametrize("command", RUNS)
def test_what_is_printed_is_read_and_not_obeyed(command, folder, capsys, monkeypatch):
    message = ""
    for arguments in RUNS[command]:
        given = [
            a.format(evil=EVIL, word=WORD, file=FILE, forged=FORGED) if "{" in a else a for a in arguments
        ]
        monkeypatch.setattr("sys.stdin", io.StringIO(TYPED if command == "repl" else THEORY))
        monkeypatch.setattr(screen, "is_terminal", lambda _: True)
        code = cli.main([*command.split(), *given])
        out, err = capsys.readouterr()
        assert code in (0, 1, 2), (given, err)
        assert obeyed(out + err) == set(), given
        assert not any(line.startswith("error: forged") for line in (out + err).splitlines()), given
        if code == 0 and "--json" in given:
            json.loads(out)
        message += out + err
    pages = [path.read_text(encoding="utf-8") for path in folder.rglob("*.html")]
    pictures = [path.read_text(encoding="utf-8") for path in folder.rglob("*.svg")]
    assert [page for page in pages if not is_safe(page)] == []
    assert bool(pages or pictures) or command not in ("firm report", "why", "theory graph", "firm advise")
    for picture in pictures:
        is_safe(picture)
        ET.fromstring(picture)
    assert re.search(SHOWN, message), message


def test_pictures_and_pieces_of_pages_show_a_hostile_word_and_are_not_changed_by_it(folder):
    base = hornbook.KnowledgeBase("hostile.horn")
    base.add([GroundFact("part", ("e", EVIL + "\nforged"))])
    proof = base.why("heavy(c, ?n)")
    answers = base.query("part(?x, ?y)")
    missing = base.why_not(f"fine({WORD})")
    learned = hornbook.LearnedRules("hostile.horn", rulebase.read(Path("rules.horn"), base.theory))
    rules = list(learned)
    assert is_safe(missing._repr_html_())
    assert obeyed(repr(missing) + str(missing)) == set()
    shown = [proof, answers, *rules, *base.rules[:3], learned, base, base.theory]
    for thing in shown:
        piece = show(thing).html
        assert is_safe(piece) or thing in (base, base.theory), thing
        assert obeyed(repr(thing) + str(thing)) == set() or thing in rules
        if show(thing).is_svg:
            ET.fromstring(piece)
    for drawn in (proof.to_svg(), proof.to_dot(), proof.to_mermaid()):
        assert obeyed(drawn) == set()
    ET.fromstring(proof.to_svg())
    assert re.fullmatch(r"(digraph \{|\}|  [^\n]*|\n)*", proof.to_dot())
    assert all(re.fullmatch(r'(?:[^"]|"(?:[^"\\]|\\.)*")*', line) for line in proof.to_dot().splitlines())
    assert all(
        not re.search(r"[<>&`*]", re.sub("<br>|-->|-.->", "", line))
        for line in proof.to_mermaid().splitlines()
    )


@pytest.mark.deep
def test_a_state_without_a_picture_shows_its_name_and_facts(folder):
    state = hornbook.read_state("firm", Path("year/01.csv"))
    assert is_safe(replace(state, name=EVIL)._repr_html_())
    assert any(EVIL[:20] in str(value) for fact in state.facts for value in fact.values)


def test_positions_with_hostile_titles_are_drawn_as_they_are():
    for drawn in (
        marked_go.marked_svg(parse_diagram(". X\nO .\n"), [], EVIL),
        line_chart(EVIL, [EVIL], [Series(EVIL, [1])], str),
    ):
        assert is_safe(drawn)
        ET.fromstring(drawn)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_are_ours_and_no_word_has_any(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal = Terminal()
    show_coloured(f"error: `{EVIL}`", terminal)
    message = terminal.getvalue()
    assert "\x1b[1;31merror" in message
    assert obeyed(re.sub(r"\x1b\[[\d;]*m", "", message)) == set()
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with screened(), spinner(EVIL):
        print("printed meanwhile", EVIL, file=sys.stderr)
    assert "\x1b]0;x" not in terminal.getvalue()
    assert START in terminal.getvalue()


def test_each_medium_gives_back_what_it_was_given():
    for text in (EVIL, "\0", "\ud800", "\U000e0041", "a\tb\nc", "آب‌رو 👩‍🚀 \u3000"):
        assert json.loads(f'"{visible(json.dumps(text, ensure_ascii=False))[1:-1]}"') == text
        assert visible(visible(text)) == visible(text)
        assert obeyed(visible(text) + markup(text) + graphviz(text) + flowchart(text)) == set()
        assert not re.search("[\n\r\t]", on_one_line(text))
        ET.fromstring(f'<a b="{markup(text)}">{markup(text)}</a>')
    assert visible("آب‌رو 👩‍🚀 \u3000\xa0") == "آب‌رو 👩‍🚀 \u3000\xa0"


def test_what_is_obeyed_is_what_unicode_says():
    """Compare with all control and format characters of Unicode.

    Joiners, and the signs of some scripts that are visible, are excepted.
    """
    shaped = {
        *range(0x600, 0x606),
        0x6DD,
        0x70F,
        0x890,
        0x891,
        0x8E2,
        0x110BD,
        0x110CD,
        0x200C,
        0x200D,
        0x9,
        0xA,
    }
    for number in range(0x110000):
        char = chr(number)
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and number not in shaped:
            assert visible(char) != char, hex(number)


def test_what_a_file_or_a_program_takes_is_printed_as_it_stands(folder, capfd):
    assert cli.main(["store", "export", "store.sqlite"]) == 0
    assert EVIL.replace("\x1b", "\\u001b")[:20] in capfd.readouterr().out
    assert cli.main(["theory", "import-pydatalog", "program.txt"]) == 0
    assert "\x1b]0;x\x07" in capfd.readouterr().out


def test_a_terminal_without_a_letter_shows_its_number(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii", write_through=True))
    monkeypatch.setattr(screen, "is_terminal", lambda _: True)
    assert cli.main(["query", "family", "parent(?x, 'Zoë\x1b')"]) == 0
    with screened():
        print_line("→ Zoë")
    assert raw.getvalue().endswith(b"\\u2192 Zo\\u00eb\n")


@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"]])
def test_a_file_whose_encoding_lacks_a_character_is_an_error(form, monkeypatch, capsys, tmp_path):
    facts = tmp_path / "parent.csv"
    facts.write_text("parent,child\nida,Łeo\n", encoding="utf-8")
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="latin-1", write_through=True))
    assert cli.main(["query", "family", "parent(ida, ?x)", "--facts", f"parent={facts}", *form]) == 1
    assert b"u0141" not in raw.getvalue()
    message = capsys.readouterr().err
    assert (
        "error: the output encoding `latin-1` has no character U+0141 (`Ł`); set PYTHONIOENCODING=utf-8"
        in message
    )


ODD = "a\x1b[31m\xad\u200b\u2028\x85\ufeff\0\u202eb"


@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"]])
def test_a_file_gets_every_character_as_it_is(form, capfd, tmp_path):
    facts = tmp_path / "parent.csv"
    facts.write_text(table(["parent", "child"], [["ida", ODD]]), encoding="utf-8", newline="")
    given = ["query", "family", "parent(ida, ?x)", "--facts", f"parent={facts}", *form]
    assert cli.main(given) == 0
    out = capfd.readouterr().out
    assert (json.loads(out) == [{"x": ODD}]) if form == ["--json"] else (ODD in out)
    assert "\\u20" not in out


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_where_a_stream_is_closed_the_other_says_what_it_has_to(closed, capsys, monkeypatch):
    monkeypatch.setattr(sys, closed, None)
    assert cli.main(["query", "family", "parent(ada, ?x)"]) == 0
    assert cli.main(["query", "family", "nothing(?x)"]) == 1
    monkeypatch.undo()
    out, err = capsys.readouterr()
    assert (out, "HB010" in err) == (("", True) if closed == "stdout" else ("?x\nben\n", False))


def test_nothing_escapes_but_in_one_place():
    root = Path(cli.__file__).parents[2]
    own = {
        path
        for package in ("kb", "compiler", "theories", "hornbook", "matcher")
        for path in (root / package).rglob("*.py")
    }
    found = {
        path.relative_to(root).as_posix()
        for path in own
        if re.search(
            r"^\s*(from (html|xml\.sax\.saxutils) import|import (html|xml\.sax\.saxutils)$)|Console\(stderr",
            path.read_text("utf-8"),
            re.MULTILINE,
        )
    }
    assert found == {"kb/text/escaping.py"}
