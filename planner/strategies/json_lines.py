"""A reader of JSON lines for strategies and proofs; each message has the line, the error, and a remedy."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.matcher.program.hornbook_error import HornbookError

LINE_OF_NODE_0 = 2
Read = TypeVar("Read")
_MOST_LINE = 16 * 1024 * 1024


class StrategyFileError(HornbookError, ValueError):
    """A file that contains no valid strategy; the message has the place and a remedy."""


class StrategyLineReader:
    """A parser of lines that tracks its position. `way_out` describes how to make such a file."""

    def __init__(self, name: str, way_out: str) -> None:
        self._name, self._way_out = on_one_line(name), way_out
        self.line = 1

    def object(self, text: str) -> dict[str, Any]:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise self.wrong("the line is not JSON") from None
        if not isinstance(found, dict):
            raise self.wrong("the line is not an object of JSON")
        return found

    def integer(self, line: dict[str, Any], key: str, least: int, most: int | None = None) -> int:
        found = line.get(key)
        if not isinstance(found, int) or isinstance(found, bool) or found < least:
            raise self.wrong(f"`{key}` is not an integer from {least}")
        if most is not None and found > most:
            raise self.wrong(f"`{key}` is not an integer from {least} to {most}")
        return found

    def word(self, line: dict[str, Any], key: str) -> str:
        found = line.get(key)
        if not isinstance(found, str):
            raise self.wrong(f"`{key}` is not a text")
        return found

    def words(self, line: dict[str, Any], key: str) -> list[str]:
        found = line.get(key)
        if not isinstance(found, list) or not all(isinstance(word, str) for word in found):
            raise self.wrong(f"`{key}` is not a list of texts")
        return found

    def objects(self, line: dict[str, Any], key: str, parts: str) -> list[dict[str, Any]]:
        found = line.get(key)
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            raise self.wrong(f"`{key}` is not a list of objects with {parts}")
        return found

    def version(self, head: dict[str, Any], known: int) -> None:
        if self.integer(head, "strategy", 0) != known:
            raise self.wrong(f"`strategy` is the version of the format, and only {known} is known")

    def nodes(
        self, lines: Iterator[str], size: int, read: Callable[[dict[str, Any]], Read]
    ) -> tuple[Read, ...]:
        """Return the result of `read` for each line after the first.

        There must be `size` lines, numbered from 0.
        """
        nodes: list[Read] = []
        for self.line, text in enumerate(lines, LINE_OF_NODE_0):
            line = self.object(text)
            if len(nodes) >= size:
                raise self.wrong(f"the first line says {counted(size, 'node')}, and there are more")
            if self.integer(line, "node", 0) != len(nodes):
                raise self.wrong(f"the nodes are not in order: node {len(nodes)} is expected here")
            nodes.append(read(line))
        if len(nodes) != size:
            raise self.wrong(f"the first line says {counted(size, 'node')}, and the file has {len(nodes)}")
        return tuple(nodes)

    def wrong(self, message: str) -> StrategyFileError:
        return StrategyFileError(f"{self._name}:{self.line}: {message}; {self._way_out}")


def read_lines(path: Path, way_out: str, read: Callable[[StrategyLineReader, Iterator[str]], Read]) -> Read:
    """Return the result of `read` for a file's lines.

    Raises StrategyFileError, also if the file cannot be read.
    """
    name = shown(path)
    try:
        with path.open("rb") as file:
            return read(StrategyLineReader(name, way_out), _lines(name, file, way_out))
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise StrategyFileError(f"{on_one_line(name)}: the file cannot be read: {reason}") from None
    except ValueError as problem:
        if isinstance(problem, StrategyFileError):
            raise
        raise StrategyFileError(f"{on_one_line(name)}: the file cannot be read: {problem}") from None


def _lines(name: str, file: Iterable[bytes], way_out: str) -> Iterator[str]:
    for number, line in enumerate(file, 1):
        if len(line) > _MOST_LINE:
            raise StrategyFileError(f"{on_one_line(name)}:{number}: the line is too long; {way_out}")
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise StrategyFileError(
                f"{on_one_line(name)}:{number}: the line is not UTF-8; save the file as UTF-8"
            ) from None
