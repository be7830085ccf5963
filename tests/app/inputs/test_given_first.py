"""Facts before rules: a count that only a fact can stop ends at that fact.

The result does not depend on how the fact is given.
"""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.store import Store
from hornbook.kb.tables.tables import load_table
from hornbook.matcher.program.coded import Limits
from oracles.pages.engines import engines_with

THEORY = """theory counting.
sort what.
static lim(int).
static seen(int).
meta n(int).
meta last(what -> int).
zero: n(0).
next: n(?j) :- n(?i), absent lim(?i), ?j = ?i + 1.
ends: last(it, ?i) :- n(?i), lim(?i).
"""
ADAPTER = """from hornbook.kb.ast.theory import GroundFact

def read(text, path):
    return int(text)

def facts(state):
    return [GroundFact("lim", (state,))]
"""
LIMITS = Limits(facts=1000)
ENDLESS = "more than 1,000 facts; a rule may not end"


@pytest.fixture(autouse=True)
def given(folder: Path) -> Path:
    Path("counting.horn").write_text(THEORY)
    Path("adapter.py").write_text(ADAPTER)
    Path("lim.csv").write_text("lim\n10\n")
    Path("more.csv").write_text("lim\n20\n")
    Path("seen.csv").write_text("seen\n5\n")
    Path("lim.horn").write_text("lim(10).")
    Path("ten.txt").write_text("10")
    there = Path("given")
    there.mkdir()
    (there / "lim.csv").write_text("lim\n10\n")
    return folder


def base(**more: object) -> KnowledgeBase:
    return KnowledgeBase("counting.horn", limits=LIMITS, **more)


def facts(relation: str, *numbers: int) -> list[GroundFact]:
    return [GroundFact(relation, (number,)) for number in numbers]


WAYS = [
    ("--facts", "lim=lim.csv"),
    ("--facts", "given"),
    ("--facts", "seen=seen.csv", "--facts", "lim=lim.csv"),
    ("--add", "lim.horn"),
    ("--facts", "seen=seen.csv", "--add", "lim.horn"),
    ("--state", "ten.txt"),
]


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("query", "counting.horn", "last(it, ?i)"), "10"),
        (("why", "counting.horn", "n(1)"), "absent lim(0)"),
        (("why-not", "counting.horn", "n(12)"), "with ?j = 12"),
        (("run", "counting.horn", "--into", "out"), "n: 11 rows"),
        (("repl", "counting.horn"), "?i\n10"),
    ],
    ids=lambda each: each[0] if isinstance(each, tuple) else "",
)
def test_rules_run_when_all_is_given(run, monkeypatch, command, message, way):
    monkeypatch.setattr("sys.stdin", StringIO("last(it, ?i)\n"))
    code, out, err = run(*command, *way, "--max-facts", "1000")
    assert code == 0, err
    assert message in out


def test_rules_that_are_added_wait_for_facts_in_later_files(run):
    declarations, rules = THEORY.split("zero:")
    Path("counting.horn").write_text(declarations)
    Path("rules.horn").write_text(f"zero:{rules}")
    more = ("--add", "rules.horn", "--add", "lim.horn", "--max-facts", "1000")
    assert run("query", "counting.horn", "last(it, ?i)", *more)[:2] == (0, "?i\n10\n")
    assert "with ?j = 12" in run("why-not", "counting.horn", "n(12)", *more)[1]


@pytest.mark.parametrize("order", ["lim seen", "seen lim"])
def test_a_store_takes_facts_in_any_order(run, monkeypatch, order):
    monkeypatch.setattr("hornbook.kb.base.knowledge_base.Limits", lambda: LIMITS)
    run("store", "new", "c.sqlite", "counting.horn")
    for name in order.split():
        code, _, err = run("store", "add", "c.sqlite", "--facts", f"{name}={name}.csv")
        assert code == 0, err
    assert run("query", "c.sqlite", "last(it, ?i)")[1] == "?i\n10\n"
    assert "with ?j = 12" in run("why-not", "c.sqlite", "n(12)")[1]


def test_what_contradicts_by_its_conclusions_is_not_stored(run):
    Path("counting.horn").write_text(THEORY + "also: last(it, ?i) :- seen(?i).\n")
    run("store", "new", "two.sqlite", "counting.horn")
    assert run("store", "add", "two.sqlite", "--facts", "lim=lim.csv")[0] == 0
    code, _, err = run("store", "add", "two.sqlite", "--facts", "seen=seen.csv")
    assert code == 1
    assert "two values for one key: `last(it, 5)` and `last(it, 10)`" in err
    assert "1 fact" in run("store", "show", "two.sqlite")[1]


def test_python_adds_in_as_many_steps_as_it_likes():
    counting = base()
    counting.add(facts("seen", 3))
    counting.add(load_table("lim=lim.csv", counting.theory.vocabulary).facts)
    counting.add_text("lim(12).")
    assert counting.query("last(it, ?i)").to_tuples() == [(10,)]


@pytest.mark.parametrize("engine", engines_with("derivations"))
def test_every_engine_waits(engine):
    counting = base(engine=engine)
    counting.add(facts("lim", 4))
    assert counting.query("n(?i)").to_tuples() == [(i,) for i in range(5)]
    assert counting.why("n(1)").rules[-1].name == "next"


def test_a_store_in_python_is_read_first(run):
    run("store", "new", "c.sqlite", "counting.horn")
    with Store(Path("c.sqlite"), "write") as store:
        counting = KnowledgeBase(store=store, limits=LIMITS)
        counting.add(facts("seen", 3))
        counting.add(facts("lim", 2))
    with Store(Path("c.sqlite")) as store:
        assert len(KnowledgeBase(store=store, limits=LIMITS).query("n(?i)")) == 3


def test_a_question_too_early_says_so_and_facts_static_help():
    counting = base()
    for _ in range(2):
        with pytest.raises(KnowledgeBaseError, match=ENDLESS):
            counting.query("n(?i)")
    counting.add(facts("lim", 2))
    assert len(counting.query("n(?i)")) == 3


def test_after_the_first_question_every_change_is_whole_or_refused():
    counting = base()
    counting.add(facts("lim", 2))
    assert len(counting.query("n(?i)")) == 3
    with pytest.raises(KnowledgeBaseError, match=ENDLESS):
        counting.retract(facts("lim", 2))
    assert len(counting.query("n(?i)")) == 3
    counting.exchange(facts("lim", 2), facts("lim", 5))
    assert len(counting.query("n(?i)")) == 6


def test_what_is_given_is_checked_at_once():
    counting = KnowledgeBase("counting.horn")
    Path("keyed.horn").write_text(THEORY + "static one(what -> int).\n")
    keyed = KnowledgeBase("keyed.horn")
    keyed.add([GroundFact("one", ("it", 1))])
    with pytest.raises(KnowledgeBaseError, match="two values for one key"):
        keyed.add([GroundFact("one", ("it", 2))])
    with pytest.raises(TheoryError):
        counting.add_text("lim(a).")


def test_conclusions_are_checked_at_once_where_rules_end_by_themselves():
    Path("ends.horn").write_text(
        "theory ends. sort what. static lim(int). derived last(what -> int). ends: last(it, ?i) :- lim(?i)."
    )
    ends = KnowledgeBase("ends.horn")
    with pytest.raises(KnowledgeBaseError, match="two values for one key"):
        ends.add(facts("lim", 1, 2))
    assert ends.given() == []


def test_conclude_asks_without_a_question():
    counting = base()
    with pytest.raises(KnowledgeBaseError, match=ENDLESS):
        counting.engine.evaluate()
    counting.add(facts("lim", 2))
    counting.engine.evaluate()


def test_marks_before_the_fact_that_ends_it():
    counting = base()
    counting.add(facts("seen", 1))
    for limit in (3, 4):
        counting.push()
        counting.add(facts("lim", limit))
        assert len(counting.query("n(?i)")) == limit + 1
        counting.push()
        counting.add(facts("lim", 0))
        assert len(counting.query("n(?i)")) == 1
        counting.pop()
        assert len(counting.query("n(?i)")) == limit + 1
        counting.pop()
        assert counting.given() == facts("seen", 1)
    counting.add(facts("lim", 1))
    assert len(counting.query("n(?i)")) == 2


def test_a_state_of_a_table_may_bring_what_ends_it(run):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"state": ["10", "12"]}), "states.parquet")
    code, _, err = run(
        "query",
        "counting.horn",
        "last(it, ?i)",
        "--states",
        "states.parquet",
        "--into",
        "a.parquet",
        "--max-facts",
        "1000",
    )
    assert code == 0, err
    assert parquet.read_table("a.parquet")["answers"].to_pylist() == [[{"i": 10}], [{"i": 12}]]


def test_an_example_brings_it(run):
    Path("given").rename("tables")
    Path("counting.horn").write_text(
        THEORY
        + "example three: lim(3).\nexpect three: last(it, 3).\n"
        + 'example ten from "tables".\nexpect ten: last(it, 10).\n'
        + 'example state from "ten.txt".\nexpect state: last(it, 10).\n'
    )
    code, out, err = run("test", "counting.horn")
    assert (code, err) == (0, ""), out + err


def test_a_theory_without_examples_passes_though_its_facts_are_elsewhere(run, monkeypatch):
    monkeypatch.setattr("hornbook.kb.base.knowledge_base.Limits", lambda: LIMITS)
    code, _, err = run("test", "counting.horn")
    assert (code, err) == (0, "")


def test_at_the_prompt(run, monkeypatch):
    typed = "n(2)\nwhat if lim(2): last(it, ?i)\nlim(3).\nlast(it, ?i)\nlim(1).\n:undo\nlast(it, ?i)\n"
    monkeypatch.setattr("sys.stdin", StringIO(typed))
    _, out, err = run("repl", "counting.horn", "--max-facts", "1000")
    assert ENDLESS in err
    assert out.count("?i\n2") == 1
    assert out.count("?i\n3") == 2


def test_rules_that_wait_can_be_taken_back():
    counting = base()
    more = counting.read_clauses("sooner: n(-2) :- seen(_).\nmuch_sooner: n(-9) :- seen(_).").rules
    counting.exchange((), (), rules=more)
    counting.exchange((), (), drop_rules=1)
    counting.add([*facts("seen", 1), *facts("lim", 2)])
    assert counting.query("n(?i)").to_tuples() == [(i,) for i in range(-2, 3)]
    counting.exchange((), (), drop_rules=1)
    assert len(counting.query("n(?i)")) == 3


def test_a_change_that_is_refused_leaves_what_waits():
    counting = base()
    with pytest.raises(TheoryError):
        counting.add_text("n(7).")
    with pytest.raises(TheoryError):
        counting.add_text("also: n(?x) :- lim(?x), seen(?y).\nlim(?x) :- .")
    counting.add(facts("lim", 2))
    assert len(counting.query("n(?i)")) == 3
