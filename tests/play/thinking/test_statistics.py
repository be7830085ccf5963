"""Tests of game statistics: gathering from a seed, writing, reading and use.

Groups that explain errors, and shapes of errors, are tested too.
"""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from random import Random
from statistics import fmean

import pytest

from hornbook.play.native import native_of
from hornbook.play.thinking.decision import decide
from hornbook.play.thinking.gathering import gather
from hornbook.play.thinking.groups import grouped
from hornbook.play.thinking.statistics import (
    SPAN,
    STEPS,
    StatisticsError,
    read_statistics,
    shape_found,
    shape_of,
    write_statistics,
)
from tests.play.test_searches import domain, walk

NATIVE = native_of(domain("othello"))
START = domain("othello").write_line(domain("othello").starts()[0])


@pytest.fixture(scope="module")
def gathered():
    return gather(
        NATIVE, START, "othello", 400, 3, depth=4, command="hornbook search statistics", version="0"
    )


def test_the_same_seed_gathers_the_same(gathered, tmp_path):
    assert (
        gather(NATIVE, START, "othello", 400, 3, depth=4, command="hornbook search statistics", version="0")
        == gathered
    )
    assert gather(NATIVE, START, "othello", 400, 4, depth=4) != gathered
    file = tmp_path / "othello.json"
    file.write_text(write_statistics(gathered), encoding="utf-8")
    assert read_statistics(file, "othello", NATIVE.CONDITIONS) == gathered


def test_what_was_gathered_makes_searches(gathered):
    assert [each.plies for each in gathered.errors] == [1, 2, 3, 4]
    assert gathered.gain > 0
    assert gathered.choices_left(6) > 20
    assert gathered.choices_left(90) < 10
    state = walk("othello", Random(5), 20, first=True)[-1]
    for tails in ("empirical", "normal", "laplace"):
        found = NATIVE.search("mgss", gathered.as_given(tails=tails, plies=2))(state, nodes=500)
        assert found["move"] in state.moves()
    with pytest.raises(StatisticsError, match="no errors after 9 plies"):
        gathered.as_given(plies=9)


def test_mgss_decides_by_errors_after_four_plies(gathered):
    state = walk("othello", Random(5), 20, first=True)[-1]
    spent = decide(NATIVE, state, nodes=5_000, algorithm="mgss", statistics=gathered).spent
    by_plies = [NATIVE.search("mgss", gathered.as_given(plies=n))(state, nodes=5_000) for n in (4, 1)]
    assert (spent.expansions, spent.evaluations) == (by_plies[0]["expansions"], by_plies[0]["evaluations"])
    assert by_plies[0]["expansions"] != by_plies[1]["expansions"]


def test_a_margin_decides_how_much_multi_prob_cut_cuts():
    whole = gather(NATIVE, START, "othello", 1_000, 3, depth=4)
    assert [(cut.deep, cut.shallow) for cut in whole.cuts] == [(3, 1), (4, 2)]
    states = walk("othello", Random(5), 40, first=True)[10::10]
    exact = [NATIVE.search("deepening", {})(state, depth=5) for state in states]
    never = [NATIVE.search("multi-prob-cut", whole.as_given(margin=1e6))(state, depth=5) for state in states]
    often = [NATIVE.search("multi-prob-cut", whole.as_given(margin=0.5))(state, depth=5) for state in states]
    assert [each["value"] for each in never] == [each["value"] for each in exact]
    assert sum(each["expansions"] for each in often) < 0.9 * sum(each["expansions"] for each in exact)


def test_groups_are_of_like_errors():
    random = Random(1)
    conditions = [(random.randrange(10), random.randrange(10)) for _ in range(4_000)]
    errors = [random.gauss(5.0 * (second > 6), 1.0 + 3.0 * (first > 3)) for first, second in conditions]
    groups = grouped(conditions, errors, least=200, most=4)
    assert {split[:2] for split in groups.splits} <= {(0, 3), (1, 6)}
    assert len(groups.members) == 4
    assert sorted(m for members in groups.members for m in members) == list(range(4_000))
    for number, members in enumerate(groups.members):
        for m in members[:50]:
            at = 0
            while at >= 0:
                condition, threshold, low, high = groups.splits[at]
                at = low if conditions[m][condition] <= threshold else high
            assert ~at == number
    assert grouped(conditions, [1.0] * 4_000).splits == ()


def test_shapes_are_what_they_say():
    random = Random(2)
    errors = [random.gauss(0, 1) for _ in range(20_000)]
    places = [SPAN * (2 * step / STEPS - 1) for step in range(STEPS + 1)]
    for shape in (shape_found(errors), shape_of("normal"), shape_of("laplace")):
        assert (shape[0], shape[-1]) == pytest.approx((0, SPAN), abs=1e-4)
        assert all(one <= other + 1e-12 for one, other in pairwise(shape))
    for z, of_normal, found in zip(places, shape_of("normal"), shape_found(errors), strict=True):
        assert found == pytest.approx(fmean(max(z - error, 0) for error in errors[::10]), abs=0.05)
        assert found == pytest.approx(of_normal, abs=0.03)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no json", ":1:1: this is no file of statistics"),
        (
            "{}",
            "something is missing or of a wrong form; `hornbook search statistics othello --into s.json` writes it again",
        ),
        ("[1]", "something is missing"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path, text, message):
    file = tmp_path / "s.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(StatisticsError) as refused:
        read_statistics(file, "othello", NATIVE.CONDITIONS)
    assert message in str(refused.value)


def test_statistics_of_another_game_or_with_a_short_table_are_refused(gathered, tmp_path):
    file = tmp_path / "s.json"
    file.write_text(write_statistics(replace(gathered, game="checkers")), encoding="utf-8")
    with pytest.raises(StatisticsError, match="these are statistics of `checkers`"):
        read_statistics(file, "othello", NATIVE.CONDITIONS)
    read = json.loads(write_statistics(gathered))
    read["errors"][0]["shape"] = [0.0]
    file.write_text(json.dumps(read), encoding="utf-8")
    with pytest.raises(StatisticsError, match="wrong form"):
        read_statistics(file, "othello", NATIVE.CONDITIONS)
