"""Tests that the page on the house, and CONTRIBUTING.md, name only what exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("docs/explanation/the-house.md", "CONTRIBUTING.md")
_PATH = re.compile(r"[\w./-]*/[\w./-]*|[\w-]+\.(?:py|cpp|hpp|horn|lark|toml|jsonl)")
_PLACES = ("", "compiler", "play", "matcher/core", "planner/core", "app/hornbook", "tests/kb/check/golden")
"""The folders that paths on the pages are relative to."""
_GENERATED = ("build/tree/", "planner/_core")
_EXAMPLES = ("NAME", "adapter.py", "domain.py")
"""Names for files of any domain."""


def named(page: str) -> set[str]:
    """Return the paths of files and folders between backticks."""
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", page, flags=re.DOTALL))
    return {span for span in spans if _PATH.fullmatch(span) and not any(name in span for name in _EXAMPLES)}


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_exists(page):
    found = named((ROOT / page).read_text(encoding="utf-8")) - set(_GENERATED)
    assert found
    files = {path.name for path in ROOT.joinpath("theories").rglob("*") if path.suffix in (".horn", ".jsonl")}
    missing = [
        path
        for path in found
        if path not in files and not any((ROOT / place / path).exists() for place in _PLACES)
    ]
    assert sorted(missing) == []


PACKAGES = ("app", "compiler", "kb", "matcher", "planner", "play", "render", "theories")
_IDENTIFIER = re.compile(r"[A-Z]{3,}|[A-Za-z]\w*_\w+|[A-Z]\w*[a-z][A-Z]\w*")


def test_every_identifier_that_the_house_names_exists():
    page = re.sub(r"```.*?```", "", (ROOT / PAGES[0]).read_text(encoding="utf-8"), flags=re.DOTALL)
    found = {span for span in re.findall(r"`([^`\n]+)`", page) if _IDENTIFIER.fullmatch(span)}
    assert "CODES" in found
    sources = (path for folder in PACKAGES for path in (ROOT / folder).rglob("*.[ch]pp"))
    modules = (path for folder in PACKAGES for path in (ROOT / folder).rglob("*.py"))
    known = {
        word for path in (*sources, *modules) for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))
    }
    assert sorted(found - known) == []
