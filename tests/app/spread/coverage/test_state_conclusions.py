"""Conclusions by number: rows of tables are found if, and only if, they are conclusions of the theory."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from random import Random

import pyarrow
import pytest

from hornbook import learn
from hornbook.compiler.learn.covering.state_conclusions import StateConclusions
from hornbook.kb.load.loader import load_text

SETS = [
    ["red", "blue", "7", "'7'"],
    [-3, 0, 4, 2**62],
    [date(2026, 2, 1), date(2026, 3, 9)],
    [Decimal("1.50"), Decimal("0.10")],
]


def table_of(rows, columns, *, of_dictionary):
    """Return rows as a table, with the values of words in a dictionary of their own order."""
    types = [pyarrow.string(), pyarrow.int64(), pyarrow.date32(), pyarrow.decimal128(18, 2)]
    arrays = [pyarrow.array([row[0] for row in rows], pyarrow.int64())]
    for place, kind in enumerate(columns, 1):
        array = pyarrow.array([row[place] for row in rows], types[kind])
        arrays.append(array.dictionary_encode() if of_dictionary and kind == 0 else array)
    return pyarrow.table(arrays, names=[str(number) for number in range(len(arrays))])


@pytest.mark.parametrize("seed", range(8))
def test_rows_are_found_if_and_only_if_they_are_there(seed):
    random = Random(seed)
    columns = [random.randrange(4) for _ in range(random.randrange(4))]

    def rows(number):
        return [
            (random.randrange(5), *(random.choice(SETS[kind]) for kind in columns)) for _ in range(number)
        ]

    known = list(dict.fromkeys(rows(random.choice([0, 5, 60]))))
    other = [(0,), (3,)]
    conclusions = StateConclusions(
        {"p": table_of(other, [], of_dictionary=True), "q": table_of(known, columns, of_dictionary=True)}
    )
    assert len(conclusions) == len(known) + 2
    assert conclusions.states.tolist() == [0, 3, *(row[0] for row in known)]
    asked = rows(80)
    expected = [known.index(row) + 2 if row in known else -1 for row in asked]
    for of_dictionary in (True, False):
        table = table_of(asked, columns, of_dictionary=of_dictionary)
        assert conclusions.numbers("q", table).tolist() == expected
    assert [conclusions.number("q", row[0], row[1:]) for row in asked] == expected
    assert [conclusions.number("p", state, ()) for state in range(4)] == [0, -1, -1, 1]


LOANS = """
theory loans.
sort book.
sort reader.
sort day = date.
sort money = decimal(2).
sort mark = word | int.
static fee(money).
static marks(book, mark).
fluent due(book -> day).
fluent owes(reader -> money).
fluent has(reader, book).
action extend(reader, book).
derived tagged(reader, mark).
tag: tagged(?r, ?m) :- has(?r, ?b), marks(?b, ?m).
later: after due(?b, ?e) :- extend(?r, ?b), before has(?r, ?b), before due(?b, ?d), ?e = ?d + 14.
pays: after owes(?r, ?y) :- extend(?r, ?b), before has(?r, ?b), before owes(?r, ?x), fee(?f), ?y = ?x + ?f.
persists due(?b, _) unless extend(_, ?b).
persists has(?r, _).
"""


def test_conclusions_with_dates_decimal_numbers_and_mixed_values_are_covered():
    random, states = Random(3), []
    for _ in range(40):
        book, mark = random.choice(["b1", "b2"]), random.choice(["red", "7"])
        states.append(
            f"fee(0.50). owes(ann, {random.randrange(300) / 100:.2f}). has(ann, {book}). marks({book}, {mark})."
            f" due(b1, 2026-02-{random.randint(10, 28)}). due(b2, 2026-03-01). extend(ann, b1)."
        )
    report = learn(
        load_text(LOANS, "loans.horn"), [], states=states, goals=["due", "owes", "tagged"]
    ).coverage
    assert report.covered == report.conclusions > 100
