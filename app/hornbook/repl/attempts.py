"""The effects of all possible actions: each action is assumed in turn, and a query is answered after it.

An action is possible if the theory concludes a fluent after it. Its arguments are the words and integers in
the corresponding columns of the current facts, and the constants of closed sorts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import Query, parse_query
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.tables.answers import Answers, Row
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass
from hornbook.repl.request import halves
from hornbook.repl.session import Session
from hornbook.repl.what_if import Difference, answers_assuming, assume

MOST_ACTIONS = 20_000
"""The maximum number of actions to try for one query."""


@dataclass(frozen=True, slots=True)
class ActionEffect:
    """An action with the answers gained and lost by it."""

    action: str
    gained: tuple[Row, ...]
    lost: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class ActionEffects:
    """The effects of actions on the answers to a query.

    `tried` actions were tried, `possible` of them are possible, and `changing` has those that change the
    answers.
    """

    before: Answers
    changing: tuple[ActionEffect, ...]
    possible: int
    tried: int

    def text(self) -> str:
        lines = [f"{each.action}: {self._change(each)}" for each in self.changing]
        others = self.possible - len(self.changing)
        lines.append(
            f"{self.possible} of {counted(self.tried, 'action is', 'actions are')} possible"
            + (f", {others} of them with the same answers" if others else "")
        )
        return "\n".join(lines)

    def _change(self, attempt: ActionEffect) -> str:
        if not self.before.variables:
            return "becomes true" if attempt.gained else "becomes false"
        return ", ".join(
            [f"+ {self._row(row)}" for row in attempt.gained]
            + [f"- {self._row(row)}" for row in attempt.lost]
        )

    def _row(self, row: Row) -> str:
        return " ".join(f"?{name} = {value}" for name, value in zip(self.before.variables, row, strict=True))

    def as_json(self) -> dict[str, Any]:
        def rows(of: tuple[Row, ...]) -> list[dict[str, str | int]]:
            return [*Answers(self.before.variables, of).json_rows()]

        return {
            "before": [*self.before.json_rows()],
            "actions": [
                {"action": each.action, "true": rows(each.gained), "false": rows(each.lost)}
                for each in self.changing
            ],
            "possible": self.possible,
            "tried": self.tried,
        }


def what_if(
    session: Session, text: str, update_progress: Callable[[int], None] = lambda _: None
) -> Difference | Answers | ActionEffects:
    """Return the consequences of assumed facts, or of each possible action.

    The result has the changed facts, or the answers to a query after a colon. Facts after `absent` are left
    out. If the action is omitted or has variables, the result has the effects of each matching action. The
    session is not changed. Raises TheoryError.
    """
    supposed, query = halves(text, "COLON")
    conditions = parse_query(supposed).conditions
    if query is None:
        if any(statement.tense == "after" for statement in t.statements(conditions)):
            return try_actions(session, text, None, update_progress)
        return assume(session, supposed)
    if any(any(t.condition_variables(c)) for c in conditions if not isinstance(c, t.Absent)):
        return try_actions(session, query, supposed, update_progress)
    return answers_assuming(session, supposed, query)


def try_actions(
    session: Session,
    query: str,
    pattern: str | None = None,
    update_progress: Callable[[int], None] = lambda _: None,
) -> ActionEffects:
    """Compare the answers to a query before and after each action, or each action that matches a pattern.

    `update_progress` is called with the number of actions before each one. The session is not changed. Raises
    TheoryError.
    """
    base = session.base
    after = base.engine.parse_queries(query)
    now = tuple(Query(tuple(map(_before, each.conditions)), each.span) for each in after)
    actions = _actions(base, pattern)
    with session.supposing([]):
        before = base.engine.query(now)
    rows_before, changing, possible = set(before.rows), [], 0
    for action in actions:
        update_progress(len(actions))
        try:
            with session.supposing([*session.menu([action]), action]):
                if not _is_concluded(base):
                    continue
                found = set(base.engine.query(after).rows)
        except KnowledgeBaseError:
            continue  # the consequences of the action contradict given facts
        possible += 1
        if found != rows_before:
            gained, lost = (
                tuple(sorted(rows, key=str)) for rows in (found - rows_before, rows_before - found)
            )
            changing.append(ActionEffect(session.shown(action), gained, lost))
    return ActionEffects(before, tuple(changing), possible, len(actions))


def _before(part: Any) -> Any:
    """Return a condition with every part read in the state before the action."""
    if isinstance(part, t.Atom):
        return t.Atom(part.predicate, part.arguments, None if part.tense is None else "before", part.span)
    if isinstance(part, t.GameStatement):
        return t.GameStatement(_before(part.game), part.by, part.value, part.span)
    if isinstance(part, t.Expression | t.Comparison):
        return part
    return t.rewrite(part, _before)


def _is_concluded(base: KnowledgeBase) -> bool:
    fluents = (name for name, p in base.theory.vocabulary.predicates.items() if p.kind == "fluent")
    return any(next(base.facts(name, "after"), None) is not None for name in fluents)


def _actions(base: KnowledgeBase, pattern: str | None) -> list[GroundFact]:
    """Return the actions to try.

    Raises TheoryError if there are none or too many, or if the pattern is not one action.
    """
    predicates = base.theory.vocabulary.predicates
    kinds = [predicate for predicate in predicates.values() if predicate.kind == "action"]
    fixed: Sequence[t.Term] = ()
    text = pattern or ""
    span = t.Span("<query>", 1, 1, 1, 1)
    if pattern is not None:
        [*conditions] = base.engine.parse_query(pattern).conditions
        atom = conditions[0]
        if (
            len(conditions) != 1
            or not isinstance(atom, t.Atom)
            or predicates[atom.predicate].kind != "action"
        ):
            problem = error("HB001", "expected one action before `:`", atom.span, "such as `move(black, ?p)`")
            raise TheoryError([problem], {"<query>": text})
        kinds, fixed, span = [predicates[atom.predicate]], atom.arguments, atom.span
    if not kinds:
        raise TheoryError([error("HB001", "the theory declares no action", span)], {"<query>": text})
    things = _things(base)
    columns = [(kind, list(_columns(base, kind, fixed, things))) for kind in kinds]
    if sum(prod(map(len, values)) for _, values in columns) > MOST_ACTIONS:
        message = f"there are more than {MOST_ACTIONS:,} actions to try"
        help_ = "say more of the action: `carry(anna, ?box, ?place): after …`"
        raise TheoryError([error("HB004", message, span, help_)], {"<query>": text})
    return [
        GroundFact(kind.name, row)
        for kind, values in columns
        for row in product(*values)
        if _fits(row, fixed)
    ]


def _columns(
    base: KnowledgeBase, kind: Predicate, fixed: Sequence[t.Term], things: dict[str, set[str | int]]
) -> Iterator[list[str | int]]:
    """Yield the possible values of each column of an action."""
    for place, column in enumerate(kind.columns):
        term = fixed[place] if fixed else None
        if isinstance(term, t.Constant):
            yield [term.value]
        else:
            yield sorted(things.get(column.name, ()), key=lambda value: (isinstance(value, str), value))


def _fits(row: Sequence[str | int], fixed: Sequence[t.Term]) -> bool:
    """Return whether equal variables have equal values."""
    values: dict[str, str | int] = {}
    return all(
        not isinstance(term, t.Variable) or values.setdefault(term.name, value) == value
        for term, value in zip(fixed, row, strict=False)
    )


def _things(base: KnowledgeBase) -> dict[str, set[str | int]]:
    """Return the constants of each sort: those of a closed sort, and those in the current facts."""
    found: dict[str, set[str | int]] = {
        sort.name: set(sort.constants) for sort in base.theory.vocabulary.sorts.values()
    }
    for relation in base.engine.coding.relations:
        if relation.template.tense == "after" or isinstance(relation.template, t.GameStatement):
            continue
        for fact in base.facts(relation.template.relation, relation.template.tense):
            for sort, value in zip(relation.sorts, fact.values, strict=True):
                found[sort].add(value)
    return found
