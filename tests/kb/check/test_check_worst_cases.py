"""Tests that the steps to check very unusual files are linear in their size.

With a quadratic check, files with thousands of such parts took minutes.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hornbook.kb.check.theory_checks import check
from hornbook.kb.parse.syntax import parse
from oracles.counted_steps import counted_steps

pytestmark = pytest.mark.deep

SIZE = 4_000
HEAD = "static p(int).\nstatic s(int, int).\nstatic count(int -> int) counts s.\nderived d(int).\nmeta m(int).\naction a(int).\nfluent f(int).\n"


def joined(*conditions: str) -> str:
    return ", ".join(conditions)


@pytest.mark.parametrize(
    "clauses",
    [
        lambda size: "d(?x) :- p(?x), " + joined(*(f"p(?variable_{n})" for n in range(size))),
        lambda size: "d(?x) :- p(?x), " + joined(*(f"?variable_{n} > ?variable_{n + 1}" for n in range(size))),
        lambda size: f"d(?v{size}) :- p(?v0), " + joined(*(f"?v{n + 1} = ?v{n} + 1" for n in reversed(range(size)))),
        lambda size: f"one: d(1). d(?v{size}) :- d(?v0), " + joined(*(f"?v{n + 1} = ?v{n} + ?v{n}" for n in range(size))),
        lambda size: "d(?v0) :- p(?v0), " + joined(*(f"?v{n + 1} = ?v{n}" for n in reversed(range(size)))),
        lambda size: "d(?x) :- p(?x), ?x > 0, " + joined(*(f"?x != {n}" for n in range(size))),
        lambda size: "m(?x) :- p(?x), " + joined(*(f"absent (p(?y{n}), ?y{n} > ?x)" for n in range(size))),
        lambda size: "d(?x) :- p(?x), " + joined(*("all ?y in s(?x, ?y): p(?y)" for _ in range(size))),
        lambda size: "after f(?x) :- before f(?x), " + joined(*(f"after f({n})" for n in range(size))),
        lambda size: "frame f(?x): " + "; ".join("a(?y), f(?y), ?y != ?x" for _ in range(size)),
        lambda size: "\n".join(f"predicate_{n}({n})." for n in range(size)).removesuffix("."),
        lambda size: "\n".join(f"derived d{n}(int). d{n}(?x) :- d{n + 1}(?x)." for n in reversed(range(size))) + f"derived d{size}(int)",
        lambda size: "\n".join(f"meta m{n}(int). m{n}(?x) :- p(?x), absent m{n * 7 % size}(?x)." for n in range(1, size)) + "p(0)",
    ],
)  # fmt: skip
def test_a_large_file_is_checked_in_steps_in_proportion(clauses: Callable[[int], str]):
    check([parse(f"{HEAD}{clauses(SIZE)}.\n")])
    files = [parse(f"{HEAD}{clauses(size)}.\n") for size in (50, 200)]
    short, long = (counted_steps(lambda file=file: check([file])) for file in files)
    # Four times as large: a linear number of steps grows by 4, a quadratic one by 16.
    assert long < 9 * short
