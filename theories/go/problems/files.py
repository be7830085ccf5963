"""Files of problems: JSON lines, or SGF if the name ends in `.sgf`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hornbook.kb.sources.files import read_bytes, read_text
from hornbook.kb.text.writing import write_text
from hornbook.theories.go.problems import jsonl, sgf
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.go.states.sgf_text import decode_sgf


def read_problems(path: Path, name: str | None = None) -> list[CaptureProblem]:
    """Return the problems of a file, called `name` in messages. Raise TheoryError (HB004, HB005)."""
    name = str(path) if name is None else name
    if _is_sgf(path.suffix):
        return sgf.parse_problems(decode_sgf(read_bytes(path, name), name), name)
    return jsonl.parse_problems(read_text(path, name), name)


def print_problems(problems: Iterable[CaptureProblem], suffix: str) -> str:
    """Return the problems as the text of a file with this suffix."""
    return sgf.print_problems(problems) if _is_sgf(suffix) else jsonl.print_problems(problems)


def _is_sgf(suffix: str) -> bool:
    return suffix.lower() == ".sgf"


def write_problems(problems: Iterable[CaptureProblem], path: Path) -> None:
    """Write a file of problems atomically. Raise WritingError if it cannot be written."""
    write_text(path, print_problems(problems, path.suffix))


def shipped(name: str) -> Path:
    """Return the path of a shipped set of problems: `train` or `hundred`."""
    return Path(__file__).parent / f"{name}.jsonl"
