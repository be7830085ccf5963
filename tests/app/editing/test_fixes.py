"""Tests of quick fixes: each offered change gives a text with fewer mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.editing.fixes import edited, repairs
from oracles.pages.checking import diagnostics

GOLDEN = Path(__file__).parents[2] / "kb" / "check" / "golden"
REPAIRED = {
    "HB001": 1, "HB002": 2, "HB010": 4, "HB012": 3, "HB014": 2, "HB016": 1, "HB020": 1, "HB021": 7, "HB022": 2, "HB023": 6,
    "HB033": 2, "HB034": 1, "HB036": 1, "HB041": 2, "HB045": 1, "HB058": 2, "HB061": 3, "HB066": 2, "HB076": 6,
}  # fmt: skip
"""The minimum number of useful fixes among those proposed in the golden file of each code."""


@pytest.mark.parametrize("code", REPAIRED)
def test_fixes_mend(code):
    text = (GOLDEN / f"{code}.horn").read_text(encoding="utf-8")
    before = diagnostics(text)
    good = [
        fix.title
        for mistake in before
        for fix in mistake.fixes
        if repairs(mistake, before, diagnostics(edited(text, fix)))
    ]
    assert len(good) >= REPAIRED[code], good


@pytest.mark.parametrize(
    ("text", "title", "repaired"),
    [
        ("sort s.\nstatic p(s).\np(a)\n", "End the clause with `.`", "sort s.\nstatic p(s).\np(a).\n"),
        ("% a\n# b\nsort s.\n", "Write `%`", "% a\n% b\nsort s.\n"),
        ("sort s.\nstatic p(s).\nderived q(s).\nq(?x) :- p(?x), p(?y).\n", "Write `_`",
         "sort s.\nstatic p(s).\nderived q(s).\nq(?x) :- p(?x), p(_).\n"),
        # Another mistake of the clause remains.
        ("sort s.\nstatic p(s).\nderived q(s).\nq(?x) :- p(?x), p(?y), ?x != ?n.\n", "Write `_`",
         "sort s.\nstatic p(s).\nderived q(s).\nq(?x) :- p(?x), p(_), ?x != ?n.\n"),
        ("static p(s).\np(a).\n", "Declare it: `sort s.`", "static p(s).\nsort s.\np(a).\n"),
        ("sort s.\nsort t.\nstatic p(s, t).\nq(?x, ?y) :- p(?x, ?y).\n", "Declare it: `derived q(s, t).`",
         "sort s.\nsort t.\nstatic p(s, t).\nderived q(s, t).\nq(?x, ?y) :- p(?x, ?y).\n"),
        ("sort s.\nfluent p(s).\naction a(s).\nderived q(s).\nafter q(?x) :- a(?x), p(?x).\n", "Write `before`",
         "sort s.\nfluent p(s).\naction a(s).\nderived q(s).\nafter q(?x) :- a(?x), before p(?x).\n"),
        ("sort s.\nstatic p(s).\nfluent f(s).\naction a(s).\nafter f(?x) :- a(?x), before p(?x).\n", "Delete `before`",
         "sort s.\nstatic p(s).\nfluent f(s).\naction a(s).\nafter f(?x) :- a(?x), p(?x).\n"),
        ("sort s.\nstatic p(s).\nstatic q(s).\nderived r(s).\nr(?x) :- p(?x) & q(?x).\n", "Write `,`",
         "sort s.\nstatic p(s).\nstatic q(s).\nderived r(s).\nr(?x) :- p(?x) , q(?x).\n"),
        ("sort s.\nstatic p(s).\nderived q(s).\nq(?x) :- p(?x), p(?x).\n", "Leave it out",
         "sort s.\nstatic p(s).\nderived q(s).\nq(?x) :- p(?x).\n"),
        ("static p(int).\nderived r(int).\nr(?x) :- p(?x), ?x ≥ 3.\n", "Write `>=`",
         "static p(int).\nderived r(int).\nr(?x) :- p(?x), ?x >= 3.\n"),
    ],
)  # fmt: skip
def test_a_fix_and_the_text_with_it(text, title, repaired):
    before = diagnostics(text)
    found = {fix.title: (mistake, fix) for mistake in before for fix in mistake.fixes}
    mistake, fix = found[title]
    assert edited(text, fix) == repaired
    assert repairs(mistake, before, diagnostics(repaired))
