"""The reader of theory files with all their imports, each parsed once and checked with its imports.

A theory is created only if none of the files has an error. Files read earlier in this process are reused if
their text and all their imports are unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from hornbook.kb.ast.declarations import (
    Clause,
    Example,
    ExceptionRule,
    Expect,
    Frame,
    Import,
    Replies,
    TheoryName,
)
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.check.program.imported import Imported
from hornbook.kb.check.theory_checks import mistakes
from hornbook.kb.desugar.exceptions import without_exceptions
from hornbook.kb.desugar.persistence import persistence_rules
from hornbook.kb.load.instances import declared_in, instance_of, misnamed
from hornbook.kb.load.lemmas import LemmaJudge, with_proved_lemmas
from hornbook.kb.parse.syntax import ParsedFile, parse
from hornbook.kb.parse.vocabulary import vocabulary
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, error
from hornbook.kb.sources.files import is_file, read_text, shown
from hornbook.kb.sources.locate import locate
from hornbook.kb.sources.proofs import proofs_text
from hornbook.kb.text.streams import is_stream
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """A parsed file, the files that it imports (each after its own imports), and its diagnostics."""

    path: Path
    parsed: ParsedFile
    imports: tuple[Path, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def broken(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of a file that need not exist on disk.

    - `imports`: The file of each of its imports, by name.
    - `proofs`: The text of the proofs of its lemmas.
    """

    text: str
    imports: Mapping[str, Path]
    proofs: str = ""


Files = Mapping[Path, FileText]


class Checked(Protocol):
    """The signature of the functions `check` and `mistakes`, which check the last of some files."""

    def __call__(self, files: Sequence[ParsedFile], imported: Imported | None = None) -> list[Diagnostic]: ...


@dataclass(frozen=True, slots=True)
class CachedFile:
    """A file that was read, its text, and the files of its imports."""

    text: str
    loaded: LoadedFile
    followed: tuple[tuple[Import, LoadedFile], ...]


Memory = dict[tuple[Path, str, Checked], CachedFile]
"""Files by path, name in messages, and kind of check."""

MAX_CACHED_FILES, MAX_CACHED_LENGTH = 200, 100_000
"""The maximum number of cached files, and the maximum length of their texts in characters."""
KNOWN: Memory = {}
"""The files read in this process. The oldest are dropped first."""


class ImportReader:
    """A depth-first reader of imports, from disk or from given texts.

    Subclasses with other storage (app/hornbook/editing) override `text`, `parsed`, `found` and `locate`.
    """

    def __init__(self, given: Files | None = None, known: Memory | None = None) -> None:
        self.files: dict[Path, LoadedFile] = {}
        self.open: list[Path] = []
        self.followed: dict[Path, tuple[tuple[Import, LoadedFile], ...]] = {}
        self.given = given
        self.known = known
        """Files read earlier, except those with an unresolved import, since the import may be
        resolved later.
        """

    # Methods to override

    def text(self, path: Path) -> str:
        """Return the text of a file. Raises TheoryError if it cannot be read."""
        return read_text(path, shown(path)) if self.given is None else self.given[path].text

    def parsed(self, path: Path, text: str) -> ParsedFile:
        return parse(text, shown(path))

    def found(self, files: Sequence[ParsedFile], checked: Checked) -> list[Diagnostic]:
        """Return the diagnostics of the last of these files."""
        return checked(files)

    def locate(self, name: str, importing: Path) -> Path:
        """Return the file of an import. Symbolic links are resolved, so that each file is read once.

        Raises:
            TheoryError: There is no such file.
        """
        return locate(name, importing.parent, importing=importing).resolve()

    # Reading

    def sources(self) -> dict[str, str]:
        return {file.parsed.name: file.parsed.text for file in self.files.values()}

    def read(self, path: Path, checked: Checked = mistakes) -> LoadedFile:
        if path in self.files:
            return self.files[path]
        text = self.text(path)
        key = path, shown(path), checked
        loaded = None if self.known is None else self._cached(path, text, self.known.get(key))
        if loaded is None:
            loaded = self.check(path, self.parsed(path, text), checked)
            if self.known is not None and path in self.followed and len(text) <= MAX_CACHED_LENGTH:
                self.known[key] = CachedFile(text, loaded, self.followed[path])
                for oldest in list(self.known)[:-MAX_CACHED_FILES]:
                    self.known.pop(oldest, None)
        self.files[path] = loaded
        return loaded

    def _cached(self, path: Path, text: str, known: CachedFile | None) -> LoadedFile | None:
        """Return the cached result for a file, if the file and all its imports are unchanged."""
        if known is None or known.text != text:
            return None
        self.open.append(path)
        same = all(self._follow(clause, path) is taken for clause, taken in known.followed)
        self.open.pop()
        return known.loaded if same else None

    def check(self, path: Path, parsed: ParsedFile, checked: Checked = mistakes) -> LoadedFile:
        """Check a parsed file after reading all its imports."""
        self.open.append(path)
        problems: list[Diagnostic] = []
        imports: dict[Path, None] = {}
        followed: list[tuple[Import, LoadedFile]] = []
        for clause in parsed.clauses:
            if isinstance(clause, Import):
                taken = self._follow(clause, path)
                if isinstance(taken, Diagnostic):
                    problems.append(taken)
                    continue
                imports.update(dict.fromkeys(taken.imports))
                followed.append((clause, taken))
                if clause.as_it_is:
                    imports[taken.path] = None
        self.open.pop()
        instances = [(clause, taken) for clause, taken in followed if not clause.as_it_is]
        context = [self.files[place].parsed for place in imports]
        if not problems and instances:
            parsed, problems = _with_instances(parsed, context, instances)
        if not problems:
            self.followed[path] = tuple(followed)
        if problems:
            # If an import cannot be followed, every name that it declares would seem unknown.
            found = [*problems, *parsed.diagnostics]
        else:
            core, mistaken = core_files([*context, parsed])
            found = [*mistaken, *self.found(core, checked)]
        if instances:
            found = _reported_at_imports(found, parsed, instances)
        return LoadedFile(path, parsed, tuple(imports), tuple(found))

    def _follow(self, clause: Import, path: Path) -> LoadedFile | Diagnostic:
        """Return the file of an import, read and checked, or the reason why it cannot be followed."""
        try:
            place = self._place(clause, path)
        except TheoryError as problem:
            found = problem.diagnostics[0]
            fixes = tuple(replace(fix, span=clause.span) for fix in found.fixes)
            return replace(found, code="HB016", span=clause.span, fixes=fixes)
        if place in self.open:
            circle = " → ".join(p.stem for p in [*self.open[self.open.index(place) :], place])
            return error(
                "HB016", f"theories import each other: {circle}", clause.span, "drop one of the imports"
            )
        loaded = self.read(place)
        if loaded.broken:
            count = sum(d.severity == "error" for d in loaded.diagnostics)
            return error(
                "HB016",
                f"the imported theory `{clause.name}` has {count} error{'s' if count > 1 else ''}",
                clause.span,
                f"see `hornbook check {shown(place)}`",
            )
        return loaded

    def _place(self, clause: Import, path: Path) -> Path:
        if self.given is None:
            return self.locate(clause.name, path)
        found = self.given[path].imports.get(clause.name)
        if found is None:
            message = f"there is no theory `{clause.name}` among the files given"
            raise TheoryError([error("HB016", message, clause.span)], {})
        return found


def _with_instances(
    parsed: ParsedFile, context: Iterable[ParsedFile], instances: Iterable[tuple[Import, LoadedFile]]
) -> tuple[ParsedFile, list[Diagnostic]]:
    """Return a file with the clauses of its instances, and the diagnostics about their names."""
    known = declared_in(clause for file in (*context, parsed) for clause in file.clauses)
    clauses = list(parsed.clauses)
    problems: list[Diagnostic] = []
    names: set[str] = set()
    for taken, loaded in instances:
        if taken.instance in names:
            message = f"two instances are called `{taken.instance}`"
            problems.append(error("HB016", message, taken.span, "give one of them another name after `as`"))
            continue
        if taken.instance is not None:
            names.add(taken.instance)
        wrong = list(misnamed(loaded.parsed.clauses, taken, known))
        if wrong:
            problems += wrong
            continue
        added = instance_of(loaded.parsed.clauses, taken, known)
        known |= declared_in(added)
        clauses += added
    return replace(parsed, clauses=tuple(clauses)), problems


def core_files(files: Sequence[ParsedFile]) -> tuple[Sequence[ParsedFile], tuple[Diagnostic, ...]]:
    """Return the files with the core rules of their exceptions, and the mistakes in those of the last
    file.
    """
    if not any(isinstance(clause, ExceptionRule) for file in files for clause in file.clauses):
        return files, ()
    expanded = without_exceptions([file.clauses for file in files], vocabulary(files))
    core = [
        file if _are_same(file.clauses, clauses) else replace(file, clauses=clauses)
        for file, clauses in zip(files, expanded.clauses, strict=True)
    ]
    return core, expanded.problems


def _are_same(one: Sequence[Clause], other: Sequence[Clause]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def _reported_at_imports(
    found: Iterable[Diagnostic], parsed: ParsedFile, instances: Iterable[tuple[Import, LoadedFile]]
) -> list[Diagnostic]:
    """Return the diagnostics of a file. Errors in clauses of an instance are reported at its import.

    The imported theory has no errors under its own names.
    """
    imports = {loaded.parsed.name: taken for taken, loaded in reversed(tuple(instances))}
    result: list[Diagnostic] = []
    for diagnostic in found:
        taken = imports.get(diagnostic.span.file)
        if diagnostic.span.file == parsed.name or taken is None:
            result.append(diagnostic)
        elif diagnostic.severity == "error":
            message = (
                f"`{taken.name}` does not fit under these names: {diagnostic.message} ({diagnostic.span})"
            )
            result.append(error("HB016", message, taken.span, diagnostic.help))
    return result


def theory_of(
    loaded: LoadedFile,
    files: Mapping[Path, LoadedFile],
    sources: Mapping[str, str],
    proofs: Callable[[Path], str] = proofs_text,
    judge: LemmaJudge | None = None,
) -> Theory:
    """Return the theory of a file, from all files that were read and the proofs of lemmas stored with each.

    Raises:
        TheoryError: Some files have errors.
    """
    return with_proved_lemmas(whole_theory(loaded, files, sources), loaded.path, files, proofs, judge)


def whole_theory(loaded: LoadedFile, files: Mapping[Path, LoadedFile], sources: Mapping[str, str]) -> Theory:
    """Return the theory of a file, from all files that were read. All lemmas are among its rules.

    Raises:
        TheoryError: Some files have errors.
    """
    everything = [*(files[place] for place in loaded.imports), loaded]
    wrong = [d for f in [*files.values(), loaded] for d in f.diagnostics if d.severity == "error"]
    if wrong:
        raise TheoryError(wrong, sources)
    parsed, _ = core_files([file.parsed for file in everything])
    clauses = [clause for file in parsed for clause in file.clauses]
    own = loaded.parsed.clauses
    names = [clause.name for clause in own if isinstance(clause, TheoryName)]
    rules = [clause for clause in clauses if isinstance(clause, Rule)]
    frames = tuple(clause for clause in clauses if isinstance(clause, Frame))
    words = vocabulary(parsed)
    rules += [rule for _, found in persistence_rules(frames, words) for rule in found]
    return Theory(
        name=names[0] if names else "stdin" if is_stream(loaded.path) else loaded.path.stem,
        path=loaded.path if is_file(loaded.path) else None,
        vocabulary=words,
        frames=frames,
        rules=tuple(rule for rule in rules if not rule.is_fact),
        facts=tuple(rule.head for rule in rules if rule.is_fact),
        examples=tuple(clause for clause in own if isinstance(clause, Example)),
        expects=tuple(clause for clause in own if isinstance(clause, Expect)),
        sources=sources,
        replies=tuple(clause for clause in clauses if isinstance(clause, Replies)),
    )
