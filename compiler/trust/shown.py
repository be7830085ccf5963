"""Which clauses of a theory are shown to be true of what it is about, outside of Hornbook: in a proof assistant, by a proof that nothing here checks.

What is shown stands in a file `shown.jsonl` in the folder of a clause's file, or in the one above: first by what, then a line for each clause,
with its name and the fingerprint of what it says. A clause that says something else since then is not shown. It changes no answer: all of them are assumed as before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.kb.ast.theory import Theory

FILE = "shown.jsonl"


@dataclass(frozen=True, slots=True)
class Shown:
    """The names of the clauses that are shown, and by what."""

    by: tuple[str, ...] = ()
    clauses: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Said:
    """What a file says is shown: by what, and the fingerprint of each clause."""

    by: str = ""
    fingerprints: Mapping[str, str] = field(default_factory=dict)


def shown(theory: Theory) -> Shown:
    """The clauses of a theory that are shown as they are now. A file that is damaged shows nothing."""
    files = {file: list(_beside(Path(file))) for file in {rule.span.file for rule in theory.rules}}
    found: dict[str, None] = {}
    names = set()
    for rule in theory.rules:
        for said in files[rule.span.file]:
            if said.fingerprints.get(rule.name) == fingerprint_of_rule(rule):
                found[said.by] = None
                names.add(rule.name)
    return Shown(tuple(found), frozenset(names))


def _beside(file: Path) -> Iterator[_Said]:
    for folder in (file.parent, file.parent.parent):
        path = folder / FILE
        if path.is_file():
            yield _read(path)


def _read(path: Path) -> _Said:
    try:
        first, *rest = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        return _Said(str(first["by"]), {row["clause"]: row["fingerprint"] for row in rest})
    except (OSError, ValueError, TypeError, KeyError):
        return _Said()
