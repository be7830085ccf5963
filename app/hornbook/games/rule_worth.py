"""What each learned rule is worth on some problems: what its answers save, and what it costs to match it on all.

The worth of a rule is what Minton (1988) calls its utility: savings × frequency − match cost, in seconds for each
problem. A rule saves the time in which the domain's own search comes to a winning move. It is counted where it is
the reason for an answer, so a rule that answers only where an earlier one does saves nothing.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from hornbook.games.match_costs import Costs, costs_on_problems
from hornbook.games.solving import Solved, Solver
from hornbook.kb.ast.terms import GameStatement, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.coded import Limits
from hornbook.theories.domain import Domain
from hornbook.theories.problems import DEEPEST, Asked


@dataclass(frozen=True, slots=True)
class RuleWorth:
    """One rule on problems: seconds that it costs for each, of how many it says something, of how many it is the reason
    for an answer, and the mean seconds that such an answer saves: None where it gave none, or nobody searches.
    """

    rule: str
    match_seconds: float
    says: int
    answers: int
    saved_seconds: float | None
    problems: int

    @property
    def worth(self) -> float | None:
        """Seconds for each problem; None where what the rule saves is not known."""
        if self.answers and self.saved_seconds is None:
            return None
        saved = (self.saved_seconds or 0.0) * self.answers / max(self.problems, 1)
        return saved - self.match_seconds

    @property
    def is_too_dear(self) -> bool:
        """Whether it costs more than it saves."""
        return self.worth is not None and self.worth < 0


@dataclass(frozen=True, slots=True)
class Worths:
    """What rules are worth on so many problems, those worth least first, and then those of which that is not known."""

    costs: Costs
    problems: int
    answered: int
    """Problems that some rule answers."""
    rules: tuple[RuleWorth, ...]
    needing: int
    """Answered problems of which only rules that cost more than they save say anything."""

    @property
    def dear(self) -> list[RuleWorth]:
        """The rules that cost more than they save."""
        return [each for each in self.rules if each.is_too_dear]

    @property
    def match_seconds(self) -> float:
        """What matching all rules takes for a problem."""
        return sum(each.match_seconds for each in self.rules)


def worths(
    theory: Theory, rules: Sequence[Rule], problems: Sequence[Any], limits: Limits | None = None
) -> Worths:
    """What rules are worth on problems of the theory's domain, each asked alone, without chains, within these limits."""
    solver = Solver(theory, rules, Budget.of(limits))
    domain = solver.domain
    costs = costs_on_problems(solver, rules, problems)
    concluded = {rule.head.game.predicate for rule in rules if isinstance(rule.head, GameStatement)}
    says: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    saved: defaultdict[str, list[float | None]] = defaultdict(list)
    saying: list[frozenset[str]] = []
    for number, problem in enumerate(problems):
        solved, asked = solver.solve(problem), domain.asked(problem)
        names = _saying(solver, domain, asked, concluded)
        says.update(names)
        if not solved.reasons:
            continue
        saying.append(names)
        if number == 0 or not answers:
            _searched(domain, asked, solved)  # what is loaded or made once is nobody's saving
        seconds = _searched(domain, asked, solved)
        for name in {won.rule for won in solved.reasons}:
            answers[name] += 1
            saved[name].append(seconds)
    each_problem = costs.states / max(len(problems), 1)
    told = [
        RuleWorth(
            rule.name,
            costs.seconds.get(rule.name, 0.0) * each_problem,
            says[rule.name],
            answers[rule.name],
            _mean(saved[rule.name]),
            len(problems),
        )
        for rule in rules
    ]
    told.sort(key=lambda each: (each.worth is None, each.worth or 0.0, -each.match_seconds))
    dear = {each.rule for each in told if each.is_too_dear}
    needing = sum(names <= dear for names in saying)
    return Worths(costs, len(problems), len(saying), tuple(told), needing)


def _saying(solver: Solver, domain: Domain, asked: Asked, concluded: AbstractSet[str]) -> frozenset[str]:
    """The rules that say something of what a problem asks; `concluded` are the games that rules speak of."""
    question = domain.question(asked.state, asked.game)
    against = asked.against
    games = [*question.games, *([against] if against is not None and against.predicate in concluded else [])]
    return frozenset(rule for rule, _ in solver.matcher.said(question.parts, games))


def _searched(domain: Domain, asked: Asked, solved: Solved) -> float | None:
    """The processor seconds that the domain's search takes until it comes to a winning move, of so many moves as
    problems have at most; None where nobody plays the game.
    """
    won = asked.game if solved.first or solved.second or asked.against is None else asked.against
    play = domain.play(won.predicate)
    if play is None:
        return None
    began = time.process_time()
    for moves in range(1, DEEPEST + 1):
        if next(iter(play.attempts(asked.state, won, moves)), None) is not None:
            break
    return time.process_time() - began


def _mean(seconds: Sequence[float | None]) -> float | None:
    known = [each for each in seconds if each is not None]
    return sum(known) / len(known) if known else None
