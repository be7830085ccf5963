"""Workspace of an editor: open documents, and cached results of parsing and checking them and other files.

The text of an open document takes precedence over the file on disk, also for documents that import it. The
diagnostics are those of `hornbook check` for a file with the same text. Incremental work only affects the
speed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hornbook.editing.names.occurrences import ParsedClauses, occurrences
from hornbook.editing.names.scope import FileScope, scope_of
from hornbook.inputs.theories import proved_lemmas
from hornbook.kb.ast.declarations import Clause, Import
from hornbook.kb.ast.terms import Span
from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.kb.check.program.imported import Imported
from hornbook.kb.check.theory_checks import check
from hornbook.kb.check.unused_lemmas import unused
from hornbook.kb.load.import_reader import Checked, ImportReader, Memory, theory_of
from hornbook.kb.parse.incremental import ParsedPiece, ParsedText
from hornbook.kb.parse.syntax import ParsedFile, parse_again
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, error
from hornbook.kb.sources.files import is_file, read_text, shown
from hornbook.kb.sources.locate import SUFFIX, home, locate
from hornbook.matcher.program.dataclass import dataclass

DEEPEST = 6
"""The largest depth of folders to search for theories."""
LARGEST = 2_000_000
"""The largest number of characters of a document. A larger one is not read, since each answer would take
seconds.
"""
MOST_ENTRIES = 20_000
"""The largest number of folder entries to examine."""
_NO_THEORIES = frozenset(("node_modules", "build", "dist", "site-packages"))


@dataclass(frozen=True, slots=True)
class _Parsed:
    """The latest version of a parsed file."""

    text: str
    file: ParsedFile
    written: ParsedText


@dataclass(frozen=True, slots=True)
class _OnDisk:
    """The text of a file, and the file attributes that reveal a change."""

    signs: tuple[int, int, int, int]
    text: str


class Workspace:
    """The texts of open documents by path, and cached data about files."""

    def __init__(self) -> None:
        self.texts: dict[Path, str] = {}
        self.folders: list[Path] = []
        self.import_contexts: dict[Path, Path] = {}
        """Temporary files, each with the file whose folder resolves their imports."""
        self.known: Memory = {}
        self._parsed: dict[Path, _Parsed] = {}
        self._named: dict[Path, tuple[_Parsed, tuple[ParsedClauses, ...]]] = {}
        self._read: dict[Path, _OnDisk] = {}
        self._imported: dict[str, Imported] = {}
        self._places: dict[tuple[str, Path], Path | TheoryError] = {}
        self._scopes: dict[Path, FileScope] = {}

    # Texts

    def open(self, path: Path, text: str) -> None:
        self.texts[path] = text
        self.invalidate()

    def close(self, path: Path) -> None:
        self.texts.pop(path, None)
        self.invalidate()

    def invalidate(self) -> None:
        """Discard resolved imports, since files may have been created or deleted."""
        self._places.clear()
        self._scopes.clear()

    def text(self, path: Path) -> str:
        """Return the text of a document or file. Raises TheoryError if it cannot be read."""
        text = self.texts.get(path)
        if text is None:
            text = self._on_disk(path)
        if len(text) > LARGEST:
            span = Span(shown(path), 1, 1, 1, 1)
            message = f"the document has more than {LARGEST:,} characters, too many for an editor"
            raise TheoryError(
                [error("HB004", message, span, "`hornbook check` reads it; or split it")], {span.file: ""}
            )
        return text

    def _on_disk(self, path: Path) -> str:
        """Return the text of a file. Raises TheoryError if it cannot be read."""
        signs = _signs(path)
        known = self._read.get(path)
        if known is not None and signs is not None and known.signs == signs:
            return known.text
        text = read_text(path, shown(path))
        if signs is not None:
            self._read[path] = _OnDisk(signs, text)
        return text

    def parse(self, path: Path, text: str) -> ParsedFile:
        known = self._parsed.get(path)
        name = shown(path)
        if known is not None and known.text == text and known.file.name == name:
            return known.file
        before = known.written if known is not None and known.file.name == name else ParsedText()
        self._parsed[path] = _Parsed(text, *parse_again(text, name, before))
        self._scopes.clear()
        return self._parsed[path].file

    def parsed(self, path: Path) -> ParsedFile | None:
        """Return a file as far as it can be parsed; None if it cannot be read."""
        try:
            return self.parse(path, self.text(path))
        except TheoryError:
            return None

    # Diagnostics

    def diagnostics(self, path: Path) -> list[Diagnostic]:
        """Return the diagnostics that `hornbook check` gives for a file with this text."""
        try:
            return list(_WorkspaceReader(self).read(path, check).diagnostics)
        except TheoryError as problem:
            return list(problem.diagnostics)

    def unused_lemmas(self, path: Path) -> list[Diagnostic]:
        """Return the diagnostics that `hornbook check` gives for the lemmas of a file.

        The result is empty while an open document differs from its file. Whether a lemma is still proved is
        determined by replaying proofs, which is too slow for every keystroke.
        """
        try:
            text = self.text(path)
            if "lemma" not in text or not is_file(path) or text != read_text(path):
                return []
            return unused(self.theory(path))
        except TheoryError:
            return []

    def diagnostics_of(self, path: Path, text: str) -> list[Diagnostic]:
        """Return the diagnostics of an open document if it had another text."""
        stored = self.texts[path]
        self.texts[path] = text
        try:
            return self.diagnostics(path)
        finally:
            self.texts[path] = stored

    def theory(self, path: Path) -> Theory:
        """Return the theory in a document. Raises TheoryError with all its errors."""
        reader = _WorkspaceReader(self)
        loaded = reader.read(path)
        return theory_of(loaded, reader.files, reader.sources(), judge=proved_lemmas)

    def found(self, files: Sequence[ParsedFile], checked: Checked) -> list[Diagnostic]:
        """Return the results of a check on the last of some files; its imports are prepared once."""
        *imports, file = files
        imported = self._imported.get(file.name)
        if imported is None or not _same(imported.files, imports):
            imported = self._imported[file.name] = Imported(tuple(imports))
        return checked(files, imported)

    # Names

    def clauses(self, path: Path) -> tuple[ParsedClauses, ...]:
        """Return the clauses of a file as token sequences, with the names in each."""
        if self.parsed(path) is None:
            return ()
        parsed = self._parsed[path]
        known = self._named.get(path)
        if known is not None and known[0] is parsed:
            return known[1]
        # Unchanged clauses have the same token objects, so they are compared by identity.
        before = {} if known is None else {id(each.tokens): each for each in known[1]}
        found = tuple(
            before.get(id(piece.tokens)) or _named(piece, parsed.file.name) for piece in parsed.written.pieces
        )
        self._named[path] = parsed, found
        return found

    def scope(self, path: Path) -> FileScope:
        """Return the names that are visible in a file."""
        for known in self._scopes.get(path, _NOTHING).files:
            self.parsed(known)  # this clears all scopes if a file has changed
        found = self._scopes.get(path)
        if found is None:
            found = scope_of(path, self._clauses_of, self.follow)
            self._scopes[path] = found
        return found

    def _clauses_of(self, path: Path) -> tuple[Clause, ...] | None:
        parsed = self.parsed(path)
        return None if parsed is None else parsed.clauses

    def follow(self, clause: Import, path: Path) -> Path | None:
        """Return the file that an import refers to; None if there is none."""
        try:
            return self.locate(clause.name, path)
        except TheoryError:
            return None

    def locate(self, name: str, importing: Path) -> Path:
        key = name, importing
        found = self._places.get(key)
        if found is None:
            try:
                folder = self.import_contexts.get(importing, importing).parent
                found = locate(name, folder, importing=importing).resolve()
            except TheoryError as problem:
                found = problem
            self._places[key] = found
        if isinstance(found, TheoryError):
            raise found
        return found

    def project(self) -> list[Path]:
        """Return the open documents, the files near them and in the editor's folders, and their imports."""
        found = dict.fromkeys(self.texts)
        for folder in self.folders:
            found.update(dict.fromkeys(_theories(folder, DEEPEST)))
        for folder in dict.fromkeys(home(path) for path in self.texts):
            found.update(dict.fromkeys(_theories(folder, 1)))
        for path in list(found):
            found.update(dict.fromkeys(self.scope(path).files))
        return list(found)

    def path_of(self, file: str, seen_from: Path) -> Path:
        """Return the path of a file that a message names."""
        known = (path for path, parsed in self._parsed.items() if parsed.file.name == file)
        return next(known, seen_from)


class _WorkspaceReader(ImportReader):
    """A reader of the texts in a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(known=workspace.known)
        self.workspace = workspace

    def text(self, path: Path) -> str:
        return self.workspace.text(path)

    def parsed(self, path: Path, text: str) -> ParsedFile:
        return self.workspace.parse(path, text)

    def found(self, files: Sequence[ParsedFile], checked: Checked) -> list[Diagnostic]:
        return self.workspace.found(files, checked)

    def locate(self, name: str, importing: Path) -> Path:
        return self.workspace.locate(name, importing)


_NOTHING = FileScope(Vocabulary({}, {}), (), (), {})


def _same(ones: Sequence[object], others: Sequence[object]) -> bool:
    return len(ones) == len(others) and all(a is b for a, b in zip(ones, others, strict=True))


def _signs(path: Path) -> tuple[int, int, int, int] | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def _named(piece: ParsedPiece, file: str) -> ParsedClauses:
    clauses: list[Clause] = []
    is_read = True
    for found in piece.found:
        if isinstance(found, Diagnostic):
            is_read = False
        elif isinstance(found, list):
            clauses += found
        else:
            clauses.append(found)
    return ParsedClauses(piece.tokens, tuple(clauses), occurrences(piece.tokens, clauses, file, read=is_read))


def _theories(folder: Path, deep: int) -> Iterator[Path]:
    """Yield the theory files in a folder and at most `deep` levels below, except in hidden folders."""
    waiting, seen = [(folder, deep)], 0
    while waiting and seen < MOST_ENTRIES:
        place, left = waiting.pop(0)
        try:
            entries = sorted(place.iterdir())
        except OSError:
            continue
        seen += len(entries)
        for entry in entries:
            if entry.suffix == SUFFIX and entry.is_file():
                yield entry.resolve()
            elif left and _may_hold_theories(entry):
                waiting.append((entry, left - 1))


def _may_hold_theories(entry: Path) -> bool:
    if entry.name.startswith((".", "_")) or entry.name in _NO_THEORIES:
        return False
    return entry.is_dir() and not entry.is_symlink()
