"""Tests that every link in the documentation resolves, and that every page can be reached from the first one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
_LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
_BLOCK = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """Return the files that a page links to, each with its anchor; external links are omitted."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    for match in _LINK.finditer(re.sub(r"`[^`\n]*`", "", text)):
        path, _, anchor = match["target"].partition("#")
        if "://" not in path:
            yield (page.parent / path).resolve() if path else page, anchor


def anchors(page: Path) -> set[str]:
    """Return the anchors of headings, as code forges and Sphinx generate them."""
    headings = _HEADING.findall(_BLOCK.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    wrong = [
        f"{target}#{anchor}"
        for target, anchor in links(page)
        if not target.exists() or (anchor and anchor not in anchors(target))
    ]
    assert wrong == []


def test_every_page_can_be_reached_from_the_first():
    reached: set[Path] = set()
    todo = [ROOT / "docs" / "index.md"]
    while todo:
        page = todo.pop()
        if page not in reached and page.suffix == ".md":
            reached.add(page)
            todo += [target for target, _ in links(page) if target.is_file()]
    docs = set((ROOT / "docs").rglob("*.md"))
    assert sorted(str(page.relative_to(ROOT)) for page in docs - reached) == []
