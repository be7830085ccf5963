"""Tests of exceptions: each is a HornbookError, or is listed here with the reason why no caller sees it."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import hornbook

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "app/hornbook": "hornbook.",
    **{
        name: f"hornbook.{name}."
        for name in ("kb", "matcher", "compiler", "planner", "play", "render", "theories")
    },
}
"""Folders of the checkout, each with the prefix of the modules in it."""
COMPILED = (
    *("hornbook.matcher._core", "hornbook.planner._core", "hornbook.theories.go._reading"),
    "hornbook.kb.parse._reading",
    *(
        f"hornbook.theories.{game}._native"
        for game in ("abalone", "checkers", "chess", "go", "othello", "tiles")
    ),
)
"""Compiled modules. An editable installation has them in another folder."""
INTERNAL = {
    "hornbook.compiler.witness.search_budget.SearchBudgetError": "a RejectedError",
    "hornbook.compiler.witness.proof_search.OpenError": "a RejectedError",
    "hornbook.compiler.checker.linear.TooManyCasesError": "the checker takes it for `not implied`",
    "hornbook.compiler.checker.language._OtherLanguageError": "becomes the reason of a verdict",
    "hornbook.compiler.checker.context.RejectedError": "becomes the reason of a verdict",
    "hornbook.compiler.prove.opponent.UnansweredError": "becomes the reason why a problem is not proved",
    "hornbook.compiler.rules.subsumption._OutOfBudgetError": "the search takes it for `not subsumed`",
    "hornbook.commands.plain_lines._UnclearError": "the line is left to typer",
    "hornbook.kb.desugar.persistence.NotInvertibleError": "becomes a diagnostic",
    "hornbook.kb.hornbook_error.RecordWarning": "a warning",
    "hornbook.kb.explain.abduction.sufficient_changes._EndedError": "the list is marked as incomplete",
    "hornbook.kb.integers.univariate.UnsolvedError": "advice leaves the comparison out",
    "hornbook.kb.lower.overflow._OverflowError": "becomes a part of the message of a KnowledgeBaseError",
    "hornbook.kb.pydatalog.syntax.ImportRefusedError": "becomes a diagnostic",
    "hornbook.kb.parse.errors.stop.ParseStop": "becomes a diagnostic",
    "hornbook.kb.text.literals.forms.BadLiteralError": "becomes a diagnostic or a bad row",
    "hornbook.kb.tables.table_columns.UnusualCells": "the rows are looked at one by one",
    "hornbook.kb.tables.table_values.BadCell": "becomes a bad row",
    "hornbook.kb.desugar.surface.RefusedClause": "becomes a diagnostic",
    "hornbook.matcher._core.Fault": "becomes the named error of matcher/program/errors.py",
    "hornbook.planner._core.Exhausted": "becomes a TooManyAnswers",
    "hornbook.planner.gdl.clauses._Refused": "becomes a diagnostic",
    "hornbook.planner.gdl.coding.NotStratified": "becomes a diagnostic",
    "hornbook.planner.gdl.flattening.Unbounded": "becomes a diagnostic",
    "hornbook.planner.gdl.flattening._TooMany": "becomes an Unbounded",
    "hornbook.play.machines.plain_search._SpentError": "becomes the reason why a search ended",
    "hornbook.play.kep.preferring._NodeLimitError": "the action of the last complete depth is used",
    "hornbook.planner.pddl.expressions.RefusedPartError": "becomes a diagnostic",
    "hornbook.planner.translation.induction.one_step.Unknown": "what was asked is taken for not proved",
    "hornbook.planner.protocol.referee._WrongMovesError": "becomes the message of a refusal",
    "hornbook.planner.translation.refused.UntranslatableError": "becomes a diagnostic",
    "hornbook.spread.states.BadState": "becomes a bad row",
    "hornbook.web.bodies.BodyRefusedError": "becomes an answer",
    "hornbook.web.service.application._Refusal": "becomes an answer",
    "hornbook.web.service.worker_pool.WorkerPoolError": "becomes an answer, and where nothing is served yet the command's error",
    "hornbook.theories.go._reading.TooManyNodes": "who asks the reader says what an unfinished search means",
}
"""Exceptions that are caught before they reach the caller, each with its handling."""
NOT_IMPORTED = ("hornbook.__main__", "hornbook.commands.theories.skeleton")


def modules() -> Iterator[str]:
    yield "hornbook"
    yield from COMPILED
    for folder, prefix in FOLDERS.items():
        for found in pkgutil.walk_packages([str(ROOT / folder)], prefix):
            if not found.name.startswith(NOT_IMPORTED):
                yield found.name


def exceptions() -> dict[str, type[BaseException]]:
    """Return every exception that a module of the project defines, by its full name."""
    found = {}
    for name in modules():
        for thing in vars(import_module(name)).values():
            ours = inspect.isclass(thing) and thing.__module__.startswith("hornbook.")
            if ours and issubclass(thing, BaseException):
                found[f"{thing.__module__}.{thing.__qualname__}"] = thing
    return found


def test_every_exception_is_a_hornbook_error_or_internal():
    found = exceptions()
    assert len(found) > 40
    others = {name for name, kind in found.items() if not issubclass(kind, hornbook.HornbookError)}
    assert others == set(INTERNAL)


@pytest.mark.parametrize("name", [name for name in hornbook.__all__ if name.endswith("Error")])
def test_one_clause_catches_every_public_error(name):
    assert issubclass(getattr(hornbook, name), hornbook.HornbookError)
