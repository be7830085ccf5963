"""Learning with predicate invention from examples or problems: `hornbook rules invent` and its output."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from hornbook.compiler.checker.checker import RejectedError
from hornbook.compiler.learn.invented_theory import invented_theory_path, write
from hornbook.compiler.learn.invention import (
    InventionResult,
    invent_predicates,
    invent_predicates_from_examples,
)
from hornbook.compiler.learn.invention_failures import InventionFailures, reason_of_example
from hornbook.compiler.learn.learning import examples_of, read_examples
from hornbook.compiler.learn.replies.reply_learner import learn_against_replies
from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.games.lessons import are_problems, lessons_by_stage, lessons_in
from hornbook.inputs.domains import domain_argument
from hornbook.inputs.opening_store import open_theory
from hornbook.inputs.store_names import store_named
from hornbook.kb.ast.terms import WON
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.matcher.program.coded import Limits
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_json, print_line, warn


def invent_predicates_from_files(
    theory: str,
    files: Sequence[Path],
    into: Path | None,
    limits: Limits,
    *,
    against_replies: bool,
    json_output: bool,
) -> None:
    """Invent predicates, and write them with the rules that use them.

    With `against_replies`, they are about wins after every reply. The exit code is 1 if nothing is learned.

    Raises:
        ArgumentError: If the files exist already, or no file is named.
        KnowledgeBaseError: If the checker refuses the result.
    """
    place = _new_place(into)
    given = open_theory(theory, unchanged=True)
    for file in (place, invented_theory_path(place)):
        rulebase.must_import(file, given)
    started = time.perf_counter()
    try:
        with progress("inventing words", None, lines=True):
            number, learned, unproved = _learned(given, files, limits, against_replies=against_replies)
        rules = len(write(learned, given, place)) if len(learned.base) else 0
    except RejectedError as problem:
        raise KnowledgeBaseError(f"the checker refuses what was learned: {problem}") from None
    there = given.vocabulary.predicates
    words = sum(word not in there for word in learned.theory.vocabulary.predicates)
    clauses = len(learned.theory.rules) - len(given.rules)
    seconds = time.perf_counter() - started
    if json_output:
        report = {
            "lessons": number,
            "rules": rules,
            "words": words,
            "clauses": clauses,
            "seconds": round(seconds, 3),
            **({"unproved": unproved} if unproved else {}),
        }
        print_json(report)
    else:
        for name, why in unproved.items():
            print_line(f"{on_one_line(name)}: no rule: {on_one_line(why)}")
        print_line(
            f"{counted(number, 'lesson')}: {counted(rules, 'rule')} in {shown(place)},"
            f" {counted(words, 'word')} with"
            f" {counted(clauses, 'clause')} in {shown(invented_theory_path(place))}\n{seconds:.1f} s"
        )
    if not rules:
        why = "no example or problem gives a rule" if number else "there is no example or problem"
        warn(f"nothing was learned: {why}")
        raise ReportedError(1)


def _new_place(into: Path | None) -> Path:
    if into is None or store_named(into) is not None:
        raise ArgumentError("invented predicates are stored beside a file of rules", argument="--into")
    for place in (into, invented_theory_path(into)):
        if place.exists():
            raise ArgumentError(
                f"{shown(place)} already exists, and predicates are invented anew each time",
                argument="--into",
            )
    return into


def _learned(
    given: Theory, files: Sequence[Path], limits: Limits, *, against_replies: bool
) -> tuple[int, InventionResult, dict[str, str]]:
    """Return the number of examples or problems, what they teach, and the reason for each that no learned
    rule answers.
    """
    if files and are_problems(given, [*files]):
        return _from_problems(given, files, limits, against_replies=against_replies)
    if against_replies:
        raise ArgumentError(
            "wins after every reply are learned from problems of one and two moves",
            argument="--against-replies",
        )
    examples = [e for file in files for e in read_examples(file, given)] if files else examples_of(given)
    learned = invent_predicates_from_examples(given, examples, limits)
    without = [each for each in examples if each.name not in learned.taught or not len(learned.base)]
    return len(examples), learned, {each.name: reason_of_example(each, given) for each in without}


def _from_problems(
    given: Theory, files: Sequence[Path], limits: Limits, *, against_replies: bool
) -> tuple[int, InventionResult, dict[str, str]]:
    domain = domain_argument(given, "what its problems are")
    lessons = lessons_by_stage(domain, lessons_in(given, files))[""]
    if not lessons:
        return 0, InventionResult(given, RuleBase(given.name)), {}
    play = domain.play(lessons[0].game.predicate)
    if play is None:
        raise KnowledgeBaseError(f"the games of these problems of `{given.name}` cannot be played")
    if against_replies and given.replies_of(lessons[0].game.predicate) is None:
        raise ArgumentError(
            f"`{given.name}` does not list the replies in `{lessons[0].game.predicate}` (`replies`)",
            argument="--against-replies",
        )
    learn = learn_against_replies if against_replies else invent_predicates
    learned = learn(given, play, lessons)
    matcher = RuleMatcher(learned.theory, play.focus_predicate, limits)
    for entry in learned.base:
        matcher.add(entry.rule)
    failures = InventionFailures(given, learned, play)
    without = [
        each
        for each in lessons
        if not matcher.matches(play.facts(each.state, each.game, None), each.game, WON)
    ]
    return len(lessons), learned, {each.name: failures.reason(each) for each in without}
