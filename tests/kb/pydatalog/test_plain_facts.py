"""Tests that programs with runs of plain facts are read as if Python had parsed every line."""

from __future__ import annotations

import ast
import random

import pytest

from hornbook.kb.pydatalog import program_reader
from hornbook.kb.pydatalog.importing import import_pydatalog
from hornbook.kb.pydatalog.plain_facts import PlainRun, parse_statements
from hornbook.kb.sources.diagnostics import TheoryError

PLAIN = "".join(f"+ edge('n{i}', {i})\n" for i in range(25))
TABLE = "".join(f"table['k{i % 20}'] = {i}\n" for i in range(25))
START = "from pyDatalog import pyDatalog\n"
LINES = [
    "+ (f['a'] == 1)", "+ edge('a', 1)", "+edge( 'a' ,2 )", "+ (f['a'] == 'b')", "+ (f['a', 2]== 3)", "f['a'] = 2", "g[b] = 1", '+ edge("it\'s", -3)', "+ edge(a, 0)", "+ edge(b, 1)  # two", "+ edge('é\\n', 1)",
    "pyDatalog.assert_fact('edge', 'c', 4)", "assert_fact('has-part', 'c')", "other.assert_fact('edge', 'd', 1)",
    "+ edge(X, 1)", "+ edge(id, 1)", "+ id('a')", "+ rank('a')", "+ edge('a', None)", "+ edge('a', 99999999999999999999)",
    "- edge('a', 1)", "+ edge('a', 'b')", "+ edge('None', 1)", "a = 'b'", "edge = 1", "def seen(x): + edge(x, 5)",
    "+ seen('a')", "seen('b')", "+ edge('a', b'c')", "+ edge('a', 1),", "p(X) <= edge(X, Y)", "+ edge(1)", "+ edge()",
    "for i in (1, 2): + edge('f', 1)", "",
]  # fmt: skip
NO_PYTHON = [
    "+ None(1)",
    "+ edge('a', 007)",
    "x = (1",
    ")",
    "'''",
    "x = 1 + \\",
    "for i in (1, 2):",
    "    + edge('f', 1)",
]


def outcome(program):
    try:
        return import_pydatalog(program, "imported", partial=True)
    except TheoryError as problem:
        return [f"{diagnostic.span}: {diagnostic.message}" for diagnostic in problem.diagnostics]


def parsed(lines):
    return ast.parse("\n".join(lines)).body


@pytest.mark.parametrize(
    "program",
    [
        PLAIN,
        PLAIN + "+ edge('n1', 'n2')\n",
        PLAIN * 2 + "+ edge(X, 1)\n" + PLAIN,
        "".join(f"+ (f['n{i % 20}', 1] == {i})\n" for i in range(25)) + "- (f['n3', 1] == 7)\n",
        f"p('''\n{PLAIN}''')\n",
        f"{PLAIN}x = (1\n{PLAIN})\n",
        f"{PLAIN}x = 1 \\\n{PLAIN}",
        f"if x:\n{PLAIN}",
        f"{START}pyDatalog.load('''\n{PLAIN}''')\n{PLAIN}",
        f"{START}for i in (1, 2): pyDatalog.load('''\n{PLAIN}''')\n",
        f"{START}TEXT = '''\n{PLAIN}'''\nn = len(TEXT)\n+ edge('text', n)\n",
        f"{START}+ r('a')\ntable = {{}}\n{TABLE}for k in table: + p(k)\nq(X) <= r(X) & ~p(X)\n",
        f"{START}{TABLE}table['k1'] = 'k2'\n",
        f"{START}def edge(x, y): + p(x)\nedge(1, 2)\n{PLAIN}q(X) <= r(X) & ~p(X)\n",
        f"{START}def edge(x, y): + p(x)\n{PLAIN}q(X) <= r(X) & ~p(X)\n",
        PLAIN.replace("n7'", "None'") + "+ edge(None, 1)\n",
        "  " + PLAIN.replace("\n", "\n  "),
        "\n".join(f"+ edge(n{i}, in)" for i in range(25)),
        "+ hidden_plain_facts\n" + PLAIN,
    ],
)
def test_a_run_is_read_as_its_lines_are(program, monkeypatch):
    quick = outcome(program)
    monkeypatch.setattr(program_reader, "parse_statements", parsed)
    assert quick == outcome(program)


@pytest.mark.parametrize("seed", range(40))
def test_random_lines_between_plain_ones_are_read_as_python_reads_them(seed, monkeypatch):
    choice = random.Random(seed)
    lines = []
    for _ in range(choice.randint(1, 4)):
        lines += choice.choices(LINES[:14], k=25) if choice.random() < 0.3 else PLAIN.splitlines()
        lines += choice.choices(LINES if choice.random() < 0.8 else NO_PYTHON, k=choice.randint(1, 3))
    program = choice.choice(["", START]) + "\n".join(lines)
    quick = outcome(program)
    monkeypatch.setattr(program_reader, "parse_statements", parsed)
    assert quick == outcome(program)


@pytest.mark.parametrize(("fact", "place"), [("edge('ü', 'a')", (1, 14)), ("(f['ü'] == 'a')", (26, 15))])
def test_a_value_of_a_run_is_shown_where_it_stands(fact, place):
    run = PLAIN + "".join(f"+ (f['n{i}'] == {i})\n" for i in range(25))
    with pytest.raises(TheoryError) as caught:
        import_pydatalog(f"{run}+ {fact}\n", "imported")
    assert [(d.span.line, d.span.column) for d in caught.value.diagnostics] == [place]


def test_a_run_is_one_statement_and_other_lines_are_not():
    lines = [*PLAIN.splitlines(), "+ edge('a', X)", *PLAIN.splitlines()]
    runs = [statement for statement in parse_statements(lines) if isinstance(statement, PlainRun)]
    assert [(run.lineno, len(run.facts)) for run in runs] == [(1, 25), (27, 25)]
    assert [type(statement) for statement in parse_statements(["x = '''", *lines, "'''"])] == [ast.Assign]
