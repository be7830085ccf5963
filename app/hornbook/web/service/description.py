"""OpenAPI description of the service, generated from the types of requests, and a page about it."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from hornbook.kb.text.escaping import markup
from hornbook.matcher.program.dataclass import dataclass
from hornbook.web.service import questions, replies

OPEN = frozenset({"/healthz", "/readyz"})
"""The paths that need no token."""
_REFERENCE = "#/components/schemas/{name}"
_SESSION = "/sessions/{session}"


@dataclass(frozen=True, slots=True)
class ApiOperation:
    """An operation at a path: name, summary, types of body and replies, and possible refusals."""

    method: str
    path: str
    name: str
    says: str
    sent: type[Any] | None
    answered: tuple[type[Any], ...]
    refusals: tuple[int, ...]
    status: int = 200


_QUESTION_STATUSES = (400, 408, 409, 413, 415, 422, 503, 504)
"""The refusals of operations with a body that a worker answers."""
_EVERYWHERE = (403, 421, 429, 431)
"""The refusals of every request."""

OPERATIONS = (
    ApiOperation(
        "post", "/query", "query", "Answer a query.",
        questions.Query, (replies.Answers,), _QUESTION_STATUSES,
    ),
    ApiOperation(
        "post", "/query-states", "query-states", "Answer a query in each of some states.",
        questions.QueryBatch, (replies.BatchAnswers,), _QUESTION_STATUSES,
    ),
    ApiOperation(
        "post", "/why", "why", "Prove a fact.",
        questions.Why, (replies.Proof,), (404, *_QUESTION_STATUSES),
    ),
    ApiOperation(
        "post", "/why-not", "why-not", "Explain why a fact does not hold.",
        questions.WhyNot, (replies.WhyNot,), _QUESTION_STATUSES,
    ),
    ApiOperation(
        "post", "/match", "match", "Return the conclusions of learned rules about a state.",
        questions.Match, (replies.Matches,), _QUESTION_STATUSES,
    ),
    ApiOperation(
        "post", "/match-states", "match-states",
        "Return the conclusions of learned rules about each of some states.",
        questions.StateBatch, (replies.BatchMatches,), _QUESTION_STATUSES,
    ),
    ApiOperation(
        "post", "/advise", "advise", "Recommend decisions, with the goals that each reaches.",
        questions.Advise, (replies.Advice, replies.Judgement), _QUESTION_STATUSES,
    ),
    ApiOperation(
        "post", "/facts", "change-facts",
        "Change the facts of the store in one transaction. It is on disk before the response is sent.",
        questions.Change, (replies.Changed,), _QUESTION_STATUSES,
    ),
    ApiOperation(
        "post", "/sessions", "begin-session", "Start a session with its own facts.",
        questions.NewSession, (replies.Session,), _QUESTION_STATUSES, 201,
    ),
    ApiOperation(
        "get", _SESSION, "session", "Describe a session. This counts as a use of the session.",
        None, (replies.Session,), (404,),
    ),
    ApiOperation("delete", _SESSION, "end-session", "End a session.", None, (), (404,), 204),
    ApiOperation(
        "post", f"{_SESSION}/facts", "change-session",
        "Change the facts of a session. Either all changes are made or none.",
        questions.Change, (replies.Changed,), (404, *_QUESTION_STATUSES),
    ),
    ApiOperation(
        "post", f"{_SESSION}/query", "query-session", "Answer a query with the facts of a session.",
        questions.Query, (replies.Answers,), (404, *_QUESTION_STATUSES),
    ),
    ApiOperation(
        "post", f"{_SESSION}/query-states", "query-states-session",
        "Answer a query in each of some states, with the facts of a session.",
        questions.QueryBatch, (replies.BatchAnswers,), (404, *_QUESTION_STATUSES),
    ),
    ApiOperation(
        "post", f"{_SESSION}/why", "why-session", "Prove a fact with the facts of a session.",
        questions.Why, (replies.Proof,), (404, *_QUESTION_STATUSES),
    ),
    ApiOperation(
        "post", f"{_SESSION}/why-not", "why-not-session",
        "Explain why a fact does not hold, with the facts of a session.",
        questions.WhyNot, (replies.WhyNot,), (404, *_QUESTION_STATUSES),
    ),
    ApiOperation(
        "post", "/reload", "reload",
        "Reload the theory, the store and the rules. If they have mistakes, nothing changes.",
        None, (replies.Served,), (409,),
    ),
    ApiOperation("get", "/theory", "theory", "Describe the theory and rules.", None, (replies.Served,), ()),
    ApiOperation("get", "/healthz", "alive", "Return whether the service runs.", None, (replies.Health,), ()),
    ApiOperation(
        "get", "/readyz", "ready", "Return whether the service accepts requests.",
        None, (replies.Health,), (503,),
    ),
    ApiOperation("get", "/metrics", "metrics", "Return metrics for Prometheus.", None, (str,), ()),
)  # fmt: skip
"""All operations, in the order of the description."""

_DESCRIPTIONS = {
    400: "The body is not JSON, or does not match the schema.",
    401: "The token is missing or not valid.",
    403: "The request comes from a page of another origin, or the token lacks the role.",
    404: "There is no such session, or no proof.",
    408: "The body was not complete in time.",
    409: "The facts contradict the theory, or changes and reloads are impossible.",
    413: "The body is too long.",
    415: "The content type is not JSON.",
    421: "The Host header names another host.",
    422: "A text, a table or a state has a mistake, or a limit was exceeded.",
    429: "The client has too many requests in progress, in a second or sessions, or too many reloads wait.",
    431: "The header is too long.",
    503: "Too many requests wait, the store cannot be used, or the service is ending.",
    504: "The answer exceeded the time limit.",
}


def description() -> dict[str, Any]:
    """Return the OpenAPI description."""
    requested = [each.sent for each in OPERATIONS if each.sent is not None]
    shapes: list[type[Any]] = [
        *requested,
        *(shape for each in OPERATIONS for shape in each.answered),
        replies.Refusal,
    ]
    schemas, components = msgspec.json.schema_components(shapes, ref_template=_REFERENCE)
    schema = dict(zip(shapes, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _described(operation, schema)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Hornbook",
            "version": version("hornbook"),
            "description": "Answers from a theory, its facts and its learned rules.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _described(operation: ApiOperation, schema: dict[type[Any], Any]) -> dict[str, Any]:
    is_open = operation.path in OPEN
    refused = sorted({*operation.refusals, *_EVERYWHERE, *(() if is_open else (401,))})
    refusals = [replies.Refusal, replies.Health] if operation.path == "/readyz" else [replies.Refusal]
    answered: dict[str, Any] = {"description": operation.says}
    if operation.answered:
        answered["content"] = _content([schema[each] for each in operation.answered])
    refusal = {"content": _content([schema[each] for each in refusals])}
    found: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.says,
        "responses": {
            str(operation.status): answered,
            **{str(status): {"description": _DESCRIPTIONS[status], **refusal} for status in refused},
        },
        "security": [{}] if is_open else [{}, {"token": []}],
    }
    if operation.sent is not None:
        found["requestBody"] = {"required": True, "content": _content([schema[operation.sent]])}
    if "{session}" in operation.path:
        found["parameters"] = [
            {
                "name": "session",
                "in": "path",
                "required": True,
                "description": "The name of the session, which `POST /sessions` returned.",
                "schema": {"type": "string", "minLength": 1},
            }
        ]
    return found


def _content(schemas: list[Any]) -> dict[str, Any]:
    """Return a body of one of these types; a string type is plain text."""
    kind = "text/plain" if schemas == [{"type": "string"}] else "application/json"
    return {kind: {"schema": schemas[0] if len(schemas) == 1 else {"anyOf": schemas}}}


def page(described: dict[str, Any]) -> str:
    """Return the description as a page of HTML, whose only other resource is its style sheet."""
    template = Environment(
        loader=PackageLoader("hornbook.web.service"), autoescape=True, trim_blocks=True
    ).get_template("service.html")
    return template.render(
        described=described, components=described["components"]["schemas"], field_text=_field_text
    )


def _field_text(field: dict[str, Any]) -> Markup:
    """Return the description of a field as HTML, with the text between backticks as code."""
    text = next(
        (each["description"] for each in (field, *field.get("anyOf", ())) if "description" in each), ""
    )
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", markup(text)))  # noqa: S704 - it is escaped
