"""Tests of compiled Coq objects: they are reused by content, never by time.

The key covers the source, its requirements and the installed Coq.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hornbook.kb.sources.cache import folder as cache_folder
from oracles.coq import tools
from oracles.coq.compiling import compile_library, require_no_assumptions
from oracles.coq.tools import UnprovedError, missing

pytestmark = pytest.mark.skipif(bool(missing("coqc", "coqdep")), reason="needs Coq")

BASE = "Definition base := 1.\n"
ABOVE = "From Small Require Base.\nDefinition above := Base.base.\n"


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HORNBOOK_CACHE", str(tmp_path / "cache"))


def _cached(folder: Path, base: str = BASE, above: str = ABOVE) -> int:
    """Return how many of two sources come from the cache when both are compiled in a new folder."""
    (folder / "Small").mkdir(parents=True)
    for name, text in (("Base", base), ("Above", above)):
        (folder / "Small" / f"{name}.v").write_text(text)
        os.utime(folder / "Small" / f"{name}.v", (0, 0))
    return compile_library(folder, ["Small"]).cached


def test_an_unchanged_source_is_not_compiled_again(tmp_path: Path):
    assert _cached(tmp_path / "one") == 0
    assert _cached(tmp_path / "two") == 2


def test_a_changed_source_and_what_requires_it_are_compiled_again(tmp_path: Path):
    _cached(tmp_path / "one")
    assert _cached(tmp_path / "two", above=ABOVE + "Definition more := 1.\n") == 1
    assert _cached(tmp_path / "three", base="Definition base := 2.\n") == 0


def test_another_coq_compiles_everything_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    _cached(tmp_path / "one")
    monkeypatch.setattr(tools, "fingerprint", lambda: "another")
    assert _cached(tmp_path / "two") == 0


def test_a_damaged_object_is_compiled_again(tmp_path: Path):
    _cached(tmp_path / "one")
    for entry in (cache_folder() / "coq").rglob("*"):
        if entry.is_file():
            entry.write_bytes(entry.read_bytes()[:-1])
    assert _cached(tmp_path / "two") == 0


def test_a_source_that_prints_something_else_is_not_free_of_assumptions(tmp_path: Path):
    for text in ("", "Axiom any : False.\nPrint Assumptions any.\n", "Print nat.\n"):
        (tmp_path / "All.v").write_text(text)
        with pytest.raises(UnprovedError, match="depends on an assumption"):
            require_no_assumptions(tmp_path, [], "All.v")
