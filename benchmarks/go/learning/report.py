"""Results as text: the learned rules, their answers, the cost of answers, and the causes of missing ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import nan
from statistics import mean, median
from typing import Any

from benchmarks.go.learning.causes import CAUSES
from benchmarks.go.learning.course import AnsweredSet, LearningPoint

OUTCOMES = ("right", "unknown", "wrong")


def learned_table(learned: Sequence[LearningPoint]) -> str:
    """Return a table with one line per point."""
    head = f"{'learned from':<18}{'rules':>7}{'bytes':>10}{'of proofs':>11}{'seconds':>9}"
    lines = [f"{head}{'captures':>10}{'proved':>8}   proofs that gave no rule"]
    for point in learned:
        refused = ", ".join(f"{cause} {number}" for cause, number in point.refused.items())
        lines.append(
            f"{point.point.label:<18}{point.rules:>7}{point.bytes:>10}{point.proof_bytes:>11}"
            f"{point.seconds:>9.1f}{point.captures:>10}{point.proved:>8}   {refused or 'none'}"
        )
    return "\n".join(lines) + "\n"


def answers_table(answered: Sequence[AnsweredSet]) -> str:
    """Return a table by point and depth: attacker first, then captures with the defender first."""
    lines = []
    for name in dict.fromkeys(each.set for each in answered):
        of_set = [each for each in answered if each.set == name]
        ways = sorted({each.levels for each in of_set})
        head = "".join(f"{_way(levels):^29}" for levels in ways)
        columns = f"{'right':>8}{'unknown':>8}{'wrong':>6}{'%':>7}" * len(ways)
        lines += [
            f"{name}",
            f"{'':<29}{'attacker first':^{29 * len(ways)}}{'GG, defender first':^{8 + 29 * len(ways)}}",
            f"{'':<29}{head}{'':8}{head}".rstrip(),
            f"{'learned from':<18}{'depth':>5}{'of':>6}{columns}{'of':>8}{columns}",
        ]
        for label in dict.fromkeys(each.point.label for each in of_set):
            tables = [
                each
                for levels in ways
                for each in of_set
                if (each.point.label, each.levels) == (label, levels)
            ]
            lines += _answers(label, tables)
        lines.append("")
    return "\n".join(line.rstrip() for line in lines)


def seeds_table(answered: Sequence[AnsweredSet]) -> str:
    """Return a table with one line per set and a total: the right answers for each depth."""
    depths = sorted({row["depth"] for each in answered for row in each.rows if row["depth"] is not None})
    kinds = [*((None, depth) for depth in depths), ("PP", None)]
    heads = [f"depth {depth}" if depth else "PP" for _, depth in kinds]
    counts = [[_right_of(each, value, depth) for value, depth in kinds] for each in answered]
    sums = [tuple(map(sum, zip(*column, strict=True))) for column in zip(*counts, strict=True)]
    lines = [("", heads, "wrong")]
    for name, row, wrong in [
        *((each.set, row, len(each.wrong)) for each, row in zip(answered, counts, strict=True)),
        ("all", sums, sum(len(each.wrong) for each in answered)),
    ]:
        lines.append((name, [f"{right} of {of}" for right, of in row], str(wrong)))
    lines.append(("%", [f"{100 * right / of:.1f}" if of else "" for right, of in sums], ""))
    return "".join(
        f"{name:<12}{''.join(f'{cell:>13}' for cell in row)}{last:>7}\n" for name, row, last in lines
    )


def _right_of(answered: AnsweredSet, value: str | None, depth: int | None) -> tuple[int, int]:
    """Return the numbers of right answers and of problems, the attacker first.

    Without a capture, no answer is right.
    """
    row = _row(answered, value, depth)
    if row is None:
        return 0, 0
    return row["attacker_first"]["unknown" if value == "PP" else "right"], row["problems"]


def _way(levels: int) -> str:
    return f"chain of {levels} levels" if levels else "one match"


def _answers(label: str, tables: Sequence[AnsweredSet]) -> list[str]:
    lines = []
    depths = sorted({row["depth"] for row in tables[0].rows if row["depth"] is not None})
    for depth in (*depths, None):
        first = [_row(each, None if depth else "PP", depth) for each in tables]
        second = [_row(each, "GG", depth) for each in tables] if depth else []
        if first[0] is None:
            continue
        cells = "".join(_cells(row, "attacker_first") for row in first)
        if second and second[0] is not None:
            cells += f"{second[0]['problems']:>8}" + "".join(_cells(row, "defender_first") for row in second)
        lines.append(f"{label:<18}{depth or 'PP':>5}{first[0]['problems']:>6}{cells}")
    return lines


def _row(answered: AnsweredSet, value: str | None, depth: int | None) -> Mapping[str, Any] | None:
    return next((row for row in answered.rows if (row["value"], row["depth"]) == (value, depth)), None)


def _cells(row: Mapping[str, Any] | None, side: str) -> str:
    assert row is not None
    right, unknown, wrong = (row[side][outcome] for outcome in OUTCOMES)
    return f"{right:>8}{unknown:>8}{wrong:>6}{100 * right / row['problems']:>7.1f}"


def wrong_answers(answered: Sequence[AnsweredSet]) -> str:
    """Return every wrong answer, on either side."""
    found = [
        f"  {each.point.label}, {each.set}, {_way(each.levels)}: {fault['id']} is {fault['value']},"
        f" said {fault['said']} {fault['move'] or ''} by {fault['rule']}: {fault['why']}"
        for each in answered
        for fault in each.wrong
    ]
    return "\n".join([f"wrong answers in all of this, either side first: {len(found)}", *found]) + "\n"


def cost_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a table by depth and way, with the share of alpha-beta's positions."""
    head = (
        f"{'depth':>5}  {'way':<12}{'problems':>9}{'right':>7}{'positions: mean':>17}{'median':>8}{'most':>8}"
    )
    lines = [
        f"{head}{'of alpha-beta':>15}{'us, first: mean':>17}{'median':>9}{'repeated: mean':>16}{'median':>9}"
    ]
    for depth in dict.fromkeys(row["depth"] for row in rows):
        of_depth = [row for row in rows if row["depth"] == depth]
        baseline = next(sum(row["positions"]) for row in of_depth if row["way"] == "alpha-beta")
        for row in of_depth:
            positions = row["positions"]
            first, repeated = row["first"], row["repeated"] or [nan]
            lines.append(
                f"{depth or 'none':>5}  {row['way']:<12}{row['problems']:>9}{row['right']:>7}"
                f"{mean(positions):>17.1f}{median(positions):>8.0f}{max(positions):>8}"
                f"{sum(positions) / baseline:>15.3f}{mean(first):>17.0f}{median(first):>9.0f}"
                f"{mean(repeated):>16.0f}{median(repeated):>9.0f}"
            )
    return "\n".join(lines) + "\n"


def causes_table(found: Mapping[str, Any]) -> str:
    """Return a table by way, side and depth with failures: the number tried, and their causes."""
    lines = [f"{'':<12}{'first':<10}{'depth':>6}{'of':>6}{'tried':>7} {_named(CAUSES)}{'with ko':>10}"]
    order = sorted(map(tuple, found["unanswered"]), key=lambda kind: (kind[0], not kind[1], kind[2]))
    for chained, first, depth, count in order:
        kind = (chained, first, depth)
        some = [f for f in found["failures"] if (f["chained"], f["attacker_first"], f["depth"]) == kind]
        causes = Counter(failure["cause"] for failure in some)
        lines.append(
            f"{'chain' if chained else 'one match':<12}{'attacker' if first else 'defender':<10}{depth:>6}"
            f"{count:>6}"
            f"{len(some):>7} {''.join(f'{causes[cause]:>8}' for cause in CAUSES)}"
            f"{sum(f['ko'] for f in some):>10}"
        )
    return "\n".join(lines) + "\n"


def _named(causes: Sequence[str]) -> str:
    return "".join(f"{cause:>8}" for cause in causes)
