"""Learning from problems, and the output of `hornbook learn` during and after it."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from hornbook.compiler.learn.lessons import LessonResult, Problem, RuleLearner, without_special_cases
from hornbook.compiler.learn.shortening.shortening import ShortenedRules, continued, shortened
from hornbook.compiler.match.states import StateMatcher
from hornbook.compiler.match.utility import credited, useless
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.repetition import repetition
from hornbook.inputs.domains import domain_argument, domain_of
from hornbook.inputs.rule_destination import INTERRUPTED_MESSAGE, LearningTask, RuleDestination
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, GameStatement
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.sources.collector import collector_paused
from hornbook.kb.sources.files import read_text
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.kep.problems import PlanProblem
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import INTERRUPTED, ReportedError
from hornbook.terminal.messages import print_line, warn
from hornbook.theories import problems
from hornbook.theories.domain import Domain

SUFFIX = ".jsonl"
"""The extension of files with problems, if no domain names others."""
NamedTask = TypeVar("NamedTask", Problem, PlanProblem)
_NONE: Mapping[str, str] = MappingProxyType({})


def suffixes_of(theory: Theory) -> tuple[str, ...]:
    """Return the extensions of files with problems; examples are in `.horn` files."""
    domain = domain_of(theory)
    return (SUFFIX,) if domain is None else domain.suffixes


def are_problems(known: Theory, files: list[Path] | None) -> bool:
    suffixes = {file.suffix for file in files or ()}
    return bool(suffixes) and (suffixes == {SUFFIX} or suffixes <= set(suffixes_of(known)))


def lessons_of(domain: Domain, file: Path, theory: Theory) -> list[Problem]:
    """Return the problems of a file."""
    return [lesson_of(each, str(file)) for each in domain.lessons(file, theory)]


def lesson_of(each: problems.ProofTask, file: str) -> Problem:
    return Problem(each.name, file, each.state, each.game, each.moves, each.moves_if_second)


def lessons_by_stage(domain: Domain, lessons: Sequence[Problem]) -> dict[str, list[Problem]]:
    """Return the problems of most games under an empty key, then those of each game that is learned later."""
    found: dict[str, list[Problem]] = {"": [], **{game: [] for game in domain.later}}
    for lesson in lessons:
        found[lesson.game.predicate if lesson.game.predicate in domain.later else ""].append(lesson)
    return found


def lessons_in(theory: Theory, files: Iterable[Path]) -> list[Problem]:
    """Return the problems of some files. Raises ArgumentError if no domain reads problems."""
    domain = domain_argument(theory, "what its problems are")
    return [lesson for file in files for lesson in lessons_of(domain, file, theory)]


def short_rules(base: RuleBase, theory: Theory, domain: Domain) -> ShortenedRules:
    """Return rules from problems with short forms, if the rules of the domain have them."""
    return shortened(base, theory) if domain.has_short_rules else ShortenedRules(continued(base, theory), {})


def long_rules(short: ShortenedRules) -> list[str]:
    """Return a line for each rule that has no short form, with the reason."""
    bodies = {name: short.base.entries[name].rule.body for name in short.reasons}
    return [
        f"{name}: it keeps its {counted(len(bodies[name]), 'condition')}: {reason}"
        for name, reason in short.reasons.items()
    ]


def learn_problems(
    known: Theory,
    taken: Sequence[Problem],
    texts: Mapping[str, str],
    home: RuleDestination,
    budget: Budget,
    *,
    json_output: bool,
) -> None:
    """Learn from every problem with a win, then from the games that are learned later, and store the rules.

    Each problem has the whole budget. A problem that exceeds it does not count as learned. The exit code is 1
    if no rule is learned and no problem is proved, or if there is no problem.
    """
    domain = domain_argument(known, "what its problems are")
    base = home.base
    groups = lessons_by_stage(domain, taken)
    lessons = groups.pop("")
    started = time.perf_counter()
    taught: list[LessonResult] = []
    refused: Counter[str] = Counter()
    first: Mapping[str, str] = {}
    now, interrupted = base, False
    if lessons:
        learner = learner_for(known, domain, lessons[0].game.predicate, base, budget)
        taught, interrupted = learn_lessons(learner, lessons, home, texts)
        now, refused, first = learner.base, learner.refused, learner.first_refused
    stopped, later = _stopped(taught), []
    outcomes = list(taught)
    seen = [] if not lessons else learner.queried
    for game, others in groups.items():
        if others and not interrupted:
            learner = learner_for(known, domain, game, now, budget)
            rescued, interrupted = learn_lessons(learner, others, home, texts)
            now = learner.base
            seen += learner.queried
            stopped += _stopped(rescued)
            outcomes += rescued
            later += [] if not rescued else [Later.of(game, domain.later[game], rescued)]
    with collector_paused():
        learned = without_special_cases(now)
        short = short_rules(learned, known, domain)
        home.finish(short.base)
        unused = unused_rules(known, domain, learned, seen)
        home.forget(unused.reasons, unused.credited)
    seconds = time.perf_counter() - started
    report = report_of(taught, refused, len(learned) - len(base), seconds)
    known_before = len(lessons) - len(taught) if not interrupted else 0
    if known_before:
        report["known"] = known_before
    if first:
        report["first_refused"] = first
    if short.reasons:
        report["long"] = dict(short.reasons)
    if stopped:
        report["stopped"] = dict(stopped.most_common())
    unproved = {each.lesson.name: each.why for each in outcomes if each.why is not None}
    if unproved:
        report["unproved"] = unproved
    if later:
        report["later"] = {each.game: each.as_json() for each in later}
    if unused.reasons:
        report["forgotten"] = [*unused.reasons]
        report["seen"] = len(seen)
    new = (entry for entry in learned if entry.rule.name not in base.entries)
    repeating = [found for entry in new if (found := repetition(entry, known)) is not None]
    if repeating:
        report["repeating"] = {one.entry.rule.name: one.of.name for one in repeating}
    if json_output:
        print_line(json.dumps({**report, "rules": len(learned)}))
    else:
        for name, why in unproved.items():
            print_line(f"{name}: no proof of {why}")
        print_line(_text(report, len(learned), str(home.path)))
        for each in later:
            print_line(each.text())
        if unused.reasons:
            print_line(
                f"{counted(len(unused.reasons), 'rule is', 'rules are')} not used, since others give all"
                f" their answers in {counted(len(seen), 'position')};"
                " `hornbook rules restore` uses them again"
            )
        for line in (*map(str, repeating), *long_rules(short)):
            print_line(line)
        for reason, number in stopped.most_common():
            print_line(f"{number} stopped: {reason}; --seconds, --memory and --max-facts allow more")
    if interrupted:
        warn(INTERRUPTED_MESSAGE)
        raise ReportedError(INTERRUPTED)
    if unproved and len(learned) <= len(base) and not any(each.first or each.second for each in outcomes):
        warn("nothing was learned: no problem is proved")
        raise ReportedError(1)
    if not taken:
        warn("nothing was learned: the files have no problem that is won")
        raise ReportedError(1)


@dataclass(frozen=True, slots=True)
class UnusedRules:
    """The rules that are not used after learning, each with its reason, and those with a credited answer."""

    reasons: Mapping[str, str]
    credited: frozenset[str]


TESTED = 2
"""The number of answers with which a rule is judged: the one that it was learned from is no test."""


def unused_rules(
    theory: Theory, domain: Domain, base: RuleBase, seen: Sequence[tuple[Any, Atom]]
) -> UnusedRules:
    """Return the rules whose answers others give in the positions seen, which learning need not use."""
    rules = [entry.answering for entry in base if entry.is_certified]
    if not seen or not rules:
        return UnusedRules({}, frozenset())
    matcher = StateMatcher(base.definitions.extended(theory), domain.focus_predicate, rules)
    queries = [domain.question(state, game) for state, game in seen]
    answers: dict[str, set[tuple[int, GameStatement]]] = {rule.name: set() for rule in rules}
    for number, found in enumerate(matcher.statements(queries)):
        for name, statement in () if isinstance(found, BaseException) else found:
            answers[name].add((number, statement))
    reason = f"credited with no answer in {counted(len(seen), 'position')} of lessons"
    reasons = dict.fromkeys(useless(answers, rules, TESTED), reason)
    return UnusedRules(reasons, frozenset(credited(answers).values()))


@dataclass(frozen=True, slots=True)
class Later:
    """The result for a game that is learned later: the numbers of problems proved as first and second."""

    game: str
    called: str
    lessons: int
    first: int
    second_total: int
    second: int

    @classmethod
    def of(cls, game: str, called: str, taught: Sequence[LessonResult]) -> Later:
        second = [t.second for t in taught if t.second is not None]
        return cls(game, called, len(taught), sum(t.first for t in taught), len(second), sum(second))

    def as_json(self) -> dict[str, object]:
        return {"problems": self.lessons, "first": self.first, "second": [self.second, self.second_total]}

    def text(self) -> str:
        return (
            f"{self.lessons} {self.called}: {self.first} proved with the defender first,"
            f" {self.second} of {self.second_total} with the attacker first"
        )


def _stopped(taught: Iterable[LessonResult]) -> Counter[str]:
    """Return the number of problems that exceeded each limit."""
    return Counter(each.stopped for each in taught if each.stopped is not None)


def learner_for(
    known: Theory, domain: Domain, game: str, base: RuleBase, budget: Budget | None = None
) -> RuleLearner:
    """Return a learner for a game, whose proofs may use the rules of a base.

    Each problem has the whole budget.

    Raises KnowledgeBaseError if no player model exists for the game.
    """
    play = domain.play(game)
    if play is None:
        raise KnowledgeBaseError(
            f"the game `{game}` of `{known.name}` cannot be played: its domain has no `play` for it"
        )
    return RuleLearner(part_of(known, game, domain), play, base, budget, known)


def learn_lessons(
    learner: RuleLearner,
    lessons: list[Problem],
    home: RuleDestination | None = None,
    texts: Mapping[str, str] = _NONE,
) -> tuple[list[LessonResult], bool]:
    """Learn from the problems that are new. Return the results, and whether learning was interrupted."""
    taught: list[LessonResult] = []
    tasks = {id(lesson): _task(lesson, texts) for lesson in lessons}
    new = [lesson for lesson in lessons if home is None or not home.knows(tasks[id(lesson)])]
    with progress("learning", len(new), lines=True) as update_progress:
        if home is not None:
            home.start()
        try:
            for each in learner.learn(announced(new, update_progress)):
                if home is not None and each.stopped is None:
                    is_learned = each.first and each.second is not False
                    home.lesson(tasks[id(each.lesson)], learner.base, _outcome(each), is_learned=is_learned)
                taught.append(each)
                proved = sum(t.first for t in taught)
                update_progress(advance=1, remark=f"{proved} proved, {counted(len(learner.base), 'rule')}")
        except KeyboardInterrupt:
            return taught, True
    return taught, False


def announced(lessons: Iterable[NamedTask], update_progress: Callable[..., None]) -> Iterator[NamedTask]:
    """Yield the problems, and show the name of each in the progress bar when its turn comes."""
    for lesson in lessons:
        update_progress(doing=on_one_line(lesson.name))
        yield lesson


def lines_in(files: Iterable[Path]) -> list[str]:
    """Return the lines of files with one problem per line."""
    return [line for file in files if file.suffix == SUFFIX for line in lines_of(read_text(file))]


def texts_of(lines: Iterable[str]) -> dict[str, str]:
    """Return the lines that each hold a problem, by the problem's name."""
    found = {}
    for line in lines:
        with suppress(ValueError, TypeError, KeyError, RecursionError):
            found[str(json.loads(line)["id"])] = line
    return found


def _task(lesson: Problem, texts: Mapping[str, str]) -> LearningTask:
    """Return a problem in the form of a store: its own line if it has one."""
    content = texts.get(lesson.name) or texts.get(lesson.name.rpartition(" ")[0], repr(lesson.state))
    question = f"{print_condition(lesson.game)}: {lesson.moves}, {lesson.moves_if_second}"
    return LearningTask(lesson.name, lesson.file, content, question)


def _outcome(each: LessonResult) -> dict[str, object]:
    return {"first": each.first, "second": each.second, "rules": each.rules}


def report_of(
    taught: list[LessonResult], refused: Counter[str], added: int, seconds: float
) -> dict[str, object]:
    """Return the counts of a run."""
    first: Counter[int] = Counter()
    total: Counter[int] = Counter()
    for each in taught:
        total[each.lesson.moves] += 1
        first[each.lesson.moves] += each.first
    second = [each.second for each in taught if each.second is not None]
    return {
        "problems": len(taught),
        "proved": first.total(),
        "by_moves": {str(moves): [first[moves], total[moves]] for moves in sorted(total)},
        "second": [sum(second), len(second)],
        "added": added,
        "refused": dict(refused.most_common()),
        "seconds": round(seconds, 3),
    }


def _text(report: dict[str, object], rules: int, into: str) -> str:
    by_moves, second, refused = report["by_moves"], report["second"], report["refused"]
    added = report["added"]
    assert isinstance(added, int)
    assert isinstance(by_moves, dict)
    assert isinstance(second, list)
    assert isinstance(refused, dict)
    shares = ", ".join(
        f"{proved} of {total} of {counted(moves, 'move')}" for moves, (proved, total) in by_moves.items()
    )
    problems = sum(total for _, total in by_moves.values())
    lines = [
        (
            f"{counted(problems, 'problem')}{_and_known(report)}: {report['proved']} proved with the"
            " attacker first"
        )
        + (f" ({shares})" if shares else "")
        + f", {second[0]} of {second[1]} with the defender first"
    ]
    first = report.get("first_refused", {})
    assert isinstance(first, dict)
    for cause, number in refused.items():
        lines.append(
            f"no rule {counted(number, 'time')}: {cause}{f'; first {first[cause]}' if cause in first else ''}"
        )
    lines.append(
        f"{counted(added, 'rule')} more, {counted(rules, 'rule')} in {into}; {report['seconds']:.1f} s"
    )
    return "\n".join(lines)


def _and_known(report: dict[str, object]) -> str:
    return f" ({report['known']} more were learned from before)" if "known" in report else ""


def part_of(theory: Theory, game: str, domain: Domain) -> Theory:
    """Return the part of a theory that proofs of a game use if the domain allows it, else the theory.

    The part is the file with the `replies` clause of the game, in a user's edited version if there is one.
    Invariants: The theory implies everything that the part states.
    """
    replies = theory.replies_of(game)
    if not domain.proves_by_part or replies is None:
        return theory
    file = Path(replies.span.file).resolve()
    return load(file, adapters=theory.adapters) if file.is_file() else theory
