"""JSON, one object a line: what is missing or of the wrong kind is told with the place where it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from hornbook.kb.text.lines import lines_of
from hornbook.theories.places import Place

_KINDS: dict[type, str] = {str: "a text", int: "a whole number", list: "a list"}


@dataclass(frozen=True, slots=True)
class Line:
    """The object of one line, which knows where its keys stand."""

    place: Place
    source: str
    keys: dict[str, Any]

    def get(self, key: str, kind: type, *, needed: bool = False) -> Any:
        """The value of a key, of that kind, or None where it is null or missing."""
        value = self.keys.get(key)
        if value is None:
            if needed:
                self.fail(None, f"`{key}` is missing")
            return None
        if not isinstance(value, kind) or isinstance(value, bool):
            self.fail(key, f"`{key}` is {_KINDS[kind]}")
        return value

    def fail(self, key: str | None, message: str, hint: str = "") -> NoReturn:
        """Raises TheoryError at the value of the key."""
        found = None if key is None else re.search(rf'"{re.escape(key)}"\s*:\s*', self.source)
        column = 1 if found is None else found.end() + 1
        length = len(self.source) if found is None else _length(self.source, column)
        place = self.place
        Place(place.file, place.text, place.line, column, length).fail(message, hint)


def _length(source: str, column: int) -> int:
    """How long the value is that begins at a column."""
    try:
        return json.JSONDecoder().raw_decode(source, column - 1)[1] - column + 1
    except (ValueError, RecursionError):
        return 1


def objects(text: str, file: str) -> Iterator[Line]:
    """The objects of a text, one a line; blank lines are left out. Raises TheoryError (HB005)."""
    for number, source in enumerate(lines_of(text), 1):
        if not source.strip():
            continue
        place = Place(file, text, number, 1, len(source))
        try:
            value = json.loads(source)
        except json.JSONDecodeError as problem:
            Place(file, text, number, problem.colno).fail(f"this is not JSON: {problem.msg}")
        except RecursionError:
            place.fail("this is nested too deeply")
        except ValueError:
            place.fail("this has a number of thousands of digits")
        if not isinstance(value, dict):
            place.fail("a line holds one object in braces")
        yield Line(place, source, value)
