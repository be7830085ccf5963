"""The checker: finds every mistake in a file, a query or added rules before evaluation.

Each module contains the checks for one family of mistakes. One mistake gives one diagnostic: a check ignores
code that another check refuses, and consequences of such code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check.clauses.absence import check_absence, check_promises, refused
from hornbook.kb.check.clauses.alike import check_alike
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
from hornbook.kb.check.clauses.sorts import check_sorts, variable_sorts
from hornbook.kb.check.clauses.states import check_states
from hornbook.kb.check.clauses.tenses import check_tenses
from hornbook.kb.check.earlier import Check
from hornbook.kb.check.program.completeness import Completeness, completeness, without_refused
from hornbook.kb.check.program.contradictions import check_contradictions
from hornbook.kb.check.program.dependencies import Group, depending, grouped, read_groups
from hornbook.kb.check.program.examples import check_examples
from hornbook.kb.check.program.firing import check_firing
from hornbook.kb.check.program.imported import Imported
from hornbook.kb.check.program.operational import (
    check_demanded,
    check_observed,
    check_operational,
    check_says,
    check_stated,
)
from hornbook.kb.check.program.reach import begun, check_reach, needed
from hornbook.kb.check.program.recursion import check_recursion, circles
from hornbook.kb.check.program.standing import StandingRules
from hornbook.kb.check.program.unused import check_unused
from hornbook.kb.check.subject import (
    Subject,
    answer_variables,
    subject_of_file,
    subject_of_query,
    subject_of_rules,
)
from hornbook.kb.parse.syntax import ParsedFile, Query
from hornbook.kb.parse.vocabulary import vocabulary
from hornbook.kb.sources.collector import collector_paused
from hornbook.kb.sources.diagnostics import Diagnostic, in_order

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
    check_observed,
    check_stated,
    check_demanded,
    check_says,
    check_facts,
    check_states,
    check_examples,
    check_capitals,
)
"""The other checks of single clauses. Checks of dependencies between rules follow them."""
HABITS = (check_alike, check_capitals_among_variables, check_unused)
"""The checks for valid but suspicious code, in files without other mistakes."""


def check(files: Sequence[ParsedFile], imported: Imported | None = None) -> list[Diagnostic]:
    """Return the errors of the last file, including syntax errors, and warnings about suspicious code.

    The earlier files are its imports. Each of them follows its own imports and has no errors. A caller that
    checks the same imports repeatedly can create `imported` once.
    """
    imported = Imported(tuple(files[:-1])) if imported is None else imported
    with collector_paused():
        subject, found = _read(files, imported)
        if not any(diagnostic.severity == "error" for diagnostic in found):
            found += check_firing(subject, imported)
        found += [] if found else (unmeant for habit in HABITS for unmeant in habit(subject))
    return _each_once(found)


def mistakes(files: Sequence[ParsedFile], imported: Imported | None = None) -> list[Diagnostic]:
    """Return the diagnostics of `check` without warnings about valid but suspicious code."""
    imported = Imported(tuple(files[:-1])) if imported is None else imported
    with collector_paused():
        return _each_once(_read(files, imported)[1])


def _read(files: Sequence[ParsedFile], imported: Imported) -> tuple[Subject, list[Diagnostic]]:
    """Return the last file as a check unit, and its diagnostics."""
    *imports, file = files
    words, earlier = vocabulary(files), imported.earlier
    earlier.begin(words)
    subject = subject_of_file(file, imports, words, earlier.read)
    by_form = grouped(subject, imported.groups, earlier.forms)
    own = tuple(by_form)[len(imported.groups) :]
    groups = depending(by_form)
    known = earlier.once(("completeness", own), lambda: completeness(subject, groups))
    known = replace(known, subject=subject)
    subject = _with_refused(subject, groups, known)
    allowed = without_refused(groups, known)
    found = [*earlier.found(subject, OF_RULES), *_by_family(subject.with_rules(()), OF_RULES)]
    found += [*_by_family(subject, OTHERS), *check_absence(subject, known)]
    found += check_promises((group for group in groups if not group.own), subject, known)
    rests = earlier.once(("circles", own), lambda: circles(subject, allowed))
    found += check_recursion(subject, allowed, rests)
    needs = earlier.once(("needed", own), lambda: needed(subject, allowed))
    begins = begun(subject, needs)
    if not earlier.once(("reach", own, begins), lambda: not list(check_reach(subject, allowed, begins))):
        found += check_reach(subject, allowed, begins)
    return subject, [*found, *file.diagnostics]


def check_query(query: Query, words: Vocabulary) -> list[Diagnostic]:
    """Return the diagnostics of a query. Absence, aggregates and variables that are used once are allowed."""
    return _each_once(_by_family(subject_of_query(query, words), (*OF_RULES, *OTHERS)))


def _with_refused(subject: Subject, groups: Iterable[Group], known: Completeness) -> Subject:
    """Return the subject with a mark on each rule that may not depend on an absence but does."""
    if not any(known.is_refused(dependency) for group in groups for dependency in group.dependencies):
        return subject
    rules = (replace(r, absence_allowed=False) if refused(r, known) else r for r in subject.rules)
    return replace(subject, rules=tuple(rules))


def check_rules(
    rules: Iterable[Rule], words: Vocabulary, others: Iterable[Rule] | StandingRules = ()
) -> list[Diagnostic]:
    """Return the diagnostics of facts and rules that are added to a theory. `others` are the existing rules.

    A caller that checks repeatedly can create `StandingRules` once. Unreachable rules are not reported,
    because the facts for them may be added later.
    """
    existing = others if isinstance(others, StandingRules) else StandingRules(words, others)
    subject = subject_of_rules(rules, words, existing.labels)
    own = read_groups(subject)
    below = existing.below(own)
    known = completeness(subject, [*below, *own])
    subject = _with_refused(subject, own, known)
    found = [*_by_family(subject, (*OF_RULES, *OTHERS)), *check_absence(subject, known)]
    if subject.rules:
        found += check_recursion(subject, without_refused([*below, *own], known))
        if existing.rests_on_absences():
            existing_groups = existing.groups()
            found += check_promises(existing_groups, subject, completeness(subject, [*existing_groups, *own]))
    return _each_once(found)


def _by_family(subject: Subject, families: Iterable[Check]) -> Iterator[Diagnostic]:
    for family in families:
        yield from family(subject)


_OF_A_NAME = ("HB014", "HB036")
"""A constant that is missing in its sort is reported once, not at every use."""


def _each_once(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    named: set[str] = set()
    for diagnostic in in_order(diagnostics):
        if diagnostic.code in _OF_A_NAME:
            if diagnostic.message in named:
                continue
            named.add(diagnostic.message)
        found.append(diagnostic)
    return found


__all__ = [
    "Imported", "StandingRules", "answer_variables", "check", "check_query", "check_rules", "mistakes",
    "variable_sorts",
]  # fmt: skip
