"""Tests of programs that are executed: the import has the content of pyDatalog at their end."""

from __future__ import annotations

import sys

import pytest

from hornbook.cli import main
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.pydatalog.importing import import_pydatalog
from hornbook.kb.pydatalog.process import PyDatalogError
from hornbook.kb.pydatalog.running import final_program
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.errors import TimeLimitError


def run(program, *, partial=False, file="program.py", seconds=60):
    return final_program(
        f"from pyDatalog import pyDatalog\n{program}", str(file), partial=partial, seconds=seconds
    )


def stored(program, **options):
    return run(program, **options).split("\n", 1)[1].splitlines()


def base(program, **options):
    return KnowledgeBase(load_text(import_pydatalog(run(program, **options), "imported")))


def test_loops_functions_files_and_texts_are_run(tmp_path):
    (tmp_path / "legs.csv").write_text("cat,4\nhen,2\n", encoding="utf-8")
    (tmp_path / "reading.py").write_text("def rows(path): return [r.split(',') for r in open(path)]\n")
    program = """
import os, reading
pyDatalog.create_terms('X, Y, legs, next_to, reach, print')
def near(i):
    + next_to(i, i + 1)
for i in range(3):
    near(i)
folder = os.path.dirname(__file__)
for name, number in reading.rows(os.path.join(folder, 'legs.csv')):
    pyDatalog.assert_fact('legs', name, int(number))
pyDatalog.load('reach(X, Y) <= next_to(X, Y)\\nreach(X, Y) <= next_to(X, Z) & reach(Z, Y)')
- next_to(2, 3)
print(reach(X, Y))
"""
    animals = base(program, file=tmp_path / "program.py")
    assert set(animals.query("legs(?x, ?n)").to_tuples()) == {("cat", 4), ("hen", 2)}
    assert set(animals.query("reach(0, ?x)").to_tuples()) == {(1,), (2,)}


@pytest.mark.parametrize(
    "clause",
    [
        "p(X, Y) <= q(X, Z) & ~q(Z, Y) & (X != Y) & (X < 3)",
        "(f[X] == Y) <= (g[X] == Z) & (Y == (Z + 1))",
        "p(X) <= (f[X] > 2) & ~(f[X] == 4)",
        "(f[X] == len_(Y)) <= q(X, Y)",
        "(f[X] == sum_(Y, for_each=(Z,))) <= q(X, Y) & r(X, Z)",
        "(f[X] == min_(Y, order_by=(-Y,))) <= q(X, Y)",
        "(f[X] == concat_(Y, order_by=(Z,), sep=',')) <= q(X, Y) & r(X, Z)",
        "p(X, Y) <= q(X, Z) & (Y == Z[0]) & (X == Z[1:3])",
        "p(X) <= (X in ('a', 'b', ))",
        "+ (f['it''s', 1] == True)",
        "p(X) <= q(X, None) & (X == -1)",
    ],
)
def test_a_clause_is_reported_as_it_was_written(clause):
    assert [line for line in stored(f"pyDatalog.load({clause!r})") if "_pyD_" not in line] == [
        clause.replace("''", "")
    ]


def test_the_absence_of_several_things_has_a_predicate_and_questions_have_none():
    program = """
pyDatalog.create_terms('X, Y, p, q')
+ q(1, 2)
+ q(2, 3)
print(q(X, Y) & q(Y, X))
p(X) <= q(X, Y) & ~(q(Y, X) & (X != Y))
print(~(q(X, Y) & q(Y, X)))
"""
    assert len(stored(program)) == 4
    assert set(base(program).query("p(?x)").to_tuples()) == {(1,), (2,)}


def test_a_predicate_may_be_called_as_nothing_in_python_is():
    known = base("for name in ('type', 'has-part', 'X', 'is'): pyDatalog.assert_fact(name, 'a')")
    for name in ("type(a)", "has_part(a)", "X(a)", "is(a)"):
        assert known.query(name)


@pytest.mark.parametrize(
    ("program", "line", "message"),
    [
        ("x = 1\nassert x == 2, 'no\\nluck'", 3, "AssertionError: no luck"),
        ("def f():\n    return input()\nf()", 3, "EOFError: EOF when reading a line"),
        ("p(X) <= (", 2, "SyntaxError: '(' was never closed (program.py, line 2)"),
        ("import no_such_module", 2, "ModuleNotFoundError: No module named 'no_such_module'"),
    ],
)
def test_a_program_that_fails_is_shown_where_it_fails(program, line, message):
    with pytest.raises(TheoryError) as caught:
        stored(program)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.span.line, diagnostic.message) == (line, f"the program fails here: {message}")


def test_what_was_asserted_before_a_failure_is_taken_in_part():
    known = stored("pyDatalog.assert_fact('p', 1)\ninput()\npyDatalog.assert_fact('p', 2)", partial=True)
    failure = (
        "# Left out: everything after line 3, where the program fails: EOFError: EOF when reading a line"
    )
    assert known == [failure, "pyDatalog.assert_fact('p', 1)"]


def test_an_exit_is_the_end_and_no_failure():
    assert stored("pyDatalog.assert_fact('p', 1)\nraise SystemExit(1)") == ["pyDatalog.assert_fact('p', 1)"]


@pytest.mark.deep
def test_a_program_without_end_is_ended():
    with pytest.raises(TimeLimitError):
        stored("while True: pass", seconds=1)


@pytest.mark.parametrize("seconds", [1e12, float("inf")])
def test_a_program_may_have_any_time(seconds):
    assert stored("pyDatalog.assert_fact('p', 1)", seconds=seconds) == ["pyDatalog.assert_fact('p', 1)"]


def test_a_process_that_is_ended_from_within_has_no_answer():
    with pytest.raises(PyDatalogError, match="ended without an answer"):
        stored("import os\nos._exit(3)")


def test_without_pydatalog_the_message_names_it(monkeypatch, tmp_path):
    (tmp_path / "pyDatalog.py").write_text("raise ImportError")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(PyDatalogError, match=r"pip install 'hornbook\[pydatalog\]'"):
        stored("")


def test_the_command_runs_a_file_or_a_notebook_and_prints_nothing_of_it(tmp_path, capfd):
    program = tmp_path / "squares.py"
    program.write_text(
        "from pyDatalog import pyDatalog\nfor i in range(3):\n    pyDatalog.assert_fact('square', i, i * i)\nprint('!')\n",
        encoding="utf-8",
    )
    assert main(["theory", "import-pydatalog", str(program), "--run"]) == 0
    printed = capfd.readouterr()
    assert "square(2, 4)." in printed.out
    assert "!" not in printed.out + printed.err
    notebook = tmp_path / "squares.ipynb"
    notebook.write_text(
        '{"cells": [{"cell_type": "code", "source": ["import pyDatalog.pyDatalog as d\\n", "d.assert_fact(\\"p\\", 1)"]}]}'
    )
    assert main(["theory", "import-pydatalog", str(notebook), "--run"]) == 0
    assert "p(1)." in capfd.readouterr().out
    program.write_text("import sys\n1 / 0\n", encoding="utf-8")
    assert main(["theory", "import-pydatalog", str(program), "--run"]) == 1
    assert f"{program}:2:1" in capfd.readouterr().err
