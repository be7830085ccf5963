"""Help and diagnostics are printed in every output encoding."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hornbook", *arguments]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


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
