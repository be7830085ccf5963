"""The checks of files and of added rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check.alternatives import without_combinations
from hornbook.kb.check.check_unit import (
    CheckUnit,
    unit_of_file,
    unit_of_rules,
)
from hornbook.kb.check.clauses.absence import check_absence, check_lost_completeness, refused
from hornbook.kb.check.clauses.capitals import check_capitals, check_capitals_among_variables
from hornbook.kb.check.clauses.facts import check_facts
from hornbook.kb.check.clauses.frames import check_frames
from hornbook.kb.check.clauses.games import check_games
from hornbook.kb.check.clauses.lemmas import check_lemmas
from hornbook.kb.check.clauses.names import check_names
from hornbook.kb.check.clauses.plans import check_plans, check_turns, check_worth
from hornbook.kb.check.clauses.replies import check_replies
from hornbook.kb.check.clauses.safety import check_safety
from hornbook.kb.check.clauses.sets import check_sets
from hornbook.kb.check.clauses.sorts import check_sorts
from hornbook.kb.check.clauses.states import check_states
from hornbook.kb.check.clauses.tenses import check_tenses
from hornbook.kb.check.habits.repetitions import check_repetitions
from hornbook.kb.check.habits.similar_names import check_similar_variables
from hornbook.kb.check.habits.unused import check_unused
from hornbook.kb.check.program.completeness import Completeness, completeness, without_refused
from hornbook.kb.check.program.contradictions import check_contradictions
from hornbook.kb.check.program.dependencies import DependencyGroup, depending, grouped, read_groups
from hornbook.kb.check.program.examples import check_examples
from hornbook.kb.check.program.exceptions import check_conflicts, check_open_exceptions
from hornbook.kb.check.program.existing_rules import ExistingRules
from hornbook.kb.check.program.firing import check_firing
from hornbook.kb.check.program.imported import Imported
from hornbook.kb.check.program.operational import check_allows, check_modifiers, check_operational, check_says
from hornbook.kb.check.program.reach import check_reach, needed, nodes_without_rules
from hornbook.kb.check.program.recursion import check_recursion, circles
from hornbook.kb.check.queries import by_family, each_once
from hornbook.kb.parse.syntax import ParsedFile
from hornbook.kb.parse.vocabulary import vocabulary
from hornbook.kb.sources.collector import collector_paused
from hornbook.kb.sources.diagnostics import Diagnostic

OF_RULES = (check_sorts, check_safety, check_contradictions)
"""The checks that look at each rule separately, with only the vocabulary."""
OTHERS = (
    check_names,
    check_games,
    check_tenses,
    check_sets,
    check_frames,
    check_replies,
    check_plans,
    check_lemmas,
    check_turns,
    check_worth,
    check_operational,
    check_conflicts,
    check_modifiers,
    check_allows,
    check_says,
    check_facts,
    check_states,
    check_examples,
    check_capitals,
)
"""The other checks of single clauses. Checks of dependencies between rules follow them."""
HABITS = (check_similar_variables, check_capitals_among_variables, check_unused, check_repetitions)
"""The checks for valid but suspicious code, in files without other mistakes."""


def check(files: Sequence[ParsedFile], imported: Imported | None = None) -> list[Diagnostic]:
    """Return the errors of the last file, including syntax errors, and warnings about suspicious code.

    The earlier files are its imports. Each of them follows its own imports and has no errors. A caller that
    checks the same imports repeatedly can create `imported` once.
    """
    imported = Imported(tuple(files[:-1])) if imported is None else imported
    with collector_paused():
        unit, found = _read(files, imported)
        if not any(diagnostic.severity == "error" for diagnostic in found):
            found += without_combinations([*check_firing(unit, imported)], unit.rules)
        found += [] if found else (unmeant for habit in HABITS for unmeant in habit(unit))
    return each_once(found)


def mistakes(files: Sequence[ParsedFile], imported: Imported | None = None) -> list[Diagnostic]:
    """Return the diagnostics of `check` without warnings about valid but suspicious code."""
    imported = Imported(tuple(files[:-1])) if imported is None else imported
    with collector_paused():
        return each_once(_read(files, imported)[1])


def _read(files: Sequence[ParsedFile], imported: Imported) -> tuple[CheckUnit, list[Diagnostic]]:
    """Return the last file as a check unit, and its diagnostics."""
    *imports, file = files
    words, cache = vocabulary(files), imported.cache
    cache.begin(words)
    unit = unit_of_file(file, imports, words, cache.read)
    by_form = grouped(unit, imported.groups, cache.forms)
    own = tuple(by_form)[len(imported.groups) :]
    groups = depending(by_form)
    known = cache.once(("completeness", own), lambda: completeness(unit, groups))
    known = replace(known, unit=unit)
    unit = _with_refused(unit, groups, known)
    allowed = without_refused(groups, known)
    found = without_combinations([*cache.found(unit, OF_RULES)], unit.rules)
    found += by_family(unit.with_rules(()), OF_RULES)
    found += by_family(unit, OTHERS)
    open_exceptions = list(check_open_exceptions(unit, known))
    if open_exceptions:
        found += open_exceptions  # Other diagnostics about absences would repeat them.
    else:
        found += check_absence(unit, known)
        found += check_lost_completeness((group for group in groups if not group.own), unit, known)
    rests = cache.once(("circles", own), lambda: circles(unit, allowed))
    found += check_recursion(unit, allowed, rests)
    needs = cache.once(("needed", own), lambda: needed(unit, allowed))
    given_nodes = nodes_without_rules(unit, needs)
    if not cache.once(("reach", own, given_nodes), lambda: not list(check_reach(unit, allowed, given_nodes))):
        found += check_reach(unit, allowed, given_nodes)
    return unit, [*found, *file.diagnostics]


def _with_refused(unit: CheckUnit, groups: Iterable[DependencyGroup], known: Completeness) -> CheckUnit:
    """Return the unit with a mark on each rule that may not depend on an absence but does."""
    if not any(known.is_refused(dependency) for group in groups for dependency in group.dependencies):
        return unit
    rules = (replace(r, absence_allowed=False) if refused(r, known) else r for r in unit.rules)
    return replace(unit, rules=tuple(rules))


def check_rules(
    rules: Iterable[Rule], words: Vocabulary, others: Iterable[Rule] | ExistingRules = ()
) -> list[Diagnostic]:
    """Return the diagnostics of facts and rules that are added to a theory. `others` are the existing rules.

    A caller that checks repeatedly can create `ExistingRules` once. Unreachable rules are not reported,
    because the facts for them may be added later.
    """
    existing = others if isinstance(others, ExistingRules) else ExistingRules(words, others)
    unit = unit_of_rules(rules, words, existing.labels)
    own = read_groups(unit)
    below = existing.below(own)
    known = completeness(unit, [*below, *own])
    unit = _with_refused(unit, own, known)
    found = without_combinations([*by_family(unit, (*OF_RULES, *OTHERS))], unit.rules)
    found += check_absence(unit, known)
    if unit.rules:
        found += check_recursion(unit, without_refused([*below, *own], known))
        if existing.depend_on_absences():
            existing_groups = existing.groups()
            found += check_lost_completeness(
                existing_groups, unit, completeness(unit, [*existing_groups, *own])
            )
    return each_once(found)
