"""Output of a process and its children outside the log: it becomes lines of the log."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from hornbook.web.captured_output import LONGEST, captured_logging, captured_output

pytestmark = pytest.mark.skipif(os.name != "posix", reason="streams are left alone on Windows")
PROGRAM = (Path(__file__).parent / "data" / "captured_output_program.txt").read_text(encoding="utf-8")


def test_lines_of_the_process_and_its_children_are_reported():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=False)
    assert done.stdout == b"after\n"
    lines = done.stderr.decode().splitlines()
    assert lines.pop(lines.index("written")) == "written"
    long = [line.removeprefix("told ") for line in lines if "yyy" in line]
    assert [len(line) for line in long] == [LONGEST, LONGEST, 25_001 - 2 * LONGEST]
    others = [line for line in lines if "yyy" not in line]
    assert sorted(others) == sorted(
        f"told {line}" for line in ("printed", "error", "half a line", "\ufffd", "of a child", "the end")
    )


def test_a_log_that_is_not_read_ends_nothing():
    program = (
        "import os\n"
        "from hornbook.web.captured_output import captured_output\n"
        "with captured_output(lambda line: None) as write:\n"
        "    write(b'x' * 1_000_000)\n"
        "    write(b'y')\n"
        "print('done')\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stderr.close()
    assert process.stdout.read() == b"done\n"
    process.stdout.close()
    assert process.wait() in (0, 120)


def test_what_libraries_log_is_reported_with_its_traceback():
    reported = []
    with captured_logging(lambda *output: reported.append(output)):
        logging.getLogger("another_package").warning("odd %s", "thing")
        try:
            raise ValueError("no")
        except ValueError:
            logging.getLogger("asyncio").exception("failed")
        logging.getLogger("other").info("nothing")
    assert reported[0] == ("warning", "odd thing")
    assert reported[1][0] == "error"
    assert reported[1][1].startswith("failed\nTraceback")


def test_warnings_are_reported():
    reported = []
    with captured_logging(lambda *output: reported.append(output)), warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn("old", UserWarning, stacklevel=1)
        logging.captureWarnings(False)
    assert "UserWarning: old" in reported[0][1]


def test_nothing_is_captured_afterwards(capfd):
    with captured_output(lambda _: None):
        os.write(1, b"told\n")
    os.write(1, b"seen\n")
    assert capfd.readouterr().out == "seen\n"
