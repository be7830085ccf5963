"""Common parts of all studies: options, work shared among processes, and reproducible results.

A result begins with the command that reproduces it and the versions used. A study returns 1 if
anything was wrong.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import Pool
from pathlib import Path
from typing import Any, Protocol, TypeVar

import hornbook

ROOT = Path(__file__).resolve().parents[1]
Job = TypeVar("Job")
Result = TypeVar("Result")
_NOT_NAMED = ("jobs", "kept", "output", "page", "pictures")
"""Options that do not change the result, so that the recorded command leaves them out."""


class Tally(Protocol):
    """Counts of one part, which can be added to those of another."""

    def add(self, other: Any) -> None: ...


Counted = TypeVar("Counted", bound=Tally)


def options(doc: str | None, **numbers: float) -> argparse.ArgumentParser:
    """Return the options of a study: a number for each name, with its default, and `--output`."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in numbers.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    parser.add_argument("--output", type=Path)
    return parser


@dataclass(frozen=True, slots=True)
class Study:
    """One run of a study's file, with its options and its start time."""

    file: str
    given: argparse.Namespace
    began: float = field(default_factory=time.monotonic)

    @property
    def command(self) -> str:
        """Command that reproduces the result: the file and its options.

        Input files are named without their folder.
        """
        file = Path(self.file).resolve().relative_to(ROOT)
        words = ["python", *(("-m", ".".join(file.parts[:-1])) if file.stem == "__main__" else (str(file),))]
        for name, value in vars(self.given).items():
            if name not in _NOT_NAMED and value is not None and value is not False:
                shown = _shown(value)
                named = f"--{name}" if value is True else f"--{name} {shown}"
                words.append(shown if name in ("rules", "folder") else named)
        return " ".join(words)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def parts(self, number: int, size: int) -> Iterator[tuple[int, int, int]]:
        """Yield the seed, the number and the size of each part of `number` things."""
        starts = range(0, number, size)
        return ((self.given.seed, part, min(size, number - start)) for part, start in enumerate(starts))

    def shared(self, work: Callable[[Job], Counted], jobs: Iterable[Job], total: Counted) -> Counted:
        """Run jobs in `--jobs` processes, and return the sum of their counts."""
        with Pool(self.given.jobs) as pool:
            for counted in pool.imap(work, jobs):
                total.add(counted)
        return total

    def tried(self, one: Callable[[str], Counted], total: Counted) -> Iterator[Counted]:
        """Yield the results for successive seeds and count them: `--theories` of them, or as many as
        `--seconds` allow.
        """
        for number in range(self.given.theories):
            if self.given.seconds and self.seconds > self.given.seconds:
                return
            found = one(f"{self.given.seed}.{number}")
            total.add(found)
            yield found

    def write(self, body: str, libraries: Sequence[str] = ()) -> str:
        """Write the result, or the part so far, and return its text."""
        versions = [f"hornbook {hornbook.__version__}", *libraries, f"Python {platform.python_version()}"]
        processes = f" with {self.given.jobs} processes" if "jobs" in self.given else ""
        text = (
            f"command: {self.command}\n{', '.join(versions)}; {self.seconds:.0f} seconds{processes}\n\n{body}"
        )
        if self.given.output:
            self.given.output.write_text(text, encoding="utf-8")
        return text

    def finish(self, body: str, wrong: Sequence[object] = (), libraries: Sequence[str] = ()) -> int:
        """Print the result and some of the errors, write the result, and return the exit code."""
        print(self.write(body, libraries))
        for case in wrong[:3]:
            print(case)
        return 1 if wrong else 0


def _shown(value: Any) -> str:
    match value:
        case Path():
            return value.name
        case float():
            return f"{value:g}"
        case list():
            return " ".join(map(_shown, value))
        case _:
            return str(value)


def share(part_of: int, whole: int) -> str:
    """Return the share in percent, with 100% only if nothing is missing."""
    if part_of == whole:
        return "100%"
    return f"{min(99.99, 100 * part_of / whole):.2f}%"


def by_relation(
    relations: Iterable[str], true: Counter[str], missing: Counter[tuple[str, str]]
) -> Iterator[str]:
    """Yield a table of the true facts after actions: for each relation their number, and the
    share that was derived.
    """
    yield f"{'after-facts':<14}{'true':>12}{'derived':>12}"
    for relation in relations:
        lacking = sum(number for (of, _), number in missing.items() if of == relation)
        yield f"{relation:<14}{true[relation]:>12}{share(true[relation] - lacking, true[relation]):>12}"


def by_kind(
    kinds: Counter[str],
    missing: Counter[tuple[str, str]],
    titles: tuple[str, str],
    widths: tuple[int, int, int],
) -> Iterator[str]:
    """Yield a table of the tried actions, by kind, and of the facts after them that were not derived."""
    first, second, third = widths
    yield f"{titles[0]:<{first}}{titles[1]:>{second}}{'not derived':>{third}}"
    for kind, number in sorted(kinds.items()):
        gaps = sum(n for (_, of), n in missing.items() if of == kind)
        yield f"{kind:<{first}}{number:>{second}}{gaps:>{third}}"


def table(counted: Counter[str], titles: tuple[str, str], widths: tuple[int, int]) -> Iterator[str]:
    """Yield a table of counts by name, without zeros."""
    first, second = widths
    yield f"{titles[0]:<{first}}{titles[1]:>{second}}"
    yield from (f"{name:<{first}}{number:>{second}}" for name, number in sorted(counted.items()) if number)


def timed(run: Callable[..., Result], *of: Any) -> tuple[float, Result]:
    """Return the processor seconds of a call, and its result."""
    began = time.process_time()
    found = run(*of)
    return time.process_time() - began, found
