"""Conversion of exceptions to HTTP statuses and refusals.

Invariants: An error in a request is reported with its position. An internal error is reported only in the
log.
"""

from __future__ import annotations

import re

import msgspec

from hornbook.advice.decisions import NoAdviceError
from hornbook.inputs.domains import NoDomainError
from hornbook.inputs.states import NoAdapterError
from hornbook.kb.base.theory_engine import NotDerivedError
from hornbook.kb.load.adapters import AdapterError
from hornbook.kb.lower.budget import SpentError
from hornbook.kb.lower.errors import KnowledgeBaseError, TooManyAnswersError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.sources.diagnostics import TheoryError, did_you_mean
from hornbook.kb.store import StoreError
from hornbook.kb.tables.table_facts import TableError
from hornbook.matcher.program.errors import LimitError, TimeLimitError
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.terminal.failure import INTERNAL, describe, is_of_adapter
from hornbook.web.service.messages import RefusedRequest

BODY = "<body>"
"""The file name of a request's JSON in messages."""
_ENDS_EARLY = "Input data was truncated"
"""msgspec's message, which has no position."""
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")


class UnsupportedError(HornbookError):
    """The served theory does not support this kind of question."""


class TooManyFactsError(HornbookError):
    """A session would exceed its number of facts."""


def refused(problem: BaseException) -> RefusedRequest:
    """Return the refusal for an exception."""
    text = str(problem)
    match problem:
        case TheoryError():
            found = tuple(each.to_dict() for each in problem.diagnostics)
            first = problem.diagnostics[0]
            return RefusedRequest(422, "text", f"{first.span}: {first.message}", found)
        case FactError() | TableError():
            return RefusedRequest(422, "facts", text)
        case TooManyAnswersError():
            return RefusedRequest(422, "limit", text)
        case SpentError():
            return (
                RefusedRequest(504, "time", text)
                if problem.bound == "seconds"
                else RefusedRequest(422, "limit", text)
            )
        case KnowledgeBaseError(__cause__=TimeLimitError() | SpentError()):
            return RefusedRequest(504, "time", text)
        case KnowledgeBaseError(__cause__=LimitError()) | TooManyFactsError():
            return RefusedRequest(422, "limit", text)
        case KnowledgeBaseError():
            return RefusedRequest(409, "contradiction", text)
        case NotDerivedError():
            return RefusedRequest(404, "not-derived", text)
        case AdapterError():
            return _of_adapter(text)
        case NoAdapterError() | NoDomainError() | NoAdviceError() | UnsupportedError():
            return RefusedRequest(422, "unsupported", text)
        case StoreError():
            return RefusedRequest(503, "store", text)
    reported, code = describe(problem)
    if is_of_adapter(problem):
        return _of_adapter(reported)
    if code == INTERNAL or not isinstance(problem, HornbookError):
        return RefusedRequest(500, "internal", "the service failed; its log has the details", log=reported)
    return RefusedRequest(422, "text", text)


def _of_adapter(reported: str) -> RefusedRequest:
    """Return the refusal for an error in the theory's adapter; clients see no details."""
    return RefusedRequest(
        422, "adapter", "the theory's adapter failed on this request; the log has the details", log=reported
    )


def malformed(body: bytes, problem: Exception, shape: type[msgspec.Struct]) -> RefusedRequest:
    """Return the refusal for a body that is not JSON or does not match its type."""
    text = str(problem)
    unknown = _UNKNOWN.fullmatch(text)
    if unknown is not None:
        fields = shape.__struct_fields__
        text += f"; {did_you_mean(unknown[1], fields) or 'there are ' + ', '.join(fields)}"
    if isinstance(problem, RecursionError):
        text = "the JSON is nested too deeply"
    place: int | None = None
    # The error of msgspec before and from version 0.23.
    if isinstance(problem, UnicodeDecodeError) or text.startswith("Invalid UTF-8"):
        place, text = _first_wrong(body), "the body is not UTF-8"
    elif not isinstance(problem, msgspec.ValidationError) and " (byte " in text:
        text, _, rest = text.rpartition(" (byte ")
        place = int(rest.rstrip(")"))
    elif text == _ENDS_EARLY:
        place, text = len(body), "the JSON ends here, and is not whole"
    if place is None:
        return RefusedRequest(400, "body", text)
    before = body[:place]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    found = {
        "file": BODY,
        "line": line,
        "column": column,
        "code": "",
        "severity": "error",
        "message": text,
        "help": "",
    }
    return RefusedRequest(400, "body", f"{BODY}:{line}:{column}: {text}", (found,))


def _first_wrong(body: bytes) -> int:
    """Return the index of the first byte that is not valid UTF-8."""
    try:
        body.decode()
    except UnicodeDecodeError as problem:
        return problem.start
    raise AssertionError("it was not UTF-8")
