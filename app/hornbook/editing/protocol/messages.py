"""Messages between an editor and the language server: each one with an `id` has an answer."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol


class HornProtocol(LanguageServerProtocol):
    """JSON-RPC in which each request has an answer: one that cannot be read is answered by an error."""

    def structure_message(self, data: Any) -> Any:
        """Leave objects as they are: this is called for the objects within a message too."""
        return data

    def handle_message(self, message: Any) -> None:
        known = message if isinstance(message, dict) else {}
        number = known.get("id")
        is_request = "method" in known and "id" in known
        try:
            if not known or ("id" in known and not _is_id(number)):
                raise JsonRpcInvalidRequest("a message is an object, and its `id` a text or an integer")
            if known.get("jsonrpc") != self.VERSION or (
                "method" in known and type(known["method"]) is not str
            ):
                raise JsonRpcInvalidRequest('a message has `"jsonrpc": "2.0"` and a `method` that is a text')
            if is_request:
                self._must_be_taken(known["method"])
            structured = super().structure_message(known)
        except JsonRpcException as problem:
            if is_request or not known:
                self.refuse(number if _is_id(number) else None, problem)
            return
        super().handle_message(structured)

    def refuse(self, number: str | int | None, problem: JsonRpcException) -> None:
        """Answer a request by an error. The number is None where the message has none that can be read."""
        error = {"code": problem.code, "message": problem.message}
        self._send_data({"jsonrpc": self.VERSION, "id": number, "error": error})

    def _must_be_taken(self, method: str) -> None:
        """Raise JsonRpcException where the server does not know a method, or does not take it now."""
        if self._shutdown:
            raise JsonRpcInvalidRequest("the server is shut down")
        if method in lsp.METHOD_TO_TYPES and lsp.METHOD_TO_TYPES[method][1] is None:
            raise JsonRpcInvalidRequest(f"`{method}` is a notification, and a notification has no `id`")
        if method not in self.fm.builtin_features and method not in self.fm.features:
            raise JsonRpcMethodNotFound.of(method)
        if method == lsp.INITIALIZE and self._workspace is not None:
            raise JsonRpcInvalidRequest("the session is initialised already")
        if method != lsp.INITIALIZE and self._workspace is None:
            raise JsonRpcServerNotInitialized("the first request is `initialize`")


def _is_id(found: Any) -> bool:
    return isinstance(found, str | int) and not isinstance(found, bool)
