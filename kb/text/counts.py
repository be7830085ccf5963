"""Numbers of things, as messages say them: one thing, or several."""

from __future__ import annotations


def counted(number: float | str, noun: str, plural: str = "") -> str:
    """`1 rule`, `2 rules`, `12,000 facts`; of a text, which is a number written already, that number.

    The plural is the noun with an `s` where no other is given, as with `counted(1, "rule follows", "rules follow")`.
    """
    said = (
        f"{number:,}" if isinstance(number, int) else f"{number:g}" if isinstance(number, float) else number
    )
    return f"{said} {noun if said == '1' else plural or f'{noun}s'}"
