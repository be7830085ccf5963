"""The search for a shortest sequence of actions after which a query has an answer.

Breadth-first search over the states after actions (kb/base/changes/succession.py). All actions of a state are
tried. The states are evaluated in blocks. A state with the same facts as an earlier one is not tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from hornbook.kb.ast.terms import Tense
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.changes.possible_actions import (
    MOST_ACTIONS,
    ActionForm,
    actions_among,
    constants_in,
    given_relations,
)
from hornbook.kb.base.changes.succession import fluents_of, passing
from hornbook.kb.base.fact_states import EvaluatedState, FactStates
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import Query
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass

BLOCK = 1_000
"""The maximum number of states, or of states with actions, that are evaluated together."""

_State = frozenset[GroundFact]


class TooManyActionsError(KnowledgeBaseError):
    """A state has too many actions to try."""


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The result of a search.

    - `actions`: A shortest sequence of actions after which the query has an answer, or None.
    - `states`: The number of different states whose actions were tried.
    - `tried`: The number of actions that were tried in them.
    - `is_exhausted`: Whether there is no further state, so that no longer sequence reaches the goal either.
    """

    actions: tuple[GroundFact, ...] | None
    states: int
    tried: int
    is_exhausted: bool


@dataclass(frozen=True, slots=True)
class _Node:
    """A state, and the sequence of actions that leads to it."""

    state: _State
    actions: tuple[GroundFact, ...]


def shortest_sequence(
    base: KnowledgeBase,
    goal: Sequence[Query],
    forms: Sequence[ActionForm],
    most: int,
    budget: Budget,
    with_action: Callable[[GroundFact], Iterable[GroundFact]] = lambda action: (action,),
    update_progress: Callable[[int], None] = lambda _: None,
) -> SearchOutcome:
    """Search for a shortest sequence of at most `most` actions after which any of the queries has an answer.

    Args:
        base: The knowledge base with the state at the beginning. An action given there is not taken.
        goal: The queries. They are about the last action and the states around it.
        forms: The forms of the actions to try.
        most: The maximum number of actions.
        budget: The bounds of the search. Its limits apply to each state too.
        with_action: Returns the facts that are given with an action.
        update_progress: Called with the number of states in each block before its evaluation.

    Raises:
        SpentError: A bound of the budget was exceeded.
        TooManyActionsError: A state has too many actions to try.
    """
    search = _Search(base, goal, forms, budget, with_action, update_progress)
    return search.run(most)


class _Search:
    def __init__(
        self,
        base: KnowledgeBase,
        goal: Sequence[Query],
        forms: Sequence[ActionForm],
        budget: Budget,
        with_action: Callable[[GroundFact], Iterable[GroundFact]],
        update_progress: Callable[[int], None],
    ) -> None:
        self._forms, self._budget, self._with_action = forms, budget, with_action
        self._update_progress = update_progress
        self._states = self._tried = 0
        self._vocabulary, self._coding = base.theory.vocabulary, base.engine.coding
        self._fluents = fluents_of(self._vocabulary)
        given = base.given()
        ends = set(passing(base, given))
        lasting = [fact for fact in given if fact not in ends]
        self._start = frozenset(
            GroundFact(fact.relation, fact.values) for fact in ends if fact.relation in set(self._fluents)
        )
        facts = tuple(self._coding.statement(base.engine.encode(fact)) for fact in lasting)
        # Learned rules are rules like others here: the statics of the state are facts of the theory.
        rules = tuple(replace(rule, learned=False) if rule.learned else rule for rule in base.rules)
        theory = replace(base.theory, rules=rules, facts=facts)
        queries = [query.conditions for query in goal]
        after: list[tuple[str, Tense | None]] = [(name, "after") for name in self._fluents]
        self._around = FactStates(theory, after, queries, budget.limits)
        self._before = FactStates(theory, given_relations(self._coding), (), budget.limits)
        self._queries = range(len(queries))

    def run(self, most: int) -> SearchOutcome:
        """Examine the states after 0, 1, 2, … actions."""
        seen, level = {self._start}, [_Node(self._start, ())]
        for _ in range(most):
            self._states += len(level)
            following: list[_Node] = []
            for node, action, found in self._steps(level):
                self._tried += 1
                after = frozenset() if found is None else self._facts_after(found)
                if found is None or not after:
                    continue  # the action is impossible
                sequence = (*node.actions, action)
                if any(found.answers(query) for query in self._queries):
                    return SearchOutcome(sequence, self._states, self._tried, is_exhausted=False)
                if after not in seen:
                    seen.add(after)
                    following.append(_Node(after, sequence))
            level = following
            if not level:
                break
        return SearchOutcome(None, self._states, self._tried, is_exhausted=not level)

    def _steps(self, nodes: Sequence[_Node]) -> Iterator[tuple[_Node, GroundFact, EvaluatedState | None]]:
        """Yield each action of each state with the results around it, or None for a contradiction."""
        steps = self._actions(nodes)
        while block := list(islice(steps, BLOCK)):
            given = [[*node.state, *self._with_action(action)] for node, action in block]
            found = self._evaluated(self._around, given)
            yield from ((node, action, each) for (node, action), each in zip(block, found, strict=True))

    def _actions(self, nodes: Sequence[_Node]) -> Iterator[tuple[_Node, GroundFact]]:
        """Yield each state with each action to try in it."""
        for start in range(0, len(nodes), BLOCK):
            block = nodes[start : start + BLOCK]
            found = self._evaluated(self._before, [[*node.state] for node in block])
            for node, state in zip(block, found, strict=True):
                if state is None:
                    continue
                constants = constants_in(self._coding, self._vocabulary, state.values)
                actions = actions_among(self._forms, constants)
                if actions is None:
                    raise TooManyActionsError(f"there are more than {MOST_ACTIONS:,} actions to try")
                yield from ((node, action) for action in actions)

    def _evaluated(
        self, states: FactStates, given: Sequence[Sequence[GroundFact]]
    ) -> list[EvaluatedState | None]:
        """Evaluate a block within the budget."""
        try:
            self._budget.spend(len(given))
            self._update_progress(len(given))
            with self._budget.bounding():
                return states.valid(given, within_limits=True)
        except SpentError as problem:
            tried = f"{counted(self._states, 'state')} and {counted(self._tried, 'action')}"
            raise SpentError(f"no sequence was found in {tried}: {problem}", problem.bound) from problem

    def _facts_after(self, found: EvaluatedState) -> _State:
        return frozenset(
            GroundFact(name, values) for name in self._fluents for values in found.values(name, "after")
        )
