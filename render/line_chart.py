"""Line chart as SVG: several series over the same steps, drawn without a library."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hornbook.kb.text.escaping import markup
from hornbook.matcher.program.dataclass import dataclass

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 240, 84, 130, 16, 28
COLOURS = ("#2563eb", "#b45309", "#15803d", "#7c3aed", "#be123c")
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Series:
    """Values by step, with None for a missing value. `kind` is `line`, `dashed` or `dots`."""

    name: str
    values: Sequence[int | None]
    kind: str = "line"


def line_chart(
    title: str, steps: Sequence[str], series: Sequence[Series], label: Callable[[int], str]
) -> str:
    """Return the chart as an `svg` element; `label` formats a value on the axis."""
    values = [value for each in series for value in each.values if value is not None] or [0]
    ticks = _ticks(min(0, *values), max(0, *values))
    low, high = ticks[0], ticks[-1]

    def x(step: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (step + 0.5) / len(steps)

    def y(value: int) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"',
        f' aria-label="{markup(title)}" font-family="system-ui, sans-serif" font-size="12">',
        f"<title>{markup(title)}</title>",
    ]
    for tick in ticks:
        strong = "0.8" if tick == 0 else "0.15"
        lines.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"'
            f' stroke="currentColor" stroke-opacity="{strong}"/>'
            f'<text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end" fill="currentColor">'
            f"{markup(label(tick))}</text>"
        )
    lines += [
        (
            f'<text x="{x(n):.1f}" y="{HEIGHT - 8}" text-anchor="middle" fill="currentColor">'
            f"{markup(step)}</text>"
        )
        for n, step in enumerate(steps)
    ]
    for number, each in enumerate(series):
        colour = COLOURS[number % len(COLOURS)]
        points = [(x(n), y(value)) for n, value in enumerate(each.values) if value is not None]
        lines.append(_drawn(points, each.kind, colour))
        height = TOP + 14 + 18 * number
        left, right = WIDTH - RIGHT + 12, WIDTH - RIGHT + 32
        sample = ((left + right) / 2,) if each.kind == "dots" else (left, right)
        lines.append(_drawn([(place, height - 4) for place in sample], each.kind, colour))
        lines.append(
            f'<text x="{WIDTH - RIGHT + 38}" y="{height}" fill="currentColor">{markup(each.name)}</text>'
        )
    return "\n".join([*lines, "</svg>"])


def _drawn(points: Sequence[tuple[float, float]], kind: str, colour: str) -> str:
    if kind == "dots" or len(points) == 1:  # a line with one point would be invisible
        return "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y in points)
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = ' stroke-dasharray="6 4"' if kind == "dashed" else ""
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'


def _ticks(low: int, high: int) -> list[int]:
    """Return four to eight round numbers that enclose both values."""
    span = max(1, high - low)
    step = next(step * 10**digits for digits in range(20) for step in STEPS if step * 10**digits * 6 >= span)
    first, last = low // step, -(-high // step)
    return [step * number for number in range(first, max(last, first + 1) + 1)]
