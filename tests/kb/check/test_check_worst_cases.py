"""Tests that the time to check very unusual files is linear in their size.

With a quadratic check, these files took minutes. A linear check takes a fraction of a second, and the bound
leaves room for slow machines.
"""

from __future__ import annotations

import time

import pytest

from hornbook.kb.check import check
from hornbook.kb.parse.syntax import parse

pytestmark = pytest.mark.deep

SIZE = 4_000
SECONDS = 10.0
NUMBERS = range(SIZE)
HEAD = "static p(int).\nstatic s(int, int).\nstatic count(int -> int) counts s.\nderived d(int).\nmeta m(int).\naction a(int).\nfluent f(int).\n"


def joined(*conditions: str) -> str:
    return ", ".join(conditions)


@pytest.mark.parametrize(
    "clauses",
    [
        "d(?x) :- p(?x), " + joined(*(f"p(?variable_{n})" for n in NUMBERS)),
        "d(?x) :- p(?x), " + joined(*(f"?variable_{n} > ?variable_{n + 1}" for n in NUMBERS)),
        f"d(?v{SIZE}) :- p(?v0), " + joined(*(f"?v{n + 1} = ?v{n} + 1" for n in reversed(NUMBERS))),
        f"one: d(1). d(?v{SIZE}) :- d(?v0), " + joined(*(f"?v{n + 1} = ?v{n} + ?v{n}" for n in NUMBERS)),
        "d(?v0) :- p(?v0), " + joined(*(f"?v{n + 1} = ?v{n}" for n in reversed(NUMBERS))),
        "d(?x) :- p(?x), ?x > 0, " + joined(*(f"?x != {n}" for n in NUMBERS)),
        "m(?x) :- p(?x), " + joined(*(f"absent (p(?y{n}), ?y{n} > ?x)" for n in NUMBERS)),
        "d(?x) :- p(?x), " + joined(*("all ?y in s(?x, ?y): p(?y)" for _ in NUMBERS)),
        "after f(?x) :- before f(?x), " + joined(*(f"after f({n})" for n in NUMBERS)),
        "frame f(?x): " + "; ".join("a(?y), f(?y), ?y != ?x" for _ in NUMBERS),
        "\n".join(f"predicate_{n}({n})." for n in NUMBERS).removesuffix("."),
        "\n".join(f"derived d{n}(int). d{n}(?x) :- d{n + 1}(?x)." for n in reversed(NUMBERS)) + f"derived d{SIZE}(int)",
        "\n".join(f"meta m{n}(int). m{n}(?x) :- p(?x), absent m{n * 7 % SIZE}(?x)." for n in range(1, SIZE)) + "p(0)",
    ],
)  # fmt: skip
def test_a_large_file_is_checked_in_little_time(clauses):
    file = parse(f"{HEAD}{clauses}.\n")
    start = time.process_time()
    check([file])
    assert time.process_time() - start < SECONDS
