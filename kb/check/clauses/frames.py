"""Frames: the actions that may change a fluent, or that may end a persisting fluent.

Each case is one action and conditions on the state before it.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.declarations import Frame
from hornbook.kb.ast.terms import Atom, Condition
from hornbook.kb.check.check_unit import CheckUnit, PreparedClause, first_word, named
from hornbook.kb.parse.vocabulary import declaration, kind_of
from hornbook.kb.sources.diagnostics import Diagnostic, delete_word, error


def check_frames(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB034 and HB064. The checks common to all rules (names, sorts, safety) also cover frames."""
    for frame, cases in unit.frames:
        yield from _fluent(frame, unit)
        for case in cases:
            yield from _tense_words(case, unit)
            yield from _one_action(case, unit)
    own = {id(frame) for frame, _ in unit.frames}
    for frame, problem in unit.persisting.problems:
        if id(frame) in own:
            message = f"after `unless`, {problem}"
            yield error("HB064", message, problem.condition.span, _suggestion(problem.condition, unit))


def _suggestion(condition: Condition, unit: CheckUnit) -> str:
    """Return a suggestion for a condition that has no opposite."""
    predicate = unit.fits(condition) if isinstance(condition, Atom) else None
    if predicate is not None and predicate.key is not None:
        return f"ask for one of its values, and give its key by the conditions: `{predicate.name}(…, …)`"
    if predicate is not None and predicate.kind == "action":
        return "conclude one value from several of these conditions, by rules with a predicate that has a key"
    if predicate is not None and predicate.name in unit.counters:
        return (
            f"give the key of the set `{predicate.name}` by the action or another condition, and one member"
        )
    name = "it" if predicate is None else predicate.name
    columns = ", ".join(column.name for column in predicate.columns) if predicate is not None else "…"
    if predicate is not None and predicate.kind in ("static", "fluent") and not predicate.complete:
        return f"if all of these facts are given, declare `{declaration(predicate)} complete`"
    declare = (
        f"if all that it rests on is complete, declare `{declaration(predicate)} complete`, and "
        "conclude it with "
        "`before` where that changes; or else "
        if predicate is not None and predicate.kind == "derived" and not predicate.complete
        else ""
    )
    return (
        f"{declare}conclude a value that says yes or no, such as `derived {name}_or_not({columns} -> "
        "answer)`, and ask for"
        f" `{name}_or_not(…, yes)`"
        + ("" if predicate is None else f"; or close the set with `counts {name}`")
    )


def _fluent(frame: Frame, unit: CheckUnit) -> Iterator[Diagnostic]:
    predicate = unit.predicate(frame.fluent.predicate)
    if predicate is not None and predicate.kind != "fluent":
        does = "persists" if frame.persists else "has a frame"
        give = "say so of" if frame.persists else "give frames to"
        help_ = f"{give} the fluents that it is concluded from"
        message = f"`{predicate.name}` is {kind_of(predicate)}, and only a fluent {does}"
        yield error("HB034", message, frame.fluent.span, help_)
    elif frame.fluent.tense is not None:  # pragma: no cover - the grammar has no tense word there
        yield error("HB034", "a frame has no tense word", frame.fluent.span, f"delete `{frame.fluent.tense}`")


def _tense_words(case: PreparedClause, unit: CheckUnit) -> Iterator[Diagnostic]:
    for statement in case.statements:
        atom = named(statement)
        predicate = unit.predicate(atom.predicate)
        if atom.tense is not None and (predicate is None or predicate.has_tense):
            message = "a frame is read in the state where the action is taken, so it has no tense words"
            span = first_word(statement.span, atom.tense)
            if atom.tense == "before":
                yield error("HB034", message, span, "delete `before`", (delete_word(span, "before"),))
            else:
                yield error("HB034", message, span, "write the conditions before the action")


def _one_action(case: PreparedClause, unit: CheckUnit) -> Iterator[Diagnostic]:
    actions: list[Atom] = []
    for condition in case.body:
        if isinstance(condition, Atom):
            predicate = unit.predicate(condition.predicate)
            if predicate is None:
                return  # the unknown predicate may be the action
            if predicate.kind == "action":
                actions.append(condition)
    if not actions:
        message = "a case of a frame without an action"
        yield error("HB034", message, case.body[0].span, "name the action that may change the fluent")
    elif len(actions) > 1:
        message = f"a case of a frame with two actions, `{actions[0].predicate}` and `{actions[1].predicate}`"
        yield error("HB034", message, actions[1].span, "write two cases, with `;` between them")
