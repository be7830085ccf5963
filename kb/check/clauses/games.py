"""Statements on games: each has a value, and an action after `by`."""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.terms import Atom, GameStatement
from hornbook.kb.check.check_unit import CheckUnit
from hornbook.kb.check.clauses.names import name_span
from hornbook.kb.parse.vocabulary import kind_of
from hornbook.kb.sources.diagnostics import Diagnostic, error


def check_games(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB035."""
    named = {id(replies.game) for replies, _ in unit.replies}
    for statement in unit.statements():
        if isinstance(statement, GameStatement):
            yield from _statement(statement, unit)
        elif isinstance(statement, Atom):
            predicate = unit.predicate(statement.predicate)
            if predicate is not None and predicate.kind == "game" and id(statement) not in named:
                yield _bare(statement)


def _bare(atom: Atom) -> Diagnostic:
    columns = f"({', '.join('…' for _ in atom.arguments)})" if atom.arguments else ""
    message = f"`{atom.predicate}` is a game, and says nothing without its value"
    return error(
        "HB035",
        message,
        name_span(atom),
        f"write `{atom.predicate}{columns} is GP`, or another value or a variable",
    )


def _statement(statement: GameStatement, unit: CheckUnit) -> Iterator[Diagnostic]:
    game = unit.predicate(statement.game.predicate)
    if game is not None and game.kind != "game":
        message = f"`{game.name}` is {kind_of(game)}, and only a game `is` a value"
        help_ = f"write `{game.name}(…)`, or declare `game {game.name}(…).`"
        yield error("HB035", message, statement.span, help_)
        return
    if statement.by is None:
        return
    action = unit.predicate(statement.by.predicate)
    if action is not None and action.kind != "action":
        message = f"`{action.name}` is {kind_of(action)}, and a game is decided `by` an action"
        yield error(
            "HB035", message, statement.by.span, f"name an action, or declare `action {action.name}(…).`"
        )
