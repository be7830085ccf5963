"""Theories that use their proved lemmas, and warnings about lemmas without an accepted proof."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.load import loader
from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.terminal.messages import warn


def proved_lemmas(theory: Theory) -> Mapping[str, Rule]:
    """Return the proved lemmas of a theory that uses none yet. This is the judge of every loaded theory."""
    from hornbook.compiler.trust.known_lemmas import proved  # noqa: PLC0415 - few theories have lemmas

    return proved(theory)


def load(target: str | Path, *, adapters: bool = True) -> Theory:
    """Return the theory with this name or path. Raises TheoryError with all errors in it.

    No code of the theory's folder is run. With `adapters=False`, none is run later either: states that need
    the theory's adapter cannot be read.

    >>> read_theory("family").name
    'family'
    """
    return loader.load(target, adapters=adapters, judge=proved_lemmas)


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
