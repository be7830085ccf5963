"""`hornbook learn` with problems of Go: what is printed while they are learned from, and what at the end."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from hornbook.compiler.learn.lessons import Lesson, Pupil, Taught, without_special_cases
from hornbook.compiler.rules.admission import RuleBase
from hornbook.games.domains import domain_of, must_have_problems
from hornbook.games.parts import part_of
from hornbook.games.saving_lessons import SAVED, Saved, is_about_saving, saving_lessons, saving_pupil
from hornbook.inputs.rule_home import SAID_WHERE_INTERRUPTED, RuleHome, Task
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget
from hornbook.kb.sources.files import read_text
from hornbook.kb.text.lines import lines_of
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import INTERRUPTED
from hornbook.theories.go import tactics
from hornbook.theories.go.problems.files import read_problems
from hornbook.theories.go.problems.lessons import game_of, moves_first, moves_second
from hornbook.theories.go.problems.problem import Problem

SUFFIXES = (".jsonl", ".sgf")
"""What the names of files with problems end in; examples of other theories stand in the language."""
_NONE: Mapping[str, str] = MappingProxyType({})


def are_problems(files: list[Path] | None) -> bool:
    return bool(files) and all(file.suffix in SUFFIXES for file in files or ())


def learn_problems(
    known: Theory, files: list[Path], home: RuleHome, budget: Budget, *, json_output: bool
) -> None:
    """Learns from every problem that is a capture, then from what two eyes save, and keeps the rules.

    Each problem has the whole budget; one that it does not suffice for is not taken for learned from.
    """
    must_have_problems(known)
    domain = domain_of(known)
    base = home.base
    pupil = pupil_of(known, base, budget)
    if domain is None:
        lessons = [lesson for file in files for lesson in lessons_of(read_problems(file), str(file))]
    else:
        lessons = [lesson for file in files for lesson in domain.lessons(file)]
    started = time.perf_counter()
    texts = _texts(files)
    taught, interrupted = teach(pupil, lessons, home, texts)
    known_now, saved, stopped = pupil.base, None, _stopped(taught)
    if not interrupted and is_about_saving(known):
        savers = saving_pupil(known, known_now, budget)
        others = [each for file in files for each in saving_lessons(read_problems(file), str(file))]
        rescued, interrupted = teach(savers, others, home, texts)
        known_now, saved = savers.base, Saved.of(rescued, savers)
        stopped += _stopped(rescued)
    learned = without_special_cases(known_now)
    home.finish(learned)
    seconds = time.perf_counter() - started
    report = report_of(taught, pupil, len(learned) - len(base), seconds)
    known_before = len(lessons) - len(taught) if not interrupted else 0
    if known_before:
        report["known"] = known_before
    if stopped:
        report["stopped"] = dict(stopped.most_common())
    if saved is not None and saved.lessons:
        report["saved"] = saved.as_json()
    if json_output:
        typer.echo(json.dumps({**report, "rules": len(learned)}))
    else:
        typer.echo(_text(report, len(learned), home.name))
        if saved is not None and saved.lessons:
            typer.echo(saved.text())
        for reason, number in stopped.most_common():
            typer.echo(f"{number} stopped: {reason}; --seconds and --memory allow more")
    if interrupted:
        typer.echo(SAID_WHERE_INTERRUPTED, err=True)
        raise typer.Exit(INTERRUPTED)


def _stopped(taught: Iterable[Taught]) -> Counter[str]:
    """How many lessons passed which bound."""
    return Counter(each.stopped for each in taught if each.stopped is not None)


def pupil_of(known: Theory, base: RuleBase, budget: Budget | None = None) -> Pupil:
    """Who learns from problems of a theory, and rests on the rules of a base; each lesson has the whole budget."""
    domain = domain_of(known)
    if domain is not None:
        return Pupil(known, domain.play, base, budget)
    return Pupil(part_of(known, "take"), tactics, base, budget, known)


def lessons_of(problems: Iterable[Problem], file: str) -> list[Lesson]:
    """The problems of a file that are captures, as lessons."""
    found = []
    for problem in problems:
        moves = moves_first(problem)
        if moves is not None:
            second = moves_second(problem)
            found.append(Lesson(problem.id, file, problem.board, game_of(problem), moves, second))
    return found


def teach(
    pupil: Pupil, lessons: list[Lesson], home: RuleHome | None = None, texts: Mapping[str, str] = _NONE
) -> tuple[list[Taught], bool]:
    """What the lessons came to that were not learned from before, and whether learning was interrupted."""
    taught: list[Taught] = []
    tasks = {id(lesson): _task(lesson, texts) for lesson in lessons}
    new = [lesson for lesson in lessons if home is None or not home.knows(tasks[id(lesson)])]
    columns = (
        TextColumn("learning"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[counts]}"),
    )
    with progress(*columns, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=len(new), counts="")
        if home is not None:
            home.start()
        try:
            for each in pupil.learn(new):
                if home is not None and each.stopped is None:
                    home.lesson(tasks[id(each.lesson)], pupil.base, json.dumps(_outcome(each)))
                taught.append(each)
                proved = sum(t.first for t in taught)
                bar.update(task, advance=1, counts=f"{proved} proved, {len(pupil.base)} rules")
        except KeyboardInterrupt:
            return taught, True
    return taught, False


def _texts(files: Iterable[Path]) -> dict[str, str]:
    """The lines of files with a problem a line, by the problem's name."""
    found = {}
    for line in (line for file in files if file.suffix == ".jsonl" for line in lines_of(read_text(file))):
        with suppress(ValueError, TypeError, KeyError, RecursionError):
            found[str(json.loads(line)["id"])] = line
    return found


def _task(lesson: Lesson, texts: Mapping[str, str]) -> Task:
    """A lesson as a store keeps it: the problem's own line, where it has one."""
    content = texts.get(lesson.name.removesuffix(SAVED), repr(lesson.state))
    asked = f"{print_condition(lesson.game)}: {lesson.moves}, {lesson.moves_if_second}"
    return Task(lesson.name, lesson.file, content, asked)


def _outcome(each: Taught) -> dict[str, object]:
    return {"first": each.first, "second": each.second, "rules": each.rules}


def report_of(taught: list[Taught], pupil: Pupil, added: int, seconds: float) -> dict[str, object]:
    """What was learned, in numbers."""
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
        "refused": dict(pupil.refused.most_common()),
        "seconds": round(seconds, 3),
    }


def _text(report: dict[str, object], rules: int, into: str) -> str:
    by_moves, second, refused = report["by_moves"], report["second"], report["refused"]
    assert isinstance(by_moves, dict)
    assert isinstance(second, list)
    assert isinstance(refused, dict)
    shares = ", ".join(
        f"{proved} of {total} of {moves} move{'s' if moves != '1' else ''}"
        for moves, (proved, total) in by_moves.items()
    )
    lines = [
        f"{report['problems']} problems{_and_known(report)}: {report['proved']} proved with the attacker first"
        + (f" ({shares})" if shares else "")
        + f", {second[0]} of {second[1]} with the defender first"
    ]
    lines += [f"no rule {number} times: {cause}" for cause, number in refused.items()]
    lines.append(f"{report['added']} rules more, {rules} rules in {into}; {report['seconds']:.1f} s")
    return "\n".join(lines)


def _and_known(report: dict[str, object]) -> str:
    return f" ({report['known']} more were learned from before)" if "known" in report else ""
