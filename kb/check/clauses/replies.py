"""Replies: the actions with which the opponent in a game may reply.

Each case is one action, conditions on the state before it, and an optional statement that makes it
impossible.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.declarations import Replies, ReplyCase
from hornbook.kb.ast.terms import All, Atom, CountIn, Span, Variable
from hornbook.kb.check.check_unit import CheckUnit, PreparedClause, first_word, named
from hornbook.kb.parse.vocabulary import kind_of
from hornbook.kb.sources.diagnostics import Diagnostic, delete_word, error


def check_replies(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB045. The checks common to all rules (names, sorts, safety) also cover replies."""
    first = {clause.game.predicate: clause.span for clause in unit.imported if isinstance(clause, Replies)}
    for replies, prepared_clauses in unit.replies:
        yield from _once(replies, first)
        yield from _game(replies.game, unit)
        for case, prepared in zip(replies.cases, prepared_clauses, strict=True):
            yield from _tense_words(prepared, unit)
            yield from _action(case, unit)
            yield from _conditions(case, unit)


def _once(replies: Replies, first: dict[str, Span]) -> Iterator[Diagnostic]:
    name = replies.game.predicate
    earlier = first.setdefault(name, replies.span)
    if earlier is not replies.span:
        help_ = f"the clause at {earlier} names all replies: add cases to it, with `;` between them"
        yield error("HB045", f"a second `replies` clause for `{name}`", replies.span, help_)


def _game(game: Atom, unit: CheckUnit) -> Iterator[Diagnostic]:
    predicate = unit.predicate(game.predicate)
    if predicate is not None and predicate.kind != "game":
        message = f"`{predicate.name}` is {kind_of(predicate)}, and only a game has replies"
        yield error("HB045", message, game.span, f"declare `game {predicate.name}(…).`, or name a game")
        return
    names: set[str] = set()
    for term in game.arguments:
        if not isinstance(term, Variable) or term.name in names:
            message = (
                "the replies are those of every such game, so each of its arguments is a variable of its own"
            )
            help_ = "write a variable, and restrict it in the cases"
            yield error("HB045", message, term.span, help_)
        else:
            names.add(term.name)


def _tense_words(prepared: PreparedClause, unit: CheckUnit) -> Iterator[Diagnostic]:
    for statement in prepared.statements:
        atom = named(statement)
        predicate = unit.predicate(atom.predicate)
        if atom.tense is not None and (predicate is None or predicate.has_tense):
            message = (
                "a reply is judged in the state where it is taken, so its conditions have no tense words"
            )
            span = first_word(statement.span, atom.tense)
            if atom.tense == "before":
                yield error("HB045", message, span, "delete `before`", (delete_word(span, "before"),))
            else:
                yield error("HB045", message, span, "write the conditions before the reply")


def _action(case: ReplyCase, unit: CheckUnit) -> Iterator[Diagnostic]:
    predicate = unit.predicate(case.action.predicate)
    if predicate is not None and predicate.kind != "action":
        message = f"`{predicate.name}` is {kind_of(predicate)}, and a case of replies begins with an action"
        yield error("HB045", message, case.action.span, "name the action of the opponent first")


def _conditions(case: ReplyCase, unit: CheckUnit) -> Iterator[Diagnostic]:
    unless = () if case.unless is None else (case.unless,)
    first = unit.predicate(case.action.predicate)
    for condition in (*case.conditions, *unless):
        match condition:
            case Atom():
                predicate = unit.predicate(condition.predicate)
                if first is None or first.kind != "action" or predicate is None:
                    continue
                if predicate.kind == "action":
                    message = (
                        f"a case of replies with two actions, `{case.action.predicate}` and "
                        f"`{predicate.name}`"
                    )
                    yield error("HB045", message, condition.span, "write two cases, with `;` between them")
            case All() | CountIn():
                message = "a reply has only facts, statements on games and comparisons as conditions"
                help_ = "give it a name: conclude a derived predicate from it"
                yield error("HB045", message, condition.span, help_)
            case _:
                pass
