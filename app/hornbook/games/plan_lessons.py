"""Plans learned from problems: positions with a line of play, given or generated, and the printed report.

A line is explained if planning does not reach its worth. Only proved plans are learned.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path

from hornbook.compiler.learn.driver import RuleAdmission, drive
from hornbook.compiler.maintain.renewal import renew_rules
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.verification import with_verdicts
from hornbook.games.lessons import announced
from hornbook.games.planning import COMPLEXITY, PlanningKnowledge, goals_path, plans_in
from hornbook.inputs.rule_destination import INTERRUPTED_MESSAGE
from hornbook.kb.format.formatter import format_text
from hornbook.kb.lower.budget import Budget
from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import require_writable, write_texts
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.kep.goals import Actor, theory_text
from hornbook.play.kep.lessons import PlanLearner, PlanLearningSetting
from hornbook.play.kep.problems import Came, PlanProblem, PlanProblemStrategy
from hornbook.play.kep.replies import proofs
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import INTERRUPTED, ReportedError
from hornbook.terminal.messages import print_json, print_line, warn
from hornbook.terminal.termination import termination_interrupts

PLANNED, ANSWERED = 200, 200
"""The limits on states, of the planner's tree for a problem and of the proof that finds the answered
replies.
"""
GOALS_HEAD = (
    "% Goals that plans were learned for, which are worth nothing by themselves; written anew"
    " with the plans.\n"
)


@dataclass(slots=True)
class PlanLearningReport:
    """The outcomes of the problems."""

    came: Counter[Came] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


def learn_plans_from(
    known: PlanningKnowledge, files: Sequence[Path], into: Path, budget: Budget, *, json_output: bool
) -> None:
    """Learn plans and goals from the problems of files, and write them.

    Each problem has the whole budget. After an interruption the plans learned so far are written. The exit
    code is 1 if a problem has no line or was stopped.

    Raises:
        TheoryError: If a file has mistakes, or the existing file does not have plans of the game.
    """
    require_writable(into)
    problems = [
        PlanProblem(each.name, str(file), each.state, each.line or each.best[:1])
        for file in files
        for each in known.domain.situations(file)
    ]
    before = _existing_learner(known, into, budget)
    strategy = PlanProblemStrategy(
        before, known.wins, known.holds, known.planning.expectation, COMPLEXITY, PLANNED, budget
    )
    report, interrupted = PlanLearningReport(), False
    started = time.perf_counter()
    with termination_interrupts(), progress("learning", len(problems), lines=True) as update_progress:
        try:
            tasks = announced(problems, update_progress)
            for step in drive(strategy, tasks, RuleAdmission(before.theory, before.base)):
                report.came[step.outcome.came] += 1
                report.notes += filter(None, [step.outcome.note])
                update_progress(advance=1, remark=_counts(strategy.learner, before))
        except KeyboardInterrupt:
            interrupted = True
        learner = _write(strategy.learner, into)
    seconds = time.perf_counter() - started
    if json_output:
        print_json(_as_json(report, learner, before, seconds))
    else:
        for line in [*report.notes, *_text(report, learner, before, into, seconds)]:
            print_line(line)
    if interrupted:
        warn(INTERRUPTED_MESSAGE)
        raise ReportedError(INTERRUPTED)
    if not problems:
        warn("nothing was learned: the files have no problem")
    if not problems or report.came["no_line"] or report.came["stopped"]:
        raise ReportedError(1)


def _existing_learner(known: PlanningKnowledge, into: Path, budget: Budget) -> PlanLearner:
    """Return a learner with the existing plans and goals."""
    planning, place = known.planning, goals_path(into)
    setting = PlanLearningSetting(
        planning.game,
        known.goals_theory,
        lambda state: list(known.domain.facts(state)),
        Actor(planning.side, planning.acts),
        proofs(known.wins, known.holds, ANSWERED),
        goals=place,
        limits=budget.limits,
    )
    for file in (into, place):
        rulebase.must_import(file, known.goals_theory)
    if not into.exists():
        return PlanLearner.new(setting)
    there = plans_in(into, known.goals_theory)
    return PlanLearner(setting, there.base, there.theory, there.goals)


def _write(learner: PlanLearner, into: Path) -> PlanLearner:
    """Write the plans, their proofs and the goals, all or none.

    Certificates are for the theory with all goals. They are replayed here once, so that readers find a cached
    verdict.
    """
    given = learner.setting.theory
    base = renew_rules(replace(learner.base, theory=learner.theory.name), learner.theory, {}).base
    files = rulebase.written(base, into)
    if learner.goals:
        place = goals_path(into)
        text = theory_text(given, learner.goals.values(), learner.setting.actor, place.stem)
        files = [(path, _importing(text, given.name, base.theory)) for path, text in files]
        files.insert(0, (place, format_text(GOALS_HEAD + text)))
    write_texts(files)
    with_verdicts(base, learner.theory)
    return replace(learner, base=base)


def _importing(text: str, before: str, now: str) -> str:
    """Return the text of plans with the import of the theory replaced by the theory of goals."""
    return text.replace(f"import {before}.\n", f"import {now}.\n", 1)


def _counts(learner: PlanLearner, before: PlanLearner) -> str:
    plans, goals = len(learner.base) - len(before.base), len(learner.goals) - len(before.goals)
    return f"{counted(plans, 'plan')} and {counted(goals, 'goal')} learned"


def _text(
    report: PlanLearningReport, learner: PlanLearner, before: PlanLearner, into: Path, seconds: float
) -> list[str]:
    came, number = report.came, report.came.total()
    return [
        (
            f"{counted(number, 'problem')}: {came['learned']} taught something, {came['nothing']}"
            " nothing that is new,"
            f" {came['planned']} are planned as their lines go, {came['no_line']} without a line,"
            f" {came['stopped']} stopped"
        ),
        (
            f"{_counts(learner, before)}; {counted(len(learner.base), 'plan')} and"
            f" {counted(len(learner.goals), 'goal')} in {shown(into)};"
            f" {seconds:.1f} s"
        ),
    ]


def _as_json(
    report: PlanLearningReport, learner: PlanLearner, before: PlanLearner, seconds: float
) -> dict[str, object]:
    came = {name: report.came[name] for name in ("learned", "nothing", "planned", "no_line", "stopped")}
    return {
        "problems": report.came.total(),
        **came,
        "plans": len(learner.base) - len(before.base),
        "goals": len(learner.goals) - len(before.goals),
        "rules": len(learner.base),
        "seconds": round(seconds, 3),
        "notes": report.notes,
    }
