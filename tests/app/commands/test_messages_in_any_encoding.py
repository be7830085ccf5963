"""Help, diagnostics and marks of reports in every output encoding."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hornbook import cli


def _run(*arguments: str, encoding: str = "ascii") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hornbook", *arguments]
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.deep
def test_help_is_printed_in_ascii() -> None:
    found = _run("learn", "--help")
    assert (found.returncode, found.stderr) == (0, "")
    assert "Usage: hornbook learn" in found.stdout


def test_a_diagnostic_is_printed_in_ascii(tmp_path: Path) -> None:
    path = tmp_path / "arrows.horn"
    path.write_text('theory arrows.\nsort w.\nstatic edge(w).\nedge("a→b").\n', encoding="utf-8")
    found = _run("check", str(path))
    assert (found.returncode, found.stderr) == (1, "")
    assert "HB001" in found.stdout
    assert r"a\u2192b" in found.stdout


CHAIN = """theory chain.
sort n.
static e(n, n).
derived r(n, n).
one: r(?a, ?b) :- e(?a, ?b).
more: r(?a, ?c) :- r(?a, ?b), e(?b, ?c).
""" + "".join(f"e(n{number}, n{number + 1}).\n" for number in range(60))
FIRM = Path(__file__).parents[3] / "theories" / "firm"
MOMENT = str(FIRM / "examples" / "moments" / "flour_is_dear.csv")
REPORTS = [
    ["why", "chain.horn", "r(n0, n59)"],
    ["why-not", "chain.horn", "r(n5, n0)"],
    ["what-if", "chain.horn", "e(n0, n0)"],
    ["rules", "trust", "firm", "--rules", str(FIRM / "rules.horn")],
    ["rules", "match", "go", "board.txt", "--rules", "none.horn", "--why"],
    ["theory", "network", str(FIRM / "rules.horn"), "--theory", "firm"],
    ["firm", "advise", "firm", "--state", MOMENT, "--why"],
    ["firm", "report", "firm", str(FIRM / "examples" / "workshop"), "--into", "year.html"],
]


@pytest.fixture
def chain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "chain.horn"
    path.write_text(CHAIN, encoding="utf-8")
    return path


@pytest.mark.deep_cases("firm report-ascii", "firm report-latin-1")
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("arguments", REPORTS, ids=lambda words: " ".join(words[:2]))
def test_a_report_is_printed_in_every_encoding(
    chain: Path,
    arguments: list[str],
    encoding: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", out)
    code = cli.main(arguments)
    message = capsys.readouterr().err
    assert "output encoding" not in message
    assert code == 0 or "none.horn" in message
    out.flush()
    out.buffer.getvalue().decode(encoding)


def test_the_marks_of_a_report_become_ascii(chain: Path) -> None:
    found = _run("why", str(chain), "r(n0, n59)", "--depth", "1")
    assert found.returncode == 0
    assert "... of 59 derived facts" in found.stdout
    assert "\u2026" not in found.stdout


def test_the_marks_of_a_report_stay_in_utf_8(chain: Path) -> None:
    found = _run("why", str(chain), "r(n0, n59)", "--depth", "1", encoding="utf-8")
    assert "\u2026 of 59 derived facts" in found.stdout


@pytest.mark.parametrize("word", ["'\u2026'", "'a \u2192 b'", b"'a \\u2026 b'".decode("unicode_escape")])
def test_a_word_that_looks_like_a_mark_is_refused_and_not_changed(chain: Path, word: str) -> None:
    chain.write_text(CHAIN + f"e({word}, n0).\n", encoding="utf-8")
    found = _run("why", str(chain), f"e({word}, n0)")
    assert (found.returncode, found.stdout) == (1, "")
    assert "the output encoding `ascii` has no character" in found.stderr


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are POSIX's")
def test_a_coloured_diagnostic_is_printed_in_ascii(tmp_path: Path) -> None:
    import pty

    path = tmp_path / "arrows.horn"
    path.write_text('theory arrows.\nsort w.\nstatic edge(w).\nedge("a\u2192b").\n', encoding="utf-8")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "hornbook", "check", str(path)]
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {"PYTHONIOENCODING": "ascii", "TERM": "xterm"}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE, env=environment
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65_536):
                shown += piece
        except OSError:
            pass  # the end, on Linux
        message = process.stderr.read()
    os.close(ours)
    assert (process.returncode, message) == (1, b"")
    assert rb"a\u2192b" in shown
