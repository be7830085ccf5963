"""One editor with one server, shared by all tests of a file that only need a session."""

from __future__ import annotations

import pytest

from oracles.editing.editor import Editor
from oracles.editing.words import USES, WORDS


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Create a folder with a theory and a file that imports it."""
    place = tmp_path_factory.mktemp("words")
    (place / "words.horn").write_text(WORDS, encoding="utf-8")
    (place / "uses.horn").write_text(USES, encoding="utf-8")
    return place


@pytest.fixture(scope="session")
def editor(folder):
    found = Editor(folder)
    yield found
    found.end()


@pytest.fixture
def words(editor, folder):
    """Open the theory as it was written."""
    uri = editor.open(folder / "words.horn", WORDS)
    yield uri
    editor.close(uri)


@pytest.fixture
def uses(editor, folder):
    """Open the file that imports the theory."""
    uri = editor.open(folder / "uses.horn", USES)
    yield uri
    editor.close(uri)
