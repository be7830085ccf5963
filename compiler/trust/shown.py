"""The clauses of a theory that are shown to be true of its domain outside of Hornbook, in a proof assistant.

The file `shown.jsonl` records the run that checked the proofs. It is in the folder of a clause's file or in
the folder above. This module does not repeat the run. A clause counts as shown only if it is unchanged since
that run. No clause counts if a proof has changed since the run. Proofs are compared if they are available, as
in a checkout. No answer depends on the file, because all clauses are assumed anyway.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Any

from hornbook.compiler.checker.certificate import fingerprint_of_declaration, fingerprint_of_rule
from hornbook.compiler.checker.form import digest
from hornbook.kb.ast.terms import Rule, predicate_of, statements
from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.dataclass import dataclass

FILE = "shown.jsonl"
NO_AXIOMS = "none"
"""The value of `axioms` in a record if no proof depends on an axiom."""


@dataclass(frozen=True, slots=True)
class ProofRun:
    """A run that checked proofs.

    Attributes:
        by: The name of the collection of proofs.
        command: The command of the run.
        date: The date of the run.
        coq: The version of Coq.
        compiled: The number of compiled sources.
        compared: True if the proofs are available for comparison.
        changed: The paths of proofs that differ from the compiled ones.
    """

    by: str
    command: str
    date: str
    coq: str
    compiled: int
    compared: bool = False
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownClauses:
    """The names of the shown clauses, and the runs that checked their proofs.

    Runs in `outdated`, whose proofs have changed, show no clause. Files in `damaged` cannot be read and show
    none either.
    """

    runs: tuple[ProofRun, ...] = ()
    clauses: frozenset[str] = frozenset()
    outdated: tuple[ProofRun, ...] = ()
    damaged: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class _Record:
    run: ProofRun
    fingerprints: Mapping[str, str]


def shown(theory: Theory) -> ShownClauses:
    """Return the clauses of a theory that are shown in their present form."""
    files = {file: list(_record_files(Path(file))) for file in {rule.span.file for rule in theory.rules}}
    records = {path: _read(path) for path in sorted({path for paths in files.values() for path in paths})}
    runs: dict[ProofRun, None] = {}
    names = set()
    for rule in theory.rules:
        for path in files[rule.span.file]:
            record = records[path]
            if record is None or record.run.changed:
                continue
            if record.fingerprints.get(rule.name) == fingerprint(rule, theory.vocabulary):
                runs[record.run] = None
                names.add(rule.name)
    outdated = tuple(record.run for record in records.values() if record and record.run.changed)
    damaged = tuple(path for path, record in records.items() if record is None)
    return ShownClauses(tuple(runs), frozenset(names), outdated, damaged)


def fingerprint(rule: Rule, vocabulary: Vocabulary) -> str:
    """Return a digest of a clause's meaning and of the declarations of its words."""
    words = sorted({predicate_of(statement) for statement in (rule.head, *statements(rule.body))})
    declared = (fingerprint_of_declaration(vocabulary.predicates[word], vocabulary) for word in words)
    return digest([fingerprint_of_rule(rule), *declared])


def _record_files(file: Path) -> Iterator[Path]:
    home = file.resolve().parent
    for folder in (home, home.parent):
        if (folder / FILE).is_file():
            yield folder / FILE


def _read(path: Path) -> _Record | None:
    try:
        head, *rows = map(json.loads, lines_of(path.read_text(encoding="utf-8")))
        return _record(head, rows, path.parent)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _record(head: Mapping[str, Any], rows: list[Mapping[str, Any]], home: Path) -> _Record:
    """Raise ValueError, TypeError, KeyError or AttributeError if the rows are not the record of a run."""
    if head["axioms"] != NO_AXIOMS:
        raise ValueError("some proof depends on an axiom")
    sources = {str(row["source"]): str(row["sha256"]) for row in rows if "source" in row}
    generated = [row["generated"] for row in rows if "generated" in row]
    folders = {str(library): home / str(folder) for library, folder in head["folders"].items()}
    if not sources or {PurePosixPath(path).parts[0] for path in sources} != folders.keys():
        raise ValueError("the sources are not those of the folders")
    compared = any(folder.is_dir() for folder in folders.values())
    run = ProofRun(
        by=_line(head["by"]),
        command=_line(head["command"]),
        date=date.fromisoformat(head["date"]).isoformat(),
        coq=_line(head["coq"]),
        compiled=len(sources) + len(generated),
        compared=compared,
        changed=_changed(sources, folders) if compared else (),
    )
    clauses = {str(row["clause"]): str(row["fingerprint"]) for row in rows if "clause" in row}
    return _Record(run, clauses)


def _line(text: object) -> str:
    return " ".join(str(text).split())


def _changed(sources: Mapping[str, str], folders: Mapping[str, Path]) -> tuple[str, ...]:
    """Return the sources that were added, altered or removed since they were recorded."""
    current = {
        f"{library}/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest()
        for library, folder in folders.items()
        for path in folder.glob("*.v")
        if path.is_file()
    }
    return tuple(sorted({path for path, _ in sources.items() ^ current.items()}))
