"""The plans that apply in a state: what learned rules say of the game if the opponent passes each time.

Nothing here is believed of an opponent who replies; whoever looks for moves takes plans as proposals
(Tadepalli 1989, section 3: o-plans are matched, and combined into a plan against the opponent's).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from hornbook.compiler.match.position import Standing
from hornbook.compiler.match.unfolding import Definitions, unfolded
from hornbook.compiler.rules.links import disturbs
from hornbook.kb.ast.declarations import INTEGER_SORT, Predicate, SortName
from hornbook.kb.ast.evaluation_order import in_order
from hornbook.kb.ast.ordering import value_order
from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, match_statement
from hornbook.kb.ast.terms import Atom, Constant, PlanStatement, Rule, statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.kb.explain.proof import premise_facts
from hornbook.kb.parse.syntax import Query
from hornbook.matcher.program.coded import Fact, Limits

_PLANNED = "planned "


@dataclass(frozen=True, slots=True)
class PlanInstance:
    """A plan that applies in a state: if the opponent passes each time, the friend wins the game `goal` within `moves` moves
    of his, the first of which is `action`. `bindings` says what the variables of the rule of that name stand for, in one of
    the ways in which it applies so.
    """

    goal: Atom
    moves: int
    action: Atom
    rule: str
    bindings: Mapping[str, Constant]


class PlanMatcher:
    """The plans among learned rules, matched on one state after another; rules that conclude something else are left out.

    Keep one matcher for many states: only what differs is matched again.
    """

    def __init__(self, theory: Theory, rules: Iterable[Rule], limits: Limits | None = None) -> None:
        self.theory = theory
        self._plans: list[tuple[Rule, PlanStatement]] = []
        for rule in rules:
            if isinstance(rule.head, PlanStatement):
                self._plans.append((rule, rule.head))
        predicates = dict(theory.vocabulary.predicates)
        for _, said in self._plans:
            game, action = predicates[said.game.predicate], predicates[said.by.predicate]
            columns = (SortName(INTEGER_SORT), *game.columns, *action.columns)
            predicates[_planned(said)] = Predicate("derived", _planned(said), columns)
        words = replace(theory.vocabulary, predicates=predicates)
        known = Definitions(theory)
        plain = [
            _telling(place, unfolded(rule, theory, known)) for place, (rule, _) in enumerate(self._plans)
        ]
        self._bodies = [rule.body for rule in plain]
        wanted = {statement.relation for rule in plain for statement in statements(rule.body)}
        # Frames are asked in the state, too.
        wanted |= {
            s.relation for frame in theory.frames for case in frame.cases for s in statements(case[1:])
        }
        needed = [replace(rule, of_given=True) for rule in known.needed(wanted, set())]
        self.base = KnowledgeBase(
            replace(theory, vocabulary=words, rules=()), derivations="one", limits=limits
        )
        add_proved_rules(self.base, [*needed, *plain])
        self._relations = sorted({_planned(said) for _, said in self._plans})
        self._standing = Standing(self.base)

    @property
    def rules(self) -> list[Rule]:
        """The rules that conclude plans."""
        return [rule for rule, _ in self._plans]

    def plans(self, state: Iterable[GroundFact | Part]) -> list[PlanInstance]:
        """The plans that apply in a state, given by its facts before any action: fewest moves first, then by rules in
        their order, then by what they say.

        Raises FactError where a fact does not fit its declaration, KnowledgeBaseError where the facts contradict the
        theory or limits are passed.
        """
        self._standing.at(state)
        facts = (fact for relation in self._relations for fact in self.base.held(relation, "before"))
        return [instance for _, instance in sorted(map(self._instance, facts), key=lambda each: each[0])]

    def premises(self, plan: PlanInstance) -> tuple[GroundFact, ...]:
        """The given facts of the state that was matched last on which one of its plans rests."""
        place = next(i for i, (rule, _) in enumerate(self._plans) if rule.name == plan.rule)
        said = PlanStatement(plan.goal, plan.moves, plan.action)
        told = Atom(_planned(said), (Constant(place), *said.terms), "before")
        reached = {self.base.coded(told): None}
        given: list[Fact] = []
        for fact in iter(todo := list(reached)):
            derivation = self.base.derivation(fact)
            if derivation is None:
                given.append(fact)
                continue
            for premise in derivation.premises:
                new = [below for below in premise_facts(premise) if below not in reached]
                reached.update(dict.fromkeys(new))
                todo += new
        return tuple(map(self.base.ground, given))

    def lacking(self, fact: GroundFact, among: Collection[str]) -> Iterator[PlanStatement]:
        """What plans by some rules would say in the state that was matched last if a given fact were true there too."""
        true = Atom(fact.relation, tuple(map(Constant, fact.values)))
        for (rule, said), body in zip(self._plans, self._bodies, strict=True):
            for condition in body if rule.name in among else ():
                pattern = condition if isinstance(condition, Atom) else None
                bound = None if pattern is None else match_statement(replace(pattern, tense=None), true)
                if bound is None:
                    continue
                rest = [apply_to_condition(each, bound) for each in body if each is not condition]
                answers = self.base.ask(Query(tuple(in_order(rest)), rule.span))
                for row in answers.rows:
                    values = {
                        name: Constant(value) for name, value in zip(answers.variables, row, strict=True)
                    }
                    yield apply_to_statement(apply_to_statement(said, bound), values)

    def disturbed(self, plan: PlanInstance, action: Atom) -> tuple[GroundFact, ...]:
        """The facts of the state that was matched last on which one of its plans rests, and which an action there can change, as
        far as the frames of the theory say.
        """
        return disturbs(self.theory, action, self.premises(plan), self.base)

    def _instance(self, fact: Fact) -> tuple[tuple[object, ...], PlanInstance]:
        """The sort key of a plan that applies, and the plan."""
        place, *values = self.base.ground(fact).values
        assert isinstance(place, int)
        rule, template = self._plans[place]
        said = template.with_terms(tuple(map(Constant, values)))
        derivation = self.base.derivation(fact)
        assert derivation is not None
        bound = self.base.bindings(derivation)
        return (said.moves, place, *map(value_order, values)), PlanInstance(
            said.game, said.moves, said.by, rule.name, bound
        )


def plans(
    rules: Iterable[Rule], theory: Theory, state: Iterable[GroundFact | Part]
) -> tuple[PlanInstance, ...]:
    """The plans among learned rules of a theory that apply in one state; for many states, keep a PlanMatcher."""
    return tuple(PlanMatcher(theory, rules).plans(state))


def _planned(said: PlanStatement) -> str:
    """The predicate of what plans on a game by an action say: no predicate of a theory is called so."""
    return f"{_PLANNED}{said.game.predicate} by {said.by.predicate}"


def _telling(place: int, rule: Rule) -> Rule:
    """The rule, which tells what it says with its place among the plans, as a statement that a knowledge base derives."""
    assert isinstance(rule.head, PlanStatement)
    told = Atom(_planned(rule.head), (Constant(place), *rule.head.terms), None, rule.span)
    return replace(rule, head=told, of_given=True)
