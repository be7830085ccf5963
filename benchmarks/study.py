"""What every study does alike: its options, work shared among processes, and a result that says how it was made.

A result begins with the command that makes it again and the versions that it was made with. A study returns 1 where
anything was found wrong.
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
_NOT_NAMED = ("jobs", "output", "page", "pictures")
"""Options that change no result, so that the command leaves them out."""


class Tally(Protocol):
    """What is counted, by parts that are put together."""

    def add(self, other: Any) -> None: ...


Counted = TypeVar("Counted", bound=Tally)


def options(doc: str | None, **numbers: float) -> argparse.ArgumentParser:
    """The options of a study: a number for each name, with its default, and `--output`."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in numbers.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    parser.add_argument("--output", type=Path)
    return parser


@dataclass(frozen=True, slots=True)
class Study:
    """One run of a study's file: what was asked, and when it began."""

    file: str
    given: argparse.Namespace
    began: float = field(default_factory=time.monotonic)

    @property
    def command(self) -> str:
        """What makes the result again: the file and its options; a file that is read is named without its folder."""
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
        """A number of things in parts of a size: the seed, the number of the part, and how many are in it."""
        starts = range(0, number, size)
        return ((self.given.seed, part, min(size, number - start)) for part, start in enumerate(starts))

    def shared(self, work: Callable[[Job], Counted], jobs: Iterable[Job], total: Counted) -> Counted:
        """The jobs done by `--jobs` processes and counted together, in their order."""
        with Pool(self.given.jobs) as pool:
            for counted in pool.imap(work, jobs):
                total.add(counted)
        return total

    def tried(self, one: Callable[[str], Counted], total: Counted) -> Iterator[Counted]:
        """What is found at one seed after another, counted too: `--theories` of them, or as many as `--seconds` allow."""
        for number in range(self.given.theories):
            if self.given.seconds and self.seconds > self.given.seconds:
                return
            found = one(f"{self.given.seed}.{number}")
            total.add(found)
            yield found

    def write(self, body: str, libraries: Sequence[str] = ()) -> str:
        """Writes the result, or what there is of it so far; its text."""
        versions = [f"hornbook {hornbook.__version__}", *libraries, f"Python {platform.python_version()}"]
        processes = f" with {self.given.jobs} processes" if "jobs" in self.given else ""
        text = (
            f"command: {self.command}\n{', '.join(versions)}; {self.seconds:.0f} seconds{processes}\n\n{body}"
        )
        if self.given.output:
            self.given.output.write_text(text, encoding="utf-8")
        return text

    def finish(self, body: str, wrong: Sequence[object] = (), libraries: Sequence[str] = ()) -> int:
        """Prints the result and some of what is wrong, and writes the result; the exit code."""
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
    """In percent; 100% only where nothing is missing."""
    if part_of == whole:
        return "100%"
    return f"{min(99.99, 100 * part_of / whole):.2f}%"


def by_relation(
    relations: Iterable[str], true: Counter[str], missing: Counter[tuple[str, str]]
) -> Iterator[str]:
    """A table of what is true after actions: of each relation how much is, and how much of that was derived."""
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
    """A table of the actions that were tried, by kind, and of how many facts after them were not derived."""
    first, second, third = widths
    yield f"{titles[0]:<{first}}{titles[1]:>{second}}{'not derived':>{third}}"
    for kind, number in sorted(kinds.items()):
        gaps = sum(n for (_, of), n in missing.items() if of == kind)
        yield f"{kind:<{first}}{number:>{second}}{gaps:>{third}}"


def table(counted: Counter[str], titles: tuple[str, str], widths: tuple[int, int]) -> Iterator[str]:
    """What was counted, by name; what is none is left out."""
    first, second = widths
    yield f"{titles[0]:<{first}}{titles[1]:>{second}}"
    yield from (f"{name:<{first}}{number:>{second}}" for name, number in sorted(counted.items()) if number)


def timed(run: Callable[..., Result], *of: Any) -> tuple[float, Result]:
    """The seconds of the processor that a call takes, and what it gives."""
    began = time.process_time()
    found = run(*of)
    return time.process_time() - began, found
