"""Tenses: the moment of each condition of a rule, and the valid moments of its conclusion.

If a rule has a tense word anywhere, every predicate that changes needs one. A rule without tense words is
timeless: it holds at any one moment. It cannot mention an action, which lies between two moments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import GameStatement, PlanStatement, Statement, predicate_of
from hornbook.kb.check.check_unit import CheckUnit, PreparedClause, first_word, named
from hornbook.kb.check.clauses.names import name_span
from hornbook.kb.parse.vocabulary import kind_of
from hornbook.kb.sources.diagnostics import Diagnostic, delete_word, error, write_before


def check_tenses(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB022, HB023, HB024, HB025, HB029 and HB038."""
    yield from _words(unit.statements(), unit)
    for prepared in unit.rules:
        yield from _rule(prepared, unit)


def _predicate(statement: Statement, unit: CheckUnit) -> Predicate | None:
    return unit.vocabulary.predicates.get(named(statement).predicate)


# Tense words


def _words(statements: Iterable[Statement], unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB022 for tense words before unchanging predicates, and for the first `after` without declared
    actions.
    """
    no_after = not any(predicate.kind == "action" for predicate in unit.vocabulary.predicates.values())
    no_after = no_after and not any(what == "predicate" for what, _ in unit.broken.declared)
    for statement in statements:
        tense = statement.tense
        if tense is None:
            continue
        predicate = _predicate(statement, unit)
        if predicate is None:
            continue
        if not predicate.has_tense:
            message = f"`{predicate.name}` is {kind_of(predicate)}: it has no `before` or `after`"
            fix = delete_word(statement.span, tense)
            yield error("HB022", message, first_word(statement.span, tense), f"delete `{tense}`", (fix,))
        elif tense == "after" and no_after:
            no_after = False
            message = "`after` never holds, since no action is declared"
            help_ = "declare an action, such as `action move(colour, point).`, or delete `after`"
            fix = delete_word(statement.span, tense)
            yield error("HB022", message, first_word(statement.span, tense), help_, (fix,))


# Rules


def _rule(prepared: PreparedClause, unit: CheckUnit) -> Iterator[Diagnostic]:
    head = prepared.head
    assert head is not None
    predicate = _predicate(head, unit)
    if predicate is not None and predicate.kind == "action":
        message = f"`{predicate.name}` is an action: no rule can conclude that it is taken"
        yield error(
            "HB029",
            message,
            head.span,
            f"conclude its preconditions, such as `derived legal_{predicate.name}(…).`",
        )
        return
    body = [(statement, known) for statement in prepared.statements if (known := _predicate(statement, unit))]
    if predicate is not None and predicate.kind == "static":
        yield from _static(predicate, body)
        return
    changing = [statement for statement, known in body if known.has_tense]
    if predicate is not None:
        changing.insert(0, head)
    if isinstance(head, PlanStatement) and any(s.tense is not None for s in changing):
        return
    if any(statement.tense is not None for statement in changing):
        yield from _tensed(prepared, head, changing)
        return
    for statement, known in body:
        if known.kind == "action":
            message = f"the rule has no tense word, so it cannot mention the action `{known.name}`"
            yield error("HB024", message, name_span(named(statement)), _moments(head))
            return


def _moments(head: Statement) -> str:
    """Return a suggestion how to add moments to a timeless rule."""
    if isinstance(head, GameStatement):
        return f"say when: `before {head.game.predicate}(…) … :-`, and `before` or `after` in its conditions"
    return f"say when: `after {predicate_of(head)}(…) :-`, and `before` or `after` in its conditions"


def _static(predicate: Predicate, body: list[tuple[Statement, Predicate]]) -> Iterator[Diagnostic]:
    for statement, known in body:
        if known.kind != "static":
            message = (
                f"`{predicate.name}` is static, so it cannot depend on `{known.name}`, which is "
                f"{kind_of(known)}"
            )
            help_ = f"declare `{predicate.name}` as derived, or conclude it from statics alone"
            yield error("HB038", message, name_span(named(statement)), help_)
            return


def _tensed(prepared: PreparedClause, head: Statement, changing: list[Statement]) -> Iterator[Diagnostic]:
    concludes = changing[0] is head  # false if the predicate of the head is unknown
    future = [statement for statement in changing[concludes:] if statement.tense == "after"]
    regression = isinstance(head, GameStatement)
    backwards = bool(future) and concludes and not regression and head.tense != "after"
    if backwards:
        name = named(head).predicate
        concluded = f"`before {name}`" if head.tense == "before" else f"`{name}` at any moment"
        message = f"the rule concludes {concluded} from what holds after the action"
        help_ = "conclude `after …`, or read this `before`; only the value of a game is carried back"
        yield error("HB025", message, future[0].span, help_)
    missing = [s for s in changing if s.tense is None and not (backwards and s is head)]
    if missing:
        first = named(missing[0])
        message = (
            f"`{first.predicate}` needs a tense word, since the rule has one elsewhere{_also(missing[1:])}"
        )
        help_ = "write `before` or `after` in front of everything that changes, or leave all tense words out"
        span = name_span(first)
        fixes = (write_before(span, "before "), write_before(span, "after "))
        yield error("HB023", message, span, help_, fixes)


def _also(others: list[Statement]) -> str:
    """Return the other predicates that need a tense word, as a text in brackets."""
    names = list(dict.fromkeys(f"`{named(statement).predicate}`" for statement in others))
    if len(names) < 2:
        return "".join(f" (and so does {name})" for name in names)
    return f" (and so do {', '.join(names)})"
