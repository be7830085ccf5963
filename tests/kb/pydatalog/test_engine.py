from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pyDatalog import pyDatalog

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase, KnowledgeBaseError
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse_query
from hornbook.kb.pydatalog.engine import UnsupportedError, answer
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.errors import TimeLimitError
from oracles.language.pydatalog_questions import QUERIES, questions


def in_time(seeds, seconds):
    """Return the engine's answer to each query of these theories, or a mark for a query that ran out of time."""
    outcomes = []
    while len(outcomes) < len(seeds) * QUERIES:
        outcomes += from_a_child(json.dumps([list(seeds), len(outcomes)]), seconds)
    return outcomes


def from_a_child(task, seconds):
    command = [sys.executable, "-c", "from oracles.language.pydatalog_questions import serve; serve()"]
    path = os.pathsep.join(path or "." for path in sys.path)
    # pyDatalog iterates over sets of strings, so its order of work depends on their hashes.
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    lines = queue.Queue()

    def read(stream):
        for line in stream:
            lines.put(line)
        lines.put("")

    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        reader = threading.Thread(target=read, args=(child.stdout,))
        reader.start()
        child.stdin.write(task)
        child.stdin.close()
        try:
            while line := lines.get(timeout=seconds):
                yield json.loads(line)
            assert child.wait() == 0
        except queue.Empty:
            yield ["time-out", None]
        finally:
            child.kill()
            reader.join()


@pytest.mark.deep
@pytest.mark.parametrize("first", range(0, 60, 20))
def test_both_engines_give_the_same_answers(first, record_property):
    seeds = range(first, first + 20)
    outcomes = iter(in_time(seeds, seconds=20))
    counts = Counter()
    for seed in seeds:
        theory, queries = questions(seed)
        base = KnowledgeBase(theory)
        for query in queries:
            kind, output = next(outcomes)
            counts[kind] += 1
            if kind == "answers":
                assert [tuple(row) for row in output] == base.engine.query(query).to_tuples(), (seed, query)
            elif kind == "refused":
                assert "in the body of its own rule" in output
    # pyDatalog does not always terminate, not even on linear recursion.
    record_property("pydatalog", dict(counts))
    print(counts)
    assert counts["answers"] > 0.8 * 20 * QUERIES
    assert counts["time-out"] <= 3


FAMILY = """
sort person.
static parent(person, person).
derived ancestor(person, person).
ancestor(?x, ?y) :- parent(?x, ?y).
ancestor(?x, ?y) :- parent(?x, ?z), ancestor(?z, ?y).
parent(ann, bob).
parent(bob, cid).
"""


def ask(theory_text, query, facts=(), **options):
    return answer(load_text(theory_text), facts, parse_query(query), **options)


def test_given_facts_are_added_to_those_of_the_theory():
    facts = [GroundFact("parent", ("cid", "dan")), GroundFact("parent", ("bob", "cid"))]
    assert ask(FAMILY, "ancestor(bob, ?who)", facts) == [("cid",), ("dan",)]


def test_answers_have_the_named_variables_in_order_of_first_appearance():
    assert ask(FAMILY, "?b != ann, parent(?a, ?b), parent(_, ?a)") == [("cid", "bob")]
    assert ask(FAMILY, "parent(ann, bob)") == [()]
    assert ask(FAMILY, "parent(ann, cid)") == []
    assert ask(FAMILY, "absent parent(ann, cid)") == [()]
    assert ask(FAMILY, "parent(?x, _), absent parent(_, ?x)") == [("ann",)]
    assert ask(FAMILY, "1 < 2, parent(ann, ?x)") == [("bob",)]
    assert ask(FAMILY, "2 < 1, parent(ann, ?x)") == []


def test_integers_and_words_stay_distinct():
    theory = "sort w. static s(w). static n(int). s('5'). s('-5'). n(5). n(-5)."
    assert ask(theory, "s(?x)") == [("-5",), ("5",)]
    assert ask(theory, "n(?x)") == [(-5,), (5,)]
    assert ask(theory, "n(?x), ?x < 0") == [(-5,)]


def test_only_the_moment_before_is_read():
    theory = """
    sort point. sort colour = black | white.
    fluent colour(point -> colour). action move(colour, point). derived taken(point).
    taken(?p) :- colour(?p, _).
    appears: after colour(?p, ?c) :- move(?c, ?p).
    """
    facts = [
        GroundFact("colour", ("a", "black")),
        GroundFact("colour", ("b", "black"), "before"),
        GroundFact("colour", ("c", "black"), "after"),
        GroundFact("move", ("white", "d")),
    ]
    assert ask(theory, "taken(?p)", facts) == [("a",), ("b",)]
    assert ask(theory, "before colour(?p, black), move(?c, _)", facts) == [("a", "white"), ("b", "white")]


def test_the_knowledge_base_hands_over_the_facts_and_rules_of_the_moment():
    base = KnowledgeBase(load_text(FAMILY))
    base.retract([GroundFact("parent", ("bob", "cid"))])
    base.add_text("parent(bob, dan). ancestor(?x, ?x) :- parent(?x, _).")
    for query in ("ancestor(ann, ?x)", "ancestor(?x, _), absent parent(_, ?x)"):
        queried = base.query(query, engine="pydatalog")
        assert (queried.variables, queried.rows) == (("x",), base.query(query).rows)
    assert base.query("ancestor(ann, ?x)", engine="pydatalog").to_tuples() == [("ann",), ("bob",), ("dan",)]


def test_the_knowledge_base_ends_what_takes_longer_than_its_limit():
    base = KnowledgeBase(load_text(FAMILY), limits=Limits(seconds=60))
    assert base._limits.seconds == 60
    base._limits = Limits(seconds=0.01)  # enough for our own engine only
    with pytest.raises(KnowledgeBaseError, match=r"more than 0\.01 seconds"):
        base.query("ancestor(ann, ?x)", engine="pydatalog")


UNSUPPORTED = (Path(__file__).parent / "data" / "engine_unsupported.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("free(?p)", "<text>:7:22: pyDatalog cannot answer this: `all`, for it has no closed sets"),
        ("even(?n)", "`even` and `odd` are mutually recursive, and it may not end"),
        ("path(?x, ?y)", "<text>:11:31: pyDatalog cannot answer this: `path` stands twice in the body"),
        ("next(1, ?m)", "arithmetic"),
        ("eye(?p), after eye(?p)", "<query>:1:10: pyDatalog cannot answer this: it knows one moment only"),
        ("take(?b) is ?v", "<query>:1:1: pyDatalog cannot answer this: statements on games"),
        ("best(?p)", "<text>:14:22: pyDatalog cannot answer this: `absent` in a rule"),
        ("?n = count ?l in liberty(a, ?l)", "`count … in`"),
        ("?n = count ?p where eye(?p)", "`count … where`"),
        ("eye(?p), absent free(?p)", "`all`"),
    ],
)
def test_what_pydatalog_cannot_do_is_refused_with_a_reason_and_a_place(query, reason):
    with pytest.raises(UnsupportedError) as caught:
        ask(UNSUPPORTED, query)
    assert reason in str(caught.value)
    assert caught.value.span is not None


def test_what_a_query_cannot_reach_does_not_matter():
    assert ask(UNSUPPORTED, "eye(?p)", [GroundFact("eye", ("a",))]) == [("a",)]


def test_a_program_of_ones_own_in_pydatalog_is_left_only():
    pyDatalog.clear()
    pyDatalog.load("+ mine('a')\nrelation_0(X, Y) <= mine(X) & mine(Y)")
    assert ask(FAMILY, "ancestor(ann, ?x)") == [("bob",), ("cid",)]
    assert pyDatalog.ask("relation_0(X, Y)") == {("a", "a")}
    pyDatalog.clear()


@pytest.mark.deep
def test_what_takes_longer_than_allowed_is_ended():
    facts = [GroundFact("parent", (f"p{i}", f"p{i + 1}")) for i in range(2000)]
    with pytest.raises(TimeLimitError, match="more than 1 second"):
        ask(FAMILY, "ancestor(?x, ?y)", facts, seconds=1)


@pytest.mark.deep
@settings(max_examples=12, deadline=None)
@example(["True", "None", "_pyD_class", "X", "1", "it's", "two\nlines", "名前", "\ud800"])
@given(st.lists(st.text(min_size=1), min_size=1, max_size=8))
def test_any_word_survives(words):
    theory = load_text("sort w. static s(w, w).")
    facts = [GroundFact("s", (word, word[::-1])) for word in words]
    rows = answer(theory, facts, parse_query("s(?x, ?y), absent s(?x, nothing)"))
    assert rows == sorted({(word, word[::-1]) for word in words if word[::-1] != "nothing"})


def test_the_reason_names_the_way_out_where_pydatalog_is_not_installed(monkeypatch, tmp_path):
    (tmp_path / "pyDatalog.py").write_text("raise ImportError")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UnsupportedError, match="pip install 'hornbook\\[pydatalog\\]'"):
        ask(FAMILY, "parent(?x, ?y)")


def test_what_pydatalog_raises_is_no_traceback(monkeypatch, tmp_path):
    (tmp_path / "pyDatalog").mkdir()
    (tmp_path / "pyDatalog/__init__.py").touch()
    (tmp_path / "pyDatalog/pyDatalog.py").write_text("def Logic(): raise ValueError('no logic')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UnsupportedError, match="pyDatalog failed: no logic"):
        ask(FAMILY, "parent(?x, ?y)")
