"""Code of a theory that ends the program: every command reports an error, and the session continues."""

from __future__ import annotations

import io
import sys

import pytest

from hornbook import cli
from hornbook.kb.load.adapters import AdapterError
from hornbook.spread.timed import within
from hornbook.terminal.code_exits import exits_are_errors

ADAPTER = """
import sys
def read(text, name):
    return text
def facts(state):
    return ()
def decode(data, name):
    sys.exit(0)
"""


class OwnError(BaseException):
    """An exception that no handler of `Exception` catches."""


def test_an_exit_is_an_error():
    with pytest.raises(AdapterError, match="ends the program by SystemExit"), exits_are_errors:
        sys.exit(0)


@pytest.mark.parametrize("problem", [ValueError, KeyboardInterrupt, OwnError])
def test_other_exceptions_stay_what_they_are(problem):
    with pytest.raises(problem), exits_are_errors:
        raise problem


def test_an_exception_of_an_adapter_that_nobody_handles_is_an_error():
    code = compile("raise Own", "adapter.py", "exec")
    with (
        pytest.raises(AdapterError, match=r"adapter.py:1: the code ends the program by OwnError"),
        exits_are_errors,
    ):
        exec(code, {"Own": OwnError})


def test_an_exit_in_another_process_is_an_error():
    with pytest.raises(AdapterError, match="ends the program by SystemExit"):
        within(60, sys.exit, 0)


def test_a_session_goes_on_after_an_exit(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.horn").write_text("theory own.\nsort place.\nstatic at(place).\nat(a).\n")
    (tmp_path / "adapter.py").write_text(ADAPTER)
    (tmp_path / "state").write_text("x")
    monkeypatch.setattr(sys, "stdin", io.StringIO(":load state\nat(?x)\n"))
    assert cli.main(["repl", "own.horn"]) == 1
    output = capsys.readouterr()
    assert "adapter.py:8: the code ends the program by SystemExit" in output.err
    assert "a" in output.out.split()
