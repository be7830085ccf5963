"""The opponent: the replies in one position against which a win is proved, each with its explanation.

Each alternative of the declared replies is split step by step. First, the opponent plays an action whose
arguments are eigenvariables: nothing is known about them except the conditions of the alternative. The
resulting win is explained. If the explanation requires an eigenvariable to differ from some term, that term
gives a separate reply, which is explained or shown to be impossible. The proof thus produces the list of
replies. The list is complete, because every other reply is an instance of the first one. If no win is found
with eigenvariables, all playable replies are enumerated. A closed set or arithmetic then proves that there
are no others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hornbook.compiler.generalise.explanation import Explanation
from hornbook.compiler.generalise.generalisation import Generaliser
from hornbook.compiler.prove.eigenvariable import Eigenvariable
from hornbook.compiler.prove.preference import Preferring
from hornbook.kb.ast.declarations import Replies, ReplyCase
from hornbook.kb.ast.ordering import value_order
from hornbook.kb.ast.substitution import (
    apply_to_condition,
    apply_to_statement,
    rename_condition,
    statement_at,
)
from hornbook.kb.ast.terms import (
    WON,
    Atom,
    Comparison,
    Condition,
    Constant,
    GameStatement,
    Statement,
    Variable,
    condition_variables,
    expression_variables,
)
from hornbook.kb.ast.theory import GroundFact, Vocabulary, counts_of
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import suppose
from hornbook.kb.check.closure import close
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import Query
from hornbook.matcher.program.dataclass import dataclass

MAX_REPLIES = 400
"""The maximum number of replies considered in one position."""


class UnansweredError(Exception):
    """There is a reply after which no win is known; the message names it."""


@dataclass(frozen=True, slots=True)
class AnsweredReply:
    """A reply, or all replies that are none of its siblings, with the reason why the game is won or the reply
    impossible.

    Attributes:
        values: The bindings of the alternative's variables.
        chosen: The variables that distinguish the reply from others.
        anyone: The variables bound to eigenvariables.
        explanation: The reason; None for a branch without replies.
        shown: The conditions of the alternative that hold for these values, by index, with explanations.
    """

    values: Mapping[str, Constant]
    chosen: frozenset[str]
    anyone: frozenset[str]
    explanation: Explanation | None
    shown: tuple[tuple[int, Explanation], ...] = ()

    @property
    def wins(self) -> bool:
        """Return whether the explanation is of a win after the reply, and not of its impossibility."""
        return self.explanation is not None and isinstance(self.explanation.goal, GameStatement)


@dataclass(frozen=True, slots=True)
class ClosedReplySet:
    """The proof that a condition of the alternative, by index, holds for the listed members only."""

    condition: int
    counter: str
    count: Explanation
    members: tuple[tuple[Constant, Explanation], ...]


@dataclass(frozen=True, slots=True)
class ReplyCases:
    """A case analysis of replies by the value of a variable; `rest` covers all other values.

    `closed` contains closed sets that have the cases as members.
    """

    variable: str
    cases: tuple[tuple[Constant, Answer], ...]
    rest: Answer
    closed: tuple[ClosedReplySet, ...] = ()


Answer = AnsweredReply | ReplyCases


@dataclass(frozen=True, slots=True)
class AnsweredAlternative:
    """One alternative of the replies, instantiated with the game's arguments, and its answer."""

    case: ReplyCase
    answer: Answer


def answers(
    base: KnowledgeBase, replies: Replies, game: Atom, budget: Budget | None = None
) -> tuple[AnsweredAlternative, ...]:
    """Return for each alternative of the replies why the friend wins after any of its actions.

    The base must contain a position without an action and record all derivations; `game` must be ground.
    Every query is charged to the budget. Raise UnansweredError if there is a reply after which no win is
    known, and SpentError if the budget is exhausted.
    """
    budget = budget or Budget()
    given = _arguments(replies, game)
    found = []
    for case in replies.cases:
        plain = statement_at(game, None, base.theory.vocabulary)
        inquiry = _Inquiry(base, plain, _instance(case, given), budget)
        found.append(AnsweredAlternative(case, inquiry.answer({})))
    return tuple(found)


def playable(
    base: KnowledgeBase, replies: Replies, game: Atom, case: ReplyCase, budget: Budget
) -> Iterator[GroundFact]:
    """Yield the actions of one alternative whose conditions hold in the base's position.

    `game` must be ground.
    """
    plain = statement_at(game, None, base.theory.vocabulary)
    inquiry = _Inquiry(base, plain, _instance(case, _arguments(replies, game)), budget)
    for row in inquiry.open:
        action = apply_to_statement(inquiry.case.action, row)
        if all(isinstance(term, Constant) for term in action.terms):
            yield ground_fact(action)


def _arguments(replies: Replies, game: Atom) -> dict[str, Constant]:
    """Return the constants of a ground game for the variables of the declared game."""
    pairs = zip(replies.game.terms, game.terms, strict=True)
    return {v.name: t for v, t in pairs if isinstance(v, Variable) and isinstance(t, Constant)}


def _instance(case: ReplyCase, given: Mapping[str, Constant]) -> ReplyCase:
    unless = None if case.unless is None else apply_to_statement(case.unless, given)
    conditions = tuple(apply_to_condition(c, given) for c in case.conditions)
    return replace(case, action=apply_to_statement(case.action, given), conditions=conditions, unless=unless)


class _Inquiry:
    """The replies of one alternative in one position."""

    def __init__(self, base: KnowledgeBase, game: Atom, case: ReplyCase, budget: Budget) -> None:
        self.base = base
        self.budget = budget
        self.case = case
        self.won = GameStatement(replace(game, tense="after"), None, WON)
        self.prover = Preferring(base)
        self.variables = list(dict.fromkeys(v.name for v in _variables(case)))
        # Conditions on variables that occur only in the action are checked once these have values.
        conditions = tuple(_state_conditions(case.conditions))
        self.open = [dict(zip(names, row, strict=True)) for names, row in self._rows(conditions)]
        self.reply_count = 0

    def _rows(
        self, conditions: tuple[Condition, ...]
    ) -> Iterator[tuple[tuple[str, ...], tuple[Constant, ...]]]:
        self.budget.spend()
        # A wildcard is queried too, under a name that no theory uses.
        named = tuple(rename_condition(c, lambda n: f"~{n}" if n.startswith("_") else n) for c in conditions)
        with self.budget.bounding():
            found = self.base.engine.query(Query(named, self.case.span))
        names = tuple(name.removeprefix("~") for name in found.variables)
        for row in found.rows:
            yield names, tuple(map(Constant, row))

    def answer(self, chosen: Mapping[str, Constant]) -> Answer:
        """Return the answer under a binding of some of the variables."""
        self.reply_count += 1
        if self.reply_count > MAX_REPLIES:
            raise UnansweredError(f"more than {MAX_REPLIES} replies")
        known = self._determined(chosen)
        free = [name for name in self.variables if name not in known]
        anyone = {name: Constant(Eigenvariable(f"any {name}")) for name in free}
        values = {**known, **anyone}
        explanation = None
        if self._allow_eigenvariables(free):
            explanation = self._won(values) or self._impossible(values)
        if explanation is None and not free:
            raise UnansweredError(print_condition(apply_to_statement(self.case.action, values)))
        if explanation is None:
            return self._each(chosen, values, free)
        shown = () if free else tuple(self._shown(values, free))
        answer: Answer = AnsweredReply(values, frozenset(chosen), frozenset(free), explanation, shown)
        for name, others in _distinguished_terms(explanation, anyone, self.base.theory.vocabulary).items():
            cases = tuple((other, self.answer({**chosen, name: other})) for other in others)
            answer = ReplyCases(name, cases, answer)
        return answer

    def _each(
        self, chosen: Mapping[str, Constant], values: Mapping[str, Constant], free: list[str]
    ) -> Answer:
        """Return a case analysis over the values of the first free variable in playable replies or in a
        closed set.
        """
        shown = tuple(self._shown(values, free))
        nobody = AnsweredReply(values, frozenset(chosen), frozenset(free), None, shown)
        matching = [row for row in self.open if all(row.get(n, v) == v for n, v in chosen.items())]
        if not matching:
            return nobody
        name = next((each for each in free if each in matching[0]), None)
        if name is None:
            action = print_condition(apply_to_statement(self.case.action, chosen))
            raise UnansweredError(f"{action}, whose arguments are not determined")
        closed = tuple(self._closed(name, values, free))
        present = {row[name] for row in matching if name in row}
        present |= {value for one in closed for value, _ in one.members}
        in_order = sorted(present, key=lambda c: value_order(c.value))
        cases = tuple((value, self.answer({**chosen, name: value})) for value in in_order)
        return ReplyCases(name, cases, nobody, closed)

    def _shown(
        self, values: Mapping[str, Constant], free: Sequence[str]
    ) -> Iterator[tuple[int, Explanation]]:
        """Yield the conditions without eigenvariables that hold, each with its explanation."""
        for place, condition in enumerate(self.case.conditions):
            if isinstance(condition, Statement) and not _names(condition) & set(free):
                ground = self._before(apply_to_statement(condition, values))
                if self.base.holds(ground):
                    yield place, self._explanation(ground)

    def _closed(
        self, name: str, values: Mapping[str, Constant], free: Sequence[str]
    ) -> Iterator[ClosedReplySet]:
        """Yield the closed sets among the conditions that have the variable as a member."""
        counters = counts_of(self.base.theory.vocabulary)
        for place, condition in enumerate(self.case.conditions):
            if not isinstance(condition, Atom) or condition.predicate not in counters:
                continue
            counter = counters[condition.predicate]
            key = condition.terms[: len(counter.columns) - 1]
            if condition.terms[len(key) :] != (Variable(name),) or Variable(name) in key:
                continue
            if _names(condition) & set(free) != {name}:
                continue
            known = apply_to_statement(condition, {n: v for n, v in values.items() if n != name})
            rows = [row for _, (row,) in self._rows((known,))]
            count = self._before(Atom(counter.name, (*known.terms[: len(key)], Constant(len(rows))), None))
            if self.base.holds(count):
                members = (
                    (row, self._explanation(self._before(apply_to_statement(known, {name: row}))))
                    for row in rows
                )
                yield ClosedReplySet(place, counter.name, self._explanation(count), tuple(members))

    def _before(self, statement: Statement) -> Statement:
        return statement_at(statement, "before", self.base.theory.vocabulary)

    def _determined(self, chosen: Mapping[str, Constant]) -> dict[str, Constant]:
        """Return the chosen values, and the values that the keys of the alternative's conditions determine
        from them.
        """
        predicates = self.base.theory.vocabulary.predicates
        found: dict[str, Constant] = dict(chosen)
        known = -1
        while known < len(found):
            known = len(found)
            for condition in self.case.conditions:
                if not isinstance(condition, Atom) or predicates[condition.predicate].key is None:
                    continue
                atom = apply_to_statement(condition, found)
                key = atom.terms[: predicates[condition.predicate].key]
                if all(isinstance(t, Constant) for t in key) and any(
                    isinstance(t, Variable) for t in atom.terms
                ):
                    for names, row in self._rows((atom,)):
                        found |= dict(zip(names, row, strict=True))
        return found

    def _allow_eigenvariables(self, names: list[str]) -> bool:
        """Return whether eigenvariables of these sorts are possible: integers and closed sorts have none."""
        vocabulary = self.base.theory.vocabulary
        columns = vocabulary.predicates[self.case.action.predicate].columns
        sorts = {
            term.name: vocabulary.sorts[column.name].kind
            for term, column in zip(self.case.action.terms, columns, strict=True)
            if isinstance(term, Variable)
        }
        return all(sorts.get(name) == "open" for name in names)

    def _won(self, values: Mapping[str, Constant]) -> Explanation | None:
        """Return the explanation of a win after the reply with these values; None if there is none."""
        if not _unknown(values) and not self._is_open(values):
            return None
        action = ground_fact(apply_to_statement(self.case.action, values))
        return self._explained([*self._assumed(values), action], self.won)

    def _impossible(self, values: Mapping[str, Constant]) -> Explanation | None:
        """Return the explanation why the reply with these values is impossible.

        Return None if that is not derived.
        """
        if self.case.unless is None:
            return None
        ground = self._before(apply_to_statement(self.case.unless, values))
        return self._explained(self._assumed(values), ground)

    def _assumed(self, values: Mapping[str, Constant]) -> list[GroundFact]:
        """Return the conditions of the alternative on eigenvariables, as facts to assume.

        Membership in a closed set is left out, because the base contains all members.
        """
        unknown = _unknown(values)
        counters = counts_of(self.base.theory.vocabulary)
        return [
            ground_fact(statement)
            for statement in (apply_to_condition(c, values) for c in self.case.conditions)
            if isinstance(statement, Statement)
            and unknown & set(statement.terms)
            and not (isinstance(statement, Atom) and statement.predicate in counters)
        ]

    def _explained(self, assumed: Sequence[GroundFact], goal: Statement) -> Explanation | None:
        """Return the explanation of a goal under assumptions; None if it does not hold."""
        self.budget.spend()
        self.base.push()
        try:
            with self.budget.bounding():
                suppose(self.base, assumed)
            return self._explanation(goal) if self.base.holds(goal) else None
        except KnowledgeBaseError:
            return None
        finally:
            self.base.pop()

    def _is_open(self, values: Mapping[str, Constant]) -> bool:
        conditions = tuple(apply_to_condition(c, values) for c in self.case.conditions)
        return any(True for _ in self._rows(conditions))

    def _explanation(self, goal: Statement) -> Explanation:
        return self.prover.explanation(goal)


def _unknown(values: Mapping[str, Constant]) -> set[Constant]:
    return {value for value in values.values() if isinstance(value.value, Eigenvariable)}


def _state_conditions(conditions: Sequence[Condition]) -> Iterator[Condition]:
    """Yield the conditions that can be evaluated in a state without an action.

    Comparisons of variables that only the action binds are left out.
    """
    bound = {v.name for c in conditions if isinstance(c, Statement) for v in condition_variables(c)}
    equations = [
        (one.name, {v.name for v in expression_variables(other)})
        for c in conditions
        if isinstance(c, Comparison) and c.operator == "="
        for one, other in ((c.left, c.right), (c.right, c.left))
        if isinstance(one, Variable)
    ]
    close(bound, equations)
    for condition in conditions:
        if _names(condition) <= bound:
            yield condition


def _variables(case: ReplyCase) -> Iterator[Variable]:
    for condition in (case.action, *case.conditions):
        yield from condition_variables(condition)


def _names(condition: Condition) -> set[str]:
    return {variable.name for variable in condition_variables(condition)}


def _distinguished_terms(
    explanation: Explanation, anyone: Mapping[str, Constant], vocabulary: Vocabulary
) -> dict[str, list[Constant]]:
    """Return for each variable bound to an eigenvariable the terms that must differ from it in the
    explanation.
    """
    if not anyone:
        return {}
    names = {value: name for name, value in anyone.items()}
    worker = Generaliser(vocabulary, eigenvariables=frozenset(names), expands_counts=True)
    worker.explain(explanation, explanation.goal)
    found: dict[str, dict[Constant, None]] = {}
    pairs = [pair for one, other in worker.differences() for pair in ((one, other), (other, one))]
    for left, right in pairs:
        if (
            isinstance(left, Constant)
            and isinstance(right, Constant)
            and right not in names
            and left in names
        ):
            found.setdefault(names[left], {})[right] = None
    return {name: list(others) for name, others in found.items()}
