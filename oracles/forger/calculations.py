"""Random calculations with dates, decimal numbers and words, for the theories of the forger.

Each function returns the text of a condition or a term. A text may break a rule of the language; the maker of
theories then tries another theory.
"""

from __future__ import annotations

from random import Random

MODES = ("half_up", "half_even", "up", "down", "floor", "ceiling")
OPERATORS = ("<", "<=", ">", ">=", "!=", "=", "=")
DAYS = ("1969-12-31", "1970-01-01", "1970-01-02", "1970-01-31", "1970-02-28", "1972-02-29")
RATES = ("0.0 percent", "5.5 percent", "19.0 percent", "-10.0 percent")
AMOUNTS = ("0.0", "0.1", "0.2", "0.5", "-0.5", "1.0", "1.5")
WORDS = ("t1", "t2", "s1", "'T1'", "t", "'1'", "'t1-t2'")


def constant(sort: str, random: Random) -> str:
    """Return a constant of the sort `day` or `euro`."""
    return random.choice(DAYS if sort == "day" else AMOUNTS)


def of_days(one: str, other: str, random: Random) -> str:
    """Return a comparison of dates."""
    day, number = random.choice((*DAYS, other)), str(random.randint(0, 4))
    date = random.choice(
        (f"{one} + {number}", f"add_months({one}, {number})", f"add_years({one}, 1)",
         f"first_of_month({one})", f"last_of_month({one})",
         f"max({one}, {other})", f"date(year({one}), month({other}), 31)")
    )  # fmt: skip
    part = random.choice(("year", "month", "day", "weekday", "day_of_year", "iso_week"))
    left, right = random.choice(
        ((date, day), (one, day), (f"{one} - {other}", number), (f"{part}({one})", number),
         (f"{part}({one})", f"{part}({other})"))
    )  # fmt: skip
    return f"{left} {random.choice(OPERATORS)} {right}"


def of_amounts(one: str, other: str, random: Random) -> str:
    """Return a comparison of decimal numbers with one digit."""
    mode, amount = random.choice(MODES), random.choice((*AMOUNTS, other))
    left, right = random.choice(
        ((f"{one} + {amount}", other), (f"round_{mode}({one} * 0.25, 3, 1)", amount),
         (f"round_{mode}({one}, 1, 0)", str(random.randint(-1, 2))), (f"{one} * {other}", "0.05"),
         (f"divide_{mode}({one}, {amount}, 1)", amount), (f"divide_{mode}({one}, 0.3, 0)", "1"),
         (f"min({one}, {other})", amount), (f"round_{mode}({one} * {random.choice(RATES)}, 4, 1)", amount),
         (f"percent_{mode}({one}, {amount}, 1)", random.choice(RATES)), (one, amount))
    )  # fmt: skip
    return f"{left} {random.choice(OPERATORS)} {right}"


def of_words(one: str, other: str, random: Random) -> str:
    """Return a comparison of words."""
    word, place = random.choice((*WORDS, other)), str(random.randint(1, 3))
    kind = random.randrange(3)
    if kind == 0:
        number = random.choice(
            (f"length({one})", f"int(part({one}, 2, 2))", f"abs(int({one}))", f"int(split({one}, t, 2))",
             f"length(concat({one}, {other}))")
        )  # fmt: skip
        return f"{number} {random.choice(OPERATORS)} {place}"
    if kind == 1:
        test = random.choice(("starts_with", "ends_with", "contains", "matches"))
        words = (one, word) if random.random() < 0.7 else (word, one)
        return f"{test}({', '.join(words)}) = {random.choice('110')}"
    left = _call(one, other, random)
    right = random.choice((word, word, _call(other, one, random)))
    return f"{left} {random.choice(('=', '=', '!='))} {right}"


def computed(sort: str, one: str, other: str, random: Random) -> str:
    """Return a calculation with a result of a sort."""
    if sort == "day":
        return random.choice(
            (
                f"{one} + 1",
                f"{one} - 1",
                f"add_months({one}, 1)",
                f"last_of_month({one})",
                f"min({one}, {other})",
            )
        )
    if sort == "euro":
        mode = random.choice(MODES)
        return random.choice(
            (
                f"{one} + 0.1",
                f"{one} - {other}",
                f"round_{mode}({one} * 1.5, 2, 1)",
                f"divide_{mode}({one}, 0.3, 1)",
            )
        )
    return _call(one, other, random)


def _call(one: str, other: str, random: Random) -> str:
    place = random.randint(1, 2)
    return random.choice(
        (f"upper({one})", f"lower({one})", f"lower(upper({one}))", f"part({one}, {place}, {place})",
         f"concat(part({one}, 1, 1), '{place}')", f"split(concat({one}, '-', {other}), '-', {place})",
         f"word(length({one}))")
    )  # fmt: skip
