"""The record of a run that checked the proofs of a theory.

It is the file `shown.jsonl` next to the theory, which `hornbook rules trust` reads.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from hornbook.compiler.trust.shown import FILE, fingerprint
from hornbook.kb.ast.theory import Theory
from oracles.coq import record
from oracles.coq.record import Row
from oracles.meaning import statements
from oracles.meaning.games import CoqGame
from oracles.meaning.proving import digests, generated


def place(theory: Theory) -> Path:
    """Return the place of a theory's record."""
    return _home(theory) / FILE


def head(theory: Theory, game: CoqGame, command: str) -> Row:
    """Return the first row of the record of a run that ends now."""
    folders = "/".join(each.folder.name for each in game.libraries())
    return record.head(f"oracles/meaning/{folders}, in Coq", command, folders=_folders(theory, game))


def rows(theory: Theory, game: CoqGame, names: Iterable[str]) -> list[Row]:
    """Return the rows after the first; `names` are the proved statements, by their names in Coq."""
    known = set(names)
    shown = [rule for rule in theory.rules if statements.name(rule) in known]
    clauses = [{"clause": rule.name, "fingerprint": fingerprint(rule, theory.vocabulary)} for rule in shown]
    return [*record.sources(digests(theory, game), generated(game)), *clauses]


def _folders(theory: Theory, game: CoqGame) -> dict[str, str]:
    """Return the folder of each library, relative to the folder of the theory."""
    home = _home(theory)
    return {each.name: Path(os.path.relpath(each.folder, home)).as_posix() for each in game.libraries()}


def _home(theory: Theory) -> Path:
    assert theory.path is not None
    return theory.path.resolve().parent
