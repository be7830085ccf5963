"""Plans, and the words of declarations that are used for planning.

A plan is about a game and an action. It is only concluded by learned rules, and no theory states one. The
parser ensures that no condition contains one.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import GameStatement, PlanStatement, Rule
from hornbook.kb.check.check_unit import CheckUnit, PreparedClause
from hornbook.kb.check.clauses.names import name_span
from hornbook.kb.format.printer import print_condition
from hornbook.kb.parse.vocabulary import kind_of
from hornbook.kb.sources.diagnostics import Diagnostic, delete_word, error


def check_plans(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB067."""
    for fact in unit.facts:
        if isinstance(fact.head, PlanStatement):
            yield from _plan(fact.head, fact, unit)
    for prepared in unit.rules:
        if isinstance(prepared.head, PlanStatement):
            yield from _plan(prepared.head, prepared.rule, unit)
            yield from _conditions(prepared)


def _plan(plan: PlanStatement, rule: Rule | None, unit: CheckUnit) -> Iterator[Diagnostic]:
    if not unit.is_state:
        span = plan.span if rule is None else rule.span
        message = "a theory states no plan: a plan is proved from it"
        yield error("HB067", message, span, "keep it in a file of learned rules, or delete it")
        return
    game, action = unit.predicate(plan.game.predicate), unit.predicate(plan.by.predicate)
    if game is not None and game.kind != "game":
        message = f"`{game.name}` is {kind_of(game)}, and a plan is about a game"
        yield error("HB067", message, name_span(plan.game), f"name a game, or declare `game {game.name}(…).`")
    if action is not None and action.kind != "action":
        message = f"`{action.name}` is {kind_of(action)}, and a plan begins `by` an action"
        yield error("HB067", message, plan.by.span, f"name an action, or declare `action {action.name}(…).`")


def _conditions(prepared: PreparedClause) -> Iterator[Diagnostic]:
    """Yield HB067 for conditions that a plan cannot depend on: moments, and values of games
    against replies.
    """
    for statement in prepared.statements:
        if statement.tense is not None:
            message = "a plan applies to any moment, so its conditions have no tense words"
            fix = delete_word(statement.span, statement.tense)
            yield error("HB067", message, statement.span, f"delete `{statement.tense}`", (fix,))
            return
        if isinstance(statement, GameStatement):
            shown = print_condition(statement)
            message = f"a plan cannot depend on `{shown}`, which is about an opponent who replies"
            yield error("HB067", message, statement.span, "use the conditions that it follows from")
            return


def check_turns(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB068."""
    predicates = unit.vocabulary.predicates.values()
    for predicate in unit.predicates:
        if predicate.turn is None:
            continue
        if predicate.kind != "fluent":
            message = f"`{predicate.name}` is {kind_of(predicate)}, and only a fluent changes with the turn"
            yield error("HB068", message, predicate.span, f"delete `{predicate.turn}`")
        elif predicate.counts is not None or any(_counts(other, predicate) for other in predicates):
            message = f"`{predicate.name}` changes with the turn, so that no count of a set fits it"
            yield error("HB068", message, predicate.span, f"delete `{predicate.turn}`, or the count")


def _counts(other: Predicate, predicate: Predicate) -> bool:
    return other.counts is not None and other.counts.name == predicate.name


def check_worth(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB069."""
    for predicate in unit.predicates:
        if predicate.worth is not None and predicate.kind != "game":
            message = f"`{predicate.name}` is {kind_of(predicate)}, and only a game has a worth"
            yield error("HB069", message, predicate.span, f"delete `worth {predicate.worth}`")
