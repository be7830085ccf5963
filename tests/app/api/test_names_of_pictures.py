"""Outputs of the Python API: pictures, pages and strategies never overwrite a theory, code or proofs."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from hornbook.api.pictures import Picture
from hornbook.api.strategies import Strategy
from hornbook.kb.sources.diagnostics import TheoryError

WRITERS = {
    "picture": lambda path: Picture("<p>", is_svg=False).save(path),
    "strategy": lambda path: Strategy.save(SimpleNamespace(graph=None), path),
    "page": lambda path: Strategy.save_page(SimpleNamespace(graph=None), path),
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", ["own.horn", "adapter.py", "own.proofs.jsonl", "link.html"])
def test_a_name_of_a_theory_or_code_is_refused(tmp_path, writer, name):
    path = tmp_path / name
    if name == "link.html":
        path.symlink_to(tmp_path / "own.horn")
    with pytest.raises(TheoryError, match="endings of theories, code and proofs"):
        WRITERS[writer](path)
    assert not path.exists()
