"""Tests that no test is skipped for a missing program if HORNBOOK_JUDGES=required."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"
SKIPPED = """import pytest

@pytest.mark.skipif(True, reason="{reason}")
def test_by_mark():
    pass
"""
WHOLE_FILE = 'import pytest\npytest.importorskip("no_such_judge")\n'


def _run(folder: Path, text: str, judges: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text(CONFTEST.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "test_it.py").write_text(text)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(folder),
        str(folder),
    ]
    environment = {**os.environ, "HORNBOOK_JUDGES": judges}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.deep
@pytest.mark.parametrize("text", [SKIPPED.format(reason="no stockfish"), WHOLE_FILE], ids=["test", "file"])
def test_a_missing_judge_fails_only_where_judges_are_required(text: str, tmp_path: Path):
    allowed = _run(tmp_path, text, "")
    assert allowed.returncode in (0, 5), allowed.stdout
    required = _run(tmp_path, text, "required")
    assert required.returncode not in (0, 5)
    assert "HORNBOOK_JUDGES=required, and this was skipped" in required.stdout


@pytest.mark.deep
def test_a_skip_for_another_reason_is_allowed(tmp_path: Path):
    text = SKIPPED.format(reason="nothing is forbidden to the superuser")
    assert _run(tmp_path, text, "required").returncode == 0
