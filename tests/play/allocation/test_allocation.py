"""Tests of the allocation of deep searches.

The value of a deeper search, features, patterns and trees are each compared with a slow reference. Games are
played too.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from math import log2

import pytest

from hornbook.play.allocation.learning import (
    RECIPES,
    TrainingBoards,
    learn_classifier,
    score,
    training_boards,
)
from hornbook.play.allocation.native import allocation_of
from hornbook.play.native import NoNativeError, native_of
from hornbook.theories.checkers.domain import DOMAIN
from hornbook.theories.othello.domain import DOMAIN as OTHELLO

NATIVE = native_of(DOMAIN)
ALLOCATION = allocation_of(DOMAIN)
START = DOMAIN.write(DOMAIN.starts()[0])
SMALL = ALLOCATION.Setting(moves=20, searches=4, shallow=1, deep=3)
OVER = -6400


@cache
def boards(number: int = 400):
    return ALLOCATION.boards(START, SMALL, number, 3, 7)


@cache
def small_lessons() -> TrainingBoards:
    return training_boards(ALLOCATION, START, SMALL, 600, 600, 3)


def value(state, depth: int) -> int:
    """Return the value by minimax without cuts, with material as evaluation.

    Half a man is worth 64 and a king three men. The side that is ahead prefers fewer pieces.
    """
    moves = state.moves()
    if not moves:
        return OVER
    if depth == 0:
        men, kings, *_ = state.features
        lead = 2 * men + 6 * kings
        left = sum(map(bool, str(state).replace(":W", ",").replace(":B", ",").split(",")[1:]))
        return 64 * lead - (lead > 0) * left + (lead < 0) * left
    return max(-value(state.after(move), depth - 1) for move in moves)


def test_what_a_deeper_search_is_worth_is_what_minimax_says():
    kinds = Counter()
    for text, (positive, utility) in list(zip(boards().states(), boards().worth(), strict=True))[::8]:
        state = NATIVE.State(text)
        afters = [state.after(move) for move in state.moves()]
        shallow, deep = ([-value(after, depth - 1) for after in afters] for depth in (1, 3))
        taken = [d for s, d in zip(shallow, deep, strict=True) if s == max(shallow)]
        assert positive == (min(taken) < max(deep))
        assert utility == pytest.approx((max(deep) - sum(taken) / len(taken)) / 128)
        kinds[positive] += 1
    assert min(kinds[True], kinds[False]) > 5


def test_features_are_what_they_are_called():
    names = ALLOCATION.FEATURES
    assert (len(names), ALLOCATION.BY_HAND) == (26, 23)
    for place in range(0, 400, 7):
        state = NATIVE.State(boards().states()[place])
        found = dict(zip(names, boards().features(place), strict=True))
        position = DOMAIN.adapter.read(str(state), "again")
        own, other = ("bB", "wW") if position.to_move == "black" else ("wW", "bB")
        assert found["own legal moves"] == len(state.moves()) > 1
        assert [found[name] for name in ("own men", "own kings", "other men", "other kings")] == [
            position.cells.count(piece) for piece in own + other
        ]
        after = [state.after(move) for move in state.moves()]
        assert found["own sacrifices"] == sum("x" in (each.moves() or [""])[0] for each in after)


def resolved(state, depth: int) -> int:
    """Return the same as `value`, with captures played out at the end."""
    moves = state.moves()
    if depth == 0 and "x" not in (moves or [""])[0]:
        return value(state, 0)
    return max((-resolved(state.after(move), max(0, depth - 1)) for move in moves), default=OVER)


def halves(number: float) -> int:
    return max(-60, min(60, int(abs(number) / 64 + 0.5) * (1 if number > 0 else -1)))


def test_features_by_small_searches_are_what_minimax_says():
    doubts = set()
    for place in range(0, 400, 12):
        state = NATIVE.State(boards().states()[place])
        found = dict(zip(ALLOCATION.FEATURES, boards().features(place), strict=True))
        afters = [state.after(move) for move in state.moves()]
        shallow, played_out = (
            [-each(after, depth - 1) for after in afters] for each, depth in ((value, 4), (resolved, 3))
        )
        best = [place for place, each in enumerate(shallow) if each == max(shallow)]
        lost = sum(max(played_out) - played_out[place] for place in best)
        assert found["value 4"] == halves(max(shallow))
        assert found["ties 4"] == len(best)
        assert found["doubt"] == halves(4 * lost // len(best))
        doubts.add(found["doubt"])
    assert len(doubts) > 2


def test_a_search_that_deciding_has_made_is_not_made_again():
    """A tree that never searches deeper must play like one without queries, and make one search per move.

    Its only query is the number of best moves at depth 4.
    """
    ties = ALLOCATION.FEATURES.index("ties 4")
    leaf = (-1, 0, 0, 0, 0.5, 0.0)
    asks = ALLOCATION.Classifier([(ties, 1, 1, 2, 1.0, 0.0), leaf, leaf], [], "majority")
    seldom = ALLOCATION.Setting(moves=20, searches=4, shallow=4, deep=6)
    tally = ALLOCATION.play(START, seldom, asks, 20, 5)
    never = ALLOCATION.play(START, seldom, "never", 0.0, 20, 5)
    assert tally.deep == 0
    assert tally.shallow_nodes == 0 < tally.deciding_nodes
    assert never.deciding_nodes == 0 < never.shallow_nodes
    other = ALLOCATION.Setting(moves=20, searches=4, shallow=3, deep=6)
    again, plain = (
        ALLOCATION.play(START, other, each, *rest)
        for each, rest in ((asks, (20, 5)), ("never", (0.0, 20, 5)))
    )
    assert again.shallow_nodes > plain.shallow_nodes / 2
    assert again.deciding_nodes > 0


def cells(text: str) -> str:
    """Return the squares from the mover's view, playing upwards.

    `o` and `O` are own pieces, `x` and `X` are the opponent's.
    """
    position = DOMAIN.adapter.read(text, "board")
    seen = position.cells if position.to_move == "white" else position.cells[::-1]
    own, other = ("wW", "bB") if position.to_move == "white" else ("bB", "wW")
    return seen.translate(str.maketrans(own + other, "oOxX"))


ALIKE = {
    "any": "-oOxX",
    "free": "-",
    "own": "oO",
    "other": "xX",
    "own man": "o",
    "own king": "O",
    "other man": "x",
    "other king": "X",
}
INNER = range(1, 7)
LIES = {
    "anywhere": (INNER, INNER),
    "own base": ((6,), INNER),
    "other base": ((1,), INNER),
    "middle": (range(2, 6), range(2, 6)),
    "right": (INNER, (6,)),
    "left": (INNER, (1,)),
}
"""The allowed rows and columns for the middle of each pattern."""


def occurrences(seen: str, pattern: int) -> int:
    place, _, kinds = ALLOCATION.pattern_name(pattern).partition(": ")
    number = 0
    for row, column in product(*LIES[place]):
        if (row + column) % 2:
            corners = ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1))
            here = [seen[4 * (row + down) + (column + right) // 2] for down, right in corners]
            number += all(piece in ALIKE[kind] for piece, kind in zip(here, kinds.split(", "), strict=True))
    return number


def test_patterns_say_as_much_of_the_class_as_counting_says():
    assert ALLOCATION.PATTERNS == 196_608 == 6 * 8**5
    bits = boards().information()
    seen = [cells(text) for text in boards().states()]
    classes = [positive for positive, _ in boards().worth()]
    best = boards().best_patterns(4)
    assert bits[best[0]] == min(bits)
    for pattern in [*best, 0, 32768 + 5, 3 * 32768 + 0o12, 5 * 32768 + 0o4, 196_607]:
        often = [occurrences(each, pattern) for each in seen]
        expected = 0.0
        for times in set(often):
            of = [c for c, n in zip(classes, often, strict=True) if n == times]
            for share in (sum(of) / len(of), 1 - sum(of) / len(of)):
                expected -= len(of) / len(seen) * (share * log2(share) if share else 0)
        assert bits[pattern] == pytest.approx(expected)
        assert [boards().features(place, [pattern])[-1] for place in range(20)] == often[:20]


def entropy(classes: list[bool]) -> float:
    share = sum(classes) / len(classes)
    return -len(classes) * sum(p * log2(p) for p in (share, 1 - share) if p)


def test_id3_splits_where_a_class_becomes_surest():
    classifier = ALLOCATION.grown(boards(), range(23), [], 40, "class")
    classes = [positive for positive, _ in boards().worth()]
    rows = [boards().features(place) for place in range(len(classes))]
    best = 0.0
    for feature in range(23):
        for threshold in {row[feature] for row in rows}:
            below = [c for c, row in zip(classes, rows, strict=True) if row[feature] <= threshold]
            above = [c for c, row in zip(classes, rows, strict=True) if row[feature] > threshold]
            if min(len(below), len(above)) >= 40:
                best = max(best, entropy(classes) - entropy(below) - entropy(above))
    feature, threshold, *_ = classifier.rows[0]
    below = [c for c, row in zip(classes, rows, strict=True) if row[feature] <= threshold]
    above = [c for c, row in zip(classes, rows, strict=True) if row[feature] > threshold]
    assert entropy(classes) - entropy(below) - entropy(above) == pytest.approx(best)
    leaves = [row for row in classifier.rows if row[0] < 0]
    assert len(leaves) > 3
    assert sum(row[4] for row in leaves) == pytest.approx(1)
    assert sum(row[4] * row[5] for row in leaves) == pytest.approx(sum(classes) / len(classes))
    assert min(row[4] for row in leaves) * len(classes) >= 40


def test_relief_prefers_what_tells_boards_of_two_classes_apart():
    weights = boards().relief(200, 1)
    assert len(weights) == 26
    assert weights == boards().relief(200, 1)
    assert max(weights) > 0


@pytest.mark.parametrize("name", RECIPES)
def test_what_is_learned_plays(name):
    classifier = learn_classifier(
        ALLOCATION, RECIPES[name], small_lessons(), SMALL, least=30, sample=300, seed=1
    )
    tally = ALLOCATION.play(START, SMALL, classifier, 30, 5)
    assert tally.won + tally.lost + tally.drawn == 30
    assert 0 < tally.deep <= 30 * SMALL.searches
    assert (tally.deciding_nodes > 0) == name.startswith("searched")
    assert len(classifier.patterns) == RECIPES[name].patterns
    if RECIPES[name].decides == "context":
        again = ALLOCATION.Classifier(classifier.rows, classifier.patterns, "context")
        assert played(ALLOCATION.play(START, SMALL, again, 30, 5)) == played(tally)


def played(tally) -> tuple[int, ...]:
    return tally.won, tally.lost, tally.drawn, tally.deep, tally.shallow_nodes, tally.deep_nodes


def test_searches_are_spent_as_strategies_say():
    games = 12
    never, always, row, random = (
        ALLOCATION.play(START, SMALL, name, 5.0, games, 2) for name in ("never", "always", "row", "random")
    )
    assert (never.deep, never.deep_nodes, never.deciding_nodes) == (0, 0, 0)
    assert always.deep > row.deep > 0
    assert always.shallow_nodes == 0 or always.deep < always.moves
    assert max(row.deep, random.deep) <= games * SMALL.searches
    assert row.asked > row.deep
    oracle = ALLOCATION.play(START, SMALL, "oracle", 0.0, games, 2)
    assert oracle.deciding_nodes > oracle.deep_nodes
    assert oracle.deep <= games * SMALL.searches


def test_equal_seeds_give_equal_games_and_a_strategy_that_never_searches_is_its_opponent():
    one, again = (ALLOCATION.play(START, SMALL, "never", 0.0, 300, 4) for _ in range(2))
    assert played(one) == played(again)
    found = score(one)
    assert found.games == 300
    assert abs(found.quality - 0.5) < 5 * found.error


def test_a_deeper_search_at_every_move_wins_more():
    assert score(ALLOCATION.play(START, SMALL, "always", 0.0, 200, 1)).quality > 0.55


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: ALLOCATION.play(START, SMALL, "sometimes", 0.0, 1, 1),
            "never, random, row, oracle or always",
        ),
        (lambda: ALLOCATION.play("nonsense", SMALL, "never", 0.0, 1, 1), "no position of checkers"),
        (lambda: ALLOCATION.boards(START, SMALL, 3, 0, 1), "1 or more apart"),
        (lambda: ALLOCATION.grown(boards(), [99], [], 5, "class"), "no such feature"),
        (lambda: ALLOCATION.grown(boards(), [1], [], 5, "luck"), "by `class` or by `utility`"),
        (lambda: ALLOCATION.grown(boards(0), [1], [], 5, "class"), "no boards"),
        (lambda: ALLOCATION.Classifier([], [], "context"), "no tree"),
        (lambda: ALLOCATION.Classifier([(0, 1, 0, 0, 1.0, 1.0)], [], "context"), "no tree"),
        (lambda: ALLOCATION.Classifier([(-1, 0, 0, 0, 1.0, 1.0)], [], "program"), "decide_by"),
        (lambda: ALLOCATION.Classifier([(-1, 0, 0, 0, 1.0, 1.0)], [200_000], "context"), "no such pattern"),
        (lambda: ALLOCATION.pattern_name(200_000), "no such pattern"),
    ],
)
def test_what_is_wrong_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_game_without_allocation_is_reported():
    with pytest.raises(NoNativeError, match="has no `allocation`"):
        allocation_of(OTHELLO)
