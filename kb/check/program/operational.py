"""The words after a declaration: `operational` (learned rules may ask for what is derived as it is) and `observed`
(what is concluded after an action is true of the state that is given next).
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.check.subject import Subject
from hornbook.kb.parse.vocabulary import kind_of
from hornbook.kb.sources.diagnostics import Diagnostic, error


def check_operational(subject: Subject) -> Iterator[Diagnostic]:
    """HB046."""
    for predicate in subject.predicates:
        if predicate.operational and predicate.kind != "derived":
            message = f"`{predicate.name}` is {kind_of(predicate)}, and only a derived predicate is made operational"
            given = predicate.kind in ("static", "fluent", "action")
            help_ = "delete `operational`" + (": learned rules ask for what is given anyway" if given else "")
            yield error("HB046", message, predicate.span, help_)


def check_observed(subject: Subject) -> Iterator[Diagnostic]:
    """HB048."""
    for predicate in subject.predicates:
        if predicate.observed and predicate.kind not in ("fluent", "derived"):
            message = (
                f"`{predicate.name}` is {kind_of(predicate)}, and only a fluent or a derived predicate is observed"
                " after an action"
            )
            yield error("HB048", message, predicate.span, "delete `observed`")
