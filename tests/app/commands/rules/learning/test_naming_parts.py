"""`hornbook rules invent --rules`: short forms of the rules in a file."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree
from statistics import median

import pytest

import hornbook
from hornbook import KnowledgeBase, KnowledgeBaseError, LearnedRules, Store, read_rules

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
    """Return long rules, from a copy of the game whose domain has no short ones."""
    folder = tmp_path_factory.mktemp("learned")
    game = folder / "game"
    copytree(SKELETON, game)
    with (game / "domain.py").open("a", encoding="utf-8") as domain:
        domain.write("\nDOMAIN.has_short_rules = False\n")
    rules = folder / "rules.horn"
    code, _, err = module_run("learn", str(game), "--problems", str(PROBLEMS), "--into", str(rules))
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


def test_learn_gives_rules_their_short_forms(short, run, tmp_path):
    rules = tmp_path / "rules.horn"
    assert run("learn", str(SKELETON), "--problems", str(PROBLEMS), "--into", str(rules))[0] == 0
    assert clauses(rules) == clauses(short)


def test_a_store_has_the_same_short_forms(short, run, tmp_path):
    """The rules of the first problems are stored before the others are learned, and again at the end."""
    store, lines = tmp_path / "rules.sqlite", PROBLEMS.read_text(encoding="utf-8").splitlines(keepends=True)
    for number, part in enumerate((lines[:9], lines)):
        problems = tmp_path / f"{number}.jsonl"
        problems.write_text("".join(part), encoding="utf-8")
        theory = str(store) if store.exists() else str(SKELETON)
        code, out, _ = run("learn", theory, "--problems", str(problems), "--into", str(store))
        assert code == 0
        admitted = [line for line in out.splitlines() if line.startswith("admitted ")]
        assert len({*admitted}) == len(admitted) > 0
    assert run("rules", "verify", str(store))[0] == 0
    with Store(store) as opened:
        stored = read_rules(opened)
    in_file = read_rules(short, str(SKELETON))
    assert len(stored) == len(in_file) == 15
    assert median_of(stored) == median_of(in_file) < 10


def median_of(rules: LearnedRules) -> float:
    """Return the median number of conditions."""
    return median(len(rule.entry.rule.body) for rule in rules)


def test_a_rule_for_a_knowledge_base_has_its_parts_written_out(learned, short):
    """It has the conditions of the rule as it was learned, and belongs to the theory without the parts."""
    long, rules = (read_rules(each, str(SKELETON)) for each in (learned, short))
    sizes = {rule.name: len(rule.body) for rule in long.certified}
    assert {rule.name: len(rule.body) for rule in rules.certified} == sizes
    assert max(len(rule.entry.rule.body) for rule in rules) < max(sizes.values())
    for theory in (long.theory, rules.theory):
        KnowledgeBase(theory).add_rules(rules.certified)
    with pytest.raises(KnowledgeBaseError, match="another theory"):
        KnowledgeBase("cup").add_rules(rules.certified)


def test_short_rules_play_the_same_lines(learned, short):
    long, rules = (read_rules(each, str(SKELETON)) for each in (learned, short))
    number = 0
    for line in PROBLEMS.read_text(encoding="utf-8").splitlines():
        state = json.loads(line)["state"]
        played = {(each.rule, each.statement): each.lines_of_play for each in long.match(state)}
        assert {(each.rule, each.statement): each.lines_of_play for each in rules.match(state)} == played
        number += sum(len(lines) > 1 for lines in played.values())
    assert number > 0


def clauses(rules: Path) -> list[str]:
    """Return the lines of a file of rules without comments."""
    lines = rules.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("%")]


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
    """The rules of the first problems get short forms. The others use them as lemmas, and get them too."""
    lines = PROBLEMS.read_text(encoding="utf-8").splitlines(keepends=True)
    first, rules = tmp_path / "first.jsonl", tmp_path / "rules.horn"
    first.write_text("".join(lines[:9]), encoding="utf-8")
    learn = ("learn", str(SKELETON), "--into", str(rules), "--problems")
    assert run(*learn, str(first))[0] == 0
    code, _, err = run(*learn, str(PROBLEMS))
    assert (code, err) == (0, "")
    code, out, _ = run("rules", "verify", str(rules), "--theory", str(SKELETON))
    assert (code, out) == (0, "15 rules follow from `skeleton`, 0 do not\n")


def test_a_rule_that_stays_long_is_named_with_the_reason(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("static_things.horn").write_text(STATIC, encoding="utf-8")
    code, out, _ = run("learn", "static_things.horn", "--into", "rules.horn")
    assert code == 0
    assert "fine_1: it keeps its " in out
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
