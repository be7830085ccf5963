"""The command `hornbook rules invent`: rules with invented predicates (predicate invention)."""

from __future__ import annotations

from hornbook.commands import options
from hornbook.commands.rules.learning.options import Into, MoreFiles, Problems
from hornbook.games.predicate_invention import invent_predicates_from_files
from hornbook.inputs.problem_files import problem_files
from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.coded import MOST_FACTS


def invent(
    theory: options.Theory,
    into: Into = None,
    problems: Problems = None,
    more: MoreFiles = None,
    seconds: options.SearchSeconds = 600.0,
    memory: options.SearchMemory = options.SEARCH_MEGABYTES,
    most_facts: options.SearchMostFacts = MOST_FACTS,
    json_output: options.Json = False,
) -> None:
    """Learn rules with invented predicates.

    A condition that recurs in explanations, holds for each member of a closed set, or depends on many
    facts becomes a predicate that is read before the action. RULES_words.horn has these predicates, their
    clauses, and lemmas with their proofs; the rules belong to that theory.
    """
    files = problem_files(theory, problems, more, of_one_kind=True)
    budget = Budget(seconds=seconds, megabytes=memory, facts=most_facts)
    invent_predicates_from_files(theory, files, into, budget.limits, json_output=json_output)
