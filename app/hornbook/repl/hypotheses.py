"""The request `what if`: assumed facts, a sequence of actions, or every action of a form."""

from __future__ import annotations

from collections.abc import Callable

from hornbook.kb.ast import terms as t
from hornbook.kb.parse.syntax import parse_query
from hornbook.kb.tables.answers import Answers
from hornbook.repl.attempts import ActionEffects, try_actions
from hornbook.repl.request import halves
from hornbook.repl.sequences import SequenceEffects, follow_text
from hornbook.repl.session import Session
from hornbook.repl.what_if import Difference, answers_assuming, assume


def what_if(
    session: Session, text: str, update_progress: Callable[[int], None] = lambda _: None
) -> Difference | Answers | ActionEffects | SequenceEffects:
    """Return the consequences of assumed facts, of a sequence of actions, or of each possible action.

    The result has the changed facts, or the answers to a query after a colon. Facts after `absent` are left
    out. Actions after `then` are taken in sequence. If the action is omitted or has variables, the result has
    the effects of each matching action. The session is not changed. Raises TheoryError.
    """
    supposed, query = halves(text, "COLON")
    first, later = halves(supposed, "THEN")
    if later is not None:
        return follow_text(session, first, later, query)
    conditions = parse_query(supposed).conditions
    if query is None:
        if any(statement.tense == "after" for statement in t.statements(conditions)):
            return try_actions(session, text, None, update_progress)
        return assume(session, supposed)
    if any(any(t.condition_variables(c)) for c in conditions if not isinstance(c, t.Absent)):
        return try_actions(session, query, supposed, update_progress)
    return answers_assuming(session, supposed, query)
