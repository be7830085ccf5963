"""Classifiers of boards that deserve a deeper search, each learned by a recipe.

The paper has ID3 on hand-made features, feature selection by RELIEF, leaves that use the remaining budget,
and discovered patterns. This module adds what the paper leaves open: trees for the utility, features by small
searches, and dynamic programming over the remaining budget.

Source: Markovitch and Sella 1996, section 5.3.
"""

from __future__ import annotations

from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.allocation.native import Allocation, AllocationSetting, AllocationTally, Boards, Classifier


@dataclass(frozen=True, slots=True)
class Recipe:
    """The features of a classifier, its target, and the decision rule of its leaves.

    RELIEF chooses the number `selected` of hand-made features, or all with None. The number of added patterns
    is `patterns`. The target `by` is `class` or `utility`. The decision rule `decides` is `majority`,
    `context` or `program`.
    """

    decides: str = "context"
    by: str = "class"
    selected: int | None = 17
    patterns: int = 0
    searched: bool = False


RECIPES = {
    "id3": Recipe(decides="majority", selected=None),
    "relief": Recipe(decides="majority"),
    "context": Recipe(),
    "found": Recipe(patterns=24),
    "utility": Recipe(decides="program", by="utility", selected=None, patterns=24),
    "searched": Recipe(selected=None, searched=True),
    "searched-utility": Recipe(decides="program", by="utility", selected=None, searched=True),
}
"""Each of the first four adds one element to the previous one: the rows of the paper's Table 2."""


@dataclass(frozen=True, slots=True)
class TrainingBoards:
    """Boards to learn from, others for the leaves, and two shares.

    Of all moves, `choice_share` is the share with a choice between a shallow and a deep search. Of all games,
    `ends` is the share that ends at any one move.
    """

    boards: Boards
    refill: Boards
    choice_share: float
    ends: float


def training_boards(
    native: Allocation, start: str, setting: AllocationSetting, number: int, refill: int, seed: int
) -> TrainingBoards:
    """Return boards from separate games, one in three of each."""
    tally = native.play(start, setting, "never", 0.0, 500, seed)
    games = tally.won + tally.lost + tally.drawn
    lasted = tally.moves / games / setting.moves
    return TrainingBoards(
        native.boards(start, setting, number, 3, seed + 1),
        native.boards(start, setting, refill, 3, seed + 2),
        tally.asked / tally.moves,
        # With this chance of ending at each move, the mean length of games is correct to the first order.
        min(1.0, 2 * (1 - lasted) / setting.moves),
    )


def learn_classifier(
    native: Allocation,
    recipe: Recipe,
    taught: TrainingBoards,
    setting: AllocationSetting,
    *,
    least: int,
    sample: int,
    seed: int,
) -> Classifier:
    """Return the classifier of a recipe.

    No leaf has fewer than `least` boards, and RELIEF uses `sample` boards.
    """
    features = _by_hand(native, recipe.selected, taught.boards.first(sample), sample, seed)
    if recipe.searched:
        features += range(native.BY_HAND, len(native.FEATURES))
    patterns = taught.boards.best_patterns(recipe.patterns) if recipe.patterns else []
    features += range(len(native.FEATURES), len(native.FEATURES) + len(patterns))
    tree = native.grown(taught.boards, features, patterns, least, recipe.by)
    found = native.Classifier(tree.rows, patterns, "context")
    if recipe.decides != "majority":
        found.refill(taught.refill, recipe.by)
    found.decide_by(recipe.decides, setting, taught.choice_share, taught.ends)
    return found


def _by_hand(native: Allocation, selected: int | None, boards: Boards, sample: int, seed: int) -> list[int]:
    """Return the hand-made features that RELIEF selects."""
    features = list(range(native.BY_HAND))
    if selected is None:
        return features
    weights = boards.relief(sample, seed)
    return sorted(sorted(features, key=lambda each: -weights[each])[:selected])


@dataclass(frozen=True, slots=True)
class QualityScore:
    """Wins and half of the draws as a share of all games, with its standard error."""

    games: int
    quality: float
    error: float


def score(tally: AllocationTally) -> QualityScore:
    games = tally.won + tally.lost + tally.drawn
    quality = (tally.won + tally.drawn / 2) / games
    square = (tally.won + tally.drawn / 4) / games
    return QualityScore(games, quality, ((square - quality**2) / games) ** 0.5)
