"""Tests of matches between searches: paired openings, and the nodes and time that both sides spend."""

from __future__ import annotations

from itertools import islice

import pytest

from benchmarks.play.match import MatchPlayer, MatchScore, SpentResources, openings, play_match
from hornbook.inputs.domains import domain_of
from hornbook.inputs.theories import load
from hornbook.play.native import native_of
from hornbook.play.thinking.gathering import gather

DOMAIN = domain_of(load("othello"))
NATIVE = native_of(DOMAIN)
START = DOMAIN.write_line(DOMAIN.starts()[0])


def of_depth(depth: int) -> MatchPlayer:
    return MatchPlayer(lambda: NATIVE.search("deepening", {}), depth=depth)


def test_openings_are_by_a_seed_and_all_different():
    found = list(islice(openings(NATIVE, START, 8, 1), 50))
    assert found == list(islice(openings(NATIVE, START, 8, 1), 50))
    assert len({str(state) for state in found}) == 50
    assert {state.conditions[0] for state in found} == {99 * 12 // 64}
    assert len(list(islice(openings(NATIVE, START, 1, 1), 5))) == 5  # though there are four


def test_a_search_against_itself_has_half_of_the_points_in_each_pair():
    score = play_match(of_depth(2), of_depth(2), list(islice(openings(NATIVE, START, 8, 1), 6)))
    assert all(sum(pair) == 1 for pair in score.pairs)
    assert (score.share, score.within, score.lead, score.games) == (0.5, 0, 0, 12)
    one, other = score.spent
    assert (one.expansions, one.evaluations) == (other.expansions, other.evaluations)


def test_deeper_search_wins_and_spends_more():
    score = play_match(of_depth(4), of_depth(1), list(islice(openings(NATIVE, START, 8, 2), 10)))
    assert score.share > 0.7
    assert score.lead > 0
    assert score.spent[0].nodes > 10 * score.spent[1].nodes


def test_a_budget_of_a_game_is_shared_by_its_moves():
    statistics = gather(NATIVE, START, "othello", 300, 1, depth=4)
    rich = MatchPlayer(lambda: NATIVE.search("deepening", {}), nodes=20_000, statistics=statistics)
    timed = MatchPlayer(lambda: NATIVE.search("deepening", {}), seconds=0.05, statistics=statistics)
    starts = list(islice(openings(NATIVE, START, 8, 3), 2))
    score = play_match(rich, of_depth(1), starts)
    assert 0.5 * 20_000 < score.spent[0].nodes / score.games < 1.1 * 20_000
    assert play_match(timed, of_depth(1), starts).spent[0].seconds / 4 < 0.2


def test_the_interval_is_of_pairs():
    even = MatchScore(tuple([(1.0, 0.0), (0.0, 1.0)] * 50), (SpentResources(), SpentResources()), 0)
    assert (even.share, even.within, even.won, even.drawn) == (0.5, 0, 100, 0)
    apart = MatchScore(tuple([(1.0, 1.0), (0.0, 0.0)] * 50), (SpentResources(), SpentResources()), 0)
    assert apart.within == pytest.approx(1.96 * 0.5 / 10, abs=1e-3)
    assert MatchScore(((0.5, 0.5),), (SpentResources(), SpentResources()), 0).within == 0.5
