"""The files that a cached result depends on, with the digest of each, and the target of each import.

The imports of a theory are known only after parsing it. So an entry of the cache lists them, and is used only
if all of this is unchanged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.files import read_text, shown
from hornbook.kb.sources.locate import locate
from hornbook.kb.text.lines import with_plain_ends

if TYPE_CHECKING:  # slow to import
    from hornbook.kb.load.import_reader import LoadedFile


def dependencies(files: Mapping[Path, LoadedFile]) -> dict[str, Any] | None:
    """Return the dependencies on files that were read, as JSON.

    Return None if the target of an import changed after its file was read.
    """
    from hornbook.kb.ast.declarations import Import  # noqa: PLC0415 - loaded by now

    imports = [
        (clause.name, str(place), str(_target(clause.name, place)))
        for place, file in files.items()
        for clause in file.parsed.clauses
        if isinstance(clause, Import)
    ]
    if any(Path(target) not in files for _, _, target in imports):
        return None
    digests = [(str(place), file.parsed.name, _digest(file.parsed.text)) for place, file in files.items()]
    return {"files": digests, "imports": imports}


def unchanged_texts(entry: Mapping[str, Any]) -> dict[str, str] | None:
    """Return the texts of the files in an entry, by name, or None if something changed."""
    texts: dict[str, str] = {}
    try:
        for file, name, digest in entry["files"]:
            text = with_plain_ends(read_text(Path(file)))
            if shown(Path(file)) != name or _digest(text) != digest:
                return None
            texts[name] = text
        if not all(_target(name, Path(place)) == Path(target) for name, place, target in entry["imports"]):
            return None
    except TheoryError:  # a file was removed or is not a text any more, or an import leads nowhere
        return None
    return texts


def _target(name: str, importing: Path) -> Path:
    """Return the file of an import. Raises TheoryError if there is none."""
    return locate(name, importing.parent, importing=importing).resolve()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
