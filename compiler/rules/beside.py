"""What there is beside texts: the file of their proofs, and what the verdicts on them rest on."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.cache import fingerprint
from hornbook.kb.sources.files import is_file


def proofs_beside(file: Path) -> Path:
    """Where the proofs stand of the rules of a file, or of the lemmas of a theory."""
    return file.with_name(f"{file.stem}.proofs.jsonl")


def files_of(theory: Theory) -> list[Path]:
    """The files of a theory, beside which proofs of its lemmas may stand: its own first, then those that it imports, the nearest
    first.
    """
    own = [] if theory.path is None else [theory.path.resolve()]
    others = [Path(name).resolve() for name in reversed([*theory.sources]) if is_file(Path(name))]
    return list(dict.fromkeys([*own, *others]))


@cache
def checker() -> str:
    """The sources of the checker, and of all that it could stand on."""
    digest = hashlib.sha256(fingerprint().encode())
    here = Path(__file__).parents[1]
    for file in sorted(here.rglob("*.py")):
        digest.update(file.relative_to(here).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
