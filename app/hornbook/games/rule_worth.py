"""Worth of each learned rule on some problems or states: the savings of its answers minus its match cost.

Source: Minton (1988) calls this utility: savings × frequency − match cost, in seconds per problem. A rule
saves the time that the domain's own search needs to find a winning move. It saves this only if it is
credited with an answer (compiler/match/utility.py): of several rules that give it, one is.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.match.utility import credited, useless
from hornbook.games.match_costs import Costs, costs_on_queries
from hornbook.games.solving import ProblemSolver
from hornbook.inputs.domains import the_domain
from hornbook.kb.ast.terms import Atom, GameStatement, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.domain import Domain, RuleQuery
from hornbook.theories.problems import DEEPEST

Given = tuple[int, GameStatement]
"""An answer: the number of a query, and the conclusion."""


@dataclass(frozen=True, slots=True)
class RuleWorth:
    """The worth of one rule on problems.

    Attributes:
        match_seconds: The cost of the rule per problem.
        says: The number of problems about which the rule concludes something.
        answers: The number of problems for which the rule is credited with an answer.
        saved_seconds: The mean time that such an answer saves; None without answers or without a search.
        tried: How often one of its conditions is tried per problem, as if the rule were matched alone.
    """

    rule: str
    match_seconds: float
    says: int
    answers: int
    saved_seconds: float | None
    problems: int
    tried: float = 0.0

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
    queries: Sequence[Sequence[RuleQuery]] = ()
    """The queries about each problem."""
    given: frozenset[Given] = frozenset()
    """The answers of all rules."""
    useless: tuple[str, ...] = ()
    """The rules without which the others give the same answers."""

    @property
    def dear(self) -> list[RuleWorth]:
        """The rules that cost more than they save."""
        return [each for each in self.rules if each.is_too_dear]

    def worth_of(self, name: str) -> float | None:
        """Return the worth of the rule with a name."""
        return next(each.worth for each in self.rules if each.rule == name)

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
    concluded = {
        rule.name: rule.head.game.predicate for rule in rules if isinstance(rule.head, GameStatement)
    }
    saved: list[float | None] = []
    queries: list[list[RuleQuery]] = []
    for problem in problems:
        solved, query = solver.solve(problem), domain.query_of(problem)
        question = domain.question(query.state, query.game)
        also = [game for game in query.against if game.predicate in concluded.values()]
        opposing = [domain.question(query.state, game) for game in also]
        queries.append([question, *opposing])
        won = {concluded.get(each.rule) for each in solved.reasons}
        searched = next((game for game in (query.game, *also) if game.predicate in won), query.game)
        if searched.predicate not in domain.lasting:
            searched = query.game  # only games that last are searched for themselves
        if solved.reasons and not any(each is not None for each in saved):
            _search_seconds(domain, query.state, searched)  # warm up, since loading and caching is no saving
        saved.append(_search_seconds(domain, query.state, searched) if solved.reasons else None)
    return _worths(solver.matcher, rules, queries, saved)


def worths_in_states(
    theory: Theory, rules: Sequence[Rule], states: Sequence[Any], limits: Limits | None = None
) -> Worths:
    """Return the worth of rules in states of the theory's domain, all of whose games are queried.

    What an answer saves is not known, because no search looks for it.
    """
    domain = the_domain(theory, "what its games are")
    matcher = _matcher(theory, rules, limits)
    queries = [list(domain.questions(state, theory)) for state in states]
    return _worths(matcher, rules, queries, [None] * len(states))


def lost_without(theory: Theory, rules: Sequence[Rule], found: Worths) -> frozenset[Given]:
    """Return the answers that are lost without the useless rules, by matching the other rules alone."""
    others = [rule for rule in rules if rule.name not in found.useless]
    left = answers_in(_matcher(theory, others), found.queries)
    return found.given.difference(*left.values())


def _matcher(theory: Theory, rules: Sequence[Rule], limits: Limits | None = None) -> RuleMatcher:
    matcher = RuleMatcher(theory, the_domain(theory, "what its games are").focus_predicate, limits)
    for rule in rules:
        matcher.add(rule)
    return matcher


def answers_in(matcher: RuleMatcher, queries: Sequence[Sequence[RuleQuery]]) -> dict[str, set[Given]]:
    """Return the answers of each rule that gives one. An answer has the number of the state's queries."""
    found: defaultdict[str, set[Given]] = defaultdict(set)
    for number, of_state in enumerate(queries):
        for each in of_state:
            for name, statement in matcher.ordered_statements(each.parts, each.games):
                found[name].add((number, statement))
    return dict(found)


def _worths(
    matcher: RuleMatcher,
    rules: Sequence[Rule],
    queries: Sequence[Sequence[RuleQuery]],
    saved: Sequence[float | None],
) -> Worths:
    """Return the worth of the rules of a matcher, given the seconds that an answer to each problem saves."""
    costs = costs_on_queries(matcher, rules, [each for of_state in queries for each in of_state])
    in_order = answers_in(matcher, queries)
    answers: dict[str, Collection[Given]] = {rule.name: in_order.get(rule.name, ()) for rule in rules}
    credit: defaultdict[str, set[int]] = defaultdict(set)
    for (number, _), name in credited(answers).items():
        credit[name].add(number)
    each_state = costs.states / max(len(queries), 1)
    found = [
        RuleWorth(
            rule.name,
            costs.seconds.get(rule.name, 0.0) * each_state,
            len({number for number, _ in answers[rule.name]}),
            len(credit[rule.name]),
            _mean([saved[number] for number in credit[rule.name]]),
            len(queries),
            costs.tried.get(rule.name, 0.0) * each_state,
        )
        for rule in rules
    ]
    found.sort(key=lambda each: (each.worth is None, each.worth or 0.0, -each.match_seconds))
    dear = {each.rule for each in found if each.is_too_dear}
    saying: defaultdict[int, set[str]] = defaultdict(set)
    for name, given in answers.items():
        for number, _ in given:
            saying[number].add(name)
    return Worths(
        costs,
        len(queries),
        len(saying),
        tuple(found),
        sum(names <= dear for names in saying.values()),
        queries,
        frozenset(answer for given in answers.values() for answer in given),
        tuple(useless(answers, rules)),
    )


def _search_seconds(domain: Domain, state: Any, game: Atom) -> float | None:
    """Return the processor seconds that the domain's search needs to find a winning move.

    The search is limited to the depth of the hardest problems. The result is None if no player model exists
    for the game.
    """
    play = domain.play(game.predicate)
    if play is None:
        return None
    began = time.process_time()
    for moves in range(1, DEEPEST + 1):
        if next(iter(play.attempts(state, game, moves)), None) is not None:
            break
    return time.process_time() - began


def _mean(seconds: Sequence[float | None]) -> float | None:
    known = [each for each in seconds if each is not None]
    return sum(known) / len(known) if known else None
