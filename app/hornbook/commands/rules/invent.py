"""The command `hornbook rules invent`: rules with invented predicates (predicate invention)."""

from __future__ import annotations

from hornbook.commands import options
from hornbook.commands.option_groups import LearningLimitOptions
from hornbook.commands.rules.learning.options import LearningFileOptions
from hornbook.games.predicate_invention import invent_predicates_from_files


def invent(
    theory: options.Theory,
    *,
    learning: LearningFileOptions,
    bounds: LearningLimitOptions,
    json_output: options.Json = False,
) -> None:
    """Learn rules with invented predicates.

    A condition that recurs in explanations, holds for each member of a closed set, or depends on many
    facts becomes a predicate that is read before the action. RULES_words.horn has these predicates, their
    clauses, and lemmas with their proofs; the rules belong to that theory.
    """
    files = learning.files(theory)
    budget = bounds.budget()
    invent_predicates_from_files(theory, files, learning.into, budget.limits, json_output=json_output)
