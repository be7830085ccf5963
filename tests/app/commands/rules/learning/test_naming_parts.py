"""`hornbook rules invent --rules`: short forms of the rules in a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hornbook

SKELETON = Path(hornbook.__file__).parent / "commands" / "theories" / "skeleton_game"
PROBLEMS = SKELETON / "problems.jsonl"
FIRM_STATE = "examples/moments/flour_is_there.csv"
STATIC = """theory static_things.
sort thing.
static made_of(thing, thing).
static strong(thing).
static light(thing).
static old(thing).
static new(thing).
static good(thing).
static fine(thing).
both:
  fine(?x) :-
    made_of(?x, ?m), strong(?m), light(?m), made_of(?m, ?n), strong(?n), light(?n), good(?n), old(?n), new(?x).
all_of_it: good(?x) :- made_of(?x, ?y), strong(?y), light(?y).
example one:
  made_of(a, b), strong(b), light(b), made_of(b, c), strong(c), light(c), old(c), new(a), made_of(c, d),
  strong(d), light(d).
expect one: fine(a).
"""


@pytest.fixture(scope="module")
def learned(tmp_path_factory, module_run) -> Path:
    folder = tmp_path_factory.mktemp("learned")
    rules = folder / "rules.horn"
    code, _, err = module_run("learn", str(SKELETON), "--problems", str(PROBLEMS), "--into", str(rules))
    assert (code, err) == (0, "")
    return rules


@pytest.fixture(scope="module")
def module_run():
    """Run the command line, and return the exit code and the outputs."""
    import subprocess
    import sys

    def ran(*arguments: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "hornbook", *arguments], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout, done.stderr

    return ran


@pytest.fixture(scope="module")
def short(learned, module_run) -> Path:
    into = learned.with_name("short.horn")
    code, out, err = module_run(
        "rules", "invent", str(SKELETON), "--rules", str(learned), "--into", str(into), "--json"
    )
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report.keys() == {"rules", "before", "after", "parts", "long", "seconds"}
    assert (report["rules"], report["long"]) == (15, {})
    assert report["after"] <= report["before"] / 2
    assert report["parts"] > 0
    return into


def test_short_rules_follow_from_the_theory(short, run):
    assert run("rules", "verify", str(short), "--theory", str(SKELETON))[0] == 0


def test_short_rules_solve_the_same_problems(learned, short, run):
    answers = []
    for rules in (learned, short):
        code, out, _ = run(
            "problems", "solve", str(SKELETON), "--rules", str(rules), "--problems", str(PROBLEMS)
        )
        assert code == 0
        answers.append(out)
    assert answers[0] == answers[1]
    assert answers[0]


def test_short_rules_are_audited(short, run):
    code, out, _ = run(
        "problems", "audit", str(SKELETON), "--rules", str(short), "--positions", "40", "--json"
    )
    assert code == 0
    assert json.loads(out)["wrong"] == []


def test_rules_that_are_short_stay_as_they_are(short, run, tmp_path):
    again = tmp_path / "again.horn"
    assert run("rules", "invent", str(SKELETON), "--rules", str(short), "--into", str(again))[0] == 0
    assert again.read_text(encoding="utf-8") == short.read_text(encoding="utf-8")


def test_learning_continues_from_short_rules(short, run, tmp_path):
    rules = tmp_path / "rules.horn"
    for suffix in (".horn", ".proofs.jsonl"):
        rules.with_suffix(suffix).write_text(short.with_suffix(suffix).read_text(encoding="utf-8"))
    code, out, _ = run("learn", str(SKELETON), "--problems", str(PROBLEMS), "--into", str(rules))
    assert code == 0
    assert "0 rules more, 15 rules in" in out
    assert run("rules", "verify", str(rules), "--theory", str(SKELETON))[0] == 0


def test_more_rules_are_learned_into_short_ones(learned, run, tmp_path):
    """The rules of the first problems get short forms. The others use them as lemmas, and get short forms too."""
    lines = PROBLEMS.read_text(encoding="utf-8").splitlines(keepends=True)
    first, rules = tmp_path / "first.jsonl", tmp_path / "rules.horn"
    first.write_text("".join(lines[:9]), encoding="utf-8")
    learn = ("learn", str(SKELETON), "--into", str(rules), "--problems")
    assert run(*learn, str(first))[0] == 0
    assert run("rules", "invent", str(SKELETON), "--rules", str(rules))[0] == 0
    code, _, err = run(*learn, str(PROBLEMS))
    assert (code, err) == (0, "")
    code, out, _ = run("rules", "verify", str(rules), "--theory", str(SKELETON))
    assert (code, out) == (0, "15 rules follow from `skeleton`, 0 do not\n")


def test_a_rule_that_stays_long_is_named_with_the_reason(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("static_things.horn").write_text(STATIC, encoding="utf-8")
    assert run("learn", "static_things.horn", "--into", "rules.horn")[0] == 0
    before = Path("rules.horn").read_text(encoding="utf-8")
    code, out, _ = run("rules", "invent", "static_things.horn", "--rules", "rules.horn")
    assert code == 0
    assert "fine_1: it keeps its " in out
    assert "is static" in out
    assert Path("rules.horn").read_text(encoding="utf-8") == before


def test_advice_by_short_rules_is_the_same(run, tmp_path):
    firm = Path(hornbook.__file__).parent / "theories" / "firm"
    if not firm.is_dir():
        firm = Path(__file__).parents[5] / "theories" / "firm"
    short = tmp_path / "short.horn"
    assert run("rules", "invent", "firm", "--rules", str(firm / "rules.horn"), "--into", str(short))[0] == 0
    given = []
    for rules in (firm / "rules.horn", short):
        code, out, _ = run(
            "firm", "advise", "firm", "--state", str(firm / FIRM_STATE), "--rules", str(rules), "--json"
        )
        assert code == 0
        given.append(without_order(json.loads(out)))
    assert given[0] == given[1]


def without_order(found: object) -> object:
    """Return advice without the lists of conditions, whose order may differ."""
    if isinstance(found, dict):
        return {key: without_order(each) for key, each in found.items() if key not in ("facts", "limits")}
    return [without_order(each) for each in found] if isinstance(found, list) else found


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--problems", str(PROBLEMS)), "nothing is learned"),
        (("--into", "there.horn"), "is not a new file"),
        (("--into", "new.db"), "is not a new file"),
    ],
)
def test_a_mistake_is_reported(arguments, message, run, tmp_path, monkeypatch, learned):
    monkeypatch.chdir(tmp_path)
    Path("there.horn").write_text("", encoding="utf-8")
    code, _, err = run("rules", "invent", str(SKELETON), "--rules", str(learned), *arguments)
    assert code == 2
    assert message in err
