"""`query`, `why`, `why-not` and `test` from the command line: output and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hornbook import KnowledgeBase

TINY = """theory tiny.
sort thing.
sort mark = good | bad.
static above(thing, thing).
fluent mark(thing -> mark).
derived fine(thing).
fine_if_good: fine(?x) :- mark(?x, good).
fine_by_its_support: fine(?x) :- above(?x, ?y), fine(?y).
example pair: above(a, b), mark(b, good).
expect pair: fine(a).
"""


@pytest.fixture(autouse=True)
def files(folder):
    Path("tiny.horn").write_text(TINY)
    Path("mark.csv").write_text("thing,mark\nb,good\nc,bad\n")
    Path("more.horn").write_text("above(a, b). above(b, c).")


FACTS = ("--facts", "mark=mark.csv", "--add", "more.horn")
HEADER = "mark=mark.csv: 2 facts below the header `thing,mark`\n"


def test_query_prints_a_table_or_json(run):
    assert run("query", "tiny.horn", "?- fine(?x).", *FACTS) == (0, "?x\na\nb\n", HEADER)
    code, out, _ = run("query", "tiny.horn", "mark(?x, ?m)", *FACTS, "--json")
    assert (code, json.loads(out)) == (0, [{"x": "b", "m": "good"}, {"x": "c", "m": "bad"}])


def test_more_answers_than_are_allowed_are_refused_with_a_way_out(run):
    queried = ("query", "tiny.horn", "mark(?x, ?m)", *FACTS)
    for form in ([], ["--json"]):
        code, out, err = run(*queried, "--max-answers", "1", *form)
        assert (code, out) == (2, "")
        assert "more than 1 answer; ask for less, or allow more" in " ".join(err.split())
    assert run(*queried, "--max-answers", "2")[:2] == (0, "?x  ?m\nb   good\nc   bad\n")


@pytest.mark.deep
@pytest.mark.parametrize("command", ["query", "why", "why-not"])
def test_facts_and_answers_that_take_too_much_memory_are_refused(run, folder, command):
    (folder / "many.horn").write_text(" ".join(f"above(a{n}, b{n})." for n in range(20_000)))
    code, out, err = run(command, "tiny.horn", "fine(a)", "--add", "many.horn", "--memory", "1")
    assert (code, out) == (1, "")
    assert "more than 1,048,576 bytes; raise the limit" in err


@pytest.mark.parametrize(
    "command", [("query", "fine(a)"), ("why", "fine(a)"), ("why-not", "fine(c)"), ("run", "--into", "out")]
)
def test_the_limit_of_facts_is_raised_as_the_message_says(run, command):
    name, *queried = command
    code, out, err = run(name, "tiny.horn", *queried, *FACTS, "--max-facts", "4")
    assert (code, out) == (1, "")
    assert "more than 4 facts; a rule may not end, or raise the limit (`--max-facts`; from Python" in err
    assert run(name, "tiny.horn", *queried, *FACTS, "--max-facts", "6")[0] == 0


@pytest.mark.parametrize(
    "queried", [("query", "same(n1990, n1995)"), ("why", "other(n9)"), ("why-not", "same(n1990, n3)")]
)
def test_only_what_a_question_rests_on_is_concluded(run, folder, queried):
    """Query a tree that has more than a million consequences in total."""
    (folder / "tree.horn").write_text(
        "sort node. static parent(node, node). static same(node, node). static other(node)."
        "siblings: same(?a, ?b) :- parent(?p, ?a), parent(?p, ?b)."
        "cousins: same(?a, ?b) :- parent(?p, ?a), same(?p, ?q), parent(?q, ?b)."
        "other: other(?a) :- parent(_, ?a)."
    )
    (folder / "facts.horn").write_text("".join(f"parent(n{(n - 1) // 2}, n{n}). " for n in range(1, 2000)))
    command, fact = queried
    code, out, err = run(command, "tree.horn", fact, "--add", "facts.horn", "--max-facts", "20000")
    assert (code, err) == (0, "")
    assert out


def test_an_answer_that_takes_too_much_memory_is_refused(run, folder):
    (folder / "some.horn").write_text(" ".join(f"mark(m{n}, good)." for n in range(300)))
    queried = ("query", "tiny.horn", "mark(?x, ?m), mark(?y, ?n)", "--add", "some.horn", "--memory", "2")
    code, out, err = run(*queried)
    assert (code, out) == (1, "")
    assert "more than 2,097,152 bytes" in err


def test_json_is_one_list_however_many_answers_there_are(run):
    for query in ("mark(?x, ?m)", "mark(?x, good)", "mark(a, ?m)", "mark(b, good)"):
        base = KnowledgeBase("tiny.horn")
        base.add_text("mark(b, good). mark(c, bad).")
        _, out, _ = run("query", "tiny.horn", query, *FACTS, "--json")
        assert out == json.dumps(base.query(query).to_dicts()) + "\n"


def test_yes_no_and_nothing(run):
    assert run("query", "tiny.horn", "fine(a)", *FACTS)[:2] == (0, "yes\n")
    assert run("query", "tiny.horn", "fine(c)", *FACTS)[:2] == (0, "no\n")
    assert run("query", "tiny.horn", "fine(?x)")[:2] == (0, "no answers\n")
    assert run("query", "tiny.horn", "fine(a)", *FACTS, "--json")[:2] == (0, "[{}]\n")
    assert run("query", "tiny.horn", "fine(c)", *FACTS, "--json")[:2] == (0, "[]\n")


def test_both_engines_answer_alike(run):
    one = run("query", "tiny.horn", "fine(?x)", *FACTS)
    other = run("query", "tiny.horn", "fine(?x)", *FACTS, "--engine", "pydatalog")
    assert one == other == (0, "?x\na\nb\n", HEADER)


def test_a_mistake_in_the_query_is_shown_with_a_caret(run):
    code, out, err = run("query", "tiny.horn", "fin(?x)")
    assert (code, out) == (1, "")
    assert "error[HB010]" in err
    assert "did you mean `fine`?" in err
    assert "\n  | ^^^\n" in err


def test_bad_rows_are_refused_or_skipped(run, folder):
    (folder / "mark.csv").write_text("thing,mark\nb,good\nc,ugly\n")
    code, out, err = run("query", "tiny.horn", "mark(?x, _)", "--facts", "mark=mark.csv")
    assert (code, out) == (1, "")
    assert "3" in err
    assert "ugly" in err
    code, out, err = run("query", "tiny.horn", "mark(?x, _)", "--facts", "mark=mark.csv", "--skip-bad")
    assert (code, out) == (0, "?x\nb\n")
    assert "skipped" in err


def test_a_file_of_facts_that_is_wrong_says_where(run, folder):
    (folder / "more.horn").write_text("above(a, b).\nabove(a).\n")
    code, _, err = run("query", "tiny.horn", "fine(?x)", "--add", "more.horn")
    assert code == 1
    assert "more.horn:2:1" in err


def test_learned_rules_read_states_by_the_adapter_of_the_theory_they_import(run, folder):
    (folder / "tiny").mkdir()
    (folder / "tiny.horn").rename(folder / "tiny" / "tiny.horn")
    (folder / "tiny" / "adapter.py").write_text(
        "from hornbook.kb.ast.theory import GroundFact\n"
        "read = lambda text, name: text.split()\n"
        "facts = lambda good: [GroundFact('mark', (thing, 'good')) for thing in good]\n"
    )
    (folder / "rules.horn").write_text("import tiny.\nlearned: fine(?x) :- above(?x, ?y), mark(?y, good).\n")
    (folder / "state.txt").write_text("b")
    queried = run("query", "rules.horn", "fine(?x)", "--state", "state.txt", "--add", "more.horn")
    assert queried == (0, "?x\na\nb\n", "")


def test_a_state_of_a_theory_without_adapter_is_facts(run, folder):
    code, _, err = run("query", "tiny.horn", "fine(?x)", "--state", "mark.csv")
    assert code == 1
    assert "mark.csv:1" in err
    (folder / "state.horn").write_text("above(a, b). mark(b, good).")
    with_state = run("query", "tiny.horn", "mark(?x, good)", "--state", "state.horn")
    assert with_state == run("query", "tiny.horn", "mark(?x, good)", "--add", "state.horn")


def test_a_bound_on_time_is_stored(run, folder):
    (folder / "up.horn").write_text("sort s.\nstatic n(int).\nup: n(?m) :- n(?k), ?m = ?k + 1.\nn(0).\n")
    code, _, err = run("query", "up.horn", "n(3)", "--seconds", "0.2")
    assert code == 1
    assert "more than 0.2 seconds" in err


def test_an_engine_that_there_is_not_is_an_error_of_one_line(run, monkeypatch):
    monkeypatch.setenv("HORNBOOK_ENGINE", "fast")
    code, out, err = run("query", "tiny.horn", "fine(?x)")
    assert (code, out) == (1, "")
    assert err == "error: HORNBOOK_ENGINE is `fast`; the engines are compiled and plain\n"


def test_of_a_large_proof_why_shows_what_is_near_unless_more_is_queried_for(run, folder):
    (folder / "up.horn").write_text(
        "sort s.\nstatic n(int).\nup: n(?m) :- n(?k), ?k < 500, ?m = ?k + 1.\nn(0).\n"
    )
    queried = ("why", "up.horn", "n(500)")
    code, out, err = run(*queried)
    assert (code, err) == (0, "shown 300 deep; `--depth N` shows more of the proof, `--full` all of it\n")
    assert out.splitlines()[-1] == "… of 500 derived facts, the reasons of 200 are left out"
    code, out, err = run(*queried, "--depth", "1")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "n(500)  [up, up.horn:3]",
        "  n(499)  [up, up.horn:3] …",
        "  499 < 500  [holds]",
        "  500 = 499 + 1  [holds]",
        "… of 500 derived facts, the reasons of 499 are left out",
    ]
    code, out, err = run(*queried, "--full")
    assert (code, err) == (0, "")
    assert out.count("[up, up.horn:3]") == 500
    page = folder / "proof.html"
    run(*queried, "--html", str(page))
    assert page.read_text().count("<details id=") == 500
    run(*queried, "--html", str(page), "--depth", "2")
    assert page.read_text().count("<details id=") == 2
    steps = json.loads(run(*queried, "--json")[1])["steps"]
    assert len(steps) == 501
    assert steps[-1]["reasons"][0] == {"condition": "n(499)", "steps": [499]}


def test_why_prints_the_proof_in_every_shape(run):
    code, out, _ = run("why", "tiny.horn", "fine(a)", *FACTS)
    assert code == 0
    assert out.splitlines() == [
        "fine(a)  [fine_by_its_support, tiny.horn:8]",
        "  above(a, b)  [more.horn:1]",
        "  fine(b)  [fine_if_good, tiny.horn:7]",
        "    mark(b, good)  [mark.csv:2]",
    ]
    for shape, start in {"dot": "digraph", "mermaid": "flowchart", "svg": "<svg"}.items():
        code, out, _ = run("why", "tiny.horn", "fine(a)", *FACTS, "--format", shape)
        assert code == 0
        assert out.lstrip().startswith(start)
    code, out, _ = run("why", "tiny.horn", "fine(a)", *FACTS, "--json")
    assert json.loads(out)["goal"] == "fine(a)"


def test_why_of_what_does_not_hold_points_to_why_not(run):
    code, out, err = run("why", "tiny.horn", "fine(c)", *FACTS)
    assert (code, out) == (1, "")
    assert "why-not" in err


def test_why_not_says_what_holds_instead(run):
    code, out, _ = run("why-not", "tiny.horn", "fine(c)", *FACTS)
    assert code == 0
    assert "fails: mark(c, good)" in out
    assert "instead: mark(c, bad)" in out
    code, out, _ = run("why-not", "tiny.horn", "fine(c)", *FACTS, "--json")
    assert json.loads(out)["attempts"][0]["failing"] == "mark(c, good)"


def test_why_says_a_proof_in_the_words_of_the_theory(run, folder):
    printed = TINY.replace("-> mark).", '-> mark) says "?1 is ?2".').replace(
        "fine(thing).", 'fine(thing) says "all is well with ?1".'
    )
    (folder / "said.horn").write_text(printed)
    question = ("why", "said.horn", "fine(a)", *FACTS)
    code, out, _ = run(*question, "--words")
    assert code == 0
    assert [line.partition("  [")[0] for line in out.splitlines()] == [
        "all is well with a", "  above(a, b)", "  all is well with b", "    b is good",
    ]  # fmt: skip
    assert run(*question)[1].startswith("fine(a)  [")
    assert "all is well with b" in run(*question, "--words", "--format", "dot")[1]
    assert run(*question, "--words", "--json")[1] == run(*question, "--json")[1]


def test_test_reports_what_is_met(run):
    assert run("test", "tiny.horn") == (0, "1 met, 0 not met\n", "")
    code, out, _ = run("test", "tiny.horn", "--coverage")
    assert code == 0
    assert "     1  fine_if_good  [tiny.horn:7]" in out
    assert "2 of 2 rules fired" in out


def test_test_fails_with_what_was_derived_instead(run, folder):
    with (folder / "tiny.horn").open("a") as file:
        file.write("expect pair: mark(b, bad).\n")
    code, out, _ = run("test", "tiny.horn")
    assert code == 1
    assert out.splitlines() == [
        "tiny.horn:11:8: pair: expected mark(b, bad)",
        "  `mark(b, bad)` is not derived; derived instead: `mark(b, good)`",
        "1 met, 1 not met",
    ]
    code, out, _ = run("test", "tiny.horn", "--json")
    assert code == 1
    assert [o["met"] for o in json.loads(out)["outcomes"]] == [True, False]


def test_what_is_wrong_with_a_state_names_the_file_as_it_was_given(run, folder):
    (folder / "boards").mkdir()
    (folder / "boards" / "empty.txt").touch()
    _, _, err = run("query", "go", "--state", "boards/empty.txt", "legal(black, ?p)")
    assert " --> boards/empty.txt:1:1\n" in err
