"""Theories in a store: the text of every file, and the reconstruction of a theory from these texts alone.

The reconstructed theory is the same as the original, even if its files were removed or changed. Only its
adapter, which is code, is taken from the current location of the theory, provided that the files there are
unchanged.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from hornbook.kb.ast.declarations import Import
from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.import_reader import FileText, LoadedFile
from hornbook.kb.load.lemmas import LemmaJudge
from hornbook.kb.load.loader import load_files, load_with_files, read_files
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.files import is_file, read_text
from hornbook.kb.sources.locate import known_theories, locate
from hornbook.kb.sources.proofs import proofs_text
from hornbook.kb.store.errors import StoreError
from hornbook.kb.store.rows import StoredFile, StoredTheory, fingerprint_of_texts
from hornbook.kb.text.streams import is_stream


def read_theory(target: str | Path) -> StoredTheory:
    """Return a theory with the current text of all its files. Raises TheoryError if it has errors."""
    return load_and_read(target)[1]


def load_and_read(target: str | Path, judge: LemmaJudge | None = None) -> tuple[Theory, StoredTheory]:
    """Return the theory of a name or path, in usable form and in stored form."""
    theory, main, files = load_with_files(target, judge)
    order = list(files)
    stored = tuple(
        StoredFile(
            str(path), files[path].parsed.text, _numbered(_imports(files[path]), order), proofs_text(path)
        )
        for path in order
    )
    registered = not Path(target).exists() and str(target) in known_theories()
    return theory, StoredTheory(theory.name, str(target) if registered else str(main.path), stored)


def load_stored(stored: StoredTheory, judge: LemmaJudge | None = None) -> Theory:
    """Return the theory of stored texts. Raises TheoryError if they have errors.

    It uses the lemmas that `judge` accepts. Their proofs are the stored ones, or those in the folders of
    files that are unchanged. The path is the current location of the theory, so that its adapter is found.
    The path is None if the files have changed, because an adapter belongs to the text in its folder.
    """
    path, files = _files_of(stored)
    if has_changed(stored):
        return replace(load_files(path, files, judge), path=None)
    for (place, file), there in zip(list(files.items()), _places_now(stored), strict=True):
        if is_file(there) and (proofs := proofs_text(there)):
            files[place] = replace(file, proofs=proofs)
    return replace(load_files(path, files, judge), path=place_now(stored))


def check_stored(stored: StoredTheory) -> tuple[LoadedFile, dict[Path, LoadedFile]]:
    """Return the result of `loader.read` for the stored texts."""
    path, files = _files_of(stored)
    return read_files(path, files)


def _files_of(stored: StoredTheory) -> tuple[Path, dict[Path, FileText]]:
    """Return the theory's own file, and the text of all its files."""
    _require_whole(stored)
    paths = [Path(file.path) for file in stored.files]
    files = {
        path: FileText(file.text, {name: paths[number] for name, number in file.imports.items()}, file.proofs)
        for path, file in zip(paths, stored.files, strict=True)
    }
    return paths[-1], files


def _require_whole(stored: StoredTheory) -> None:
    """Raise StoreError if some of the texts are missing."""
    numbers = range(len(stored.files))
    if not numbers or not all(number in numbers for file in stored.files for number in file.imports.values()):
        raise StoreError(
            f"the theory `{stored.name}` is stored without a part of its text; see `hornbook store check`"
        )


def place_now(stored: StoredTheory) -> Path | None:
    """Return the current path of the theory's own file, or None."""
    if is_stream(Path(stored.target)):
        return None
    try:
        return locate(stored.target).resolve()
    except TheoryError:
        return None


def fingerprint_of(theory: Theory) -> str:
    """Return the fingerprint of a loaded theory, as in `StoredTheory`."""
    return fingerprint_of_texts(theory.sources.values())


def require_same(stored: StoredTheory, theory: Theory) -> None:
    """Raise StoreError if a theory differs from its stored text."""
    if fingerprint_of(theory) != stored.fingerprint:
        raise StoreError(
            f"the theory `{theory.name}` is another than the store's: it was changed since; `hornbook "
            "verify --renew`"
            " takes the new one, and the store in the place of THEORY uses its own"
        )


def has_changed(stored: StoredTheory) -> bool:
    """Return whether existing files of a theory differ from the stored texts."""
    try:
        return any(
            is_file(place) and read_text(place) != file.text
            for place, file in zip(_places_now(stored), stored.files, strict=True)
        )
    except TheoryError:
        return True


def _places_now(stored: StoredTheory) -> list[Path]:
    """Return the current paths of the files of a theory."""
    now = place_now(stored)
    places = [Path(file.path) for file in stored.files]
    if now is not None and now != places[-1]:
        # It was stored from another place, whose other files may have been replaced.
        places = [now.parent / os.path.relpath(place, places[-1].parent) for place in places]
    return places


def _imports(file: LoadedFile) -> dict[str, Path]:
    """Return the file of each import of a file."""
    names = [clause.name for clause in file.parsed.clauses if isinstance(clause, Import)]
    return {name: locate(name, file.path.parent, importing=file.path).resolve() for name in names}


def _numbered(imports: Mapping[str, Path], order: list[Path]) -> dict[str, int]:
    return {name: order.index(path) for name, path in imports.items()}
