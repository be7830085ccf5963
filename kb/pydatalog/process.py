"""Runs a program in pyDatalog, in a process of its own.

pyDatalog does not always end, not even on linear recursion, and its compiled engine never lets go of the
interpreter while it runs: no time limit and no Ctrl-C would reach it from within. Apart, it can be ended, and
a program of one's own that uses pyDatalog keeps the state that pyDatalog holds for it.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from hornbook.kb.sources.extras import installation
from hornbook.matcher.program.errors import TimeLimitError
from hornbook.matcher.program.hornbook_error import HornbookError

Row = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """Clauses as text, facts (a predicate and its values) and goals (a predicate and its arity, at least 1)."""

    clauses: str
    facts: Sequence[tuple[str, Row]]
    goals: Sequence[tuple[str, int]]


class PyDatalogError(HornbookError):
    """pyDatalog is not installed, or failed on a program."""


def run(program: Program, seconds: float | None = None) -> list[set[Row]]:
    """The answers to each goal, by a second Python that finds the same packages.

    Raises PyDatalogError, and TimeLimitError where it takes longer than `seconds`.
    """
    command = [sys.executable, "-P", "-c", "from hornbook.kb.pydatalog.process import serve; serve()"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)}
    task = json.dumps(asdict(program))
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and words
            command, input=task, capture_output=True, text=True, timeout=seconds, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        assert seconds is not None
        raise TimeLimitError(seconds) from None
    if done.returncode != 0:
        raise PyDatalogError(f"pyDatalog's process failed: {done.stderr.strip()}")
    outcome = json.loads(done.stdout)
    if isinstance(outcome, str):
        raise PyDatalogError(outcome)
    return [{tuple(row) for row in rows} for rows in outcome]


def serve() -> None:
    """Reads a program from standard input and writes its answers, or what went wrong, to standard output."""
    try:
        outcome: object = [list(rows) for rows in run_here(Program(**json.load(sys.stdin)))]
    except PyDatalogError as problem:
        outcome = str(problem)
    json.dump(outcome, sys.stdout)


def run_here(program: Program) -> list[set[Row]]:
    """The answers to each goal; forgets what this thread has told pyDatalog. Raises PyDatalogError."""
    try:
        with warnings.catch_warnings():
            # Its source has escape sequences that newer compilers of Python warn of.
            warnings.simplefilter("ignore")
            pydatalog = importlib.import_module("pyDatalog.pyDatalog")
    except ImportError:
        raise PyDatalogError(f"pyDatalog is not installed: {installation('pydatalog')}") from None
    try:
        pydatalog.Logic()
        for predicate, values in program.facts:
            pydatalog.assert_fact(predicate, *values)
        pydatalog.load(program.clauses)
        answers = [pydatalog.ask(f"{name}({_variables(arity)})") for name, arity in program.goals]
    except Exception as problem:  # it raises what it likes
        raise PyDatalogError(f"pyDatalog failed: {problem}") from problem
    return [set() if answer is None else set(answer.answers) for answer in answers]


def _variables(arity: int) -> str:
    return ", ".join(f"X{i}" for i in range(arity))
