"""A chart of the tails of the error distribution, beside the normal and the Laplace distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hornbook.kb.text.counts import counted
from hornbook.play.thinking.statistics import SPAN, STEPS, Statistics, shape_of
from hornbook.render.line_chart import Series, line_chart

_FARTHEST = 6
_RAREST = 1e-5


def errors_chart(statistics: Statistics) -> str:
    """Return an SVG with the fraction of errors beyond each number of deviations, on a logarithmic axis."""
    steps = [step / 2 for step in range(1, 2 * _FARTHEST + 1)]
    found = [
        Series(counted(each.plies, "ply", "plies"), _beyond(each.shape, steps)) for each in statistics.errors
    ]
    known = [Series(tails, _beyond(shape_of(tails), steps), "dashed") for tails in ("normal", "laplace")]
    title = f"Errors of {statistics.game} beyond a number of deviations"
    return line_chart(
        title,
        [f"{step:g}" for step in steps],
        [*found, *known],
        lambda tick: f"{100 * 10 ** (tick / 1000):g} %",
    )


def _beyond(shape: Sequence[float], steps: Sequence[float]) -> list[int | None]:
    """Return 1000 times the decimal logarithm of each fraction, or None if it is negligible."""
    width = 2 * SPAN / STEPS
    found: list[int | None] = []
    for step in steps:
        low, high = round((SPAN - step) / width), round((SPAN + step) / width)
        part = (shape[low] - shape[low - 1]) / width + 1 - (shape[high + 1] - shape[high]) / width
        found.append(round(1000 * math.log10(part)) if part > _RAREST else None)
    return found
