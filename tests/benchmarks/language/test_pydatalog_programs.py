"""Tests of typical pyDatalog programs: their translation, and detection of wrong results by the measurement."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.language.pydatalog_programs import RUN, WRITTEN, both_ways, by_pydatalog, judged

pytestmark = pytest.mark.deep

START = "from pyDatalog import pyDatalog\npyDatalog.create_terms('X, Y, Z, N, road, far, size, big, toll, dear')\n"
SHAPES = {
    "facts, clauses and a question": (
        "+ road('a', 'b')\n+ road('b', 'c')\nfar(X, Y) <= road(X, Z) & road(Z, Y)\nprint(far(X, Y))",
        ("right", "right"),
    ),
    "functions that are called at the end": (
        """
def rules():
    far(X, Y) <= road(X, Y)
    far(X, Y) <= road(X, Z) & far(Z, Y)
def facts(pairs):
    for a, b in pairs:
        pyDatalog.assert_fact('road', a, b)
if __name__ == '__main__':
    rules()
    facts([(1, 2), (2, 3)])
    print(far(1, Y))
""",
        ("nothing", "right"),
    ),
    "an attempt, with counts and a comparison of their values": (
        """
try:
    + road('a', 'b')
    + road('a', 'c')
    (size[X] == len_(Y)) <= road(X, Y)
    big(X) <= (size[X] > 1) & ~toll(X, 'b')
    + toll('b', 'c')
except Exception as problem:
    print(problem)
""",
        ("right", "right"),
    ),
    "facts from a file that only the program reads": (
        "for line in open(__file__):\n    + road(line[:4], len(line))\nbig(X) <= road(X, N) & (N > 30)",
        ("nothing", "right"),
    ),
    "a class whose methods assert": (
        """
class Map:
    def add(self, *pair):
        pyDatalog.assert_fact('road', *pair)
roads = Map()
roads.add('a', 'b')
far(X, Y) <= road(X, Y)
""",
        ("nothing", "right"),
    ),
    "objects": (
        """
class Town(pyDatalog.Mixin):
    def __init__(self, name, capital):
        super().__init__()
        self.name, self.capital = name, capital
    def __repr__(self):
        return self.name
    @pyDatalog.program()
    def _():
        Town.under(X, Y) <= (Town.capital[X] == Y) & (Y != None)
        Town.under(X, Y) <= (Town.capital[X] == Z) & Town.under(Z, Y)
rome = Town('Rome', None)
pisa = Town('Pisa', rome)
lucca = Town('Lucca', pisa)
""",
        ("nothing", "right"),
    ),
    "something that has no words here": (
        "+ road('a', 'b')\nfar(X, Y) <= road(X, Y)\nbig(X) <= road(X, Y) & (Y[0] == 'b')",
        ("in part", "in part"),
    ),
    "an end before the end": (
        "+ road('a', 'b')\nname = input()\n+ road('b', name)",
        ("in part", "in part"),
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_becomes_of_a_program(shape, tmp_path):
    program, expected = SHAPES[shape]
    file = tmp_path / "program.py"
    file.write_text(START + program, encoding="utf-8")
    found = both_ways(file, {WRITTEN: Counter(), RUN: Counter()})
    assert (found[WRITTEN], found[RUN]) == expected


def test_an_answer_that_pydatalog_has_not_is_wrong(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(START + "+ road('a', 'b')\nfar(X, Y) <= road(Y, X)", encoding="utf-8")
    expected = by_pydatalog(file)
    theory = "theory t. sort town. static road(town, town). static far(town, town).\nroad(a, b).\n"
    lines = theory.replace(". ", ".\n")
    assert judged(f"{lines}far(?x, ?y) :- road(?y, ?x).\n", expected) == "right"
    assert judged(lines, expected) == "in part"
    assert judged(f"{lines}far(?x, ?y) :- road(?x, ?y).\n", expected) == "wrong"
