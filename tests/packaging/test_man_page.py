"""Tests of the man page: the installed page equals the generated one, and formatters accept it."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

from hornbook.command_list import COMMANDS

PACKAGING = Path(__file__).parents[2] / "packaging"
MADE = runpy.run_path(str(PACKAGING / "man_page.py"))
PAGE: Path = MADE["PAGE"]


def test_the_page_is_what_its_script_writes():
    if os.environ.get("HORNBOOK_UPDATE_GOLDEN"):
        PAGE.write_text(MADE["page"](), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == MADE["page"](), "run `python packaging/man_page.py`"


def test_it_names_every_command():
    page = PAGE.read_text(encoding="utf-8").replace("\\-", "-")
    assert all(f".B {name}\n" in page for name in COMMANDS)


@pytest.mark.judges
@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff")
def test_a_formatter_has_nothing_to_say_about_it():
    output = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", PAGE], capture_output=True, text=True, check=True
    )
    assert output.stderr == ""
    assert "HORNBOOK_CACHE" in output.stdout
