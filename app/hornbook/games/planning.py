"""Planning in a game of a domain, for commands and programs: plans and rules, settings, and results."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from hornbook.compiler.match.plans import PlanMatcher
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.domains import NoDomainError, the_domain
from hornbook.inputs.opening_store import certified_of
from hornbook.inputs.theories import load
from hornbook.kb.ast.declarations import Import
from hornbook.kb.ast.terms import PlanStatement, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.files import read_text, shown
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.kep.goals import Actor, LearnedGoal, by_name, goals_of
from hornbook.play.kep.kep import KepBounds, Knowledge, Result, plan
from hornbook.play.kep.lines import lines
from hornbook.play.kep.proof import MatchedRules, claims_of
from hornbook.play.kep.relevance import RelevantPlans
from hornbook.theories.domain import Domain, FileState
from hornbook.theories.protocols.missing_member import MissingMemberError, implemented
from hornbook.theories.protocols.optional import Planned
from hornbook.theories.protocols.planning import Planning, Turn

COMPLEXITY = 3
NODES = 20_000
SECONDS = 60.0


class NoPlansError(HornbookError):
    """No rule of a file is certified, so it has no plans, or nothing to prove with."""


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """The settings of planning.

    Attributes:
        player: The player; None is the one to move.
        expectation: The worth that the plans must earn; None is the domain's default.
        complexity: The number of o-plans that may be combined.
        nodes: The largest number of states.
        seconds: The time limit.
    """

    player: str | None = None
    expectation: int | None = None
    complexity: int = COMPLEXITY
    nodes: int = NODES
    seconds: float = SECONDS


class PlanningKnowledge:
    """A domain with planning, with its plans and the rules that decide the leaves of proofs."""

    def __init__(
        self, name: str, domain: Domain, planning: Planning, plans: Path | None, rules: Path | None
    ) -> None:
        self.name, self.domain, self.planning = name, domain, planning
        self.plans, self.claims = plans or planning.plans, rules or planning.claims
        self.goals_theory = load(planning.goals)
        self.plans_there = plans_in(self.plans, self.goals_theory)
        certified = certified_of(self.plans_there.base, self.plans_there.theory)
        self.plan_rules = [rule for rule in certified if isinstance(rule.head, PlanStatement)]
        if not self.plan_rules:
            raise NoPlansError(
                f"{self.plans} has no plan with a certificate: `hornbook rules learn-plans"
                f" {self.goals_theory.name}` learns plans"
            )
        self.claims_theory, learned = _with_rules(load(planning.claims), rules)
        if rules is not None and not learned:
            raise NoPlansError(f"{rules} has no rule with a certificate, so nothing can be proved by it")
        self.rules = [*claims_of(self.claims_theory), *learned]

    @cached_property
    def knowledge(self) -> Knowledge:
        """The input of the planner."""
        there, actor = self.plans_there, Actor(self.planning.side, self.planning.acts)
        matcher = PlanMatcher(there.theory, self.plan_rules)
        plans = RelevantPlans(matcher, there.goals, actor) if there.goals else matcher
        return Knowledge(self.planning.game, plans, self.wins, self.holds)

    @cached_property
    def wins(self) -> MatchedRules:
        """The rules about the winner."""
        return self._rules_about(self.planning.wins)

    @cached_property
    def holds(self) -> MatchedRules:
        """The rules about the player who does not lose."""
        return self._rules_about(self.planning.holds)

    def _rules_about(self, names: tuple[str, ...]) -> MatchedRules:
        focus = self.domain.focus_predicate
        return MatchedRules.of(self.planning.game, self.claims_theory, self.rules, names, focus)

    @property
    def rule_names(self) -> frozenset[str]:
        """The names of the rules that decide the leaves of proofs."""
        return frozenset(rule.name for rule in self.rules)

    @property
    def rules_from(self) -> str:
        """The source of these rules, for messages."""
        theory = f"`{self.claims_theory.name}`"
        return theory if self.claims == self.planning.claims else f"{theory} and {shown(self.claims)}"

    @property
    def rules_named(self) -> str:
        """The source of these rules, for files: the theory, and the name of the file with learned rules."""
        theory = self.claims_theory.name
        return theory if self.claims == self.planning.claims else f"{theory}, {self.claims.name}"

    def players(self, state: Any) -> tuple[str, str]:
        """Return the player to move and the opponent."""
        first = self.planning.game.to_move(state)
        return first, self.planning.game.opponent(first)

    def planned(
        self, situation: FileState, settings: PlanSettings, progress: Callable[[int], None] = lambda _: None
    ) -> PlannedSituation:
        """Return the result of planning. Raises ValueError for an unknown player."""
        player = settings.player or self.players(situation.state)[0]
        expected = self.planning.expectation if settings.expectation is None else settings.expectation
        bounds = KepBounds(settings.nodes, settings.nodes, settings.seconds)
        result = plan(
            self.knowledge, situation.state, player, expected, settings.complexity, bounds, progress
        )
        return PlannedSituation(self, situation, player, expected, result)


@dataclass(frozen=True, slots=True)
class PlannedSituation:
    """The result for one state."""

    known: PlanningKnowledge
    situation: FileState
    player: str
    expectation: int
    result: Result

    @property
    def opponent(self) -> str:
        return self.known.planning.game.opponent(self.player)

    @property
    def action(self) -> GroundFact | None:
        """The player's first move.

        It is None if the position is refuted, the player is not to move, or has no move. If the verdict is
        `won`, the move is proved to win. Otherwise it is the preference of a search and nothing is proved.
        """
        first = self.known.planning.game.to_move(self.situation.state) == self.player
        return self.result.action if first and self.result.verdict != "refuted" else None

    @property
    def move(self) -> str | None:
        """The first move in the notation of the game."""
        action = self.action
        return None if action is None else self.known.domain.write_move(self.situation.state, action)

    @property
    def is_among_the_best(self) -> bool | None:
        """Whether the first move is one that the file lists as best; None without a move or a list."""
        if self.action is None or not self.situation.best:
            return None
        return self.action in self.situation.best

    def lines(self) -> Turn | None:
        """Return the lines of play of a proof or a proposal; None if there is neither."""
        return None if self.result.verdict == "open" else lines(self.known.knowledge, self.result)


def planning_knowledge(
    theory: Theory, plans: Path | None = None, rules: Path | None = None
) -> PlanningKnowledge:
    """Return the plans and rules for planning in a theory's games, from files or those that ship.

    Raises:
        NoDomainError: If no domain describes planning.
        NoPlansError: If a file has no certified rules.
        TheoryError: If a file cannot be read.
    """
    domain = the_domain(theory, "how one plans in its games")
    try:
        planning = implemented(domain, Planned).planning()
    except MissingMemberError as problem:
        raise NoDomainError(str(problem)) from None
    return PlanningKnowledge(theory.name, domain, planning, plans, rules)


@dataclass(frozen=True, slots=True)
class PlansThere:
    """Plans of a file, their theory, and the learned goals of this theory, by name."""

    base: RuleBase
    theory: Theory
    goals: Mapping[str, LearnedGoal]


def plans_in(path: Path, theory: Theory) -> PlansThere:
    """Return the plans of a file for a theory, extended by the file's own theory of learned goals.

    Raises TheoryError if one of the files cannot be read.
    """
    goals_file = goals_path(path)
    imports = (clause.name for clause in parse(read_text(path)).clauses if isinstance(clause, Import))
    known = load(goals_file) if goals_file.stem in imports else theory
    base = rulebase.read(path, known)
    return PlansThere(base, base.definitions.extended(known), by_name(goals_of(known)))


def goals_path(plans: Path) -> Path:
    """Return the file of the theory of goals learned with plans; its name can be imported."""
    name = re.sub(r"\W", "_", plans.stem)
    return plans.with_name(f"{name if name[:1].isalpha() else f'plans_{name}'}_goals.horn")


def _with_rules(theory: Theory, rules: Path | None) -> tuple[Theory, list[Rule]]:
    """Return a theory with the invented predicates of a file of rules, and the certified rules of the file.

    The other rules are reported.
    """
    if rules is None:
        return theory, []
    base = rulebase.read(rules, theory)
    extended = base.definitions.extended(theory)
    return extended, certified_of(base, extended)
