"""Stages of a long run, which are cached in the working folder.

A stage is reused as long as its dependencies are unchanged: its command, the contents of its inputs, and
the program's source.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = ("kb", "matcher", "compiler", "theories", "app")
EXPERIMENT = (*PROGRAM, "benchmarks/go/learning", "benchmarks/go/capture_search.py")
MAKING_PROBLEMS = tuple(
    f"theories/go/{name}" for name in ("problems", "reading", "states/board.py", "reader.py")
)
"""Source files that a stage may depend on."""
_SOURCE = (".py", ".horn", ".cpp", ".hpp")


class StageError(Exception):
    """Error for a failed command; the message names it, and ends like its own message."""


@dataclass(frozen=True, slots=True)
class FinishedStage:
    """Finished stage: its processor and wall-clock seconds, and its result."""

    processor: float
    wall: float
    result: Any


@cache
def source_digest(source: tuple[str, ...]) -> str:
    """Return the digest of some source files at the first call."""
    digest = hashlib.sha256()
    for name in source:
        place = ROOT / name
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.suffix in _SOURCE:
                data = path.read_bytes()
                digest.update(f"{path.relative_to(ROOT)} {len(data)}\0".encode() + data)
    return digest.hexdigest()


class Stages:
    """Runner of stages in a working folder, which prints a line for each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._source = source_digest(PROGRAM)
        folder.mkdir(parents=True, exist_ok=True)

    def is_unchanged(self) -> bool:
        """Return whether the program is unchanged since the beginning."""
        return source_digest.__wrapped__(PROGRAM) == self._source

    def path(self, name: str) -> Path:
        return self.folder / name

    def command(
        self,
        name: str,
        words: Sequence[str],
        inputs: Sequence[Path],
        outputs: Sequence[Path],
        prepare: Callable[[], object] | None = None,
        good: int = 0,
        source: tuple[str, ...] = PROGRAM,
    ) -> FinishedStage:
        """Run `hornbook` with some arguments in the working folder.

        Existing outputs are removed first, then `prepare` is called. Exit codes above
        `good` raise StageError.
        """

        def run() -> FinishedStage:
            for path in outputs:
                path.unlink(missing_ok=True)
            if prepare is not None:
                prepare()
            return _run(words, self.folder, good)

        return self._stage(name, source_digest(source) + shlex.join(words), inputs, outputs, run)

    def compute(
        self, name: str, inputs: Sequence[Path], result: Callable[[], Any], settings: str = ""
    ) -> FinishedStage:
        """Run a function in this process. Its result must be representable in JSON."""

        def run() -> FinishedStage:
            processor, wall = _processor(), time.perf_counter()
            found = json.loads(json.dumps(result()))
            return FinishedStage(_processor() - processor, time.perf_counter() - wall, found)

        return self._stage(name, source_digest(EXPERIMENT) + settings, inputs, [], run)

    def _stage(
        self,
        name: str,
        what: str,
        inputs: Sequence[Path],
        outputs: Sequence[Path],
        run: Callable[[], FinishedStage],
    ) -> FinishedStage:
        key = hashlib.sha256(what.encode())
        for path in inputs:
            data = path.read_bytes()
            key.update(f"\0{len(data)}\0".encode() + data)
        record = self.path(f"{name}.stage.json")
        if record.exists() and all(path.exists() for path in outputs):
            known = json.loads(record.read_text(encoding="utf-8"))
            if known["key"] == key.hexdigest():
                _say(name, "was done before")
                return FinishedStage(**known["done"])
        record.unlink(missing_ok=True)
        done = run()
        text = json.dumps({"key": key.hexdigest(), "done": asdict(done)})
        record.write_text(text, encoding="utf-8")
        _say(name, f"{done.processor:.1f} s of processor time, {done.wall:.1f} s")
        return done


def _say(name: str, what: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {name}: {what}", file=sys.stderr, flush=True)


def _processor() -> float:
    """Return the processor seconds of this process and of its finished children."""
    return sum(os.times()[:4])


def _run(words: Sequence[str], folder: Path, good: int) -> FinishedStage:
    """Run `hornbook` in a separate process, to measure its processor time."""
    output, faults = folder / "stage.out", folder / "stage.err"
    began = time.perf_counter()
    with output.open("w", encoding="utf-8") as out, faults.open("w", encoding="utf-8") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "hornbook", *words], cwd=folder, stdout=out, stderr=err
        )
        _, status, usage = os.wait4(process.pid, 0)
    # The process has already been waited for.
    process.returncode = code = os.waitstatus_to_exitcode(status)
    if not 0 <= code <= good:
        raise StageError(
            f"hornbook {shlex.join(words)}: exit code {code}\n{faults.read_text(encoding='utf-8')}"
        )
    processor = usage.ru_utime + usage.ru_stime
    return FinishedStage(processor, time.perf_counter() - began, output.read_text(encoding="utf-8"))
