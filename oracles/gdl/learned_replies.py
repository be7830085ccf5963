"""Rules about every reply, learned from positions of a translated game and compared with search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

from hornbook.compiler.checker.checker import verify
from hornbook.compiler.learn.invention import InventionResult
from hornbook.compiler.learn.lessons import Problem
from hornbook.compiler.learn.replies.reply_learner import learn_against_replies
from hornbook.compiler.match.position import RuleMatcher
from hornbook.inputs.domains import domain_of
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import WON, Atom, Constant, GameStatement, Rule
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.game import State
from hornbook.planner.translation.induction.plays import random_states
from hornbook.planner.translation.sheet_domain import SheetDomain
from hornbook.theories import search
from hornbook.theories.problems import ProblemRequest

MOVES = (1, 2)
"""The numbers of moves of the friend that win the lessons and the problems."""
MOST_TRIED = 10_000


@dataclass(frozen=True, slots=True)
class LearnedReplies:
    """What lessons teach.

    Attributes:
        problems: The problems that are no lessons, by the number of moves.
        seconds: Processor time of the learner.
    """

    domain: SheetDomain
    result: InventionResult
    lessons: tuple[Problem, ...]
    problems: dict[int, tuple[Problem, ...]]
    seconds: float

    @property
    def rules(self) -> list[Rule]:
        """Return the rules that answer, without the lemmas."""
        return [entry.rule for entry in self.result.base if not entry.rule.lemma]

    @property
    def conditions(self) -> float:
        """Return the median number of conditions of the rules."""
        return median(len(rule.body) for rule in self.rules) if self.rules else 0

    def verified(self) -> None:
        """Check each certificate. Raise RejectedError if one is wrong."""
        lemmas = self.result.base.lemmas()
        for entry in self.result.base:
            assert entry.certificate is not None
            verify(entry.rule, entry.certificate, self.result.theory, lemmas)


def learned_replies(folder: Path, lessons: int, problems: int, seed: int) -> LearnedReplies:
    """Return what up to `lessons` positions of each number of moves teach.

    If there are fewer positions than lessons and problems, one half are lessons.
    """
    (path,) = folder.glob("*.horn")
    theory = load(path)
    domain = domain_of(theory)
    assert isinstance(domain, SheetDomain)
    taught: list[Problem] = []
    others: dict[int, tuple[Problem, ...]] = {}
    for moves in MOVES:
        found = _problems(domain, path, moves, lessons + problems, seed)
        number = lessons if len(found) >= lessons + problems else (len(found) + 1) // 2
        taught += found[:number]
        others[moves] = found[number:]
    play = domain.play(taught[0].game.predicate)
    assert play is not None
    began = process_time()
    result = learn_against_replies(theory, play, taught)
    return LearnedReplies(domain, result, tuple(taught), others, process_time() - began)


def _problems(domain: SheetDomain, path: Path, moves: int, number: int, seed: int) -> tuple[Problem, ...]:
    """Return problems in different positions where the greatest goal is reached in `moves` moves."""
    found: dict[State, Problem] = {}
    best = Constant(max(domain.sheet.worths))
    for each in domain.make_problems(ProblemRequest(MOST_TRIED, seed, depths=(2 * moves - 1,))):
        if each.game.terms[1] != best:
            continue
        found.setdefault(each.state, Problem(each.id, str(path), each.state, each.game, each.moves))
        if len(found) == number:
            break
    return tuple(found.values())


class Answers:
    """The answers of learned rules in positions."""

    def __init__(self, of: LearnedReplies) -> None:
        play = of.domain.play(of.lessons[0].game.predicate)
        assert play is not None
        self._of, self._play = of, play
        self._matcher = RuleMatcher(of.result.theory, play.focus_predicate)
        for rule in of.rules:
            self._matcher.add(rule)

    def answered(self, problems: Sequence[Problem]) -> int:
        """Return the number of problems with an answer."""
        return sum(bool(self._conclusions(each.state, each.game)) for each in problems)

    def wrong(self, states: Sequence[State]) -> Iterator[object]:
        """Yield the answers that search refutes, for each game of the side to move that is not over."""
        domain = self._of.domain
        for state in states:
            for game in domain.games(state):
                is_open = domain.outcome(state, game) is None
                if is_open and domain.to_move(state) == domain.friend(state, game):
                    for conclusion in self._conclusions(state, game):
                        if not search.is_true(domain, state, conclusion, MOVES[-1]):
                            yield state, conclusion

    def _conclusions(self, state: State, game: Atom) -> list[GameStatement]:
        found = self._matcher.matches(self._play.facts(state, game, None), game, WON)
        return [each.conclusion for each in found]


def states_of_games(domain: SheetDomain, number: int, seed: int) -> list[State]:
    """Return different states of random games."""
    return list(islice(dict.fromkeys(random_states(domain.sheet.game, Random(seed), games=number)), number))
