"""Worth of each learned rule on some problems: the savings of its answers minus its match cost.

Source: Minton (1988) calls this utility: savings × frequency − match cost, in seconds per problem. A rule
saves the time that the domain's own search needs to find a winning move. It saves this only if it is the
reason for an answer. A rule that answers only problems which an earlier rule answers saves nothing.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from hornbook.games.match_costs import Costs, costs_on_problems
from hornbook.games.solving import ProblemSolver, SolvedProblem
from hornbook.kb.ast.terms import GameStatement, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.domain import Domain
from hornbook.theories.problems import DEEPEST, ProblemQuery


@dataclass(frozen=True, slots=True)
class RuleWorth:
    """The worth of one rule on problems.

    Attributes:
        match_seconds: The cost of the rule per problem.
        says: The number of problems about which the rule concludes something.
        answers: The number of problems for which the rule is the reason for an answer.
        saved_seconds: The mean time that such an answer saves; None without answers or without a search.
    """

    rule: str
    match_seconds: float
    says: int
    answers: int
    saved_seconds: float | None
    problems: int

    @property
    def worth(self) -> float | None:
        """The worth in seconds per problem; None if the savings are unknown."""
        if self.answers and self.saved_seconds is None:
            return None
        saved = (self.saved_seconds or 0.0) * self.answers / max(self.problems, 1)
        return saved - self.match_seconds

    @property
    def is_too_dear(self) -> bool:
        """Whether the rule costs more than it saves."""
        return self.worth is not None and self.worth < 0


@dataclass(frozen=True, slots=True)
class Worths:
    """The worth of rules, the lowest first, and unknown worth last."""

    costs: Costs
    problems: int
    answered: int
    """The number of problems that some rule answers."""
    rules: tuple[RuleWorth, ...]
    needing: int
    """The number of answered problems about which only rules of negative worth conclude something."""

    @property
    def dear(self) -> list[RuleWorth]:
        """The rules that cost more than they save."""
        return [each for each in self.rules if each.is_too_dear]

    @property
    def match_seconds(self) -> float:
        """The seconds for matching all rules on a problem."""
        return sum(each.match_seconds for each in self.rules)


def rule_worths(
    theory: Theory, rules: Sequence[Rule], problems: Sequence[Any], limits: Limits | None = None
) -> Worths:
    """Return the worth of rules on problems of the theory's domain, each matched alone, without chains."""
    solver = ProblemSolver(theory, rules, Budget.of(limits))
    domain = solver.domain
    costs = costs_on_problems(solver, rules, problems)
    concluded = {rule.head.game.predicate for rule in rules if isinstance(rule.head, GameStatement)}
    says: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    saved: defaultdict[str, list[float | None]] = defaultdict(list)
    saying: list[frozenset[str]] = []
    for number, problem in enumerate(problems):
        solved, query = solver.solve(problem), domain.query_of(problem)
        names = _concluding(solver, domain, query, concluded)
        says.update(names)
        if not solved.reasons:
            continue
        saying.append(names)
        if number == 0 or not answers:
            _search_seconds(domain, query, solved)  # warm up, since loading and caching is no saving
        seconds = _search_seconds(domain, query, solved)
        for name in {won.rule for won in solved.reasons}:
            answers[name] += 1
            saved[name].append(seconds)
    each_problem = costs.states / max(len(problems), 1)
    found = [
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
    found.sort(key=lambda each: (each.worth is None, each.worth or 0.0, -each.match_seconds))
    dear = {each.rule for each in found if each.is_too_dear}
    needing = sum(names <= dear for names in saying)
    return Worths(costs, len(problems), len(saying), tuple(found), needing)


def _concluding(
    solver: ProblemSolver, domain: Domain, query: ProblemQuery, concluded: AbstractSet[str]
) -> frozenset[str]:
    """Return the rules that conclude something about a problem.

    `concluded` are the games of the rules' heads.
    """
    question = domain.question(query.state, query.game)
    against = query.against
    games = [*question.games, *([against] if against is not None and against.predicate in concluded else [])]
    return frozenset(rule for rule, _ in solver.matcher.statements(question.parts, games))


def _search_seconds(domain: Domain, query: ProblemQuery, solved: SolvedProblem) -> float | None:
    """Return the processor seconds that the domain's search needs to find a winning move.

    The search is limited to the depth of the hardest problems. The result is None if no player model exists
    for the game.
    """
    won = query.game if solved.first or solved.second or query.against is None else query.against
    play = domain.play(won.predicate)
    if play is None:
        return None
    began = time.process_time()
    for moves in range(1, DEEPEST + 1):
        if next(iter(play.attempts(query.state, won, moves)), None) is not None:
            break
    return time.process_time() - began


def _mean(seconds: Sequence[float | None]) -> float | None:
    known = [each for each in seconds if each is not None]
    return sum(known) / len(known) if known else None
