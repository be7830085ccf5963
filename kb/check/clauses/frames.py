"""Frames: which actions may change a fluent.

Each case is one action and conditions on the state in which it is taken.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.declarations import Frame
from hornbook.kb.ast.terms import Atom
from hornbook.kb.check.subject import Reading, Subject, first_word, named
from hornbook.kb.parse.vocabulary import kind_of
from hornbook.kb.sources.diagnostics import Diagnostic, error


def check_frames(subject: Subject) -> Iterator[Diagnostic]:
    """HB034; what every rule is checked for (names, sorts, safety) is found with the rules."""
    for frame, cases in subject.frames:
        yield from _fluent(frame, subject)
        for case in cases:
            yield from _tense_words(case, subject)
            yield from _one_action(case, subject)


def _fluent(frame: Frame, subject: Subject) -> Iterator[Diagnostic]:
    predicate = subject.predicate(frame.fluent.predicate)
    if predicate is not None and predicate.kind != "fluent":
        message = f"`{predicate.name}` is {kind_of(predicate)}, and only a fluent has a frame"
        yield error(
            "HB034", message, frame.fluent.span, "give frames to the fluents that it is concluded from"
        )
    elif frame.fluent.tense is not None:  # pragma: no cover - the grammar has no tense word there
        yield error("HB034", "a frame has no tense word", frame.fluent.span, f"delete `{frame.fluent.tense}`")


def _tense_words(case: Reading, subject: Subject) -> Iterator[Diagnostic]:
    for statement in case.statements:
        atom = named(statement)
        predicate = subject.predicate(atom.predicate)
        if atom.tense is not None and (predicate is None or predicate.has_tense):
            message = "a frame is read in the state where the action is taken, so it has no tense words"
            help_ = f"delete `{atom.tense}`" if atom.tense == "before" else "say what holds before the action"
            yield error("HB034", message, first_word(statement.span, atom.tense), help_)


def _one_action(case: Reading, subject: Subject) -> Iterator[Diagnostic]:
    actions: list[Atom] = []
    for condition in case.body:
        if isinstance(condition, Atom):
            predicate = subject.predicate(condition.predicate)
            if predicate is None:
                return  # it may be the action
            if predicate.kind == "action":
                actions.append(condition)
    if not actions:
        message = "a case of a frame without an action"
        yield error("HB034", message, case.body[0].span, "name the action that may change the fluent")
    elif len(actions) > 1:
        message = f"a case of a frame with two actions, `{actions[0].predicate}` and `{actions[1].predicate}`"
        yield error("HB034", message, actions[1].span, "write two cases, with `;` between them")
