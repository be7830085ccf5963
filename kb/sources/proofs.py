"""Texts of proofs in the folder of the proved file. Their validity is determined by a checker."""

from __future__ import annotations

from pathlib import Path

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.files import is_file, read_text


def proofs_path(file: Path) -> Path:
    """Return the path of the proofs for a file of rules, or for the lemmas of a theory."""
    return file.with_name(f"{file.stem}.proofs.jsonl")


def proofs_text(file: Path) -> str:
    """Return the text of the proofs for a theory's file, or an empty text if it is missing or unreadable."""
    place = proofs_path(file)
    try:
        return read_text(place) if is_file(place) else ""
    except TheoryError:
        return ""
