"""The vocabulary for learning: which conditions a rule that names its action may have."""

from __future__ import annotations

from dataclasses import replace

from hornbook.compiler.witness.questions import rests_on_action
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import Theory, Vocabulary


def askable(theory: Theory) -> Vocabulary:
    """The theory's vocabulary, in which no predicate is operational that may rest on an action: a rule that names its
    action cannot ask for it, so what it rests on is asked instead.
    """
    words = theory.vocabulary
    resting = {
        name: replace(predicate, operational=False)
        for name, predicate in words.predicates.items()
        if predicate.operational and rests_on_action(Atom(name, ()), theory)
    }
    return replace(words, predicates={**words.predicates, **resting})
