"""Theories with and without `demanded`: every command gives the same answers."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from hornbook.kb.lower.engines import VARIABLE

ROADS = (Path(__file__).parent / "data" / "demanded_words_roads.horn").read_text(encoding="utf-8")
STATE = "road(a, b). road(b, c). road(x, a). robot(a). closed(c). at(box, c)."
TYPED = (Path(__file__).parent / "data" / "demanded_words_typed.txt").read_text(encoding="utf-8")
LEARNED = "bring_by_fetch_is_gi_1"
COMMANDS = [
    ("check", "roads.horn"),
    ("fmt", "--check", "roads.horn"),
    ("test", "roads.horn"),
    ("graph", "roads.horn"),
    ("query", "roads.horn", "way(a, ?x)", "--add", "state.horn"),
    ("query", "roads.horn", "open(?x, ?y)", "--add", "state.horn"),
    ("query", "roads.horn", "way(?x, ?y), after way(?y, ?z)", "--add", "state.horn"),
    ("query", "roads.horn", "?n = count ?x where way(?x, _)", "--add", "state.horn"),
    ("why", "roads.horn", "way(a, c)", "--add", "state.horn"),
    ("why", "roads.horn", "open(x, _)", "--add", "state.horn"),
    ("why-not", "roads.horn", "open(a, c)", "--add", "state.horn"),
    ("what-if", "roads.horn", "fetch(box)", "--add", "state.horn"),
    ("what-if", "roads.horn", "after robot(c)", "--add", "state.horn"),
    ("run", "roads.horn", "--add", "state.horn", "--into", "tables"),
    ("learn", "roads.horn", "--into", "rules.horn"),
    ("verify", "rules.horn", "--theory", "roads.horn"),
    ("prove", "rules.horn", "--theory", "roads.horn"),
    ("trust", "roads.horn", "--rules", "rules.horn", "--clauses"),
    ("explain-rule", "rules.horn", LEARNED, "--theory", "roads.horn"),
    ("plan", "roads.horn"),
    ("why", "roads.horn", "bring(box) by fetch(box) is GI", "--add", "state.horn", "--rules", "rules.horn"),
    ("kb", "new", "roads.sqlite", "roads.horn"),
    ("kb", "add", "roads.sqlite", "roads.horn", "--add", "state.horn"),
    ("learn", "roads.sqlite"),
    ("kb", "check", "roads.sqlite"),
    ("query", "roads.sqlite", "open(?x, ?y)"),
    ("why", "roads.sqlite", "way(x, c)"),
    ("repl", "roads.horn", "--add", "state.horn"),
]


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """Use the compiled engine. The plain engine concludes every fact."""
    monkeypatch.delenv(VARIABLE, raising=False)


def messages(run, monkeypatch, place: Path, text: str) -> list[tuple[int, str, str]]:
    """Return the output of all commands on a theory, without the word `demanded` and the times."""
    place.mkdir()
    monkeypatch.chdir(place)
    Path("roads.horn").write_text(text)
    Path("state.horn").write_text(STATE)
    found = []
    for arguments in COMMANDS:
        monkeypatch.setattr("sys.stdin", io.StringIO(TYPED))
        code, *printed = run(*arguments)
        out, err = (re.sub(r"\d+\.\d s", "# s", each.replace(" demanded", "")) for each in printed)
        found.append((code, out.replace(str(place), ""), err.replace(str(place), "")))
    return found


def test_every_command_says_the_same(run, monkeypatch, folder):
    demanded = messages(run, monkeypatch, folder / "demanded", ROADS)
    plain = messages(run, monkeypatch, folder / "plain", ROADS.replace(" demanded", ""))
    for arguments, found, expected in zip(COMMANDS, demanded, plain, strict=True):
        assert found == expected, arguments
        assert found[0] == 0, (arguments, found)
    tables = {path.name: path.read_text() for path in (folder / "demanded" / "tables").iterdir()}
    assert tables == {path.name: path.read_text() for path in (folder / "plain" / "tables").iterdir()}
    assert tables["way.csv"].splitlines()[1:] == ["a,b", "a,c", "b,c", "x,a", "x,b", "x,c"]
    rules = [(folder / each / "rules.horn").read_text() for each in ("demanded", "plain")]
    assert rules[0] == rules[1]


def test_certificates_do_not_rest_on_the_word(run, folder):
    Path("roads.horn").write_text(ROADS)
    assert run("learn", "roads.horn", "--into", "rules.horn")[0] == 0
    Path("roads.horn").write_text(ROADS.replace(" demanded", ""))
    code, out, _ = run("rules", "verify", "rules.horn", "--theory", "roads.horn")
    assert (code, out) == (0, "1 rule follows from `roads`, 0 do not\n")


def test_profile_tells_the_time_of_what_is_demanded_by_rule(run, folder):
    Path("roads.horn").write_text(ROADS)
    code, out, _ = run("theory", "profile", "roads.horn", "--limit", "100")
    assert code == 0
    of_rules, of_conditions = (re.sub(r" +", " ", block).splitlines()[1:] for block in out.split("\n\n")[1:])
    rules = [line.split(maxsplit=6)[6] for line in of_rules]
    conditions = [line.split(maxsplit=5)[5] for line in of_conditions]
    assert {"more_roads (before)", "open_ways (before)", "goes"} <= {*rules}
    assert {"more_roads (before): road(?a, ?b)", "more_roads (before): way(?b, ?c)"} <= {*conditions}
    assert len({*conditions}) == len(conditions)
    assert len({*rules}) == len(rules)
