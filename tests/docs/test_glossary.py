"""Tests that the glossary is sorted, and that it cites each source that it names."""

from __future__ import annotations

import re
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")
TERMS, _, SOURCES = TEXT.partition("\n## Sources\n")


def test_each_source_in_the_text_is_cited():
    cited = [" ".join(entry.split()) for entry in SOURCES.split("\n- ")[1:]]
    named = set()
    for note in re.findall(r"\(([^()]*\b\d{4}[^()]*)\)", " ".join(TERMS.split())):
        for source in note.split("; "):
            year = re.search(r"\b(\d{4})\b", source)
            assert year is not None, source
            names = re.findall(r"[A-ZÄÖÜ][\w-]+", source[: year.start()], re.UNICODE)
            found = [entry for entry in cited if year[1] in entry and all(name in entry for name in names)]
            assert found, source
            named.update(found)
    assert named == set(cited)


def test_terms_are_sorted_within_a_section():
    for section in TERMS.split("\n## ")[1:]:
        terms = re.findall(r"^(\S.*)\n: ", section, re.MULTILINE)
        assert terms == sorted(terms, key=str.lower)
