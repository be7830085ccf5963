"""The worth of rules as a table and as JSON, for `rules prune` and `theory profile --problems`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from hornbook.games.rule_worth import RuleWorth, Worths
from hornbook.terminal.plain_text import plain


def worth_table(rules: Sequence[RuleWorth]) -> str:
    """Return a table with a row for each rule, with times in milliseconds."""
    table = Table(box=None, pad_edge=False)
    for name in ("worth ms", "match ms", "tried", "saves ms", "answers", "says"):
        table.add_column(name, justify="right")
    table.add_column("rule")
    for each in rules:
        saved = milliseconds(each.saved_seconds) if each.answers else "-"
        costs = milliseconds(each.worth), milliseconds(each.match_seconds), f"{each.tried:,.1f}"
        table.add_row(*costs, saved, f"{each.answers:,}", f"{each.says:,}", each.rule)
    return plain(table)


def milliseconds(seconds: float | None) -> str:
    """Return seconds as milliseconds, or `?` if they are unknown."""
    return "?" if seconds is None else f"{1000 * seconds:.4f}"


def worth_rows(found: Worths) -> list[dict[str, Any]]:
    """Return an object for each rule, with times in seconds."""
    return [
        {
            "rule": each.rule,
            "worth": each.worth,
            "match_seconds": each.match_seconds,
            "tried": each.tried,
            "saved_seconds": each.saved_seconds,
            "answers": each.answers,
            "says": each.says,
        }
        for each in found.rules
    ]
