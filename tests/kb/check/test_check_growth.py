"""Tests of the warning about recursion through arithmetic: without a warning, the engine terminates."""

from __future__ import annotations

from itertools import combinations

import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.errors import ArithmeticOverflowError, FactLimitError
from oracles.pages.checking import diagnostics

COUNTER = """\
static start(int).
static step(int).
static limit(int).
derived value(int).
start(-3). start(0). start(4).
step(-2). step(3).
limit(15). limit(20).
value(?n) :- start(?n).
value(?m) :- value(?n), step(?k), limit(?l), {computed}{bounds}, ?k != ?l.
"""
COMPUTED = (
    "?m = ?n + 1", "?m = ?n - 1", "?m = 1 + ?n", "?m = 1 - ?n", "?m = ?n + ?k", "?m = ?n - ?k", "?m = ?n * 2",
    "?m = ?n * ?n", "?m = ?n + ?n", "?m = ?n // 2", "?m = ?n // 2 + 1", "?m = max(?n, ?k)", "?m = min(?n + 1, ?l)",
    "?m = max(?n - 1, ?k)", "?m = min(?n - 1, ?l)", "?i = ?n + 1, ?m = ?i + 1", "?i = ?k * ?l, ?m = ?n + ?i",
    "?m - 1 = ?n, ?m = ?n + 1", "?m = ?k + ?l", "?m = ?n // -2", "?m = (?n + ?k) // -1", "?m = (?n - 3) // -1",
)  # fmt: skip
BOUNDS = ("?m < 20", "?m > -20", "?n <= ?l", "-20 < ?n", "?k > 0", "?n + 1 < ?l", "?m != 7")


def ends(text: str) -> bool:
    try:
        KnowledgeBase(load_text(text), limits=Limits(facts=300))
    except Exception as problem:
        if isinstance(problem.__cause__, FactLimitError | ArithmeticOverflowError):
            return False
        raise
    return True


def warned(text: str) -> bool:
    codes = {diagnostic.code for diagnostic in diagnostics(text)}
    assert codes <= {"HB021", "HB027"}
    return "HB027" in codes


@pytest.mark.parametrize("computed", COMPUTED)
def test_where_there_is_no_warning_the_recursion_ends(computed):
    silent = 0
    for number in range(3):
        for bounds in combinations(BOUNDS, number):
            text = COUNTER.format(computed=computed, bounds="".join(f", {bound}" for bound in bounds))
            if not warned(text):
                silent += 1
                assert ends(text), text
    assert silent > 0


@pytest.mark.parametrize(
    ("computed", "bounds"),
    [
        ("?m = ?n + 1", ""),
        ("?m = ?n + 1", ", ?m > -20"),
        ("?m = ?n - 1", ", ?m < 20"),
        ("?m = ?n + ?k", ", ?m < 20"),
        ("?m = ?n * 2", ", ?n <= ?l"),
        ("?i = ?n + 1, ?m = ?i + 1", ", ?m != 7"),
    ],
)
def test_where_there_is_a_warning_it_may_be_right(computed, bounds):
    text = COUNTER.format(computed=computed, bounds=bounds)
    assert warned(text)
    assert not ends(text)


@pytest.mark.parametrize(
    ("computed", "bounds", "help_begins"),
    [
        ("?m = ?n + 1", "", "bound it from above in this rule, such as `?m <= 100`"),
        ("?m = ?n - 1", "", "bound it from below in this rule, such as `?m >= 0`"),
        ("?m = ?n + ?k", "", "bound it from both sides in this rule, such as `?m >= 0, ?m <= 100`"),
        ("?m = ?n + ?k", ", ?m < 9", "bound it from below in this rule, such as `?m >= 0`"),
    ],
)
def test_the_warning_says_on_which_side_a_bound_is_missing(computed, bounds, help_begins):
    (diagnostic,) = diagnostics(COUNTER.format(computed=computed, bounds=bounds))
    assert diagnostic.help.startswith(help_begins)


def test_a_limit_that_the_recursion_carries_along_is_a_bound():
    text = "static start(int, int).\nderived value(int, int).\nvalue(?n, ?l) :- start(?n, ?l).\n"
    assert not warned(text + "value(?m, ?l) :- value(?n, ?l), ?m = ?n + 1, ?m < ?l.\n")
    assert warned(text + "value(?m, ?i) :- value(?n, ?l), ?m = ?n + 1, ?i = ?l + 1, ?m < ?l.\n")


def test_what_leads_from_one_moment_to_the_next_is_no_recursion():
    text = "action tick.\nfluent clock(int).\nclock(0).\nafter clock(?m) :- tick, before clock(?n), ?m = ?n + 1.\n"
    assert not warned(text)


WORDS = """\
sort name. static start(name). static mark(name). derived value(name).
start(ab). start('b,a'). mark(x). mark('abc').
value(?w) :- start(?w).
value(?v) :- value(?w), mark(?x), {computed}{bounds}.
"""
SPELLED = (
    "?v = concat(?w, ?x)", "?v = concat(?x, 'a')", "?v = upper(?w)", "?v = part(?w, 1, 2)", "?v = split(?w, ',', 2)",
    "?v = concat(part(?w, 1, 2), ?x)", "?v = word(length(?w))", "?v = word(length(?w) + 1)", "?v = concat(?x, upper(?w))",
    "?i = concat(?w, '!'), ?v = lower(?i)", "?n = int(?w) + 1, ?v = word(?n)", "?v = concat(?x, word(length(?w)))",
)  # fmt: skip


@pytest.mark.parametrize("computed", SPELLED)
@pytest.mark.parametrize(
    "bounds", ["", ", length(?v) < 9", ", length(?w) <= 9", ", length(?v) > 1", ", length(?x) < 9"]
)
def test_where_no_word_grows_unwarned_the_engine_comes_to_an_end(computed, bounds):
    text = WORDS.format(computed=computed, bounds=bounds)
    assert warned(text) or ends(text)


def test_words_that_grow_are_warned_of_and_bounded_by_their_length():
    growing = WORDS.format(computed="?v = concat(?w, ?x)", bounds="")
    (found,) = [each for each in diagnostics(growing) if each.code == "HB027"]
    assert found.help == "bound its length in this rule, such as `length(?v) <= 100`"
    assert not warned(WORDS.format(computed="?v = concat(?w, ?x)", bounds=", length(?v) <= 100"))
    assert not warned(WORDS.format(computed="?v = upper(part(?w, 1, 2))", bounds=""))
