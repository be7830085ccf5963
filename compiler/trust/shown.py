"""Which clauses of a theory are shown to be true of what it is about, outside of Hornbook: in a proof assistant, by a proof that nothing here checks.

What is shown stands in a file `shown.jsonl` in the folder of a clause's file, or in the one above: first by what, then a line for each clause,
with its name and the fingerprint of what it says. A clause that says something else since then is not shown. It changes no answer: all of them are assumed as before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hornbook.compiler.checker.certificate import fingerprint_of_declaration, fingerprint_of_rule
from hornbook.compiler.checker.form import digest
from hornbook.kb.ast.terms import Rule, predicate_of, statements
from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.kb.text.lines import lines_of

FILE = "shown.jsonl"


@dataclass(frozen=True, slots=True)
class Shown:
    """The names of the clauses that are shown, and by what; and the files that cannot be read, which show nothing."""

    by: tuple[str, ...] = ()
    clauses: frozenset[str] = frozenset()
    damaged: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class _Said:
    """What a file says is shown: by what, and the fingerprint of each clause."""

    by: str
    fingerprints: Mapping[str, str]


def shown(theory: Theory) -> Shown:
    """The clauses of a theory that are shown as they are now."""
    files = {file: list(_beside(Path(file))) for file in {rule.span.file for rule in theory.rules}}
    read = {path: _read(path) for path in sorted({path for paths in files.values() for path in paths})}
    found: dict[str, None] = {}
    names = set()
    for rule in theory.rules:
        for path in files[rule.span.file]:
            said = read[path]
            if said and said.fingerprints.get(rule.name) == fingerprint(rule, theory.vocabulary):
                found[said.by] = None
                names.add(rule.name)
    damaged = tuple(path for path, said in read.items() if said is None)
    return Shown(tuple(found), frozenset(names), damaged)


def fingerprint(rule: Rule, vocabulary: Vocabulary) -> str:
    """Changes with what a clause says, and with the declarations of its words."""
    words = sorted({predicate_of(said) for said in (rule.head, *statements(rule.body))})
    declared = (fingerprint_of_declaration(vocabulary.predicates[word], vocabulary) for word in words)
    return digest([fingerprint_of_rule(rule), *declared])


def _beside(file: Path) -> Iterator[Path]:
    here = file.resolve().parent
    for folder in (here, here.parent):
        if (folder / FILE).is_file():
            yield folder / FILE


def _read(path: Path) -> _Said | None:
    try:
        first, *rest = map(json.loads, lines_of(path.read_text(encoding="utf-8")))
        by = " ".join(str(first["by"]).split())
        return _Said(by, {str(row["clause"]): str(row["fingerprint"]) for row in rest})
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
