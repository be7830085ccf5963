"""Learning curve as SVG: right answers to unseen problems by the number of problems learned from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks import svg
from benchmarks.go.learning.course import AnsweredSet, LearningPoint


def write(learned: Sequence[LearningPoint], answered: Sequence[AnsweredSet], path: Path) -> None:
    """Draw one picture for each way to answer, and one for the rules and the seconds.

    There is a curve for each depth and set; those of the second set are dashed. Raises ModuleNotFoundError if
    matplotlib is not installed.
    """
    figure = svg.figure(14, 4)
    labels = [each.point.label for each in learned]
    ways = sorted({each.levels for each in answered})
    for place, levels in enumerate(ways, start=1):
        axes = figure.add_subplot(1, len(ways) + 1, place)
        # In order, so that a label gets its place before a later one.
        axes.plot(labels, [0] * len(labels), alpha=0)
        for number, name in enumerate(dict.fromkeys(each.set for each in answered)):
            for colour, depth in enumerate((1, 3, 5, 7)):
                some = [each for each in answered if (each.levels, each.set) == (levels, name)]
                axes.plot(
                    [each.point.label for each in some],
                    [_share(each, depth) for each in some],
                    ("-", "--")[number % 2],
                    color=f"C{colour}",
                    marker="o",
                    markersize=3,
                    label=None if number else f"depth {depth}",
                )
        axes.set_title(f"a chain of {levels} levels" if levels else "one match")
        axes.set_ylabel("% right, attacker first")
        axes.set_ylim(-3, 103)
        axes.legend()
    axes = figure.add_subplot(1, len(ways) + 1, len(ways) + 1)
    axes.plot(labels, [each.rules for each in learned], marker="o", markersize=3, label="rules")
    seconds = [each.seconds for each in learned]
    axes.plot(labels, seconds, "--", marker="o", markersize=3, label="processor seconds to learn them")
    axes.set_title("what was learned")
    axes.legend()
    for each in figure.axes:
        each.set_xlabel("problems learned from")
        each.tick_params(axis="x", labelrotation=20)
        each.grid(visible=True, linewidth=0.3)
    sets = dict.fromkeys(each.set for each in answered)
    figure.suptitle(
        "; ".join(f"{line}: {name}" for line, name in zip(("solid", "dashed"), sets, strict=False))
    )
    svg.save(figure, path)


def _share(answered: AnsweredSet, depth: int) -> float:
    row = next((r for r in answered.rows if (r["value"], r["depth"]) == (None, depth)), None)
    return 100 * row["attacker_first"]["right"] / row["problems"] if row else 0.0
