"""Lemmas: clauses that are marked as consequences of their theory, and are used only if they are proved.

This package cannot check proofs. It calls a registered judge. Without a judge, no lemma is used. The
conclusion of a lemma follows without it, so the consequences of a theory do not depend on the lemmas in use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # so that registering a judge need not import the terms
    from hornbook.kb.ast.terms import Rule
    from hornbook.kb.ast.theory import Theory

    Judge = Callable[[Theory], Mapping[str, Rule]]

_judges: list[Judge] = []


def register_judge(judge: Judge) -> None:
    """Register the judge of lemmas for all theories that are loaded from now on.

    A judge gets a theory that uses none of its lemmas. It returns the proved lemmas as usable rules, by name.
    """
    _judges[:] = [judge]


def proved(theory: Theory) -> dict[str, Rule]:
    """Return the lemmas of a theory that may be used, by name."""
    return {name: rule for judge in _judges for name, rule in judge(theory).items()}
