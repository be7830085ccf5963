"""Worker process of the service: it loads the theory and rules, and answers one request after another.

Invariants: The process ends when its parent ends or disconnects. Only sessions and changes that it was
notified of outlive a request.
"""

from __future__ import annotations

import pickle
import socket
from collections.abc import Callable, Iterable
from contextlib import closing
from decimal import Decimal, InvalidOperation
from io import BufferedReader
from typing import Any

import msgspec

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.lower.budget import resident
from hornbook.kb.store import StoreError
from hornbook.kb.text.streams import TEXTS
from hornbook.terminal.code_exits import exits_are_errors
from hornbook.web.service.answering import KINDS, RequestAnswerer
from hornbook.web.service.messages import (
    HEAD,
    ChangeNotice,
    Done,
    Ready,
    RefusedRequest,
    SessionFacts,
    Setup,
    WorkRequest,
    packed,
)
from hornbook.web.service.opened import LoadedData, opened, opened_store
from hornbook.web.service.questions import Change, NewSession
from hornbook.web.service.refusing import UnsupportedError, malformed, refused

_OFTEN = 64
"""The number of requests between two checks of the memory."""
_SHAPES: dict[str, type[msgspec.Struct]] = {**KINDS, "change": Change, "begin": NewSession}
"""The type of the body of each kind of request."""
_DECODERS = {name: msgspec.json.Decoder(shape) for name, shape in _SHAPES.items()}


def work(
    channel: socket.socket,
    setup: Setup,
    what: bytes | None,
    *,
    keeps: bool,
    settle: Callable[[], None] = lambda: None,
) -> None:
    """Answer requests on a channel, with data loaded by another process (`what`) or loaded now.

    With `keeps` the process changes the store instead. `settle` is called when long-lived objects have been
    created: at the start, and after the first answer of each kind.
    """
    with channel:
        TEXTS.update(setup.streams)
        try:
            worker = StoreWriter(setup) if keeps else QueryWorker(setup, what)
        except Exception as problem:  # noqa: BLE001 - any error is reported
            _send(channel, _failed(problem))
            return
        _send(channel, worker.ready)
        settle()
        met: set[str] = set()
        with closing(worker), channel.makefile("rb") as coming:
            while (message := _receive(coming)) is not None:
                if isinstance(message, ChangeNotice):
                    assert isinstance(worker, QueryWorker)
                    worker.answering.apply(message.retract, message.add)
                else:
                    _send(channel, worker.answer(message))
                    if message.kind not in met:
                        met.add(message.kind)
                        settle()


class QueryWorker:
    """A worker that answers questions and computes sessions after a change."""

    def __init__(self, setup: Setup, what: bytes | None) -> None:
        found: LoadedData = opened(setup) if what is None else pickle.loads(what)  # noqa: S301 - from the server process
        self.answering = RequestAnswerer(found, setup)
        self._most_bytes = setup.most_answer_bytes
        self._growth, self._asked, self._held = setup.growth, 0, resident()
        self.ready = Ready(
            pickle.dumps(found, pickle.HIGHEST_PROTOCOL) if what is None else b"", _served(found)
        )

    def answer(self, work: WorkRequest) -> Done:
        try:
            requested = _read(_DECODERS[work.kind], work.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
            return _done(malformed(work.body, problem, _SHAPES[work.kind]))
        most = self._most_bytes
        try:
            found, stored = self._found(work, requested)
            body = msgspec.json.encode(found)
            if len(body) > most:
                reported = (
                    f"the answer is longer than {most:,} bytes; request less, or raise the limit"
                    " (`--answer-bytes`)"
                )
                return _done(RefusedRequest(422, "limit", reported), has_grown=self._has_grown())
            return Done(200, body, update=stored, has_grown=self._has_grown())
        except Exception as problem:  # noqa: BLE001 - the next request must be answered in any case
            return _done(refused(problem), has_grown=self._has_grown())

    @exits_are_errors
    def _found(self, work: WorkRequest, requested: Any) -> tuple[Any, SessionFacts | None]:
        """Return the answer to a request, and the facts of its session after a change."""
        answering = self.answering
        match work.kind:
            case "change":
                assert work.session_facts is not None
                return answering.change(work.session_facts, requested)
            case "begin":
                assert work.session_facts is not None
                return answering.begin(work.session_facts, requested)
            case "match":
                return answering.match(requested), None
            case "match-states":
                return answering.match_states(requested), None
            case "advise":
                return answering.advise(requested), None
            case _:
                answering.switch_to(work.session_facts)
                return getattr(answering, work.kind.replace("-", "_"))(requested), None

    def close(self) -> None:
        """Do nothing."""

    def _has_grown(self) -> bool:
        self._asked += 1
        return self._asked % _OFTEN == 0 and resident() - self._held > self._growth


class StoreWriter:
    """A worker that changes the facts of a store. A change that it reports is on the disk."""

    def __init__(self, setup: Setup) -> None:
        self._store, theory = opened_store(setup.target)
        facts = tuple(self._store.facts_in_columns(theory.name))
        found = LoadedData(theory, facts)
        self._answering = RequestAnswerer(found, setup)
        self.ready = Ready(b"", _served(found))

    def answer(self, work: WorkRequest) -> Done:
        try:
            requested = _read(_DECODERS[work.kind], work.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
            return _done(malformed(work.body, problem, _SHAPES[work.kind]))
        is_in_engine = False
        try:
            retract, add = self._answering.read_change(requested)
            self._must_not_be_stated(retract)
            name = self._answering.theory.name
            with self._store.transaction():
                retracted = self._store.retract_facts(retract, name)
                added = self._store.add_facts(add, name)
                self._answering.apply(retract, add)
                is_in_engine = True
        except Exception as problem:  # noqa: BLE001 - any error is reported
            return _done(refused(problem), must_end=is_in_engine)
        body = msgspec.json.encode({"added": added, "retracted": retracted})
        return Done(200, body, update=ChangeNotice(tuple(retract), tuple(add)))

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def _must_not_be_stated(self, facts: Iterable[GroundFact]) -> None:
        stated = self._answering.stated
        for fact in facts:
            if fact in stated:
                raise UnsupportedError(
                    f"`{fact.relation}({', '.join(map(str, fact.values))})` is a fact of the theory's text"
                )


def _read(decoder: msgspec.json.Decoder[Any], body: bytes) -> Any:
    """Return a body converted to its type. An integer may be written `5.0`, as JSON Schema allows.

    Raises the exceptions of the decoder.
    """
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as problem:
        if "got `float`" not in str(problem):
            raise
    return msgspec.convert(_with_whole_numbers(_EXACT.decode(body)), decoder.type)


def _exact(text: str) -> Decimal | float:
    try:
        return Decimal(text)
    except InvalidOperation:
        # The exponent is out of the range of decimal numbers.
        return float(text)


_EXACT = msgspec.json.Decoder(float_hook=_exact)
"""A decoder of numbers without rounding, so that `9007199254740993.5` is no whole number."""


def _with_whole_numbers(reported: Any) -> Any:
    match reported:
        case Decimal():
            is_whole = abs(reported) < 1 << 64 and reported == reported.to_integral_value()
            return int(reported) if is_whole else float(reported)
        case list():
            return [_with_whole_numbers(each) for each in reported]
        case dict():
            return {name: _with_whole_numbers(each) for name, each in reported.items()}
    return reported


def _served(found: LoadedData) -> dict[str, Any]:
    return {
        "theory": found.theory.name,
        "fingerprint": found.fingerprint,
        "rules": len(found.certified),
        "facts": sum(map(len, found.facts)),
        "warnings": list(found.warnings),
    }


def _failed(problem: Exception) -> Done:
    """Return the result if nothing can be served; the log has the complete text."""
    if isinstance(problem, StoreError):
        return _done(RefusedRequest(503, "store", str(problem), log=f"error: {problem}"))
    notified = refused(problem)
    return Done(notified.status, notified.body, notified.log or str(problem))


def _done(reported: RefusedRequest, *, has_grown: bool = False, must_end: bool = False) -> Done:
    return Done(reported.status, reported.body, reported.log, has_grown=has_grown, must_end=must_end)


def _send(channel: socket.socket, message: object) -> None:
    channel.sendall(packed(message))


def _receive(coming: BufferedReader) -> Any:
    """Return the next message; None at the end."""
    try:
        head = coming.read(HEAD.size)
        if len(head) < HEAD.size:
            return None
        (size,) = HEAD.unpack(head)
        content = coming.read(size)
    except ConnectionError:
        return None
    return pickle.loads(content) if len(content) == size else None  # noqa: S301 - from the parent process
