"""Tests that every example in the documentation gives the output on its page."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracles.pages.markdown_blocks import run_page

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.deep_cases(
    "docs/explanation/the-firm.md",
    "docs/explanation/the-opponent.md",
    "docs/explanation/trust.md",
    "docs/how-to/compile-rules.md",
    "docs/how-to/embed-in-a-service.md",
    "docs/how-to/games-in-gdl.md",
    "docs/how-to/keep-a-knowledge-base.md",
    "docs/how-to/learn-on-a-cluster.md",
    "docs/how-to/many-states.md",
    "docs/how-to/prove-your-own-rules.md",
    "docs/how-to/solve-go-problems.md",
    "docs/how-to/your-firm.md",
    "docs/reference/commands.md",
    "docs/reference/errors/HB110.md",
    "docs/reference/file-formats.md",
    "docs/reference/theories/connection.md",
    "docs/tutorial/an-ending-from-one-line.md",
)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_page(page)
