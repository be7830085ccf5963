"""Tests of the numbers of items in messages."""

from __future__ import annotations

import pytest

from hornbook.kb.text.counts import counted


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (0, "0 facts"),
        (1, "1 fact"),
        (2, "2 facts"),
        (12_000, "12,000 facts"),
        ("1", "1 fact"),
        ("0.25", "0.25 facts"),
    ],
)
def test_one_value_and_several(number: int | str, message: str) -> None:
    assert counted(number, "fact") == message


def test_seconds_need_not_be_whole() -> None:
    assert [counted(seconds, "second") for seconds in (1.0, 1.5, 60.0)] == [
        "1 second",
        "1.5 seconds",
        "60 seconds",
    ]


def test_another_plural_than_with_an_s() -> None:
    assert [counted(n, "rule follows", "rules follow") for n in (1, 2)] == [
        "1 rule follows",
        "2 rules follow",
    ]
