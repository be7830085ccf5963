"""Lemmas: clauses that are marked as following from the others of their theory, and are used only where they do.

Whether one does is not for the language to say: it asks whoever can check a proof. Where nobody can, no lemma is used.
What a lemma concludes follows without it, so nothing that is true of a theory depends on which of them are used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, warning
from hornbook.kb.sources.files import is_file, read_text, shown

if TYPE_CHECKING:  # so that who says whom to ask need not wait for the terms
    from hornbook.kb.ast.terms import Rule
    from hornbook.kb.ast.theory import Theory

    Judge = Callable[[Theory], Mapping[str, Rule]]

_judges: list[Judge] = []


def ask(judge: Judge) -> None:
    """Has this one judge the lemmas of all theories that are loaded from now on: given a theory that uses none of its lemmas, it
    gives those that are proved, by name, as they are to be used.
    """
    _judges[:] = [judge]


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


def proved(theory: Theory) -> dict[str, Rule]:
    """The lemmas of a theory that are to be used, by name."""
    return {name: rule for judge in _judges for name, rule in judge(theory).items()}


def unused(theory: Theory) -> list[Diagnostic]:
    """HB073: what is said of each lemma in a theory's own file that the theory does not use."""
    if theory.path is None:
        return []
    file = shown(theory.path)
    return [
        warning(
            "HB073",
            f"the lemma `{rule.name}` is not used: no proof of it is accepted",
            rule.span,
            f"`hornbook prove {file}` looks for one",
        )
        for rule in theory.lemmas
        if rule.span.file == file
    ]
