"""Implementation of `hornbook problems demo`: learn from some problems of Go, answer others, and show a few.

The problems are parameters, so that tests can use a handful. The result depends on the problems and the seed.
Only the times depend on the number of processes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random

from hornbook.compiler.learn.lessons import RuleLearner, without_special_cases
from hornbook.compiler.match.position import Conclusion, RuleMatcher
from hornbook.compiler.prove.lines_of_play import lines_of_play
from hornbook.compiler.rules.admission import RuleBase, RuleEntry
from hornbook.compiler.rules.definitions import written_out
from hornbook.games.lessons import learn_lessons, lesson_of, report_of
from hornbook.games.solving import SolvedProblem, solve_all
from hornbook.inputs.theories import load
from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.terms import Constant
from hornbook.kb.ast.theory import Theory
from hornbook.kb.explain.descriptions import Words
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass
from hornbook.terminal.coloured import progress
from hornbook.theories.boards.marks import Mark
from hornbook.theories.go.pictures.marks import marked
from hornbook.theories.go.play import question, tactics
from hornbook.theories.go.problems.answers import answer_line
from hornbook.theories.go.problems.lessons import PART, game_of, lessons_of
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.go.problems.score import CaptureJudgement, judge_all, parse_answers

LEVELS = {"one match": 0, "two levels": 2}
"""The methods of answering problems, each with the number of attacker's moves that it tries."""
SHOWN = 3
"""The number of positions to show, each of another depth."""


@dataclass(frozen=True, slots=True)
class ShownProblem:
    """A problem with the conclusion of one match, the marked points, and the lines that the proof plays."""

    problem: CaptureProblem
    entry: RuleEntry
    conclusion: Conclusion
    marks: tuple[Mark, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The result of a run. `answers` are lines of JSON, by the method that found them."""

    theory: Theory
    base: RuleBase
    learned: Mapping[str, object]
    answers: Mapping[str, Sequence[str]]
    judged: Mapping[str, Sequence[CaptureJudgement]]
    shown: tuple[ShownProblem, ...]
    seconds: Mapping[str, float]

    @property
    def wrong(self) -> list[CaptureJudgement]:
        return [
            each
            for judged in self.judged.values()
            for each in judged
            if "wrong" in (each.attacker_first, each.defender_first)
        ]


def demonstrate(
    learn_from: Sequence[CaptureProblem],
    others: Sequence[CaptureProblem],
    *,
    seed: int,
    workers: int,
    file: str,
    report: Callable[[str], None] = lambda _: None,
) -> Demonstration:
    """Learn, answer, judge, and choose the positions to show.

    `said` is called with a report before each step. Raises KeyboardInterrupt if learning is interrupted.
    """
    started = time.perf_counter()
    report(
        f"learning from {counted(len(learn_from), 'problem')} of Go, to answer"
        f" {counted(len(others), 'other')} ..."
    )
    known = load("go")
    learner = RuleLearner(load(PART), tactics, RuleBase(known.name), whole=known)
    taught, interrupted = learn_lessons(learner, [lesson_of(each, file) for each in lessons_of(learn_from)])
    if interrupted:
        raise KeyboardInterrupt
    base = without_special_cases(learner.base)
    learning = time.perf_counter() - started
    report(f"learned {counted(len(base), 'rule')}; answering {counted(len(others), 'problem')} by them ...")
    answers = _answered(known, base, others, workers)
    by_id = {problem.id: problem for problem in others}
    judged = {
        way: judge_all(others, parse_answers("\n".join(lines), by_id, way)) for way, lines in answers.items()
    }
    chosen = _chosen(next(iter(judged.values())), seed)
    return Demonstration(
        known,
        base,
        report_of(taught, learner.refused, len(base), learning),
        answers,
        judged,
        _shown(known, base, chosen),
        {"learning": learning, "all": time.perf_counter() - started},
    )


def _answered(
    known: Theory, base: RuleBase, problems: Sequence[CaptureProblem], workers: int
) -> dict[str, list[str]]:
    rules = [entry.rule for entry in base if entry.is_certified]
    answers: dict[str, list[str]] = {way: [] for way in LEVELS}
    with progress("solving ", len(problems)) as update_progress:
        found = solve_all(known, rules, problems, list(LEVELS.values()), workers)
        for problem, solved in zip(problems, found, strict=True):
            update_progress(advance=1)
            for way, each in zip(LEVELS, solved, strict=True):
                answers[way].append(_answer(problem, each))
    return answers


def _answer(problem: CaptureProblem, solved: SolvedProblem) -> str:
    first = solved.first
    return answer_line(
        problem,
        move=None if first is None else first.move,
        second_player_win=solved.second is not None,
        rule=None if first is None else first.rule,
    )


def _chosen(judged: Sequence[CaptureJudgement], seed: int) -> list[CaptureJudgement]:
    """Return correct answers, one of each depth, by increasing depth.

    Problems whose correct move decides the game are preferred.
    """
    random = Random(seed)  # noqa: S311 - only selects examples
    right = [each for each in judged if each.attacker_first == "right" and each.problem.depth is not None]
    found = []
    for depth in sorted({each.problem.depth or 0 for each in right})[:SHOWN]:
        of_depth = [each for each in right if each.problem.depth == depth]
        found.append(random.choice([e for e in of_depth if e.problem.value == "GP"] or of_depth))
    return found


def _shown(known: Theory, base: RuleBase, chosen: Sequence[CaptureJudgement]) -> tuple[ShownProblem, ...]:
    theory = base.definitions.extended(known)
    matcher = RuleMatcher(theory, question.focus_predicate)
    for rule in dict.fromkeys(each.answer.rule for each in chosen):
        assert rule is not None
        matcher.add(base.entries[rule].rule)
    found = []
    for each in chosen:
        problem = each.problem
        parts, game = question.parts(problem.board, problem.defender), game_of(problem)
        conclusion = next(c for c in matcher.conclusions(parts, [game]) if _is_answer(c, each))
        entry = base.entries[conclusion.rule]
        body = written_out(entry.rule, theory).body
        met = [apply_to_condition(condition, conclusion.bindings) for condition in body]
        marks = marked(problem.board, game, conclusion.of_game.by, met, Words(known.vocabulary.predicates))
        lines = lines_of_play(base, known, conclusion.rule, conclusion.bindings)
        found.append(ShownProblem(problem, entry, conclusion, tuple(marks), tuple(lines)))
    return tuple(found)


def _is_answer(conclusion: Conclusion, judged: CaptureJudgement) -> bool:
    by = conclusion.of_game.by
    if by is None or conclusion.rule != judged.answer.rule:
        return False
    problem = judged.problem
    point = by.terms[-1]
    assert isinstance(point, Constant)
    return problem.letters(problem.board.point(str(point.value))) == judged.answer.move
