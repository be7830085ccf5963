"""Numbers of things in messages, with singular or plural."""

from __future__ import annotations


def counted(number: float | str, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 rule`, `2 rules`, `12,000 facts`. A text is a number that is already
    formatted.

    The default plural is the noun with an `s`. Another one is given as in `counted(1, "rule follows", "rules
    follow")`.
    """
    shown = (
        f"{number:,}" if isinstance(number, int) else f"{number:g}" if isinstance(number, float) else number
    )
    return f"{shown} {noun if shown == '1' else plural or f'{noun}s'}"
