"""The plans that apply in a state: conclusions of learned rules about a game whose opponent always passes.

They imply nothing about an opponent who replies. Move generators use plans as proposals (Tadepalli 1989,
section 3: o-plans are matched, and combined into a plan against the opponent's).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from hornbook.compiler.match.position import IncrementalState
from hornbook.compiler.match.unfolding import RuleDefinitions, unfolded
from hornbook.kb.ast.declarations import INTEGER_SORT, Predicate, SortName
from hornbook.kb.ast.evaluation_order import in_order
from hornbook.kb.ast.ordering import value_order
from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, match_statement
from hornbook.kb.ast.terms import Atom, Constant, PlanStatement, Rule, statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.kb.explain.premises import premise_facts
from hornbook.kb.parse.syntax import Query
from hornbook.matcher.program.coded import Fact, Limits
from hornbook.matcher.program.dataclass import dataclass

_PLANNED = "planned "


@dataclass(frozen=True, slots=True)
class PlanInstance:
    """A plan that applies in a state: the friend wins if the opponent always passes.

    Attributes:
        goal: The game that is won.
        moves: The maximum number of the friend's moves.
        action: The first of these moves.
        rule: The name of the rule.
        bindings: The values of the rule's variables in one of the matches.
    """

    goal: Atom
    moves: int
    action: Atom
    rule: str
    bindings: Mapping[str, Constant]


class PlanMatcher:
    """A matcher for the plans among learned rules in one state after another; other rules are ignored.

    Use one matcher for many states, because only differences are matched again.
    """

    def __init__(self, theory: Theory, rules: Iterable[Rule], limits: Limits | None = None) -> None:
        self.theory = theory
        self._plans: list[tuple[Rule, PlanStatement]] = []
        for rule in rules:
            if isinstance(rule.head, PlanStatement):
                self._plans.append((rule, rule.head))
        predicates = dict(theory.vocabulary.predicates)
        for _, plan in self._plans:
            game, action = predicates[plan.game.predicate], predicates[plan.by.predicate]
            columns = (SortName(INTEGER_SORT), *game.columns, *action.columns)
            predicates[_planned(plan)] = Predicate("derived", _planned(plan), columns)
        words = replace(theory.vocabulary, predicates=predicates)
        known = RuleDefinitions(theory)
        plain = [
            _telling(place, unfolded(rule, theory, known)) for place, (rule, _) in enumerate(self._plans)
        ]
        self._bodies = [rule.body for rule in plain]
        required = {statement.relation for rule in plain for statement in statements(rule.body)}
        # Conditions of frames are evaluated in the state, too.
        required |= {
            s.relation for frame in theory.frames for case in frame.cases for s in statements(case[1:])
        }
        needed = [replace(rule, of_given=True) for rule in known.needed(required, set())]
        self.base = KnowledgeBase(
            replace(theory, vocabulary=words, rules=()), derivations="one", limits=limits
        )
        add_proved_rules(self.base, [*needed, *plain])
        self._relations = sorted({_planned(plan) for _, plan in self._plans})
        self._state = IncrementalState(self.base)

    @property
    def rules(self) -> list[Rule]:
        """Return the rules that conclude plans."""
        return [rule for rule, _ in self._plans]

    def plans(self, state: Iterable[GroundFact | Part]) -> list[PlanInstance]:
        """Return the plans that apply in a state, given by its facts before any action.

        Plans with the fewest moves come first, then the order is that of the rules and of the plans'
        arguments. Raise FactError if a fact does not fit its declaration, and KnowledgeBaseError if the facts
        contradict the theory or a limit is exceeded.
        """
        self._state.at(state)
        facts = (fact for relation in self._relations for fact in self.base.engine.facts(relation, "before"))
        return [instance for _, instance in sorted(map(self._instance, facts), key=lambda each: each[0])]

    def premises(self, plan: PlanInstance) -> tuple[GroundFact, ...]:
        """Return the given facts of the state matched last on which one of its plans depends."""
        place = next(i for i, (rule, _) in enumerate(self._plans) if rule.name == plan.rule)
        statement = PlanStatement(plan.goal, plan.moves, plan.action)
        atom = Atom(_planned(statement), (Constant(place), *statement.terms), "before")
        reached = {self.base.engine.encode(atom): None}
        given: list[Fact] = []
        derivation_of = self.base.engine.derivation
        for fact in iter(todo := list(reached)):
            derivation = derivation_of(fact)
            if derivation is None:
                given.append(fact)
                continue
            for premise in derivation.premises:
                new = [below for below in premise_facts(premise) if below not in reached]
                reached.update(dict.fromkeys(new))
                todo += new
        return tuple(map(self.base.engine.coding.ground, given))

    def lacking(self, fact: GroundFact, among: Collection[str]) -> Iterator[PlanStatement]:
        """Yield the plans by some rules that would apply in the state matched last if the given fact were
        true there.
        """
        true = Atom(fact.relation, tuple(map(Constant, fact.values)))
        for (rule, plan), body in zip(self._plans, self._bodies, strict=True):
            for condition in body if rule.name in among else ():
                pattern = condition if isinstance(condition, Atom) else None
                bound = None if pattern is None else match_statement(replace(pattern, tense=None), true)
                if bound is None:
                    continue
                rest = [apply_to_condition(each, bound) for each in body if each is not condition]
                answers = self.base.engine.query(Query(tuple(in_order(rest)), rule.span))
                for row in answers.rows:
                    values = {
                        name: Constant(value) for name, value in zip(answers.variables, row, strict=True)
                    }
                    yield apply_to_statement(apply_to_statement(plan, bound), values)

    def _instance(self, fact: Fact) -> tuple[tuple[object, ...], PlanInstance]:
        """Return the sort key of a plan that applies, and the plan."""
        place, *values = self.base.engine.coding.ground(fact).values
        assert isinstance(place, int)
        rule, template = self._plans[place]
        statement = template.with_terms(tuple(map(Constant, values)))
        derivation = self.base.engine.derivation(fact)
        assert derivation is not None
        bound = self.base.engine.substitution(derivation)
        return (statement.moves, place, *map(value_order, values)), PlanInstance(
            statement.game, statement.moves, statement.by, rule.name, bound
        )


def plans(
    rules: Iterable[Rule], theory: Theory, state: Iterable[GroundFact | Part]
) -> tuple[PlanInstance, ...]:
    """Return the plans of learned rules that apply in one state; for many states, use a PlanMatcher."""
    return tuple(PlanMatcher(theory, rules).plans(state))


def _planned(plan: PlanStatement) -> str:
    """Return the predicate for plans on a game by an action; no predicate of a theory has its name."""
    return f"{_PLANNED}{plan.game.predicate} by {plan.by.predicate}"


def _telling(place: int, rule: Rule) -> Rule:
    """Return the rule with a derivable statement as its head, which contains its index among the plans."""
    assert isinstance(rule.head, PlanStatement)
    plan_head = Atom(_planned(rule.head), (Constant(place), *rule.head.terms), None, rule.span)
    return replace(rule, head=plan_head, of_given=True)
