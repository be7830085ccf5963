"""Lemmas: clauses that are marked as following from the others of their theory, and are used only where they do.

Whether one does is not for the language to say: it asks whoever can check a proof. Where nobody can, no lemma is used.
What a lemma concludes follows without it, so nothing that is true of a theory depends on which of them are used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

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


def proved(theory: Theory) -> dict[str, Rule]:
    """The lemmas of a theory that are to be used, by name."""
    return {name: rule for judge in _judges for name, rule in judge(theory).items()}
