"""OpenAPI description of the service, and a page about it, generated from the types of requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import msgspec

from hornbook.kb.text.escaping import markup
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
    ApiOperation("post", "/query", "query", "The answers to a query.", questions.Query,
              (replies.Answers,), _QUESTION_STATUSES),
    ApiOperation("post", "/why", "why", "The proof of a fact.", questions.Why, (replies.Proof,), (404, *_QUESTION_STATUSES)),  # noqa: E501 - one row of a table
    ApiOperation("post", "/why-not", "why-not", "Why a fact does not hold.", questions.WhyNot,
              (replies.WhyNot,), _QUESTION_STATUSES),
    ApiOperation("post", "/match", "match", "What learned rules say of a state.", questions.Match,
              (replies.Matches,), _QUESTION_STATUSES),
    ApiOperation("post", "/advise", "advise", "Which decisions reach which goals.", questions.Advise,
              (replies.Advice, replies.Judgement), _QUESTION_STATUSES),
    ApiOperation("post", "/facts", "change-facts", ("Changes the facts of the store, in one transaction."
    " What is answered is on the disk."),
              questions.Change, (replies.Changed,), _QUESTION_STATUSES),
    ApiOperation("post", "/sessions", "begin-session", "Begins a session with facts of its own.",
              questions.NewSession,
              (replies.Session,), _QUESTION_STATUSES, 201),
    ApiOperation("get", _SESSION, "session", "A session, which is used by that.", None, (replies.Session,),
              (404,)),
    ApiOperation("delete", _SESSION, "end-session", "Ends a session.", None, (), (404,), 204),
    ApiOperation("post", f"{_SESSION}/facts", "change-session", ("Changes the facts of a session, all or"
    " none."), questions.Change,
              (replies.Changed,), (404, *_QUESTION_STATUSES)),
    ApiOperation("post", f"{_SESSION}/query", "query-session", ("The answers to a query, with the facts of"
    " a session."), questions.Query,
              (replies.Answers,), (404, *_QUESTION_STATUSES)),
    ApiOperation("post", f"{_SESSION}/why", "why-session", ("The proof of a fact, with the facts of a"
    " session."), questions.Why,
              (replies.Proof,), (404, *_QUESTION_STATUSES)),
    ApiOperation("post", f"{_SESSION}/why-not", "why-not-session", ("Why a fact does not hold, with the"
    " facts of a session."),
              questions.WhyNot, (replies.WhyNot,), (404, *_QUESTION_STATUSES)),
    ApiOperation("post", "/reload", "reload", ("Opens the theory, the store and the rules anew; with"
    " mistakes, all stays as it is."), None,
              (replies.Served,), (409,)),
    ApiOperation("get", "/theory", "theory", "What is served.", None, (replies.Served,), ()),
    ApiOperation("get", "/healthz", "alive", "Whether the service lives.", None, (replies.Health,), ()),
    ApiOperation("get", "/readyz", "ready", "Whether the service takes requests.", None, (replies.Health,),
              (503,)),
    ApiOperation("get", "/metrics", "metrics", "Numbers for Prometheus.", None, (str,), ()),
)  # fmt: skip
"""All operations, in the order of the description."""

_DESCRIPTIONS = {
    400: "The body is no JSON, or not of this shape.",
    401: "A token is missing, or nobody's.",
    403: "The request comes from a page of another origin, or the token has not the role.",
    404: "There is no such session, or no proof.",
    408: "The body takes too long.",
    409: "The facts contradict the theory, or nothing can be changed or reloaded.",
    413: "The body is too long.",
    415: "The body is not called JSON.",
    421: "The Host header names another host.",
    422: "A text, a table or a state has a mistake, or a limit was passed.",
    429: "The client has too many requests, requests in a second or sessions, or too many reloads wait.",
    431: "The header is too long.",
    503: "Too many requests wait, the store cannot be used, or the service is ending.",
    504: "The answer takes more time than it may.",
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
                "description": "The session, as `POST /sessions` called it.",
                "schema": {"type": "string", "minLength": 1},
            }
        ]
    return found


def _content(schemas: list[Any]) -> dict[str, Any]:
    """Return a body of one of these types; a string type is plain text."""
    kind = "text/plain" if schemas == [{"type": "string"}] else "application/json"
    return {kind: {"schema": schemas[0] if len(schemas) == 1 else {"anyOf": schemas}}}


STYLE = (
    ":root { color-scheme: light dark; background: Canvas }\n"
    "body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;"
    " overflow-wrap: break-word }\n"
    "code { font-family: ui-monospace, monospace } h2 { margin-top: 2.5rem }"
    " table { border-collapse: collapse }\n"
    "td, th { text-align: left; vertical-align: top; padding: 0.2rem 1rem 0.2rem 0;"
    " border-bottom: 1px solid #8884 }\n"
)


def page(described: dict[str, Any]) -> str:
    """Return the description as a page of HTML without external resources."""
    return "\n".join(_page(described))


def _page(described: dict[str, Any]) -> Iterator[str]:
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Hornbook</title>'
    yield (
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="stylesheet" href="style.css"><link rel="icon" href="data:,"></head><body><main>'
    )
    yield f"<h1>Hornbook</h1><p>{markup(described['info']['description'])}"
    yield ' For programs: <a href="openapi.json">the OpenAPI description</a>.</p>'
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield (
                f"<h2><code>{method.upper()} {markup(path)}</code></h2><p>{markup(operation['summary'])}</p>"
            )
            if "requestBody" in operation:
                yield from _fields(
                    operation["requestBody"]["content"]["application/json"]["schema"], described
                )
    yield "</main></body></html>"


def _fields(schema: dict[str, Any], described: dict[str, Any]) -> Iterator[str]:
    shape = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    yield "<table><thead><tr><th>field</th><th>what it is</th></tr></thead><tbody>"
    for name, field in shape["properties"].items():
        needed = "Needed. " if name in shape.get("required", ()) else ""
        says = next(
            (each["description"] for each in (field, *field.get("anyOf", ())) if "description" in each), ""
        )
        yield f"<tr><td><code>{markup(name)}</code></td><td>{needed}{_with_code(says)}</td></tr>"
    yield "</tbody></table>"


def _with_code(text: str) -> str:
    """Return a text as HTML, with the text between backticks as code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", markup(text))
