"""The opponent: the replies in one position against which a win is proved, each with its explanation.

The replies that a theory declares for a game are taken apart one alternative at a time. First the opponent
does *something*: an action about things that stand for any others, of which nothing is known but what the
alternative says. What then wins is explained; whatever the explanation must have different from those things
is a reply of its own, and is explained in turn, or shown to be impossible. So the proof itself makes the list
of replies, and it is complete: each other reply is the first one. Where nothing is won against something
unknown, every reply that is open is taken in turn; that there is no other, a closed set or arithmetic shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

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
from hornbook.kb.lower.faults import KnowledgeBaseError
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import Query

MAX_REPLIES = 400
"""How many replies to one position are looked at."""


class UnansweredError(Exception):
    """A reply after which the game is not known to be won; the message names it."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One reply, or every reply that is none of its siblings: why the game is won after it, or why nobody can
    play it.

    `values` has what each variable of the alternative stands for; those of `chosen` tell the reply from others,
    those of `anyone` stand for anything. Without an explanation the branch is one that nothing can be in.
    `shown` are conditions of the alternative, by their places, each with why it holds of these values.
    """

    values: Mapping[str, Constant]
    chosen: frozenset[str]
    anyone: frozenset[str]
    explanation: Explanation | None
    shown: tuple[tuple[int, Explanation], ...] = ()

    @property
    def wins(self) -> bool:
        """Whether the explanation is of a win after the reply; otherwise it is why nobody can play it."""
        return self.explanation is not None and isinstance(self.explanation.goal, GameStatement)


@dataclass(frozen=True, slots=True)
class Closed:
    """Why a condition of the alternative, by its place, holds of so many things and no others: of each."""

    condition: int
    counter: str
    count: Explanation
    members: tuple[tuple[Constant, Explanation], ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Replies told apart by what a variable stands for; `rest` is for whatever is none of those.

    `closed` are closed sets that have the cases for members.
    """

    variable: str
    cases: tuple[tuple[Constant, Answer], ...]
    rest: Answer
    closed: tuple[Closed, ...] = ()


Answer = Answered | Choice


@dataclass(frozen=True, slots=True)
class Alternative:
    """One alternative of the replies, with the game's own arguments put in, and its answer."""

    case: ReplyCase
    answer: Answer


def answers(
    base: KnowledgeBase, replies: Replies, game: Atom, budget: Budget | None = None
) -> tuple[Alternative, ...]:
    """For each alternative of the replies, why a game is won for the friend after any of its actions.

    The base holds a position without an action and records all derivations; `game` is ground. Whatever is asked of it is a
    step of the budget. Raises UnansweredError where a reply remains after which nothing is known to be won, SpentError
    where the budget does not suffice to say.
    """
    budget = budget or Budget()
    given = _arguments(replies, game)
    found = []
    for case in replies.cases:
        plain = statement_at(game, None, base.theory.vocabulary)
        inquiry = _Inquiry(base, plain, _instance(case, given), budget)
        found.append(Alternative(case, inquiry.answer({})))
    return tuple(found)


def playable(
    base: KnowledgeBase, replies: Replies, game: Atom, case: ReplyCase, budget: Budget
) -> Iterator[GroundFact]:
    """The actions of one alternative whose conditions hold in the position of the base; `game` is ground."""
    plain = statement_at(game, None, base.theory.vocabulary)
    inquiry = _Inquiry(base, plain, _instance(case, _arguments(replies, game)), budget)
    for row in inquiry.open:
        action = apply_to_statement(inquiry.case.action, row)
        if all(isinstance(term, Constant) for term in action.terms):
            yield ground_fact(action)


def _arguments(replies: Replies, game: Atom) -> dict[str, Constant]:
    """The constants that stand for the variables of the declared game in a ground game."""
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
        self.won = GameStatement(replace(game, tense="after"), None, Constant("GI"))
        self.prover = Preferring(base)
        self.variables = list(dict.fromkeys(v.name for v in _variables(case)))
        # What is said of variables that the action alone has is judged where they have values.
        conditions = tuple(_asked_of_a_state(case.conditions))
        self.open = [dict(zip(names, row, strict=True)) for names, row in self._rows(conditions)]
        self.looked = 0

    def _rows(
        self, conditions: tuple[Condition, ...]
    ) -> Iterator[tuple[tuple[str, ...], tuple[Constant, ...]]]:
        self.budget.spend()
        # A wildcard is asked for too, under a name that no theory has.
        named = tuple(rename_condition(c, lambda n: f"~{n}" if n.startswith("_") else n) for c in conditions)
        with self.budget.bounding():
            found = self.base.ask(Query(named, self.case.span))
        names = tuple(name.removeprefix("~") for name in found.variables)
        for row in found.rows:
            yield names, tuple(map(Constant, row))

    def answer(self, chosen: Mapping[str, Constant]) -> Answer:
        """The answer where these variables stand for these things."""
        self.looked += 1
        if self.looked > MAX_REPLIES:
            raise UnansweredError(f"more than {MAX_REPLIES} replies")
        known = self._determined(chosen)
        free = [name for name in self.variables if name not in known]
        anyone = {name: Constant(Eigenvariable(f"any {name}")) for name in free}
        values = {**known, **anyone}
        explanation = None
        if self._may_be_anything(free):
            explanation = self._won(values) or self._impossible(values)
        if explanation is None and not free:
            raise UnansweredError(print_condition(apply_to_statement(self.case.action, values)))
        if explanation is None:
            return self._each(chosen, values, free)
        shown = () if free else tuple(self._shown(values, free))
        answer: Answer = Answered(values, frozenset(chosen), frozenset(free), explanation, shown)
        for name, others in _told_apart(explanation, anyone, self.base.theory.vocabulary).items():
            cases = tuple((other, self.answer({**chosen, name: other})) for other in others)
            answer = Choice(name, cases, answer)
        return answer

    def _each(
        self, chosen: Mapping[str, Constant], values: Mapping[str, Constant], free: list[str]
    ) -> Answer:
        """Every value that the first free variable has among the replies that are open or in a closed set."""
        shown = tuple(self._shown(values, free))
        nobody = Answered(values, frozenset(chosen), frozenset(free), None, shown)
        like = [row for row in self.open if all(row.get(n, v) == v for n, v in chosen.items())]
        if not like:
            return nobody
        name = next((each for each in free if each in like[0]), None)
        if name is None:
            action = print_condition(apply_to_statement(self.case.action, chosen))
            raise UnansweredError(f"{action}, of which nothing says what it may be about")
        closed = tuple(self._closed(name, values, free))
        present = {row[name] for row in like if name in row}
        present |= {value for one in closed for value, _ in one.members}
        in_order = sorted(present, key=lambda c: value_order(c.value))
        cases = tuple((value, self.answer({**chosen, name: value})) for value in in_order)
        return Choice(name, cases, nobody, closed)

    def _shown(
        self, values: Mapping[str, Constant], free: Sequence[str]
    ) -> Iterator[tuple[int, Explanation]]:
        """Why the conditions hold that speak of nothing unknown."""
        for place, condition in enumerate(self.case.conditions):
            if isinstance(condition, Statement) and not _names(condition) & set(free):
                ground = self._before(apply_to_statement(condition, values))
                if self.base.holds(ground):
                    yield place, self._explanation(ground)

    def _closed(self, name: str, values: Mapping[str, Constant], free: Sequence[str]) -> Iterator[Closed]:
        """The closed sets among the conditions of which the variable is a member."""
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
                yield Closed(place, counter.name, self._explanation(count), tuple(members))

    def _before(self, statement: Statement) -> Statement:
        return statement_at(statement, "before", self.base.theory.vocabulary)

    def _determined(self, chosen: Mapping[str, Constant]) -> dict[str, Constant]:
        """What is chosen, and what the keys of the alternative's conditions then determine, whatever the reply."""
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

    def _may_be_anything(self, names: list[str]) -> bool:
        """Whether there are words for something that nothing is known of: integers and closed sorts have none."""
        vocabulary = self.base.theory.vocabulary
        columns = vocabulary.predicates[self.case.action.predicate].columns
        sorts = {
            term.name: vocabulary.sorts[column.name].kind
            for term, column in zip(self.case.action.terms, columns, strict=True)
            if isinstance(term, Variable)
        }
        return all(sorts.get(name) == "open" for name in names)

    def _won(self, values: Mapping[str, Constant]) -> Explanation | None:
        """Why the game is won after the reply of these values, if it is."""
        if not _unknown(values) and not self._is_open(values):
            return None
        action = ground_fact(apply_to_statement(self.case.action, values))
        return self._explained([*self._assumed(values), action], self.won)

    def _impossible(self, values: Mapping[str, Constant]) -> Explanation | None:
        """Why nobody can play the reply of these values, if that is derived, whatever is unknown of it."""
        if self.case.unless is None:
            return None
        ground = self._before(apply_to_statement(self.case.unless, values))
        return self._explained(self._assumed(values), ground)

    def _assumed(self, values: Mapping[str, Constant]) -> list[GroundFact]:
        """What the alternative says of things of which nothing else is known.

        That something is a member of a closed set is left out: the base has all the members there are.
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
        """Why something holds where this is assumed, if it does."""
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


def _asked_of_a_state(conditions: Sequence[Condition]) -> Iterator[Condition]:
    """The conditions that can be asked of a state without an action: not what compares what only the action has."""
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


def _told_apart(
    explanation: Explanation, anyone: Mapping[str, Constant], vocabulary: Vocabulary
) -> dict[str, list[Constant]]:
    """For each variable that stands for anything, the things from which the explanation has it different."""
    names = {value: name for name, value in anyone.items()}
    worker = Generaliser(vocabulary, anyone=frozenset(names), apart=True)
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
