"""Stores as the THEORY argument.

The tests cover everything that commands read from a store and write to it, from its creation to the
restoring of rules.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

import hornbook
from hornbook import theories
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.store import Store, StoreError
from hornbook.kb.store.closure import load_stored
from hornbook.theories.go.problems import read_problems, shipped, write_problems

VERSION_1 = Path(__file__).parents[3] / "kb" / "store" / "version_1.sql"
GOLDEN = Path(__file__).parent / "golden" / "kb_show.txt"
PAPER = Path(theories.__file__).parent / "classical" / "paper"
RULE = "take_by_move_is_giii_1"
TAKES = "take_by_move_is_gi_1"


pytestmark = pytest.mark.usefixtures("folder")


def test_a_proof_tells_the_row_of_the_table_that_a_stored_fact_came_from(run, folder):
    run("store", "new", "f.sqlite", "family")
    (folder / "parents.csv").write_text("parent,child\ncleo,eve\ndan,finn\n", encoding="utf-8")
    (folder / "more.horn").write_text("parent(eve, gus).", encoding="utf-8")
    table = ("--facts", "parent(parent, child)=parents.csv")
    assert run("store", "add", "f.sqlite", *table, "--add", "more.horn")[:2] == (
        0,
        "f.sqlite: 3 new facts, 3 in all\n",
    )
    (folder / "parents.csv").unlink()
    out = run("why", "f.sqlite", "ancestor(cleo, gus)")[1]
    assert "parent(cleo, eve)  [parents.csv:2]" in out
    assert "parent(eve, gus)  [f.sqlite]" in out
    assert "parent(dan, finn)  [parents.csv:3]" in run("why", "f.sqlite", "parent(dan, finn)")[1]

    run("store", "export", "f.sqlite", "f.jsonl")
    run("store", "import", "g.sqlite", "f.jsonl")
    assert run("why", "g.sqlite", "ancestor(cleo, gus)")[1] == out.replace("f.sqlite", "g.sqlite")
    (folder / "gone.horn").write_text("parent(cleo, eve).", encoding="utf-8")
    run("store", "retract", "f.sqlite", "gone.horn")
    run("store", "add", "f.sqlite", "--add", "gone.horn")
    assert "parent(cleo, eve)  [f.sqlite]" in run("why", "f.sqlite", "parent(cleo, eve)")[1]


def test_facts_are_stored_queried_and_taken_away(run, folder):
    assert run("store", "new", "f.sqlite", "family")[:2] == (0, "f.sqlite: `family`\n")
    (folder / "more.horn").write_text("parent(cleo, eve). parent(dan, finn).", encoding="utf-8")
    code, out, _ = run("store", "add", "f.sqlite", "--add", "more.horn")
    assert (code, out) == (0, "f.sqlite: 2 new facts, 2 in all\n")
    assert run("store", "add", "f.sqlite", "--add", "more.horn")[1] == "f.sqlite: 0 new facts, 2 in all\n"
    assert run("store", "add", "f.sqlite", "family")[1].startswith("f.sqlite: nothing to add")
    code, out, _ = run("query", "f.sqlite", "grandparent(ben, ?x)")
    assert (code, out) == (0, "?x\neve\nfinn\n")
    assert run("query", "f.sqlite#family", "grandparent(ben, ?x)")[1] == out
    assert run("query", "family", "grandparent(ben, ?x)")[1] == "no answers\n"
    code, out, _ = run("why", "f.sqlite", "grandparent(ben, finn)")
    assert code == 0
    assert "parent(dan, finn)" in out
    assert run("why-not", "f.sqlite", "grandparent(cleo, finn)")[0] == 0
    code, out, _ = run("test", "f.sqlite")
    assert (code, out) == (0, "6 met, 0 not met\n")
    assert run("theory", "graph", "f.sqlite")[0] == 0
    (folder / "more.horn").write_text("parent(dan, finn). parent(no, body).", encoding="utf-8")
    code, out, _ = run("store", "retract", "f.sqlite", "more.horn")
    assert (code, out) == (0, "f.sqlite: 1 fact taken away, 1 left\n")
    (folder / "more.horn").write_text("r: parent(?x, ?y) :- sibling(?x, ?y).", encoding="utf-8")
    code, _, err = run("store", "add", "f.sqlite", "--add", "more.horn")
    assert code == 1
    assert "a store keeps facts; rules belong to its theory" in err


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="pipes have no names here")
def test_facts_from_a_pipe_are_read_once_and_stored(run):
    assert run("store", "new", "f.sqlite", "family")[0] == 0
    reading, writing = os.pipe()
    os.write(writing, b"parent(cleo, eve). parent(dan, finn).")
    os.close(writing)
    added = run("store", "add", "f.sqlite", "--add", f"/dev/fd/{reading}")
    os.close(reading)
    assert added[:2] == (0, "f.sqlite: 2 new facts, 2 in all\n")


def test_learned_rules_go_into_a_store_and_come_from_there(run, folder):
    code, out, _ = run("learn", str(PAPER), "--into", "p.sqlite")
    assert code == 0
    assert out.startswith(f"admitted {RULE} from strip\n")
    assert "\n1 example, 1 proof: 1 rule admitted" in out
    code, out, _ = run("learn", "p.sqlite", "--json")
    assert (code, json.loads(out)["known"], json.loads(out)["rules"]) == (0, 1, 1)
    assert run("rules", "verify", "p.sqlite")[1] == "1 rule follows from `paper`, 0 do not\n"
    code, out, _ = run("rules", "explain", "p.sqlite", RULE)
    assert code == 0
    assert "learned from strip" in out
    assert run("theory", "network", "p.sqlite")[0] == 0
    code, _, err = run("theory", "profile", "p.sqlite", "--write-statistics")
    assert (code, err) == (0, "statistics and costs in p.sqlite\n")
    with Store("p.sqlite") as store:
        assert '"relations"' in (store.statistics() or "")
        benchmark = store.benchmarks()[RULE]
        assert benchmark.saved_seconds > 0
        assert (benchmark.match_seconds > 0, benchmark.states) == (True, 1)
    code, out, _ = run("store", "check", "p.sqlite")
    assert (code, out) == (0, "p.sqlite: whole, 1 rule follows\n")
    run("learn", str(PAPER), "--into", "rules.horn")
    code, out, _ = run("store", "export", "p.sqlite", "--rules")
    assert out == (folder / "rules.horn").read_text(encoding="utf-8")


def test_a_store_goes_to_text_and_back(run, folder):
    run("learn", str(PAPER), "--into", "p.sqlite")
    assert run("store", "export", "p.sqlite", "p.jsonl")[0] == 0
    assert run("store", "import", "again.sqlite", "p.jsonl")[0] == 0
    assert run("store", "export", "again.sqlite")[1] == (folder / "p.jsonl").read_text(encoding="utf-8")
    assert run("store", "check", "again.sqlite")[0] == 0
    code, _, err = run("store", "import", "again.sqlite", "p.jsonl")
    assert code == 2
    assert "there is a file already" in err


def test_rules_of_a_file_are_taken_if_they_follow(run, folder):
    run("learn", str(PAPER), "--into", "rules.horn")
    run("store", "new", "p.sqlite", str(PAPER))
    assert run("store", "import", "p.sqlite", "rules.horn")[:2] == (0, "p.sqlite: 1 new rule\n")
    code, out, _ = run("store", "import", "p.sqlite", "rules.horn")
    assert code == 1
    assert "left out: the store has a rule of this name" in out
    file = folder / "rules.horn"
    file.write_text(file.read_text(encoding="utf-8").replace(" ?i4 != ?m,", ""), encoding="utf-8")
    run("store", "new", "q.sqlite", str(PAPER))
    code, out, _ = run("store", "import", "q.sqlite", "rules.horn")
    assert code == 1
    assert "q.sqlite: 0 new rules" in out


@pytest.fixture
def taught(run: pytest.CaptureFixture[str], folder: Path) -> Path:
    """Return a store with the rule learned from one problem of one move. The problem is stored too."""
    problem = next(p for p in read_problems(shipped("train")) if p.depth == 1)
    write_problems([problem], folder / "p.jsonl")
    code, out, _ = run("learn", "capture", "--into", "p.sqlite", "--problems", "p.jsonl")
    assert (code, out.splitlines()[0]) == (0, f"admitted {TAKES} from {problem.id}")
    return folder / "p.sqlite"


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_a_worth_that_is_no_finite_number_is_refused(run, folder, value):
    run("store", "new", "n.sqlite", "family")
    code, out, err = run("rules", "prune", "n.sqlite", f"--keep-value={value}")
    assert (code, out) == (2, "")
    assert f"{value} is not a number of seconds" in err


@pytest.mark.deep
def test_pruned_rules_are_not_queried_and_come_back(run, taught):
    code, out, err = run("rules", "prune", "p.sqlite", "--keep-value", "1000")
    assert (code, out) == (0, "0 rules forgotten, 1 stays, of which 1 was not measured\n")
    assert "`hornbook theory profile p.sqlite --write-statistics`" in err
    run("theory", "profile", "p.sqlite", "--problems", "p.jsonl", "--write-statistics")
    for _ in range(2):
        code, answers, _ = run("problems", "solve", "p.sqlite", "--problems", "p.jsonl")
        assert json.loads(answers)["rule"] == TAKES
    with Store(taught) as store:
        use, benchmark = store.usage()[TAKES], store.benchmarks()[TAKES]
        assert (use.asked, use.fired, use.states) == (2, 2, 2)
        assert benchmark.saved_seconds > benchmark.match_seconds > 0
        assert benchmark.value(use) == benchmark.saved_seconds - benchmark.match_seconds
    code, out, _ = run("rules", "prune", "p.sqlite", "--keep-value", "1000", "--dry-run")
    assert (code, out.splitlines()[-1]) == (
        0,
        "1 rule would be forgotten, 0 stay, of which 0 were not measured",
    )
    code, out, _ = run("rules", "prune", "p.sqlite", "--keep-value", "1000")
    assert (code, out.splitlines()[-1]) == (0, "1 rule forgotten, 0 stay, of which 0 were not measured")
    code, out, _ = run("problems", "solve", "p.sqlite", "--problems", "p.jsonl")
    assert json.loads(out)["value"] == "unknown"
    shown = json.loads(run("store", "show", "p.sqlite", "--json")[1])
    (rule,) = shown["theories"][0]["rules"]
    assert (rule["state"], rule["reason"].startswith("worth ")) == ("forgotten", True)
    assert [event["what"] for event in shown["events"]] == ["pruned"]
    assert run("store", "check", "p.sqlite")[1] == "p.sqlite: whole, 1 rule follows\n"
    code, out, _ = run("rules", "restore", "p.sqlite", TAKES)
    assert (code, out) == (0, f"1 rule is active again\n{TAKES}\n")
    assert run("problems", "solve", "p.sqlite", "--problems", "p.jsonl")[:2] == (0, answers)
    code, out, _ = run("store", "show", "p.sqlite")
    assert "rules: 1 active, 0 forgotten, 0 retired" in out


def test_a_theory_that_was_changed_is_not_mixed_with_the_stored_one(run, folder):
    shutil.copytree(PAPER, folder / "paper")
    file = folder / "paper" / "paper.horn"
    run("learn", "paper/paper.horn", "--into", "p.sqlite")
    file.write_text(file.read_text(encoding="utf-8") + "% edited\n", encoding="utf-8")
    code, _, err = run("query", "p.sqlite", "player(?p)")
    assert code == 0
    assert "was changed since the theory `paper` was stored" in err
    for command in (
        ("learn", "paper/paper.horn", "--into", "p.sqlite"),
        ("learn", "p.sqlite"),
        ("plan", "p.sqlite"),
        ("query", "p.sqlite", "player(?p)", "--state", "b.txt"),
    ):
        code, _, err = run(*command)
        assert code == 2
        assert "--renew` takes the new" in " ".join(err.split())
    with Store("p.sqlite") as store:
        assert load_stored(store.theory()).path is None
    shutil.rmtree(folder / "paper")
    assert run("query", "p.sqlite", "player(?p)")[0] == 0
    assert run("rules", "verify", "p.sqlite")[0] == 0


def test_what_is_wrong_with_the_command_line_is_reported(run, folder):
    run("store", "new", "f.sqlite", "family")
    Path("empty.db").touch()
    with sqlite3.connect("other.sqlite") as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    for arguments, output in [
        (("query", "no.sqlite", "parent(?x, ?y)"), "there is no such store"),
        (("query", "other.sqlite", "parent(?x, ?y)"), "this is not a store"),
        (("kb", "show", "other.sqlite"), "this is not a store"),
        (("query", "f.sqlite"), "QUERY"),
        (("query", "f.sqlite#go", "parent(?x, ?y)"), "the store has no theory `go`"),
        (("query", "empty.db", "parent(?x, ?y)"), "this is not a store"),
        (("query", "--kb", "f.sqlite", "parent(?x, ?y)"), "No such option: --kb"),
        (("learn", "family"), "--into"),
        (("learn", "capture", "--into", "no/r.sqlite"), "there is no folder `no`"),
        (("verify", "r.horn"), "--theory"),
        (("solve", "family", "--problems", "p.jsonl"), "domain.py"),
        (("verify",), "RULES"),
        (("kb", "new", "f.sqlite", "family"), "there is a file already"),
        (("restore", "f.sqlite", "nosuch"), "no rule `nosuch`"),
        (("prune", "f.sqlite#go"), "no theory `go`"),
    ]:
        code, _, err = run(*arguments)
        assert (code, output in " ".join(err.split())) == (2, True), (arguments, err)
    code, _, err = run("store", "new", "g.sqlite", "nosuch")
    assert code == 1
    assert sorted(path.name for path in folder.iterdir()) == [
        "empty.db",
        "f.sqlite",
        "f.sqlite.writer",
        "other.sqlite",
    ]


@pytest.mark.usefixtures("taught")
def test_a_busy_store_is_reported(run, monkeypatch):
    """Check that learning cannot start while another process writes. A query is answered but not counted."""
    monkeypatch.setattr("hornbook.kb.store.session.WAIT", 0.05)
    with Store("p.sqlite", "write"):
        code, _, err = run("learn", "p.sqlite")
        assert code == 2
        assert "another process writes to it" in err
        code, _, err = run("problems", "solve", "p.sqlite", "--problems", "p.jsonl")
        assert code == 0
        assert "not counted: p.sqlite: another process writes to it" in err
        assert run("rules", "verify", "p.sqlite")[0] == 0


def test_programs_keep_what_they_learn(folder):
    with Store.create(folder / "cup.sqlite") as store:
        store.put_theory("cup")
        learned = hornbook.learn("cup")
        learned.rules.save(store)
        store.set_state(["cup_1"], "forgotten", "tried")
    with Store(folder / "cup.sqlite", "write") as store:
        rules = hornbook.read_rules(store)
        assert "cup_1" in rules
        assert rules.certified == []
        assert [verdict.follows for verdict in rules.verify()] == [True] * len(rules)
        rules.save(store)
        assert [rule.state for rule in store.rules() if rule.name == "cup_1"] == ["forgotten"]
        store.set_state(["cup_1"], "active", "")
        hornbook.LearnedRules("cup").save(store)
        assert {rule.state for rule in store.rules()} == {"retired"}


def test_check_finds_what_was_changed_behind_its_back(run, folder):
    run("learn", str(PAPER), "--into", "p.sqlite")
    (folder / "q.sqlite").write_bytes((folder / "p.sqlite").read_bytes())
    with sqlite3.connect("p.sqlite") as connection:
        connection.execute("UPDATE rules SET text = replace(text, ' ?i4 != ?m,', '')")
    connection.close()
    code, out, _ = run("store", "check", "p.sqlite", "--quick")
    assert (code, out.splitlines()[0]) == (
        1,
        f"p.sqlite: the rule `{RULE}` is not as it was written: it has another fingerprint",
    )
    # The certificate reveals a rule that does not follow, even if it is written with its own fingerprint.
    with Store("q.sqlite", "write") as store:
        (rule,) = store.rules()
        store.put_rule(replace(rule, text=rule.text.replace(" ?i4 != ?m,", "")))
    assert run("store", "check", "q.sqlite", "--quick")[0] == 0
    code, out, _ = run("store", "check", "q.sqlite", "--json")
    assert code == 1
    assert "the rule was edited since it was certified" in json.loads(out)["problems"][0]


@pytest.mark.deep
def test_advice_comes_from_the_rules_of_a_store(run):
    firm = Path(theories.__file__).parent / "firm"
    month = str(firm / "examples" / "bakery" / "03.csv")
    run("store", "new", "f.sqlite", "firm")
    assert run("store", "import", "f.sqlite", str(firm / "rules.horn"))[0] == 0
    with_store = run("firm", "advise", "f.sqlite", "--state", month)
    assert with_store == run("firm", "advise", "firm", "--state", month)
    with Store("f.sqlite", "write") as store:
        store.set_state([rule.name for rule in store.rules()], "forgotten", "tried")
    assert run("firm", "advise", "f.sqlite", "--state", month) != with_store


def test_what_a_store_shows(run, folder):
    """Show a migrated store of the first version, with one pruned rule."""
    connection = sqlite3.connect("old.sqlite")
    connection.executescript(VERSION_1.read_text(encoding="utf-8"))
    connection.close()
    assert run("rules", "prune", "old.sqlite", "--keep-value", "1")[0] == 0
    code, out, _ = run("store", "show", "old.sqlite")
    assert code == 0
    shown = re.sub(r"\d{4}-\d\d-\d\dT[\d:]+Z  pruned", "2026-11-21T17:00:00Z  pruned", out)
    if os.environ.get("HORNBOOK_UPDATE_GOLDEN"):
        GOLDEN.write_text(shown, encoding="utf-8")
    assert shown == GOLDEN.read_text(encoding="utf-8")


def test_help_describes_each_store_command_in_a_line(run):
    _, out, _ = run("store", "--help")
    assert "import   Create a store from text, or add rules to a store." in out
    assert "..." not in out.partition("Commands:")[2], "cut short"


def test_a_store_is_recognised_by_its_contents(run):
    """Check that a store is recognised by its first bytes, whatever its name.

    `#` selects one of its theories.
    """
    assert run("store", "new", "two", "family", "cup")[0] == 0
    code, _, err = run("query", "two", "parent(?x, ?y)")
    assert (code, "the store has several theories" in err) == (2, True)
    assert run("query", "two#family", "parent(ada, ?x)") == run("query", "family", "parent(ada, ?x)")
    assert run("check", "two#cup") == (0, "no mistakes\n", "")
    into_store, into_file = run("learn", "two#cup")[1], run("learn", "cup", "--into", "cup.db")[1]
    assert into_store.rpartition(";")[0] == into_file.rpartition(";")[0].replace("cup.db", "two")
    assert run("learn", "two#cup", "--into", "cup.db", "--json")[0] == 0
    assert run("rules", "verify", "two#cup") == run("rules", "verify", "cup.db", "--theory", "cup")
    assert run("store", "new", "copy.sqlite", "two#cup")[0] == 0
    for command in (("add", "two#cup", "--add", "facts.horn"), ("export", "two#family", "--rules")):
        Path("facts.horn").write_text("looks(mug, red).", encoding="utf-8")
        assert run("store", *command)[0] == 0
    assert run("query", "two#cup", "looks(mug, ?x)")[1] == "?x\nred\n"
    assert run("store", "retract", "two#cup", "facts.horn")[1] == "two#cup: 1 fact taken away, 0 left\n"


def test_rules_of_a_file_are_queried_instead_of_a_store(run):
    assert run("learn", "cup", "--into", "cup.sqlite")[0] == 0
    Path("none.horn").write_text("import cup.\n", encoding="utf-8")
    Path("mug.horn").write_text("looks(mug, light).", encoding="utf-8")
    queried = ("query", "cup.sqlite", "looks(?x, light)", "--add", "mug.horn")
    assert "answered with 1 learned rule" in run(*queried)[2]
    assert run(*queried, "--rules", "none.horn") == (0, "?x\nmug\n", "")


def test_a_store_with_two_actions_says_so_and_can_be_repaired(run, folder):
    text = "theory doors. sort door. fluent shut(door). action open(door). after shut(?d) :- open(_), before shut(?d)."
    (folder / "doors.horn").write_text(text, encoding="utf-8")
    assert run("store", "new", "f.sqlite", "doors.horn")[0] == 0
    with Store(folder / "f.sqlite", "write") as store:
        # A program may write facts that a knowledge base would refuse.
        store.add_facts(
            [GroundFact("shut", ("b",), "before"), GroundFact("open", ("a",)), GroundFact("open", ("b",))]
        )
    code, _, err = run("query", "f.sqlite", "after shut(?d)")
    assert code == 1
    assert "two actions in one state, `open(a)` and `open(b)`" in err
    (folder / "less.horn").write_text("open(b).", encoding="utf-8")
    assert run("store", "retract", "f.sqlite", "less.horn")[:2] == (
        0,
        "f.sqlite: 1 fact taken away, 2 left\n",
    )
    assert run("query", "f.sqlite", "after shut(?d)")[:2] == (0, "?d\nb\n")


def test_a_full_disk_is_reported_without_success(run, folder, monkeypatch):
    run("store", "new", "f.sqlite", "family")
    (folder / "more.horn").write_text("parent(eve, gus).", encoding="utf-8")
    rows = Store._rows

    def full(store: Store, sql: str, *values: object) -> object:
        if sql == "COMMIT":
            raise StoreError("f.sqlite: there is no room on the disk; nothing was changed")
        return rows(store, sql, *values)

    monkeypatch.setattr(Store, "_rows", full)
    code, out, err = run("store", "add", "f.sqlite", "--add", "more.horn")
    assert (code, out) == (1, "")
    assert "no room on the disk" in err
    monkeypatch.undo()
    os.chdir(folder)
    with Store("f.sqlite") as store:
        assert store.count_facts() == 0


def test_an_exported_text_that_is_not_utf_8_is_named_by_line(run, folder):
    run("store", "new", "f.sqlite", "family")
    run("store", "export", "f.sqlite", "f.txt")
    text = Path("f.txt").read_bytes()
    Path("f.txt").write_bytes(text.replace(b"\n", b"\n\xff", 1))
    code, _, err = run("store", "import", "g.sqlite", "f.txt")
    assert code == 2
    assert "f.txt:2: byte 0xFF is not valid UTF-8; save the text as UTF-8" in err
    assert not Path("g.sqlite").exists()
