"""Warnings about lemmas that a theory cannot use because no proof of them is accepted."""

from __future__ import annotations

from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.loader import load
from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.terminal.messages import warn


def load_with_warnings(target: str) -> Theory:
    """Load the theory with this name or path, and warn about unused lemmas. Raises as `load` does."""
    theory = load(target)
    warn_unproved(theory)
    return theory


def warn_unproved(theory: Theory) -> None:
    """Print a warning about unused lemmas on the error stream."""
    if (message := unproved_message(theory)) is not None:
        warn(f"warning: {message}")


def unproved_message(theory: Theory) -> str | None:
    """Return a message about unused lemmas, or None if every lemma is used."""
    if not theory.lemmas:
        return None
    first, number = theory.lemmas[0], len(theory.lemmas)
    such = ", such as" if number > 1 else ":"
    place = theory.name if theory.path is None else shown(theory.path)
    return (
        f"{counted(number, 'lemma')} without a proof {'is' if number == 1 else 'are'} not used{such}"
        f" `{first.name}` ({first.span.file}:{first.span.line}); `hornbook rules prove"
        f" {place}` looks for proofs"
    )
