"""Proofs as texts beside the files that they are about; whether they prove anything is for a checker to say."""

from __future__ import annotations

from pathlib import Path

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.files import is_file, read_text


def proofs_beside(file: Path) -> Path:
    """Where the proofs stand of the rules of a file, or of the lemmas of a theory."""
    return file.with_name(f"{file.stem}.proofs.jsonl")


def kept_beside(file: Path) -> str:
    """The text of the proofs beside a theory's file; what is not there, or cannot be read, proves nothing."""
    place = proofs_beside(file)
    try:
        return read_text(place) if is_file(place) else ""
    except TheoryError:
        return ""
