"""Theories in the persistent cache, parsed and checked, so that they need not be read again.

An entry is used only if its files and the targets of its imports are unchanged (`dependencies.py`). It has
all lemmas among the rules: which of them are proved is decided each time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.kb.load.dependencies import dependencies, unchanged_texts
from hornbook.kb.load.stored_form import restored, stored
from hornbook.kb.sources import cache
from hornbook.kb.sources.collector import collector_paused
from hornbook.kb.sources.files import shown
from hornbook.kb.text.streams import is_stream

if TYPE_CHECKING:  # slow to import
    from hornbook.kb.load.import_reader import LoadedFile

_FIELDS = ("frames", "rules", "facts", "examples", "expects", "replies")
"""The fields of a theory that are clauses."""
_OTHERS = {"name", "path", "vocabulary", "sources", "adapters", "lemmas", "proofs", "invented"}
assert {*_FIELDS, *_OTHERS} == {field.name for field in fields(Theory)}, "a field is not stored"
MAX_MEMORY = 20
"""The maximum number of theories that a process keeps."""
_memory: dict[tuple[Path, str], tuple[Mapping[str, Any], Theory]] = {}
"""The entries that were used in this process, with their theories. The oldest are dropped first."""


def recalled_theory(path: Path) -> tuple[Theory, list[Path]] | None:
    """Return the theory of a file, with all lemmas among its rules, and the files that were read for it.

    Return None if the cache has no valid entry.
    """
    if is_stream(path):  # a pipe has another text each time
        return None
    place = path, shown(path)
    entry, theory = _memory.get(place) or (cache.recall(_key(path)), None)
    try:
        texts = None if entry is None else unchanged_texts(entry)
        if texts is None:
            return None
        if theory is None:
            with collector_paused():
                theory = _restored(entry, path)
    except (ValueError, TypeError, LookupError):  # another form
        return None
    _remember(place, entry, theory)
    made = {field.name: getattr(theory, field.name) for field in fields(theory)}
    return Theory(**{**made, "sources": texts}), [Path(file) for file, _, _ in entry["files"]]


def remember_theory(whole: Theory, path: Path, files: Mapping[Path, LoadedFile]) -> None:
    """Store a theory that has all lemmas among its rules. `files` are all that were read for it."""
    if is_stream(path) or whole.path is None:
        return
    entry = dependencies(files)
    if entry is None:
        return
    names: dict[str, int] = {}
    words = whole.vocabulary
    clauses = [stored(getattr(whole, name), names) for name in _FIELDS]
    declared = [
        [[name, stored(value, names)] for name, value in each.items()]
        for each in (words.sorts, words.predicates)
    ]
    entry |= {"name": whole.name, "clauses": clauses, "declared": declared, "names": [*names]}
    _remember((path, shown(path)), entry, whole)
    cache.remember({_key(path): entry})


def _restored(entry: Mapping[str, Any], path: Path) -> Theory:
    names = entry["names"]
    sorts, predicates = ({name: restored(form, names) for name, form in each} for each in entry["declared"])
    clauses = [restored(form, names) for form in entry["clauses"]]
    return Theory(
        name=entry["name"],
        path=path,
        vocabulary=Vocabulary(sorts, predicates),
        sources={},
        **dict(zip(_FIELDS, clauses, strict=True)),
    )


def _remember(place: tuple[Path, str], entry: Mapping[str, Any], theory: Theory) -> None:
    _memory.pop(place, None)
    _memory[place] = entry, theory
    for oldest in list(_memory)[:-MAX_MEMORY]:
        _memory.pop(oldest, None)


def _key(path: Path) -> str:
    """Return the key of a file's theory. There is one for each file, so that the cache does not grow during
    editing.
    """
    return cache.key("theory", cache.program(Path(__file__).parents[1]), path, shown(path))
