"""Lemmas that their theory does not use, because no proof of them is accepted."""

from __future__ import annotations

from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.diagnostics import Diagnostic, warning
from hornbook.kb.sources.files import shown


def unused(theory: Theory) -> list[Diagnostic]:
    """Return HB073 for each lemma in a theory's own file that the theory does not use."""
    if theory.path is None:
        return []
    file = shown(theory.path)
    return [
        warning(
            "HB073",
            f"the lemma `{rule.name}` is not used: no proof of it is accepted",
            rule.span,
            f"`hornbook rules prove {file}` looks for one",
        )
        for rule in theory.lemmas
        if rule.span.file == file
    ]
