"""Why problems stay unanswered in one match, as far as that can be told by trying.

Each capture without an answer is tried twice more. A chain of matches says how many *levels* would have answered
it. And the prover learns from it, on top of the rules that are there; what that comes to is the cause:

- `no rule`: it is proved. No problem that was learned from gave such a rule;
- `theory`: it is not proved, and some position on the way is won that the theory does not derive to be so;
- `reply`: it is not proved, and at some position on the way a reply stays without an answer;
- `words`: it is not proved, and a proof on the way gave no rule that can be asked for or is short enough;
- `depth`: it is not proved, and nothing was refused: some position on the way was beyond what could be begun.

Where several hold the first is the cause. Ko is told beside, since it can go with any of them: the exhaustive search
of the problem met a move that ko forbids.

Each problem is learned from in a process of its own that is thrown away afterwards, so none helps another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from compiler import rulebase
from compiler.answering import STILL_WON, WON, Answerer
from compiler.lessons import Lesson, Pupil
from kb.loader import load
from theories.go import question, tactics
from theories.go.problems import Problem, read_problems
from theories.go.problems.lessons import PART, game_of, moves_first, moves_second
from theories.go.reader import Reading

CAUSES = ("no rule", "theory", "reply", "words", "depth")
_OF_REFUSALS = {
    "the theory does not derive it": "theory",
    "the theory contradicts itself": "theory",
    "a reply has no answer": "reply",
}
"""What refusals of the prover come to; all others say that a proof gave no rule."""
MOST_LEVELS = 3


@dataclass(frozen=True, slots=True)
class Failure:
    """A capture that one match did not answer, and the levels of a chain that do, if so many are enough."""

    id: str
    depth: int
    attacker_first: bool
    levels: int | None
    cause: str
    ko: bool


@dataclass(frozen=True, slots=True)
class Tried:
    """The problems that were tried, of how many that one match does not answer, by side and depth."""

    failures: list[Failure]
    unanswered: list[tuple[bool, int, int]]


class _Inherited:
    """What the process of each problem is born with."""

    pupil: Pupil
    answerer: Answerer


def tried(rules: Path, problems: Path, each: int) -> dict[str, Any]:
    """The causes of the first so many failures of each depth, for either side first, as JSON has them."""
    known = load("go")
    base = rulebase.read(rules, known)
    _Inherited.pupil = Pupil(load(PART), tactics, base)
    _Inherited.answerer = Answerer(known, [entry.rule for entry in base if entry.is_certified], question)
    found = [job for problem in read_problems(problems) for job in unanswered(_Inherited.answerer, problem)]
    counts: Counter[tuple[bool, int]] = Counter()
    chosen = []
    for problem, first in found:
        assert problem.depth is not None
        counts[first, problem.depth] += 1
        if counts[first, problem.depth] <= each:
            chosen.append((problem, first))
    # Born by fork, so that the rules need not be read again.
    with get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        failures = list(pool.imap(_failure, chosen, chunksize=1))
    return asdict(Tried(failures, [(*kind, count) for kind, count in sorted(counts.items())]))


def unanswered(answerer: Answerer, problem: Problem) -> list[tuple[Problem, bool]]:
    """The problem with each side that captures it, or is captured, when it plays first, and no rule says so."""
    game = game_of(problem)
    answerer.forget()
    sides = []
    if problem.depth is not None and answerer.says(problem.board, game, WON) is None:
        sides.append((problem, True))
    if problem.depth_defender_first is not None and answerer.says(problem.board, game, STILL_WON) is None:
        sides.append((problem, False))
    return sides


def _failure(job: tuple[Problem, bool]) -> Failure:
    problem, first = job
    assert problem.depth is not None
    reading = Reading(problem.board, problem.target)
    reading.moves_needed(moves_first(problem) or 0)
    if not first:
        reading.moves_needed(moves_second(problem) or 0, problem.defender)
    levels = levels_needed(_Inherited.answerer, problem, attacker_first=first)
    cause = cause_of(_Inherited.pupil, problem, attacker_first=first)
    return Failure(problem.id, problem.depth, first, levels, cause, reading.bans_met > 0)


def levels_needed(answerer: Answerer, problem: Problem, *, attacker_first: bool) -> int | None:
    """How many levels of a chain answer the problem, if no more than three are needed."""
    ask = answerer.won if attacker_first else answerer.still_won
    answerer.forget()
    game = game_of(problem)
    return next((n for n in range(1, MOST_LEVELS + 1) if ask(problem.board, game, n) is not None), None)


def cause_of(pupil: Pupil, problem: Problem, *, attacker_first: bool) -> str:
    """What learning from a problem comes to. The pupil knows more afterwards."""
    moves, second = moves_first(problem), None if attacker_first else moves_second(problem)
    assert moves is not None
    before = pupil.refused
    lesson = Lesson(problem.id, "", problem.board, game_of(problem), moves, second)
    (taught,) = pupil.learn([lesson])
    if taught.first if attacker_first else taught.second:
        return "no rule"
    refused = {_OF_REFUSALS.get(why, "words") for why in pupil.refused - before}
    return next((cause for cause in CAUSES if cause in refused), "depth")


def in_one_match(failures: Sequence[Mapping[str, Any]]) -> Counter[str]:
    """How many failures have which cause."""
    return Counter(failure["cause"] for failure in failures)


def in_a_chain(failures: Sequence[Mapping[str, Any]], levels: int) -> Counter[str]:
    """The same of a chain; where more levels answer, the cause is `levels`."""
    left = [f for f in failures if f["levels"] is None or f["levels"] > levels]
    return Counter("levels" if f["levels"] is not None else f["cause"] for f in left)
