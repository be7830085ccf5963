"""Function calls in a separate process."""

import os
from pathlib import Path
from time import sleep

import pytest

from hornbook.inputs.theories import load
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.spread.timed import CallTimeoutError, EndedError, within


@pytest.mark.parametrize("seconds", [60, 1e12, float("inf")])
def test_a_call_in_time_gives_its_result(seconds):
    assert within(seconds, divmod, 7, 2) == (3, 1)


def test_a_call_that_takes_longer_is_ended():
    with pytest.raises(CallTimeoutError, match=r"0\.01 seconds"):
        within(0.01, sleep, 1000)


def test_a_process_that_ends_without_a_result_is_reported():
    with pytest.raises(EndedError):
        within(60, os._exit, 3)


def test_the_error_of_a_theory_keeps_its_place(tmp_path):
    theory = tmp_path / "wrong.horn"
    theory.write_text("theory wrong.\n\nnothing(here).\n", encoding="utf-8")
    with pytest.raises(TheoryError) as found:
        within(60, load, theory)
    (problem,) = found.value.diagnostics
    assert (problem.code, Path(problem.span.file).name, problem.span.line) == ("HB010", "wrong.horn", 3)
    assert "nothing(here)" in str(found.value)
