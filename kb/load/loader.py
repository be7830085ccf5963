"""The loader: from a name or path to a theory with all its imports, or to the errors in them.

A theory that was read before comes from the persistent cache if its files are unchanged. The parser and the
checker are imported only for others.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.lemmas import LemmaJudge, with_proved_lemmas
from hornbook.kb.load.theory_cache import recalled_theory, remember_theory
from hornbook.kb.sources.locate import place_of_theory

if TYPE_CHECKING:  # slow to import
    from hornbook.kb.load.import_reader import Files, ImportReader, LoadedFile


def _reader(files: Files | None = None) -> ImportReader:
    """Return a reader of given texts, or of files, with those that were read in this process."""
    from hornbook.kb.load.import_reader import KNOWN, ImportReader  # noqa: PLC0415 - slow to import

    return ImportReader(known=KNOWN) if files is None else ImportReader(files)


def load(target: str | Path, *, adapters: bool = True, judge: LemmaJudge | None = None) -> Theory:
    """Return the theory with this name or path. Raises TheoryError with all errors in it.

    It uses the lemmas that `judge` accepts. No code of the theory's folder is run. With `adapters=False`,
    none is run later either: states that need the theory's adapter cannot be read.

    >>> read_theory("family").name
    'family'
    """
    path = place_of_theory(target)
    known = recalled_theory(path)
    if known is None:
        from hornbook.kb.load.import_reader import whole_theory  # noqa: PLC0415 - slow to import

        reader = _reader()
        loaded = reader.read(path)
        whole, files = whole_theory(loaded, reader.files, reader.sources()), [*reader.files]
        remember_theory(whole, path, reader.files)
    else:
        whole, files = known
    return replace(with_proved_lemmas(whole, path, files, judge=judge), adapters=adapters)


def read(target: str | Path) -> tuple[LoadedFile, dict[Path, LoadedFile]]:
    """Return the checked file of a name or path, and every file that was read. The other files are checked
    for errors only.

    Raises:
        TheoryError: There is no such theory, or its file cannot be read.
    """
    from hornbook.kb.check.theory_checks import check  # noqa: PLC0415 - slow to import

    reader = _reader()
    loaded = reader.read(place_of_theory(target), check)
    return loaded, reader.files


def load_with_files(
    target: str | Path, judge: LemmaJudge | None = None
) -> tuple[Theory, LoadedFile, dict[Path, LoadedFile]]:
    """Return the theory of a name or path, its own file, and every file that was read. Raises TheoryError
    like `load`.
    """
    from hornbook.kb.load.import_reader import theory_of  # noqa: PLC0415 - slow to import

    reader = _reader()
    loaded = reader.read(place_of_theory(target))
    return theory_of(loaded, reader.files, reader.sources(), judge=judge), loaded, reader.files


def load_text(text: str, file: str = "<text>", *, judge: LemmaJudge | None = None) -> Theory:
    """Return the theory of a text, which may import registered theories. Raises TheoryError like `load`."""
    from hornbook.kb.load.import_reader import theory_of  # noqa: PLC0415 - slow to import
    from hornbook.kb.parse.syntax import parse  # noqa: PLC0415 - the same

    reader = _reader()
    loaded = reader.check(Path(file).resolve(), parse(text, file))
    return theory_of(loaded, reader.files, {**reader.sources(), file: text}, judge=judge)


def load_files(path: Path, files: Files, judge: LemmaJudge | None = None) -> Theory:
    """Return the theory of a file, from the given texts only. Raises TheoryError like `load`."""
    from hornbook.kb.load.import_reader import theory_of  # noqa: PLC0415 - slow to import

    reader = _reader(files)
    loaded = reader.read(path)
    return theory_of(loaded, reader.files, reader.sources(), lambda place: files[place].proofs, judge)


def read_files(path: Path, files: Files) -> tuple[LoadedFile, dict[Path, LoadedFile]]:
    """Return the result of `read`, from the given texts only."""
    from hornbook.kb.check.theory_checks import check  # noqa: PLC0415 - slow to import

    reader = _reader(files)
    loaded = reader.read(path, check)
    return loaded, reader.files
