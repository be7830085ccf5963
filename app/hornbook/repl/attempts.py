"""The effects of all possible actions: each action is assumed in turn, and a query is answered after it.

An action is possible if the theory concludes a fluent after it. The actions to try are those of
kb/base/changes/possible_actions.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.changes.possible_actions import (
    MOST_ACTIONS,
    ActionForm,
    actions_among,
    constants_in,
)
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import Query
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, error
from hornbook.kb.tables.answers import Answers, Row
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass
from hornbook.repl.session import Session


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
    now = queries_before(after)
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


def queries_before(queries: Iterable[Query]) -> tuple[Query, ...]:
    """Return queries with every part read in the state before the action."""
    return tuple(Query(tuple(map(_before, each.conditions)), each.span) for each in queries)


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


def action_forms(base: KnowledgeBase, pattern: str | None) -> list[ActionForm]:
    """Return the forms of the actions to try: all of the theory, or those of a pattern.

    Raises TheoryError if there are none, or if the pattern is not one action.
    """
    predicates = base.theory.vocabulary.predicates
    if pattern is not None:
        [*conditions] = base.engine.parse_query(pattern).conditions
        atom = conditions[0]
        if (
            len(conditions) != 1
            or not isinstance(atom, t.Atom)
            or predicates[atom.predicate].kind != "action"
        ):
            problem = error("HB001", "expected one action before `:`", atom.span, "such as `move(black, ?p)`")
            raise TheoryError([problem], {"<query>": pattern})
        return [ActionForm(predicates[atom.predicate], atom.arguments)]
    forms = [ActionForm(predicate) for predicate in predicates.values() if predicate.kind == "action"]
    if not forms:
        span = t.Span("<query>", 1, 1, 1, 1)
        raise TheoryError([error("HB001", "the theory declares no action", span)], {"<query>": ""})
    return forms


def _actions(base: KnowledgeBase, pattern: str | None) -> list[GroundFact]:
    """Return the actions to try. Raises TheoryError if there are none or too many."""
    forms = action_forms(base, pattern)
    constants = constants_in(
        base.engine.coding,
        base.theory.vocabulary,
        lambda relation, tense: (fact.values for fact in base.facts(relation, tense)),
    )
    actions = actions_among(forms, constants)
    if actions is None:
        raise TheoryError([too_many_actions()], {"<query>": pattern or ""})
    return actions


def too_many_actions() -> Diagnostic:
    """Return the diagnostic for a state with too many actions to try."""
    message = f"there are more than {MOST_ACTIONS:,} actions to try"
    help_ = "say more of the action: `carry(anna, ?box, ?place): after …`"
    return error("HB004", message, t.Span("<query>", 1, 1, 1, 1), help_)
