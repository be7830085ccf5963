"""JSON lines (one object per line), with errors at the line and column of a missing or malformed value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, NoReturn, TypeVar

from hornbook.kb.text.dataclass import dataclass
from hornbook.kb.text.lines import lines_of
from hornbook.theories.places import SourcePlace

Read = TypeVar("Read")
_KINDS: dict[type, str] = {str: "a text", int: "a whole number", list: "a list"}


@dataclass(frozen=True, slots=True)
class JsonLine:
    """Object of one line, with the position of its keys."""

    place: SourcePlace
    source: str
    keys: dict[str, Any]

    def get(self, key: str, kind: type, *, needed: bool = False) -> Any:
        """Return the value of a key, or None if it is null or missing.

        Raise TheoryError if it is not a `kind`.
        """
        value = self.keys.get(key)
        if value is None:
            if needed:
                self.fail(None, f"`{key}` is missing")
            return None
        if not isinstance(value, kind) or isinstance(value, bool):
            self.fail(key, f"`{key}` is {_KINDS[kind]}")
        return value

    def fail(self, key: str | None, message: str, hint: str = "") -> NoReturn:
        """Raise TheoryError at the value of the key."""
        found = None if key is None else re.search(rf'"{re.escape(key)}"\s*:\s*', self.source)
        column = 1 if found is None else found.end() + 1
        length = len(self.source) if found is None else _length(self.source, column)
        place = self.place
        SourcePlace(place.file, place.text, place.line, column, length).fail(message, hint)


def _length(source: str, column: int) -> int:
    """Return the length of the JSON value that begins at a column."""
    try:
        return json.JSONDecoder().raw_decode(source, column - 1)[1] - column + 1
    except (ValueError, RecursionError):
        return 1


def objects(text: str, file: str) -> Iterator[JsonLine]:
    """Yield the objects of a text, one per line, without blank lines. Raise TheoryError (HB005)."""
    for number, source in enumerate(lines_of(text), 1):
        if not source.strip():
            continue
        place = SourcePlace(file, text, number, 1, len(source))
        try:
            value = json.loads(source)
        except json.JSONDecodeError as problem:
            SourcePlace(file, text, number, problem.colno).fail(f"this is not JSON: {problem.msg}")
        except RecursionError:
            place.fail("this is nested too deeply")
        except ValueError:
            place.fail("this has a number of thousands of digits")
        if not isinstance(value, dict):
            place.fail("a line holds one object in braces")
        yield JsonLine(place, source, value)


def by_id(
    text: str, file: str, read: Callable[[JsonLine], Read], known: Collection[str] | None = None
) -> dict[str, Read]:
    """Return the result of `read` for each line by its unique `id`.

    For answers, `known` contains the ids of the problems.
    """
    found: dict[str, Read] = {}
    lines: dict[str, int] = {}
    for line in objects(text, file):
        name = line.get("id", str, needed=True)
        if known is not None and name not in known:
            line.fail("id", f"there is no problem `{name}`")
        if name in found and known is not None:
            line.fail("id", f"`{name}` is answered already")
        says = read(line)
        if name in found:
            line.fail("id", f"`{name}` is on line {lines[name]} already")
        found[name], lines[name] = says, line.place.line
    return found
