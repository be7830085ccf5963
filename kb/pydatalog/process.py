"""The execution of a program by pyDatalog, in a process of its own.

pyDatalog need not terminate, not even on linear recursion. Its compiled engine keeps the lock of the
interpreter while it runs, so neither a time limit nor Ctrl-C would work in the same process. A separate
process can be ended. The caller's own use of pyDatalog is not affected.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict
from types import ModuleType
from typing import Any

from hornbook.kb.sources.extras import installation
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.errors import TimeLimitError
from hornbook.matcher.program.hornbook_error import HornbookError

Row = tuple[str | int, ...]
LONGEST = 1_000_000.0
"""A limit in seconds, about eleven days. The operating system does not support longer timeouts."""


@dataclass(frozen=True, slots=True)
class PyDatalogTask:
    """Clauses as text, facts (a predicate and its values) and goals (a predicate and a positive arity)."""

    clauses: str
    facts: Sequence[tuple[str, Row]]
    goals: Sequence[tuple[str, int]]


class PyDatalogError(HornbookError):
    """pyDatalog is not installed, or failed on a program."""


def run(program: PyDatalogTask, seconds: float | None = None) -> list[set[Row]]:
    """Return the answers to each goal, from a second Python process with the same packages.

    Raises PyDatalogError, and TimeLimitError after `seconds`.
    """
    task = asdict(program)
    return [{tuple(row) for row in rows} for rows in in_another_python(__name__, task, seconds)]


def in_another_python(module: str, task: object, seconds: float | None) -> Any:
    """Return the result of a module's function `serve` for a task, from a second Python process with the same
    packages.

    Its printed output is discarded. Raises PyDatalogError, and TimeLimitError after `seconds`.
    """
    command = [
        sys.executable,
        "-P",
        "-c",
        f"from hornbook.kb.pydatalog.process import main; main({module!r})",
    ]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)}
    try:
        done = subprocess.run(  # noqa: S603  # our own interpreter and arguments
            command,
            input=json.dumps(task).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=None if seconds is None else min(seconds, LONGEST),
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        assert seconds is not None
        raise TimeLimitError(min(seconds, LONGEST)) from None
    try:
        outcome = json.loads(done.stdout)
    except ValueError:
        raise PyDatalogError(f"pyDatalog's process ended without an answer ({done.returncode})") from None
    if "problem" in outcome:
        raise PyDatalogError(outcome["problem"])
    return outcome["answer"]


def main(module: str) -> None:
    """Read a task from standard input, and write its result or error to standard output."""
    task = json.loads(sys.stdin.buffer.read())
    with os.fdopen(os.dup(1), "w") as answer:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            json.dump({"answer": importlib.import_module(module).serve(task)}, answer)
        except PyDatalogError as problem:
            json.dump({"problem": str(problem)}, answer)


def serve(task: dict[str, Any]) -> list[list[Row]]:
    """Return the answers to each goal of a program."""
    return [list(rows) for rows in run_here(PyDatalogTask(**task))]


def run_here(program: PyDatalogTask) -> list[set[Row]]:
    """Return the answers to each goal, and clear the state of pyDatalog in this thread. Raises
    PyDatalogError.
    """
    engine = pydatalog("pyDatalog")
    try:
        engine.Logic()
        for predicate, values in program.facts:
            engine.assert_fact(predicate, *values)
        engine.load(program.clauses)
        answers = [engine.ask(f"{name}({_variables(arity)})") for name, arity in program.goals]
    except Exception as problem:  # pyDatalog raises exceptions of any type
        raise PyDatalogError(f"pyDatalog failed: {problem}") from problem
    return [set() if answer is None else set(answer.answers) for answer in answers]


def pydatalog(name: str) -> ModuleType:
    """Return a module of pyDatalog. Raises PyDatalogError if it is not installed."""
    with warnings.catch_warnings():
        # Newer versions of Python warn about escape sequences in its source.
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(f"pyDatalog.{name}")
        except ImportError:
            raise PyDatalogError(f"pyDatalog is not installed: {installation('pydatalog')}") from None


def _variables(arity: int) -> str:
    return ", ".join(f"X{i}" for i in range(arity))
