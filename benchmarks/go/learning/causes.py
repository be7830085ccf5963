"""Causes of unanswered problems in one match and in a chain, as far as they can be determined by trying.

The prover learns from a capture without an answer, on top of the existing rules; its result is the cause. If
a chain has no answer, one more level is tried first:

- `levels`: a chain with a level more answers it;
- `no rule`: it is proved. No problem that was learned from gave such a rule;
- `theory`: it is not proved, and some position on the way is won that the theory does not derive to be so;
- `reply`: it is not proved, and at some position on the way a reply stays without an answer;
- `words`: it is not proved, and a proof on the way gave no rule that can be asked for or is short enough;
- `depth`: it is not proved, and nothing was refused: some position on the way was beyond what could be begun.

If several apply, the first is the cause. Ko is reported separately, since it can occur with any of them: the
exhaustive search of the problem met a move that ko forbids.

Each problem is learned from in a separate process that is then discarded, so problems do not help each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from hornbook.compiler.learn.lessons import Problem, RuleLearner
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from hornbook.play.answering.answering import Answerer
from hornbook.play.answering.plays import WithPasses
from hornbook.theories.go.play import chaining, tactics
from hornbook.theories.go.problems import CaptureProblem, read_problems
from hornbook.theories.go.problems.lessons import PART, game_of, moves_first, moves_second
from hornbook.theories.go.reader import CaptureSearch

CAUSES = ("levels", "no rule", "theory", "reply", "words", "depth")
_OF_REFUSALS = {
    "the theory does not derive it": "theory",
    "the theory contradicts itself": "theory",
    "a reply has no answer": "reply",
}
"""Causes of refusals of the prover; all others mean that a proof gave no rule."""


Side = tuple[str, bool]
"""Name of a problem, and whether the attacker plays first."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Capture without an answer in one match, or also (`chained`) in a chain."""

    id: str
    depth: int
    attacker_first: bool
    chained: bool
    cause: str
    ko: bool


@dataclass(frozen=True, slots=True)
class TriedFailures:
    """Tried failures, and the total number: by chained or not, side and depth."""

    failures: list[Failure]
    unanswered: list[tuple[bool, bool, int, int]]


class _Inherited:
    """Data that the process of each problem inherits."""

    learner: RuleLearner
    answerer: Answerer


def tried(
    rules: Path, problems: Path, answers: Sequence[Sequence[Mapping[str, Any]]], levels: int, each: int
) -> dict[str, Any]:
    """Return the causes of the first `each` failures of each depth, for either side first, as JSON.

    The arguments contain the answers in one match, and those in a chain of `levels` levels.
    """
    known = load("go")
    base = rulebase.read(rules, known)
    _Inherited.learner = RuleLearner(load(PART), tactics, base, whole=known)
    _Inherited.answerer = Answerer(
        known, [entry.rule for entry in base if entry.is_certified], WithPasses(chaining)
    )
    named = {problem.id: problem for problem in read_problems(problems)}
    counts: Counter[tuple[bool, bool, int]] = Counter()
    chosen = []
    for chained, some in enumerate(answers):
        for name, first in unanswered(named, some):
            depth = named[name].depth
            assert depth is not None
            counts[bool(chained), first, depth] += 1
            if counts[bool(chained), first, depth] <= each:
                chosen.append((named[name], first, levels + 1 if chained else 0))
    # Forked, so that the rules need not be read again.
    with get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        failures = list(pool.imap(_failure, chosen, chunksize=1))
    return asdict(TriedFailures(failures, [(*kind, count) for kind, count in sorted(counts.items())]))


def unanswered(problems: Mapping[str, CaptureProblem], answers: Sequence[Mapping[str, Any]]) -> list[Side]:
    """Return the captures without an answer, with the attacker first and with the defender first."""
    found = []
    for answer in answers:
        problem = problems[answer["id"]]
        if problem.depth is not None and not answer["value"].startswith("G"):
            found.append((problem.id, True))
        if problem.depth_defender_first is not None and answer["value"] != "GG":
            found.append((problem.id, False))
    return found


def _failure(job: tuple[CaptureProblem, bool, int]) -> Failure:
    problem, first, levels = job
    assert problem.depth is not None
    reading = CaptureSearch(problem.board, problem.target)
    reading.moves_needed(moves_first(problem) or 0)
    if not first:
        reading.moves_needed(moves_second(problem) or 0, problem.defender)
    ask = _Inherited.answerer.won if first else _Inherited.answerer.second_player_win
    if levels and ask(problem.board, game_of(problem), levels) is not None:
        cause = "levels"
    else:
        cause = cause_of(_Inherited.learner, problem, attacker_first=first)
    return Failure(problem.id, problem.depth, first, levels > 0, cause, reading.bans_met > 0)


def cause_of(learner: RuleLearner, problem: CaptureProblem, *, attacker_first: bool) -> str:
    """Return the cause from learning from a problem, which extends the learner's knowledge."""
    moves, second = moves_first(problem), None if attacker_first else moves_second(problem)
    assert moves is not None
    before = learner.refused
    lesson = Problem(problem.id, "", problem.board, game_of(problem), moves, second)
    (taught,) = learner.learn([lesson])
    if taught.first if attacker_first else taught.second:
        return "no rule"
    refused = {_OF_REFUSALS.get(why, "words") for why in learner.refused - before}
    return next((cause for cause in CAUSES if cause in refused), "depth")
