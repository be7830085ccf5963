"""A call in a process of its own."""

import os
from time import sleep

import pytest

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.spread.timed import EndedError, LateError, within


def _refuse():
    raise TheoryError([error("HB110", "too large", Span("game.kif", 1, 1, 1, 2))], {"game.kif": "(role x)"})


@pytest.mark.parametrize("seconds", [60, 1e12, float("inf")])
def test_a_call_in_time_gives_its_result(seconds):
    assert within(seconds, divmod, 7, 2) == (3, 1)


def test_a_call_that_takes_longer_is_ended():
    with pytest.raises(LateError, match=r"0\.01 seconds"):
        within(0.01, sleep, 1000)


def test_a_process_that_ends_without_a_result_is_reported():
    with pytest.raises(EndedError):
        within(60, os._exit, 3)


def test_the_error_of_a_theory_keeps_its_place():
    with pytest.raises(TheoryError) as found:
        within(60, _refuse)
    assert found.value.diagnostics[0].span.file == "game.kif"
    assert "too large" in str(found.value)
